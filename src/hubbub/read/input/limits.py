"""How far packed input may unpack: a bound on the bytes, and one on their ratio to the packed bytes.

A few kilobytes can unpack to terabytes. Real logs and exports shrink 5 to 20 times, very repetitive ones about 100
times; what shrinks further is a decompression bomb, or so rare that its owner can be asked.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from ...errors import OptionError, UnpacksTooLarge

VARIABLE = "HUBBUB_MAX_UNPACKED"
MOST_UNPACKED = 10 * 10**9  # the largest known exports have 3 GB; archives go to the temporary disk
MOST_TIMES = 200  # twice what the most repetitive real logs reach
FREE = 100 * 10**6  # any ratio is fine up to here: it is read in a second, and a short file of zeros is no attack
MOST_REFUSED = 2 * 10**9  # bytes unpacked in vain by refused files of one reading: some twenty seconds of work;
FREE_AFTER_REFUSALS = 10**6  # beyond it, this is what any ratio is fine for

_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)\s*([KMGT]?)B?", re.IGNORECASE)
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


class Refusals:
    """How many bytes of one reading were unpacked in vain, because the file was refused in the end."""

    def __init__(self) -> None:
        self.count = 0


@dataclass(frozen=True, slots=True)
class Limit:
    """How many bytes one packed file may unpack to; `times` is how many times its size, None for any.

    Each file is judged on its own. `refusals` are shared by all files of a reading, so that a folder of a thousand
    bombs costs no more than twenty of them.
    """

    most: int = MOST_UNPACKED
    times: int | None = MOST_TIMES
    refusals: Refusals = field(default_factory=Refusals, compare=False)

    @staticmethod
    def of(given: int | str | None = None) -> Limit:
        """What the user asked for, or else the environment; whoever names a size means it, whatever the ratio."""
        if given is None:
            given, option = os.environ.get(VARIABLE) or None, VARIABLE
        else:
            option = "--max-unpacked"
        return Limit() if given is None else Limit(_bytes(given, option), None)


def _bytes(given: int | str, option: str) -> int:
    found = _SIZE.fullmatch(str(given).strip())
    if not found:
        raise OptionError(option, given, "a size is written as 500M or 20G, and has at least one byte")
    size = int(float(found[1]) * _UNITS[found[2].upper()])
    if size < 1:
        raise OptionError(option, given, "a size is written as 500M or 20G, and has at least one byte")
    return size


class Budget:
    """What one file of the user, with everything packed in it, has unpacked to.

    A part that is opened several times counts once, as far as it was read. A part that is refused counts no more, so
    that it takes nothing from the others.
    """

    def __init__(self, limit: Limit | None = None) -> None:
        self.limit = limit or Limit()
        self.packed: int | None = None  # the size of the archive that the user named, once it is known
        self._taken: dict[tuple[str, str], int] = {}
        self._sum = 0

    def check(self, name: str, part: str, count: int, packed: int) -> None:
        """Refuses a part of which so many bytes come out of so many packed ones, before it is unpacked."""
        times, known = self.limit.times, self._taken.get((name, part), 0)
        free = FREE if self.limit.refusals.count < MOST_REFUSED else FREE_AFTER_REFUSALS
        if times and count > free and count > times * packed:
            self._release(name, part)
            raise UnpacksTooLarge(name, f"{_shown(max(free, times * packed))}, {times} times its packed size")
        most = self._most(free, packed)
        if self._sum - known + count > most:
            self._release(name, part)
            raise UnpacksTooLarge(name, f"the {_shown(most)} that are allowed")

    def take(self, name: str, part: str, count: int, packed: int) -> None:
        """Notes how many bytes of a part were unpacked."""
        if (more := count - self._taken.get((name, part), 0)) > 0:
            self.check(name, part, count, packed)
            self._taken[name, part] = count
            self._sum += more

    def _most(self, free: int, packed: int) -> int:
        whole = packed if self.packed is None else self.packed
        most = self.limit.most
        if self.limit.times is not None and self.packed is not None:
            most = min(most, max(free, self.limit.times * whole))
        return most

    def _release(self, name: str, part: str) -> None:
        taken = self._taken.pop((name, part), 0)
        self._sum -= taken
        self.limit.refusals.count += taken


def _shown(size: int) -> str:
    unit = next(unit for unit in ("T", "G", "M", "K", "") if size >= _UNITS[unit] or not unit)
    return f"{size / _UNITS[unit]:.4g} {unit}B"
