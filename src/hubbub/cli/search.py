"""hubbub search: the conversations of an archive that have certain words."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .archives import add_archive, add_filters, at_least_one, filters, opened, record
from .console import show

if TYPE_CHECKING:
    from ..answer.archive import Archive, Kept
    from ..answer.searching import Hit

AROUND = 2


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", metavar="WORD", help="what to look for")
    add_archive(parser)
    parser.add_argument("-n", metavar="N", type=int, default=10, help="how many conversations (default: 10)")
    add_filters(parser, "what was said")
    parser.add_argument("--whole", action="store_true", help="whole conversations, not only what is around the words")
    parser.add_argument("--json", action="store_true", help="print a JSON line for each conversation")


def run(arguments: argparse.Namespace) -> int:
    from ..answer.searching import search

    count = at_least_one("-n", arguments.n)
    with opened(arguments) as archive:
        hits = search(archive, " ".join(arguments.words), count, filters(arguments, archive))
        for hit in hits:
            show(_json(archive, hit) if arguments.json else "\n".join(_lines(archive, hit, arguments.whole)))
    if not hits and not arguments.json:
        print("Nothing was found.")
    return 0


def _lines(archive: Archive, hit: Hit, is_whole: bool) -> Iterator[str]:
    """The conversation as people read it, what was found marked with an arrow, what is left out with dots."""
    found = {kept.id for kept in hit.found}
    talk = [kept for kept in archive.conversation(hit.conversation) if is_whole or kept.message.kind != "system"]
    marked = [place for place, kept in enumerate(talk) if kept.id in found]
    shown = {near for place in marked for near in range(place - AROUND, place + AROUND + 1)}
    yield f"conversation {hit.conversation}, {hit.found[0].chat}"
    before = -1
    for place, kept in enumerate(talk):
        if is_whole or place in shown:
            if place > before + 1:
                yield "  ..."
            yield f"{'>' if kept.id in found else ' '} {_said(kept)}"
            before = place
    if before + 1 < len(talk):
        yield "  ..."
    yield ""


def _said(kept: Kept) -> str:
    said = kept.message
    when = f"{said.time:%Y-%m-%d %H:%M} " if said.time else f"{said.clock:%H:%M} " if said.clock else ""
    return f"{when}<{said.author}> {' '.join(said.text.split())}"


def _json(archive: Archive, hit: Hit) -> str:
    from ..pipe import dump

    return dump(
        {
            "conversation": hit.conversation,
            "chat": hit.found[0].chat,
            "score": round(hit.score, 4),
            "found": [kept.id for kept in hit.found],
            "messages": [record(kept) for kept in archive.conversation(hit.conversation)],
        }
    )
