"""hubbub agree: how far two annotations agree, or which of two systems is better and whether that is chance."""

from __future__ import annotations

import argparse
from typing import Any

from ..pipe import dump
from ..text import plural
from .console import show
from .options import table, whole_number


def add(parser: argparse.ArgumentParser) -> None:
    places = "files of `a b -` lines, a folder of them, or a quoted glob"
    parser.add_argument("one", metavar="A", help=f"an annotation or a system's output: {places}")
    parser.add_argument("other", metavar="B", help="another of the same chats")
    parser.add_argument(
        "--gold", metavar="G", help="score A and B against this one, and test whether their links differ by chance"
    )
    parser.add_argument("--trials", metavar="N", type=whole_number, default=10_000, help="of the test (default: 10000)")
    parser.add_argument(
        "--seed", metavar="N", type=whole_number, default=0, help="what the test starts from (default: 0)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    record = _compared(arguments) if arguments.gold else _agreed(arguments)
    if arguments.json:
        print(dump(record))
    else:
        show("\n".join(_lines(record)))
    return 0


def _agreed(arguments: argparse.Namespace) -> dict[str, Any]:
    from ..thread.agreement import agreement
    from ..thread.annotations import aligned

    names, (one, other) = aligned(arguments.one, arguments.other)
    return {"chats": len(names), "messages": _judged(one, other), **agreement(one, other)}


def _compared(arguments: argparse.Namespace) -> dict[str, Any]:
    from ..thread.annotations import aligned
    from ..thread.metrics import score
    from ..thread.significance import link_significance

    names, (gold, one, other) = aligned(arguments.gold, arguments.one, arguments.other)
    chance = link_significance(gold, one, other, trials=arguments.trials, seed=arguments.seed)
    return {
        "chats": len(names),
        "messages": _judged(gold),
        "a": score(gold, one),
        "b": score(gold, other),
        "p": chance,
        "trials": arguments.trials,
        "seed": arguments.seed,
    }


def _judged(*annotations: Any) -> int:
    """How many messages are judged by any of these annotations of the same chats."""
    return sum(
        any(each)
        for graphs in zip(*annotations, strict=True)
        for each in zip(*(g.parents for g in graphs), strict=True)
    )


def _lines(record: dict[str, Any]) -> list[str]:
    head = f"{plural(record['chats'], 'chat', 'chats')}, {plural(record['messages'], 'message', 'messages')}"
    if "a" not in record:
        figures = {name: value for name, value in record.items() if name not in ("chats", "messages")}
        return [head, *(f"  {name:<15} {value:7.{3 if name == 'kappa' else 2}f}" for name, value in figures.items())]
    rows = [("", "A", "B", "B - A", "p")]
    for name, one in record["a"].items():
        other, chance = record["b"][name], record["p"].get(name)
        p = f"{chance:.4f}" if chance is not None else ""
        rows.append((name, *(f"{value:6.2f}" for value in (one, other)), f"{other - one:+6.2f}", p))
    return [head, *(f"  {line}".rstrip() for line in table(rows).splitlines())]
