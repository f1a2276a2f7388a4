"""An archive in figures: messages, people, conversations, times to an answer, helpers, topics.

The database counts and groups; what Python sees is a row for each hour and person, and a few rows for each
conversation, so that a million messages take seconds. Questions and confirmations are those of `question_threads`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from ...errors import OptionError
from ..search import SearchFilters
from ..store import ArchiveStore
from .key_phrases import KeyPhrase, key_phrases
from .periods import PERIODS, PeriodGroups, PeriodStatistics, QuestionTimes, hour_of_day, period_start
from .question_threads import SPOKEN, confirms, first_question, known_names

ALL = "all"  # the name of the group of everything

# Who writes in each conversation, in the order in which they first do.
_PARTICIPANTS = f"""
with scope as (
    select t.id from conversations t join channels c on c.id = t.channel_id join messages m on m.id = t.first_message
    where true{{condition}}
), part as (
    select m.conversation_id, m.author, min(m.ordinal) as first, min(m.time) as time, count(*) as messages
    from messages m where {SPOKEN} and m.conversation_id in (select id from scope)
    group by m.conversation_id, m.author
), ranked as (
    select part.*, row_number() over (partition by conversation_id order by first) as place,
        lead(first) over (partition by conversation_id order by first) as next from part
)
"""


class Helper(NamedTuple):
    """Somebody who replies to questions: to how many, of how many people, how many of them were confirmed."""

    name: str
    questions: int
    askers: int
    confirmed: int
    messages: int


@dataclass(frozen=True, slots=True)
class ArchiveStatistics:
    """Figures of an archive, or of a part of it; `first` and `last` are days."""

    total: PeriodStatistics
    first: str | None
    last: str | None
    periods: list[PeriodStatistics]
    hours: list[PeriodStatistics]
    helpers: list[Helper]
    topics: list[KeyPhrase]


def archive_statistics(
    archive: ArchiveStore, filters: SearchFilters | None = None, *, period: str = "week", count: int = 20
) -> ArchiveStatistics:
    """The figures, with at most `count` helpers and topics."""
    if period not in PERIODS:
        raise OptionError("period", period, f"it is one of {', '.join(PERIODS)}")
    chosen = filters or SearchFilters()
    names = known_names(archive)
    openings = dict(_openings(archive, chosen, names))
    asked = _question_times(archive, chosen, openings)
    everything, periods, hours = (
        PeriodGroups(lambda _: ALL),
        PeriodGroups(period_start(period)),
        PeriodGroups(hour_of_day),
    )
    days = _count_messages(archive, chosen, (everything, periods, hours))
    _count_people(archive, chosen, (everything, periods, hours))
    _count_conversations(archive, chosen, (everything, periods, hours))
    for each in asked.values():
        for groups in (everything, periods, hours):
            groups.add(each)
    total = everything.finished() or [PeriodStatistics(ALL)]
    return ArchiveStatistics(
        total[0],
        min(days, default=None),
        max(days, default=None),
        periods.finished(),
        hours.finished(),
        _helpers(asked.values())[:count],
        key_phrases(openings.values(), count, names),
    )


def _count_messages(archive: ArchiveStore, filters: SearchFilters, all_groups: Iterable[PeriodGroups]) -> set[str]:
    """Counts messages of people; returns the days that have any."""
    rows = _grouped(archive, filters, "substr(m.time, 1, 13), count(*)", "group by 1")
    for hour, count in rows:
        for groups in all_groups:
            groups.at(hour or "").messages += count
    return {hour[:10] for hour, _ in rows if hour}


def _count_people(archive: ArchiveStore, filters: SearchFilters, all_groups: Iterable[PeriodGroups]) -> None:
    seen: dict[tuple[int, str], set[str]] = defaultdict(set)
    for hour, author in _grouped(archive, filters, "distinct substr(m.time, 1, 13), m.author", ""):
        for number, groups in enumerate(all_groups):
            seen[number, groups.at(hour or "").name].add(author)
    for number, groups in enumerate(all_groups):
        groups.set_people({name: len(people) for (place, name), people in seen.items() if place == number})


def _count_conversations(archive: ArchiveStore, filters: SearchFilters, all_groups: Iterable[PeriodGroups]) -> None:
    condition, values = filters.clause()
    rows = archive.rows(
        "select substr(t.started, 1, 13), count(*) from conversations t join channels c on c.id = t.channel_id"
        f" join messages m on m.id = t.first_message where true{condition} group by 1",
        **values,
    )
    for hour, count in rows:
        for groups in all_groups:
            groups.at(hour or "").conversations += count


def _grouped(archive: ArchiveStore, filters: SearchFilters, columns: str, rest: str) -> list[Any]:
    condition, values = filters.clause()
    return archive.rows(
        f"select {columns} from messages m join channels c on c.id = m.channel_id where {SPOKEN}{condition} {rest}",
        **values,
    )


def _openings(archive: ArchiveStore, filters: SearchFilters, names: frozenset[str]) -> Iterator[tuple[int, str]]:
    """(conversation, opening) where somebody begins with a question."""
    condition, values = filters.clause()
    rows = archive.rows(
        f"{_PARTICIPANTS.format(condition=condition)}"
        " select m.conversation_id, m.text from ranked a join messages m on m.conversation_id = a.conversation_id"
        f" and m.author = a.author and {SPOKEN} and (a.next is null or m.ordinal < a.next)"
        " where a.place = 1 order by m.conversation_id, m.ordinal",
        **values,
    )
    for number, group in groupby(rows, lambda row: int(row[0])):
        texts = [text for _, text in group]
        if first_question(texts, names) is not None:
            yield number, " ".join(dict.fromkeys(texts))


def _question_times(
    archive: ArchiveStore, filters: SearchFilters, asked: Mapping[int, str]
) -> dict[int, QuestionTimes]:
    condition, values = filters.clause()
    participants = _PARTICIPANTS.format(condition=condition)
    found: dict[int, QuestionTimes] = {}
    for number, author, time, messages in archive.rows(
        f"{participants} select conversation_id, author, time, messages from ranked order by conversation_id, place",
        **values,
    ):
        if number not in asked:
            continue
        if number not in found:
            found[number] = QuestionTimes(author, time)
        else:
            found[number].replied = found[number].replied if found[number].helpers else time
            found[number].helpers[author] = messages
    for number, time, text in archive.rows(
        f"{participants} select m.conversation_id, m.time, m.text from ranked a join messages m"
        " on m.conversation_id = a.conversation_id and m.author = a.author and m.ordinal > a.next"
        f" where a.place = 1 and {SPOKEN} order by m.ordinal",
        **values,
    ):
        if number in found and not found[number].is_confirmed and confirms(text):
            found[number].is_confirmed, found[number].confirmed = True, time
    return found


def _helpers(asked: Iterable[QuestionTimes]) -> list[Helper]:
    """Who replies to most questions first."""
    questions, confirmed, messages = Counter[str](), Counter[str](), Counter[str]()
    askers: dict[str, set[str]] = defaultdict(set)
    for each in asked:
        for name, count in each.helpers.items():
            questions[name] += 1
            confirmed[name] += each.is_confirmed
            messages[name] += count
            askers[name].add(each.asker)
    made = (Helper(name, n, len(askers[name]), confirmed[name], messages[name]) for name, n in questions.items())
    return sorted(made, key=lambda helper: (-helper.questions, helper.name))
