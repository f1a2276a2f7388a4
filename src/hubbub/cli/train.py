"""hubbub train: a model fitted to a dataset or to files of one's own, saved in a folder."""

from __future__ import annotations

import argparse

from ..task import TASKS, task, train
from .options import add_data, settings


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", metavar="TASK", help=f"what to learn: {', '.join(TASKS)}")
    parser.add_argument("--model", metavar="NAME", help="the model to train (see hubbub models)")
    add_data(parser)
    parser.add_argument("--out", metavar="FOLDER", required=True, help="where to save the trained model")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="what random choices start from (default: 0)")
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help="a parameter of the model")


def run(arguments: argparse.Namespace) -> int:
    name = arguments.model or task(arguments.task).default
    options = {"seed": arguments.seed, "out": arguments.out, "data": arguments.data}
    train(arguments.task, name, arguments.on, settings=settings(arguments.set), **options)
    print(f"{arguments.out}: {name}, trained on {' '.join(arguments.on)}; hubbub evaluate {arguments.out} scores it.")
    return 0
