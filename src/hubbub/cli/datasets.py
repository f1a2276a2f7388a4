"""hubbub datasets: every dataset hubbub knows, where it is on this machine, and where to get it."""

from __future__ import annotations

import argparse
from typing import Any

from ..datasets import DATASETS, Dataset, located
from ..pipe import dump
from .console import show
from .options import add_folder, table


def add(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object a dataset")


def run(arguments: argparse.Namespace) -> int:
    records = [_record(each, arguments.data) for each in DATASETS.values()]
    if arguments.json:
        print("\n".join(map(dump, records)))
    else:
        show("\n\n".join(map(_entry, records)))
    return 0


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
    return f"{record['name']}: {record['what']}\n" + "\n".join(f"  {line}" for line in table(rows).splitlines())
