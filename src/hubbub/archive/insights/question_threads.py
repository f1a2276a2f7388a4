"""Conversations that begin with a question, and what became of it.

The asker is whoever begins a conversation; the question is in what the asker says before anybody else does. A rule
decides the rest (`Outcome`): it sees who writes, who gives thanks and who asks again, and cannot see whether advice was
right.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, takewhile
from typing import NamedTuple

from ..conversation import THANKS
from ..engine import listed
from ..questions import QUESTION, is_question
from ..search import SearchFilters
from ..store import ArchiveStore

CONVERSATIONS_AT_ONCE = 1_000  # bounds memory; a conversation has ten messages on average
SPOKEN = "m.kind <> 'system' and not m.is_deleted"  # SQL: what people said and did not take back
MIN_ANSWER_WORDS = 2  # a word alone ("yes", "hi") answers only if it follows a name
_FAILED = re.compile(
    r"\b(?:(?:did|does|do|is|was|has|have)(?:n['’]?t| not)\s+(?:help|work|fix|solve|do it)|not working|no luck|"
    r"still (?:not|no|the same|doesn|does|get|have|can)|same (?:error|problem|issue|thing)|thanks? (?:you )?anyway)\b",
    re.I,
)
BOT_COMMAND = re.compile(r"^\s*!\w")  # such as !help


class Outcome(StrEnum):
    """What became of a question; the first that applies counts."""

    NO_REPLY = "no reply"  # nobody else wrote in the conversation
    CONFIRMED = "confirmed"  # after a reply the asker gave thanks or said that it worked
    UNRESOLVED = "unresolved"  # the asker asked again or said that it failed, or got questions only
    ANSWERED = "answered"  # an answer, after which the asker asked nothing further


UNANSWERED = (Outcome.NO_REPLY, Outcome.UNRESOLVED)


@dataclass(frozen=True, slots=True)
class ThreadMessage:
    """A message of a question's conversation."""

    id: int
    author: str
    text: str
    time: str | None

    @property
    def is_answer(self) -> bool:
        return len(self.text.split()) >= MIN_ANSWER_WORDS and not asks(self.text)


class ConversationMessages(NamedTuple):
    """A conversation: its number inside the archive, the permanent id that people see, and who said what."""

    number: int
    conversation_id: str
    chat: str
    messages: tuple[ThreadMessage, ...]


@dataclass(frozen=True, slots=True)
class QuestionThread:
    """A conversation that begins with a question; `asked` is the place of the question in `messages`.

    `number` is its number inside the archive, `conversation_id` the permanent id that people see.
    """

    number: int
    conversation_id: str
    chat: str
    messages: tuple[ThreadMessage, ...]
    asked: int

    @property
    def question(self) -> ThreadMessage:
        return self.messages[self.asked]

    @property
    def asker(self) -> str:
        return self.question.author

    @property
    def opening(self) -> str:
        """All that the asker says before anybody else does, without repetitions."""
        return " ".join(dict.fromkeys(each.text for each in self.messages[: self._first_reply]))

    @property
    def _first_reply(self) -> int:
        others = (place for place, each in enumerate(self.messages) if each.author != self.asker)
        return next(others, len(self.messages))

    @property
    def replies(self) -> tuple[ThreadMessage, ...]:
        return tuple(each for each in self.messages if each.author != self.asker)

    @property
    def first_reply(self) -> ThreadMessage | None:
        return next(iter(self.replies), None)

    @property
    def confirmation(self) -> int | None:
        """The place where the asker first gives thanks after a reply, or says that it worked."""
        after = range(self._first_reply, len(self.messages))
        own = (place for place in after if self.messages[place].author == self.asker)
        return next((place for place in own if confirms(self.messages[place].text)), None)

    @property
    def resolution(self) -> int | None:
        """The last answer before the asker's confirmation, as the id of its message."""
        if self.confirmation is None:
            return None
        before = self.messages[: self.confirmation]
        return next((each.id for each in reversed(before) if each.author != self.asker and each.is_answer), None)

    @property
    def outcome(self) -> Outcome:
        answers = [place for place, each in enumerate(self.messages) if each.author != self.asker and each.is_answer]
        if not self.replies:
            return Outcome.NO_REPLY
        if self.confirmation is not None:
            return Outcome.CONFIRMED
        after = self.messages[answers[-1] + 1 :] if answers else ()
        failed = any(asks(each.text) or _FAILED.search(each.text) for each in after if each.author == self.asker)
        return Outcome.UNRESOLVED if failed or not answers else Outcome.ANSWERED


