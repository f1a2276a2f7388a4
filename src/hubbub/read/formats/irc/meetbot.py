"""MeetBot's .log.html pages: the lines of an IRC log in a <pre>, with its times and nicks in spans.

Its .log.txt files are plain logs and need no reader of their own.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from ....errors import WrongFormat
from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream
from ...input.lines import text_of
from ...input.source import Source
from ...parsing.html import Node, parse
from ...parsing.path_names import chat_name
from .generic import DIALECT

# The anchor of a line before its time; pages that Pygments coloured have the class gp for tm.
_LINE = re.compile(
    r'<a (?:href="#[\w-]+" )?name="[\w-]+"(?:></a>|\s*/>|>)\s*<span class="(?:tm|gp)">'
    r"\s*\[?(?:\d{4}-\d\d-\d\d )?\d\d:\d\d"
)
_CHANNEL = re.compile(r"\s*([#&][^\s:]+)")
_PAGE = replace(DIALECT, name="meetbot")


def _sniff(sample: Sample) -> Clue | None:
    found = sample.is_markup and _LINE.search(sample.text)
    return Clue(0.97, "has the line anchors and times of MeetBot") if found else None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    page = parse(text_of(source))
    log = page.first("pre")
    if log is None:
        raise WrongFormat(source.name, "meetbot", "it has no preformatted text")
    for actor in log.all(of_class="nka"):
        _mark(actor)
    titled = _CHANNEL.match(title.text()) if (title := page.first("title")) else None
    plain = Source(source.name, partial(io.BytesIO, log.text().encode("utf-8", "replace")))
    name = titled[1] if titled else chat_name(source.name) or "meeting"
    yield Stream(name, lambda first, report: _PAGE.messages(plain, options, first, report))


def _mark(actor: Node) -> None:
    """Who does something is written as * nick or as <nick>, in some versions right behind the time."""
    actor.children = [f" * {actor.text().strip(' *<>')}"]


FORMAT = Format("meetbot", _sniff, _read)
