"""The options of `hubbub index` about what is not stored, and how it reports what was left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..text import plural
from .command import Arguments, Several
from .console import tell
from .options import all_of
from .parameter_types import FILE

if TYPE_CHECKING:
    from ..archive.store import ArchiveStore

consent_options: Callable[[Any], Any] = all_of(
    click.option(
        "--opt-out", cls=Several, metavar="FILE...", type=FILE,
        help="Names of people whose messages are not stored, one per line.",
    ),
    click.option(
        "--private-channel", cls=Several, metavar="NAME...",
        help="Channels that are not stored, by name or pattern (#staff-*).",
    ),
    click.option(
        "--keep-for", metavar="DURATION",
        help="Store and keep messages only so long: 90d, 12w, 18m, 2y or forever.",
    ),
    click.option(
        "--markers/--no-markers", default=None,
        help="Leave out messages that start with [off] or [nolog] (default).",
    ),
    click.option("--reset-rules", is_flag=True, help="Remove the stored rules first; forgotten people stay out."),
)  # fmt: skip


def change_consent(archive: ArchiveStore, arguments: Arguments) -> None:
    """Stores the rules of the command line in the archive."""
    from ..archive.privacy.consent import change_rules, read_names

    names = [name for file in arguments.opt_out for name in read_names(Path(file))]
    given = {
        "opt_out": names,
        "private_channels": arguments.private_channel,
        "keep_for": arguments.keep_for,
        "markers": arguments.markers,
        "reset": arguments.reset_rules,
    }
    if any(value not in (None, False, (), []) for value in given.values()) or arguments.markers is False:
        change_rules(archive, **given)
        _tell_stored(archive, names)


def _tell_stored(archive: ArchiveStore, names: list[str]) -> None:
    """Rules concern what is added: what is stored already is named, with the command that removes it."""
    from ..archive.privacy.consent import is_private

    for channel in archive.channel_names():
        if is_private(archive, channel):
            tell(f"{channel}: is in the archive already; hubbub archive remove removes it")
    stored = {name.casefold(): name for (name,) in archive.rows("select name from identities")}
    for name in dict.fromkeys(each.casefold() for each in names):
        if name in stored:
            tell(f"{stored[name]}: is in the archive already; hubbub archive forget removes all of it")


def tell_expired(archive: ArchiveStore) -> None:
    from ..archive.privacy.consent import remove_expired

    if removed := remove_expired(archive):
        tell(
            f"{plural(removed, 'message')} removed, older than the archive may keep; hubbub archive vacuum erases them"
        )


def counted(left_out: Mapping[str, int]) -> str:
    """What was left out, by reason, as the end of a sentence."""
    from ..archive.privacy.consent import REPLACED

    shown = [f"{count:,} {reason}" for reason, count in sorted(left_out.items()) if reason != REPLACED and count]
    replaced = left_out.get(REPLACED, 0)
    parts = [f"left out: {', '.join(shown)}"] if shown else []
    parts += [f"{plural(replaced, 'name or quote', 'names and quotes')} replaced"] if replaced else []
    return "".join(f"; {part}" for part in parts)
