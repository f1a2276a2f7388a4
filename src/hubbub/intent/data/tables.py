"""Examples in tables (commas, tabs, semicolons or bars between cells, with or without a heading) and fastText lines."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...errors import BadExample, Broken, NoExamples
from .example import ExampleRow, IntentExample, example, part_given

TEXT = (
    *("text", "utterance", "query", "sentence", "message", "utt", "answer_normalised"),
    *("question", "phrase", "example", "input"),
)
INTENT = ("intent", "intent_name", "label_text", "label_name", "label", "category", "class", "tag", "target", "intents")
PART = ("split", "part", "partition", "subset", "set")
SCENARIO = ("scenario",)
MAX_CELL_CHARACTERS = 1 << 30  # no limit of the csv module: files are bounded already
DELIMITERS = "\t,;|"
FASTTEXT = "__label__"

_LOOK = 2000  # rows that columns are guessed from
_EXCEL = re.compile(r"sep=([,;|\t])\n")


class ExampleColumns(NamedTuple):
    """Where things stand in a row. Intents of a scenario mean something in it only: both together are the name."""

    text: int
    intent: int
    part: int | None = None
    scenario: int | None = None


Line = tuple[int, list[str]]


def table(file: str, text: str) -> list[ExampleRow]:
    """The rows of a table, its columns found by their names, or without a heading by what they hold."""
    above = _EXCEL.match(text)
    delimiter = above[1] if above else delimiter_of(text)
    if not delimiter:
        raise NoExamples(file, "it is no table: its lines have no second column")
    lines = [line for line in _records(file, text, delimiter) if any(cell.strip() for cell in line[1])][bool(above) :]
    if not lines:
        raise NoExamples(file, "it has no rows")
    columns = _named(lines[0][1])
    body = lines[1:] if columns else lines
    if columns is None:
        columns = _guessed(file, [cells for _, cells in lines[:_LOOK]])
        body = lines[_is_heading(lines[0][1], body, columns) :]
    if not body:
        raise NoExamples(file, "it has a heading and nothing below it")
    widths = Counter(len(cells) for _, cells in lines[:_LOOK])
    width = len(lines[0][1]) if len(body) < len(lines) else widths.most_common(1)[0][0]
    return [_row(file, line, _as_wide(file, line, cells, width), columns) for line, cells in body]


def _as_wide(file: str, line: int, cells: Sequence[str], width: int) -> Sequence[str]:
    """The cells of a row, which may not be wider than the table: part of a text would be lost."""
    if any(cell.strip() for cell in cells[width:]):
        reason = f"it has {len(cells)} columns, and the table {width}; a text with commas stands in quotes"
        raise BadExample(file, f"line {line}", reason)
    return cells


def _row(file: str, line: int, cells: Sequence[str], columns: ExampleColumns) -> ExampleRow:
    place = f"line {line}"
    if len(cells) <= max(columns.text, columns.intent, columns.scenario or 0):
        raise BadExample(file, place, f"it has {len(cells)} columns, too few for a text and an intent")
    part = ""
    if columns.part is not None:
        part = part_given(file, place, cells[columns.part] if len(cells) > columns.part else "")
    intent = cells[columns.intent].strip()
    scenario = cells[columns.scenario].strip() if columns.scenario is not None and intent else ""
    if scenario and not intent.startswith(f"{scenario}_"):
        intent = f"{scenario}_{intent}"
    return ExampleRow(example(file, line, cells[columns.text], intent), part)


def _records(file: str, text: str, delimiter: str) -> list[Line]:
    """Rows with the lines they begin in. Quotes that close nowhere are plain letters where tabs part the cells."""
    lines: list[Line] = []
    csv.field_size_limit(MAX_CELL_CHARACTERS)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    begin = 1
    try:
        for cells in reader:
            lines.append((begin, cells))
            begin = reader.line_num + 1
    except csv.Error as error:
        if delimiter != "\t":
            raise Broken(file, f"the row that begins in line {begin}: {error}") from error
        rows = csv.reader(io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE)
        return list(enumerate(rows, 1))
    return lines


def delimiter_of(text: str, candidates: str = DELIMITERS) -> str:
    """What parts the cells: what most rows have equally often, a heading with known names before all; "" if nothing."""
    votes = {each: _vote(text, each) for each in candidates}
    best = max(votes, key=lambda each: votes[each])
    return best if votes[best] > 0.5 else ""


def _vote(text: str, delimiter: str) -> float:
    """The share of the first rows that are as wide as most, 0 if that is one cell, 2 for a heading with known names."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    widths: Counter[int] = Counter()
    try:
        for number, cells in enumerate(reader):
            if number == 0 and _named(cells):
                return 2.0
            widths[len(cells)] += bool(cells)
            if number >= 200:
                break
    except csv.Error:
        pass
    width, count = widths.most_common(1)[0] if widths else (1, 0)
    return count / widths.total() if width > 1 else 0.0


