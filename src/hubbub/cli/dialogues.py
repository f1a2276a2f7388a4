"""hubbub dialogues: the dialogues of a chat, as training data for reply models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import OptionError, Unwritable
from .command import Arguments, HubbubCommand
from .input_options import inputs, streams
from .options import out, output_format
from .parameter_types import Name, model_name
from .progress import working
from .tables import table

if TYPE_CHECKING:
    from ..answer.data.dialogue import Dialogue
    from ..read import ChatStream


@click.command(cls=HubbubCommand)
@inputs
@click.option(
    "--how", type=Name(("lowe", "threads", "any")), default="lowe",
    help="lowe: pairs of people who address each other (default); threads: conversations of two; any: all"
    " conversations.",
)  # fmt: skip
@click.option(
    "--model", metavar="MODEL", type=model_name("thread"), default="thread/hubbub",
    help="Thread model, by name or folder (default: thread/hubbub).",
)  # fmt: skip
@output_format("jsonl", "tsv", "statistics", default="jsonl")
@out("Write to this file; with --to tsv, to this folder.", "PATH")
def command(arguments: Arguments) -> None:
    """Extract the dialogues of a chat as training data for reply models."""
    from ..answer.data.files import dialogue_line
    from ..view.export import placed

    found = (each for one in streams(arguments) for each in _found(one, arguments))
    if arguments.to == "tsv":
        _tree(found, arguments.out)
        return
    with placed(arguments.out) as file:
        if arguments.to == "statistics":
            file.write(_statistics(list(found)) + "\n")
        else:
            file.writelines(f"{dialogue_line(each)}\n" for each in found)


def _found(one: ChatStream, arguments: Arguments) -> list[Dialogue]:
    from ..answer.data.extraction import dialogues
    from ..pipeline import reply_graph

    chat = one.chat()
    layers = one.layers()
    with working(f"{chat.name}: extracting dialogues"):
        replies = reply_graph(chat, layers, arguments.model) if arguments.how != "lowe" else layers.replies
        return dialogues(chat, arguments.how, replies)


def _tree(found: Iterator[Dialogue], out: str | None) -> None:
    from ..answer.data.files import tsv_files
    from ..output_files import placed_folder

    if out in (None, "-"):
        raise OptionError("--out", out or "is missing", "--to tsv writes a folder: name it with --out")
    assert out is not None
    top = Path(out)
    if top.exists() and (not top.is_dir() or any(top.iterdir())):
        raise Unwritable(out, "something is there already; name a new or an empty folder")
    with placed_folder(out) as folder:
        for path, content in tsv_files(found):
            with folder.file(path) as file:
                file.write(content)


def _statistics(found: list[Dialogue]) -> str:
    """The figures, and a bar for each number of turns."""
    from math import log10

    from ..answer.reports.statistics import statistics, turns

    figures = [
        (name.replace("_", " "), f"{value:,.2f}".removesuffix(".00")) for name, value in statistics(found).items()
    ]
    bars = [(f"{n} turns", f"{count:>8,}  {'█' * round(8 * log10(count + 1))}") for n, count in turns(found).items()]
    return "\n\n".join(table(rows) for rows in (figures, bars) if rows)