def asks(text: str) -> bool:
    return is_question(text) >= QUESTION


def confirms(text: str) -> bool:
    """Whether a text gives thanks or says that it worked, and neither asks on nor says that it failed."""
    return bool(THANKS.search(text)) and not _FAILED.search(text) and not asks(text)


def names_somebody(text: str, name: str) -> bool:
    """Whether one of the words of a text is a name."""
    return name.lower() in (word.strip("@,:;.!?").lower() for word in text.split())


def question_threads(archive: ArchiveStore, filters: SearchFilters | None = None) -> Iterator[QuestionThread]:
    """Conversations that begin with a question, newest first; filters are about the question.

    A first message that addresses somebody by name goes on with another conversation, and is none.
    """
    return threads_of(archive, conversation_numbers(archive, filters or SearchFilters()))


def threads_of(archive: ArchiveStore, numbers: Sequence[int]) -> Iterator[QuestionThread]:
    """Those of some conversations, in this order."""
    names = known_names(archive)
    for each in conversations_of(archive, numbers):
        asked = first_question(opening_texts(each.messages), names)
        if asked is not None:
            yield QuestionThread(*each, asked)


def opening_texts(messages: Sequence[ThreadMessage]) -> list[str]:
    """What the first author says before anybody else does."""
    return [each.text for each in takewhile(lambda each: each.author == messages[0].author, messages)]


def conversations_of(archive: ArchiveStore, numbers: Sequence[int]) -> Iterator[ConversationMessages]:
    """The messages of people in some conversations, in this order."""
    for start in range(0, len(numbers), CONVERSATIONS_AT_ONCE):
        part = numbers[start : start + CONVERSATIONS_AT_ONCE]
        rows = archive.rows(
            "select m.conversation_id, t.public_id, c.name, m.id, m.author, m.text, m.time from messages m"
            " join conversations t on t.id = m.conversation_id join channels c on c.id = m.channel_id"
            f" where m.conversation_id in ({listed(part)}) and {SPOKEN}"
            " order by m.conversation_id, m.ordinal"
        )
        found = {
            number: ConversationMessages(number, id, chat, tuple(ThreadMessage(*row[3:]) for row in group))
            for (number, id, chat), group in groupby(rows, lambda row: tuple(row[:3]))
        }
        yield from (found[number] for number in part if number in found)


def conversation_numbers(archive: ArchiveStore, filters: SearchFilters) -> list[int]:
    """Those whose first message meets the filters, newest first."""
    condition, values = filters.clause()
    rows = archive.rows(
        "select t.id from conversations t join messages m on m.id = t.first_message"
        f" join channels c on c.id = t.channel_id where true{condition}"
        " order by t.started is null, t.started desc, t.id desc",
        **values,
    )
    return [number for (number,) in rows]


def known_names(archive: ArchiveStore) -> frozenset[str]:
    return frozenset(name.lower() for (name,) in archive.rows("select distinct name from identities"))


def first_question(opening: Sequence[str], names: Collection[str]) -> int | None:
    """The place of the first question in what somebody says before anybody else does."""
    first = opening[0].split()
    if first and first[0][-1:] in ":,;>" and first[0].lstrip("@").rstrip(":,;>").lower() in names:
        return None
    asked = (place for place, text in enumerate(opening) if asks(text) and not BOT_COMMAND.match(text))
    return next(asked, None)
