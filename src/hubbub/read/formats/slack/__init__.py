"""Slack: the official export as zip or folder, one channel's JSON, and what slackdump and the web API give."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath

from ....errors import WrongFormat
from ...assembly.chat_streams import CHAT_LIST, PEOPLE, streams
from ...assembly.export_folder import covers
from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream, expecting
from ...input.source import Source, Tree, is_blank
from ...parsing.json_document import dicts, load_json, mapping
from ...parsing.path_names import fallback_name
from ...report import Report, leaving_out
from . import chunks, database
from .names import (
    CHANNEL_FILES,
    DAY_FILE,
    DUMP_FILE,
    DUMP_FOLDER,
    LOG,
    PEOPLE_FILES,
    SIDE_FILES,
    Labels,
    beside,
    composed,
    file_label,
    lists_in,
    names_in,
)
from .records import Channel, messages, with_met
from .rendering import WorkspaceNames

_TS = re.compile(r'"ts"\s*:\s*"?\d{9,11}(\.\d+)?\b')
_USER = re.compile(r'"(id|user)"\s*:\s*"[UW][A-Z0-9]{6,}"')
_CHANNEL = re.compile(r'"id"\s*:\s*"[CDG][A-Z0-9]{6,}"')


def _sniff(sample: Sample) -> Clue | None:
    if database.is_one(sample.head):
        return Clue(1.0, "a database of slackdump")
    if chunks.is_one(sample.head):
        return Clue(1.0, "an archive of slackdump, an answer of the API a line")
    keys = sample.json_keys
    if not keys or {"guild", "chat_messages", "zerver_message", "msg"} & keys.keys():
        return None
    if keys["ts"] and _TS.search(sample.text) and (keys["text"] or keys["blocks"] or keys["subtype"]):
        sure = keys["thread_ts"] or keys["subtype"] or keys["client_msg_id"] or _USER.search(sample.text)
        return Clue(0.95 if sure else 0.6, "messages with ts, user and text")
    people = keys["real_name"] and (keys["team_id"] or keys["profile"] or keys["deleted"])
    if sample.json_start == "[" and keys["id"] and people and _USER.search(sample.text):
        return Clue(0.9, "a list of Slack users")
    if sample.json_start == "[" and keys["members"] and keys["created"] and _CHANNEL.search(sample.text):
        return Clue(0.9, "a list of Slack channels")
    if sample.json_start == "[" and keys["change_type"] and keys["app_type"]:
        return Clue(0.8, "a log of Slack integrations")
    return None


def _claim(tree: Tree) -> Clue | None:
    """The lists must lie at the top; without lists, every file must be a day, or all of it be a dump of slackdump."""
    if _is_dump(tree):
        return Clue(1.0, "a folder of slackdump")
    days = [source for member, source in tree.files.items() if DAY_FILE.fullmatch(PurePosixPath(member).name)]
    lists = [source for name in (*PEOPLE_FILES, *CHANNEL_FILES) for source in tree.named(name)]
    if not covers(tree, lists) and len(days) < len(tree.files):
        return None
    if any(_sniff(Sample(source)) for source in days[:3] + days[-1:]):
        return Clue(1.0 if lists else 0.9, "a folder of days for every channel")
    return Clue(0.8, "lists of Slack users or channels") if any(_sniff(Sample(each)) for each in lists) else None


def _is_dump(tree: Tree) -> bool:
    """Whether this is what slackdump writes: a database or files named by channels, attachments in folders below."""
    top = {member: source for member, source in tree.files.items() if "/" not in member}
    dumps = {
        name: source
        for name, source in top.items()
        if DUMP_FILE.fullmatch(name) or database.is_named(name) or chunks.is_named(name)
    }
    if not any(_sniff(Sample(source)) for source in dumps.values()):
        return False
    logs = {name + ending for name in dumps for ending in database.COMPANIONS}
    folders = {member.partition("/")[0] for member in tree.files if "/" in member}
    return top.keys() <= {*dumps, *logs, *SIDE_FILES} and all(DUMP_FOLDER.fullmatch(name) for name in folders)


def _read_tree(tree: Tree, options: Options) -> Iterator[Stream]:
    strays = Report()
    lists = lists_in(tree, strays)
    names = names_in(lists)
    labels = Labels(lists, names)
    channels: dict[str, Channel] = {}
    archive: list[Source] = []
    for member, source in tree.files.items():
        path = PurePosixPath(member)
        if path.name in SIDE_FILES:
            continue
        day = bool(DAY_FILE.fullmatch(path.name))
        with leaving_out(strays, source.name, None if database.is_named(member) else source):
            if database.is_named(member) and database.is_one(source.head):
                found, names = database.read(source, names, strays)
                channels |= {f"{member}/{channel.identity}": channel for channel in found}
            elif chunks.is_named(path.name) or (path.suffix == ".json" and chunks.is_one(source.head)):
                archive.append(source)
            elif day or (path.suffix == ".json" and _is_chat(source, path)):
                _gather(channels, source, path, day, labels, tree)
            else:
                strays.skip_file(source.name, "a file beside the messages")
    found, names = chunks.read(archive, names, strays)
    yield from _streams([*channels.values(), *found], names, strays, fallback_name(tree.name))


def _is_chat(source: Source, path: PurePosixPath) -> bool:
    """By its name, as slackdump gives it, or by what is in it."""
    return bool(DUMP_FILE.fullmatch(path.name) and not is_blank(source.head)) or _sniff(Sample(source)) is not None


def _gather(
    channels: dict[str, Channel], source: Source, path: PurePosixPath, day: bool, labels: Labels, tree: Tree
) -> None:
    """A file's records into its channel: a day's into that of its folder, a dump's into that of its id."""
    document = load_json(source)
    dump = DUMP_FILE.fullmatch(path.name)
    folder = path.parent if day else path.with_name(dump[1]) if dump else path.with_suffix("")
    here = folder.name or PurePosixPath(tree.name).name
    name = labels.name(folder, here) if day else file_label(source, document, labels)
    made = Channel(name, str(folder.parent).strip("."), labels.identity(folder, document))
    channel = channels.setdefault(composed(str(folder)), made)
    channel.name = name if channel.name == folder.name else channel.name  # the file of a thread may have no name
    channel.add(source.name, document)


