"""What a file's name and place say: the channel, and the day."""

from __future__ import annotations

import re
from datetime import date
from pathlib import PurePosixPath

from ..times.clock import MONTHS

_DATE = re.compile(r"(?<!\d)(\d{4})([-_./]?)(\d{2})\2(\d{2})(?!\d)")
_MEETING = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d-\d\d\.\d\d(?!\d)")  # MeetBot: orchard.2013-02-10-14.00.log.txt
_DAY_MONTH_YEAR = re.compile(rf"(?<!\d)(\d{{1,2}})[-_ ]?({'|'.join(MONTHS)})[a-z]*[-_ ]?(\d{{4}})(?!\d)", re.I)
_DAY_FIRST = re.compile(r"(?<!\d)(\d{2})([-_.])(\d{2})\2(\d{4})(?!\d)")
_YEAR_AND_MONTH = re.compile(r"(?<=[-_.])(?:19|20)\d\d[-_]?(?:0[1-9]|1[0-2])$")
_ENDINGS = re.compile(
    r"(?i)(\.(log|txt|text|irc|weechatlog|json|jsonl|ndjson|csv|tsv|parquet|vtt|srt|conll|html?|gz|bz2|xz|zst|raw))+$"
)
_CHANNEL = re.compile(r"[#&][^\s,]*")
_DAY_PART = re.compile(
    rf"(?i)\d{{1,8}}|(?:19|20)\d\d[-_.]?[wW]?\d\d(?:[-_.]\d\d)?|\d\d[-_.]\d\d(?:[-_.]\d{{4}})?|(?:{'|'.join(MONTHS)})[a-z]*"
)
_EDGES = " ._-"
_PLAIN = re.compile(r"(?i)^(<stdin>|messages?|chat|log|logs|export|result|irc|channel|raw|\d*)$")


def date_in(name: str) -> date | None:
    """The day that a path names: 2013-01-05, 20130105, 2013-01/05, 24Apr2005 ..."""
    path = name.replace("\\", "/")
    for found in reversed(list(_DATE.finditer(path.replace("/", "-")))):
        if day := _day(int(found[1]), int(found[3]), int(found[4])):
            return day
    if named := _DAY_MONTH_YEAR.search(path):
        return _day(int(named[3]), MONTHS[named[2].lower()], int(named[1]))
    if (plain := _DAY_FIRST.search(path)) and int(plain[1]) > 12:
        return _day(int(plain[4]), int(plain[3]), int(plain[1]))
    return None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if 1970 <= year <= 2100 else None
    except ValueError:
        return None


def chat_name(name: str) -> str:
    """What a file's name says beside its date and ending, or "" if that is nothing.

    "#qtox_20170209.log.txt" -> "#qtox", "irc.libera.#chan.weechatlog" -> "#chan", "2013-01-05.log" -> "".
    """
    stem = _ENDINGS.sub("", PurePosixPath(name.replace("\\", "/")).name)
    channel = _CHANNEL.search(stem)
    stem = channel[0] if channel else stem
    for date_like in (_MEETING, _DATE, _DAY_MONTH_YEAR, _DAY_FIRST, _YEAR_AND_MONTH):
        stem = date_like.sub("", stem)
    stem = _ENDINGS.sub("", stem.strip(_EDGES)).strip(_EDGES)
    return "" if _PLAIN.match(stem) else stem


def network_of(name: str) -> tuple[str, ...]:
    """What a path says of where a chat comes from: its folders and what stands before the channel, without dates.

    "freenode/2013-01/05/#tea.txt" -> ("freenode",), "logs/irc.libera.#tea.weechatlog" -> ("logs", "irc.libera").
    """
    path = PurePosixPath(name.replace("\\", "/"))
    channel = _CHANNEL.search(path.name)
    before = path.name[: channel.start()].strip(_EDGES) if channel else ""
    return tuple(part for part in (*path.parent.parts, before) if part and not _DAY_PART.fullmatch(part))


def local_identity(place: str, *parts: str) -> str:
    """The identity of a chat by names or numbers that another server may give too: the folders tell servers apart."""
    return "/".join((*network_of(place), *parts)) if any(parts) else ""


def fallback_name(name: str) -> str:
    """A name for a chat that nothing names: the nearest folder that has one, else the file without its ending."""
    path = PurePosixPath(name.replace("\\", "/"))
    named = next(filter(None, (chat_name(folder.name) for folder in path.parents)), "")
    return named or _ENDINGS.sub("", path.name) or "chat"


def name_from_path(name: str) -> str:
    """The best name for a chat that a file's name and place give."""
    return chat_name(name) or fallback_name(name)
