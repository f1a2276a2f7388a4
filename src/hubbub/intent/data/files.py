"""Files -> examples in parts. The content determines the layout of a file; the file, else its name, the part."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ...bounded_files import read_bytes
from ...errors import Broken, Empty, InputError, NoExamples, NotText
from .example import ExampleRow, IntentExample, Parts, example, part_named
from .json_examples import is_record, json_file, json_lines
from .rasa import MARKDOWN, rasa_markdown, rasa_yaml
from .tables import FASTTEXT, delimiter_of, fasttext, has_heading, table

log = logging.getLogger(__name__)

Reading = Callable[[str, str], list[ExampleRow]]

_TABLES, _PLAIN = (".csv", ".tsv"), ("", ".txt", ".text", ".list")
_LINES = (".jsonl", ".ndjson")
_YAML = re.compile(r"^[\"']?nlu[\"']?:[ ]*$", re.MULTILINE)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def read_parts(files: Sequence[Path]) -> Parts:
    """The examples of all files; one that holds none is left out with a word about it, unless it is the only one."""
    visible = [file for file in files if not file.name.startswith(".")]
    found: list[tuple[Path, list[ExampleRow]]] = []
    without: list[InputError] = []
    for file in visible:
        if file.name in ("label", "seq.out") and file.with_name("seq.in") in visible:
            continue
        try:
            found.append((file, read_rows(file)))
        except (NoExamples, Empty, NotText) as error:
            without.append(error)
    if not found:
        raise without[0] if without else NoExamples(" ".join(map(str, files)) or "nothing", "there is no file in it")
    for reason in without:
        log.warning("%s, and is left out", str(reason).removesuffix("."))
    return _parted(found, len(visible) > 1)


def _parted(found: Iterable[tuple[Path, list[ExampleRow]]], several: bool) -> Parts:
    """Parts that files declare have priority, then file names, if there are several; the rest is for training.

    Where some files are named after parts, others are left out.
    """
    parts: dict[str, list[IntentExample]] = {}
    rest: list[tuple[Path, list[IntentExample]]] = []
    for file, rows in found:
        named = part_of_file(file) if several else ""
        for row in rows:
            if part := row.part or named:
                parts.setdefault(part, []).append(row.example)
        if not named and (plain := [row.example for row in rows if not row.part]):
            rest.append((file, plain))
    left_out = "train" in parts and several
    for file, examples in rest:
        if left_out:
            log.warning("%s: is left out, other files say that they are the parts", file)
        else:
            parts.setdefault("train", []).extend(examples)
    return parts


def part_of_file(file: Path) -> str:
    """The part that a file's name begins or ends with, or its folder's name; files of one intent have only the last."""
    words = re.split(r"[^a-z]+", file.stem.casefold())
    own = part_named(words[0]) or part_named(words[-1])
    return (own if _suffix(file) not in _PLAIN else "") or part_named(file.parent.name)


def read_rows(file: Path) -> list[ExampleRow]:
    """The examples of one file, as it has them."""
    text = decoded(file)
    if file.name == "seq.in":
        # Texts in one file, their intents line by line in another beside it.
        texts, labels = text.rstrip("\n").split("\n"), decoded(file.with_name("label")).rstrip("\n").split("\n")
        if len(texts) != len(labels):
            raise Broken(str(file), f"it has {len(texts)} lines, and label beside it has {len(labels)}")
        return [
            ExampleRow(example(str(file), n, *pair))
            for n, pair in enumerate(zip(texts, map(str.strip, labels), strict=True), 1)
        ]
    rows = layout(file, text)(str(file), text)
    if not rows:
        raise NoExamples(str(file), "no text in it has an intent")
    return rows


def layout(file: Path, text: str) -> Reading:
    """How a text is to be read: what it begins with decides, and the extension where that leaves a choice."""
    start = text.lstrip()
    if found := _json(file, start):
        return found
    if start.startswith(FASTTEXT):
        return fasttext
    suffix = _suffix(file)
    if suffix in (".yml", ".yaml") or _YAML.search(text):
        return rasa_yaml
    if MARKDOWN.search(text):
        return rasa_markdown
    if suffix in _TABLES or delimiter_of(text, "\t") or has_heading(start):
        return table
    if suffix in _PLAIN:
        return lines
    return table if suffix != ".md" and delimiter_of(text) else _unknown


def _suffix(file: Path) -> str:
    return file.suffix.casefold()


def _json(file: Path, start: str) -> Reading | None:
    """One value or one a line; what only begins with a bracket may be a table or a text of any kind."""
    suffix = _suffix(file)
    if start[:1] not in ("{", "["):
        return json_file if suffix in (".json", *_LINES) else None
    first = _loaded(start.partition("\n")[0])
    if is_record(first) or (suffix in _LINES and first is not None):
        return json_lines
    return json_file if suffix not in (*_TABLES, *_PLAIN) or _loaded(start) is not None else None


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _unknown(file: str, text: str) -> list[ExampleRow]:
    raise NoExamples(file, "it is neither a table, JSON, YAML nor a text file named for an intent")


def lines(file: str, text: str) -> list[ExampleRow]:
    """One text a line, all of the intent that the file is named for."""
    intent = Path(file).stem
    if part_named(intent):
        raise NoExamples(file, "it has lines of text, and nothing says their intents")
    rows = enumerate(text.split("\n"), 1)
    return [ExampleRow(example(file, number, line, intent)) for number, line in rows if line.strip()]


def decoded(file: Path) -> str:
    """The text of a file: UTF-8, or UTF-16, or what Windows wrote; lines end in a newline."""
    text = _decoded(str(file), read_bytes(file)).replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise Empty(str(file))
    return text


def _decoded(file: str, content: bytes) -> str:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encodings = ["utf-16"]
    elif _CONTROL.search(content):
        # UTF-16 without a byte order mark: every other byte of most texts is zero, but not those between them.
        head = content[:400]
        many = 0.3 * len(head)
        even, odd = head[0::2].count(0) > many, head[1::2].count(0) > many
        encodings = [] if even == odd else ["utf-16-le" if odd else "utf-16-be"]
    else:
        encodings = ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding == "cp1252":
            log.warning("%s: is not in UTF-8, and is read as Western European text", file)
        return text
    raise NotText(file)
