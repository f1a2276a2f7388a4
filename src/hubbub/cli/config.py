"""hubbub config: the settings in force and the file each comes from."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from ..jsonl import dump
from . import COMMANDS
from .command import Arguments, HubbubCommand
from .console import show
from .options import output_format
from .settings import PATHS, Settings, candidate_files, load, placed
from .tables import table


@click.command(cls=HubbubCommand)
@output_format("text", "json", default="text")
def command(arguments: Arguments) -> None:
    """Show the settings in force and the file each comes from.

    Files are ~/.config/hubbub/config.toml (below XDG_CONFIG_HOME if that is set) and then hubbub.toml in the current
    folder; later values take precedence, and options over both. HUBBUB_CONFIG names another file instead; if it is
    empty, none is read. Below [defaults] are archive (--in), intents, cast and colours (auto, always or never), and
    below the name of a command, such as [thread] or [archive.list], any option of that command.
    """
    settings = load()
    records = list(_records(settings))
    if arguments.to == "text":
        show("\n".join(_lines(settings, records)))
    else:
        show("\n".join(map(dump, records)) or "{}")


def _records(settings: Settings) -> Iterator[dict[str, Any]]:
    """Every setting; a running command checks its own section only, here is time for all."""
    from .application import application

    for name, each in settings.everywhere.items():
        yield {"setting": _shown(name), "value": placed(each) if name in PATHS else each.value, "file": each.file}
    group = application()
    for command in filter(settings.sections.__contains__, COMMANDS):
        found = group.get_command(click.Context(group), command)
        assert found is not None
        settings.check(found)
        values = settings.defaults(found)
        for name, each in settings.sections[command].items():
            yield {"setting": f"{command}: {_shown(name)}", "value": values[name], "file": each.file}


def _shown(name: str) -> str:
    return "colours" if name == "colour" else name.replace("_", "-")


def _lines(settings: Settings, records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for path in candidate_files(os.environ):
        yield f"{path}: {'read' if str(path) in settings.files else 'does not exist'}"
    rows = [(each["setting"], str(each["value"]), each["file"]) for each in records]
    if rows:
        yield from ("", table([("setting", "value", "from"), *rows]))
