"""Links that somebody has confirmed: the rows `link` of hubbub's JSON lines, alone or among the others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...chat import Chat
from ...errors import Broken, Empty
from ...layers import Link, Mention, Person
from .cast_file import file_text

PLACE = ("position", "start", "end")


def read_confirmed(path: Path, chat: Chat, cast: Sequence[Person]) -> tuple[Link, ...]:
    """The links in a file, each with the probability 1; they point into this chat and mean people of this cast."""
    text = file_text(path)
    if not text.strip():
        raise Empty(str(path))
    known = frozenset(person.id for person in cast)
    found: dict[Mention, Link] = {}
    for number, line in enumerate(text.split("\n"), 1):
        record = _record(str(path), number, line) if line.strip() else {}
        if record.get("layer") == "link":
            mention, people = record.get("mention"), record.get("people")
            places: list[Any] = [mention.get(key) for key in PLACE] if isinstance(mention, dict) else []
            if not places or any(type(place) is not int for place in places):
                raise Broken(str(path), f"line {number} has no mention with a position, a start and an end")
            if not isinstance(people, list) or not all(isinstance(id, str) for id in people):
                raise Broken(str(path), f"line {number} has no list of people")
            link = Link(Mention(*places), tuple(people))
            check_link(str(path), number, link, chat, known)
            found[link.mention] = link
    if not found:
        raise Broken(str(path), 'no line of it is a link such as {"layer":"link","mention":{...},"people":[...]}')
    return tuple(found.values())


def _record(where: str, number: int, line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Broken(where, f"line {number} is no JSON: {error}") from None
    if not isinstance(record, dict):
        raise Broken(where, f"line {number} is no JSON object")
    return record


def check_link(where: str, number: int, link: Link, chat: Chat, known: frozenset[str]) -> None:
    """A link points at a part of a message's text and means people of the cast."""
    position, start, end = link.mention.position, link.mention.start, link.mention.end
    if not (0 <= position < len(chat) and 0 <= start < end <= len(chat[position].text)):
        raise Broken(where, f"line {number} marks {position} {start} {end}, which is no part of a message's text")
    for id in link.people:
        if id not in known:
            raise Broken(where, f"line {number} has the id {id}, which nobody in the cast has")
