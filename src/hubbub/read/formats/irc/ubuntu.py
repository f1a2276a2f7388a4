"""The public Ubuntu channel logs: [hh:mm] <nick> text, -nick- for notices, and === before what nobody said.

Long ago, actions had the === too; others are written with a star, and in some logs with a tab behind the nick.
"""

from __future__ import annotations

import re

from ...times.clock import Clock
from .dialect import Dialect
from .events import Event, action, known, notice, rename, system

_LINE = re.compile(r"(?:\[(\d\d:\d\d)\] (?:<([^>]+)> ?(.*)| \* (\S+) ?(.*))?)?")
_NOTICE = re.compile(r"-([^\s!-][^\s!]*?(?:![^\s]*)?(?:[:/][#&]\S+)?)- ?(.*)|\(([^\s/()]+)/[#&]\S+\) (.*)")
_STAR = re.compile(r"\*(?: +(\S+) (.*)|([^\s*]\S*)\t(.*))")
_RENAME = re.compile(r"(\S.*?) +is now known as (\S+) *$")
_SYSTEM = re.compile(
    r"(?P<nick>\S.*?) +(?:\[[^]]*\]?  ?has (?:joined|left|quit)\b"
    r"|has (?:joined|left|quit|set the topic|changed the topic)\b|(?:entered|left) the room\b"
    r"|(?:changed|changes|sets?) (?:the )?(?:topic|mode)\b|was kicked\b|kicked \S+ (?:from|off)\b)"
    r"|mode/\S+ |\.\.\[topic/|Topic |Starting logfile |\S+ mode (?:change|is)"
    r"|(?:You are|You're) now |Now talking |Users on "
)


def _event(rest: str, clock: Clock) -> Event | None:
    if found := _NOTICE.match(rest):
        return notice(found[1] or found[3], found[2] if found[1] else found[4])
    if found := _STAR.match(rest):
        nick, deed = (found[1], found[2]) if found[1] else (found[3], found[4])
        return known(f"{nick} {deed}") or Event(nick.lstrip("@+%&~"), deed.strip(), "action")
    if not rest.startswith("==="):
        return None
    said = rest[3:].strip()
    if found := _RENAME.match(said):
        return rename(found[1], found[2])
    if found := _SYSTEM.match(said):
        return Event(found["nick"], said) if found["nick"] else system(said)
    return action(said)


DIALECT = Dialect("ubuntu", _LINE, _event, re.compile(r"^=== "), plain=0.9)
FORMAT = DIALECT.format()
