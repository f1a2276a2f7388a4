"""Lists of people: a cast file in TOML, CSV or JSON, or an entity map, a line an id and a name.

In TOML and JSON a person is a table with `id`, `names`, `aliases`, `gender` and `relations`; in CSV these are columns,
several names or relations parted by semicolons. A relation says what a person is to another, as in "mother of ines".
"""

from __future__ import annotations

import csv
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...bounded_files import read_bytes
from ...errors import Broken, Empty, NotText
from ...layers import Person

FIELDS = ("id", "name", "names", "aliases", "gender", "relations")
GENDERS = {"female": "female", "f": "female", "male": "male", "m": "male", "": ""}
ENDINGS = (".toml", ".csv", ".json")

_TABLE = re.compile(r"^[ \t]*\[\[\s*(?:person|people)\s*\]\]", re.MULTILINE)
_OBJECT = re.compile(r"\{[^{}]*\}")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def read_cast(path: Path) -> tuple[Person, ...]:
    """The people in a cast file or an entity map, every id once; a relation may be to somebody who only talks."""
    text = file_text(path)
    if not text.strip():
        raise Empty(str(path))
    return cast_in(str(path), text, path.suffix.lower())


def cast_in(where: str, text: str, ending: str) -> tuple[Person, ...]:
    readers = {".toml": _toml, ".json": _json, ".csv": _csv}
    people: dict[str, Person] = {}
    for place, record in readers.get(ending, _map)(where, text):
        person = _person(where, place, record)
        if person.id in people:
            raise Broken(where, f"{place} has the id {person.id}, which another person has already")
        people[person.id] = person
    return tuple(people.values())


def file_text(path: Path) -> str:
    content = read_bytes(path)
    if b"\0" in content:
        raise NotText(str(path))
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise Broken(str(path), f"byte {error.start} is no UTF-8") from error


Records = Iterator[tuple[str, Mapping[str, Any]]]


def _toml(where: str, text: str) -> Records:
    try:
        record = tomllib.loads(text)
    except (RecursionError, tomllib.TOMLDecodeError) as error:
        raise Broken(where, f"it is no TOML: {error}") from error
    return _listed(where, record, [_line(text, found.start()) for found in _TABLE.finditer(text)])


def _json(where: str, text: str) -> Records:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Broken(where, f"it is no JSON: {error}") from error
    # The lines of the innermost objects; strings are blanked, since they may hold braces.
    blanked = _STRING.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    return _listed(where, record, [_line(text, found.start()) for found in _OBJECT.finditer(blanked)])


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _listed(where: str, record: Any, lines: Sequence[int]) -> Records:
    """A list of people, alone or under `person` or `people`, each with its line where every one of them has one."""
    people = record.get("person", record.get("people")) if isinstance(record, dict) else record
    if not isinstance(people, list) or not all(isinstance(each, dict) for each in people):
        raise Broken(where, "it has no list of people under person or people")
    positions = [f"line {line}, " for line in lines] if len(lines) == len(people) else [""] * len(people)
    return (
        (f"{line}person {number}", each) for number, (line, each) in enumerate(zip(positions, people, strict=True), 1)
    )


def _csv(where: str, text: str) -> Records:
    rows = csv.DictReader(text.splitlines(), strict=True)
    try:
        if "id" not in (rows.fieldnames or ()):
            raise Broken(where, f"line 1 names no column id; the columns are {', '.join(FIELDS)}")
        for row in rows:
            if None in row:
                raise Broken(where, f"line {rows.line_num} has more columns than the first")
            yield f"line {rows.line_num}", {key: _parts(key, value or "") for key, value in row.items()}
    except csv.Error as error:
        raise Broken(where, f"line {rows.reader.line_num} is no CSV: {error}") from error


def _parts(key: str, value: str) -> Any:
    """The value of a column: a list where there may be several."""
    if key in ("names", "aliases", "relations"):
        return [part.strip() for part in value.split(";") if part.strip()]
    return value.strip()


def _map(where: str, text: str) -> Records:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            id, _, name = line.strip().partition("\t")
            if not name:
                raise Broken(where, f"line {number} is no id, a tab and a name")
            yield f"line {number}", {"id": id.strip(), "names": [name.strip()]}


def _person(where: str, place: str, record: Mapping[str, Any]) -> Person:
    for unknown in record.keys() - set(FIELDS):
        raise Broken(where, f"{place} has {unknown!r}; a person has {', '.join(FIELDS)}")
    id, gender = record.get("id", ""), record.get("gender", "")
    if not isinstance(id, str) or not id:
        raise Broken(where, f"{place} has no id")
    if not isinstance(gender, str) or gender.lower() not in GENDERS:
        raise Broken(where, f"{place} has the gender {gender!r}; it is female, male or left out")
    names = [name for key in ("name", "names", "aliases") for name in _strings(where, place, record.get(key, []))]
    relations = [_relation(where, place, each) for each in _strings(where, place, record.get("relations", []))]
    return Person(id, tuple(dict.fromkeys(names or [id])), GENDERS[gender.lower()], tuple(relations))


def _strings(where: str, place: str, value: Any) -> list[str]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        raise Broken(where, f"{place} has {value!r} where names or relations are texts")
    return [each for each in values if each]


def _relation(where: str, place: str, text: str) -> tuple[str, str]:
    """ "mother of ines" -> ("mother of", "ines")."""
    relation, of, other = text.partition(" of ")
    if not of or not relation.strip() or not other.strip():
        raise Broken(where, f"{place} has the relation {text!r}, which is none such as mother of ID")
    return f"{relation.strip()} of", other.strip()
