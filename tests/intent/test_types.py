"""Annotations say what arrays, tensors and records are: Any is rare in the packages of intents and answers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import hubbub

PACKAGE = Path(hubbub.__file__).parent
MAX_SHARE = 0.05


def annotations_of(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            given = (*node.args.args, *node.args.kwonlyargs)
            yield from (each for each in (*(arg.annotation for arg in given), node.returns) if each)
        elif isinstance(node, ast.AnnAssign):
            yield node.annotation


@pytest.mark.parametrize("task", ["intent", "answer"])
def test_few_annotations_are_any(task: str) -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (PACKAGE / task).rglob("*.py")]
    found = [each for tree in trees for each in annotations_of(tree)]
    loose = [each for each in found if any(isinstance(n, ast.Name) and n.id == "Any" for n in ast.walk(each))]
    assert len(loose) < MAX_SHARE * len(found)
