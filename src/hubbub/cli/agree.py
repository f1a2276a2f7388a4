"""hubbub agree: how far two annotations agree, or whether two systems differ significantly."""

from __future__ import annotations

from typing import Any

import click

from ..jsonl import dump
from ..text import plural
from .command import Arguments, HubbubCommand
from .console import show
from .options import output_format, seed
from .parameter_types import AT_LEAST_ZERO, FILE
from .tables import table


@click.command(cls=HubbubCommand)
@click.argument("one", metavar="A", type=FILE)
@click.argument("other", metavar="B", type=FILE)
@click.option("--gold", metavar="GOLD", type=FILE, help="Score A and B on this annotation and test their difference.")
@click.option(
    "--trials", metavar="N", type=AT_LEAST_ZERO, default=10_000,
    help="Trials of the permutation test (default: 10000).",
)  # fmt: skip
@seed()
@output_format("text", "json", default="text")
def command(arguments: Arguments) -> None:
    """Compare two annotations of the same chats, or two systems with the gold annotation.

    A, B and GOLD are files of `a b -` lines, folders of such files, or quoted globs.
    """
    record = _compared(arguments) if arguments.gold else _agreed(arguments)
    show("\n".join(_lines(record)) if arguments.to == "text" else dump(record))


def _agreed(arguments: Arguments) -> dict[str, Any]:
    from ..thread.data.annotations import aligned
    from ..thread.reports.agreement import agreement

    names, (one, other) = aligned(arguments.one, arguments.other)
    return {"chats": len(names), "messages": _judged(one, other), **agreement(one, other)}


def _compared(arguments: Arguments) -> dict[str, Any]:
    from ..thread.data.annotations import aligned
    from ..thread.metrics import score
    from ..thread.reports.significance import link_significance

    names, (gold, one, other) = aligned(arguments.gold, arguments.one, arguments.other)
    p_values = link_significance(gold, one, other, trials=arguments.trials, seed=arguments.seed)
    return {
        "chats": len(names),
        "messages": _judged(gold),
        "a": score(gold, one),
        "b": score(gold, other),
        "p": p_values,
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
        other, p_value = record["b"][name], record["p"].get(name)
        p = f"{p_value:.4f}" if p_value is not None else ""
        rows.append((name, *(f"{value:6.2f}" for value in (one, other)), f"{other - one:+6.2f}", p))
    return [head, table(rows, indent=2)]
