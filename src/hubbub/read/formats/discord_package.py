"""Discord's own data package: what one person wrote, as a folder a channel; nobody else's messages are in it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from ...chat import Message
from ...errors import Broken, WrongFormat
from ...text import clean
from ..assembly.chat_streams import CHAT_LIST, PEOPLE, Ids
from ..assembly.download import DownloadLayout, FoundChat, chat_streams, load_side, readable, skip_side
from ..detect.file_head import Clue, Sample
from ..format import Format, Options, Stream, expecting
from ..input.lines import LONGEST_CELL, lines
from ..input.source import Source, Tree, rewindable
from ..parsing.json_document import dicts, load_json, mapping, string
from ..parsing.path_names import fallback_name
from ..parsing.rendering import lines_of, people_names
from ..report import Report
from ..times.clock import from_iso
from .discord.rendering import attachment_at, channel, person

_COLUMNS = ("ID", "Timestamp", "Contents", "Attachments")
_HEADER = re.compile(r'\ufeff?"?ID"?,"?Timestamp"?,"?Contents"?,"?Attachments"?\s*$')
# The folders carry words of the account's language; what is in them does not.
_LAYOUT = DownloadLayout(
    re.compile(r"(?:^|/)c?\d+/messages\.(?:csv|json)$"),
    re.compile(
        r"(?:^|/)(?:index|user|channel|guild|audit-log|application)\.json$|(?:^|/)README\.\w+$|(?:^|/)avatar\.\w+$"
        r"|(?i:^(?:[^/]+/)?(?:account|activity|activities\w*|ads|programs|servers|support_tickets|messages)/)"
    ),
)
_MENTION = re.compile(r"<@!?(\d+)>")
_EMOJI = re.compile(r"<a?:(\w+):\d+>")
# "general in Harbour", "Direct Message with ana#0": how the index of the package names a chat.
_DIRECT = re.compile(r"Direct Message with (.+?)(?:#\d{1,4})?$")
_IN_SERVER = re.compile(r"(.+) in (.+)$")


def _sniff(sample: Sample) -> Clue | None:
    if sample.json_start == "[":
        if set(_COLUMNS) <= sample.json_keys.keys():
            return Clue(0.99, "messages with ID, Timestamp, Contents and Attachments")
        return None
    if sample.lines and not sample.json_start and _HEADER.match(sample.lines[0]):
        return Clue(0.99, "has the columns ID, Timestamp, Contents and Attachments")
    return None


def _claim(tree: Tree) -> Clue | None:
    """Other files of a package are many and large: only their names are looked at."""
    parts = [source for _, source in _LAYOUT.parts(tree)[:5]]
    if _LAYOUT.fits(tree) and tree.named("channel.json") and any(_is_part(source) for source in parts):
        return Clue(1.0, "a folder with channel.json and messages for every channel")
    return None


def _is_part(source: Source) -> bool:
    return _sniff(Sample(source)) is not None


@dataclass(slots=True)
class _Known:
    """Who is who, and what the chats are called."""

    owner: str = ""
    people: dict[str, str] = field(default_factory=dict)
    chats: dict[str, str] = field(default_factory=dict)

    def learn_user(self, document: object) -> None:
        user = mapping(document)
        if not self.owner and "username" in user:
            self.owner = _person(user)
        for each in (user, *(mapping(friend.get("user")) for friend in dicts(user.get("relationships")))):
            if (id := string(each.get("id"))) and (name := _person(each)):
                self.people.setdefault(id, name)

    def learn_chats(self, document: object) -> None:
        self.chats.update((id, clean(string(name))) for id, name in mapping(document).items())


def _person(user: Mapping[str, Any]) -> str:
    return clean(string(user.get("global_name")) or person(string(user.get("username"))))


def _read(source: Source, options: Options) -> Iterator[Stream]:
    source = rewindable(source)
    known = _Known()
    for name in ("../../Account/user.json", "../../account/user.json"):
        if user := source.sibling(name):
            known.learn_user(load_side(user))
    if index := source.sibling("../index.json"):
        known.learn_chats(load_side(index))
    with expecting("discord-package", source, _sniff):
        found = _look(source, known)
    yield from chat_streams([found], Report(), found.name)


def _read_tree(tree: Tree, options: Options) -> Iterator[Stream]:
    strays, known = Report(), _Known()
    # The file of the account lies nearest to the top; activities have one of that name too.
    for source in sorted(tree.named("user.json"), key=lambda each: each.name.count("/")):
        known.learn_user(load_side(source))
    for source in tree.named("index.json"):
        known.learn_chats(load_side(source))
    parts = [source for _, source in _LAYOUT.parts(tree)]
    found = [chat for _, chat in readable(parts, strays, partial(_look, known=known))]
    for source in tree.files.values():
        if source not in parts:
            reason = _side_file(PurePosixPath(source.name).name)
            skip_side(source, strays, reason, helps=reason in (CHAT_LIST, PEOPLE))
    yield from chat_streams(found, strays, fallback_name(tree.name))


def _side_file(name: str) -> str:
    lists = {"user.json": PEOPLE, "channel.json": CHAT_LIST, "index.json": CHAT_LIST, "guild.json": CHAT_LIST}
    return lists.get(name, "belongs to the package, but is no chat")


def _look(source: Source, known: _Known) -> FoundChat:
    beside = source.sibling("channel.json")
    facts = mapping(load_side(beside)) if beside else {}
    folder = PurePosixPath(source.name.replace("\\", "/")).parent.name
    id = string(facts.get("id")) or folder.removeprefix("c") * folder.removeprefix("c").isdecimal()
    for _ in _records(source, Report()):
        break
    return FoundChat(_name(facts, id, known) or fallback_name(source.name), id, partial(_messages, source, known))


def _name(facts: Mapping[str, Any], id: str, known: _Known) -> str:
    """As in exports of DiscordChatExporter: the server and the channel, or the other people."""
    guild = string(mapping(facts.get("guild")).get("name"))
    if guild or facts.get("name"):
        return clean(channel(guild, string(facts.get("name")) or id))
    listed = known.chats.get(id, "")
    if found := _DIRECT.match(listed):
        return found[1]
    if found := _IN_SERVER.match(listed):
        return channel(found[2], found[1])
    recipients = facts.get("recipients")
    people = [known.people.get(string(each), "") for each in recipients] if isinstance(recipients, list) else []
    return people_names(name for name in people if name != known.owner) or listed.replace("None", "")


def _messages(source: Source, known: _Known, first: int, report: Report) -> Iterator[Message]:
    ids = Ids()
    for number, record in _records(source, report):
        if record.keys() & set(_COLUMNS):
            yield _message(ids.take(string(record.get("ID"))), record, known)
        else:
            report.unexplain(source.name, number, "no message: it has none of the columns of one")


def _message(id: str, record: Mapping[str, Any], known: _Known) -> Message:
    said = _MENTION.sub(lambda found: f"@{known.people.get(found[1], found[1])}", string(record.get("Contents")))
    files = [attachment_at(url) for url in string(record.get("Attachments")).split()]
    text = lines_of(_EMOJI.sub(r":\1:", said), *files)
    return Message(id, _time(record.get("Timestamp")), known.owner, text)


def _time(value: object) -> datetime | None:
    """A time is of UTC, whether it says so or not."""
    return from_iso(value, UTC)


def _records(source: Source, report: Report) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows or objects of a file, each counted as it comes in."""
    if Sample(source).json_start:
        yield from _objects(source, report)
    else:
        yield from _rows(source, report)


