"""hubbub dialogues: the dialogues of a chat, to learn replies from."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import OptionError, Unwritable
from .console import show
from .inputs import add_inputs, streams
from .options import table

if TYPE_CHECKING:
    from ..answer.dialogue import Dialogue
    from ..read import ChatStream

HOW = ("lowe", "threads", "any")
TO = ("jsonl", "tsv", "statistics")


def add(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    parser.add_argument(
        "--how",
        choices=HOW,
        default="lowe",
        help="lowe: pairs of people who address each other; threads: conversations of two; any: all of them",
    )
    parser.add_argument("--model", metavar="NAME", default="thread/hubbub", help="what finds conversations")
    parser.add_argument(
        "--to", choices=TO, default="jsonl", help="JSON lines, a tree of TSV files, or what they are like"
    )
    parser.add_argument("--out", metavar="PLACE", help="write to this file, for tsv to this folder")


def run(arguments: argparse.Namespace) -> int:
    from ..answer.layouts import dialogue_line
    from ..view.export import placed

    found = (each for one in streams(arguments) for each in _found(one, arguments))
    if arguments.to == "tsv":
        return _tree(found, arguments.out)
    if arguments.to == "statistics":
        show(_statistics(list(found)))
        return 0
    with placed(arguments.out) as file:
        file.writelines(f"{dialogue_line(each)}\n" for each in found)
    return 0


def _found(one: ChatStream, arguments: argparse.Namespace) -> list[Dialogue]:
    from ..answer.dialogues import dialogues

    chat = one.chat()
    replies = one.layers().replies
    if arguments.how != "lowe" and replies is None:
        from ..model import load

        replies = load(arguments.model, task="thread").predict([chat])[0]
    return dialogues(chat, arguments.how, replies)


def _tree(found: Iterator[Dialogue], out: str | None) -> int:
    from ..answer.layouts import tsv_files
    from ..placing import placed_folder

    if not out:
        raise OptionError("--out", "is missing", "a tree of TSV files is a folder: name it with --out")
    top = Path(out)
    if top.exists() and (not top.is_dir() or any(top.iterdir())):
        raise Unwritable(out, "something else is there already; give a new or an empty folder")
    with placed_folder(out) as folder:
        for path, content in tsv_files(found):
            with folder.file(path) as file:
                file.write(content)
    return 0


def _statistics(found: list[Dialogue]) -> str:
    """The figures, and a bar for each number of turns."""
    from math import log10

    from ..answer.statistics import statistics, turns

    figures = [
        (name.replace("_", " "), f"{value:,.2f}".removesuffix(".00")) for name, value in statistics(found).items()
    ]
    bars = [(f"{n} turns", f"{count:>8,}  {'█' * round(8 * log10(count + 1))}") for n, count in turns(found).items()]
    return "\n\n".join(table(rows) for rows in (figures, bars) if rows)
