"""hubbub index: chats, threaded, into one file that can be searched and asked."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..text import plural
from .inputs import add_inputs, streams

if TYPE_CHECKING:
    from ..answer.indexing import Judged
    from ..read import ChatStream


def add(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    parser.add_argument(
        "--in", metavar="FILE", dest="archive", required=True, help="the archive, made if it is not there"
    )
    parser.add_argument("--model", metavar="NAME", default="thread/hubbub", help="what finds conversations")


def run(arguments: argparse.Namespace) -> int:
    from ..answer.archive import Archive
    from ..answer.indexing import add as add_to
    from ..model import load

    archive = Archive(Path(arguments.archive), create=True)
    try:
        model = load(arguments.model)
        for one in streams(arguments):
            passed = new = 0
            for count, fresh in add_to(archive, one.name, one.format, _judged(model, one)):
                passed, new = passed + count, new + fresh
            print(f"hubbub: {one.name}: {plural(passed, 'message')}, {new:,} of them new", file=sys.stderr)
        held = archive.contents()
    finally:
        archive.close()
    counts = f"{plural(held.messages, 'message')}, {plural(held.conversations, 'conversation')}"
    print(f"{arguments.archive}: {counts}, {Path(arguments.archive).stat().st_size / 1e6:,.1f} MB")
    return 0


def _judged(model: Any, one: ChatStream) -> Iterator[Judged]:
    """Each message with what the model says of it; both run side by side, so that nothing piles up."""
    from ..answer.indexing import Judged

    messages, again = tee(one.messages)
    for message, said in zip(messages, model.stream(again), strict=True):
        yield Judged(message, tuple(said.position - parent for parent in said.parents), said.scores)
