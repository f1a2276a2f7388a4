"""The model that ships with the package: turns encoded once, matched as wholes and piece by piece, then ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from ..encode.half import fields as half_fields
from ..model import Learnt
from ..parameters import ranged
from ..schema import Number, Numbers, Schema
from .cues import MANNER, PLACES, SHARED, SITUATION, Cues, Words, counted, manner, situation, taken_apart
from .examples import Choice, Context, texts
from .held import apart
from .lexical import Tuning, ranked
from .metrics import Ranked
from .ranker import chances, net_fields, output
from .states import Said, Sight, head_fields
from .turns import BACK, pairs

PARTS = ("upper", "head", "manner", "ranker")
DIGITS = 7
FITS = 3 + 5  # by the head, and the likeness to single turns


@dataclass
class Hubbub(Learnt):
    """The encoder's upper half and a head are taught which reply fits, for `share` of all batches of the examples, at a
    `rate` that goes down to `last` times itself, replies to two turns counting `early` times; then small networks learn
    from examples kept apart how much that, shared words and the manner of a reply are worth. A score is the chance of
    being the right one of the candidates.
    """

    goes_on = True
    rate: float = ranged(1e-4, 0, 1)
    last: float = ranged(0.0, 0, 1)
    share: float = ranged(1.0, 0, 100)
    early: float = ranged(2.0, 0, 100)
    upper_: dict[str, Any] | None = None
    head_: dict[str, Any] | None = None
    manner_: dict[str, Any] | None = None
    ranker_: dict[str, Any] | None = None
    counts_: Any = None
    heat_: float | None = None

    def fit(
        self, inputs: Sequence[Choice], golds: Sequence[Ranked], *, seed: int = 0, tuning: Tuning | None = None
    ) -> Self:
        from .learning import Course, taught

        (inputs, golds), kept = apart(inputs, golds, tuning, seed)
        found = pairs(inputs, golds)
        start = (self.upper_, self.head_) if self.upper_ and self.head_ else None
        course = Course(self.rate, self.last, self.share, self.early, seed)
        self.upper_, self.head_ = taught(found, start, course)
        return self.weigh(inputs, golds, kept, seed)

    def weigh(self, inputs: Sequence[Choice], golds: Sequence[Ranked], kept: Sequence[Choice], seed: int) -> Self:
        """Learns all but the encoder: common words and manners from the examples, what counts from those kept apart,
        whose first candidate is the true one.
        """
        from .ranker import learnt, manner_learnt

        self.__dict__.pop("_sight", None)
        contexts, replies = [texts(choice.context) for choice in inputs], [gold[0].text for gold in golds]
        every = dict.fromkeys(text for turns in (*contexts, replies) for text in turns)
        words = {text: taken_apart(text) for text in every}
        self.counts_ = counted(words.values())
        situations = [situation([words[text] for text in turns[-2:]], len(turns)) for turns in contexts]
        manners = [manner(words[text]) for text in replies]
        self.manner_ = manner_learnt(np.array(situations), np.array(manners), seed)
        lists = np.stack(self._rows(kept))
        group = pairs(kept, [ranked(choice.candidates[:1], [1.0]) for choice in kept]).group
        self.ranker_, self.heat_ = learnt(lists, group, seed)
        return self

    def predict(self, inputs: Sequence[Choice]) -> list[Ranked]:
        found = []
        for choice, rows in zip(inputs, self._rows(inputs), strict=True):
            scores = chances(output(self.ranker_ or {}, rows), self.heat_ or 1.0) if len(rows) else rows
            found.append(ranked(choice.candidates, [round(float(score), DIGITS) for score in scores]))
        return found

    def vectors(self, texts: Sequence[str]) -> Any:
        """A row of length 1 for each reply; its product with a context's vector says how well they fit."""
        said = self._sight.said(texts)
        return self._sight.offered([said[text] for text in texts]) if texts else np.zeros((0, 384), np.float32)

    def context_vector(self, context: Context) -> Any:
        turns = texts(context)[-BACK:]
        said = self._sight.said(turns)
        return self._sight.asked([said[text] for text in turns])

    @cached_property
    def _sight(self) -> Sight:
        return Sight(self.upper_ or {}, self.head_ or {})

    def _rows(self, inputs: Sequence[Choice]) -> list[Any]:
        """The numbers of each candidate of each choice."""
        contexts = [texts(choice.context) for choice in inputs]
        every = {text for turns, choice in zip(contexts, inputs, strict=True) for text in (*turns, *choice.candidates)}
        said, words = self._sight.said(sorted(every)), {text: taken_apart(text) for text in every}
        cues = Cues(self.counts_)
        found = []
        for turns, choice in zip(contexts, inputs, strict=True):
            if not choice.candidates:
                found.append(np.zeros((0, 0)))
                continue
            fits = self._fits([said[text] for text in turns], [said[text] for text in choice.candidates])
            spoken, offered = [words[text] for text in turns], [words[text] for text in choice.candidates]
            found.append(np.concatenate([fits, self._told(cues, spoken, offered)], 1))
        return found

    def _fits(self, turns: Sequence[Said], replies: Sequence[Said]) -> Any:
        """As they were taught, and the likeness to single turns."""
        fits = self._sight.fits(turns, replies)
        if not turns:
            return np.concatenate([fits, np.zeros((len(replies), 5))], 1)
        likeness = np.stack([reply.vector for reply in replies]) @ np.stack([turn.vector for turn in turns]).T
        columns = (likeness[:, -1], likeness[:, -min(2, len(turns))], likeness[:, 0], likeness.max(1), likeness.mean(1))
        return np.concatenate([fits, np.stack(columns, 1)], 1)

    def _told(self, cues: Cues, turns: Sequence[Words], replies: Sequence[Words]) -> Any:
        """Shared words, the manner of the reply and the situation, and how well these two go together."""
        before = situation(turns[-2:], len(turns))
        manners = np.array([manner(reply) for reply in replies])
        situations = np.tile(before, (len(replies), 1))
        follows = output(self.manner_ or {}, np.concatenate([situations, manners], 1))
        shared = np.array(cues.of(turns, replies))
        return np.concatenate([shared, manners, situations, follows[:, None]], 1)

    def state(self) -> Mapping[str, Any]:
        learnt = {name: value for name, value in super().state().items() if name.removesuffix("_") not in PARTS}
        parts = {f"{part}.{key}": array for part in PARTS for key, array in (getattr(self, f"{part}_") or {}).items()}
        return {**learnt, **parts}

    def schema(self) -> Schema:
        follows = SITUATION + MANNER
        return Schema(
            {
                "counts_": Numbers("uint8", (PLACES + 1,)),
                "heat_": Number(1e-3, 1e3),
                **half_fields("upper."),
                **head_fields("head."),
                **net_fields("manner", follows),
                **net_fields("ranker", FITS + SHARED + follows + 1),
            }
        )

    def restore(self, state: Mapping[str, Any]) -> Self:
        parts = {
            f"{part}_": {
                key.removeprefix(f"{part}."): each for key, each in state.items() if key.startswith(f"{part}.")
            }
            for part in PARTS
        }
        self.__dict__.pop("_sight", None)
        return super().restore({**state, **parts})