def _named(heading: Sequence[str]) -> ExampleColumns | None:
    text, intent, part, scenario = _places(heading)
    return None if text is None or intent is None else ExampleColumns(text, intent, part, scenario)


def has_heading(text: str) -> bool:
    """Whether a text begins with a row that names a text and an intent."""
    first = text.partition("\n")[0]
    return any(_named(next(csv.reader([first], delimiter=each), [])) for each in DELIMITERS)


def _places(heading: Sequence[str]) -> Iterator[int | None]:
    """Where a heading has a text, an intent, a part and a scenario."""
    names = [named(cell) for cell in heading]
    for known in (TEXT, INTENT, PART, SCENARIO):
        yield next((names.index(name) for name in known if name in names), None)


def named(cell: str) -> str:
    """A column name normalized for lookup."""
    return cell.strip().casefold().replace(" ", "_")


def _guessed(file: str, rows: Sequence[Sequence[str]]) -> ExampleColumns:
    """Guesses columns: texts have several words and hardly repeat, intents repeat; on a tie texts are longer.

    A first row that names one of the two where no other row does decides that one.
    """
    width = min(len(cells) for cells in rows)
    columns = [[cells[place].strip() for cells in rows] for place in range(width)]
    useful = [p for p, cells in enumerate(columns) if width == 2 or not all(cell.isdecimal() for cell in cells)]

    def variety(place: int) -> tuple[int, int, int]:
        different = set(columns[place])
        return sum(" " in cell for cell in different), len(different), sum(map(len, columns[place]))

    text, intent, part, scenario = (
        place if place is not None and place < width and columns[place].count(columns[place][0]) == 1 else None
        for place in _places(rows[0])
    )
    free = [place for place in useful if place not in (text, intent, part, scenario)]
    if len(free) < [text, intent].count(None):
        raise NoExamples(
            file, f"none of its columns is named like a text ({TEXT[0]} ...) or an intent ({INTENT[0]} ...)"
        )
    if text is None:
        text = max(free, key=variety)
    if intent is None:
        intent = min((place for place in free if place != text), key=variety)
    return ExampleColumns(text, intent, part, scenario)


def _is_heading(first: Sequence[str], body: Sequence[Line], columns: ExampleColumns) -> bool:
    """Whether a first row with names that nobody knows is a heading: one word each, and no such intent below."""
    text, intent = first[columns.text].strip(), first[columns.intent].strip()
    if named(text) in TEXT or named(intent) in INTENT:
        return all(cells[columns.intent].strip() != intent for _, cells in body[1:] if len(cells) > columns.intent)
    others = Counter(cells[columns.intent].strip() for _, cells in body[1:] if len(cells) > columns.intent)
    return text.replace("_", "").isalpha() and intent not in others and min(others.values(), default=0) > 1


def fasttext(file: str, text: str) -> list[ExampleRow]:
    """Lines that begin with __label__NAME."""
    return [ExampleRow(each) for each in _labelled(file, text)]


def _labelled(file: str, text: str) -> Iterator[IntentExample]:
    for number, line in enumerate(io.StringIO(text), 1):
        label, _, rest = line.strip().partition(" ")
        if label and not label.startswith(FASTTEXT):
            raise BadExample(file, f"line {number}", f"a line of this file begins with {FASTTEXT} and an intent")
        if label:
            yield example(file, number, rest, label.removeprefix(FASTTEXT))
