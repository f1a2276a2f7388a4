"""Damaged model files: what is done to a saved model, and what it may do then.

Accepted is one of two things. Either the model is refused when it is loaded, by one sentence (a HubbubError) that names
its folder. Or it loads and gives valid, finite answers, the same ones when it is loaded again: that is for values which
are legal but others than those that were learnt. Everything else is reported: another exception, a refusal only when it
predicts, an answer that is not valid or not finite, answers that differ between two runs.

Run as a program, it tries one saved model and prints what is not accepted; a crash of compiled code then ends this
process and not the tests.
"""

from __future__ import annotations

import json
import math
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch
from zlib import crc32

import numpy as np

import hubbub.ml.registry
from hubbub.errors import HubbubError
from hubbub.ml.registry import load, task_in_name
from hubbub.ml.storage import read_card, read_state
from hubbub.ml.task import task

from .conformance import VALID

State = Mapping[str, Any]
Case = tuple[str, State]

INPUTS = 3  # of the sample that a model which loads is asked
SPARSE = 9  # of the many arrays of encoder halves every ninth gets those changes after which the model still runs
VALUES: tuple[Any, ...] = (
    None,
    [],
    {},
    "",
    "x",
    -1,
    0,
    1,
    0.5,
    True,
    1e999,
    -1e999,
    10**30,
    [[[]]],
    ["x"],
    [1],
    {"x": 1},
)
PARAMETERS: tuple[Any, ...] = (*VALUES, 999_999_999, -0.5, float("nan"), "y" * 100_000, [-1], [999_999_999], "none")


def arrays_changed(state: State) -> Iterator[Case]:
    """Every array in another type, in another shape, with other values, missing and under another name."""
    for name, array in state.items():
        if not isinstance(array, np.ndarray):
            continue
        changes = {**_retyped(array), **_reshaped(array)}
        if not _is_one_of_many(name):
            changes |= _revalued(array)
        changes |= _extremes(array)
        for what, changed in changes.items():
            yield f"{name}: {what}", {**state, name: changed}
        rest = {key: each for key, each in state.items() if key != name}
        yield f"{name}: missing", rest
        yield f"{name}: renamed", {**rest, f"{name}x": array}
        yield f"{name}: as JSON", {**state, name: array.ravel()[:3].tolist()}
    yield "an array more", {**state, "more": np.zeros(3, np.float32)}


def _is_one_of_many(name: str) -> bool:
    return name.count(".") == 3 and crc32(name.encode()) % SPARSE != 0


def _retyped(array: Any) -> dict[str, Any]:
    kinds = ("float64", "float32", "float16", "int64", "uint8", "bool", ">f4", "<U2", "complex64")
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {f"as {kind}": array.astype(kind) for kind in kinds if array.dtype != kind}


