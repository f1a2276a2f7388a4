"""Matrix: what Element exports (JSON, HTML, plain text), and lists of raw events."""

from __future__ import annotations

from collections.abc import Iterator

from ...assembly.export_folder import ExportFolder
from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream
from ...input.source import Source
from . import html, json, text

_EXPORT_KEYS = {"room_name", "room_creator", "exported_by", "messages"}
_EVENT_KEYS = {"event_id", "sender", "origin_server_ts", "content", "type"}
_QUOTED = 0.31  # enough where nothing else explains the file, less than any chat that quotes a page


def _sniff(sample: Sample) -> Clue | None:
    if sample.json_start:
        return _sniff_json(sample)
    page = html.is_page(sample.head)
    if page and sample.is_markup:
        return Clue(0.97, "has the event elements of Element's HTML export")
    # A chat may quote the elements of a page, and a page may be kept within another document.
    return _sniff_text(sample) or (Clue(_QUOTED, "has the event elements of Element's HTML export") if page else None)


def _sniff_text(sample: Sample) -> Clue | None:
    share = sample.share(text.LINE)
    if share < 0.1:
        return None
    told = text.MARKS.search(sample.text) or "Chat Export" in sample.name
    return Clue(0.9 + 0.08 * share if told else 0.5, f"{share:.0%} of the lines have a date, seconds and a dash")


def _sniff_json(sample: Sample) -> Clue | None:
    keys = sample.json_keys.keys()
    if keys >= _EXPORT_KEYS:
        return Clue(0.99, "has room_name, exported_by and messages keys")
    if len(_EVENT_KEYS & keys) > 3 and "origin_server_ts" in keys:
        return Clue(0.97, "has events with sender, type, content and origin_server_ts")
    return None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    sample = Sample(source)
    if (html.is_page(sample.head) and not _sniff_text(sample)) or sample.text.lstrip()[:1] == "<":
        yield html.stream(source, options)
    elif sample.json_start:
        yield from json.streams(source)
    else:
        yield text.stream(source, options)


_FOLDER = ExportFolder(_sniff, _read)
FORMAT = Format("matrix", _sniff, _read, _FOLDER.claim, _FOLDER.read_tree)
