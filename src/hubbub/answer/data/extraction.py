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

from ...chat import Chat
from ...errors import OptionError
from ...layers import ReplyGraph
from ...timeline import elapsed_seconds
from .addressees import RecipientIndex
from .bots import bots
from .dialogue import Dialogue, Utterance, numbered, one_sided

How = Literal["lowe", "threads", "any"]
HOW: tuple[How, ...] = ("lowe", "threads", "any")
MAX_RESPONSE_SECONDS = 180.0  # three minutes, section 3.2.2 of Lowe et al. 2015
MIN_TURNS = MIN_MESSAGES = 3  # section 3.2.2 of Lowe et al. 2015
MAX_UNBALANCED_UTTERANCES = 5  # longer dialogues must not be a monologue


def dialogues(chat: Chat, how: str = "lowe", replies: ReplyGraph | None = None) -> list[Dialogue]:
    """The dialogues of a chat; all ways but `lowe` need its reply graph."""
    if how == "lowe":
        return numbered(chat.name, _lowe(chat))
    if how not in HOW:
        raise OptionError("--how", how, f"dialogues are made by {' or '.join(HOW)}")
    if replies is None:
        raise OptionError("--how", how, "it needs the reply graph of the chat")
    return numbered(chat.name, _from_threads(chat, replies) if how == "threads" else _any(chat, replies))


class _UtteranceIndex:
    """Every message as an utterance, and who said what where; system lines are nobody's."""

    def __init__(self, chat: Chat) -> None:
        recipients = RecipientIndex(chat)
        self.machines = bots(chat)
        self.moments = elapsed_seconds(chat)
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
    index = _UtteranceIndex(chat)
    pairs: dict[frozenset[str], list[int]] = defaultdict(list)
    for position, each in index.utterances.items():
        if each.recipient and not {each.sender, each.recipient} & index.machines:
            pairs[frozenset((each.sender, each.recipient))].append(position)
    for pair, directed in pairs.items():
        found = index.taken(_pair_positions(index, pair, directed))
        dialogue = Dialogue("", found)
        one_person = len(found) > MAX_UNBALANCED_UTTERANCES and one_sided(dialogue)
        if len(dialogue.turns()) >= MIN_TURNS and not one_person:
            yield found


def _pair_positions(index: _UtteranceIndex, pair: frozenset[str], directed: Sequence[int]) -> list[int]:
    """What two people say to each other from the first response on, with the question that it answers."""
    for number, response in enumerate(directed):
        question = _question_before(index, response)
        if question is not None:
            exchanged = [question, *directed[number:]]
            undirected = (index.between(person, question, exchanged[-1]) for person in pair)
            # What a person says in between belongs here if it addresses nobody outside the pair.
            private = (own for own in undirected if all(index.utterances[p].recipient in ("", *pair) for p in own))
            return exchanged + [position for own in private for position in own]
    return []


def _question_before(index: _UtteranceIndex, response: int) -> int | None:
    """The most recent utterance of whom a response addresses, if it is no older than three minutes."""
    each = index.utterances[response]
    earlier = index.by[each.recipient][: bisect_left(index.by[each.recipient], response)]
    if not earlier or index.moments[response] - index.moments[earlier[-1]] > MAX_RESPONSE_SECONDS:
        return None
    return earlier[-1] if index.utterances[earlier[-1]].recipient in ("", each.sender) else None


def _from_threads(chat: Chat, replies: ReplyGraph) -> Iterator[tuple[Utterance, ...]]:
    index = _UtteranceIndex(chat)
    for conversation in replies.components():
        people = [p for p in conversation if p in index.utterances and chat[p].author not in index.machines]
        found = index.taken(people)
        whole = Dialogue("", found)
        enough = len(found) >= MIN_MESSAGES and len(whole.senders()) == 2 and not found[0].recipient
        if enough and not one_sided(whole):
            yield found


def _any(chat: Chat, replies: ReplyGraph) -> Iterator[tuple[Utterance, ...]]:
    index = _UtteranceIndex(chat)
    for conversation in replies.components():
        found = index.taken(p for p in conversation if p in index.utterances)
        if len({each.sender for each in found}) > 1:
            yield found
