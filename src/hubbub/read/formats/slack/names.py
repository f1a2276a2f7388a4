"""Who is who in a Slack export, what each chat is called, and the lists that tell it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from ....text import clean
from ...assembly.chat_streams import CHAT_LIST, PEOPLE
from ...input.source import Source, Tree, file_source
from ...parsing.json_document import dicts, load_json, mapping, string
from ...parsing.path_names import name_from_path
from ...parsing.rendering import people_names
from ...report import Report, leaving_out
from .rendering import WorkspaceNames, person_name

DAY_FILE = re.compile(r"\d{4}-\d{2}-\d{2}[^/]*\.json$")
DUMP_FILE = re.compile(r"([CDG][A-Z0-9]{6,})(?:-\d{9,11}\.\d+)?\.json")
DUMP_FOLDER = re.compile(r"[CDG][A-Z0-9]{6,}|__uploads|__avatars")
_ID = re.compile(r"[CDG][A-Z0-9]{7,}")
PEOPLE_FILES = ("users.json", "org_users.json")
CHANNEL_FILES = ("channels.json", "groups.json", "dms.json", "mpims.json")
SIDE_FILES = (*PEOPLE_FILES, *CHANNEL_FILES, "integration_logs.json", "canvases.json", "lists.json",
               "file_conversations.json", "huddle_transcripts.json")  # fmt: skip
LOG = "no message, but a log"


def beside(source: Source) -> Tree:
    """The lists of people and channels beside a file, or one folder above it."""
    found = Tree(source.name)
    if source.name == "<stdin>":
        return found
    for name in (*PEOPLE_FILES, *CHANNEL_FILES):
        if other := source.sibling(name) or source.sibling(f"../{name}") or _above(source, name):
            found.files[name] = other
    return found


def _above(source: Source, name: str) -> Source | None:
    if source.tree is None:
        return None
    here = PurePosixPath(source.name).relative_to(PurePosixPath(source.tree.name)).parent.parent
    outside = Path(source.tree.name).parent / name
    return source.tree.files.get(str(here / name)) or (file_source(outside) if outside.is_file() else None)


Lists = dict[str, list[Any]]


def lists_in(tree: Tree, strays: Report) -> Lists:
    """The records of every list, by its path; `strays` notes them, and the lists that cannot be read."""
    found: Lists = {}
    for member, source in tree.files.items():
        if (name := PurePosixPath(member).name) not in SIDE_FILES:
            continue
        with leaving_out(strays, source.name, source):
            records = load_json(source)
            found[member] = records if isinstance(records, list) else [records]
            strays.total += len(found[member])
            reason = PEOPLE if name in PEOPLE_FILES else CHAT_LIST if name in CHANNEL_FILES else LOG
            for number in range(1, len(found[member]) + 1):
                strays.skip(source.name, number, reason)
    return found


def names_in(lists: Lists) -> WorkspaceNames:
    """Who and what is who, from every list."""
    people: dict[str, str] = {}
    channels: dict[str, str] = {}
    for name, table in (*((each, people) for each in PEOPLE_FILES), *((each, channels) for each in CHANNEL_FILES)):
        for member, records in lists.items():
            if PurePosixPath(member).name == name:
                for record in records:
                    learn(table, mapping(record))
    return WorkspaceNames(people, channels)


def learn(table: dict[str, str], record: Mapping[str, Any]) -> None:
    if name := person_name(record):
        table[string(record.get("id"))] = clean(name)


def shown_name(record: Mapping[str, Any], direct: bool, names: WorkspaceNames) -> str:
    """What a chat is called: a channel by its name, a direct chat by its people."""
    name, members = string(record.get("name")), record.get("members")
    direct = direct or name.startswith("mpdm-")
    listed = [names.person(string(each)) for each in members] if isinstance(members, list) else []
    return people_names(listed) if direct and listed else f"#{name}" if name and not direct else name


def composed(name: str) -> str:
    """A name in one form of Unicode: file systems and packers write the same letters in another than Slack's lists."""
    return unicodedata.normalize("NFC", name)


def team_of(users: object) -> str:
    """The workspace that most people of a list belong to: guests have the id of their own."""
    teams = Counter(string(user.get("team_id")) for user in dicts(users))
    del teams[""]
    return teams.most_common(1)[0][0] if teams else ""


class Labels:
    """What each chat of an export is called, and its identity, by its folder.

    A folder has the name of a channel or the id of a direct chat. The list that counts for it is the one that lies
    nearest above: an export of several workspaces has a list, and maybe a channel of the same name, for each.
    """

    def __init__(self, lists: Lists, names: WorkspaceNames) -> None:
        self._shown: dict[tuple[str, str], str] = {}
        self._ids: dict[tuple[str, str], str] = {}
        self._teams: dict[str, str] = {}
        for member, records in lists.items():
            place, file = str(PurePosixPath(member).parent), PurePosixPath(member).name
            if file in CHANNEL_FILES:
                self._list(place, records, file in ("dms.json", "mpims.json"), names)
            elif file in PEOPLE_FILES and (team := team_of(records)):
                self._teams.setdefault(place, team)

    def _list(self, place: str, records: object, direct: bool, names: WorkspaceNames) -> None:
        for record in dicts(records):
            id, shown = string(record.get("id")), shown_name(record, direct, names)
            for key in filter(None, (id, composed(string(record.get("name"))))):
                self._ids.setdefault((place, key), id)
                if shown:
                    self._shown[place, key] = shown

    def name(self, folder: PurePosixPath, shown: str) -> str:
        """The chat's name by its folder; `shown` is what that folder is called."""
        shown = composed(shown)
        return _nearest(self._shown, folder, shown) or (
            shown if re.fullmatch(r"[DCG][A-Z0-9]{7,}|mpdm-.*", shown) else f"#{shown}"
        )

    def known(self, id: str) -> str:
        """The name of a chat that some list has, by its id or its name there, or ""."""
        return next((shown for (_, key), shown in self._shown.items() if key == composed(id)), "")

    def identity(self, folder: PurePosixPath, document: object = None) -> str:
        """The workspace and the channel's id, as far as the lists, the file or the folder tell them."""
        head = mapping(document)
        info = mapping(head.get("channel_info") or head.get("channel"))
        own = string(head.get("channel_id")) or string(info.get("id"))
        name = composed(folder.name)
        id = own or _nearest(self._ids, folder, name) or (name if _ID.fullmatch(name) else "")
        team = next((self._teams[str(place)] for place in folder.parents if str(place) in self._teams), "")
        team = team or self._teams.get(".", "")
        return f"{team}/{id}" if team and id else id


def _nearest(table: Mapping[tuple[str, str], str], folder: PurePosixPath, key: str) -> str:
    """The value of a key in the list that lies nearest above a folder; a list without a place of its own comes last."""
    places = (*map(str, folder.parents), ".")
    return next((table[place, key] for place in places if (place, key) in table), "")


def file_label(source: Source, document: object, labels: Labels) -> str:
    head = mapping(document)
    info = mapping(head.get("channel_info") or head.get("channel"))
    records = dicts(document)[:1]
    path = PurePosixPath(source.name.replace("\\", "/"))
    id = string(head.get("channel_id")) or string(info.get("id"))
    for holder in (info, head, *records):
        name = string(holder.get("channel_name")) or ("" if holder in records else string(holder.get("name")))
        if name:
            return labels.known(id) or labels.name(path, name)
    if shown := labels.known(id or path.stem):
        return shown
    if DAY_FILE.fullmatch(path.name) and path.parent.name:
        return labels.name(path.parent, path.parent.name)
    return id or name_from_path(source.name)
