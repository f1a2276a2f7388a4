"""Who and what the ids of Microsoft Teams are, and the files beside the messages that tell it or tell nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from ....text import clean
from ...assembly.chat_streams import PEOPLE
from ...input.source import Source, is_blank
from ...parsing.json_document import load_json, string
from ...report import Report, leaving_out
from .rendering import get

# What a file beside the messages is, by its path in the export; the first that fits.
_KINDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), reason)
    for pattern, reason in (
        (r"(^|/)teams(List|Settings)\b[^/]*\.json$", "a list of teams, used for names"),
        (r"(^|/)channels(_[^/]*|List)?\.json$", "a list of channels, used for names"),
        (r"(^|/)chats(_[^/]*|List)?\.json$", "a list of chats, used for names"),
        (r"(^|/)(users(List)?|(team|channel|chat)?Members(_[^/]*)?)\.json$", PEOPLE),
        (r"(^|/)teamInstalledApps[^/]*\.json$", "a list of installed apps"),
        (r"(^|/)(meetings|events|calendar)[^/]*\.json$", "a calendar of meetings"),
        (r"(^|/)tabs[^/]*\.json$", "a list of tabs"),
        (r"(^|/)endpoints[^/]*\.json$", "a list of the account's devices"),
        (r"(^|/)media/[^/]*\.json$", "a description of a media file"),
        (r"(^|/)media/", "a media file"),
    )
)


_MESSAGES = re.compile(r"(?i)(^|/)messages?(_[^/]*)?\.json$")


def kind_of(member: str) -> str:
    """What a file beside the messages is, or "" if its name does not say."""
    return next((reason for pattern, reason in _KINDS if pattern.search(member)), "")


@dataclass(slots=True)
class Directory:
    """Names by id, of people, teams and channels alike."""

    names: dict[str, str] = field(default_factory=dict)

    def learn(self, record: object) -> None:
        """Lists of teams and of their members have other words for an id and a name than everything else."""
        id = next((found for key in ("id", "userId", "groupsId") if (found := string(get(record, key)))), "")
        name = string(get(record, "displayName")) or string(get(record, "name"))
        if id and name:
            self.names.setdefault(id, clean(name))

    def learn_file(self, member: str, source: Source, strays: Report) -> None:
        """The names in a file beside the messages; it counts as one record, whatever is in it."""
        reason = kind_of(member) or "a file beside the messages"
        if member.endswith(".json"):
            with leaving_out(strays, source.name, source):
                records = listed(load_json(source)) if not is_blank(source.head) else []
                for record in records:
                    self.learn(record)
                if not records and _MESSAGES.search(member):
                    reason = "a file for messages that has none"
                strays.skip_file(source.name, reason)
            return
        strays.skip_file(source.name, reason)

    def identity(self, record: object) -> str:
        """The name of somebody or something that has an id and maybe a displayName."""
        id = string(get(record, "id"))
        return clean(string(get(record, "displayName"))) or self.person(id)

    def person(self, id: str) -> str:
        bare = re.sub(r"^(https?://.*/contacts/)?\d+:(orgid:|live:)?", "", id.strip())
        return self.names.get(id) or self.names.get(bare) or bare


def listed(document: object) -> list[Any]:
    for key in ("value", "messages"):
        if isinstance(found := get(document, key), list):
            return found
    return document if isinstance(document, list) else []


def sibling_channels(source: Source) -> Source | None:
    """The list of channels beside the messages of a team."""
    name = PurePosixPath(source.name).name
    return source.sibling(name.replace("messages", "channels", 1)) if "messages_" in name else None