def _read(source: Source, options: Options) -> Iterator[Stream]:
    strays = Report()
    if database.is_one(source.head):
        found, names = database.read(source, WorkspaceNames(), strays)
        yield from _streams(found, names, strays, fallback_name(source.name))
        return
    if chunks.is_one(source.head):
        found, names = chunks.read([source], WorkspaceNames(), strays)
        yield from _streams(found, names, strays, fallback_name(source.name))
        return
    with expecting("slack", source, _sniff):
        document = load_json(source)
    if _is_side_list(document):
        reason = PEOPLE if _has_people(document) else CHAT_LIST if "id" in dicts(document)[0] else LOG
        strays.total += len(document)
        for number in range(1, len(document) + 1):
            strays.skip(source.name, number, reason)
        yield from streams([], strays, fallback_name(source.name))
        return
    tree = beside(source)
    lists = lists_in(tree, Report())
    names = names_in(lists)
    labels = Labels(lists, names)
    path = PurePosixPath(source.name.replace("\\", "/"))
    folder = path.parent if DAY_FILE.fullmatch(path.name) else path.with_suffix("")
    channel = Channel(file_label(source, document, labels), identity=labels.identity(folder, document))
    channel.add(source.name, document)
    fields = [mapping(record).keys() for _, _, record in channel.records]
    if not any("ts" in each and "msg" not in each for each in fields) and document != []:
        raise WrongFormat(source.name, "slack", "no record in it has a ts")
    yield from _streams([channel], names, strays, channel.name)


def _streams(channels: Sequence[Channel], names: WorkspaceNames, strays: Report, otherwise: str) -> Iterator[Stream]:
    names = with_met(names, channels)
    openers = [(each.name, each.hint, partial(messages, each, names)) for each in channels]
    yield from streams(openers, strays, otherwise, [each.identity for each in channels])


def _is_side_list(document: object) -> bool:
    records = dicts(document)
    return bool(records) and all(
        ("id" in each or "change_type" in each) and not {"ts", "text", "messages"} & each.keys() for each in records
    )


def _has_people(document: object) -> bool:
    return any("real_name" in each or "profile" in each for each in dicts(document))


FORMAT = Format("slack", _sniff, _read, _claim, _read_tree)
