"""How exports are put into words: emoji by their names, people who are mentioned, files, sentences about somebody."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from ...text import clean

_SHORTCODE = re.compile(r"(?:(?<!\w):[0-9]{1,4}|:(?![0-9]+:)[\w+'-]{1,60}):(?::skin-tone-([2-6]):)?")
_MENTION = re.compile(r"(?<![\w@/.])@([A-Za-z0-9][A-Za-z0-9._-]*)")
_PLAIN_SMILES = {"simple_smile": "🙂"}
_ENDINGS = {
    "image": "png jpg jpeg gif webp svg bmp heic avif",
    "video": "mp4 mov webm mkv avi 3gp",
    "audio": "mp3 m4a ogg wav opus flac aac amr",
}
_MEDIUM_OF = {ending: medium for medium, endings in _ENDINGS.items() for ending in endings.split()}


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


def bracketed(kind: str, *details: str, between: str = " ") -> str:
    """Something that is no text as a word in brackets, such as "[poll: Where to? Lake / Hills]" or "[location]"."""
    told = between.join(detail for detail in details if detail)
    return f"[{kind}: {told}]" if told else f"[{kind}]"


def file_word(name: str, kind: str = "") -> str:
    """A file as a bracketed word; `kind` is its MIME type, or a word such as "image"."""
    medium = kind.partition("/")[0].lower()
    return bracketed(medium if medium in _ENDINGS else _MEDIUM_OF.get(name.rpartition(".")[2].lower(), "file"), name)


def lines_of(*parts: str) -> str:
    """The parts that are not empty, each on a line of its own, cleaned."""
    return "\n".join(shown for part in parts if (shown := clean(part).strip()))


def sentence(author: str, text: str) -> str:
    """A whole sentence about somebody: the name is put first if the text does not tell it."""
    return text if not author or author in text else f"{author} {text}"


def people_names(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(name for name in names if name))
