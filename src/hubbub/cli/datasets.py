"""hubbub datasets: every known dataset, where it is, and where to get it."""

from __future__ import annotations

from typing import Any

import click

from ..jsonl import dump
from ..ml.datasets import DATASETS, Dataset, located
from .command import Arguments, HubbubCommand
from .console import show
from .options import data_folder, output_format
from .tables import table


@click.command(cls=HubbubCommand)
@data_folder
@output_format("text", "json", default="text")
def command(arguments: Arguments) -> None:
    """List the datasets, where they are on this machine, and where to get them."""
    records = [_record(each, arguments.data) for each in DATASETS.values()]
    show("\n\n".join(map(_entry, records)) if arguments.to == "text" else "\n".join(map(dump, records)))


def _record(each: Dataset, data: str | None) -> dict[str, Any]:
    found = located(each, data)
    return {
        "name": each.name,
        "what": each.what,
        "found": str(found) if found else None,
        "splits": list(each.splits),
        "licence": each.licence,
        "home": each.page,
        "citation": each.citation,
    }


def _entry(record: dict[str, Any]) -> str:
    rows = [
        ("found", record["found"] or "missing"),
        ("splits", ", ".join(record["splits"])),
        *((key, record[key]) for key in ("licence", "home", "citation")),
    ]
    return f"{record['name']}: {record['what']}\n" + table(rows, indent=2)
