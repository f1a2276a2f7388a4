"""Conversations of an archive as training and retrieval data: selected, without duplicates, split by date.

`finetune` has conversations that begin with a question and got an answer, as turns of a user (the asker) and an
assistant (everybody else). `rag` has all conversations of at least two people as passages. Both name their sources:
the conversation and the messages of each example.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from ...answer.data.examples import normalized
from ...errors import OptionError
from ..privacy.name_spans import parts_of
from ..search import SearchFilters
from ..store import ArchiveStore
from ..vectors import unaddressed
from .question_threads import (
    BOT_COMMAND,
    ConversationMessages,
    Outcome,
    QuestionThread,
    ThreadMessage,
    conversation_numbers,
    conversations_of,
    threads_of,
)

SPLITS = ("train", "dev", "test")
DEV_SHARE = TEST_SHARE = 0.1  # of the conversations, to whole days
PASSAGE_CHARACTERS = 1_500  # about 400 tokens, which encoders of passages take
_ADDRESS = re.compile(r"\s*@?([^,:;!\n]{1,80}?)\s*[,:;!]+\s+(?=\S)")
_WORD = re.compile(r"[^\s,:;.!?()<>\"']+")

DUPLICATE, OPTED_OUT, NO_QUESTION, NOT_ANSWERED, ONE_PERSON = (
    "that are duplicates", "with somebody who opted out", "that do not begin with a question",
    "without an answer", "of one person",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExportRules:
    """What is exported. `opted_out` says of a name whether its bearer did not consent; dates begin dev and test."""

    filters: SearchFilters = field(default_factory=SearchFilters)
    only_confirmed: bool = False
    opted_out: Callable[[str], bool] = lambda name: False
    dev_from: date | None = None
    test_from: date | None = None


@dataclass(slots=True)
class ExportReport:
    """What was exported: examples by split, left-out conversations by reason, the first day of dev and of test."""

    examples: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    conversations: int = 0
    messages: int = 0
    people: set[str] = field(default_factory=set)
    first: str | None = None
    last: str | None = None
    dev_from: str = ""
    test_from: str = ""

    def split(self, time: str | None) -> str:
        """By the day of the first message; what has no date is for training."""
        day = (time or "")[:10]
        if self.test_from and day >= self.test_from:
            return "test"
        return "dev" if self.dev_from and day >= self.dev_from else "train"

    def add(self, split: str, messages: Sequence[ThreadMessage]) -> None:
        self.examples[split] += 1
        self.messages += len(messages)
        self.people.update(each.author for each in messages)
        days = [each.time[:10] for each in messages if each.time]
        self.first = min([*days, *filter(None, [self.first])], default=None)
        self.last = max([*days, *filter(None, [self.last])], default=None)


class Turn(NamedTuple):
    role: str
    text: str


def new_report(archive: ArchiveStore, rules: ExportRules) -> ExportReport:
    """A report with the days at which the splits begin: given ones, or those that are nearest to the usual shares."""
    condition, values = rules.filters.clause()
    rows = archive.rows(
        "select substr(t.started, 1, 10), count(*) from conversations t join channels c on c.id = t.channel_id"
        f" join messages m on m.id = t.first_message where t.started is not null{condition} group by 1 order by 1",
        **values,
    )
    total, before = sum(count for _, count in rows), 0
    starts = {"dev": "", "test": ""}
    for day, count in rows:
        for split, share in (("dev", DEV_SHARE + TEST_SHARE), ("test", TEST_SHARE)):
            if before and not starts[split] and before + count / 2 > (1 - share) * total:
                starts[split] = day
        before += count
    dev = rules.dev_from.isoformat() if rules.dev_from else starts["dev"]
    test = rules.test_from.isoformat() if rules.test_from else starts["test"]
    if dev and test and dev > test:
        raise OptionError("--dev-from", dev, f"the test part begins before it, on {test}")
    return ExportReport(dev_from=dev, test_from=test)


def finetune_examples(
    archive: ArchiveStore, rules: ExportRules, report: ExportReport
) -> Iterator[tuple[str, dict[str, Any]]]:
    """(split, {id, messages, source}), oldest first."""
    numbers = conversation_numbers(archive, rules.filters)[::-1]
    report.conversations = len(numbers)
    wanted = {Outcome.CONFIRMED} if rules.only_confirmed else {Outcome.CONFIRMED, Outcome.ANSWERED}
    seen: set[bytes] = set()
    found = 0
    for thread in threads_of(archive, numbers):
        found += 1
        kept = _answered_part(thread)
        turns = _turns(thread.asker, kept)
        if thread.outcome not in wanted or len(turns) < 2:
            report.left_out[NOT_ANSWERED] += 1
        elif may_be_used(kept, rules, report, seen, [turn.text for turn in turns]):
            split = report.split(thread.messages[0].time)
            report.add(split, kept)
            source = {**_source(thread, kept), "outcome": thread.outcome.value}
            messages = [{"role": turn.role, "content": turn.text} for turn in turns]
            yield split, {"id": thread.conversation_id, "messages": messages, "source": source}
    report.left_out[NO_QUESTION] += len(numbers) - found


def rag_examples(
    archive: ArchiveStore, rules: ExportRules, report: ExportReport
) -> Iterator[tuple[str, dict[str, Any]]]:
    """(split, {id, title, text, source}), oldest first; a long conversation has several passages."""
    numbers = conversation_numbers(archive, rules.filters)[::-1]
    report.conversations = len(numbers)
    seen: set[bytes] = set()
    for each in conversations_of(archive, numbers):
        if len({said.author for said in each.messages}) < 2:
            report.left_out[ONE_PERSON] += 1
        elif may_be_used(each.messages, rules, report, seen, [said.text for said in each.messages]):
            split = report.split(each.messages[0].time)
            for number, part in enumerate(_passages(each.messages), 1):
                report.add(split, part)
                text = "\n".join(f"{said.author}: {_one_line(said.text)}" for said in part)
                title = _one_line(each.messages[0].text)[:120]
                id = f"{each.conversation_id}/{number}"
                yield split, {"id": id, "title": title, "text": text, "source": _source(each, part)}


def may_be_used(
    messages: Sequence[ThreadMessage], rules: ExportRules, report: ExportReport, seen: set[bytes], texts: Sequence[str]
) -> bool:
    """Counts what must stay out, and remembers the text of what may go in."""
    words = {word for each in messages for word in (each.author, *_WORD.findall(each.text))}
    if any(map(rules.opted_out, words)):
        report.left_out[OPTED_OUT] += 1
        return False
    digest = hashlib.blake2b("\n".join(map(normalized, texts)).encode("utf-8", "replace"), digest_size=16).digest()
    if digest in seen:
        report.left_out[DUPLICATE] += 1
        return False
    seen.add(digest)
    return True


def _answered_part(thread: QuestionThread) -> tuple[ThreadMessage, ...]:
    """Up to the confirmation, or to the last thing that somebody else says; without commands to bots."""
    end = thread.confirmation or len(thread.messages)
    kept = [each for each in thread.messages[:end] if not BOT_COMMAND.match(each.text)]
    while kept and kept[-1].author == thread.asker:
        kept.pop()
    return tuple(kept)


def _turns(asker: str, messages: Sequence[ThreadMessage]) -> list[Turn]:
    """What one side says before the other does, without the names in front."""
    authors = {each.author for each in messages}
    turns: list[Turn] = []
    for each in messages:
        role, text = "user" if each.author == asker else "assistant", without_address(each.text, authors)
        if turns and turns[-1].role == role:
            turns[-1] = Turn(role, f"{turns[-1].text}\n{text}")
        else:
            turns.append(Turn(role, text))
    return turns


def without_address(text: str, authors: Collection[str]) -> str:
    """The text without the name in front; a name may have several words or be one of them: "Ruth, ..."."""
    called = {name.casefold() for author in authors for name in (author, *parts_of(author))}
    marked = _ADDRESS.match(text)
    if marked and marked[1].casefold() in called:
        return text[marked.end() :]
    return unaddressed(text, {author.lower() for author in authors})


def _passages(messages: Sequence[ThreadMessage]) -> Iterator[list[ThreadMessage]]:
    """Runs of messages of a bounded length; a message is never cut."""
    part: list[ThreadMessage] = []
    size = 0
    for each in messages:
        if part and size + len(each.text) > PASSAGE_CHARACTERS:
            yield part
            part, size = [], 0
        part.append(each)
        size += len(each.text) + len(each.author) + 2
    yield part


def _source(thread: QuestionThread | ConversationMessages, part: Sequence[ThreadMessage]) -> dict[str, Any]:
    return {
        "conversation": thread.conversation_id,
        "channel": thread.chat,
        "first": part[0].time,
        "last": part[-1].time,
        "messages": [each.id for each in part],
    }


def _one_line(text: str) -> str:
    return " ".join(text.split())
