"""What the readers of workplace platforms share: emoji names, files, names of chats, and chats as streams."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache, partial
from pathlib import PurePosixPath

from ..chat import Message
from ..errors import Broken, WrongFormat
from ..text import clean
from .clock import from_epoch
from .document import in_time_order
from .format import Clue, Report, Sample, Stream
from .source import Source, Tree

Opener = Callable[[int, Report], Iterable[Message]]

PEOPLE = "a list of people, used for names"
ROOMS = "a list of chats, used for names"

_SHORTCODE = re.compile(r"(?:(?<!\w):[0-9]{1,4}|:(?![0-9]+:)[\w+'-]{1,60}):(?::skin-tone-([2-6]):)?")
_MENTION = re.compile(r"(?<![\w@/.])@([A-Za-z0-9][A-Za-z0-9._-]*)")
_PLAIN_SMILES = {"simple_smile": "🙂"}
_MEDIA = ("image", "video", "audio")


@contextmanager
def expecting(format: str, source: Source, sniff: Callable[[Sample], Clue | None]) -> Iterator[None]:
    """What breaks on the way, but never looked like the format, is not broken: it is another format."""
    try:
        yield
    except Broken as error:
        if sniff(Sample(source)):
            raise error from None
        raise WrongFormat(source.name, format, "its records are not those of that platform") from None


def emoji(text: str) -> str:
    """The text with :names: of emoji as the emoji that people see; names that are none stay."""
    return _SHORTCODE.sub(_emoji, text) if text.count(":") > 1 else text


def _emoji(found: re.Match[str]) -> str:
    name = found[0][1:].partition(":")[0]
    shown = emoji_named(name)
    if not shown or not found[1]:
        return shown + found[0][len(name) + 2 :] if shown else found[0]
    return shown[0] + chr(0x1F3F9 + int(found[1])) + shown[1:].removeprefix("\ufe0f")


@cache
def emoji_named(name: str) -> str:
    """The emoji of that name, or ""."""
    from emoji import emojize

    if flag := re.fullmatch(r"flag-([a-z]{2})", name):
        return "".join(chr(0x1F1E6 + ord(letter) - ord("a")) for letter in flag[1])
    for spelling in (name, name.replace("-", "_"), name.lower()):
        shown = emojize(f":{spelling}:", language="alias")
        if shown != f":{spelling}:":
            return shown
    return _PLAIN_SMILES.get(name, "")


def mentions(text: str, people: Mapping[str, str]) -> str:
    """The text with the names that authors carry in place of known @usernames."""

    def name(found: re.Match[str]) -> str:
        username = found[1] if found[1] in people else found[1].rstrip("._-")
        return "@" + people.get(username, username) + found[1][len(username) :]

    return _MENTION.sub(name, text) if "@" in text else text


def file_word(name: str, kind: str = "") -> str:
    """A file as a bracketed word; `kind` is its MIME type, or a word such as "image"."""
    medium = kind.partition("/")[0].lower()
    if medium not in _MEDIA:
        medium = _medium_of(name)
    return f"[{medium}: {name}]" if name else f"[{medium}]"


def _medium_of(name: str) -> str:
    ending = name.rpartition(".")[2].lower()
    if ending in ("png", "jpg", "jpeg", "gif", "webp", "svg", "bmp", "heic"):
        return "image"
    if ending in ("mp4", "mov", "webm", "mkv", "avi"):
        return "video"
    return "audio" if ending in ("mp3", "m4a", "ogg", "wav", "opus", "flac") else "file"


def lines_of(*parts: str) -> str:
    """The parts that are not empty, each on a line of its own, cleaned."""
    return "\n".join(shown for part in parts if (shown := clean(part).strip()))


def sentence(author: str, text: str) -> str:
    """A whole sentence about somebody: the name is put first if the text does not tell it."""
    return text if not author or author in text else f"{author} {text}"


def from_milliseconds(value: object) -> datetime | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return from_epoch(float(value) / 1000)
    except (ValueError, OverflowError):
        return None


def people_names(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(name for name in names if name))


def distinct(names: Sequence[str], hints: Sequence[str]) -> list[str]:
    """Names that no two chats share: a hint, else a number, tells equal ones apart."""
    shared = Counter(names)
    taken: set[str] = set()
    found = []
    for name, hint in zip(names, hints, strict=True):
        shown = f"{name} ({hint})" if hint and shared[name] > 1 else name
        base, copy = shown, 1
        while shown in taken:
            copy += 1
            shown = f"{base} ({copy})"
        taken.add(shown)
        found.append(shown)
    return found


def covers(tree: Tree, found: Sequence[Source]) -> bool:
    """Whether the whole tree lies in the folder of the topmost of these: an export alone, not one among others."""
    tops = [PurePosixPath(member).parent for member, source in tree.files.items() if source in found]
    root = min(tops, key=lambda path: len(path.parts), default=None)
    return root is not None and all(root in PurePosixPath(member).parents for member in tree.files)


def streams(chats: Sequence[tuple[str, str, Opener]], strays: Report, otherwise: str) -> Iterator[Stream]:
    """Chats, each a name, a hint for the case that two share the name, and how to open it, in order of time.

    `strays` are remarks that belong to no chat: the first one carries them. Without any chat, an empty one named
    `otherwise` does.
    """
    chats = chats or [(otherwise, "", lambda first, report: ())]
    names = distinct([clean(name) for name, _, _ in chats], [clean(hint) for _, hint, _ in chats])
    for number, (name, (_, _, opener)) in enumerate(zip(names, chats, strict=True)):
        yield Stream(name, partial(_open, opener, None if number else strays))


def _open(opener: Opener, strays: Report | None, first: int, report: Report) -> Iterator[Message]:
    if strays:
        report.merge(strays)
    yield from in_time_order(opener(first, report))


def numbered(messages: Iterable[tuple[Message, Message | None]], first: int) -> list[Message]:
    """Messages without ids of their own, in time order and numbered; each comes with the one it answers."""
    pairs = list(messages)
    parent_of = {id(message): parent for message, parent in pairs}
    ordered = in_time_order(message for message, _ in pairs)
    number = {id(message): str(first + position) for position, message in enumerate(ordered)}
    return [
        message._replace(id=number[id(message)], reply_to=(number[id(parent)],) if parent else ())
        for message in ordered
        for parent in [parent_of[id(message)]]
    ]
