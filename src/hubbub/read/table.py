"""What CSV, TSV, JSON lines and Parquet share: columns told by their names, and rows that become messages.

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
from typing import Any

from ..chat import Kind, Message
from ..errors import OptionError, WrongFormat
from ..text import clean
from .clock import Clock, time_of_day
from .document import string
from .format import CERTAIN, Clue, Options, Report, Stream
from .moments import Moments, is_plain
from .names import name_from_path

Row = Mapping[str, Any]

OWN = ("chat", "id", "time", "clock", "author", "text", "kind", "reply_to")

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
COLUMN_NAMES = {name: names.split() for name, names in _NAMES.items()}
_ACTIONS = frozenset({"action", "me", "emote"})
_EVENTS = frozenset(
    {"system", "join", "joined", "part", "parted", "leave", "left", "quit", "kick", "kicked", "ban", "mode", "nick",
     "topic", "event", "service", "server", "info", "notification", "status"}
)  # fmt: skip
_CLOCK = re.compile(r"\d{1,2}:\d\d")


def plain_name(column: str) -> str:
    """The same for "Created At", "created_at" and "createdAt"."""
    return re.sub(r"[\W_]+", "", column).lower()


@dataclass(slots=True)
class Columns:
    """Which column is what: as the user says, else as its name says."""

    said: Mapping[str, str] = field(default_factory=dict)
    unfit: frozenset[str] = frozenset()
    _known: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict)

    def of(self, row: Iterable[str]) -> dict[str, str]:
        """What we look for -> the column that has it."""
        names = tuple(row)
        if names not in self._known:
            self._known[names] = self._guess(names)
        return self._known[names]

    def _guess(self, names: tuple[str, ...]) -> dict[str, str]:
        plain = {plain_name(name): name for name in reversed(names) if name not in self.said.values()}
        found = {
            what: plain[name]
            for what, guesses in COLUMN_NAMES.items()
            if what not in self.said and what not in self.unfit
            for name in reversed(guesses)
            if name in plain
        }
        by_plain = {plain_name(name): name for name in reversed(names)}
        for what, column in self.said.items():
            found[what] = column if column in names else by_plain.get(plain_name(column), column)
        if "time" in found and (day := plain.get("date")) and day != found["time"]:
            found["day"] = day
        return found


@dataclass(frozen=True)
class Table:
    """A table as its beginning shows it. `rows` gives all of it, numbered, and reports the rows that are damaged."""

    place: str
    format: str
    columns: tuple[str, ...]
    sample: Sequence[Row]
    rows: Callable[[Report], Iterator[tuple[int, Row]]]

    def every_column(self) -> list[str]:
        rows = (row for _, row in self.rows(Report()))
        return list(dict.fromkeys((*self.columns, *(name for row in rows for name in row))))


def table_clue(columns: Sequence[str], share: float, said: Mapping[str, str]) -> Clue | None:
    """How well columns, and the share of rows that are whole, speak for a chat: softly, but for hubbub's own."""
    if tuple(columns) == OWN:
        return Clue(CERTAIN, "a table with the columns that hubbub writes")
    if said and not any(_missing(column, columns) for column in said.values()):
        return Clue(share, "a table with the columns that --columns names")
    found = Columns().of(columns)
    if "text" not in found or len(columns) < 2 or share < 0.5:
        return None
    best = 0.8 if "author" in found else 0.5
    named = " and ".join(repr(found[what]) for what in ("author", "text", "time") if what in found)
    return Clue(best * share, f"a table with the columns {named}")


def chats(table: Table, options: Options) -> Iterator[Stream]:
    """The chats of a table."""
    return _Reader(table, _checked(table, options.columns), options).streams()


def _checked(table: Table, said: Mapping[str, str]) -> Columns:
    for what, column in said.items():
        if what not in COLUMN_NAMES:
            raise OptionError("--columns", f"{what}={column}", f"what a column can be is {', '.join(COLUMN_NAMES)}")
        if _missing(column, table.columns) and _missing(column, every := table.every_column()):
            raise OptionError("--columns", f"{what}={column}", f"{table.place} has only the columns {', '.join(every)}")
    columns = Columns(said, frozenset({"id"} if _ids_repeat(table, said) else ()))
    if "text" not in columns.of(table.columns):
        shown = ", ".join(table.columns) or "none"
        raise WrongFormat(table.place, table.format, f"no column looks like the text of messages; there are: {shown}")
    return columns


def _ids_repeat(table: Table, said: Mapping[str, str]) -> bool:
    if "id" in said or table.columns == OWN:
        return False
    ids = [string(row.get(Columns().of(row).get("id", ""))) for row in table.sample]
    given = [one for one in ids if one]
    return len(set(given)) < len(given)


def _missing(column: str, names: Iterable[str]) -> bool:
    return plain_name(column) not in map(plain_name, names)


@dataclass
class _Reader:
    table: Table
    columns: Columns
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
        return self.table.columns == OWN and not self.columns.said

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
        groups, damaged = self._groups
        if is_first:
            report.merge(damaged)
        return self._messages(iter(groups[name]), first, report)

    @cached_property
    def _groups(self) -> tuple[dict[str, list[tuple[int, Row]]], Report]:
        damaged = Report()
        groups: dict[str, list[tuple[int, Row]]] = {}
        for number, row in self.table.rows(damaged):
            groups.setdefault(self._chat(row, self.columns.of(row)), []).append((number, row))
        return groups, damaged

    def _messages(self, rows: Iterator[tuple[int, Row]], first: int, report: Report) -> Iterator[Message]:
        count, day = first, Clock(self.options.date, self.options.timezone)
        for number, row in rows:
            report.total += 1
            found = self.columns.of(row)
            if found.get("text") not in row:
                report.unexplain(self.table.place, number, "a record without a text")
                continue
            yield self._timed(self._message(row, found, count), row.get(found.get("time", "")), day)
            count += 1

    def _message(self, row: Row, found: Mapping[str, str], count: int) -> Message:
        cell = {what: row.get(column) for what, column in found.items()}
        author, text = _words(cell.get("author")), _words(cell["text"])
        given = _words(cell.get("id"))
        return Message(
            given if self.exact else clean(given).strip() or str(count),
            self.moments.read(self._moment(row, found)),
            author if self.exact else clean(author).strip(),
            text if self.exact else clean(text),
            _kind(cell.get("kind")),
            _replies(cell.get("reply_to")),
            _clock(cell.get("clock")),
        )

    def _timed(self, message: Message, told: object, day: Clock) -> Message:
        """A time of day without its day, if that is all the table has."""
        if message.time or message.clock or not (isinstance(told, str) and (shown := time_of_day(told))):
            return message
        when = day.at(shown.hour, shown.minute, shown.second)
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


def _replies(value: object) -> tuple[str, ...]:
    """One id, a list of ids, or a list of ids written as JSON."""
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return (str(value),)
    if isinstance(value, list):
        return tuple(_words(one) for one in value)
    one = _words(value)
    return (one,) if one.strip() else ()


def _clock(value: object) -> Time | None:
    if isinstance(value, Time):
        return value
    try:
        return Time.fromisoformat(value) if isinstance(value, str) and value else None
    except ValueError:
        return None
