"""Examples in JSON: lists of records or pairs, intent -> texts, parts -> any of these (CLINC), and JSON lines."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping

from ...errors import BadExample, Broken, NoExamples
from .example import ExampleRow, example, part_given, part_named
from .tables import INTENT, PART, TEXT, named

log = logging.getLogger(__name__)

TEXTS_KEYS = ("examples", "patterns", "utterances", "texts", "phrases", "data")
NAME_KEYS = (*INTENT, "name")
LIST_KEYS = ("common_examples", "examples", "utterances", "intents", "data", "sentences", "rows")


def json_lines(file: str, text: str) -> list[ExampleRow]:
    """One record a line."""
    rows: list[ExampleRow] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                rows += _of_item(file, json.loads(line), f"line {number}", number)
            except (ValueError, RecursionError) as error:
                raise Broken(file, f"line {number} is no JSON: {error}") from error
    return rows


def json_file(file: str, text: str) -> list[ExampleRow]:
    """Any of the layouts of JSON files of examples, recognised by content."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise Broken(file, f"line {error.lineno}: {error.msg}") from error
    except RecursionError as error:
        raise Broken(file, "it is nested too deeply") from error
    rows = list(_of_value(file, value))
    if not rows:
        raise NoExamples(file, "it is JSON without a list of texts and intents")
    return _with_lines(rows, text)


def is_record(value: object) -> bool:
    """Whether a value is one example, and not a whole file of them."""
    if isinstance(value, dict):
        fields = _named(value)
        return any(not isinstance(fields.get(name, []), list | dict) for name in (*TEXT, *INTENT))
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)


def _of_value(file: str, value: object) -> Iterator[ExampleRow]:
    if isinstance(value, list):
        for number, item in enumerate(value, 1):
            yield from _of_item(file, item, f"record {number}")
    elif isinstance(value, dict) and "rasa_nlu_data" in value:
        yield from _of_value(file, value["rasa_nlu_data"])
    elif isinstance(value, dict) and value and all(map(_part_of, value)):
        for key, below in value.items():
            yield from (row._replace(part=_part_of(key)) for row in _of_value(file, below))
    elif isinstance(value, dict) and (
        name := next((each for each in LIST_KEYS if _has_records(value.get(each))), None)
    ):
        yield from _of_value(file, value[name])
    elif isinstance(value, dict) and (columns := _columns(value)):
        for number, (text, intent) in enumerate(zip(*columns, strict=True), 1):
            yield from _of_item(file, [text, intent], f"record {number}")
    elif isinstance(value, dict):
        for name, below in value.items():
            if isinstance(below, list):
                yield from _of_intent(file, name, below)
            elif any(isinstance(each, list) for each in value.values()):
                log.warning("%s: %r is left out, it has no list of texts", file, name)


def _named(record: Mapping[str, object]) -> dict[str, object]:
    """A record with its keys written as those of tables are."""
    return {named(str(key)): value for key, value in record.items()}


def _columns(value: Mapping[str, object]) -> tuple[list[object], list[object]] | None:
    """Texts and intents where each is a list of its own, equally long."""
    fields = _named(value)
    texts, intents = (
        next((each for name in known if isinstance(each := fields.get(name), list)), list[object]())
        for known in (TEXT, INTENT)
    )
    return (texts, intents) if texts and len(texts) == len(intents) else None


def _part_of(key: str) -> str:
    """The part that a key means; CLINC keeps what is out of scope apart."""
    return part_named(key.removeprefix("oos_"))


def _has_records(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _of_item(file: str, item: object, place: str, line: int = 0) -> Iterator[ExampleRow]:
    """A record with its text or texts, or a pair of a text and an intent."""
    if isinstance(item, list) and len(item) == 2:
        yield ExampleRow(example(file, line, item[0], _label(file, item[1], place), place))
    elif isinstance(item, dict):
        yield from _of_record(file, item, place, line)
    else:
        raise NoExamples(file, f"{place} is neither a record with a text and an intent nor a pair of them")


def _of_record(file: str, mapping: Mapping[str, object], place: str, line: int) -> Iterator[ExampleRow]:
    record = _named(mapping)
    text, many = (next((name for name in names if name in record), None) for names in (TEXT, TEXTS_KEYS))
    if text is None and many is None:
        raise BadExample(file, place, f"a record has no text; it has {', '.join(map(str, mapping)) or 'nothing'}")
    name = next((name for name in (INTENT if text else NAME_KEYS) if name in record), None)
    if name is None:
        raise BadExample(file, place, f"a record has no intent; it has {', '.join(map(str, mapping))}")
    label = _label(file, record[name], place)
    part = next((part_given(file, place, record[each]) for each in PART if each in record), "")
    if text is not None:
        yield ExampleRow(example(file, line, record[text], label, place), part)
        return
    texts = record[many or ""]
    for each in texts if isinstance(texts, list) and texts else [texts or ""]:
        yield ExampleRow(example(file, line, each, label, place), part)


def _label(file: str, value: object, place: str) -> str | None:
    """An intent's name; null and an empty string that is written out mean out of scope."""
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise BadExample(file, place, f"an intent is a name, and this is {json.dumps(value)[:40]}")
    return str(value).strip()


def _of_intent(file: str, name: str, below: list[object]) -> Iterator[ExampleRow]:
    """An intent with its texts; a text may be in pieces, those that are entities marked."""
    place = f"intent {name}"
    if not below:
        raise BadExample(file, place, f"the intent {name!r} has no text")
    for item in below:
        pieces = item.get("data") if isinstance(item, dict) else None
        text = "".join(str(piece.get("text", "")) for piece in pieces) if pieces else item
        yield ExampleRow(example(file, 0, text, name or None, place))


def _with_lines(rows: list[ExampleRow], source: str) -> list[ExampleRow]:
    """The rows with the lines of their texts, searched in order, as long as they are found."""
    found: list[ExampleRow] = []
    at, line = 0, 1
    for row in rows:
        # Where a text stands next, as JSON may write it.
        forms = (json.dumps(row.example.text, ensure_ascii=False), json.dumps(row.example.text))
        places = (source.find(form, at) for form in (*forms, *(form[1:-1] for form in forms)))
        place = next((place for place in places if place >= 0), -1)
        if place < 0:
            return [*found, *rows[len(found) :]]
        line += source.count("\n", at, place)
        at = place
        found.append(row._replace(example=row.example._replace(line=line)))
    return found
