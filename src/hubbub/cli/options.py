"""Options that more than one command has, and small helpers around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from ..errors import OptionError
from .command import Arguments, Several
from .parameter_types import AT_LEAST_ZERO, FILE, FOLDER, Name, dataset_name

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Decorator = Callable[[Decorated], Decorated]

# Every name of `--to`. A command offers some of them; each means the same in all commands.
FORMATS: dict[str, str] = {
    "text": "for people: a drawing, a table or sentences",
    "jsonl": "JSON lines, one object a line",
    "json": "the same as jsonl",
    "csv": "a table",
    "markdown": "a Markdown document or table",
    "html": "a page that needs no other file",
    "svg": "plots",
    "sharegpt": "JSON lines of turns of human and gpt",
    "chatml": "JSON lines of one text with marks of turns",
    "parquet": "a Parquet file",
    "summary": "one JSON object with counts for each chat",
    "links": "`a b -` lines: message b replies to message a, counted from 0",
    "clusters": "one conversation a line, as message positions from 0",
    "convokit": "a ConvoKit corpus folder",
    "conll": "CoNLL coreference columns",
    "graphml": "a graph of who talks to whom",
    "rasa": "Rasa's JSON or YAML",
    "tsv": "a folder of TSV files, one a dialogue",
    "statistics": "figures about the dialogues",
}


def quiet() -> click.Option:
    return click.Option(["-q", "--quiet"], is_flag=True, help="No notes, warnings or progress; errors are still shown.")


def verbose() -> click.Option:
    return click.Option(["-v", "--verbose"], is_flag=True, help="Show more details on standard error.")


def all_of(*decorators: Callable[[Any], Any]) -> Callable[[Decorated], Decorated]:
    """Several options as one decorator, in the order in which help lists them."""

    def decorate(function: Decorated) -> Decorated:
        for each in reversed(decorators):
            function = each(function)
        return function

    return decorate


def output_format(*formats: str, default: str = "") -> Callable[[Decorated], Decorated]:
    """--to with its shorthand --json. Without a default, a terminal gets text and a pipe JSON lines."""
    names = [*formats, *(["json"] if "jsonl" in formats else ["jsonl"] if "json" in formats else [])]
    rule = f"default: {default}" if default else "default: text on a terminal, else jsonl"
    listed = ", ".join(names)
    return all_of(
        click.option("--to", metavar="FORMAT", type=Name(names), default=default or None,
                     help=f"Output format: {listed} ({rule})."),
        click.option("--json", "json", is_flag=True, help="Same as --to json."),
    )  # fmt: skip


def out(help: str = "Write to this file instead of standard output.", metavar: str = "FILE") -> Callable[[Any], Any]:
    return click.option("--out", metavar=metavar, type=FILE, help=help)


def on_data(required: bool, help: str = "Dataset split (irc:test), or files or folders.") -> Callable[[Any], Any]:
    return click.option("--on", cls=Several, metavar="DATA...", type=dataset_name(), required=required, help=help)


data_folder = click.option(
    "--data", metavar="FOLDER", type=FOLDER,
    help="Folder with the datasets (default: HUBBUB_DATA, else the cache folder).",
)  # fmt: skip

spreadsheet_safe = click.option(
    "--spreadsheet-safe", is_flag=True,
    help="With --to csv: put an apostrophe before text that a spreadsheet would run as a formula (= + - @).",
)  # fmt: skip

numbers = click.option("--numbers", is_flag=True, help="Show the number of each message's conversation.")

parameters = click.option("--set", metavar="NAME=VALUE", multiple=True, help="Set a parameter of the model.")


def seed(default: int | None = 0, help: str = "Random seed (default: 0).") -> Callable[[Any], Any]:
    return click.option("--seed", metavar="N", type=AT_LEAST_ZERO, default=default, help=help)


def csv_options(arguments: Arguments) -> dict[str, bool]:
    """The options that the writer of the chosen format takes."""
    if not arguments.spreadsheet_safe:
        return {}
    if arguments.to != "csv":
        raise OptionError("--spreadsheet-safe", "given", "it needs --to csv")
    return {"spreadsheet_safe": True}


def writer_name(arguments: Arguments) -> str:
    """The name of the chosen format among writers, which know JSON lines by one name."""
    return "jsonl" if arguments.to in (None, "json") else str(arguments.to)


def settings(pairs: Sequence[str]) -> dict[str, str]:
    """NAME=VALUE as a mapping."""
    parted = [pair.partition("=") for pair in pairs]
    for (name, equals, _), pair in zip(parted, pairs, strict=True):
        if not equals or not name.strip():
            raise OptionError("--set", pair, "a parameter is written as NAME=VALUE")
    return {name.strip(): value for name, _, value in parted}
