"""Telegram Desktop: result.json of one chat or of a whole account, or the pages of an HTML export."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...assembly.export_folder import ExportFolder
from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream, expecting
from ...input.source import Source
from . import html, json

_TYPES = re.compile(
    r'"type"\s*:\s*"(?:(?:personal|bot)_chat|saved_messages|(?:private|public)_(?:group|supergroup|channel))"'
)
_SURE = {"date_unixtime", "text_entities", "from_id", "actor_id", "reply_to_message_id", "forwarded_from"}
_OWN = re.compile(r"(?:^|/)(?:export_results|lists/[^/]*)\.html$|(?:^|/)lists/")


def _sniff(sample: Sample) -> Clue | None:
    if sample.json_start == "{":
        return _sniff_json(sample)
    if sample.is_markup and b"pull_right date details" in sample.head and b'class="message' in sample.head:
        return Clue(0.97, "has the message elements of Telegram's HTML export")
    return None


def _sniff_json(sample: Sample) -> Clue | None:
    keys = sample.json_keys
    if "messages" in keys and (_TYPES.search(sample.text) or len(_SURE & keys.keys()) > 1):
        return Clue(0.98, "has a Telegram chat type and messages")
    if "personal_information" in keys and ("contacts" in keys or "profile_pictures" in keys or "about" in keys):
        return Clue(0.95, "has the personal information of a Telegram account")
    if {"messages", "date_unixtime", "text", "from"} <= keys.keys():
        return Clue(0.9, "has messages with date_unixtime, from and text")
    if {"messages", "date", "text", "type"} <= keys.keys() and ("from" in keys or "actor" in keys):
        return Clue(0.7, "has messages with date, type, from and text")
    return None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    if Sample(source).text.lstrip()[:1] == "<":
        yield html.stream(source, options)
    else:
        with expecting("telegram", source, _sniff):
            found = list(json.streams(source, options))
        yield from found


_FOLDER = ExportFolder(_sniff, _read, _OWN)
FORMAT = Format("telegram", _sniff, _read, _FOLDER.claim, _FOLDER.read_tree)
