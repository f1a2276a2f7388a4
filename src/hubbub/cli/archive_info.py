"""hubbub archive info: what an archive contains."""

from __future__ import annotations

import click

from ..text import plural
from .archive_options import archive_option, opened
from .command import Arguments, HubbubCommand
from .console import show


@click.command(cls=HubbubCommand)
@archive_option()
def command(arguments: Arguments) -> None:
    """Show what an archive contains: its channels, messages, people, conversations, rules of consent, and its size."""
    from ..archive.housekeeping import channel_infos
    from ..archive.privacy.consent import consent_rules

    with opened(arguments) as archive:
        for each in channel_infos(archive):
            people, talks = plural(each.people, "person", "people"), plural(each.conversations, "conversation")
            when = f", {each.first[:10]} to {each.last[:10]}" if each.first and each.last else ""
            show(f"{each.name}: {plural(each.messages, 'message')}, {people}, {talks}{when}")
        vectors = "with vectors" if archive.has_vectors() else "not yet with vectors"
        size = archive.engine.size() / 1e6
        for rule in consent_rules(archive).described():
            show(f"rule: {rule}")
        show(f"total: {plural(archive.contents().messages, 'message')}, {vectors}, {size:,.1f} MB")
