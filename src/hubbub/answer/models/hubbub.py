"""The model that ships with the package: turns encoded once, matched as wholes and piece by piece, then ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from ...ml.encoder.half_encoder import fields as half_fields
from ...ml.model_schema import Number, Numbers, Schema
from ...ml.parameters import ranged
from ...ml.registry import BaseModel
from ...ml.types import UNTRAINED, Array
from ..data.examples import Choice, Context, turn_texts
from ..data.holdout import hold_out
from ..features.lexical_features import (
    CONTEXT_TYPE_SIZE,
    HASH_BUCKETS,
    REPLY_TYPE_SIZE,
    SHARED_SIZE,
    SharedTerms,
    TurnTerms,
    context_type,
    document_counts,
    reply_type,
    turn_terms,
)
from ..features.turn_states import EncodedTurn, TurnEncoder, head_fields
from ..features.turns import MAX_TURNS, encode_examples
from ..metrics import Ranked
from ._lexical import Tuning, ranked
from ._ranker import net_fields, output, probabilities

PARTS = ("upper", "head", "manner", "ranker")
DIGITS = 7  # scores are equal whatever else is in the batch
MATCH_SIZE = 3 + 5  # by the head, and cosines with single turns


@dataclass(repr=False)
class HubbubRanker(BaseModel):
    """The encoder's upper half and a head are fine-tuned to score replies, for `epochs` epochs or part of one, at a
    learning rate `rate` that decays to `final_rate_factor` times itself; replies to two turns have the weight
    `early_reply_weight`. Then small networks on held-out examples combine these scores with shared terms and turn
    types. A score is the probability of being the true one of the candidates.
    """

    continues_training = True
    renamed_state: ClassVar = {"heat_": "temperature_"}
    renamed_parameters: ClassVar = {"last": "final_rate_factor", "share": "epochs", "early": "early_reply_weight"}
    rate: float = ranged(1e-4, 0, 1)
    final_rate_factor: float = ranged(0.0, 0, 1)
    epochs: float = ranged(1.0, 0, 100)
    early_reply_weight: float = ranged(2.0, 0, 100)
    upper_: dict[str, Array] | None = None
    head_: dict[str, Array] | None = None
    manner_: dict[str, Array] | None = None
    ranker_: dict[str, Array] | None = None
    counts_: Array = UNTRAINED
    temperature_: float | None = None

    def fit(
        self, inputs: Sequence[Choice], golds: Sequence[Ranked], *, seed: int = 0, tuning: Tuning | None = None
    ) -> Self:
        from ..training.trainer import FineTuningSettings, fine_tune

        (inputs, golds), holdout = hold_out(inputs, golds, tuning, seed)
        found = encode_examples(inputs, golds)
        start = (self.upper_, self.head_) if self.upper_ and self.head_ else None
        settings = FineTuningSettings(self.rate, self.final_rate_factor, self.epochs, self.early_reply_weight, seed)
        self.upper_, self.head_ = fine_tune(found, start, settings)
        return self.fit_ranker(inputs, golds, holdout, seed)

    def fit_ranker(
        self, inputs: Sequence[Choice], golds: Sequence[Ranked], holdout: Sequence[Choice], seed: int
    ) -> Self:
        """Learns all but the encoder: common words and manners from the examples, what counts from those kept apart,
        whose first candidate is the true one.
        """
        from ._ranker import train_ranker, train_type_network

        self.__dict__.pop("_sight", None)
        contexts, replies = [turn_texts(choice.context) for choice in inputs], [gold[0].text for gold in golds]
        every = dict.fromkeys(text for turns in (*contexts, replies) for text in turns)
        words = {text: turn_terms(text) for text in every}
        self.counts_ = document_counts(words.values())
        situations = [context_type([words[text] for text in turns[-2:]], len(turns)) for turns in contexts]
        manners = [reply_type(words[text]) for text in replies]
        self.manner_ = train_type_network(np.array(situations), np.array(manners), seed)
        lists = np.stack(self._rows(holdout))
        group = encode_examples(holdout, [ranked(choice.candidates[:1], [1.0]) for choice in holdout]).group
        self.ranker_, self.temperature_ = train_ranker(lists, group, seed)
        return self

    def predict(self, inputs: Sequence[Choice]) -> list[Ranked]:
        found = []
        for choice, rows in zip(inputs, self._rows(inputs), strict=True):
            scores = probabilities(output(self.ranker_ or {}, rows), self.temperature_ or 1.0) if len(rows) else rows
            found.append(ranked(choice.candidates, [round(float(score), DIGITS) for score in scores]))
        return found

    def vectors(self, replies: Sequence[str]) -> Array:
        """A row of length 1 for each reply; its product with a context's vector says how well they fit."""
        encoded = self._turn_encoder.encode(replies)
        return (
            self._turn_encoder.reply_vectors([encoded[text] for text in replies])
            if replies
            else np.zeros((0, 384), np.float32)
        )

    def context_vector(self, context: Context) -> Array:
        turns = turn_texts(context)[-MAX_TURNS:]
        encoded = self._turn_encoder.encode(turns)
        return self._turn_encoder.context_vector([encoded[text] for text in turns])

    @cached_property
    def _turn_encoder(self) -> TurnEncoder:
        return TurnEncoder(self.upper_ or {}, self.head_ or {})

    def _rows(self, inputs: Sequence[Choice]) -> list[Array]:
        """The numbers of each candidate of each choice."""
        contexts = [turn_texts(choice.context) for choice in inputs]
        every = {text for turns, choice in zip(contexts, inputs, strict=True) for text in (*turns, *choice.candidates)}
        encoded, words = self._turn_encoder.encode(sorted(every)), {text: turn_terms(text) for text in every}
        cues = SharedTerms(self.counts_)
        found = []
        for turns, choice in zip(contexts, inputs, strict=True):
            if not choice.candidates:
                found.append(np.zeros((0, 0)))
                continue
            match_features = self._match_features(
                [encoded[text] for text in turns], [encoded[text] for text in choice.candidates]
            )
            context_terms, reply_terms = [words[text] for text in turns], [words[text] for text in choice.candidates]
            found.append(np.concatenate([match_features, self._lexical_features(cues, context_terms, reply_terms)], 1))
        return found

    def _match_features(self, turns: Sequence[EncodedTurn], replies: Sequence[EncodedTurn]) -> Array:
        """The match features of the head, and cosines with single turns."""
        match_features = self._turn_encoder.match_features(turns, replies)
        if not turns:
            return np.concatenate([match_features, np.zeros((len(replies), 5))], 1)
        similarity = np.stack([reply.vector for reply in replies]) @ np.stack([turn.vector for turn in turns]).T
        columns = (
            similarity[:, -1],
            similarity[:, -min(2, len(turns))],
            similarity[:, 0],
            similarity.max(1),
            similarity.mean(1),
        )
        return np.concatenate([match_features, np.stack(columns, 1)], 1)

    def _lexical_features(self, cues: SharedTerms, turns: Sequence[TurnTerms], replies: Sequence[TurnTerms]) -> Array:
        """Shared words, the manner of the reply and the situation, and how well these two go together."""
        before = context_type(turns[-2:], len(turns))
        manners = np.array([reply_type(reply) for reply in replies])
        situations = np.tile(before, (len(replies), 1))
        follows = output(self.manner_ or {}, np.concatenate([situations, manners], 1))
        shared = np.array(cues.of(turns, replies))
        return np.concatenate([shared, manners, situations, follows[:, None]], 1)

    def state(self) -> Mapping[str, Any]:
        train_ranker = {name: value for name, value in super().state().items() if name.removesuffix("_") not in PARTS}
        parts = {f"{part}.{key}": array for part in PARTS for key, array in (getattr(self, f"{part}_") or {}).items()}
        return {**train_ranker, **parts}

    def schema(self) -> Schema:
        follows = CONTEXT_TYPE_SIZE + REPLY_TYPE_SIZE
        return Schema(
            {
                "counts_": Numbers("uint8", (HASH_BUCKETS + 1,)),
                "temperature_": Number(1e-3, 1e3),
                **half_fields("upper."),
                **head_fields("head."),
                **net_fields("manner", follows),
                **net_fields("ranker", MATCH_SIZE + SHARED_SIZE + follows + 1),
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
