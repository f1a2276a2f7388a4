"""Distillation: soft labels of a teacher for a smaller model (Hinton et al., 2015).

A teacher uses no other data than the student's training data.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ...errors import OptionError
from ...ml.calibration import softmax
from ...ml.encoder import encoder
from ...ml.registry import load
from ...ml.types import Array
from ..inference.neighbours import centred
from ..models._classifier import Classifier
from ..models._logistic_regression import fit_softmax_regression

TEXTS_PER_THREAD = 1000  # large enough to keep every core busy


def teacher_scores(
    name: str, texts: Sequence[str], labels: Array, new: Sequence[str], names: Sequence[str], classes: int, seed: int
) -> Array:
    """The teacher's scores of all classes for texts and new texts.

    `encoder` fits softmax regression on the vectors of the texts first; any other name is that of a trained classifier.
    """
    whole = [*texts, *new]
    if name == "encoder":
        # The mean vectors after both halves of the encoder, computed on all cores.
        blocks = [whole[start : start + TEXTS_PER_THREAD] for start in range(0, len(whole), TEXTS_PER_THREAD)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            parts = pool.map(lambda block: encoder().halves(list(map(encoder().ids, block))), blocks)
            lower, top = (np.concatenate(level) for level in zip(*parts, strict=True))
        vectors = np.concatenate([centred(lower, lower.mean(0)), top], 1, dtype=np.float32)
        weights, bias = fit_softmax_regression(vectors[: len(texts)], labels, classes, seed)
        return vectors @ weights + bias
    known = load(name, task="intent")
    if not isinstance(known, Classifier) or known.names_ != list(names):
        raise OptionError("teacher", name, "the teacher must be a classifier trained on the same intents")
    # A classifier's calibrated probabilities as scores, out of scope being the last class if there is one more.
    scored = known.score_texts(whole)
    inside = softmax(np.asarray(scored.logits, np.float64) / (known.temperature_ or 1.0))
    if classes > inside.shape[1]:
        probability = known.scope.probability(known.combined_evidence(scored.evidence))[:, None]
        inside = np.concatenate([inside * probability, 1 - probability], 1)
    return np.log(np.maximum(inside, 1e-9)).astype(np.float32)
