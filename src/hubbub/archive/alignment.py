"""Where two sequences of messages overlap: which message of the one is which of the other.

Patience diff (Bram Cohen): texts that occur once in both sequences are anchors, the longest increasing chain of them
holds, and each gap between two anchors is aligned the same way; what has no anchor is aligned by dynamic programming if
it is short, else by order. Time is O(n log n) for logs that mostly agree.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

TOLERANCE = timedelta(minutes=2)  # programs round times to minutes, and bridges relay with a delay
MAX_PRODUCT = 250_000  # comparisons of a gap without anchors
SIMILAR = 0.5  # share of equal characters from which on a text is a correction of another
LONGEST_COMPARED = 2_000  # characters; comparing texts takes quadratic time


class Side(NamedTuple):
    """A message as far as it matters for alignment. `platform_id` is "" if the platform gave none.

    `earlier` and `later` are the nearest times around a message that has none.
    """

    author: str
    text: str
    is_system: bool
    when: datetime | None
    clock: str
    platform_id: str
    earlier: datetime | None = None
    later: datetime | None = None

    @property
    def key(self) -> tuple[str, str, bool]:
        return self.author.lower(), " ".join(self.text.split()), self.is_system


def with_neighbours(sides: Sequence[Side]) -> list[Side]:
    """The messages, those without a time with the times around them."""
    if all(each.when is not None for each in sides):
        return list(sides)
    earlier, later = _before([each.when for each in sides]), _before([each.when for each in reversed(sides)])[::-1]
    return [
        each if each.when is not None else each._replace(earlier=before, later=after)
        for each, before, after in zip(sides, earlier, later, strict=True)
    ]


def _before(times: Sequence[datetime | None]) -> list[datetime | None]:
    last: datetime | None = None
    return [last := when or last for when in times]


def is_same_time(one: Side, other: Side) -> bool:
    """Whether both may have been sent at the same time.

    A message without a time is where a time next to it is the same, or the other message is between the two.
    """
    if one.when is not None and other.when is not None:
        return _is_near(one.when, other.when)
    if (one.clock or other.clock) or not (_has_times(one) and _has_times(other)):
        clocks = [each.clock or (f"{each.when:%H:%M}" if each.when else "") for each in (one, other)]
        return not all(clocks) or abs(_minutes(clocks[0]) - _minutes(clocks[1])) <= TOLERANCE.seconds / 60
    if one.when is None and other.when is None:
        return _is_near(one.earlier, other.earlier) or _is_near(one.later, other.later)
    dated, undated = (one, other) if one.when is not None else (other, one)
    assert dated.when is not None
    if _is_near(dated.when, undated.earlier) or _is_near(dated.when, undated.later):
        return True
    edges = undated.earlier, undated.later
    return all(edges) and _naive(edges[0]) <= _naive(dated.when) <= _naive(edges[1])


def _has_times(side: Side) -> bool:
    return any((side.when, side.earlier, side.later))


def _naive(when: datetime | None) -> datetime:
    assert when is not None
    return when.replace(tzinfo=None)


def _is_near(one: datetime | None, other: datetime | None) -> bool:
    if one is None or other is None:
        return False
    if (one.tzinfo is None) == (other.tzinfo is None):
        return abs(one - other) <= TOLERANCE
    return abs(_naive(one) - _naive(other)) <= TOLERANCE


def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:5])


class Aligner:
    """Pairs (index in new, index in old), in order in both; `corrected` are pairs whose texts differ."""

    def __init__(self, new: Sequence[Side], old: Sequence[Side]) -> None:
        self.new, self.old = new, old
        self._new_keys, self._old_keys = [each.key for each in new], [each.key for each in old]
        self.pairs: list[tuple[int, int]] = []
        self.corrected: list[tuple[int, int]] = []

    def run(self) -> list[tuple[int, int]]:
        by_id = self._by_platform_id()
        waiting = [(0, len(self.new), 0, len(self.old))] if not by_id else list(self._around(by_id))
        while waiting:
            waiting.extend(self._gap(*waiting.pop()))
        self.pairs.sort()
        self._corrections()
        return self.pairs

    def _by_platform_id(self) -> list[tuple[int, int]]:
        """Messages with the same id on the platform are the same, whatever they say."""
        places = {each.platform_id: place for place, each in enumerate(self.old) if each.platform_id}
        same = [(i, places[each.platform_id]) for i, each in enumerate(self.new) if each.platform_id in places]
        for i, j in same:
            if self.new[i].text != self.old[j].text:
                self.corrected.append((i, j))
        self.pairs += same
        return _increasing(same)

    def _around(self, anchors: Sequence[tuple[int, int]]) -> list[tuple[int, int, int, int]]:
        edges = [(-1, -1), *anchors, (len(self.new), len(self.old))]
        return [(a + 1, c, b + 1, d) for (a, b), (c, d) in pairwise(edges)]

    def _may_match(self, i: int, j: int) -> bool:
        one, other = self.new[i], self.old[j]
        if one.platform_id and other.platform_id:
            return False  # either found by their ids, or different
        return self._new_keys[i] == self._old_keys[j] and is_same_time(one, other)

    def _gap(self, a: int, b: int, c: int, d: int) -> list[tuple[int, int, int, int]]:
        """Aligns new[a:b] with old[c:d]; gives back the gaps that are left."""
        while a < b and c < d and self._may_match(a, c):
            self.pairs.append((a, c))
            a, c = a + 1, c + 1
        while a < b and c < d and self._may_match(b - 1, d - 1):
            b, d = b - 1, d - 1
            self.pairs.append((b, d))
        if a >= b or c >= d:
            return []
        anchors = self._anchors(a, b, c, d)
        if not anchors:
            self._short(a, b, c, d)
            return []
        self.pairs += anchors
        edges = [(a - 1, c - 1), *anchors, (b, d)]
        return [(i + 1, k, j + 1, m) for (i, j), (k, m) in pairwise(edges)]

    def _anchors(self, a: int, b: int, c: int, d: int) -> list[tuple[int, int]]:
        new, old = _once(self._new_keys, a, b), _once(self._old_keys, c, d)
        same = [(i, old[key]) for key, i in new.items() if i >= 0 and old.get(key, -1) >= 0]
        return _increasing(sorted(pair for pair in same if self._may_match(*pair)))

    def _short(self, a: int, b: int, c: int, d: int) -> None:
        if (b - a) * (d - c) <= MAX_PRODUCT:
            self.pairs += self._longest_common(a, b, c, d)
            return
        at = c
        for i in range(a, b):  # by order: what repeats itself is paired with the next of its kind
            for j in range(at, min(at + 200, d)):
                if self._may_match(i, j):
                    self.pairs.append((i, j))
                    at = j + 1
                    break

    def _longest_common(self, a: int, b: int, c: int, d: int) -> list[tuple[int, int]]:
        height, width = b - a, d - c
        best = [[0] * (width + 1) for _ in range(height + 1)]
        for i in range(height - 1, -1, -1):
            for j in range(width - 1, -1, -1):
                if self._may_match(a + i, c + j):
                    best[i][j] = best[i + 1][j + 1] + 1
                else:
                    best[i][j] = max(best[i + 1][j], best[i][j + 1])
        found, i, j = [], 0, 0
        while i < height and j < width:
            if self._may_match(a + i, c + j):
                found.append((a + i, c + j))
                i, j = i + 1, j + 1
            elif best[i + 1][j] >= best[i][j + 1]:
                i += 1
            else:
                j += 1
        return found

    def _corrections(self) -> None:
        """Between two matched neighbours, as many messages by the same people at the same times: corrected ones."""
        added = []
        for (a, c), (b, d) in pairwise(self.pairs):
            if 1 < b - a == d - c and all(self._is_correction(a + k, c + k) for k in range(1, b - a)):
                added += [(a + k, c + k) for k in range(1, b - a)]
        added += self._completed()
        self.corrected += added
        self.pairs = sorted([*self.pairs, *added])

    def _completed(self) -> list[tuple[int, int]]:
        """A log that was read while its last line was being written has that line whole when it is read again."""
        i, j = (self.pairs[-1][0] + 1, self.pairs[-1][1] + 1) if self.pairs else (0, 0)
        if i >= len(self.new) or j != len(self.old) - 1 or not self.old[j].text:
            return []
        is_longer = self.new[i].text.startswith(self.old[j].text)
        return [(i, j)] if is_longer and self._is_by_the_same(i, j) else []

    def _is_correction(self, i: int, j: int) -> bool:
        if not self._is_by_the_same(i, j):
            return False
        one, other = self.new[i], self.old[j]
        texts = one.text[:LONGEST_COMPARED], other.text[:LONGEST_COMPARED]
        return SequenceMatcher(None, *texts, autojunk=False).ratio() >= SIMILAR

    def _is_by_the_same(self, i: int, j: int) -> bool:
        """Whether both are by the same author at the same time, and not told apart by the platform."""
        one, other = self.new[i], self.old[j]
        if (one.platform_id and other.platform_id) or one.is_system or other.is_system:
            return False
        return one.author.lower() == other.author.lower() and is_same_time(one, other)


def _once(keys: Sequence[tuple[str, str, bool]], start: int, end: int) -> dict[tuple[str, str, bool], int]:
    """Key -> its index, -1 if it occurs more than once."""
    found: dict[tuple[str, str, bool], int] = {}
    for place in range(start, end):
        found[keys[place]] = -1 if keys[place] in found else place
    return found


def _increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest chain of pairs, sorted by the first number, in which the second increases too."""
    tails: list[int] = []
    ends: list[int] = []
    before = [-1] * len(pairs)
    for place, (_, j) in enumerate(pairs):
        at = bisect_left(tails, j)
        tails[at : at + 1] = [j]
        ends[at : at + 1] = [place]
        before[place] = ends[at - 1] if at else -1
    chain, place = [], ends[-1] if ends else -1
    while place >= 0:
        chain.append(pairs[place])
        place = before[place]
    return chain[::-1]