def _objects(source: Source, report: Report) -> Iterator[tuple[int, Mapping[str, Any]]]:
    listed = load_json(source)
    if not isinstance(listed, list) or (
        dicts(listed) and not any(set(_COLUMNS) & each.keys() for each in dicts(listed))
    ):
        raise WrongFormat(source.name, "discord-package", "it is no list of messages with an ID and Contents")
    report.total += len(listed)
    for number, record in enumerate(listed, 1):
        if isinstance(record, dict):
            yield number, record
        else:
            report.unexplain(source.name, number, "not a message object")


def _rows(source: Source, report: Report) -> Iterator[tuple[int, Mapping[str, Any]]]:
    csv.field_size_limit(LONGEST_CELL)
    rows = csv.reader(line.replace("\0", "") + "\n" for line in lines(source))
    try:
        header = next(rows, [])
        if [cell.strip().removeprefix("\ufeff") for cell in header] != list(_COLUMNS):
            raise WrongFormat(source.name, "discord-package", "its first line does not name ID, Timestamp and Contents")
        report.total += 1
        report.skip(source.name, 1, "the names of the columns")
        for cells in rows:
            report.total += 1
            if len(cells) == len(_COLUMNS):
                yield rows.line_num, dict(zip(_COLUMNS, cells, strict=True))
            elif any(cells):
                report.unexplain(source.name, rows.line_num, "a row with too few or too many cells")
            else:
                report.skip(source.name, rows.line_num, "blank line")
    except csv.Error as error:
        raise Broken(source.name, f"line {rows.line_num}: {error}") from None


FORMAT = Format("discord-package", _sniff, _read, _claim, _read_tree)
