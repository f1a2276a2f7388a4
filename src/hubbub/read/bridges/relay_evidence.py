"""How the bot of a bridge is recognised: by what it does in the chat, never by its name.

Nearly all of its messages have the form of a relayed message, the names in them recur, and they are people, which shows
in that others address them. Somebody who addresses others (`anna: yes`) names people who speak in the chat themselves;
a bot that announces (`[website] 2 new commits`) names things that nobody addresses; somebody who pastes a log does it
in one go.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ...chat import Message
from .relay_forms import ACTION, NOTICE, UNSEEN, WORD, Bot, Inner, core, inner


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
_SMALL = 4  # messages of a bot in a short chat, if it uses a strong form and nothing else
_STRICTER = (max, max, max, min, min, max, max)  # which of two limits is the stricter, column by column
_LEAST_SHARE = 0.4  # of the messages have a form, before it is known which are actions and notices
_FEW_NAMES = 3  # fewer names than this in a strong form must at least be addressed
_PLENTY, _NEARLY_ALL = 40, 0.9  # with so many messages in a strong form, people may be on both sides of the bridge,
_SHARE_OF_FEW = 0.85  # of fewer messages, since somebody who pastes pieces of a log adds a few remarks
_OWN_CERTAIN = 0.8  # but not all: there are people who address everybody as <name>
_OWN_ALIKE = 0.5  # at most this share of the messages have nearly the name of somebody who speaks in the chat
_USED = 0.1  # the share of its messages from which on a form is one that the bot uses
# A tag is followed by a form in nearly all of at least so many messages, mostly with names of people who do not speak.
_TAG_MESSAGES, _TAG_MESSAGES_COLON, _TAG_SHARE, _TAG_OTHERS = 2, 4, 0.9, 0.6
_RUNS, _RUN_SHARE = 3, 0.05  # a relay takes turns with others; a pasted log does not
_ALONE = 0.8  # unless hardly anybody else talks
_TEMPLATE = 0.5  # share of texts that begin alike, from which on nobody wrote them
_AROUND = "@,:;.?!()\"'`\u2018\u2019\u201c\u201d"  # what may stand around a name in a sentence
_NUMBER = re.compile(r"[\d.,]*\d")


class Window:
    """The messages on which bots are judged, and the people, in lower case, whom known bots relay."""

    def __init__(self, messages: Sequence[Message], relayed: Collection[str]) -> None:
        self.messages = messages
        self.relayed = relayed

    @cached_property
    def spoken(self) -> int:
        return sum(message[4] != "system" for message in self.messages)

    @cached_property
    def authors(self) -> frozenset[str]:
        """Who says something, in lower case."""
        names = {message[2] for message in self.messages if message[4] != "system"}
        return frozenset(name.lower() for name in names)

    def speaks(self, name: str) -> bool:
        """Whether somebody says something under that name, in person or through a bot that is known."""
        return name.lower() in self.authors or name.lower() in self.relayed

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
    if len(texts) < _SMALL or sum(1 for each in found if each) < _LEAST_SHARE * len(texts):
        return None
    tags = _tags(texts, found, window)
    forms = Counter(each.form for each in _untagged(texts, found, tags))
    bot = Bot(frozenset(form for form, count in forms.items() if count >= _USED * forms.total()), tags)
    said = [(text, each) for text in texts if (each := bot.find(text))]
    bot.names.update(each.name for _, each in said)
    return bot if said and _Evidence(author, places, texts, said, bot, window).is_relay() else None


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
            is_action = bool(ACTION.match(text, each.end))
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
    return found.form != "colon" or (found.name not in outer and not window.speaks(found.name))


class _Evidence:
    """What one author wrote, and what that says of it."""

    def __init__(
        self, author: str, places: list[int], texts: list[str], said: list[tuple[str, Inner]], bot: Bot, window: Window
    ) -> None:
        self._author, self._places, self._said, self._bot, self._window = author, places, said, bot, window
        self._names = Counter(each.name for _, each in said)
        self._recurring = sum(1 for count in self._names.values() if count > 1)
        self._count_forms(texts)
        limits = [_LIMITS[form] for form in bot.forms]
        self._need = Limits(*(pick(column) for pick, column in zip(_STRICTER, zip(*limits, strict=True), strict=True)))
        self._is_strong = self._need.addressed == 0

    def _count_forms(self, texts: list[str]) -> None:
        """How many texts count, which are all but announced joins and the like, and how many of those have a form."""
        self._acted = noticed = 0
        for text in texts:
            if not self._bot.find(text):
                done = self._bot.read_action(text)
                self._acted += bool(done and done[1] == "action")
                noticed += done[1] == "system" if done else bool(NOTICE.match(text))
        self._counted = len(texts) - noticed
        self._share = (len(self._said) + self._acted) / max(self._counted, 1)

    def is_relay(self) -> bool:
        if not self._takes_turns() or self._is_template():
            return False
        if self._is_single():
            return True
        if not self._is_enough() or max(self._names.values()) > self._need.top * len(self._said) or self._is_own():
            return False
        least = max(
            self._need.addressed,
            self._need.addressed_share * self._recurring,
            1 if len(self._names) < _FEW_NAMES else 0,
        )
        return not least or self._addressed() >= least

    def _is_enough(self) -> bool:
        need = self._need
        if self._is_strong and self._share == 1 and self._counted >= _SMALL and len(self._names) > 1:
            return True
        share = need.share if self._counted >= _PLENTY else max(need.share, _SHARE_OF_FEW)
        return self._counted >= need.messages and self._share >= share and self._recurring >= need.recurring

    def _is_single(self) -> bool:
        """Whether it relays one person, and hardly anybody else, whom others address, or at least name.

        Somebody who addresses one person all the time (`<anna> yes`) does not pass, for that person writes here.
        """
        if not self._is_strong or self._share < 1 or self._counted < _SMALL:
            return False
        name, count = self._names.most_common(1)[0]
        if count <= self._need.top * len(self._said) or self._window.speaks(name):
            return False
        is_plain = self._acted > 0 or self._counted >= self._need.messages
        return self._addressed() > 0 or (is_plain and self._is_named(name.lower()))

    def _takes_turns(self) -> bool:
        places = self._places
        runs = 1 + sum(1 for one, other in pairwise(places) if other > one + 1)
        return runs >= max(_RUNS, _RUN_SHARE * len(places)) or len(places) >= _ALONE * self._window.spoken

    def _is_template(self) -> bool:
        """Whether most texts begin with the same two words, numbers aside: reports of scores, pushes or tickets."""
        begun = Counter(
            tuple(_NUMBER.sub("0", word.lower()) for word in text[found.end :].split(maxsplit=2)[:2])
            for text, found in self._said
        )
        return len(self._said) >= _SMALL and begun.most_common(1)[0][1] > _TEMPLATE * len(self._said)

    def _is_own(self) -> bool:
        """Whether too many messages have the name of somebody who writes in the chat.

        Where it is the form in which people address each other, they may write ann for ann_; but people who are on both
        sides of a bridge also have such names, so that more of these are allowed.
        """
        is_certain = self._is_strong and self._counted >= _PLENTY and self._share >= _NEARLY_ALL
        most = _OWN_CERTAIN if is_certain else self._need.own
        said, window = len(self._said), self._window
        if sum(count for name, count in self._names.items() if window.speaks(name)) > most * said:
            return True
        if "colon" not in self._bot.forms:
            return False
        cores = {core(each) for each in (*window.authors, *window.relayed)}
        return sum(count for name, count in self._names.items() if core(name.lower()) in cores) > _OWN_ALIKE * said

    def _addressed(self) -> int:
        """How many of the names others address, with a colon or comma behind them or an @ before."""
        by_word: dict[str, list[str]] = {}
        for name in self._names:
            by_word.setdefault(name.lower().split()[0], []).append(name.lower())
        hit: set[str] = set()
        for message in self._window.messages:
            text = message.text
            if message.author == self._author and (found := self._bot.find(text)):
                text = text[found.end :]
            for name in by_word.get(_address(text), ()):
                if " " not in name or text.lower().lstrip("@").startswith(name):
                    hit.add(name)
        return len(hit)

    def _is_named(self, name: str) -> bool:
        """Whether others write the name, as a word of its own."""
        others = (each.text.lower() for each in self._window.messages if each.author != self._author)
        return any(name in text and name in (word.strip(_AROUND) for word in text.split()) for text in others)


def _address(text: str) -> str:
    """The first word in lower case if it addresses somebody, or may begin a name of several words."""
    match = WORD.match(text)
    word = UNSEEN.sub("", match[0]) if match else ""
    if word[:1] == "@" or word[-1:] in (":", ","):
        return word.lstrip("@").rstrip(":,;.?!").lower()
    return ""
