"""The 77 features of Kummerfeld et al. 2019 (table 1 of the supplement) for a message and each of its candidates.

All lie between 0 and 1. They look at metadata only, apart from the number of words in common; two of them look ahead,
as the paper's do: whether one will address the other later, and whether the candidate's author goes on at once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ..addressing import People
from ..chat import Chat
from ..when import seconds
from .vectors import tokens

REACH = 100
YEARS = range(2004, 2018)
BOTS = frozenset({"ubotu", "ubottu"})
RATES = (1, 3, 10)
AGO_MESSAGES = (0, 1, 5, 20)
AGO_MINUTES = (0, 2, 10)
APART_MINUTES = (0, 1, 5, 60)
COUNT = 77

Positions = dict[Any, list[int]]


class PaperFeatures:
    """Everything about one chat that the features need, gathered once."""

    def __init__(self, chat: Chat) -> None:
        import numpy as np

        people = People(chat)
        names = [message.author.lower() for message in chat]
        self.authors = names
        self.minutes = np.array([moment // 60 for moment in seconds(chat)])
        self.system = np.array([message.kind == "system" for message in chat], dtype=bool)
        self.targets = [people.addressed(message.text) for message in chat]
        self.words = [frozenset(tokens(message.text)) for message in chat]
        self.earlier, self.later = _neighbours(names, self.system)
        self.aimed_at, self.aimed_by = _aims(names, self.targets)
        self.holding = _index(self.words)
        self._general = _general(chat, self.minutes)
        self._single = self._of_single(chat)
        self._follows, self._followed = _runs(names)

    def of(self, position: int) -> Any:
        """One row for each candidate, from REACH messages before to the message itself, which is the last."""
        import numpy as np

        begin = max(0, position - REACH)
        here = np.arange(begin, position + 1)
        rows = np.zeros((len(here), COUNT), dtype=np.float32)
        rows[:, :18] = self._general
        rows[:, 18:33] = self._single[position]
        rows[:, 33:48] = self._single[begin : position + 1]
        rows[:, 48] = self._followed[begin : position + 1]
        rows[:, 49] = self._follows[begin : position + 1]
        rows[-1, 35:43] = rows[-1, 48:50] = 0
        rows[-1, 50] = 1
        rows[:, 51:59] = self._distance(position, here)
        rows[:-1, 59:71] = self._relation(position, begin, here)[:-1]
        rows[-1, 69] = 1
        rows[:-1, 71:77] = self._overlap(position, begin)
        return rows

    def _distance(self, position: int, here: Any) -> Any:
        import numpy as np

        apart = position - here
        minutes = np.abs(self.minutes[position] - self.minutes[here])
        columns = [np.minimum(apart, 100) / 100, apart > 1, np.minimum(minutes, 100) / 100]
        return np.column_stack([*columns, _binned(minutes, APART_MINUTES)])

    def _relation(self, position: int, begin: int, here: Any) -> Any:
        """Who addresses whom and when, who spoke in between, the same author, the same target."""
        import numpy as np

        author = self.authors[position]
        window = self.authors[begin : position + 1]
        found = np.zeros((len(here), 12))
        found[_within(self.aimed_at.get(author), begin, position) - begin, 0] = 1
        targets = set(self.targets[position])
        found[:, 1] = [each in targets for each in window]
        found[:, 2] = self.earlier[position] < here
        later = self.later[begin : position + 1]
        found[:, 3] = (later < 0) | (later > position)
        found[:, 4:7] = self._addressed(position, [(author, each) for each in window], here)
        found[:, 7:10] = self._addressed(position, [(each, author) for each in window], here)
        found[:, 10] = [each == author for each in window]
        for target in targets:
            found[_within(self.aimed_at.get(target), begin, position) - begin, 11] = 1
        return found

    def _addressed(self, position: int, pairs: Sequence[tuple[str, str]], here: Any) -> Any:
        """Of each (speaker, hearer): addressed before the candidate, after the message, in between."""
        import numpy as np

        moments = np.array([self._moments(pair, position) for pair in pairs])
        first, last, latest = moments.T
        return np.column_stack([first < here, last > position, latest > here])

    def _moments(self, pair: tuple[str, str], position: int) -> tuple[int, int, int]:
        """The first and the last time that one addressed the other, and the latest before the message."""
        times = self.aimed_by.get(pair)
        if not times:
            return _NEVER
        before = bisect_left(times, position)
        return times[0], times[-1], times[before - 1] if before else -1

    def _overlap(self, position: int, begin: int) -> Any:
        import numpy as np

        shared = np.zeros(position - begin)
        words = self.words[position]
        for word in words:
            shared[_within(self.holding.get(word), begin, position - 1) - begin] += 1
        sizes = np.array([len(each) for each in self.words[begin:position]])
        ratios = [shared / np.maximum(sizes, 1), shared / max(len(words), 1)]
        return np.column_stack([*ratios, shared == 0, shared == 1, shared > 1, shared > 5])

    def _of_single(self, chat: Chat) -> Any:
        """What is known of a message by itself, 15 columns."""
        import numpy as np

        aimed = np.array([bool(each) for each in self.targets], dtype=bool)
        spoke = self.earlier >= 0
        ago = np.where(spoke, np.arange(len(chat)) - self.earlier, -1)
        minutes = np.where(spoke, self.minutes - self.minutes[self.earlier], -1) if len(chat) else ago
        columns = [self.system, _hours(chat) / 24, aimed, spoke, spoke & aimed[self.earlier] if len(chat) else spoke]
        bots = np.array([name in BOTS for name in self.authors], dtype=bool)
        return np.column_stack([*columns, _binned(ago, AGO_MESSAGES), _binned(minutes, AGO_MINUTES), bots])


_NEVER = (1 << 40, -1, -1)


def _binned(values: Any, limits: Sequence[int]) -> Any:
    """One column a bin: below the first limit, between two, above the last."""
    import numpy as np

    place = np.searchsorted(np.array(limits), values, side="right")
    return place[:, None] == np.arange(len(limits) + 1)


def _within(positions: list[int] | None, begin: int, end: int) -> Any:
    """Those of the sorted positions from begin to end, both included."""
    import numpy as np

    if not positions:
        return np.zeros(0, dtype=int)
    return np.array(positions[bisect_left(positions, begin) : bisect_left(positions, end + 1)], dtype=int)


def _neighbours(names: Sequence[str], system: Any) -> tuple[Any, Any]:
    """For every message the previous and the next thing that its author said, or -1."""
    import numpy as np

    earlier, later = np.full(len(names), -1), np.full(len(names), -1)
    for found, order in ((earlier, range(len(names))), (later, range(len(names) - 1, -1, -1))):
        seen: dict[str, int] = {}
        for position in order:
            found[position] = seen.get(names[position], -1)
            if not system[position]:
                seen[names[position]] = position
    return earlier, later


def _aims(names: Sequence[str], targets: Sequence[Sequence[str]]) -> tuple[Positions, Positions]:
    """Where each person is addressed, and where each (speaker, hearer)."""
    aimed_at: Positions = {}
    aimed_by: Positions = {}
    for position, (name, hearers) in enumerate(zip(names, targets, strict=True)):
        for hearer in hearers:
            aimed_at.setdefault(hearer, []).append(position)
            aimed_by.setdefault((name, hearer), []).append(position)
    return aimed_at, aimed_by


def _index(words: Sequence[frozenset[str]]) -> Positions:
    holding: Positions = {}
    for position, each in enumerate(words):
        for word in each:
            holding.setdefault(word, []).append(position)
    return holding


def _runs(names: Sequence[str]) -> tuple[Any, Any]:
    """Whether the message right before, and the one right after, has the same author."""
    import numpy as np

    same = np.array([one == other for one, other in pairwise(names)], dtype=bool)
    ends = np.zeros(min(len(names), 1), dtype=bool)
    return np.concatenate([ends, same]), np.concatenate([same, ends])


def _general(chat: Chat, minutes: Any) -> Any:
    """The year and how busy the chat is, 18 columns."""
    import numpy as np

    year = next((message.time.year for message in chat if message.time), None)
    rate = len(chat) / max(1.0, float(minutes[-1] - minutes[0])) if len(chat) else 0.0
    return np.concatenate([[year == each for each in YEARS], _binned(np.array([rate]), RATES)[0]])


def _hours(chat: Chat) -> Any:
    """The hour of the day, that of the message before where a message has none."""
    import numpy as np

    hours, last = [], 12
    for message in chat:
        clock = message.time or message.clock
        last = clock.hour if clock else last
        hours.append(last)
    return np.array(hours, dtype=float)
