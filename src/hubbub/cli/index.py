"""hubbub index: chats, threaded, into one file that can be searched and asked."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import HubbubError, is_link_loop
from ..text import plural
from . import is_piped
from .console import show, tell
from .inputs import add_inputs, streams
from .progress import counted_meanwhile

if TYPE_CHECKING:
    from ..answer.archive import Archive
    from ..answer.indexing import Judged
    from ..read import ChatStream


def add(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    parser.add_argument(
        "--in", metavar="FILE", dest="archive", required=True, help="the archive, made if it is not there"
    )
    parser.add_argument("--model", metavar="NAME", default="thread/hubbub", help="what finds conversations")
    parser.add_argument(
        "--vectors",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="what hubbub ask needs: each message as a vector; without, indexing is many times faster",
    )


def run(arguments: argparse.Namespace) -> int:
    from ..model import load

    place, model = Path(arguments.archive), load(arguments.model, task="thread")
    with _made(place) as archive:
        if arguments.paths or is_piped() or not archive.last():
            _add_chats(archive, model, arguments)
        if arguments.vectors:
            _add_vectors(archive, arguments.archive)
        held, lacking = archive.contents(), not archive.has_vectors()
    counts = f"{plural(held.messages, 'message')}, {plural(held.conversations, 'conversation')}"
    without = ", not yet with vectors" if lacking else ""
    show(f"{arguments.archive}: {counts}{without}, {place.stat().st_size / 1e6:,.1f} MB")
    return 0


@contextmanager
def _made(place: Path) -> Iterator[Archive]:
    """The archive; one that is made now is removed again if the command is stopped before anything came into it."""
    from ..answer.archive import Archive

    is_new, real = not (place.exists() or is_link_loop(place)), os.path.realpath(place)
    try:
        with Archive(place, create=True) as archive:
            yield archive
            is_new = False
    finally:
        if is_new and not _holds_anything(place):
            for ending in ("", "-wal", "-shm"):
                Path(f"{real}{ending}").unlink(missing_ok=True)


def _holds_anything(place: Path) -> bool:
    from ..answer.archive import Archive

    try:
        with Archive(place) as archive:
            return archive.last() > 0
    except HubbubError:
        return False


def _add_chats(archive: Archive, model: Any, arguments: argparse.Namespace) -> None:
    from ..answer.indexing import add as add_to

    for one in streams(arguments):
        passed = new = 0
        for count, fresh in add_to(archive, one.name, one.format, _judged(model, one)):
            passed, new = passed + count, new + fresh
        tell(f"{one.name}: {plural(passed, 'message')}, {new:,} of them new")


def _add_vectors(archive: Archive, name: str) -> None:
    from ..answer.vectors import add_vectors
    from ..encode import encoder

    if not archive.has_vectors():
        steps = add_vectors(archive, encoder().encode)
        for _ in counted_meanwhile(steps, f"{name}: vectors", archive.last() - archive.covered()):
            pass


def _judged(model: Any, one: ChatStream) -> Iterator[Judged]:
    """Each message with what the model says of it; both run side by side, so that nothing piles up.

    A link of a model that has no probabilities counts as certain.
    """
    from ..answer.indexing import Judged
    from ..thread.hubbub import judged

    messages, again = tee(one.messages)
    for message, said in zip(messages, judged(model, one.name, one.format, again), strict=True):
        back = tuple(said.position - parent for parent in said.parents)
        yield Judged(message, back, said.scores or (1.0,) * len(back))
