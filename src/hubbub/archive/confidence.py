"""The model of answers: which conversation is about a question, which message solves it, and how probable that is.

Logistic regressions over `answer_features`, and the static encoder that finds candidates; a saved model with a recipe
(`research/recipes/archive.toml`) and a card. An answer counts as right if its conversation is the one in which the
question was answered and the message is by whoever got the thanks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ..errors import ModelError
from .answer_features import ENCODED, MATCH, RESOLUTION, WORDS, WORDS_OF_ONE
from .static_encoder import StaticEncoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "archive/answers"
THRESHOLD = 0.2  # below this probability an answer is not shown; chosen, not fitted
KNOTS = (
    1.0,
    3.0,
    5.3,
)  # powers of ten of messages, at which the calibration is fitted; between them it is interpolated
CALIBRATION = ("match", "lead", "resolution", "encoder similarity", "words", "words of one message")
CURVE = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.0)  # probabilities of the regression that are corrected
PIECES, WIDTH, DIMENSIONS = 30_522, 256, 256  # of the static vectors, and of what they are projected to


@dataclass(frozen=True, slots=True)
class AnswerModel:
    """Weights of features and of the calibration, the last one of each a constant, and the static encoder."""

    match: NDArray[np.float32]
    resolution: NDArray[np.float32]
    calibration: NDArray[np.float32]
    curve: NDArray[np.float32]
    piece_weights: NDArray[np.float16]
    projection: NDArray[np.float16]

    @classmethod
    def load(cls, folder: Any) -> Self:
        """From a folder, whose arrays are checked."""
        from ..ml.model_schema import Mismatch
        from ..ml.storage import read_card, read_state

        card = read_card(folder)
        state = read_state(folder, card)
        if card.name != NAME:
            raise ModelError(str(folder), f"it is no model {NAME}")
        try:
            schema().check(state)
        except Mismatch as error:
            raise ModelError(str(folder), str(error)) from error
        return cls(**state)

    def save(self, folder: Path, **card: Any) -> Path:
        from ..ml.storage import Card, write_folder

        return write_folder(folder, Card(NAME, **card), self.state())

    def state(self) -> Mapping[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def encoder(self) -> StaticEncoder:
        return StaticEncoder(self.piece_weights.astype("f4"), self.projection.astype("f4"))

    def probability(self, evidence: Sequence[float], messages: int) -> float:
        """The probability that an answer is right, by `calibration_features`, in an archive of so many messages.

        Among many messages something is alike by chance, among few hardly anything.
        """
        import numpy as np

        (score,) = logits(np.array(knot_shares(messages), np.float32) @ self.calibration, [evidence])
        return float(np.interp(1 / (1 + exp(-max(min(score, 50.0), -50.0))), CURVE, self.curve))


def calibration_features(match: float, lead: float, resolution: float, row: Sequence[float]) -> list[float]:
    """Scores of an answer and its conversation, and absolute evidence of the latter.

    `match` and `resolution` are logits, `lead` is that of the match over the best other conversation, and `row` has
    the features of the conversation.
    """
    return [match, lead, resolution, row[ENCODED], row[WORDS], row[WORDS_OF_ONE]]


def knot_shares(messages: int) -> list[float]:
    """How much the calibration of each knot counts for an archive of so many messages."""
    import numpy as np

    size = log10(max(messages, 1))
    return [float(np.interp(size, KNOTS, [float(knot == own) for knot in KNOTS])) for own in KNOTS]


def schema() -> Any:
    """What a saved state may be."""
    from ..ml.model_schema import Numbers, Schema

    return Schema(
        {
            "match": Numbers("float32", (len(MATCH) + 1,)),
            "resolution": Numbers("float32", (len(RESOLUTION) + 1,)),
            "calibration": Numbers("float32", (len(KNOTS), len(CALIBRATION) + 1)),
            "curve": Numbers("float32", (len(CURVE),), 0, 1),
            "piece_weights": Numbers("float16", (PIECES,), 0, 1000),
            "projection": Numbers("float16", (WIDTH, DIMENSIONS), -1000, 1000),
        }
    )


def logits(weights: NDArray[np.float32], rows: Sequence[Sequence[float]]) -> list[float]:
    """One number a row of features."""
    import numpy as np

    if not len(rows):
        return []
    found: list[float] = (np.asarray(rows, np.float32) @ weights[:-1] + weights[-1]).tolist()
    return found


def leads(scores: Sequence[float]) -> list[float]:
    """How far each conversation is ahead of the best other one, or of nothing if there is no other."""
    ordered = sorted(scores, reverse=True)
    if len(ordered) < 2:
        return [0.0] * len(ordered)
    leader = scores.index(ordered[0])
    return [each - (ordered[1] if place == leader else ordered[0]) for place, each in enumerate(scores)]


@cache
def bundled_model() -> AnswerModel:
    return AnswerModel.load(files("hubbub").joinpath("data", "models", "archive", "answers"))


@cache
def static_encoder() -> StaticEncoder:
    """The encoder that makes the vectors of an archive."""
    return bundled_model().encoder()
