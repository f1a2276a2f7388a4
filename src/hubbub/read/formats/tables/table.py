"""What CSV, TSV, JSON lines and Parquet share: columns known by their names, and rows that become messages.

A table that holds one chat streams. A table of several chats (it has a column such as "channel" with more than one
value) is gathered in memory, a list of rows a chat, because the chats may be interleaved. Rows keep their order.
Ids stand as the table has them; a column of ids that repeat within its first rows names no messages, and is passed
over. Text is cleaned as everywhere, but for the tables that hubbub itself wrote: those come back as they were.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from datetime import time as Time
from functools import cached_property, partial
from typing import Any, NamedTuple

from ....chat import Kind, Message
from ....csv_output import SAFE_COLUMN
from ....errors import OptionError, WrongFormat
from ....text import clean, plural
from ...assembly.chat_streams import Ids
from ...detect.file_head import CERTAIN, Clue
from ...format import Options, Stream
from ...parsing.json_document import string
from ...parsing.path_names import name_from_path
from ...report import Report
from ...times.clock import Clock, second_of_day, time_of_day
from ...times.table_times import Moments, is_plain

Row = Mapping[str, Any]


class Numbered(NamedTuple):
    """A row, and the numbers of its lines or its record: a cell in quotes may go on over lines."""

    places: range
    row: Row


def skip(report: Report, where: str, places: range, reason: str) -> None:
    for place in places:
        report.skip(where, place, reason)


def unexplain(report: Report, where: str, places: range, reason: str) -> None:
    for place in places:
        report.unexplain(where, place, reason)


OWN = ("chat", "id", "time", "clock", "author", "text", "kind", "reply_to")
OWN_SAFE = (*OWN, SAFE_COLUMN)

_NAMES: dict[str, str] = {
    "text": "text message body content utterance msg messagetext messagebody messagecontent contents sentence"
    " dialogue transcript comment",
    "author": "author user username nick nickname sender from name speaker authorname sendername displayname fromname"
    " fromuser screenname fullname handle character realname participant speakername agent userid"
    " authorid senderid speakerid role",
    "time": "time timestamp datetime date createdat ts created sentat sent datesent timesent senttime sendtime"
    " createdutc createdon sentdate messagetimestamp messagetime messagedate timestamputc dateutc timeutc createdtime"
    " unixtime epoch posted postedat when",
    "id": "id messageid msgid uuid guid eventid",
    "kind": "kind type messagetype msgtype eventtype",
    "reply_to": "replyto inreplyto parent parentid replytoid inreplytoid replytomessageid inreplytomessageid"
    " parentmessageid repliedto repliedtoid",
    "clock": "clock",
    "chat": "channel chat room conversation channelname chatname roomname conversationname chattitle chatroom"
    " groupname group channelid chatid roomid conversationid dialogueid dialogid",
}
_DISTINCT_IDS = 0.9  # the share of ids that are distinct; a column with fewer names something else than messages
TABLES = frozenset(("csv", "jsonl", "parquet", "tsv"))
COLUMN_NAMES = {name: names.split() for name, names in _NAMES.items()}
_ACTIONS = frozenset({"action", "me", "emote"})
_EVENTS = frozenset(
    {"system", "join", "joined", "part", "parted", "leave", "left", "quit", "kick", "kicked", "ban", "mode", "nick",
     "topic", "event", "service", "server", "info", "notification", "status"}
)  # fmt: skip
# Where the user names columns, rows of one width are a table even if it lacks them: reading it then says which it has.
_WHOLE, _UNFIT = 0.9, 0.4
_CLOCK = re.compile(r"\d{1,2}:\d\d")


def plain_name(column: str) -> str:
    """The same for "Created At", "created_at" and "createdAt"."""
    return re.sub(r"[\W_]+", "", column).lower()


@dataclass(slots=True)
class ColumnRoles:
    """Which column is what: as the user says, else as its name says."""

    requested: Mapping[str, str] = field(default_factory=dict)
    unfit: frozenset[str] = frozenset()
    _known: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict)

    def of(self, row: Iterable[str]) -> dict[str, str]:
        """What we look for -> the column that has it."""
        names = tuple(row)
        if names not in self._known:
            self._known[names] = self._guess(names)
        return self._known[names]

    def _guess(self, names: tuple[str, ...]) -> dict[str, str]:
        plain = {plain_name(name): name for name in reversed(names) if name not in self.requested.values()}
        found = {
            what: plain[name]
            for what, guesses in COLUMN_NAMES.items()
            if what not in self.requested and what not in self.unfit
            for name in reversed(guesses)
            if name in plain
        }
        by_plain = {plain_name(name): name for name in reversed(names)}
        for what, column in self.requested.items():
            found[what] = column if column in names else by_plain.get(plain_name(column), column)
        if "time" in found and (day := plain.get("date")) and day != found["time"]:
            found["day"] = day
        return found


@dataclass(frozen=True)
class ParsedTable:
    """A table as its beginning shows it. `rows` gives all of it, numbered, counts it, and reports damaged rows."""

    place: str
    format: str
    columns: tuple[str, ...]
    sample: Sequence[Row]
    rows: Callable[[Report], Iterator[Numbered]]

    def every_column(self) -> list[str]:
        rows = (each.row for each in self.rows(Report()))
        return list(dict.fromkeys((*self.columns, *(name for row in rows for name in row))))


def table_clue(columns: Sequence[str], share: float, requested: Mapping[str, str]) -> Clue | None:
    """How well columns, and the share of rows that are whole, speak for a chat: softly, but for hubbub's own."""
    if tuple(columns) in (OWN, OWN_SAFE):
        return Clue(CERTAIN, "a table with the columns that hubbub writes")
    if requested and not any(_missing(column, columns) for column in requested.values()):
        return Clue(share, "a table with the columns that --columns names")
    found = ColumnRoles().of(columns)
    if requested and "text" not in found and len(columns) > 1 and share >= _WHOLE:
        return Clue(_UNFIT * share, "a table, though without a column that --columns names")
    if "text" not in found or len(columns) < 2 or share < 0.5:
        return None
    best = 0.8 if "author" in found else 0.5
    named = " and ".join(repr(found[what]) for what in ("author", "text", "time") if what in found)
    return Clue(best * share, f"a table with the columns {named}")


