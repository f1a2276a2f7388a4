"""hubbub config: the settings in force and the file each comes from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import click

from ..jsonl import dump
from . import COMMANDS
from .command import Arguments, HubbubCommand
from .console import show
from .options import output_format, table
from .settings import Settings, candidate_files, load


@click.command(cls=HubbubCommand)
@output_format("text", "json", default="text")
def command(arguments: Arguments) -> None:
    """Show the settings in force and the file each comes from.

    Files are ~/.config/hubbub/config.toml (below XDG_CONFIG_HOME if that is set) and then hubbub.toml in the current
    folder; later values win, and options win over both. HUBBUB_CONFIG names another file instead; if it is empty, none
    is read. Keys are archive (--in), intents, cast and colours (auto, always or never), and below [COMMAND] any option
    of that command.
    """
    settings = load()
    _check_all(settings)
    if arguments.to == "text":
        show("\n".join(_lines(settings)))
    else:
        show("\n".join(dump(record) for record in _records(settings)) or "{}")


def _check_all(settings: Settings) -> None:
    """A running command checks its own section only; here is time for every section."""
    from .application import application

    group = application()
    for name in settings.sections:
        command = group.get_command(click.Context(group), name)
        if command:
            settings.check(command)


def _records(settings: Settings) -> Iterator[dict[str, Any]]:
    for name, each in settings.everywhere.items():
        yield {"setting": _shown(name), "value": each.value, "file": each.file}
    for command in COMMANDS:
        for name, each in settings.sections.get(command, {}).items():
            yield {"setting": f"{command}: {_shown(name)}", "value": each.value, "file": each.file}


def _shown(name: str) -> str:
    return "colours" if name == "colour" else name.replace("_", "-")


def _lines(settings: Settings) -> Iterator[str]:
    for path in candidate_files(os.environ):
        yield f"{path}: {'read' if str(path) in settings.files else 'does not exist'}"
    rows = [(each["setting"], str(each["value"]), each["file"]) for each in _records(settings)]
    if rows:
        yield from ("", table([("setting", "value", "from"), *rows]))
