"""What signal-export writes: a folder a chat, with data.json (a message a line) and chat.md (once index.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from ....chat import Message
from ....errors import WrongFormat
from ....text import clean
from ...detect.file_head import Sample
from ...format import Options, Stream
from ...input.lines import lines
from ...input.source import Source, rewindable
from ...parsing.json_document import string
from ...parsing.path_names import fallback_name
from ...parsing.quotes import Earlier
from ...parsing.rendering import bracketed, file_word, lines_of
from ...report import Report
from ...times.clock import from_iso
from .rendering import DELETED, files, records, sticker

_KEYS = {"date", "sender", "body", "quote", "sticker", "reactions", "attachments"}
_LINE = re.compile(r"\[(\d{4}-\d\d-\d\d),? (\d\d:\d\d(?::\d\d)?)\] (.*?): ?(.*)$")
# Without bounds, a text of brackets would be searched to its end from each of them.
_REACTIONS = re.compile(r"\n?\(- .{0,2000} -\)")
_STICKER = re.compile(r"\n?\(\( (.{0,100}) \)\)")
_FILE = re.compile(r"!?\[([^\]\n]{0,300})\]\((\.{1,2}/[^)\n]{0,1000})\)\s*")
_CALL = re.compile(r"(?:(?:Incoming|Outgoing|Missed)(?: voice| video| group)? call(?: \([^)]*\))?)$")
_GONE = "(This message was deleted)"
_NOBODY = "No-Sender"


def is_records(sample: Sample) -> bool:
    return sample.json_start == "{" and sample.json_keys.keys() >= _KEYS and "conversationId" not in sample.json_keys


def is_markdown(sample: Sample) -> bool:
    """Phones write dates this way too, but only this tool ends texts with two spaces, as a break of Markdown."""
    found = [line for line in sample.lines if _LINE.match(line)]
    plain = sum(1 for line in sample.lines if line.endswith("  "))
    return bool(found) and bool(_LINE.match(sample.lines[0])) and 2 * plain >= len(found)


def name(source: Source) -> str:
    folder = PurePosixPath(source.name.replace("\\", "/")).parent.name
    return clean(folder) or fallback_name(source.name)


def stream(source: Source, options: Options) -> Stream:
    source = rewindable(source)
    read = _records if is_records(Sample(source)) else _markdown
    return Stream(name(source), lambda first, report: read(source, options, first, report))


def _records(source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
    earlier, count = Earlier(), first
    for number, record in records(source):
        report.total += 1
        if record == "":
            report.skip(source.name, number, "blank line")
        elif not isinstance(record, dict) or not record.keys() & {"date", "sender", "body"}:
            report.unexplain(source.name, number, "no message: it has neither a date nor a sender")
        else:
            yield _record(str(count), record, earlier, options)
            count += 1


def _record(id: str, record: Mapping[str, Any], earlier: Earlier, options: Options) -> Message:
    body, when = string(record.get("body")).strip(), from_iso(record.get("date"), options.timezone)
    mark = record.get("sticker")
    shown = sticker(mark) or (bracketed("sticker", mark) if isinstance(mark, str) and mark else "")
    extras = [*files(record.get("attachments")), shown]
    quote = "\n".join(line.removeprefix(">").strip() for line in string(record.get("quote")).strip().split("\n"))
    if record.get("deleted") is True:
        body = _GONE
    elif record.get("call") is True and not _CALL.match(body):
        return Message(id, when, _person(record), clean(body) or bracketed("call"), "system")
    return _said(id, when, _person(record), body, extras, earlier, quote)


def _person(record: Mapping[str, Any]) -> str:
    return clean(string(record.get("sender")).replace(_NOBODY, ""))


def _said(
    id: str, when: datetime | None, author: str, body: str, extras: list[str], earlier: Earlier, quote: str
) -> Message:
    """One message. What has neither text nor file is an event whose words the tool does not tell."""
    if body == _GONE:
        return Message(id, when, author, DELETED, "system")
    text = lines_of(body, *extras)
    if not text or _CALL.match(text):
        return Message(id, when, author, text or bracketed("event"), "system")
    answered = earlier.find(quote) if quote else ""
    earlier.add(id, body)
    return Message(id, when, author, text, "message", (answered,) if answered else ())


def _markdown(source: Source, options: Options, first: int, report: Report) -> Iterator[Message]:
    earlier, count, strange = Earlier(), first, 0
    start: re.Match[str] | None = None
    body: list[str] = []
    for number, raw in enumerate(lines(source), 1):
        report.total += 1
        line = clean(raw)
        if found := _LINE.match(line):
            if start:
                yield _paragraph(str(count), start, body, earlier, options)
                count += 1
            start, body = found, [found[4]]
        elif start:
            report.continued += 1
            body.append(line)
        elif line.strip():
            strange += 1
            report.unexplain(source.name, number, "stands before the first message")
        else:
            report.skip(source.name, number, "blank line")
    if start:
        yield _paragraph(str(count), start, body, earlier, options)
    elif strange:
        raise WrongFormat(source.name, "signal", "no line starts with a date and a sender in the way of signal-export")


def _paragraph(id: str, start: re.Match[str], body: list[str], earlier: Earlier, options: Options) -> Message:
    quote: list[str] = []
    if not body[0].strip() and len(body) > 2 and not body[1].strip() and body[2].startswith("> "):
        end = next((place for place in range(2, len(body)) if not body[place].startswith(">")), len(body))
        quote, body = [line[1:].strip() for line in body[2:end]], body[end:]
    text = _REACTIONS.sub("", "\n".join(body))
    extras = [bracketed("sticker", mark) for mark in _STICKER.findall(text)]
    extras += [file_word(found[1]) for found in _FILE.finditer(text)]
    text = _FILE.sub("", _STICKER.sub("", text)).strip()
    when = from_iso(f"{start[1]}T{start[2]}", options.timezone)
    author = clean(start[3].replace(_NOBODY, ""))
    return _said(id, when, author, text, extras, earlier, "\n".join(quote))