def chats(table: ParsedTable, options: Options) -> Iterator[Stream]:
    """The chats of a table."""
    return _Reader(table, _checked(table, options.columns), options).streams()


def check_roles(requested: Mapping[str, str]) -> None:
    """Refuses columns that no message has."""
    for what, column in requested.items():
        if what not in COLUMN_NAMES:
            raise OptionError("--columns", f"{what}={column}", f"what a column can be is {', '.join(COLUMN_NAMES)}")
    by_column: dict[str, str] = {}
    for what, column in requested.items():
        if (other := by_column.setdefault(plain_name(column) or column, what)) != what:
            raise OptionError("--columns", f"{other}={column},{what}={column}", "one column cannot be both")


def check_tables(requested: Mapping[str, str], formats: Iterable[str]) -> None:
    """Refuses named columns where nothing that is read is a table; that a table has them is checked as it is opened."""
    read_as = sorted(set(formats))
    if requested and not TABLES.intersection(read_as):
        shown = ",".join("=".join(pair) for pair in requested.items())
        raise OptionError("--columns", shown, f"there is no table, what there is reads as {', '.join(read_as)}")


def _checked(table: ParsedTable, requested: Mapping[str, str]) -> ColumnRoles:
    check_roles(requested)
    for what, column in requested.items():
        if _missing(column, table.columns) and _missing(column, every := table.every_column()):
            raise no_such_column(table.place, what, column, every)
    columns = ColumnRoles(
        requested, frozenset({"id", "reply_to"} - requested.keys() if _ids_repeat(table, requested) else ())
    )
    if "text" not in columns.of(table.columns):
        shown = ", ".join(table.columns) or "none"
        raise WrongFormat(table.place, table.format, f"no column looks like the text of messages; there are: {shown}")
    return columns


def no_such_column(place: str, what: str, column: str, columns: Sequence[str]) -> OptionError:
    """The error of a column that the user named and the table does not have."""
    listed = f"it has {plural(len(columns), 'column')}: {', '.join(columns)}"
    which = f"column {column}" if column.isdecimal() else f"column named {column}"
    return OptionError("--columns", f"{what}={column}", f"{place} has no {which}; {listed}")


def _ids_repeat(table: ParsedTable, requested: Mapping[str, str]) -> bool:
    if "id" in requested or table.columns in (OWN, OWN_SAFE):
        return False
    ids = [string(row.get(ColumnRoles().of(row).get("id", ""))) for row in table.sample]
    given = [one for one in ids if one]
    return len(set(given)) < _DISTINCT_IDS * len(given)


def _missing(column: str, names: Iterable[str]) -> bool:
    return plain_name(column) not in map(plain_name, names)


