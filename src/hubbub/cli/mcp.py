"""hubbub mcp: an archive as tools for assistants, by the Model Context Protocol."""

from __future__ import annotations

import click

from ..errors import NeedsExtra
from .archive_options import archive_option, opened
from .command import Arguments, HubbubCommand
from .console import tell


@click.command(cls=HubbubCommand)
@archive_option()
@click.option(
    "--http", "is_http", is_flag=True, help="Serve streamable HTTP on 127.0.0.1, not standard input and output."
)
@click.option(
    "--port", metavar="N", type=click.IntRange(1, 65535), default=8001, help="Port with --http (default: 8001)."
)
def command(arguments: Arguments) -> None:
    """Offer an archive to assistants as tools of the Model Context Protocol.

    The tools are search_conversations, get_conversation, ask, unanswered and people.
    """
    try:
        import mcp  # noqa: F401
    except ImportError:
        raise NeedsExtra("hubbub mcp", "mcp") from None
    from ..serve.mcp_tools import mcp_server

    with opened(arguments):
        pass  # what is wrong with the archive is said now, not at the first call
    server = mcp_server(arguments.archive)
    if arguments.is_http:
        tell(f"Serving {arguments.archive} on http://127.0.0.1:{arguments.port}/mcp (Ctrl-C stops it).")
        server.run("streamable-http", host="127.0.0.1", port=arguments.port)
    else:
        server.run("stdio")
