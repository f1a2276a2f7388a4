"""JSON documents: loaded whole, and asked for values that may be of any type or missing."""

from __future__ import annotations

import json
from typing import Any

from ...errors import Broken
from ..input.lines import text_of
from ..input.source import Source


def load_json(source: Source) -> Any:
    """A whole JSON document; a truncated or invalid one is said in a sentence."""
    return parse_json(text_of(source), source.name)


def parse_json(text: str, name: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        raise Broken(name, f"line {error.lineno}, column {error.colno}: no valid JSON from here on") from None
    except RecursionError:
        raise Broken(name, "its JSON is nested too deep") from None
    except ValueError:
        raise Broken(name, "a number in it has too many digits") from None


def dicts(value: object) -> list[dict[str, Any]]:
    """The objects of a JSON list; anything else in it, or anything else than a list, is no object."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def mapping(value: object) -> dict[str, Any]:
    """A JSON object, or an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def string(value: object) -> str:
    """Text of a JSON value that should be a string or a number; anything else is ""."""
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""