@dataclass
class _Reader:
    table: ParsedTable
    columns: ColumnRoles
    options: Options

    def streams(self) -> Iterator[Stream]:
        names = self._survey() or [self._default_name]
        if len(names) == 1:
            yield Stream(names[0], self._only)
            return
        for number, name in enumerate(names):
            yield Stream(name, partial(self._one_of_many, name, number == 0))

    @cached_property
    def moments(self) -> Moments:
        return Moments(self.options.timezone)

    @cached_property
    def exact(self) -> bool:
        """Whether hubbub wrote it, so that nothing in it is to be tidied."""
        return self.table.columns in (OWN, OWN_SAFE) and not self.columns.requested

    @cached_property
    def _default_name(self) -> str:
        return name_from_path(self.table.place)

    def _survey(self) -> list[str]:
        """The chats' names; learns the order of days on the way. A plain table of one chat is not gone through."""
        found = self.columns.of(self.table.columns)
        cells = [row.get(found[what]) for row in self.table.sample for what in ("time", "day") if what in found]
        if "chat" not in found and all(map(is_plain, cells)):
            return []
        names: dict[str, None] = {}
        for _, row in self.table.rows(Report()):
            found = self.columns.of(row)
            self.moments.see(self._moment(row, found))
            names[self._chat(row, found)] = None
        return list(names)

    def _chat(self, row: Row, found: Mapping[str, str]) -> str:
        name = _words(row.get(found["chat"])) if "chat" in found else ""
        return name if self.exact else clean(name).strip() or self._default_name

    def _only(self, first: int, report: Report) -> Iterator[Message]:
        return self._messages(self.table.rows(report), first, report)

    def _one_of_many(self, name: str, is_first: bool, first: int, report: Report) -> Iterator[Message]:
        groups, others = self._groups
        if is_first:
            report.merge(others)
        report.total += sum(len(each.places) for each in groups[name])
        return self._messages(iter(groups[name]), first, report)

    @cached_property
    def _groups(self) -> tuple[dict[str, list[Numbered]], Report]:
        """The rows of each chat, and a report on the lines or records that are no row of any."""
        others = Report()
        groups: dict[str, list[Numbered]] = {}
        for each in self.table.rows(others):
            groups.setdefault(self._chat(each.row, self.columns.of(each.row)), []).append(each)
        others.total -= sum(len(each.places) for group in groups.values() for each in group)
        return groups, others

    def _messages(self, rows: Iterator[Numbered], first: int, report: Report) -> Iterator[Message]:
        count, day, ids = first, Clock(self.options.date, self.options.timezone), Ids()
        for places, row in rows:
            found = self.columns.of(row)
            if found.get("text") not in row:
                unexplain(report, self.table.place, places, "a record without a text")
                continue
            report.continued += len(places) - 1
            raw_time = row.get(found.get("time", ""))
            message = self._timed(self._message(row, found, count, ids), raw_time, day)
            if message.time is None and message.clock is None and raw_time not in (None, ""):
                report.note(self.table.place, places[0], "the time is not understood")
            yield message
            count += 1

    def _message(self, row: Row, found: Mapping[str, str], count: int, ids: Ids) -> Message:
        cell = {what: row.get(column) for what, column in found.items()}
        author, text = _words(cell.get("author")), _words(cell["text"])
        given = _words(cell.get("id"))
        return Message(
            given if self.exact else ids.take(clean(given).strip()) if self._has_ids else str(count),
            self.moments.read(self._moment(row, found)),
            author if self.exact else clean(author).strip(),
            text if self.exact else clean(text),
            _kind(cell.get("kind")),
            _replies(cell.get("reply_to"), self.exact),
            _clock(cell.get("clock")),
        )

    @cached_property
    def _has_ids(self) -> bool:
        """Whether messages have ids of their own; one without is given another than the others have."""
        return any("id" in self.columns.of(row) for row in self.table.sample)

    def _timed(self, message: Message, raw_time: object, day: Clock) -> Message:
        """A time of day without its day, if that is all the table has."""
        if message.time or message.clock or not (isinstance(raw_time, str) and (shown := time_of_day(raw_time))):
            return message
        when = day.at(second_of_day(shown))
        return message._replace(time=when, clock=None if when else shown)

    def _moment(self, row: Row, found: Mapping[str, str]) -> object:
        """The cell that tells the time, joined with the cell of the day if there are two."""
        value = row.get(found["time"]) if "time" in found else None
        if "day" not in found:
            return value
        day = row.get(found["day"])
        if isinstance(value, Time) and isinstance(day, date) and not isinstance(day, datetime):
            return datetime.combine(day, value)
        return f"{day} {value}" if isinstance(value, str) and _CLOCK.match(value.strip()) else value or day


def _words(value: object) -> str:
    """A cell as text; of an object its name, of anything else that is no text its JSON."""
    if value is None:
        return ""
    if isinstance(value, dict):
        named = next((value[key] for key in ("name", "username", "display_name", "nick", "id") if value.get(key)), None)
        if isinstance(named, str | int):
            return str(named)
    return string(value) or ("" if value == "" else json.dumps(value, ensure_ascii=False, default=str))


def _kind(value: object) -> Kind:
    word = value.strip().lower() if isinstance(value, str) else ""
    return "action" if word in _ACTIONS else "system" if word in _EVENTS else "message"


def _replies(value: object, exact: bool) -> tuple[str, ...]:
    """One id, a list of ids, or a list of ids written as JSON; only hubbub's own files hold an empty id."""
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return (str(value),)
    if isinstance(value, list):
        return tuple(words for one in value if (words := _words(one)) or exact)
    one = _words(value)
    return (one,) if one.strip() else ()


def _clock(value: object) -> Time | None:
    if isinstance(value, Time):
        return value
    try:
        return Time.fromisoformat(value) if isinstance(value, str) and value else None
    except ValueError:
        return None
