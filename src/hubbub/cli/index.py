"""hubbub index: chats and their conversations into one archive that can be searched and asked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import HubbubError, is_link_loop
from ..text import plural
from . import is_piped
from .archive_options import archive_option
from .command import Arguments, HubbubCommand
from .console import show, tell
from .input_options import inputs, streams
from .parameter_types import model_name
from .progress import counted_steps

if TYPE_CHECKING:
    from ..archive.store import ArchiveStore
    from ..thread.predict import ThreadPredictor


@click.command(cls=HubbubCommand)
@inputs
@archive_option("Archive to add to; created if it does not exist.")
@click.option(
    "--model", metavar="MODEL", type=model_name("thread"), default="thread/hubbub",
    help="Thread model, by name or folder (default: thread/hubbub).",
)  # fmt: skip
@click.option(
    "--vectors/--no-vectors", default=True,
    help="Compute the vectors that hubbub ask needs (default).",
)  # fmt: skip
def command(arguments: Arguments) -> None:
    """Add chats and their conversations to an archive that can be searched and asked.

    Messages that the archive has already are not added again. Without PATH, missing vectors are computed.
    """
    from ..thread.predict import ThreadPredictor

    place, threader = arguments.archive, ThreadPredictor.of(arguments.model)
    with _made(place) as archive:
        if arguments.paths or is_piped() or not archive.last():
            _add_chats(archive, threader, arguments)
        if arguments.vectors:
            _add_vectors(archive, arguments.archive)
        held, lacking, size = archive.contents(), not archive.has_vectors(), archive.engine.size()
    counts = f"{plural(held.messages, 'message')}, {plural(held.conversations, 'conversation')}"
    without = ", not yet with vectors" if lacking else ""
    show(f"{arguments.archive}: {counts}{without}, {size / 1e6:,.1f} MB")


@contextmanager
def _made(location: str) -> Iterator[ArchiveStore]:
    """The archive; a new one is removed again if the command stops before anything was added."""
    from ..archive.engine import is_url
    from ..archive.store import ArchiveStore

    if is_url(location):
        with ArchiveStore(location, create=True) as archive:
            yield archive
        return
    place = Path(location)
    is_new, real = not (place.exists() or is_link_loop(place)), os.path.realpath(place)
    try:
        with ArchiveStore(place, create=True) as archive:
            yield archive
            is_new = False
    finally:
        if is_new and not _holds_anything(place):
            for ending in ("", "-wal", "-shm"):
                Path(f"{real}{ending}").unlink(missing_ok=True)


def _holds_anything(place: Path) -> bool:
    from ..archive.store import ArchiveStore

    try:
        with ArchiveStore(place) as archive:
            return archive.last() > 0
    except HubbubError:
        return False


def _add_chats(archive: ArchiveStore, threader: ThreadPredictor, arguments: Arguments) -> None:
    from ..archive.adding import add_stream

    for one in streams(arguments):
        passed = new = 0
        for count, fresh in add_stream(archive, one, threader):
            passed, new = passed + count, new + fresh
        tell(f"{one.name}: {plural(passed, 'message')}, {new:,} of them new")


def _add_vectors(archive: ArchiveStore, name: str) -> None:
    from ..archive.confidence import static_encoder
    from ..archive.vectors import add_vectors

    if not archive.has_vectors():
        steps = add_vectors(archive, static_encoder().encode)
        for _ in counted_steps(steps, f"{name}: computing vectors", archive.last() - archive.covered()):
            pass
