"""What the published networks share: words and speakers as vectors, an LSTM over a dialogue from each end, and a choice
among the people they learnt. Torch trains them, NumPy runs them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from ..errors import TooFew
from ..layers import Link, Mention
from ..model import Learnt
from ..parameters import ranged
from ..recurrent import run_both_ways
from ..schema import Field, Items, Numbers, Schema, Size, Text
from ..word_vectors import WIDTH, word_vectors
from .mentions import mentions_of
from .scene import Scene
from .stream import Stream, streams

NONE, UNKNOWN = 0, 1


class Piece(NamedTuple):
    """A stream as rows of the tables; `voices` are the speakers of each word, filled up with NONE."""

    words: Any
    voices: Any
    capital: Any
    sorts: Any
    ends: Any


@dataclass
class Network(Learnt):
    """Vectors of words start from the file `vectors`, else from an installed GloVe package, else at random; `source_`
    says which. `voice` is the length of a speaker's vector, `hidden` that of each recurrent layer. The probabilities of
    `members` networks, which differ by their seed only, are averaged.
    """

    vectors: str = ""
    voice: int = ranged(32, 1, 1024)
    hidden: int = ranged(128, 1, 1024)
    dropout: float = ranged(0.3, 0, 0.95)
    epochs: int = ranged(15, 1, 10_000)
    batch: int = ranged(8, 1, 100_000)
    rate: float = ranged(5e-3, 0, 10)
    members: int = ranged(3, 1, 32)
    source_: str | None = None
    vocabulary_: list[str] | None = None
    speakers_: list[str] | None = None
    people_: list[list[str]] | None = None
    words_: Any = None
    voices_: Any = None
    forward_: Any = None
    backward_: Any = None

    def schema(self) -> Schema:
        fields: dict[str, Field] = {
            "source_": Text(),
            "vocabulary_": Items(Text(), "words", distinct=True),
            "speakers_": Items(Text(), "speakers", distinct=True),
            "people_": Items(Items(Text()), "people"),
            "words_": Numbers("float32", ("members", "words+2", "width")),
            "voices_": Numbers("float32", ("members", "speakers+2", self.voice)),
        }
        layer = "members", 4 * self.hidden, f"width+{self.voice + self.more_width() + self.hidden + 2}"
        shapes: dict[str, tuple[Size, ...]] = {"forward_": layer, "backward_": layer, **self.shapes()}
        fields |= {name: Numbers("float32", shape) for name, shape in shapes.items()}
        return Schema(fields, empty=frozenset({"words", "speakers"}))

    def shapes(self) -> dict[str, tuple[Size, ...]]:
        """The shapes of what comes after the recurrent layers."""
        raise NotImplementedError

    def build(self, torch: Any, network: Any, width: int, classes: int) -> None:
        """Adds the parameters of what comes after the recurrent layers, whose states have that width."""
        raise NotImplementedError

    def learning(self, torch: Any, network: Any, states: Sequence[Any], golds: Sequence[Any]) -> tuple[Any, Any]:
        """The scores of all classes for mentions in training, and what else is to be made small."""
        raise NotImplementedError

    def scores(self, member: int, states: Any) -> Any:
        """The scores of all classes for the mentions of a piece, whose states are given."""
        raise NotImplementedError

    def more(self, member: int, piece: Piece) -> list[Any]:
        """What a network knows of words besides the words and who says them."""
        return []

    def more_learning(self, torch: Any, network: Any, piece: Piece) -> list[Any]:
        """The same in training."""
        return []

    def more_width(self) -> int:
        """How many numbers that is for a word."""
        return 0

    def fit(self, inputs: Sequence[Scene], golds: Sequence[Sequence[Link]], *, seed: int = 0) -> Self:
        from .network_training import trained

        found = [
            list(streams(scene, [link.mention for link in gold])) for scene, gold in zip(inputs, golds, strict=True)
        ]
        people = sorted({link.people for gold in golds for link in gold})
        if not people:
            raise TooFew("mentions", 0, 1)
        self.people_ = [list(each) for each in people]
        self.vocabulary_ = sorted({word for pieces in found for piece in pieces for word in piece.words})
        self.speakers_ = sorted(
            {name for pieces in found for piece in pieces for said in piece.said_by for name in said}
        )
        place = {each: number for number, each in enumerate(people)}
        pieces, labels = list[Piece](), list[Any]()
        for cut, gold in zip(found, golds, strict=True):
            rest = iter(gold)
            for stream in cut:
                pieces.append(self._piece(stream))
                labels.append(np.array([place[next(rest).people] for _ in stream.ends], np.int64))
        start, self.source_ = self._start(np.random.default_rng(seed))
        for name, arrays in trained(self, pieces, labels, start, seed).items():
            setattr(self, f"{name}_", arrays)
        return self

    def _start(self, random: np.random.Generator) -> tuple[Any, str]:
        """Vectors of words before training, random ones for those that have none."""
        vocabulary = self.vocabulary_ or []
        found, source = word_vectors(self.vectors, vocabulary)
        width = len(next(iter(found.values()), np.zeros(WIDTH)))
        start = random.uniform(-0.25, 0.25, (len(vocabulary) + 2, width)).astype(np.float32)
        for place, word in enumerate(vocabulary, UNKNOWN + 1):
            start[place] = found.get(word, start[place])
        return start, source

    def _piece(self, stream: Stream) -> Piece:
        word = {each: place for place, each in enumerate(self.vocabulary_ or [], UNKNOWN + 1)}
        voice = {each: place for place, each in enumerate(self.speakers_ or [], UNKNOWN + 1)}
        voices = np.zeros((len(stream.words), max(map(len, stream.said_by), default=0) or 1), np.int64)
        for place, names in enumerate(stream.said_by):
            voices[place, : len(names)] = [voice.get(name, UNKNOWN) for name in names]
        return Piece(
            np.array([word.get(each, UNKNOWN) for each in stream.words], np.int64),
            voices,
            np.array(stream.capital, np.float32)[:, None],
            np.array(stream.sorts, np.int64),
            np.array(stream.ends, np.int64),
        )

    def predict(self, inputs: Sequence[Scene]) -> list[Sequence[Link]]:
        return [self._links(scene) for scene in inputs]

    def _links(self, scene: Scene) -> tuple[Link, ...]:
        mentions, people = mentions_of(scene), [tuple(each) for each in self.people_ or []]
        cast = {person.id for person in scene.cast}
        allowed = np.array([cast.issuperset(each) for each in people])
        if not allowed.any():
            return tuple(Link(mention, (), 0.0) for mention in mentions)
        links = []
        for mention, chances in zip(mentions, self.chances(scene, mentions), strict=True):
            best = int(np.where(allowed, chances, -1).argmax())
            links.append(Link(mention, people[best], min(float(chances[best]), 1.0)))
        return tuple(links)

    def chances(self, scene: Scene, mentions: Sequence[Mention]) -> list[Any]:
        """The probabilities of all classes for each mention."""
        pieces = [self._piece(stream) for stream in streams(scene, mentions)]
        return [chances for piece in pieces if len(piece.ends) for chances in self._chances(piece)]

    def _chances(self, piece: Piece) -> Any:
        scores = [self.scores(member, self._states(member, piece)) for member in range(len(self.words_))]
        return np.mean([softmax(each) for each in scores], 0)

    def _states(self, member: int, piece: Piece) -> Any:
        voices = self.voices_[member][piece.voices].sum(1)
        inputs = np.concatenate([self.words_[member][piece.words], voices, *self.more(member, piece)], 1)
        return run_both_ways(self.forward_[member], self.backward_[member], inputs)[piece.ends]


def softmax(scores: Any) -> Any:
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)
