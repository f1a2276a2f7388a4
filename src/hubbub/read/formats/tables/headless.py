"""Tables whose first line is a row like any other: what each column is, guessed by what is in it.

It takes a column of times or of ids and one of text, in rows of one width; whoever is not sure says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...times.clock import time_of_day
from ...times.table_times import Moments

_LEAST_ROWS = 3
_MOST_OF = 0.9  # of a column's cells must be what the column is taken for: some may be empty or damaged
_MANY = 0.6  # of the rows, if that many have an author of their own, the column names something else
_LONGEST_NAME, _MOST_WORDS_OF_NAME = 40, 4
_SECONDS = re.compile(r"\d{10}(\d{3})?(\.\d+)?")  # longer numbers may be times or ids: nobody can tell
_ID = re.compile(r"\d{1,20}|[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}|[0-9a-fA-F]{16,64}")
_LEVELS = frozenset(("trace", "debug", "info", "notice", "warn", "warning", "error", "critical", "fatal"))


@dataclass(frozen=True, slots=True)
class Guess:
    """A name for each column: what it is, or its place, counted from 1. It is sure if there is one of authors."""

    columns: tuple[str, ...]
    sure: bool

    def roles(self) -> dict[str, int]:
        """What is in the table, and the place of its column."""
        return {name: place for place, name in enumerate(self.columns, 1) if not name.isdecimal()}

    def marks(self) -> dict[str, int]:
        """The columns by which rows differ from a heading."""
        return {name: place for name, place in self.roles().items() if name in ("time", "date", "id")}

    def sentence(self) -> str:
        """What each column is taken for, and how to say otherwise."""
        listed = ", ".join(f"{place} is taken for the {name}" for name, place in self.roles().items())
        requested = ",".join(f"{name}={place}" for name, place in self.roles().items() if name != "date")
        return f"has no heading: column {listed} (--columns {requested} would say so)"


def guess(rows: Sequence[Sequence[str] | None]) -> Guess | None:
    """What the columns are, or None if this is no table of messages, or one with a heading."""
    width = len(rows[0] or ()) if rows else 0
    whole = [row for row in rows if row and len(row) == width]
    if width < 2 or len(whole) < _LEAST_ROWS or len(whole) < _MOST_OF * len(rows):
        return None
    columns = [[cell.strip() for cell in column] for column in zip(*whole, strict=True)]
    found = _times(columns)
    if "time" not in found and (place := _ids(columns, found)) is not None:
        found["id"] = place
    if not found:
        return None
    text = _longest(columns, found)
    if text is None:
        text = _repeating_text(columns, found)
    if text is None:
        return None
    found["text"] = text
    author = _author(columns, found)
    if author is None and "time" not in found:
        return None
    if author is not None:
        found["author"] = author
    if "id" not in found and (place := _ids(columns, found)) is not None:
        found["id"] = place
    return Guess(_named(width, found), author is not None)


def named(width: int, requested: Mapping[str, str], guessed: Guess | None) -> Guess | None:
    """The columns as the user names them, by their places, and the others as guessed; None if one is no place."""
    if not requested or not all(is_place(place, width) for place in requested.values()):
        return None
    roles = {role: int(place) - 1 for role, place in requested.items()}
    for place, role in enumerate(guessed.columns if guessed else ()):
        if not role.isdecimal() and place not in roles.values():
            roles.setdefault(role, place)
    return Guess(_named(width, roles), True)


def is_place(requested: str, width: int) -> bool:
    """Whether this is the number of a column, counted from 1."""
    return requested.isascii() and requested.isdecimal() and len(requested) < 10 and 1 <= int(requested) <= width


def is_first_row(rows: Sequence[Sequence[str] | None]) -> bool | None:
    """Whether the first row is one like those below it, rather than a heading; None if nothing tells.

    It is one if it has a time or an id where the others have theirs.
    """
    if not rows or not rows[0]:
        return None
    if below := guess(rows[1:]):
        whole = guess(rows)
        return whole is not None and bool(whole.marks().items() & below.marks().items())
    return True if is_data(rows[0]) else None


def is_data(row: Iterable[str]) -> bool:
    """Whether a row has a date in it, as no heading has."""
    return any(not cell.strip().isdecimal() and Moments(None).read(cell) for cell in row)


def _named(width: int, found: Mapping[str, int]) -> tuple[str, ...]:
    names = {place: role for role, place in found.items()}
    return tuple(names.get(place, str(place + 1)) for place in range(width))


def _times(columns: list[list[str]]) -> dict[str, int]:
    """The column of times; two if days and clocks stand apart. Written times go before numbers of seconds."""
    written = [place for place, column in enumerate(columns) if _are_times(column)]
    clocks = _fitting(columns, time_of_day)
    if written and clocks and not any(":" in cell for cell in columns[written[0]]):
        return {"date": written[0], "time": clocks[0]}
    counted = _fitting(columns, _SECONDS.fullmatch)
    return {"time": (written or counted or clocks)[0]} if written or counted or clocks else {}


def _fitting(columns: list[list[str]], fits: Callable[[str], object]) -> list[int]:
    """The columns most of whose cells fit; the first must, as it is a heading otherwise."""
    return [place for place, column in enumerate(columns) if fits(column[0]) and _most(map(fits, column))]


def _is_id(cell: str) -> bool:
    return bool(_ID.fullmatch(cell))


def _are_times(column: list[str]) -> bool:
    if _most(cell.isdecimal() for cell in column):
        return False
    moments = Moments(None)
    for cell in column:
        moments.see(cell)
    return moments.read(column[0]) is not None and _most(
        not _number(cell) and moments.read(cell) is not None for cell in column
    )


def _number(cell: str) -> bool:
    return cell.replace(".", "", 1).isdecimal()


def _are_ids(column: list[str]) -> bool:
    return len(set(column)) == len(column) and all(map(_is_id, column))


def _ids(columns: list[list[str]], found: Mapping[str, int]) -> int | None:
    free = [place for place in range(len(columns)) if place not in found.values()]
    return next((place for place in free if _are_ids(columns[place])), None)


def _longest(columns: list[list[str]], found: Mapping[str, int]) -> int | None:
    """The column of the longest cells, if they are sentences: of several words, or long as where none is divided."""
    free = [place for place in range(len(columns)) if place not in found.values()]
    best = max(free, key=lambda place: sum(map(len, columns[place])), default=None)
    if best is None:
        return None
    cells = columns[best]
    words = sum(len(cell.split()) for cell in cells) / len(cells)
    undivided = sum(len(cell) for cell in cells if not cell.isascii()) / len(cells)
    varied = len(set(cells)) >= len(cells) / 2
    return best if varied and (words >= 2 or undivided >= 4) and not _most(map(_number, cells)) else None


def _repeating_text(columns: list[list[str]], found: Mapping[str, int]) -> int | None:
    """The column of texts that are short or repeat, beside one of authors and one of dates with times of day.

    It is the one with sentences or more different cells; if both are alike, the second. A single word over
    and over, and words in capitals alone, are what a machine writes.
    """
    free = [place for place in range(len(columns)) if place not in found.values()]
    if len(free) != 2 or "time" not in found or not all(":" in cell for cell in columns[found["time"]][:1]):
        return None
    words = {place: sum(len(cell.split()) for cell in columns[place]) / len(columns[place]) for place in free}
    text = max(free, key=lambda place: (words[place] >= 2, len(set(columns[place])), place))
    cells, author = columns[text], columns[sum(free) - text]
    is_text = words[text] > 1 or len(set(cells)) > 2
    is_machine = all(cell == cell.upper() for cell in cells) or {cell.lower() for cell in cells} <= _LEVELS
    return text if is_text and not is_machine and _are_names(author) and not _most(map(_number, cells)) else None


def _author(columns: list[list[str]], found: Mapping[str, int]) -> int | None:
    """The column of few short names; of several the one with the most, as others are channels or kinds."""
    free = [place for place in range(len(columns)) if place not in found.values()]
    fitting = [place for place in free if _are_names(columns[place])]
    return max(fitting, key=lambda place: (len(set(columns[place])), -place), default=None)


def _are_names(column: list[str]) -> bool:
    names = set(column)
    if not 2 <= len(names) <= 1 + _MANY * len(column) or {name.lower() for name in names} <= _LEVELS:
        return False
    return _most(_is_name(cell) for cell in column)


def _is_name(cell: str) -> bool:
    short = 0 < len(cell) <= _LONGEST_NAME and len(cell.split()) <= _MOST_WORDS_OF_NAME
    return short and "://" not in cell and any(map(str.isalpha, cell))


def _most(truths: Iterable[object]) -> bool:
    found = [bool(truth) for truth in truths]
    return sum(found) >= _MOST_OF * len(found)