def _reshaped(array: Any) -> dict[str, Any]:
    found = {
        "one more": np.concatenate([array, array[:1]]),
        "one less": array[:-1],
        "none": array[:0],
        "one dimension more": array[None],
        "a dimension of nothing": array[..., None][..., :0],
        "no dimension": np.array(0, array.dtype),
        "half": array[: len(array) // 2],
    }
    if array.ndim > 1:
        found |= {
            "flat": array.ravel(),
            "turned": array.T,
            "one column more": np.concatenate([array, array[..., :1]], -1),
        }
        found |= {"one column less": array[..., :-1], "columns first": np.asfortranarray(array)}
    return {what: changed for what, changed in found.items() if changed.shape != array.shape or what == "columns first"}


def _extremes(array: Any) -> dict[str, Any]:
    """Numbers that no trained model has, at the first, the last and a middle place."""
    if not array.size:
        return {}
    limits = np.finfo(array.dtype) if array.dtype.kind == "f" else np.iinfo(array.dtype)
    values: list[Any] = [limits.max, limits.min]
    if array.dtype.kind == "f":
        values += [np.nan, np.inf, -np.inf]
    return {f"holds {value} at {place}": _with(array, place, value) for value in values for place in _places(array)}


def _places(array: Any) -> list[int]:
    return sorted({0, array.size // 2, array.size - 1})


def _revalued(array: Any) -> dict[str, Any]:
    """Numbers that may be legal."""
    found = {"all zero": np.zeros_like(array), "backwards": array[::-1].copy()}
    if array.size:
        values: tuple[int, ...] = (-1, 1, 200) if array.dtype.kind != "u" else (1, 200)
        values = tuple(value for value in values if array.dtype != "int8" or value < 128)
        found |= {f"holds {value}": _with(array, array.size // 2, value) for value in values}
    return found


def _with(array: Any, place: int, value: Any) -> Any:
    changed = array.copy()
    changed.reshape(-1)[place] = value
    return changed


def values_changed(state: State) -> Iterator[Case]:
    """Every value in JSON, and what it holds, replaced by others; lists longer and shorter; names missing and more."""
    plain = {key: value for key, value in state.items() if not isinstance(value, np.ndarray)}
    for name, value in plain.items():
        for where, put in _put(value):
            yield f"{name}{where}", {**state, name: put}
        rest = {key: each for key, each in state.items() if key != name}
        yield f"{name}: missing", rest
        yield f"{name}: as an array", {**state, name: np.zeros(3)}
    yield "a value more", {**state, "more": 1}


def _put(value: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    for other in VALUES:
        yield f" = {other!r}", other
    if isinstance(value, list | tuple) and value:
        whole = list(value)
        yield ": one more", [*whole, whole[-1]]
        yield ": one less", whole[:-1]
        yield ": turned", whole[::-1]
        if depth < 3:
            yield from ((f"[0]{where}", [put, *whole[1:]]) for where, put in _put(whole[0], depth + 1))
    if isinstance(value, dict) and value:
        for key in list(value)[:8]:
            yield f".{key}: missing", {k: v for k, v in value.items() if k != key}
            if depth < 3:
                yield from ((f".{key}{where}", {**value, key: put}) for where, put in _put(value[key], depth + 1))


class Tried:
    """One saved model, and what of all that is done to it is not accepted."""

    def __init__(self, folder: Path, scratch: Path) -> None:
        self.card = json.loads((folder / "model.json").read_text())
        self.name, self.scratch, self.problems = self.card["name"], scratch, list[str]()
        self.refused = self.ran = 0
        self.state = read_state(folder, read_card(folder))
        self.task = task(task_in_name(self.name))
        self.inputs = list(self.task.sample().inputs)[:INPUTS]
        scratch.mkdir(exist_ok=True)

    def all(self) -> None:
        for what, state in (*arrays_changed(self.state), *values_changed(self.state)):
            self.judge(what, self.card, state)
        for parameter in self.card["parameters"]:
            for value in PARAMETERS:
                changed = {**self.card, "parameters": {**self.card["parameters"], parameter: value}}
                self.judge(f"parameter {parameter} = {str(value)[:40]}", changed, self.state)
        for field in self.card:
            for value in VALUES:
                self.judge(f"{field} in model.json = {value!r}", {**self.card, field: value}, self.state)

    def judge(self, what: str, card: State, state: State) -> None:
        (self.scratch / "model.json").write_text(json.dumps(card))
        with patch.object(hubbub.ml.registry, "read_state", lambda folder, card: dict(state)):
            problem = self._problem(lambda: load(self.scratch))
        if problem:
            self.problems.append(f"{self.name}: {what}: {problem}")

    def _problem(self, again: Callable[[], Any]) -> str:
        try:
            model = again()
        except HubbubError as refusal:
            self.refused += 1
            sentence = str(refusal)
            return "" if "\n" not in sentence and sentence.endswith(".") and len(sentence) < 2000 else sentence
        except BaseException as error:
            return f"loading raises {error!r:.200}"
        try:
            with np.errstate(all="ignore"):
                said, twice = model.predict(self.inputs), again().predict(self.inputs)
            for given, answer in zip(self.inputs, said, strict=True):
                VALID[self.task.name](given, answer)
        except BaseException as error:
            return f"predicting raises {error!r:.200}"
        self.ran += 1
        return "" if said == twice and is_finite(said) else f"two runs differ, or no finite answer: {said!r:.200}"


def is_finite(answer: Any) -> bool:
    if isinstance(answer, float):
        return math.isfinite(answer)
    if isinstance(answer, list | tuple):
        return all(map(is_finite, answer))
    return not is_dataclass(answer) or all(is_finite(getattr(answer, each.name)) for each in fields(answer))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    tried = Tried(Path(sys.argv[1]), Path(sys.argv[2]))
    tried.all()
    print(json.dumps({"refused": tried.refused, "ran": tried.ran, "problems": tried.problems}))
