"""hubbub index: chats and their conversations into one archive that can be searched and asked."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import HubbubError, OptionError, is_link_loop
from ..text import plural
from . import is_piped
from .archive_options import archive_option
from .command import Arguments, HubbubCommand
from .consent_options import change_consent, consent_options, counted, tell_expired
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
@click.option("--follow", is_flag=True, help="Keep the archive up to date: add what files and folders gain.")
@consent_options
def command(arguments: Arguments) -> None:
    """Add chats and their conversations to an archive that can be searched and queried.

    Messages that are already in the archive are not added again. Without PATH, missing vectors are computed.
    With --follow, files and folders are read again when they change, until Ctrl-C.

    The archive keeps the rules about what is not stored (opt-out, private channels, duration, markers), and later runs
    honour them. What they leave out is counted by reason.
    """
    from ..pipeline import Pipeline

    threader = Pipeline(arguments.model).threader()
    with _made(arguments.archive) as archive:
        change_consent(archive, arguments)
        if arguments.follow:
            _follow(archive, threader, arguments)
        if arguments.paths or is_piped() or not archive.last():
            add_chats(archive, threader, arguments)
        tell_expired(archive)
        if arguments.vectors:
            add_vectors(archive, arguments.archive)
        held, lacking, size = archive.contents(), not archive.has_vectors(), archive.engine.size()
    counts = f"{plural(held.messages, 'message')}, {plural(held.conversations, 'conversation')}"
    without = ", not yet with vectors" if lacking else ""
    show(f"{arguments.archive}: {counts}{without}, {size / 1e6:,.1f} MB")


@contextmanager
def _made(location: str) -> Iterator[ArchiveStore]:
    """The archive; a new one is removed again if the command stops before anything was added."""
    from ..archive.engine import located
    from ..archive.store import ArchiveStore

    place = located(location)
    if isinstance(place, str):
        with ArchiveStore(place, create=True) as archive:
            yield archive
        return
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


def add_chats(archive: ArchiveStore, threader: ThreadPredictor, arguments: Arguments) -> None:
    from ..archive.adding import add_stream

    for one in streams(arguments):
        passed, new, left_out = 0, 0, Counter[str]()
        for count, fresh in add_stream(archive, one, threader, left_out):
            passed, new = passed + count, new + fresh
        if new or not getattr(arguments, "follow", False):
            tell(f"{one.name}: {plural(passed, 'message')}, {new:,} of them new{counted(left_out)}")


def _follow(archive: ArchiveStore, threader: ThreadPredictor, arguments: Arguments) -> None:
    """Adds what is there, then what has changed, until interrupted. After the first time, errors do not end it."""
    from ..read.changing_files import ChangingFiles

    if not arguments.paths or "-" in arguments.paths:
        raise OptionError("--follow", " ".join(arguments.paths) or "without PATH", "name files or folders to follow")
    given, is_first = arguments.paths, True
    for paths in ChangingFiles(given, ignored=arguments.archive).rounds():
        arguments.paths = tuple(paths)
        try:
            add_chats(archive, threader, arguments)
            if arguments.vectors:
                add_vectors(archive, arguments.archive)
        except (HubbubError, OSError) as error:
            if is_first:
                raise
            tell(f"not added, to be tried again after the next change: {error}")
        is_first = False


def add_vectors(archive: ArchiveStore, name: str) -> None:
    from ..archive.confidence import static_encoder
    from ..archive.vectors import add_vectors

    if not archive.has_vectors() or archive.number("select count(*) from edited"):
        steps = add_vectors(archive, static_encoder().encode)
        for _ in counted_steps(steps, f"{name}: computing vectors", archive.last() - archive.covered()):
            pass
