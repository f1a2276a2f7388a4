"""Statistics of annotated chats, in percent: distances, concurrent conversations, lengths, addressing.

Conversations are made of the annotated messages and of the context that they answer; system lines that stand alone are
none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from ...addressing import Addressees
from ...chat import Chat
from ...layers import ReplyGraph
from ...timeline import elapsed_seconds
from ..metrics import percent

# The bounds that the assumptions of earlier work are stated with (Kummerfeld et al. 2019, section 5.4).
SHORT_MESSAGE_WORDS, SMALL_CONVERSATION_MESSAGES, BLOCK_MESSAGES = 5, 10, 200


class Annotated:
    """One chat with its gold, and what is derived from both."""

    def __init__(self, chat: Chat, gold: ReplyGraph) -> None:
        chat = chat.seen()
        self.chat, self.gold = chat, gold
        self.moments = elapsed_seconds(chat)
        people = Addressees(chat)
        self.system = [message.kind == "system" for message in chat]
        self.recipient = [None if s else people.recipient(m.text) for m, s in zip(chat, self.system, strict=True)]

    @cached_property
    def conversations(self) -> list[tuple[int, ...]]:
        """Every conversation that has a annotated message and is not of system lines alone."""
        return [
            each
            for each in self.gold.components()
            if any(self.gold.parents[p] for p in each) and not all(self.system[p] for p in each)
        ]

    def authors(self, conversation: Sequence[int]) -> set[str]:
        return {self.chat[position].author for position in conversation if not self.system[position]}

    @cached_property
    def starts(self) -> list[int]:
        return [p for p, parents in enumerate(self.gold.parents) if parents == (p,) and not self.system[p]]

    @cached_property
    def answers(self) -> dict[int, list[int]]:
        """Message -> those that answer it."""
        found: dict[int, list[int]] = {}
        for child, parent in self.gold.links():
            if child != parent:
                found.setdefault(parent, []).append(child)
        return found


Chats = Sequence[Annotated]


def undirected_follow_directed(chats: Chats) -> float:
    """Of the people whose directed messages are all in one conversation, those whose undirected ones are there too."""
    return _share(each for chat in chats for each in _undirected_in_same(chat))


def _undirected_in_same(chat: Annotated) -> Iterator[bool]:
    of = {p: number for number, each in enumerate(chat.conversations) for p in each if chat.gold.parents[p]}
    directed: dict[str, set[int]] = {}
    undirected: dict[str, set[int]] = {}
    for position, number in of.items():
        if not chat.system[position]:
            kind = directed if chat.recipient[position] else undirected
            kind.setdefault(chat.chat[position].author, set()).add(number)
    for author, where in directed.items():
        if len(where) == 1 and author in undirected:
            yield undirected[author] == where


def several_answers(chats: Chats) -> float:
    """Of the messages that start a conversation and are answered, those with several answers."""
    return _share(len(chat.answers[p]) > 1 for chat in chats for p in chat.starts if p in chat.answers)


def directed_starts(chats: Chats) -> float:
    """Of the messages that start a conversation with others, those that address somebody."""
    return _share(chat.recipient[p] is not None for chat in chats for p in chat.starts if p in chat.answers)


def answered_soon(chats: Chats) -> float:
    """Of the messages that start a conversation and are answered, those with an answer within three minutes."""
    starts = (
        (chat, start, min(chat.answers[start])) for chat in chats for start in chat.starts if start in chat.answers
    )
    return _share(chat.moments[answer] - chat.moments[start] <= 180 for chat, start, answer in starts)


def gaps(chats: Chats) -> list[float]:
    """The seconds between consecutive messages of a conversation."""
    return [
        chat.moments[b] - chat.moments[a] for chat in chats for each in chat.conversations for a, b in pairwise(each)
    ]


def within_two_minutes(chats: Chats) -> float:
    return _share(gap <= 120 for gap in gaps(chats))


def _apart(chats: Chats, most: int) -> float:
    return _share(b - a <= most for chat in chats for each in chat.conversations for a, b in pairwise(each))


def eight_messages_apart(chats: Chats) -> float:
    return _apart(chats, 8)


def hundred_messages_apart(chats: Chats) -> float:
    return _apart(chats, 100)


def at_once(chats: Chats) -> Counter[int]:
    """How many conversations are under way at each annotated message that is no system line."""
    found: Counter[int] = Counter()
    for chat in chats:
        change: Counter[int] = Counter()
        for each in chat.conversations:
            change[each[0]] += 1
            change[each[-1] + 1] -= 1
        now = 0
        for position, parents in enumerate(chat.gold.parents):
            now += change[position]
            if parents and not chat.system[position]:
                found[now] += 1
    return found


def three_at_once(chats: Chats) -> float:
    return _at_most(at_once(chats), 3)


def ten_at_once(chats: Chats) -> float:
    return _at_most(at_once(chats), 10)


def _at_most(count: Counter[int], most: int) -> float:
    return percent(sum(times for number, times in count.items() if number <= most), count.total())


def cut_by_blocks(chats: Chats) -> float:
    """Conversations that a block of 200 messages would cut, averaged over where it begins."""
    spans = [min(1.0, (each[-1] - each[0]) / BLOCK_MESSAGES) for chat in chats for each in chat.conversations]
    return percent(sum(spans), len(spans))


def small(chats: Chats) -> float:
    """Conversations of fewer than ten messages."""
    return _share(len(each) < SMALL_CONVERSATION_MESSAGES for chat in chats for each in chat.conversations)


def small_with_several_authors(chats: Chats) -> float:
    """Of those, the ones with more than one author."""
    return _share(
        len(chat.authors(e)) > 1 for chat in chats for e in chat.conversations if len(e) < SMALL_CONVERSATION_MESSAGES
    )


def short_in_company(chats: Chats) -> float:
    """Of the messages of fewer than five words, those in conversations with more than one author."""
    return _share(
        len(chat.authors(each)) > 1
        for chat in chats
        for each in chat.conversations
        for p in each
        if chat.gold.parents[p] and not chat.system[p] and len(chat.chat[p].text.split()) < SHORT_MESSAGE_WORDS
    )


STATISTICS: dict[str, Callable[[Chats], float]] = {
    each.__name__: each
    for each in (
        undirected_follow_directed,
        several_answers,
        directed_starts,
        answered_soon,
        within_two_minutes,
        eight_messages_apart,
        hundred_messages_apart,
        three_at_once,
        ten_at_once,
        cut_by_blocks,
        small,
        small_with_several_authors,
        short_in_company,
    )
}


def _share(facts: Iterator[bool]) -> float:
    count = Counter(facts)
    return percent(count[True], count.total())
