.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --editable

.PHONY: help demo test lint bench docs clean

help:  ## list what can be done here
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-6s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# The light extras only: tests of training and of hubbub.sklearn are skipped where torch, LightGBM and scikit-learn are
# missing, and run in .ci/run.
.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(INSTALL) '.[parquet,test]'
	@touch $@

.venv/lint: .venv/ready
	$(INSTALL) '.[lint,mcp,parquet,postgresql,serve,test]'
	@touch $@

demo: .venv/ready  ## untangle and draw the sample chat that ships with the package
	@$(BIN)/hubbub --no-pager src/hubbub/data/samples/support.log

test: .venv/ready  ## run the tests
	$(BIN)/pytest

lint: .venv/lint  ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/ready  ## measure speed and memory, as ratios within one run
	$(BIN)/python benchmarks/read.py
	$(BIN)/python benchmarks/thread.py
	$(BIN)/python benchmarks/intent.py
	$(BIN)/python benchmarks/people.py speed
	$(BIN)/python benchmarks/ask.py

docs: .venv/ready  ## write the pages and the picture that the program itself makes
	$(BIN)/python docs/generate.py

clean:  ## remove what the other targets made
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
