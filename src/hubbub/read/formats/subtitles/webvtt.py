"""WebVTT: captions with <v Speaker> or "Speaker: text", as Zoom, Teams, Meet and others write them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream
from ...input.source import Source
from ...parsing.path_names import name_from_path
from .cues import messages


def _sniff(sample: Sample) -> Clue | None:
    return Clue(1.0, "begins with WEBVTT") if sample.lines and sample.lines[0].startswith("WEBVTT") else None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    yield Stream(name_from_path(source.name), partial(messages, source, "webvtt"))


FORMAT = Format("webvtt", _sniff, _read)
