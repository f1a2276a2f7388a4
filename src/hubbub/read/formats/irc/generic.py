"""Any other IRC log: some time, or none, then <nick> text; stars, dashes or arrows before what nobody said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ...detect.file_head import Sample
from ...format import Options, Stream
from ...input.source import Source
from ...times.clock import Clock
from .channel_column import CHANNEL, COLUMN, has_column, read_channels
from .dialect import NO_ACTION, USUAL, Dialect
from .events import Event, action, known, notice, system
from .timestamps import STAMP, read_day

_LINE = re.compile(
    rf"(?:[\[(]?({STAMP})(?:[\])]?[:,]?\s+|[\])](?=<))(?:{CHANNEL})?)?"
    rf"(?:< *+[@+%&~!]?([^> ]++(?: ++[^> ]++)*) *+>:?\s?(.*){NO_ACTION})?"
)
_MARK = re.compile(r"(?:\*\*\*|-!-|---|===|###|-->|<--|>>>|\*\*|--|@|[→←⇐])\s+(.*)")
_STAR = re.compile(r"[*—•]\s+(.*)")
# Other words before a tab are somebody's name, or Konversation's in another language: those lines stay whole.
_KONVERSATION = re.compile(
    r"(?:Away|Ban|CTCP|Created|Error|Help|Info|Invite|Join|Kick|MOTD|Mode|Names|Nick|Notice|Notify|Part|Quit|Support|Topic"
    r"|URL|Unban|Usage|Userhost|Warning|Welcome|Whois|Who)\t(.*)"
)
_NOTICE = re.compile(r"-([^\s!-]\S*)-\s?(.*)")


def _event(rest: str, clock: Clock) -> Event | None:
    if found := _MARK.match(rest):
        if (day := read_day(found[1])) and ("changed" in rest or "Log" in rest or len(rest) < 40):
            clock.announce(day)
        return system(found[1])
    if found := _STAR.match(rest):
        return known(found[1].strip()) or action(found[1])
    if found := _NOTICE.match(rest):
        return notice(found[1], found[2])
    if found := _KONVERSATION.match(rest):
        return system(found[1])
    return known(rest)


DIALECT = Dialect("irc", _LINE, _event, COLUMN, plain=USUAL)


def _read(source: Source, options: Options) -> Iterator[Stream]:
    return (read_channels if has_column(Sample(source)) else Dialect.read)(DIALECT, source, options)


FORMAT = replace(DIALECT.format(), read=_read)
