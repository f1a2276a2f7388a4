"""What the readers of JSON exports share: loading, ids, order."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from ..chat import Message
from ..errors import Broken
from .lines import text_of
from .source import Source


def load_json(source: Source) -> Any:
    """A whole JSON document; a truncated or invalid one is said in a sentence."""
    return parse_json(text_of(source), source.name)


def parse_json(text: str, name: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        raise Broken(name, f"line {error.lineno}: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        raise Broken(name, str(error)) from None


def dicts(value: object) -> list[dict[str, Any]]:
    """The objects of a JSON list; anything else in it, or anything else than a list, is no object."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def mapping(value: object) -> dict[str, Any]:
    """A JSON object, or an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def string(value: object) -> str:
    """Text of a JSON value that should be a string or a number; anything else is ""."""
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""


class Ids:
    """Gives every message an id of its own: the platform's, unless that is missing or taken."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, wanted: str) -> str:
        wanted = wanted or f"#{len(self._taken)}"
        found, copy = wanted, 1
        while found in self._taken:
            copy += 1
            found = f"{wanted}~{copy}"
        self._taken.add(found)
        return found


def in_time_order(messages: Iterable[Message]) -> list[Message]:
    """Sorted by time; equal times keep their order, and a message without a time stays behind the one before it."""
    keyed: list[tuple[datetime, Message]] = []
    last = datetime.min
    for message in messages:
        if message.time is not None:
            last = message.time.astimezone(UTC).replace(tzinfo=None) if message.time.tzinfo else message.time
        keyed.append((last, message))
    return [message for _, message in sorted(keyed, key=lambda pair: pair[0])]
