"""What the shapes of a Discord export share: names of chats and people, files, notices."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import PurePosixPath
from urllib.parse import unquote

from ....chat import Message
from ...parsing.path_names import name_from_path
from ...parsing.rendering import file_word
from ...times.clock import from_epoch
from ...times.dates import Dates

_EXPORT_NAME = re.compile(r"^(.+?) - (?:.+ - )?(.+?) \[(\d+)\]")
_DISCRIMINATOR = re.compile(r"#\d{4}$")
_UNIX = re.compile(r"(\d{9,10})(\d{3})?")
_NOTICE = re.compile(
    r"(?:Added .{1,100} to the group\.|Added a recipient\.|Left the group\.|Removed .{1,100} from the group\."
    r"|Removed a recipient\.|Started a call that lasted [\d.,]+ minutes\.?|Changed the channel name(?:: .*|\.)"
    r"|Changed the channel icon\.|Pinned a message\.|Started a thread\.|Joined the server\.)$"
)


def attachment_at(url: str) -> str:
    return file_word(file_name(url))


def file_name(url: str) -> str:
    return unquote(re.split(r"[?#]", url.strip())[0].replace("\\", "/").rstrip("/").rpartition("/")[2])


def person(full_name: str) -> str:
    """A name without the four digits that once told namesakes apart."""
    return _DISCRIMINATOR.sub("", full_name.strip()) or full_name.strip()


def channel(guild: str, name: str, parent: str = "") -> str:
    return " / ".join(part.strip() for part in (guild, parent, name) if part.strip())


def channel_of_file(path: str) -> str:
    """The channel as DiscordChatExporter names its files: "Guild - Category - channel [id].csv"."""
    found = _EXPORT_NAME.match(PurePosixPath(path).name)
    return channel(found[1], found[2]) if found else name_from_path(path)


def id_of_file(path: str) -> str:
    """The id of the channel in the name of such a file, or ""."""
    found = _EXPORT_NAME.match(PurePosixPath(path.replace("\\", "/")).name)
    return found[3] if found else ""


def sentence(author: str, notice: str) -> str:
    """A notice such as "Joined the server." with the name of whom it is about."""
    if not author:
        return notice
    return f"{author} {notice[:1].lower()}{notice[1:]}"


def when(dates: Dates, text: str) -> datetime | None:
    """A time in the form that whoever exported it chose, which may be that of Unix."""
    if found := _UNIX.fullmatch(text):
        return from_epoch(int(found[1]) + int(found[2] or 0) / 1000)
    return dates.read(text)


def runs_backwards(begin: datetime | None, end: datetime | None) -> bool:
    return bool(begin and end and begin.replace(tzinfo=None) > end.replace(tzinfo=None))


def told(message: Message) -> Message:
    """The shapes that do not mark a notice still word it in known ways."""
    if message.kind != "message" or not _NOTICE.match(message.text):
        return message
    return message._replace(kind="system", text=sentence(message.author, message.text))
