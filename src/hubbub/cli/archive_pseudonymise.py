"""hubbub archive pseudonymise: a copy of an archive with roles in place of names."""

from __future__ import annotations

import click

from .archive_options import archive_option, map_option, opened
from .command import Arguments, HubbubCommand
from .console import show
from .parameter_types import FILE


@click.command(cls=HubbubCommand)
@archive_option()
@click.option(
    "--out", metavar="ARCHIVE", type=FILE, required=True,
    help="Archive to write, a new file or an empty PostgreSQL database.",
)  # fmt: skip
@map_option
def command(arguments: Arguments) -> None:
    """Copy an archive with roles in place of names: in each conversation "asker", "helper 1", "helper 2" and so on.

    Names of people in texts become roles too. E-mail, IP and hardware addresses, phone numbers, keys and passwords are
    replaced by what they are, such as [e-mail address]. Times stay as they are.
    """
    from ..archive.privacy.pseudonymised_copy import pseudonymise

    with opened(arguments) as archive:
        report = pseudonymise(archive, arguments.out, arguments.map)
    show("\n".join(report.described()))
