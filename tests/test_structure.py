"""The rules of the house, asserted from its source."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import hubbub
from hubbub import errors
from hubbub.cli import VERBS

PACKAGE = Path(hubbub.__file__).parent
TOP = PACKAGE.parents[1]
MODULES = sorted(PACKAGE.rglob("*.py"))
ROOMS = {"read", "thread", "people", "intent", "answer"}
WINDOWS = {"cli", "view", "serve", "engine", "sklearn"}
FRONT = {"__init__", "__main__"}
HEAVY = {"numpy", "torch", "sklearn", "scipy", "pandas", "polars", "pyarrow", "onnxruntime", "lightgbm", "numba"}

relative = pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())


def part_of(path: Path) -> str:
    """The room, window or core module that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_parts(path: Path) -> Iterator[str]:
    """The first name below hubbub of everything a file imports, at its top or anywhere else in it."""
    package = ["hubbub", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            whole = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            start = [*base, *(node.module.split(".") if node.module else [])]
            whole = [[*start, alias.name] for alias in node.names]
        else:
            continue
        yield from (names[1] for names in whole if names[0] == "hubbub" and len(names) > 1)


def allowed(part: str, other: str) -> bool:
    if part in FRONT or part == other:
        return True
    if part == "cli":
        return True
    if part in WINDOWS:
        return other != "cli"
    return other not in ROOMS | WINDOWS


@relative
def test_imports_go_one_way(path: Path) -> None:
    wrong = {other for other in imported_parts(path) if not allowed(part_of(path), other)}
    assert not wrong, f"{path.name} must not import {', '.join(sorted(wrong))}"


def test_the_rule_itself() -> None:
    assert not allowed("thread", "read")
    assert not allowed("task", "thread")
    assert not allowed("read", "view")
    assert not allowed("view", "cli")
    assert allowed("thread", "task")
    assert allowed("view", "thread")
    assert allowed("cli", "serve")
    assert set(imported_parts(PACKAGE / "thread" / "task.py")) == {"chat", "layers", "task", "thread"}


@relative
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", [*MODULES, *sorted((TOP / "tests").glob("*.py"))], ids=lambda path: path.name)
def test_no_file_is_long(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("path", [path for path in MODULES if "\n__all__ = " in path.read_text(encoding="utf-8")])
def test_public_names_are_sorted_and_importable(path: Path) -> None:
    dotted = ".".join(["hubbub", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__")
    try:
        module = import_module(dotted)
    except errors.NeedsExtra as missing:
        pytest.skip(str(missing))
    assert module.__all__ == sorted(module.__all__, key=_constants_classes_functions)
    assert all(getattr(module, name) is not None for name in module.__all__)


def _constants_classes_functions(name: str) -> tuple[int, str]:
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_an_unknown_public_name_lists_the_known() -> None:
    with pytest.raises(AttributeError, match="it has: Aliases"):
        getattr(hubbub, "nonsense")  # noqa: B009
    assert dir(hubbub) == hubbub.__all__


def test_the_drawn_tree_of_errors_is_the_real_one() -> None:
    assert dict(_drawn(errors.__doc__ or "")) == dict(_real(errors.HubbubError))


def _drawn(text: str) -> Iterator[tuple[str, str]]:
    """(class, its parent) of every line of the drawing; each level is four characters deeper."""
    above: list[str] = []
    for line in text.splitlines():
        words = line.lstrip("│├└─ ").split()
        if line.startswith(("HubbubError", "│", "├", "└")):
            depth = (len(line) - len(line.lstrip("│├└─ "))) // 4
            above[depth:] = [words[0]]
            if depth:
                yield words[0], above[depth - 1]


def _real(kind: type) -> Iterator[tuple[str, str]]:
    children: list[type] = kind.__subclasses__()
    for child in children:
        if child.__module__ == errors.__name__:
            yield child.__name__, kind.__name__
            yield from _real(child)


@pytest.mark.parametrize("words", [[], *([verb] for verb in VERBS)], ids=lambda words: " ".join(words) or "hubbub")
def test_help_is_light(words: list[str]) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "hubbub", *words, "--help"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr[-300:]
    assert done.stdout.startswith("usage: hubbub")
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "argparse" in loaded
    assert not loaded & HEAVY
