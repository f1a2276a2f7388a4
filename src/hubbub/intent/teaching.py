"""Teachers for small models: what somebody who knows better says of texts.

A teacher may only know what its pupil's own training data says.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ..encode import encoder
from ..errors import OptionError
from ..model import load
from .classifier import Classifier
from .descent import shares
from .nearest import centred
from .regression import regression

PART = 1000


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
    known = load(name, task="intent")
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
