"""Puppets: the names under which a bridge lets people of another network speak, such as `anna[m]` and `anna|dc`.

The ending is recognised when several authors share it who are otherwise unknown. `anna|away` is nobody's puppet: that
ending comes and goes, and the name without it is in the chat too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

# Letters in brackets or behind a bar may be any bridge's; behind the other signs only a network's name is one, for
# people sign with places, teams and machines in the same way ("Anna (Berlin)", "anna-laptop").
_ENDING = re.compile(r"(?:\[(\w{1,12})\]|\|(\w{1,12})|[-/@]([A-Za-z]{2,12})| ?\(([A-Za-z]{1,12})\))\Z")
_NETWORK_NAMES = (
    "d dc discord fb g gitter i irc kik line m mattermost matrix mm qq rc rocketchat s signal skype slack sms steam t "
    "teams telegram tg tox vk wa wechat whatsapp wx x xmpp z zulip"
)
_NETWORKS = frozenset(_NETWORK_NAMES.split())
# What people put behind their own names: where they are and what they do there.
_STATE_WORDS = (
    "admin afk asleep at away back bbl bed bnc bot brb busy cell class coding desk dev dinner eating eee food game "
    "games gaming gone guest home idle lap laptop linux lunch mac meeting mob mobile mod mtg nb net netbook off office "
    "on op ops out pc phone school server shower sleep sleeping staff studying test tmp tv uni vm vps web win "
    "work working znc zz zzz"
)
_STATES = frozenset(_STATE_WORDS.split())
_FEWEST, _FEWEST_UNKNOWN = 3, 5  # authors who share an ending that is a network's name, or is not
_MOST_WITHOUT = 0.3  # of them may be in the chat without the ending too
_MOST_NAMES = 20_000  # carriers of one ending that are kept
_MOST_KNOWN = 200_000  # endings, and decided names, that are kept; a full set is emptied and fills again


def ending(name: str) -> str:
    """What may be the mark of a bridge at the end of a name, or ""."""
    match = _ENDING.search(name)
    if match is None or not match.start() or match.lastindex is None:
        return ""
    word = match[match.lastindex].lower()
    is_possible = word in _NETWORKS if match.lastindex > 2 else word.isalpha() and word not in _STATES
    return match[0] if is_possible else ""


class Puppets:
    """The puppets of one chat, and the names that they get.

    A puppet gets its name without the ending only if nobody else is called so, as far as the chat has been seen then;
    what was decided stays.
    """

    def __init__(self) -> None:
        self.endings: set[str] = set()
        self._carriers: dict[str, set[str]] = {}
        self._plain: dict[str, str] = {}
        self._near = False
        self._asked_near = False

    def learn(self, names: Iterable[str], everybody: Collection[str]) -> None:
        """Takes names that are new, and everybody seen so far in lower case."""
        touched = set()
        for known in (self._carriers, self._plain):
            if len(known) > _MOST_KNOWN:
                known.clear()
        for name in names:
            if (mark := ending(name)) and mark not in self.endings:
                touched.add(mark)
                carriers = self._carriers.setdefault(mark, set())
                if len(carriers) < _MOST_NAMES:
                    carriers.add(name)
        self._near = self._near or any(len(self._carriers[mark]) >= _fewest(mark) - 1 for mark in touched)
        self.endings |= {mark for mark in touched if _is_bridge(mark, self._carriers[mark], everybody)}

    @property
    def suspected(self) -> bool:
        """Whether some ending has nearly enough authors, so that every name counts."""
        return bool(self.endings) or self._near

    def newly_near(self) -> bool:
        """Whether an ending has come near to being a bridge's since this was asked last."""
        near, self._asked_near = self._near and not self._asked_near, self._near
        return near

    def plain(self, name: str, everybody: Collection[str]) -> str:
        """The name of the person whose puppet it is, or the same name."""
        known = self._plain.get(name)
        if known is None:
            known = self._decided(name, everybody)
        return known

    def _decided(self, name: str, everybody: Collection[str]) -> str:
        mark = next((mark for mark in self.endings if name.endswith(mark) and len(name) > len(mark)), "")
        bare = name.removesuffix(mark)
        rivals = {f"{bare}{other}".lower() for other in self.endings if other != mark}
        if mark and bare.strip() and bare.lower() not in everybody and rivals.isdisjoint(everybody):
            self._plain[name] = bare
            return bare
        return name

    def cuts(self, text: str, everybody: Collection[str]) -> list[tuple[int, int]]:
        """Where a text names puppets that have another name now: the spans of their endings."""
        spans = []
        for mark in self.endings:
            at = text.find(mark)
            while at >= 0:
                if self._is_named(text, at, at + len(mark), everybody):
                    spans.append((at, at + len(mark)))
                at = text.find(mark, at + len(mark))
        return sorted(spans)

    def _is_named(self, text: str, at: int, end: int, everybody: Collection[str]) -> bool:
        """Whether the name of a puppet ends there: one word, or as many as up to three spaces hold apart."""
        if end < len(text) and (text[end].isalnum() or text[end] == "_"):
            return False
        start = at
        for _ in range(3):
            start = max(text.rfind(" ", 0, start), text.rfind("\n", 0, start)) + 1
            name = text[start:end].lstrip("@(<\"'")
            if name.lower() in everybody and self.plain(name, everybody) != name:
                return True
            if not start:
                break
            start -= 1
        return False


def _fewest(mark: str) -> int:
    """How many authors must share an ending."""
    return _FEWEST if mark.strip(" [](|)-/@").lower() in _NETWORKS else _FEWEST_UNKNOWN


def _is_bridge(mark: str, carriers: Collection[str], everybody: Collection[str]) -> bool:
    if len(carriers) < _fewest(mark):
        return False
    others = sum(1 for name in carriers if name.removesuffix(mark).lower() in everybody)
    return others <= _MOST_WITHOUT * len(carriers)
