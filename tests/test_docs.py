"""The documents say what is true: README blocks run, verb pages are their help, every name has its place."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hubbub.cli import COMMANDS
from hubbub.intent.data.example import OUT_OF_SCOPE, PARTS
from hubbub.intent.data.tables import INTENT, PART, TEXT
from hubbub.ml.datasets import DATASETS
from hubbub.ml.registry import names
from hubbub.read.formats import FORMATS
from hubbub.read.formats.tables.table import COLUMN_NAMES

TOP = Path(__file__).parents[1]
README = (TOP / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def environment() -> dict[str, str]:
    here = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": here, "COLUMNS": "100", "NO_COLOR": "1"}


def sessions() -> list[tuple[str, str]]:
    """(command, what it should print) of every console block."""
    blocks = "".join(block for kind, block in BLOCKS if kind == "console")
    return re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", blocks, re.MULTILINE)


@pytest.mark.parametrize(("command", "shown"), sessions())
def test_a_command_of_the_readme_prints_what_it_says(command: str, shown: str) -> None:
    ran = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], cwd=TOP, env=environment(), capture_output=True, text=True
    )
    assert ran.returncode in (0, 141), ran.stderr
    pattern = re.escape(shown.strip("\n")).replace(r"\.\.\.", ".*")
    assert re.fullmatch(pattern, ran.stdout.strip("\n"), re.DOTALL), ran.stdout


def pages_with_python() -> list[Path]:
    pages = [TOP / "README.md", *sorted((TOP / "docs").glob("*.md"))]
    return [page for page in pages if "```python\n>>>" in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", pages_with_python(), ids=lambda page: page.name)
def test_the_python_blocks_of_a_page_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TOP)
    blocks = re.findall(r"^```python\n(>>>.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert runner.run(test).failed == 0


def test_the_make_targets_of_the_readme_exist() -> None:
    targets = set(re.findall(r"make (\w+)", "".join(block for kind, block in BLOCKS if kind == "sh")))
    assert {"demo", "test"} <= targets
    makefile = (TOP / "Makefile").read_text(encoding="utf-8")
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_the_pages_that_the_program_makes_are_current() -> None:
    sys.path.insert(0, str(TOP / "docs"))
    from generate import pages

    stale = [path.name for path, text in pages().items() if not path.exists() or path.read_text("utf-8") != text]
    assert not stale, "make docs writes them"


def test_every_format_verb_model_and_dataset_is_documented() -> None:
    written = "".join(path.read_text(encoding="utf-8") for path in (TOP / "docs").rglob("*.md"))
    missing = [name for name in (*FORMATS, *COMMANDS, *names(), *DATASETS) if f"`{name}`" not in written]
    verbs = [name for name in missing if not (TOP / "docs/verbs" / f"{name}.md").exists()]
    assert not verbs


def test_every_column_name_that_tables_understand_is_documented() -> None:
    written = (TOP / "docs/formats.md").read_text(encoding="utf-8")
    missing = [name for known in COLUMN_NAMES.values() for name in known if f"`{name}`" not in written]
    assert not missing


def test_every_word_that_files_of_examples_may_use_is_documented() -> None:
    written = (TOP / "docs/intent.md").read_text(encoding="utf-8")
    known = (*TEXT, *INTENT, *PART, *OUT_OF_SCOPE, *(alias for aliases in PARTS.values() for alias in aliases))
    assert not [name for name in known if f"`{name}`" not in written]


def test_links_between_documents_lead_somewhere() -> None:
    for page in (*TOP.glob("*.md"), *(TOP / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
