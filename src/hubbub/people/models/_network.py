"""The base of the published networks: embeddings of words and speakers, a bidirectional LSTM over a dialogue, and a
classifier over the people of the training data. Torch trains them, NumPy runs them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from ...errors import TooFew
from ...layers import Link, Mention
from ...ml.calibration import softmax
from ...ml.model_schema import Field, Items, Numbers, Schema, Size, Text
from ...ml.parameters import ranged
from ...ml.recurrent import run_bidirectional
from ...ml.registry import BaseModel
from ...ml.word_vectors import initial_embeddings
from ..data.mentions import mentions_of
from ..data.scene import Scene
from ..features.token_sequence import TokenSequence, token_sequences

NONE, UNKNOWN = 0, 1  # rows for padding and for unknown words


class EncodedSequence(NamedTuple):
    """A stream as rows of the tables; `voices` are the speakers of each word, filled up with NONE."""

    words: Any
    voices: Any
    capital: Any
    sorts: Any
    ends: Any


@dataclass(repr=False)
class LinkingNetwork(BaseModel):
    """Vectors of words start from the file `vectors`, else from an installed GloVe package, else at random; `source_`
    says which. `speaker_size` is the length of a speaker's vector, `hidden` that of each recurrent layer. The
    probabilities of `members` networks, which differ by their seed only, are averaged.
    """

    renamed_parameters: ClassVar[Mapping[str, str]] = {"voice": "speaker_size"}
    vectors: str = ""
    speaker_size: int = ranged(32, 1, 1024)
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
            "voices_": Numbers("float32", ("members", "speakers+2", self.speaker_size)),
        }
        layer = "members", 4 * self.hidden, f"width+{self.speaker_size + self.more_width() + self.hidden + 2}"
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

    def more(self, member: int, piece: EncodedSequence) -> list[Any]:
        """What a network knows of words besides the words and who says them."""
        return []

    def more_learning(self, torch: Any, network: Any, piece: EncodedSequence) -> list[Any]:
        """The same in training."""
        return []

    def more_width(self) -> int:
        """How many numbers that is for a word."""
        return 0

    def fit(self, inputs: Sequence[Scene], golds: Sequence[Sequence[Link]], *, seed: int = 0) -> Self:
        from ..training.lstm import train_networks

        found = [
            list(token_sequences(scene, [link.mention for link in gold]))
            for scene, gold in zip(inputs, golds, strict=True)
        ]
        people = sorted({link.people for gold in golds for link in gold})
        if not people:
            raise TooFew("mentions", 0, 1)
        self.people_ = [list(each) for each in people]
        self.vocabulary_ = sorted({word for pieces in found for piece in pieces for word in piece.words})
        self.speakers_ = sorted(
            {name for pieces in found for piece in pieces for names in piece.said_by for name in names}
        )
        place = {each: number for number, each in enumerate(people)}
        pieces, labels = list[EncodedSequence](), list[Any]()
        # The mentions of a scene are in order; each piece of it takes as many as it has.
        for cut, gold in zip(found, golds, strict=True):
            rest = iter(gold)
            for stream in cut:
                pieces.append(self._piece(stream))
                labels.append(np.array([place[next(rest).people] for _ in stream.ends], np.int64))
        start, self.source_ = initial_embeddings(self.vectors, self.vocabulary_, np.random.default_rng(seed))
        for name, arrays in train_networks(self, pieces, labels, start, seed).items():
            setattr(self, f"{name}_", arrays)
        return self

    def _piece(self, stream: TokenSequence) -> EncodedSequence:
        word = {each: place for place, each in enumerate(self.vocabulary_ or [], UNKNOWN + 1)}
        voice = {each: place for place, each in enumerate(self.speakers_ or [], UNKNOWN + 1)}
        voices = np.zeros((len(stream.words), max(map(len, stream.said_by), default=0) or 1), np.int64)
        for place, names in enumerate(stream.said_by):
            voices[place, : len(names)] = [voice.get(name, UNKNOWN) for name in names]
        return EncodedSequence(
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
        for mention, probabilities in zip(mentions, self.probabilities(scene, mentions), strict=True):
            best = int(np.where(allowed, probabilities, -1).argmax())
            links.append(Link(mention, people[best], min(float(probabilities[best]), 1.0)))
        return tuple(links)

    def probabilities(self, scene: Scene, mentions: Sequence[Mention]) -> list[Any]:
        """The probabilities of all classes for each mention."""
        pieces = [self._piece(stream) for stream in token_sequences(scene, mentions)]
        return [probabilities for piece in pieces if len(piece.ends) for probabilities in self._probabilities(piece)]

    def _probabilities(self, piece: EncodedSequence) -> Any:
        scores = [self.scores(member, self._states(member, piece)) for member in range(len(self.words_))]
        return np.mean([softmax(each) for each in scores], 0)

    def _states(self, member: int, piece: EncodedSequence) -> Any:
        voices = self.voices_[member][piece.voices].sum(1)
        inputs = np.concatenate([self.words_[member][piece.words], voices, *self.more(member, piece)], 1)
        return run_bidirectional(self.forward_[member], self.backward_[member], inputs)[piece.ends]
