"""hubbub serve: a site of chats or of an archive."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from ..errors import NeedsExtra, OptionError
from .archive_options import archive_option
from .command import Arguments, HubbubCommand
from .console import tell
from .index import add_chats, add_vectors
from .input_options import inputs


@click.command(cls=HubbubCommand)
@inputs
@archive_option("Archive to show; without PATHs it is shown as it is.", required=False)
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65535), default=8000, help="Port; 0 takes a free one (default: 8000)."
)
@click.option("--title", metavar="TEXT", default="hubbub", help="Name of the site.")
def command(arguments: Arguments) -> None:
    """Show chats or an archive as a site in the browser.

    It listens on 127.0.0.1 only. PATHs are exports that hubbub reads; they are added to the archive, or to a temporary
    one that is removed at the end.
    """
    if not arguments.paths and not arguments.archive:
        raise OptionError("--in", "ARCHIVE", "name an archive, or chats to show")
    try:
        import uvicorn

        from ..serve.application import SiteSettings, application
    except ImportError:
        raise NeedsExtra("hubbub serve", "serve") from None
    with _bound(arguments.port) as listener, _archive(arguments) as location:
        app = application(location, SiteSettings(arguments.title))
        shown, port = arguments.archive or " ".join(arguments.paths), listener.getsockname()[1]
        tell(f"Serving {shown} on http://127.0.0.1:{port}/ (Ctrl-C stops it).")
        config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=2)
        uvicorn.Server(config).run(sockets=[listener])


@contextmanager
def _archive(arguments: Arguments) -> Iterator[str]:
    """The place of the archive, after the chats were added to it."""
    from ..archive.store import ArchiveStore
    from ..pipeline import Pipeline

    if not arguments.paths:
        ArchiveStore(arguments.archive).close()  # what is wrong with it is said now, not on every page
        yield arguments.archive
        return
    with TemporaryDirectory(prefix="hubbub-") as folder:
        location = arguments.archive or str(Path(folder) / "archive.db")
        with ArchiveStore(location, create=True) as archive:
            add_chats(archive, Pipeline(True).threader(), arguments)
            add_vectors(archive, location)
        yield location


@contextmanager
def _bound(port: int) -> Iterator[socket.socket]:
    """A socket on the loopback address; it is open before the site is announced."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError as error:
            reason = error.strerror or "it cannot be used"
            raise OptionError("--port", str(port), f"{reason}; --port 0 takes a free one") from None
        yield listener
