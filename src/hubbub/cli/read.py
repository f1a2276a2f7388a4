"""hubbub read: any chat in, JSON lines, CSV, Parquet, text or a summary out."""

from __future__ import annotations

import argparse

from ..view.export import WRITERS, write
from .inputs import add_inputs, streams
from .options import add_spreadsheet_safe, csv_options


def add(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    parser.add_argument("--to", choices=list(WRITERS), default="jsonl", help="what to write (default: jsonl)")
    add_spreadsheet_safe(parser)
    parser.set_defaults(cuts=False)
    parser.add_argument("--out", metavar="FILE", help="write to this file instead of standard output")


def run(arguments: argparse.Namespace) -> None:
    write(streams(arguments), arguments.to, arguments.out, **csv_options(arguments))
