"""The folder of hubbub.read: few packages of shared code, and a module or package a format."""

from __future__ import annotations

from pathlib import Path

import pytest

import hubbub
from hubbub.read.formats import FORMATS

READ = Path(hubbub.__file__).parent / "read"
# A family of formats is a package that has a module for each; what a file of any IRC program has is "irc" itself.
FAMILIES = ("irc", "subtitles", "tables")


def test_shared_code_lies_in_few_packages() -> None:
    folders = {path.name for path in READ.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == {"assembly", "bridges", "detect", "formats", "input", "parsing", "times"}
    assert {path.name for path in READ.glob("*.py")} == {
        "__init__.py",
        "changing_files.py",
        "format.py",
        "growing_input.py",
        "reading.py",
        "report.py",
    }


@pytest.mark.parametrize(("name", "module"), sorted(FORMATS.items()))
def test_the_module_of_a_format_has_its_name(name: str, module: str) -> None:
    own = "generic" if name == "irc" else name.replace("-", "_")
    package = module.removeprefix("hubbub.read.formats.")
    assert package in {own, *(f"{family}.{own}" for family in FAMILIES)}


def test_every_other_module_of_formats_belongs_to_one() -> None:
    found = {path.stem for path in (READ / "formats").iterdir() if path.stem not in {"__init__", "__pycache__"}}
    assert found <= {*FAMILIES, *(name.replace("-", "_") for name in FORMATS)}
