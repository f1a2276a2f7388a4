"""Downloads of a whole account: which files hold messages, which belong to the download, and chats with identities."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple, TypeVar

from ...chat import Message
from ...errors import InputError
from ...text import clean, natural
from ..format import Stream
from ..input.source import Source, Tree
from ..parsing.json_document import load_json
from ..report import Report, count_lines, leaving_out, reason_of
from .chat_streams import Opener, distinct, in_time_order

Seen = TypeVar("Seen")


class FoundChat(NamedTuple):
    """A chat: its name, the id that its platform gives it, and how to open it.

    `hint` tells it from another of its name in the same input, where the identity is nothing to show.
    """

    name: str
    identity: str
    opener: Opener
    hint: str = ""


def chat_streams(found: Sequence[FoundChat], strays: Report, otherwise: str) -> Iterator[Stream]:
    """Chats in order of time. The first carries `strays`, the remarks that belong to no chat.

    Without any chat, an empty one named `otherwise` carries them.
    """
    found = found or [FoundChat(otherwise, "", lambda first, report: ())]
    names = distinct([clean(each.name) for each in found], [clean(each.hint or each.identity) for each in found])
    for number, (name, each) in enumerate(zip(names, found, strict=True)):
        yield Stream(name, partial(_open, each.opener, None if number else strays), identity=clean(each.identity))


def _open(opener: Opener, strays: Report | None, first: int, report: Report) -> Iterator[Message]:
    if strays:
        report.merge(strays)
    yield from in_time_order(opener(first, report))


@dataclass(frozen=True, slots=True)
class DownloadLayout:
    """How a download lies in its folder or archive: the paths of its message files, and of what else belongs to it.

    Whatever lies in the folder of a message file, or below it, belongs to the download too.
    """

    messages: re.Pattern[str]
    others: re.Pattern[str]

    def parts(self, tree: Tree) -> list[tuple[str, Source]]:
        """The message files, by their paths, in natural order."""
        found = [(member, source) for member, source in tree.files.items() if self.messages.search(member)]
        return sorted(found, key=lambda pair: natural(pair[0]))

    def fits(self, tree: Tree) -> bool:
        """Whether there are message files, and no file that is a stranger to such a download."""
        folders = {PurePosixPath(member).parent for member, _ in self.parts(tree)}
        return bool(folders) and all(self._belongs(member, folders) for member in tree.files)

    def _belongs(self, member: str, folders: set[PurePosixPath]) -> bool:
        return bool(self.messages.search(member) or self.others.search(member)) or any(
            parent in folders for parent in PurePosixPath(member).parents
        )


def readable(sources: Iterable[Source], strays: Report, look: Callable[[Source], Seen]) -> list[tuple[Source, Seen]]:
    """What `look` sees in each file; one that is broken, or of another kind, is left out and noted in `strays`.

    If none can be read, the error of the first says so.
    """
    found: list[tuple[Source, Seen]] = []
    errors: list[InputError] = []
    for source in sources:
        try:
            found.append((source, look(source)))
        except InputError as error:
            errors.append(error)
            strays.leave_out(source.name, reason_of(error, source.name), count_lines(source))
    if errors and not found:
        raise errors[0]
    return found


def load_side(source: Source) -> Any:
    """A JSON file that only helps with names: if it is broken, the chats are read without it."""
    try:
        return load_json(source)
    except InputError:
        return None


def skip_side(source: Source, strays: Report, reason: str, helps: bool) -> None:
    """Notes a file beside the messages: skipped, or left out if it `helps` with names but is broken."""
    with leaving_out(strays, source.name, source):
        if helps:
            load_json(source)
        strays.skip_file(source.name, reason)
