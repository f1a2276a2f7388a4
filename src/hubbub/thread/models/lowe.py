"""The heuristic of Lowe et al. 2015 (section 3.2), which uses addressed names alone.

The rules are those of the supplement of Kummerfeld et al. 2019. The code that was released with the heuristic keeps
conversations of three messages (`least=3`) and adds undirected messages only if neither of the two has anybody else.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Self

from ...addressing import Addressees
from ...chat import Chat
from ...layers import ReplyGraph
from ...ml.parameters import ranged
from ...ml.registry import BaseModel
from ...timeline import elapsed_seconds


@dataclass(repr=False)
class Lowe(BaseModel):
    """Two people who address each other are a conversation (Lowe et al. 2015).

    A directed message, and the undirected ones of its addressee in the `minutes` before, start it; directed messages
    between the two follow, and undirected ones if the speaker addresses nobody else meanwhile. Conversations of fewer
    than two people or `min_messages` messages are dissolved; those that begin with the same question become one.
    """

    renamed_parameters: ClassVar = {"least": "min_messages"}
    minutes: float = ranged(3.0, 0, 1e6)
    min_messages: int = ranged(4, 1, 1_000_000)

    def fit(self, inputs: Sequence[Chat], golds: Sequence[ReplyGraph], *, seed: int = 0) -> Self:
        return self

    def predict(self, inputs: Sequence[Chat]) -> list[ReplyGraph]:
        return [self._graph(chat) for chat in inputs]

    def _graph(self, chat: Chat) -> ReplyGraph:
        messages = DirectedMessages(chat)
        links = [
            link
            for pair, directed in messages.directed.items()
            for link in pairwise(self._conversation(messages, pair, directed))
        ]
        answers = {answer for _, answer in links}
        alone = ((position, position) for position in range(len(chat)) if position not in answers)
        return ReplyGraph.of([*links, *alone], len(chat))

    def _conversation(self, messages: DirectedMessages, pair: frozenset[str], directed: list[int]) -> list[int]:
        """The messages of two people, in order; none if they are no conversation."""
        begun = messages.question(directed[0], self.minutes * 60)
        if not begun:
            return []
        span = min(begun), directed[-1]
        undirected = (messages.undirected(person, span) for person in pair if not messages.busy(person, pair, directed))
        found = sorted({*begun, *directed, *(position for each in undirected for position in each)})
        enough = len(found) >= self.min_messages and len({messages.author[position] for position in found}) == 2
        return found if enough else []


class DirectedMessages:
    """The messages of each author, with and without an addressee; system lines have no author."""

    def __init__(self, chat: Chat) -> None:
        chat = chat.seen()
        people = Addressees(chat)
        self.moment = elapsed_seconds(chat)
        self.author = [message.author.lower() if message.kind != "system" else "" for message in chat]
        self.recipient = [people.recipient(m.text) if m.kind != "system" else None for m in chat]
        self.directed: dict[frozenset[str], list[int]] = {}
        self._to_somebody: dict[str, list[int]] = {}
        self._to_nobody: dict[str, list[int]] = {}
        for position, (author, recipient) in enumerate(zip(self.author, self.recipient, strict=True)):
            if author and recipient and recipient != author:
                self.directed.setdefault(frozenset((author, recipient)), []).append(position)
                self._to_somebody.setdefault(author, []).append(position)
            elif author:
                self._to_nobody.setdefault(author, []).append(position)

    def question(self, answer: int, max_seconds: float) -> list[int]:
        """The undirected messages of the addressee before a directed one, each within `max_seconds` of the next."""
        found: list[int] = []
        asked = self._to_nobody.get(self.recipient[answer] or "", [])
        later = answer
        for position in reversed(asked[: bisect_left(asked, answer)]):
            if self.moment[later] - self.moment[position] > max_seconds:
                break
            found.append(position)
            later = position
        return found

    def busy(self, person: str, pair: frozenset[str], directed: list[int]) -> bool:
        """Whether somebody addresses a third person between the first and the last message to each other."""
        meanwhile = _between(self._to_somebody.get(person, []), (directed[0], directed[-1]))
        return any(self.recipient[position] not in pair for position in meanwhile)

    def undirected(self, person: str, span: tuple[int, int]) -> list[int]:
        return _between(self._to_nobody.get(person, []), span)


def _between(positions: list[int], span: tuple[int, int]) -> list[int]:
    return positions[bisect_left(positions, span[0]) : bisect_right(positions, span[1])]
