"""The options that more than one verb has, apart from those that read a chat."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..errors import OptionError


def add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--on", nargs="+", metavar="WHAT", required=True, help="a dataset's split (irc:test), or files or a folder"
    )
    add_folder(parser)


def add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", metavar="FOLDER", help="the folder that holds the datasets (default: HUBBUB_DATA, else the cache)"
    )


def whole_number(text: str) -> int:
    """The type of an option that counts something, or that random choices start from."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{number} is below zero")
    return number


def add_spreadsheet_safe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--spreadsheet-safe", action="store_true",
        help="with --to csv: an apostrophe before texts that a spreadsheet would run as formulas (= + - @)",
    )  # fmt: skip


def csv_options(arguments: argparse.Namespace) -> dict[str, bool]:
    """What the writer of the chosen form is to be told."""
    if not arguments.spreadsheet_safe:
        return {}
    if arguments.to != "csv":
        raise OptionError("--spreadsheet-safe", "given", "it is for tables: say --to csv too")
    return {"spreadsheet_safe": True}


def settings(pairs: Sequence[str]) -> dict[str, str]:
    """NAME=VALUE as a mapping."""
    parted = [pair.partition("=") for pair in pairs]
    for (name, equals, _), pair in zip(parted, pairs, strict=True):
        if not equals or not name.strip():
            raise OptionError("--set", pair, "a parameter is written as furthest=50")
    return {name.strip(): value for name, _, value in parted}


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows with their columns lined up, the last one as long as it is."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    return "\n".join("  ".join([*(f"{c:<{w}}" for c, w in zip(row, widths, strict=False)), row[-1]]) for row in rows)
