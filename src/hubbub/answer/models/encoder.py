"""Replies chosen by the sentence encoder as it is: the reply nearest to the mean of all turns of the context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from ...ml.encoder import encoder
from ...ml.parameters import ranged
from ...ml.registry import BaseModel
from ..data.examples import Choice, turn_texts
from ..metrics import Ranked
from ._lexical import Tuning, ranked


@dataclass(repr=False)
class EncoderRanker(BaseModel):
    """The cosine, from -1 to 1, moved to 0 to 1; `turns` is how much of the end of a context counts, 0 for all."""

    turns: int = ranged(0, 0, 1000)

    def fit(
        self, inputs: Sequence[Choice], golds: Sequence[Ranked], *, seed: int = 0, tuning: Tuning | None = None
    ) -> Self:
        return self

    def predict(self, inputs: Sequence[Choice]) -> list[Ranked]:
        contexts = [turn_texts(choice.context)[-self.turns :] for choice in inputs]
        texts = {text for turns, choice in zip(contexts, inputs, strict=True) for text in (*turns, *choice.candidates)}
        listed = sorted(texts)
        vectors = dict(zip(listed, encoder().encode(listed).astype(np.float64), strict=True))
        found = []
        for turns, choice in zip(contexts, inputs, strict=True):
            mean = np.sum([vectors[text] for text in turns] or [np.zeros(1)], axis=0)
            mean /= max(float(np.linalg.norm(mean)), 1e-9)
            scores = [round(float((1 + np.sum(mean * vectors[text])) / 2), 9) for text in choice.candidates]
            found.append(ranked(choice.candidates, scores))
        return found
