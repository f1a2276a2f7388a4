"""hubbub evaluate: how good a model is, on a dataset or on files of one's own."""

from __future__ import annotations

import argparse

from ..model import room_named
from ..task import Result, evaluate
from .console import show
from .options import add_data, settings, whole_number


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="the name of a model, or the folder of a trained one")
    add_data(parser)
    parser.add_argument(
        "--seed", metavar="N", type=whole_number, help="train on the data's own training part with this seed first"
    )
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help="and with this parameter")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    room, options = room_named(arguments.model), {"data": arguments.data, "seed": arguments.seed}
    result = evaluate(room, arguments.model, arguments.on, settings=settings(arguments.set), **options)
    show(result.json() if arguments.json else "\n".join(_lines(result)))
    return 0


def _lines(result: Result) -> list[str]:
    on = f"{result.dataset}:{result.split}" if result.split else result.dataset
    scores = [f"  {name:<{max(map(len, result.scores))}}  {value:8.3f}" for name, value in result.scores.items()]
    code = f"hubbub {result.version}" + (f" ({result.commit})" if result.commit else "")
    made = f"  seed {result.seed}, {result.seconds:.2f} s, {code}, data {result.checksum[:12]}"
    return [f"{result.model} on {on}", *scores, made]
