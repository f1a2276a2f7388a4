"""Finds mentions of people in raw text: a linear tagger over hashed features, small and with no heavy parts."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar, Self
from zlib import crc32

import numpy as np

from ....errors import TooFew
from ....layers import Mention
from ....ml.calibration import sigmoid
from ....ml.model_schema import Numbers, Schema
from ....ml.parameters import ranged
from ....ml.registry import BaseModel
from ...data.scene import Scene
from ...features.context_features import MessageTokens
from ...features.mention_features import TaggerContext
from ...features.person_words import PRONOUNS

Mentions = tuple[Mention, ...]


@dataclass(repr=False)
class Tagger(BaseModel):
    """Each word that may mean a person is classified by its context; adjacent words of a name are one mention.

    `bits` is the size of the weight table as a power of two; `threshold` is the minimum probability of a mention. A
    share `hidden_cast_share` of the cast is removed from each training scene, so that the tagger does not depend on a
    complete cast.
    """

    renamed_parameters: ClassVar = {"hidden": "hidden_cast_share"}
    bits: int = ranged(17, 4, 24)
    epochs: int = ranged(12, 1, 10_000)
    rate: float = ranged(0.05, 0, 10)
    decay: float = ranged(1e-6, 0, 1)
    batch: int = ranged(256, 1, 100_000)
    threshold: float = ranged(0.5, 1e-6, 1 - 1e-6)
    hidden_cast_share: float = ranged(0.4, 0, 1)
    weights_: Any = None

    def schema(self) -> Schema:
        return Schema({"weights_": Numbers("float16", (1 << self.bits,))})

    def fit(self, inputs: Sequence[Scene], golds: Sequence[Mentions], *, seed: int = 0) -> Self:
        random = np.random.default_rng(seed)
        rows, labels = self._examples([_without(scene, self.hidden_cast_share, random) for scene in inputs], golds)
        if len(set(labels)) < 2:
            raise TooFew("kinds of words, those that are mentions and those that are not,", len(set(labels)), 2)
        places, ids = self._flat(rows)
        self.weights_ = self._fit_logistic_regression(places, ids, np.array(labels, np.float64), random).astype(
            np.float16
        )
        return self

    def _examples(self, inputs: Sequence[Scene], golds: Sequence[Mentions]) -> tuple[list[list[int]], list[bool]]:
        rows, labels = list[list[int]](), list[bool]()
        for scene, gold in zip(inputs, golds, strict=True):
            setting, inside = TaggerContext(scene), _places(gold)
            for position, message_tokens in enumerate(setting.message_tokens):
                for place, features in (
                    each for span in message_tokens.sentences for each in setting.features(position, span)
                ):
                    rows.append(_hashed(features))
                    start, end = message_tokens.spans[place]
                    labels.append(any(a <= start and end <= b for a, b in inside.get(position, ())))
        return rows, labels

    def _flat(self, rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
        """Rows of different lengths as offsets and one array of indices into the weights."""
        places = np.cumsum([0, *map(len, rows)])
        return places, np.fromiter(chain.from_iterable(rows), np.int64, places[-1]) & ((1 << self.bits) - 1)

    def _fit_logistic_regression(self, places: Any, ids: Any, labels: Any, random: np.random.Generator) -> Any:
        """Logistic regression by AdaGrad (Duchi et al., 2011), weights averaged over the last half of the epochs."""
        weights, total, steps = np.zeros(1 << self.bits), np.zeros(1 << self.bits), 0
        squares = np.full(1 << self.bits, 1e-8)
        for epoch in range(self.epochs):
            order = random.permutation(len(labels))
            for start in range(0, len(order), self.batch):
                chosen = order[start : start + self.batch]
                own = [ids[places[row] : places[row + 1]] for row in chosen]
                sizes = [len(each) for each in own]
                flat = np.concatenate(own)
                # The features of a batch in one flat array: O(features) a batch, whatever the size of the table.
                logits = np.add.reduceat(weights[flat], np.cumsum([0, *sizes[:-1]]))
                wrong = sigmoid(logits) - labels[chosen]
                used, where = np.unique(flat, return_inverse=True)
                gradient = np.bincount(where, np.repeat(wrong, sizes)) + self.decay * len(labels) * weights[used]
                squares[used] += gradient**2
                weights[used] -= self.rate * gradient / np.sqrt(squares[used])
            # Averaged weights vary less between seeds (Polyak and Juditsky 1992).
            if epoch >= self.epochs // 2:
                total, steps = total + weights, steps + 1
        return total / max(1, steps)

    def predict(self, inputs: Sequence[Scene]) -> list[Mentions]:
        return [tuple(self._found(TaggerContext(scene))) for scene in inputs]

    def _found(self, setting: TaggerContext) -> Iterator[Mention]:
        where, which, rows = self._rows(setting)
        if not rows:
            return
        places, ids = self._flat(rows)
        logits = np.add.reduceat(self.weights_[ids].astype(np.float64), places[:-1])[which]
        least = np.log(self.threshold / (1 - self.threshold))
        sure = [setting.message_tokens[position].low[place] in setting.nicks for position, place in where]
        marked = [place for place, logit, nick in zip(where, logits, sure, strict=True) if nick or logit > least]
        yield from _joined(setting, marked)

    def _rows(self, setting: TaggerContext) -> tuple[list[tuple[int, int]], list[int], list[list[int]]]:
        """Where words may mean a person, which row each has, and the rows; sentences that are the same share theirs."""
        where, which, rows = list[tuple[int, int]](), list[int](), list[list[int]]()
        known: dict[Hashable, list[tuple[int, int]]] = {}
        for position, message_tokens in enumerate(setting.message_tokens):
            for span in message_tokens.sentences:
                basis = setting.basis(position, span)
                found = known.get(basis) if basis else None
                if found is None:
                    found = []
                    for place, features in setting.features(position, span):
                        found.append((place - span[0], len(rows)))
                        rows.append(_hashed(features))
                    if basis:
                        known[basis] = found
                where += [(position, span[0] + offset) for offset, _ in found]
                which += [row for _, row in found]
        return where, which, rows


def _hashed(features: Sequence[str]) -> list[int]:
    return list(map(crc32, "\n".join(features).encode("utf-8", "replace").split(b"\n")))


def _without(scene: Scene, share: float, random: np.random.Generator) -> Scene:
    """The scene with a share of its cast hidden."""
    shown = random.random(len(scene.cast)) >= share
    return replace(scene, cast=tuple(person for person, stays in zip(scene.cast, shown, strict=True) if stays))


def _places(mentions: Mentions) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for mention in mentions:
        found.setdefault(mention.position, []).append((mention.start, mention.end))
    return found


def _joined(setting: TaggerContext, marked: Sequence[tuple[int, int]]) -> Iterator[Mention]:
    """The marked words as mentions: words of a name that stand together are one."""
    begun: tuple[int, int] | None = None
    for index, (position, place) in enumerate(marked):
        message_tokens = setting.message_tokens[position]
        begun = begun or message_tokens.spans[place]
        if index + 1 < len(marked) and marked[index + 1] == (position, place + 1) and _one_name(message_tokens, place):
            continue
        yield Mention(position, begun[0], message_tokens.spans[place][1])
        begun = None


def _one_name(message_tokens: MessageTokens, place: int) -> bool:
    """Whether a word and the next are parts of one name."""
    pair = range(place, place + 2)
    return all(message_tokens.words[each][0].isupper() and message_tokens.low[each] not in PRONOUNS for each in pair)
