"""hubbub search: the conversations of an archive that have certain words."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import OptionError

if TYPE_CHECKING:
    from ..answer.archive import Archive, Kept
    from ..answer.searching import Hit


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", metavar="WORD", help="what to look for")
    parser.add_argument(
        "--in", metavar="FILE", dest="archive", required=True, help="the archive that hubbub index made"
    )
    parser.add_argument("-n", metavar="N", type=int, default=10, help="how many conversations (default: 10)")
    parser.add_argument("--person", metavar="NAME", default="", help="only what this person said")
    parser.add_argument("--channel", metavar="NAME", default="", help="only in this channel")
    parser.add_argument("--since", metavar="DAY", default="", help="from this day on (2013-01-31)")
    parser.add_argument("--until", metavar="DAY", default="", help="until this day")
    parser.add_argument("--json", action="store_true", help="print a JSON line for each conversation")


def run(arguments: argparse.Namespace) -> int:
    from ..answer.archive import Archive
    from ..answer.searching import Filters, search

    filters = Filters(arguments.person, arguments.channel, _day(arguments, "since"), _day(arguments, "until"))
    archive = Archive(Path(arguments.archive))
    try:
        hits = search(archive, " ".join(arguments.words), arguments.n, filters)
        for hit in hits:
            print(_json(archive, hit) if arguments.json else "\n".join(_lines(archive, hit)))
    finally:
        archive.close()
    if not hits and not arguments.json:
        print("Nothing was found.")
    return 0


def _day(arguments: argparse.Namespace, option: str) -> str:
    from datetime import date

    text: str = getattr(arguments, option)
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise OptionError(f"--{option}", text, "a day is written as 2013-01-31") from None


def _lines(archive: Archive, hit: Hit) -> Iterator[str]:
    """The conversation as people read it, what was found marked with an arrow."""
    found = {kept.id for kept in hit.found}
    yield f"conversation {hit.conversation}, {hit.found[0].chat}"
    for kept in archive.conversation(hit.conversation):
        yield f"{'>' if kept.id in found else ' '} {_said(kept)}"
    yield ""


def _said(kept: Kept) -> str:
    when = kept.message.time.strftime("%Y-%m-%d %H:%M ") if kept.message.time else ""
    return f"{when}<{kept.message.author}> {' '.join(kept.message.text.split())}"


def _json(archive: Archive, hit: Hit) -> str:
    from ..pipe import dump

    return dump(
        {
            "conversation": hit.conversation,
            "chat": hit.found[0].chat,
            "score": round(hit.score, 4),
            "found": [kept.id for kept in hit.found],
            "messages": [_record(kept) for kept in archive.conversation(hit.conversation)],
        }
    )


def _record(kept: Kept) -> dict[str, Any]:
    said = kept.message
    when = said.time.isoformat() if said.time else None
    return {"message": kept.id, "time": when, "author": said.author, "text": said.text, "kind": said.kind}
