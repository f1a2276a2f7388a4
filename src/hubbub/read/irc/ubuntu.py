"""The public Ubuntu channel logs: [hh:mm] <nick> text, and === before what nobody said, or, long ago, actions."""

from __future__ import annotations

import re

from ..clock import Clock
from .engine import Dialect
from .events import Event, action, rename, system

_LINE = re.compile(r"(?:\[(\d\d:\d\d)\] (?:<([^>]+)> ?(.*)| \* (\S+) ?(.*))?)?")
_RENAME = re.compile(r"(\S.*?) +is now known as (\S+) *$")
_SYSTEM = re.compile(
    r"(?P<nick>\S.*?) +(?:\[[^]]*\]?  ?has (?:joined|left|quit)\b"
    r"|has (?:joined|left|quit|set the topic|changed the topic)\b|(?:entered|left) the room\b"
    r"|(?:changed|changes|sets?) (?:the )?(?:topic|mode)\b|was kicked\b|kicked \S+ (?:from|off)\b)"
    r"|mode/\S+ |Topic |Starting logfile |\S+ mode (?:change|is)|(?:You are|You're) now |Now talking |Users on "
)


def _event(rest: str, clock: Clock) -> Event | None:
    if not rest.startswith("==="):
        return None
    said = rest[3:].strip()
    if found := _RENAME.match(said):
        return rename(found[1], found[2])
    if found := _SYSTEM.match(said):
        return Event(found["nick"], said) if found["nick"] else system(said)
    return action(said)


FORMAT = Dialect("ubuntu", _LINE, _event, re.compile(r"^=== "), plain=0.9).format()
