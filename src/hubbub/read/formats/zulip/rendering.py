"""Zulip's Markdown, and the HTML that its web API gives, as the text that people see."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...parsing.html import parse
from ...parsing.rendering import emoji, file_word

_QUOTE = re.compile(
    r"@_\*\*[^*\n]+\*\*[^\n]{0,200}?\[[^\]\n]{0,200}\]\([^()\s]{0,999}/near/(\d+)[^()\s]*\):?[ ]*\n"
    r"(`{3,}|~{3,})[ ]*quote\n.{0,20000}?\n\2[ ]*(?:\n|$)",
    re.S,
)
_HTML_QUOTE = re.compile(
    r'<p><span class="user-mention silent"[^>]*>[^<]*</span>[^<]*<a [^>]*/near/(\d+)"[^>]*>[^<]*</a>:?</p>\s*'
    r"<blockquote>.*?</blockquote>",
    re.S,
)
_MENTION = re.compile(r"@(_?)\*\*([^*\n|]+)(?:\|(\d+))?\*\*|@(_?)\*([^*\n]+)\*")
_NAMELESS = re.compile(r"@(_?)\*\*\|(\d+)\*\*")
_CHANNEL = re.compile(r"#\*\*([^*\n>]+)(?:>([^*\n]*?))?(?:@\d+)?\*\*")
_UPLOAD = re.compile(r"!?\[([^\]\n]{0,300})\]\(/?(?:https?://[^/()\s]+/)?user_uploads/([^()\s]*)\)")
_TIME = re.compile(r"<time:([^<>\n]+)>")
_INLINE_IMAGES = re.compile(r'<div class="message_inline_image">.*?</div>', re.S)


class ZulipText(NamedTuple):
    """The text of a message, and the ids of the messages that it quotes in order to answer."""

    text: str
    quotes: tuple[str, ...] = ()


def from_markdown(content: str, people: dict[str, str]) -> ZulipText:
    answered, content = _unquoted(content, _QUOTE)
    content = _UPLOAD.sub(lambda found: file_word(found[1] or found[2].rpartition("/")[2]), content)
    content = _NAMELESS.sub(lambda found: ("" if found[1] else "@") + people.get(found[2], found[2]), content)
    content = _MENTION.sub(_mention, content)
    content = _CHANNEL.sub(lambda found: f"#{found[1]} > {found[2]}" if found[2] else f"#{found[1]}", content)
    return ZulipText(emoji(_TIME.sub(r"\1", content)), answered)


def from_html(content: str) -> ZulipText:
    answered, content = _unquoted(content, _HTML_QUOTE)
    root = parse(_INLINE_IMAGES.sub("", content))
    for link in root.all("a"):
        if "user_uploads/" in link.attributes.get("href", ""):
            link.children = [file_word(link.text())]
    return ZulipText(emoji(root.text()), answered)


def _unquoted(content: str, pattern: re.Pattern[str]) -> tuple[tuple[str, ...], str]:
    """The messages that are quoted, and the content without the quotes, unless nothing else is in it."""
    rest = pattern.sub("", content)
    answered = tuple(dict.fromkeys(found[1] for found in pattern.finditer(content)))
    return answered, rest if rest.strip() else content


def _mention(found: re.Match[str]) -> str:
    silent = found[1] or found[4]
    return ("" if silent else "@") + (found[2] or found[5])
