"""The forms in which the bot of a bridge repeats what somebody said elsewhere: `<nick> text`, `[nick] text` ..."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from ...chat import RENAME, Kind, Message
from ...text import clean

# Characters without width, which bots put into names so that nobody is alerted. The joiners belong to the writing of
# some scripts, so they are only removed between ASCII characters.
UNSEEN = re.compile("[\u200b\u2060\ufeff\u00ad]|(?<=[!-~])[\u200c\u200d](?=[!-~])")
_EDGE = "[\u200b\u200c\u200d\u2060\ufeff\u00ad]*"
_FORM = re.compile(
    rf"{_EDGE}(?:"
    r"(?:\*\*|[*`_]?)<(?P<angle>[^\n]{1,40}?)>(?:\*\*|[*`_]?):?"
    r"|(?:\*\*|[*`]?)\[(?P<bracket>[^\n]{1,40}?)\](?:\*\*|[*`]?):?"
    r"|\((?P<paren>[^\n]{1,40}?)\):?"
    r"|(?P<mark>\*\*|\*|__)(?P<bold>[^\s*][^\n*]{0,39}?):?(?P=mark):?"
    r"|(?P<colon>[^\s:*][^\n:]{0,39}?):"
    r")(?: |\Z|(?<=[\])])(?=[<\[(]))"
)
ACTION = re.compile(rf"{_EDGE}\*{{1,3}} (?=\S)")
WORD = re.compile(r"\S+")
_COMING = re.compile(r"(?:has |have )?(?:joined|left|quit|parted|disconnected)\b")
_BARE_COMING = re.compile(  # the same without a star, whole, for people also write "left of the church"
    r"has (?:joined|left|quit|parted|disconnected)\b|(?:joined|left|quit|parted|disconnected)(?: the (?:channel|chat|"
    r"group|room|server))?(?: \(.*\))?[.!]?\Z"
)
NOTICE = re.compile(r"\S.{0,60}\b(?:joined|left|quit|parted|disconnected|now known as)\b")
_MODES = "@+%"
_MOSTWORDS = 4  # of a display name
_MOST_NAMES = 10_000  # names of one bot that are kept, to find out where the name of an action ends


def shown(name: str) -> str:
    """A name without what a bot adds to it: characters without width, bold type, the sign of an operator."""
    bare = UNSEEN.sub("", clean(name)).strip()
    if len(bare) > 2 and bare[0] in "*`" and bare[-1] == bare[0]:
        bare = bare.strip(bare[0]).strip() or bare
    return bare[1:] if len(bare) > 1 and bare[0] in _MODES else bare


def core(name: str) -> str:
    """ann for ann_, ann2 and ann|."""
    return name.strip("_-`^|0123456789[]{}\\") or name


def is_name(name: str) -> bool:
    return any(map(str.isalpha, name)) and len(name.split()) <= _MOSTWORDS and "://" not in name


class Inner(NamedTuple):
    """A form at the beginning of a text: which, the name in it, and where the text proper begins."""

    form: str
    name: str
    end: int


def inner(text: str, start: int = 0) -> Inner | None:
    match = _FORM.match(text, start)
    if match is None or match.lastgroup is None:
        return None
    name = _name(match[match.lastgroup])
    return Inner(match.lastgroup, name, match.end()) if name else None


@lru_cache(maxsize=8192)
def _name(written: str) -> str:
    """The name as it is shown, or "" if it is none; a relay writes the same few over and over."""
    name = shown(written)
    return name if is_name(name) else ""


Read = tuple[str, Kind, list[tuple[int, int]]]  # the author, the kind, and the spans to cut out of the text


@dataclass(slots=True)
class Bot:
    """A recognised bot: the forms that it uses, and what it writes before them to name a network."""

    forms: frozenset[str]
    tags: frozenset[str] = frozenset()
    names: set[str] = field(default_factory=set)

    def find(self, text: str) -> Inner | None:
        """Who says a text, behind the tag of a network if there is one."""
        found = inner(text)
        if found and found.name in self.tags:
            found = inner(text, found.end)
        return found if found and found.form in self.forms and found.name not in self.tags else None

    def read(self, message: Message) -> Read | None:
        """Who wrote a message of the bot, or None if it is the bot's own."""
        if message.kind == "system":
            return None
        found = self.find(message.text)
        if found is None:
            return self.read_action(message.text)
        if len(self.names) < _MOST_NAMES:
            self.names.add(found.name)
        return found.name, message.kind, [(0, found.end)]

    def read_action(self, text: str) -> Read | None:
        """`* nick does`, and what is announced: `* nick has joined`, `nick has quit`, `* old is now known as new`."""
        start = self._tagged(text)
        match = ACTION.match(text, start)
        start = match.end() if match else start
        if (end := self._name_end(text, start)) is None:
            return None
        name, rest = shown(text[start:end]), text[end + 1 :]
        is_coming = (_COMING if match else _BARE_COMING).match(rest) or f" {rest}".startswith(RENAME)
        if is_coming:
            return name, "system", _around(text, name, start, end)
        return (name, "action", [(0, min(end + 1, len(text)))]) if match else None

    def _tagged(self, text: str) -> int:
        found = inner(text) if self.tags else None
        return found.end if found and found.name in self.tags else 0

    def _name_end(self, text: str, start: int) -> int | None:
        """Where the name at `start` ends: the longest that is known, else the first word."""
        ends = [match.end() for match, _ in zip(WORD.finditer(text, start), range(_MOSTWORDS), strict=False)]
        known = [end for end in ends if shown(text[start:end]) in self.names]
        end = known[-1] if known else ends[0] if ends else start
        return end if known or (is_name(shown(text[start:end])) and text[end - 1] not in ".,:;!?") else None


def _around(text: str, name: str, start: int, end: int) -> list[tuple[int, int]]:
    """The spans to cut so that a text begins with the name that now stands between start and end with other signs."""
    at = text.find(name, start, end)
    if at < 0:
        return [(0, start), *(each.span() for each in UNSEEN.finditer(text, start))]
    after = [(at + len(name), end)] if at + len(name) < end else []
    return [(0, at), *after, *(each.span() for each in UNSEEN.finditer(text, end))]
