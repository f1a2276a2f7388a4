"""Who is who in a Slack export, what each chat is called, and the lists that tell it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from ...text import clean
from ..assembly import PEOPLE, ROOMS
from ..document import dicts, load_json, mapping, string
from ..format import Report
from ..names import name_from_path
from ..source import Source, Tree, file_source
from ..wording import people_names
from .words import Names, person_name

DAY_FILE = re.compile(r"\d{4}-\d{2}-\d{2}[^/]*\.json$")
PEOPLE_FILES = ("users.json", "org_users.json")
ROOM_FILES = ("channels.json", "groups.json", "dms.json", "mpims.json")
SIDE_FILES = (*PEOPLE_FILES, *ROOM_FILES, "integration_logs.json", "canvases.json", "lists.json",
               "file_conversations.json", "huddle_transcripts.json")  # fmt: skip
LOG = "no message, but a log"


def beside(source: Source) -> Tree:
    """The lists of people and channels beside a file, or one folder above it."""
    found = Tree(source.name)
    if source.name == "<stdin>":
        return found
    for name in (*PEOPLE_FILES, *ROOM_FILES):
        if other := source.sibling(name) or source.sibling(f"../{name}") or _above(source, name):
            found.files[name] = other
    return found


def _above(source: Source, name: str) -> Source | None:
    if source.tree is None:
        return None
    here = PurePosixPath(source.name).relative_to(PurePosixPath(source.tree.name)).parent.parent
    outside = Path(source.tree.name).parent / name
    return source.tree.files.get(str(here / name)) or (file_source(outside) if outside.is_file() else None)


def names_in(tree: Tree, strays: Report) -> Names:
    """Who and what is who, from every list; `strays` notes the records of the lists."""
    people: dict[str, str] = {}
    channels: dict[str, str] = {}
    for name in SIDE_FILES:
        for source in tree.named(name):
            records = load_json(source)
            reason = PEOPLE if name in PEOPLE_FILES else ROOMS if name in ROOM_FILES else LOG
            for number, record in enumerate(records if isinstance(records, list) else [records], 1):
                strays.skip(source.name, number, reason)
                table = people if name in PEOPLE_FILES else channels if name in ROOM_FILES else {}
                _learn(table, mapping(record))
    return Names(people, channels)


def _learn(table: dict[str, str], record: Mapping[str, Any]) -> None:
    if name := person_name(record):
        table[string(record.get("id"))] = clean(name)


def labels_in(tree: Tree, names: Names) -> dict[str, str]:
    """The name of each chat by its folder, which is the name of a channel and the id of a direct chat."""
    labels: dict[str, str] = {}
    for list_name in ROOM_FILES:
        for source in tree.named(list_name):
            for record in dicts(load_json(source)):
                id, name = string(record.get("id")), string(record.get("name"))
                members = record.get("members")
                listed = [names.person(string(each)) for each in members] if isinstance(members, list) else []
                direct = list_name in ("dms.json", "mpims.json") or name.startswith("mpdm-")
                shown = people_names(listed) if direct and listed else f"#{name}" if name and not direct else name
                labels.update({key: shown for key in (id, name) if key and shown})
    return labels


def label(folder: str, labels: Mapping[str, str]) -> str:
    return labels.get(folder) or (folder if re.fullmatch(r"[DCG][A-Z0-9]{7,}|mpdm-.*", folder) else f"#{folder}")


def file_label(source: Source, document: object, labels: Mapping[str, str]) -> str:
    head = mapping(document)
    info = mapping(head.get("channel_info") or head.get("channel"))
    records = dicts(document)[:1]
    for holder in (info, head, *records):
        name = string(holder.get("channel_name")) or ("" if holder in records else string(holder.get("name")))
        if name:
            return label(name, labels)
    path = PurePosixPath(source.name.replace("\\", "/"))
    id = string(head.get("channel_id")) or string(info.get("id")) or path.stem
    if id in labels:
        return labels[id]
    if DAY_FILE.fullmatch(path.name) and path.parent.name:
        return label(path.parent.name, labels)
    return name_from_path(source.name)
