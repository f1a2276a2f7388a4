"""What IRC programs write about joins, parts, modes and renames, in the words that most of them share."""

from __future__ import annotations

import re
from typing import NamedTuple

from ....chat import RENAME, Kind


class Event(NamedTuple):
    """What a line that nobody said turned out to be."""

    author: str
    text: str
    kind: Kind = "system"


_RENAME = re.compile(
    r"(?:Nick change: (?P<a>\S+) -> (?P<b>\S+)"
    r"|(?!You )(?P<c>\S+)(?: \[\S+\])? (?:(?:is|are) now known as"
    r"|(?:has )?changed (?:his |her |their )?nick(?:name)? to"
    r"|materializes into) (?P<d>\S+?)\.?) *$"
)
_COMING = re.compile(r"(?:Joins|Parts|Quits|Join|Part|Quit): (?P<nick>[^\s:]+)")
_HOST = r"(?: [\[(<]\S*[\])>])?"
_DOING = re.compile(
    rf"(?P<nick>\S+){_HOST} (?:has (?:joined|left|quit|kicked|set|changed|invited|removed|given|been)\b"
    r"|(?:has )?(?:joined|left) (?:channel |the channel|irc\b|IRC\b|[#&])|(?:entered|left) the room|quit \("
    r"|was kicked\b|kicked \S+ (?:from|off|out)|kicked from [#&]"
    r"|sets? (?:channel \S+ )?mode\b|(?:changes|changed|sets|set) (?:the )?topic\b|sets the channel\b"
    r"|gives? (?:channel |voice)|removes? (?:ban|channel|voice|\S+ keyword)|sets? ban\b)"
)
_REASON = r"(?: ?(?:\(.*\)|\[.*\]|\".*\"))?\.?$"
_COMING_OR_GOING = re.compile(
    r"(?:[\[(<][^\s@]+@\S+[\])>] )?(?:(?:has )?joined (?:the channel|(?:channel )?[#&]\S+)"
    r"|(?:has )?left (?:the channel|(?:channel )?[#&]\S+|IRC|irc)"
    rf"|has (?:joined|quit)(?: IRC| irc)?|quit(?= [(\[])){_REASON}|is now known as (?P<new>\S+)$"
)
_BY = re.compile(
    r"(?:(?:Server)?[Mm]ode/\S+ .*|Mode change .*|[#&]\S*: mode change .*|Mode \S+ \[.*\]"
    r"|Topic (?:changed|set)\b.*?|Topic for \S+ set|Set) by (?P<nick>[^\s!:]+)"
)
_MASKED = re.compile(r"(?P<nick>\S+) [\[(<][^\s@]+@[^\s@]+[\])>] \S")  # whatever the language it goes on in
_IMPERSONAL = re.compile(
    r"(?:Topic\b|Now talking\b|You(?:'re| are| have|r)? |Irssi: |Netsplit|Disconnected|Connected|Connecting"
    r"|Retrieving|Rejoin|Attempting|Total of|Users on|Channel |Home page|Server|Mode|Started logging|Session )"
)
_PERSON = re.compile(r"([^\s:]+)(?: [\[(]\S+[\])])? (?:joined|left|quit|parted)\b")


def known(said: str) -> Event | None:
    """The event that this sentence announces, or None if it may just as well be an action."""
    if found := _RENAME.match(said):
        return rename(found["a"] or found["c"], found["b"] or found["d"])
    for pattern in (_COMING, _BY, _DOING, _MASKED):
        if found := pattern.match(said):
            return Event(found["nick"].lstrip("@+%&~").partition("!")[0], said)
    return Event("", said) if _IMPERSONAL.match(said) else None


def coming(nick: str, deed: str) -> Event | None:
    """The event, if a line that is marked as an action says in a program's own words that somebody came or went.

    Only whole lines count: who "has left the building" does something.
    """
    said = f"{nick} {deed}"
    if announced := _COMING.match(said):
        return Event(announced["nick"], said)
    if not (found := _COMING_OR_GOING.match(deed)):
        return None
    return rename(nick, found["new"]) if found["new"] else Event(nick.lstrip("@+%&~").partition("!")[0], said)


def system(said: str) -> Event:
    """An event for certain, because the log marks it as one, whatever its words."""
    said = said.strip()
    if event := known(said):
        return event
    found = _PERSON.match(said)
    return Event(found[1] if found else "", said)


def action(said: str) -> Event:
    """`nick does something`."""
    nick, _, deed = said.strip().partition(" ")
    return Event(nick.lstrip("@+%&~"), deed.strip(), "action") if deed else Event("", nick)


def notice(nick: str, said: str) -> Event:
    """A notice is something said."""
    return Event(re.split(r"[(:/!]", nick, maxsplit=1)[0], said, "message")


def rename(old: str, new: str) -> Event:
    return Event(old, f"{old}{RENAME}{new}")
