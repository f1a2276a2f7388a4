"""Discord, as DiscordChatExporter writes it: JSON, CSV, plain text or HTML, a file a channel."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...assembly.export_folder import ExportFolder
from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream, expecting
from ...input.source import Source
from . import csv, html, json, text

_JSON_KEYS = {"guild", "channel", "messages", "dateRange"}
_CHATLOG = re.compile(r"\bchatlog__(?:message|messages|author|author-name|content|timestamp)\b")


def _sniff(sample: Sample) -> Clue | None:
    if sample.json_start == "{":
        found = _JSON_KEYS & sample.json_keys.keys()
        sure = {"guild", "channel"} <= found and ("messages" in found or "dateRange" in found)
        return Clue(0.98, "has guild, channel and messages keys") if sure else None
    first = sample.lines[0] if sample.lines else ""
    if csv.is_header(first):
        return Clue(0.97, "has the columns Author, Date, Content, Attachments and Reactions")
    if text.is_banner(sample.lines):
        return Clue(0.98, "starts with a banner that names guild and channel")
    if sample.is_markup and len(set(_CHATLOG.findall(sample.head.decode("utf-8", "replace")))) > 2:
        return Clue(0.95, "has the chatlog elements of DiscordChatExporter")
    return None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    sample = Sample(source)
    first = sample.lines[0] if sample.lines else ""
    if sample.json_start:
        with expecting("discord", source, _sniff):
            found = json.stream(source)
        yield found
    elif first.lstrip()[:1] == "<":
        yield html.stream(source, options)
    elif csv.is_header(first):
        yield csv.stream(source, options)
    else:
        yield text.stream(source, options)


_FOLDER = ExportFolder(_sniff, _read, re.compile(r"_Files/"))
FORMAT = Format("discord", _sniff, _read, _FOLDER.claim, _FOLDER.read_tree)
