"""Teachers for small models: new texts made of old ones, and what somebody who knows better says of all of them.

A teacher may only know what its pupil's own training data says.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from ..encode import encoder
from ..errors import OptionError
from ..model import load
from .classifier import Classifier
from .descent import shares
from .nearest import centred
from .regression import regression

SAME, ANY, EXCHANGED = 0.35, 0.55, 0.85  # shares of new texts, added up: crossings within an intent, of any, a word
FORGOTTEN = 0.2
LONGEST = 24
PART = 1000


def varied(texts: Sequence[str], labels: Any, count: int, seed: int) -> list[str]:
    """New texts: the beginning of one and the end of another, of the same intent or of any; one with a word in place of
    another that stands behind the same word somewhere; or one with words lost."""
    random = np.random.default_rng(seed)
    split = [text.split() for text in texts]
    of_label = {label: np.flatnonzero(labels == label) for label in np.unique(labels)}
    behind = _behind(split)
    made: dict[str, None] = {}
    for kind, place in zip(random.random(2 * count), random.integers(len(split), size=2 * count), strict=True):
        words = split[place]
        if kind < ANY:
            others = of_label[labels[place]] if kind < SAME else None
            other = split[random.choice(others) if others is not None else random.integers(len(split))]
            words = words[: random.integers(1, max(2, len(words)))] + other[random.integers(max(1, len(other))) :]
        elif kind < EXCHANGED and words:
            at = int(random.integers(len(words)))
            possible = behind[words[at - 1] if at else ""]
            words = [*words[:at], possible[random.integers(len(possible))], *words[at + 1 :]]
        else:
            words = [word for word in words if random.random() >= FORGOTTEN]
        if 2 <= len(words) <= LONGEST:
            made[" ".join(words)] = None
        if len(made) == count:
            break
    return list(made)


def _behind(split: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    """Each word's followers, as often as they follow it; those of nothing are what texts begin with."""
    found: dict[str, list[str]] = {}
    for words in split:
        for before, word in pairwise(["", *words]):
            found.setdefault(before, []).append(word)
    return found


def taught(
    name: str, texts: Sequence[str], labels: Any, new: Sequence[str], names: Sequence[str], classes: int, seed: int
) -> Any:
    """What a teacher says of texts and of new ones: scores of all classes.

    `encoder` learns a layer over the vectors of the texts first; any other name is that of a trained classifier.
    """
    whole = [*texts, *new]
    if name == "encoder":
        vectors = _sentences(whole)
        weights, bias = regression(vectors[: len(texts)], labels, classes, seed)
        return vectors @ weights + bias
    known = load(name)
    if not isinstance(known, Classifier) or known.names_ != list(names):
        raise OptionError("teacher", name, "it is to be a classifier that was trained on the same intents")
    return _said(known, whole, classes)


def _said(known: Classifier, texts: Sequence[str], classes: int) -> Any:
    """A classifier's calibrated probabilities as scores, out of scope being the last class if there is one more."""
    judged = known.judge(texts)
    inside = shares(np.asarray(judged.logits, np.float64) / (known.temperature_ or 1.0))
    if classes > inside.shape[1]:
        chance = known.scope.probability(known.weighed(judged.evidence))[:, None]
        inside = np.concatenate([inside * chance, 1 - chance], 1)
    return np.log(np.maximum(inside, 1e-9)).astype(np.float32)


def _sentences(texts: Sequence[str]) -> Any:
    """What the encoder says of them half-way up and at the top, on all cores."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = pool.map(lambda some: encoder().halves(list(map(encoder().ids, some))), _parts(texts))
        middle, top = (np.concatenate(level) for level in zip(*parts, strict=True))
    return np.concatenate([centred(middle, middle.mean(0)), top], 1, dtype=np.float32)


def _parts(texts: Sequence[str]) -> list[Sequence[str]]:
    return [texts[start : start + PART] for start in range(0, len(texts), PART)]
