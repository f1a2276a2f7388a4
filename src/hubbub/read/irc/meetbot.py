"""MeetBot's .log.html pages: the lines of an IRC log in a <pre>, with its times and nicks in spans.

Its .log.txt files are plain logs and need no reader of their own.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import partial

from ...errors import WrongFormat
from ..format import Clue, Format, Options, Sample, Stream
from ..html import parse
from ..lines import text_of
from ..names import chat_name
from ..source import Source
from .generic import DIALECT

_LINE = re.compile(r'<a href="#l-\d+" name="l-\d+"><span class="tm">')
_OLDER = re.compile(r'<a name="l-\d+"></a><span class="gp">\[?\d\d:\d\d')  # as Pygments coloured it
_CHANNEL = re.compile(r"\s*([#&][^\s:]+)")


def _sniff(sample: Sample) -> Clue | None:
    found = sample.is_markup and (_LINE.search(sample.text) or _OLDER.search(sample.text))
    return Clue(0.97, "has the line anchors and times of MeetBot") if found else None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    page = parse(text_of(source))
    log = page.first("pre")
    if log is None:
        raise WrongFormat(source.name, "meetbot", "it has no preformatted text")
    titled = _CHANNEL.match(title.text()) if (title := page.first("title")) else None
    plain = Source(source.name, partial(io.BytesIO, log.text().encode()))
    name = titled[1] if titled else chat_name(source.name) or "meeting"
    yield Stream(name, lambda first, report: DIALECT.messages(plain, options, first, report))


FORMAT = Format("meetbot", _sniff, _read)
