"""SubRip subtitles: numbered cues, with "NAME: text", ">> NAME: text" or "- text" where somebody else speaks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream
from ...input.source import Source
from ...parsing.path_names import name_from_path
from .cues import TIMING, messages


def _sniff(sample: Sample) -> Clue | None:
    number, timing = (*sample.lines[:2], "", "")[:2]
    if number.strip("\ufeff ").isdecimal() and TIMING.match(timing):
        return Clue(1.0, "begins with a numbered and timed cue")
    if TIMING.match(number):
        return Clue(0.8, "begins with a timed cue")
    return None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    yield Stream(name_from_path(source.name), partial(messages, source, "srt"))


FORMAT = Format("srt", _sniff, _read)
