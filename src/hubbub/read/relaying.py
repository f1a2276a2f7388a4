"""The forms in which the bot of a bridge repeats what somebody said elsewhere, and how such a bot is recognised.

A bot is recognised by what it does in the chat, never by its name: nearly all of its messages have such a form, the
names in them recur, and they are people, which shows in that others address them. Somebody who addresses others
(`anna: yes`) names people who speak in the chat themselves; a bot that announces (`[website] 2 new commits`) names
things that nobody addresses; somebody who pastes a log does it in one go.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ..chat import RENAME, Kind, Message
from ..text import clean

# Characters without width, which bots put into names so that nobody is alerted. The joiners belong to the writing of
# some scripts, so they are only removed between ASCII characters.
_UNSEEN = re.compile("[\u200b\u2060\ufeff\u00ad]|(?<=[!-~])[\u200c\u200d](?=[!-~])")
_EDGE = "[\u200b\u200c\u200d\u2060\ufeff\u00ad]*"
_FORM = re.compile(
    rf"{_EDGE}(?:"
    r"(?:\*\*|[*`_]?)<(?P<angle>[^\n]{1,40}?)>(?:\*\*|[*`_]?):?"
    r"|(?:\*\*|[*`]?)\[(?P<bracket>[^\n]{1,40}?)\](?:\*\*|[*`]?):?"
    r"|\((?P<paren>[^\n]{1,40}?)\):?"
    r"|(?P<mark>\*\*|\*|__)(?P<bold>[^\s*][^\n*]{0,39}?):?(?P=mark):?"
    r"|(?P<colon>[^\s:*][^\n:]{0,39}?):"
    r")(?: |\Z|(?<=\])(?=<))"
)
_ACTION = re.compile(rf"{_EDGE}\*{{1,3}} (?=\S)")
_WORD = re.compile(r"\S+")
_COMING = re.compile(r"(?:has |have )?(?:joined|left|quit|parted|disconnected)\b")
_NOTICE = re.compile(r"\S.{0,60}\b(?:joined|left|quit|parted|disconnected|now known as)\b")
_MODES = "@+%"
_MOST_WORDS = 4  # of a display name
_MOST_NAMES = 10_000  # names of one bot that are kept, to find out where the name of an action ends


def shown(name: str) -> str:
    """A name without what a bot adds to it: characters without width, bold type, the sign of an operator."""
    bare = _UNSEEN.sub("", clean(name)).strip()
    if len(bare) > 2 and bare[0] in "*`" and bare[-1] == bare[0]:
        bare = bare.strip(bare[0]).strip() or bare
    return bare[1:] if len(bare) > 1 and bare[0] in _MODES else bare


def core(name: str) -> str:
    """ann for ann_, ann2 and ann|."""
    return name.strip("_-`^|0123456789[]{}\\") or name


def is_name(name: str) -> bool:
    return any(map(str.isalpha, name)) and len(name.split()) <= _MOST_WORDS and "://" not in name


class Inner(NamedTuple):
    """A form at the beginning of a text: which, the name in it, and where the text proper begins."""

    form: str
    name: str
    end: int


def inner(text: str, start: int = 0) -> Inner | None:
    match = _FORM.match(text, start)
    if match is None or match.lastgroup is None:
        return None
    name = shown(match[match.lastgroup])
    return Inner(match.lastgroup, name, match.end()) if is_name(name) else None


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
            return self.done(message.text)
        if len(self.names) < _MOST_NAMES:
            self.names.add(found.name)
        return found.name, message.kind, [(0, found.end)]

    def done(self, text: str) -> Read | None:
        """`* nick does`, and what is told in that form: `* nick has joined`, `* old is now known as new`."""
        match = _ACTION.match(text, self._tagged(text))
        if match is None or (end := self._name_end(text, match.end())) is None:
            return None
        name, rest = shown(text[match.end() : end]), text[end + 1 :]
        if not _COMING.match(rest) and not f" {rest}".startswith(RENAME):
            return name, "action", [(0, min(end + 1, len(text)))]
        return name, "system", _around(text, name, match.end(), end)

    def _tagged(self, text: str) -> int:
        found = inner(text) if self.tags else None
        return found.end if found and found.name in self.tags else 0

    def _name_end(self, text: str, start: int) -> int | None:
        """Where the name at `start` ends: the longest that is known, else the first word."""
        ends = [match.end() for match, _ in zip(_WORD.finditer(text, start), range(_MOST_WORDS), strict=False)]
        known = [end for end in ends if shown(text[start:end]) in self.names]
        end = known[-1] if known else ends[0]
        return end if known or (is_name(shown(text[start:end])) and text[end - 1] not in ".,:;!?") else None


def _around(text: str, name: str, start: int, end: int) -> list[tuple[int, int]]:
    """The spans to cut so that a text begins with the name that now stands between start and end with other signs."""
    at = text.find(name, start, end)
    if at < 0:
        return [(0, start), *(each.span() for each in _UNSEEN.finditer(text, start))]
    after = [(at + len(name), end)] if at + len(name) < end else []
    return [(0, at), *after, *(each.span() for each in _UNSEEN.finditer(text, end))]


class Limits(NamedTuple):
    """What an author must show before it counts as a bot that relays."""

    messages: int
    share: float  # of its messages have the form
    recurring: int  # names with two messages or more
    top: float  # at most this share of the messages have the commonest name
    own: float  # at most this share have the name of somebody who speaks in the chat
    addressed: int  # names that others address
    addressed_share: float  # of the recurring names


# The plainer a form, the more people and other bots use it too, and the more must speak for a relay. Hardly anybody
# else begins every message with <name> or **name**; announcing bots use brackets; everybody addresses with a colon.
_LIMITS = {
    "angle": Limits(8, 0.7, 2, 0.9, 0.5, 0, 0.0),
    "bold": Limits(8, 0.7, 2, 0.9, 0.5, 0, 0.0),
    "bracket": Limits(10, 0.8, 2, 0.9, 0.5, 2, 0.2),
    "paren": Limits(10, 0.8, 2, 0.9, 0.5, 2, 0.2),
    "colon": Limits(12, 0.85, 3, 0.9, 0.2, 2, 0.2),
}
_FEWEST = min(limits.messages for limits in _LIMITS.values())
_LEAST_SHARE = 0.4  # of the messages have a form, before it is known which are actions and notices
_FEW_NAMES = 3  # fewer names than this in a strong form must at least be addressed
_PLENTY, _NEARLY_ALL = 40, 0.9  # so many messages in a strong form relay even people who are on both sides
_OWN_ALIKE = 0.5
_USED = 0.1  # the share of its messages from which on a form is one that the bot uses
# A tag is followed by a form in nearly all of at least so many messages, mostly with names of people who do not speak.
_TAG_MESSAGES, _TAG_MESSAGES_COLON, _TAG_SHARE, _TAG_OTHERS = 2, 4, 0.9, 0.6
_RUNS, _RUN_SHARE = 3, 0.05  # a relay takes turns with others; a pasted log does not
_ALONE = 0.8  # unless hardly anybody else talks


class Window:
    """The messages on which bots are judged, and the people, in small letters, whom known bots relay."""

    def __init__(self, messages: Sequence[Message], relayed: Collection[str]) -> None:
        self.messages = messages
        self.relayed = relayed

    @cached_property
    def spoken(self) -> int:
        return sum(message[4] != "system" for message in self.messages)

    @cached_property
    def authors(self) -> frozenset[str]:
        names = {message[2] for message in self.messages if message[4] != "system"}
        return frozenset(name.lower() for name in names)

    @property
    def speakers(self) -> frozenset[str]:
        """Who says something, in small letters, by himself or through a bot that is known."""
        return self.authors.union(self.relayed)

    def of(self, authors: Collection[str]) -> dict[str, list[int]]:
        """Where each of these authors says something."""
        found: dict[str, list[int]] = {author: [] for author in authors}
        for place, message in enumerate(self.messages):
            if message[2] in found and message[4] != "system":
                found[message[2]].append(place)
        return found


def recognised(author: str, places: list[int], window: Window) -> Bot | None:
    """The bot that this author is, if it is one."""
    texts = [window.messages[place].text for place in places]
    found = [inner(text) for text in texts]
    if len(texts) < _FEWEST or sum(1 for each in found if each) < _LEAST_SHARE * len(texts):
        return None
    tags = _tags(texts, found, window)
    forms = Counter(each.form for each in _untagged(texts, found, tags))
    bot = Bot(frozenset(form for form, count in forms.items() if count >= _USED * forms.total()), tags)
    said = [each for text in texts if (each := bot.find(text))]
    bot.names.update(each.name for each in said)
    return bot if said and _is_relay(author, places, texts, said, bot, window) else None


def _untagged(texts: list[str], found: list[Inner | None], tags: Collection[str]) -> Iterator[Inner]:
    for text, each in zip(texts, found, strict=True):
        if each and each.name in tags:
            each = inner(text, each.end)
        if each:
            yield each


def _tags(texts: list[str], found: list[Inner | None], window: Window) -> frozenset[str]:
    """Names behind which nearly always another form follows, of somebody else: networks (`[discord] <nick> text`)."""
    outer = Counter(each.name for each in found if each)
    followed, others, colons = Counter[str](), Counter[str](), Counter[str]()
    for text, each in zip(texts, found, strict=True):
        if each and each.form != "colon":
            further = inner(text, each.end)
            is_action = bool(_ACTION.match(text, each.end))
            followed[each.name] += bool(is_action or further)
            others[each.name] += is_action or bool(further and _is_other(further, outer, window))
            colons[each.name] += bool(further and further.form == "colon")
    return frozenset(
        name
        for name, count in followed.items()
        if count >= max(_TAG_MESSAGES_COLON if colons[name] else _TAG_MESSAGES, _TAG_SHARE * outer[name])
        and others[name] >= _TAG_OTHERS * outer[name]
    )


def _is_other(found: Inner, outer: Collection[str], window: Window) -> bool:
    """Whether a form names the author and nobody who is addressed."""
    return found.form != "colon" or (found.name not in outer and found.name.lower() not in window.speakers)


def _is_relay(author: str, places: list[int], texts: list[str], said: list[Inner], bot: Bot, window: Window) -> bool:
    limits = [_LIMITS[form] for form in bot.forms]
    need = Limits(*(pick(column) for pick, column in zip(_STRICTER, zip(*limits, strict=True), strict=True)))
    names = Counter(each.name for each in said)
    rest = [text for text in texts if not bot.find(text)]
    acted = [text for text in rest if bot.done(text)]
    noticed = sum(1 for text in rest if _NOTICE.match(text) and text not in acted)
    counted, recurring = len(texts) - noticed, sum(1 for count in names.values() if count > 1)
    share = (len(said) + len(acted)) / max(counted, 1)
    if counted < need.messages or share < need.share or recurring < need.recurring:
        return False
    if max(names.values()) > need.top * len(said) or not _takes_turns(places, window):
        return False
    certain = need.addressed == 0 and counted >= _PLENTY and share >= _NEARLY_ALL
    if not certain and _is_own(names, window.speakers, need.own, "colon" in bot.forms):
        return False
    least = max(need.addressed, need.addressed_share * recurring, 1 if len(names) < _FEW_NAMES else 0)
    return not least or _addressed(author, names, bot, window) >= least


_STRICTER = (max, max, max, min, min, max, max)


def _takes_turns(places: list[int], window: Window) -> bool:
    runs = 1 + sum(1 for one, other in pairwise(places) if other > one + 1)
    return runs >= max(_RUNS, _RUN_SHARE * len(places)) or len(places) >= _ALONE * window.spoken


def _is_own(names: Counter[str], speakers: Collection[str], most: float, addressing: bool) -> bool:
    """Whether too many messages have the name of somebody who speaks in the chat.

    Where it is the form in which people address each other, they may write ann for ann_; but people who are on both
    sides of a bridge also have such names, so that more of these are allowed.
    """
    said = names.total()
    if sum(count for name, count in names.items() if name.lower() in speakers) > most * said:
        return True
    cores = {core(speaker) for speaker in speakers} if addressing else ()
    return sum(count for name, count in names.items() if core(name.lower()) in cores) > _OWN_ALIKE * said


def _addressed(author: str, names: Iterable[str], bot: Bot, window: Window) -> int:
    """How many of the names others address, with a colon or comma behind them or an @ before."""
    by_word: dict[str, list[str]] = {}
    for name in names:
        by_word.setdefault(name.lower().split()[0], []).append(name.lower())
    hit: set[str] = set()
    for message in window.messages:
        text = message.text
        if message.author == author and (found := bot.find(text)):
            text = text[found.end :]
        for name in by_word.get(_address(text), ()):
            if " " not in name or text.lower().lstrip("@").startswith(name):
                hit.add(name)
    return len(hit)


def _address(text: str) -> str:
    """The first word in small letters if it addresses somebody, or may begin a name of several words."""
    match = _WORD.match(text)
    word = _UNSEEN.sub("", match[0]) if match else ""
    if word[:1] == "@" or word[-1:] in (":", ","):
        return word.lstrip("@").rstrip(":,;.?!").lower()
    return ""
