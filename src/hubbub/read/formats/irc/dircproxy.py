"""dircproxy: [15 Jan 08:42] <nick!user@host> text, with a + or - before the text on servers that identify."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ...detect.file_head import Sample
from ...format import Format, Options, Stream
from ...input.source import Source
from ...times.clock import Clock
from .dialect import Dialect
from .events import Event, notice, system

_STAMP = r"\[(\d{1,2} \w{3} \d\d:\d\d(?::\d\d)?|\d\d:\d\d(?::\d\d)?)\] "
_HOST = r"(?:!\S+@\S+)?"
_SPEECH = re.compile(rf"{_STAMP}<[^>]+> (.?)")
_LINE = re.compile(rf"(?:{_STAMP}(?:<([^>!]+){_HOST}> ?(.*)|\* (\S+?){_HOST} (.*))?)?")
_IDENTIFIED_LINE = re.compile(rf"(?:{_STAMP}(?:<([^>!]+){_HOST}> ?[+-]?(.*)|\* (\S+?){_HOST} (.*))?)?")
_NOTICE = re.compile(r"-([^\s!-][^\s!]*)(?:!\S+)?- ?(.*)")


def _event(rest: str, clock: Clock) -> Event | None:
    if rest.startswith("*** "):
        return system(rest[4:])
    if found := _NOTICE.match(rest):
        return notice(found[1], found[2])
    return None


DIALECT = Dialect(
    "dircproxy",
    _LINE,
    _event,
    re.compile(r"^\[[^]]+\] (?:<[^>!\s]+![^>\s]+@|\*\*\* You (?:dis)?connected)"),
    plain=0.2,
)


def _read(source: Source, options: Options) -> Iterator[Stream]:
    """If every message starts with a + or -, those are the server's marks and not the people's."""
    firsts = {found[2] for line in Sample(source).lines if (found := _SPEECH.match(line))}
    identified = bool(firsts) and firsts <= {"+", "-"}
    yield from replace(DIALECT, line=_IDENTIFIED_LINE if identified else _LINE).read(source, options)


FORMAT = Format("dircproxy", DIALECT.sniff, _read)
