"""The architecture, asserted from the source: imports, the shape of tasks, names."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import hubbub
from hubbub import errors
from hubbub.cli import COMMANDS
from hubbub.ml.registry import MODELS

PACKAGE = Path(hubbub.__file__).parent
TOP = PACKAGE.parents[1]
MODULES = sorted(PACKAGE.rglob("*.py"))
TASKS = ("thread", "people", "intent", "answer")
HEAVY = {"numpy", "torch", "sklearn", "scipy", "pandas", "polars", "pyarrow", "onnxruntime", "lightgbm", "numba"}
HEAVY |= {"sqlalchemy"}

# A part imports parts of lower levels only, and itself. Whatever is not listed is core: level 0.
LEVELS = {
    "read": 1,
    "ml": 2,
    **dict.fromkeys(TASKS, 3),
    "sklearn": 4,
    "pipeline": 4,
    "archive": 5,
    "view": 6,
    "serve": 7,
}
LEVELS |= {"api": 7, "__init__": 8, "cli": 8, "__main__": 9}

# What a task may consist of. Packages are for more than one file of the same purpose.
SHAPE = {
    "__init__.py", "task.py", "metrics.py", "export.py", "explain.py", "predict.py", "reproduce.py",
    "data", "features", "inference", "models", "training", "reports",
}  # fmt: skip
NEEDED = {
    "__init__.py",
    "task.py",
    "metrics.py",
    "predict.py",
    "reproduce.py",
    "data",
    "features",
    "models",
    "training",
}

each_module = pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())


def part_of(path: Path) -> str:
    """The first name below hubbub: a package, or a module of the core."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_parts(path: Path) -> Iterator[str]:
    """The first name below hubbub of everything a file imports, at its top or anywhere else, but for types."""
    package = ["hubbub", *path.relative_to(PACKAGE).parts[:-1]]
    for node in _without_types(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            whole = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            start = [*base, *(node.module.split(".") if node.module else [])]
            whole = [[*start, alias.name] for alias in node.names]
        else:
            continue
        yield from (names[1] for names in whole if names[0] == "hubbub" and len(names) > 1)


def _without_types(tree: ast.Module) -> Iterator[ast.AST]:
    """Every node outside `if TYPE_CHECKING`: what is imported for annotations alone couples nothing."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if not (isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            yield node
            waiting.extend(ast.iter_child_nodes(node))


def allowed(part: str, other: str) -> bool:
    return part == other or LEVELS.get(other, 0) < LEVELS.get(part, 0) or not (LEVELS.get(part, 0) or other in LEVELS)


@each_module
def test_imports_go_one_way(path: Path) -> None:
    wrong = {other for other in imported_parts(path) if not allowed(part_of(path), other)}
    assert not wrong, f"{path.name} must not import {', '.join(sorted(wrong))}"


def test_the_rule_itself() -> None:
    assert not allowed("thread", "people")
    assert not allowed("read", "ml")
    assert not allowed("ml", "thread")
    assert not allowed("view", "cli")
    assert not allowed("chat", "read")
    assert allowed("thread", "ml")
    assert allowed("archive", "pipeline")
    assert allowed("chat", "relays")
    assert set(imported_parts(PACKAGE / "thread" / "task.py")) == {"chat", "layers", "ml", "thread"}


def test_the_archive_reaches_models_of_threads_through_the_pipeline() -> None:
    for path in sorted((PACKAGE / "archive").rglob("*.py")):
        assert "thread" not in imported_parts(path), path.name


@pytest.mark.parametrize("task", TASKS)
def test_no_task_names_another_one(task: str) -> None:
    """Not by a string either: neither a module of another task nor a model of it."""
    others = "|".join({"mentions", *TASKS} - {task} - ({"mentions"} if task == "people" else set()))
    names_other = re.compile(rf"(hubbub\.({others})\.[a-z_.]+(:\w+)?|({others})/[a-z0-9_]+)\Z")
    for path in sorted((PACKAGE / task).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        strings = {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        assert not list(filter(names_other.match, strings)), path


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_the_same_shape(task: str) -> None:
    found = {path.name for path in (PACKAGE / task).iterdir() if path.name != "__pycache__"}
    assert found <= SHAPE
    assert found >= NEEDED


@pytest.mark.parametrize(("name", "place"), sorted(MODELS.items()))
def test_the_path_of_a_model_is_its_name(name: str, place: str) -> None:
    task, _, own = name.partition("/")
    # Finding mentions is a part of the task of people.
    package = "people.models.mentions" if task == "mentions" else f"{task}.models"
    assert place.partition(":")[0] == f"hubbub.{package}.{own}"


def test_no_two_classes_share_a_name() -> None:
    homes = defaultdict(list)
    for path in MODULES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(path.relative_to(PACKAGE).as_posix())
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


@pytest.mark.parametrize("folder", sorted(path.name for path in (TOP / "tests").iterdir() if path.is_dir()))
def test_tests_mirror_the_tree(folder: str) -> None:
    assert folder in {"samples", "__pycache__"} or (PACKAGE / folder).is_dir()


@each_module
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", [*MODULES, *sorted((TOP / "tests").rglob("*.py"))], ids=lambda path: path.name)
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


@pytest.mark.parametrize("name", [name for name in hubbub.__all__ if name != "__version__"])
def test_every_public_name_is_documented_with_an_example(name: str) -> None:
    public = getattr(hubbub, name)
    assert inspect.isfunction(public) or inspect.isclass(public)
    assert public.__doc__
    if inspect.isfunction(public):
        assert ">>>" in public.__doc__
        assert all(each.annotation is not each.empty for each in inspect.signature(public).parameters.values())


def test_functions_stay_functions_when_packages_of_their_names_are_imported() -> None:
    for name in ("read", "thread", "people"):
        import_module(f"hubbub.{name}.{'reading' if name == 'read' else 'task'}")
        assert inspect.isfunction(getattr(hubbub, name))


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


@pytest.mark.parametrize("words", [[], *([verb] for verb in COMMANDS)], ids=lambda words: " ".join(words) or "hubbub")
def test_help_is_light(words: list[str]) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "hubbub", *words, "--help"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr[-300:]
    assert done.stdout.startswith("Usage: hubbub")
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "click" in loaded
    assert not loaded & HEAVY
