"""Files of examples -> texts and what each wants, in the parts that a file has."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import Broken, Unreadable
from ..layers import Intent
from ..task import Examples, Given
from .sample import SAMPLE


class Example(NamedTuple):
    """A text and its intent, None for out of scope."""

    text: str
    name: str | None


Parts = Mapping[str, Sequence[Example]]  # "train", "val" and "test", those that there are


def load(given: Given) -> Examples[str, Intent]:
    """Training: the training part, with the validation part for tuning. Evaluating: the test part, or all there is."""
    parts = read_parts(given.files)
    learnt = _examples(parts.get("train", ()), given.files, parts.get("val", ()))
    if given.use == "train":
        return learnt
    if "test" in parts and "train" in parts:
        return _examples(parts["test"], given.files, training=learnt)
    return _examples([each for part in parts.values() for each in part], given.files)


def _examples(
    of: Iterable[Example],
    files: tuple[Path, ...],
    tuning: Sequence[Example] = (),
    training: Examples[str, Intent] | None = None,
) -> Examples[str, Intent]:
    whole = list(of)
    return Examples(
        [each.text for each in whole],
        [gold(each.name) for each in whole],
        files,
        tuning=_examples(tuning, files) if tuning else None,
        training=training,
    )


def gold(name: str | None) -> Intent:
    """A known intent in the shape of an answer."""
    return Intent(0, name, 1.0 if name is not None else 0.0, ((name, 1.0),) if name is not None else (("", 0.0),))


def read_parts(files: Sequence[Path]) -> Parts:
    whole: dict[str, list[Example]] = {}
    for file in files:
        for name, examples in _clinc(file).items():
            whole.setdefault(name, []).extend(examples)
    return whole


def _clinc(file: Path) -> Parts:
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unreadable(str(file), error.strerror or "unknown reason") from error
    except ValueError as error:
        raise Broken(str(file), str(error)) from error
    parts: dict[str, list[Example]] = {}
    for key, rows in record.items():
        part = parts.setdefault(key.removeprefix("oos_"), [])
        part += [Example(text, None if name == "oos" else name) for text, name in rows]
    return parts


def sample() -> Examples[str, Intent]:
    """A few intents of an imaginary shop, and things that it does not sell."""
    pairs = [(text, name) for name, texts in SAMPLE.items() for text in texts]
    return Examples([text for text, _ in pairs], [gold(name or None) for _, name in pairs])
