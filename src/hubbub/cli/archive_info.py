"""hubbub archive info: what an archive contains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from ..jsonl import dump
from ..text import plural
from .archive_options import archive_option, opened
from .command import Arguments, HubbubCommand
from .console import show
from .options import output_format
from .tables import table

if TYPE_CHECKING:
    from ..archive.housekeeping import ChannelInfo


@click.command(cls=HubbubCommand)
@archive_option()
@output_format("text", "json", default="text")
def command(arguments: Arguments) -> None:
    """Show what an archive contains: its channels, messages, people, conversations, rules of consent, and its size."""
    from ..archive.housekeeping import channel_infos
    from ..archive.privacy.consent import consent_rules

    with opened(arguments) as archive:
        channels, messages = channel_infos(archive), archive.contents().messages
        has_vectors, size, rules = archive.has_vectors(), archive.engine.size(), consent_rules(archive).described()
    if arguments.to == "text":
        vectors = "with vectors" if has_vectors else "not yet with vectors"
        total = f"total: {plural(messages, 'message')}, {vectors}, {size / 1e6:,.1f} MB"
        described = [f"rule: {rule}" for rule in rules]
        show("\n".join([*([table(_rows(channels))] if channels else []), *described, total]))
    else:
        counts = {"messages": messages, "has_vectors": has_vectors, "bytes": size, "rules": list(rules)}
        show(dump({"archive": arguments.archive, **counts, "channels": [asdict(each) for each in channels]}))


def _rows(channels: Sequence[ChannelInfo]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("channel", "messages", "people", "conversations", "days")]
    for each in channels:
        days = f"{each.first[:10]} to {each.last[:10]}" if each.first and each.last else ""
        rows.append((each.name, f"{each.messages:8,}", f"{each.people:6,}", f"{each.conversations:13,}", days))
    return rows
