"""The older archives of slackdump: files with a line for every answer of Slack's web API, a file a channel.

A line has one letter for its kind and a list: `m` are messages, `u` people, `ch` channels, `ci` one channel, `w` the
workspace. Files of one archive refer to each other, and no order of them is sure, so that names are learnt first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ....errors import Broken
from ...assembly.chat_streams import CHAT_LIST, PEOPLE
from ...input.lines import lines
from ...input.source import Source, is_blank
from ...parsing.json_document import dicts, mapping, string
from ...report import Report, leaving_out
from .names import LOG, learn, shown_name
from .records import Channel
from .rendering import WorkspaceNames

_FILE = re.compile(r"(?:[CDG][A-Z0-9]{6,}(?:-\d{9,11}\.\d+)?|users|channels|workspace|search)\.json\.gz")
_LINE = re.compile(rb'\s*\{"t":\s?\d{1,2},\s?"ts":\s?\d{10,20}[,}]')

_Chunk = tuple[str, int, dict[str, Any]]


def is_one(head: bytes) -> bool:
    return bool(_LINE.match(head))


def is_named(name: str) -> bool:
    return bool(_FILE.fullmatch(name))


def read(sources: Iterable[Source], names: WorkspaceNames, strays: Report) -> tuple[list[Channel], WorkspaceNames]:
    """The channels of the files of an archive, and the names with those that they tell; what else they have is noted.

    A file that breaks is left out from there on.
    """
    chunks: list[_Chunk] = []
    for source in sources:
        with leaving_out(strays, source.name):
            if not is_blank(source.head) and not is_one(source.head):
                raise Broken(source.name, "its first line is no record of slackdump")
            chunks.extend(_chunks(source, strays))
    people, channel_names = dict(names.people), dict(names.channels)
    for where, number, chunk in chunks:
        for key, table, reason in (("u", people, PEOPLE), ("ch", channel_names, CHAT_LIST)):
            for record in _listed(chunk, key):
                _note(strays, where, number, reason)
                learn(table, mapping(record))
        _note_rest(chunk, where, number, strays)
    known = WorkspaceNames(people, channel_names)
    channels = _channels(chunks, known)
    for where, number, chunk in chunks:
        for record in (*_listed(chunk, "m"), *_listed(chunk, "sm")):
            id = string(chunk.get("id")) or string(mapping(mapping(record).get("channel")).get("id"))
            channels.setdefault(id, Channel(channel_names.get(id) or id or "slack", id, id)).records.append(
                (where, number, record)
            )
    return [channel for channel in channels.values() if channel.records], known


def _chunks(source: Source, strays: Report) -> Iterator[_Chunk]:
    for number, line in enumerate(lines(source), 1):
        if not line.strip("\0 \t\r"):
            _note(strays, source.name, number, "blank line")
            continue
        try:
            found = json.loads(line, strict=False)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            yield source.name, number, found
        else:
            strays.total += 1
            strays.unexplain(source.name, number, "no record of slackdump")


def _channels(chunks: list[_Chunk], names: WorkspaceNames) -> dict[str, Channel]:
    """Every channel that a list or a file describes."""
    teams = (string(mapping(chunk.get("w")).get("team_id")) for _, _, chunk in chunks)
    team = next(filter(None, teams), "")
    found: dict[str, Channel] = {}
    for _, _, chunk in chunks:
        for fields in (*dicts(chunk.get("ch")), mapping(chunk.get("ci"))):
            if id := string(fields.get("id")):
                direct = bool(fields.get("is_im") or fields.get("is_mpim"))
                partner = names.person(string(fields.get("user"))) if fields.get("is_im") else ""
                name = shown_name(fields, direct, names) or partner or id
                found.setdefault(id, Channel(name, id, f"{team}/{id}" if team else id))
    return found


def _listed(chunk: dict[str, Any], key: str) -> list[Any]:
    listed = chunk.get(key)
    return listed if isinstance(listed, list) else []


def _note_rest(chunk: dict[str, Any], where: str, number: int, strays: Report) -> None:
    """A line without any message, person or channel is one record that is no message."""
    if not any(_listed(chunk, key) for key in ("m", "sm", "u", "ch")):
        _note(strays, where, number, CHAT_LIST if "ci" in chunk else LOG)


def _note(strays: Report, where: str, number: int, reason: str) -> None:
    strays.total += 1
    strays.skip(where, number, reason)
