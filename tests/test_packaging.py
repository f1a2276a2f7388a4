"""What ships with the package: every bundled model is in NOTICE, and what the tests read is in the source archive."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

import hubbub
from hubbub.ml.datasets import DATASETS

BUNDLED = Path(hubbub.__file__).parent / "data" / "models"
TOP = Path(__file__).parents[1]
NOTICE = (TOP / "NOTICE").read_text(encoding="utf-8")
MODELS = sorted(card.parent.relative_to(BUNDLED).as_posix() for card in BUNDLED.rglob("model.json"))
CITED = {"clinc": "[1]", "irc": "[2]", "ubuntu-logs": "[3]", "friends": "[4]"}


def section(name: str) -> str:
    """What NOTICE says of a bundled model: from its name, alone in a line, to the next blank line."""
    found = re.search(rf"^bundled/{re.escape(name)}\n((?:  .*\n)+)", NOTICE, re.MULTILINE)
    assert found, f"NOTICE has no section on bundled/{name}"
    return found[1]


def test_every_bundled_folder_is_in_the_notice() -> None:
    assert len(MODELS) >= 7
    for name in ("encoder", *MODELS):
        assert "  Derives from: " in section(name)


def test_the_notice_names_no_model_that_is_gone() -> None:
    assert {*re.findall(r"^bundled/(\S+)$", NOTICE, re.MULTILINE)} == {"encoder", *MODELS}


@pytest.mark.parametrize("name", MODELS)
def test_the_notice_names_the_data_of_the_card(name: str) -> None:
    card = json.loads((BUNDLED / name / "model.json").read_text(encoding="utf-8"))
    used = {card["dataset"].partition(":")[0], str(card["parameters"].get("unlabelled", "")).partition(":")[0]} - {""}
    said = section(name)
    assert "  Training data: " in said
    assert not [dataset for dataset in used if CITED[dataset] not in said]


@pytest.mark.parametrize("dataset", CITED)
def test_the_notice_cites_the_data(dataset: str) -> None:
    found = re.search(rf"^{re.escape(CITED[dataset])} ((?:.+\n)+)", NOTICE, re.MULTILINE)
    assert found
    assert DATASETS[dataset].citation.rpartition(" ")[2] in found[1], "the address of the paper or of the logs"


def test_the_source_archive_has_what_the_tests_read() -> None:
    build = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    shipped = build["sdist"]["include"]
    needed = ("src", "tests", "docs", "benchmarks", "Makefile", "README.md", "NOTICE", "LICENSE")
    assert {f"/{name}" for name in needed} <= set(shipped)
    assert not [pattern for pattern in shipped if not any(TOP.glob(pattern.lstrip("/")))]
