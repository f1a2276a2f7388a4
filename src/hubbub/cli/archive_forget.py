"""hubbub archive forget: a person out of an archive, for good."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ..errors import NotConfirmed
from ..text import plural
from . import EXIT_LEFT_OUT
from .archive_options import archive_option, opened
from .command import Arguments, HubbubCommand
from .console import is_confirmed, report_error, show, tell

if TYPE_CHECKING:
    from ..archive.privacy.forget_plan import ForgetPlan, Place


@click.command(cls=HubbubCommand)
@click.argument("person", metavar="PERSON")
@archive_option()
@click.option("--yes", is_flag=True, help="Do not ask before removing.")
@click.option("--only-this-name", is_flag=True, help="Leave the other names that the person had.")
@click.option(
    "--all-places", is_flag=True,
    help="Replace the name in texts of others also where it may be an ordinary word, such as will or mark, or where "
    "others have the same first or last name.",
)  # fmt: skip
@click.option("--list-places", is_flag=True, help="List the places where a name is left, with the reason.")
def command(arguments: Arguments) -> int:
    """Remove a person from an archive for good, and keep them out of later imports.

    Removed are their messages with versions, attachments, vectors and full-text index, all their names, and their names
    and quotes of them in the texts of others. Then the database is rewritten, and a scan of its rows and files reports
    whether anything is left, and what was not scanned. What would be removed is shown first.
    """
    from ..archive.privacy.forget import forget, plan_forgetting

    options = {"only_this_name": arguments.only_this_name, "all_places": arguments.all_places}
    with opened(arguments, write=True) as archive:
        if not arguments.yes:
            _show_plan(plan_forgetting(archive, arguments.person, **options), arguments)
            _must_be_confirmed()
        report = forget(archive, arguments.person, **options)
    show("\n".join(report.described()))
    if arguments.list_places and arguments.yes:
        _list_places(report.left)
    if report.is_clean:
        return 0
    report_error(
        f"{arguments.archive}: the rows were removed, but the files still have parts or could not be rewritten."
    )
    return EXIT_LEFT_OUT


def _show_plan(plan: ForgetPlan, arguments: Arguments) -> None:
    from ..archive.privacy.forget import left_by_reason

    show(f"names: {', '.join(plan.names)}")
    if plan.similar:
        show(f"similar names that stay: {', '.join(plan.similar)}")
    changed = len({change.message for change in (*plan.texts, *plan.versions, *plan.attachments)})
    show(f"messages to be removed: {len(plan.messages):,}")
    for channel, count in plan.by_channel.most_common():
        show(f"  {channel}: {count:,}")
    show(f"names and quotes to be replaced: {plan.replaced():,} in {plural(changed, 'message')} of others")
    for reason, places in left_by_reason(plan.left):
        show(f"to be left because {reason}: {places}")
    if arguments.list_places:
        _list_places(plan.left)


def _list_places(places: Sequence[Place]) -> None:
    for each in places:
        show(f"message {each.message}: {each.text}{' (others have the same name)' if each.is_shared else ''}")


def _must_be_confirmed() -> None:
    if not sys.stdin.isatty():
        raise NotConfirmed
    if not is_confirmed("Remove all of this for good?"):
        tell("nothing was removed")
        raise click.exceptions.Exit(0)
