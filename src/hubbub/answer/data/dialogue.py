"""The data of the task: a Dialogue of Utterances, and its turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import NamedTuple


class Utterance(NamedTuple):
    """One message of a dialogue. `recipient` is "" where nobody is addressed.

    `bare` is the text without the addressed name and with other people's names masked: a name identifies the dialogue,
    so that a model could find the true reply by it alone.
    """

    position: int
    time: datetime | None
    sender: str
    recipient: str
    text: str
    bare: str


class DialogueTurn(NamedTuple):
    """What one person says before somebody else does."""

    sender: str
    utterances: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.utterances)


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Utterances in order. `name` says where it comes from."""

    name: str
    utterances: tuple[Utterance, ...]

    def turns(self) -> tuple[DialogueTurn, ...]:
        """Utterances of one sender in a row, without names, as one turn; what is only a name says nothing."""
        spoken = (each for each in self.utterances if each.bare)
        return tuple(
            DialogueTurn(sender, tuple(each.bare for each in group))
            for sender, group in groupby(spoken, lambda each: each.sender)
        )

    def senders(self) -> Counter[str]:
        return Counter(each.sender for each in self.utterances)

    def minutes(self) -> float | None:
        """How long it takes, where times are known."""
        times = [each.time for each in self.utterances if each.time is not None]
        return (times[-1] - times[0]).total_seconds() / 60 if times else None


def one_sided(dialogue: Dialogue, share: float = 0.8) -> bool:
    """Whether one person says more than that share of it."""
    counts = dialogue.senders()
    return max(counts.values()) > share * len(dialogue.utterances)


def numbered(name: str, many: Iterable[tuple[Utterance, ...]]) -> list[Dialogue]:
    """Dialogues in the order of their first utterances, each with a name of its own."""
    ordered = sorted(many, key=lambda each: [u.position for u in each])
    return [Dialogue(f"{name}/{number}", each) for number, each in enumerate(ordered, 1)]
