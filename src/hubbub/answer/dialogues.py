"""Dialogues out of a chat: as the 2015 corpus was made, from a reply graph with the 2019 filters, or all of them.

`lowe`: two people who address each other have one dialogue, which begins with what the first response answers.
`threads`: conversations of exactly two people (machines aside) whose first message addresses nobody.
`any`: every conversation in which somebody is answered.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from ..chat import Chat
from ..errors import OptionError
from ..layers import ReplyGraph
from ..when import seconds
from .bots import bots
from .dialogue import Dialogue, Utterance, numbered, one_sided
from .recipients import Recipients

How = Literal["lowe", "threads", "any"]
HOW: tuple[How, ...] = ("lowe", "threads", "any")
REACH = 180.0
LEAST_TURNS = LEAST_MESSAGES = 3
LONG = 5


def dialogues(chat: Chat, how: str = "lowe", replies: ReplyGraph | None = None) -> list[Dialogue]:
    """The dialogues of a chat; all ways but `lowe` need its reply graph."""
    if how == "lowe":
        return numbered(chat.name, _lowe(chat))
    if how not in HOW:
        raise OptionError("--how", how, f"dialogues are made by {' or '.join(HOW)}")
    if replies is None:
        raise OptionError("--how", how, "it needs the reply graph of the chat")
    return numbered(chat.name, _from_threads(chat, replies) if how == "threads" else _any(chat, replies))


class _Said:
    """Every message as an utterance, and who said what where; system lines are nobody's."""

    def __init__(self, chat: Chat) -> None:
        recipients = Recipients(chat)
        self.machines = bots(chat)
        self.moments = seconds(chat)
        self.utterances: dict[int, Utterance] = {}
        self.by: dict[str, list[int]] = defaultdict(list)
        for position, message in enumerate(chat):
            if message.kind != "system" and message.author:
                to, bare = recipients.of(position)
                self.utterances[position] = Utterance(position, message.time, message.author, to, message.text, bare)
                self.by[message.author].append(position)

    def between(self, person: str, first: int, last: int) -> list[int]:
        places = self.by[person]
        return places[bisect_left(places, first) : bisect_right(places, last)]

    def taken(self, positions: Iterable[int]) -> tuple[Utterance, ...]:
        return tuple(self.utterances[position] for position in sorted(set(positions)))


def _lowe(chat: Chat) -> Iterator[tuple[Utterance, ...]]:
    said = _Said(chat)
    pairs: dict[frozenset[str], list[int]] = defaultdict(list)
    for position, each in said.utterances.items():
        if each.recipient and not {each.sender, each.recipient} & said.machines:
            pairs[frozenset((each.sender, each.recipient))].append(position)
    for pair, directed in pairs.items():
        found = said.taken(_pair(said, pair, directed))
        if found and _worthy(Dialogue("", found)):
            yield found


def _pair(said: _Said, pair: frozenset[str], directed: Sequence[int]) -> list[int]:
    """What two people say to each other from the first response on, with the question that it answers."""
    for number, response in enumerate(directed):
        question = _question(said, response)
        if question is not None:
            kept = [question, *directed[number:]]
            holes = (said.between(person, question, kept[-1]) for person in pair)
            return kept + [place for hole in holes for place in hole if _only_to(said, hole, pair)]
    return []


def _question(said: _Said, response: int) -> int | None:
    """The most recent utterance of whom a response addresses, if it is no older than three minutes."""
    each = said.utterances[response]
    earlier = said.by[each.recipient][: bisect_left(said.by[each.recipient], response)]
    if not earlier or said.moments[response] - said.moments[earlier[-1]] > REACH:
        return None
    return earlier[-1] if said.utterances[earlier[-1]].recipient in ("", each.sender) else None


def _only_to(said: _Said, places: Sequence[int], pair: frozenset[str]) -> bool:
    """Whether somebody addresses nobody outside the pair."""
    return all(not said.utterances[place].recipient or said.utterances[place].recipient in pair for place in places)


def _worthy(dialogue: Dialogue) -> bool:
    lopsided = len(dialogue.utterances) > LONG and one_sided(dialogue)
    return len(dialogue.turns()) >= LEAST_TURNS and not lopsided


def _from_threads(chat: Chat, replies: ReplyGraph) -> Iterator[tuple[Utterance, ...]]:
    said = _Said(chat)
    for conversation in replies.conversations():
        people = [p for p in conversation if p in said.utterances and chat[p].author not in said.machines]
        found = said.taken(people)
        whole = Dialogue("", found)
        enough = len(found) >= LEAST_MESSAGES and len(whole.senders()) == 2 and not found[0].recipient
        if enough and not one_sided(whole):
            yield found


def _any(chat: Chat, replies: ReplyGraph) -> Iterator[tuple[Utterance, ...]]:
    said = _Said(chat)
    for conversation in replies.conversations():
        found = said.taken(p for p in conversation if p in said.utterances)
        if len({each.sender for each in found}) > 1:
            yield found
