"""Signal: the export of Signal Desktop, what signal-export and signal-cli write, and rows of the database as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from ....errors import WrongFormat
from ...assembly.download import DownloadLayout, readable
from ...assembly.export_folder import noting
from ...detect.file_head import Clue, Sample
from ...format import Format, Options, Stream, expecting
from ...input.source import Source, Tree, is_blank
from ...report import Report, count_lines
from . import desktop, frames, receive, sigexport

_LAYOUT = DownloadLayout(
    re.compile(r"(?:^|/)(?:main\.jsonl|data\.json|chat\.md|index\.md)$"),
    re.compile(r"(?:^|/)(?:style\.css|chat\.js|metadata\.json|index\.html)$|(?:^|/)(?:exported_stickers|media)/"),
)
# A chat that lies in one folder in several forms is read from the first of these.
_FORMS = ("main.jsonl", "data.json", "chat.md", "index.md")


def _sniff(sample: Sample) -> Clue | None:
    if sample.json_start == "{" and frames.is_frames(sample):
        return Clue(1.0, "has the frames of Signal Desktop's export")
    if sample.json_start == "{" and receive.is_envelopes(sample):
        return Clue(1.0, "has envelopes as signal-cli prints them")
    if sample.json_start and desktop.is_rows(sample):
        return Clue(0.98, "messages with conversationId, type and sent_at")
    if sigexport.is_records(sample):
        return Clue(1.0, "messages with date, sender, body, quote and sticker")
    # Above the score of a phone's dates in brackets, which these lines look like.
    if not sample.json_start and sigexport.is_markdown(sample):
        return Clue(1.2, "lines of signal-export, each ending with two spaces")
    return None


def _claim(tree: Tree) -> Clue | None:
    if _LAYOUT.fits(tree) and any(_sniff(Sample(source)) for _, source in _LAYOUT.parts(tree)[:5]):
        return Clue(1.0, "chats of Signal beside their files")
    return None


def _read(source: Source, options: Options) -> Iterator[Stream]:
    with expecting("signal", source, _sniff):
        found = _streams(source, options)
    yield from found


def _streams(source: Source, options: Options) -> list[Stream]:
    sample = Sample(source)
    if not sample.json_start or sigexport.is_records(sample):
        return [sigexport.stream(source, options)]
    if frames.is_frames(sample):
        return list(frames.streams(source, options))
    if receive.is_envelopes(sample):
        return list(receive.streams(source, options))
    return list(desktop.streams(source, options))


def _read_tree(tree: Tree, options: Options) -> Iterator[Stream]:
    strays = Report()
    chosen: dict[str, Source] = {}
    for form in reversed(_FORMS):
        for member, source in _LAYOUT.parts(tree):
            if PurePosixPath(member).name == form and _sniff(Sample(source)):
                chosen[str(PurePosixPath(member).parent)] = source
    if not chosen:
        raise WrongFormat(tree.name, "signal", "no file in it is a chat of Signal")
    kept = {source.name for source in chosen.values()}
    for member, source in tree.files.items():
        if source.name not in kept:
            _note_side(member, source, chosen, strays)
    found = [
        replace(stream, source=source)
        for source, streams in readable(chosen.values(), strays, lambda source: _streams(source, options))
        for stream in streams
    ]
    yield noting(found[0], strays)
    yield from found[1:]


def _note_side(member: str, source: Source, chosen: Mapping[str, Source], strays: Report) -> None:
    """A file that is not read: a further form of a chat that is, a file beside the messages, or a chat that is none."""
    path = PurePosixPath(member)
    if str(path.parent) in chosen and path.name in (*_FORMS, "index.html"):
        strays.skip_file(source.name, "a chat that another file holds too")
    elif path.name in _FORMS and not is_blank(source.head):
        strays.leave_out(source.name, "not a chat of Signal", count_lines(source))
    else:
        strays.skip_file(source.name, "a file beside the messages")


FORMAT = Format("signal", _sniff, _read, _claim, _read_tree)
