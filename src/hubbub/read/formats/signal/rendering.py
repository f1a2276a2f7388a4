"""What the shapes of a Signal export share: mentions, files, records a line or a document, wording of events."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ....errors import Broken
from ...detect.file_head import Sample
from ...input.lines import lines
from ...input.source import Source
from ...parsing.json_document import dicts, load_json, mapping, string
from ...parsing.rendering import bracketed, file_word

# Where somebody is mentioned, the text has this character, and a list tells who it is.
_PLACEHOLDER = "\ufffc"
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
OWN_NAME = "Me"
DELETED = "[deleted]"
NOTES = "Note to Self"


def mentioned(text: str, ranges: object, name_of: Callable[[str], str]) -> str:
    """The text with @names in place of the placeholders, in the order of the ranges that tell who is meant."""
    if _PLACEHOLDER not in text:
        return text
    names = [name for each in sorted(dicts(ranges), key=_start) if (name := _mention(each, name_of))]
    parts = text.split(_PLACEHOLDER)
    shown = [f"@{name}" for name in names[: len(parts) - 1]] + ["@"] * (len(parts) - 1 - len(names))
    return "".join(part + mark for part, mark in zip(parts, [*shown, ""], strict=True))


def _start(each: Mapping[str, Any]) -> float:
    start = each.get("start")
    return start if isinstance(start, int | float) else 0


def _mention(each: Mapping[str, Any], name_of: Callable[[str], str]) -> str:
    id = next((string(each[key]) for key in ("mentionAci", "mentionUuid", "uuid", "number") if each.get(key)), "")
    return string(each.get("replacementText")) or string(each.get("name")) or (name_of(id) if id else "")


def files(attachments: object) -> Iterator[str]:
    """Attachments by their names; most pictures and voice notes have none."""
    for each in dicts(attachments):
        inner = mapping(each.get("pointer")) or each
        name = next((string(inner[key]) for key in ("fileName", "filename", "name") if inner.get(key)), "")
        yield file_word(name, string(inner.get("contentType")))


def sticker(value: object) -> str:
    """A sticker by its emoji; "" if there is none."""
    known = mapping(value)
    shown = string(known.get("emoji")) or string(mapping(known.get("data")).get("emoji"))
    return bracketed("sticker", shown) if known else ""


def in_words(name: str) -> str:
    """An identifier such as groupAvatarUpdate, GROUP_AVATAR or group-avatar as words."""
    return _CAMEL.sub(" ", name).replace("_", " ").replace("-", " ").lower()


def records(source: Source) -> Iterator[tuple[int, object]]:
    """The values of a file that has one a line, numbered; a line that is no JSON gives None, a blank one ""."""
    for number, line in enumerate(lines(source), 1):
        if not line.strip("\0 \t\r"):
            yield number, ""
            continue
        try:
            yield number, json.loads(line, strict=False)
        except (ValueError, RecursionError):
            yield number, None


def has_lines(source: Source) -> bool:
    """Whether the file has a JSON object a line rather than being one document."""
    first = next((line for line in Sample(source).lines if line.strip()), "")
    try:
        return isinstance(json.loads(first, strict=False), dict)
    except (ValueError, RecursionError):
        return False


def document(source: Source) -> Any:
    """The document, or the list of the objects of a file that has one a line. A line that is broken breaks it."""
    if not has_lines(source):
        return load_json(source)
    found = [(number, record) for number, record in records(source) if record != ""]
    if broken := next((number for number, record in found if record is None), None):
        raise Broken(source.name, f"line {broken}: no valid JSON")
    return found[0][1] if len(found) == 1 else [record for _, record in found]
