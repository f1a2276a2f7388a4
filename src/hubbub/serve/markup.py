"""Chat text as HTML: everything is escaped, links are http and https only, commands and paths are set as code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markupsafe import Markup, escape

from ..archive.snippets import Snippet
from ..text import LONGEST_SEEN, printable

# Characters that are not seen but change what is: zero-width ones, bidirectional marks. U+200D joins emoji and stays.
_INVISIBLE = re.compile(
    "[\u200b\u200c\u200e\u200f\u2060-\u2064\u206a-\u206f\ufeff\u00ad\u061c\u115f\u1160\u3164\uffa0]"
)
_LINK = re.compile(r"https?://[^\s<>\"'`]+", re.I)
_TRAILING = re.compile(r"[.,;:!?)\]}>'\"]+\Z")
_QUOTED_CODE = r"`[^`\n]{1,300}`"
_PATH = r"(?<![\w/.])(?:~|\.{1,2})?/[\w.+-]+(?:/[\w.+*-]*)*"
_PROGRAMS = (
    "sudo apt apt-get dpkg ls lspci lsusb ssh scp chmod chown grep cat systemctl journalctl modprobe mount git pip npm "
    "docker make curl wget update-grub ifconfig dmesg df du ps kill fsck smartctl xrandr"
)
_SUBCOMMANDS = "install update upgrade remove purge search status start stop restart nano vi vim"
_ARGUMENT = rf"(?:-{{1,2}}[\w=-]+|[\w./~:@+-]*[./~:@+-][\w./~:@+-]*|{'|'.join(_SUBCOMMANDS.split())})"
_COMMAND = rf"(?<![\w/-])(?:{'|'.join(_PROGRAMS.split())})(?: +{_ARGUMENT})+"
_ENDINGS = "conf list py sh txt log cfg ini deb iso ko json yml yaml toml html css js c h tar\\.gz zip"
_FILE = rf"(?<![\w./-])[\w-]+(?:\.[\w-]+)*\.(?:{'|'.join(_ENDINGS.split())})\b"
_CODE = re.compile(f"{_QUOTED_CODE}|{_COMMAND}|{_PATH}|{_FILE}")
MAX_SHOWN = 20_000  # characters of one message on a page; the JSON twin has all of them


def safe_text(text: str) -> str:
    """Text without control characters, direction overrides and invisible characters, for titles and attributes."""
    return _INVISIBLE.sub("", printable(text[:LONGEST_SEEN], keep="\n\t"))


def message_html(text: str, marks: Sequence[tuple[int, int]] = ()) -> Markup:
    """A message as HTML; `marks` are spans to highlight, in which nothing else is recognised."""
    shown = text[:MAX_SHOWN]
    parts: list[Markup] = []
    last = 0
    for start, end in sorted(marks):
        if start < last or end > len(shown):
            continue
        parts += [_linked(shown[last:start]), _marked(shown[start:end])]
        last = end
    parts.append(_linked(shown[last:]))
    if len(text) > MAX_SHOWN:
        parts.append(Markup(' <span class="meta">({} more characters)</span>').format(f"{len(text) - MAX_SHOWN:,}"))
    return Markup("").join(parts)


def snippet_html(snippet: Snippet) -> Markup:
    """A part of a message with its highlights, without links of its own, since it is inside of one."""
    parts: list[Markup] = [Markup("… ")] if snippet.start else []
    last = 0
    for start, end in snippet.highlights:
        first, until = max(0, start - snippet.start), end - snippet.start
        if last <= first < until <= len(snippet.text):
            parts += [escape(safe_text(snippet.text[last:first])), _marked(snippet.text[first:until])]
            last = until
    parts.append(escape(safe_text(snippet.text[last:])))
    return Markup("").join(parts)


def _marked(text: str) -> Markup:
    return Markup("<mark>{}</mark>").format(safe_text(text))


def _linked(text: str) -> Markup:
    parts: list[Markup] = []
    last = 0
    for match in _LINK.finditer(text):
        url = _TRAILING.sub("", match[0])
        parts += [_with_code(text[last : match.start()]), _anchor(url)]
        last = match.start() + len(url)
    parts.append(_with_code(text[last:]))
    return Markup("").join(parts)


def _anchor(url: str) -> Markup:
    shown = safe_text(url)
    return Markup('<a href="{}" rel="nofollow noopener noreferrer ugc">{}</a>').format(shown, shown)


def _with_code(text: str) -> Markup:
    parts: list[Markup] = []
    last = 0
    for match in _CODE.finditer(text):
        parts += [escape(safe_text(text[last : match.start()])), Markup("<code>{}</code>").format(_code(match[0]))]
        last = match.end()
    parts.append(escape(safe_text(text[last:])))
    return Markup("").join(parts)


def _code(text: str) -> str:
    return safe_text(text.strip("`"))
