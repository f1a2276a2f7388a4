"""hubbub intent check: problems in a file of examples, as text, JSON or an HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TextIO

import click

from ..jsonl import dump
from ..text import clean, plural
from .command import Arguments, HubbubCommand
from .console import show
from .options import data_folder, output_format, seed
from .parameter_types import AT_LEAST_ONE, FILE, dataset_name, model_name
from .progress import working
from .tables import table

if TYPE_CHECKING:
    from ..intent.reports.check import DataReport

MOST = 20  # rows of each table in a terminal; the HTML page and JSON have all

Rows = list[tuple[str, ...]]


@click.command(cls=HubbubCommand)
@click.argument("file", nargs=-1, required=True, metavar="FILE...", type=dataset_name())
@click.option("--html", metavar="PAGE", type=FILE, help="Write the whole report, with plots, to one HTML file.")
@click.option(
    "--model",
    metavar="MODEL",
    type=model_name("intent"),
    help="Model to check with (default: the default intent model).",
)
@click.option(
    "--folds", metavar="N", type=AT_LEAST_ONE, default=5, help="Number of cross-validation folds (default: 5)."
)
@seed()
@data_folder
@output_format("text", "json", default="text")
def command(arguments: Arguments) -> None:
    """Report problems in a file of intent examples, such as wrong labels and intents that overlap.

    FILE is a file or folder of examples, or a dataset split such as clinc:train.
    """
    from ..ml.datasets import find
    from ..ml.registry import make, must_be_for
    from ..ml.task import task

    model = arguments.model or task("intent").default
    found = find(list(arguments.file), arguments.data)
    make(model)
    must_be_for("intent", model, model)
    with _opened(arguments.html) as page:
        with working(f"checking {found} with {model} in {plural(arguments.folds, 'fold')}"):
            from ..intent.data.files import read_parts
            from ..intent.reports.check import check

            report = check(read_parts(found.files), lambda: make(model), model, arguments.folds, arguments.seed)
        if page:
            _write(report, str(found), page)
    is_text = arguments.to == "text"
    show("\n".join(_lines(report, found)) if is_text else dump({"file": str(found), **report.as_dict()}))


def _opened(place: str | None) -> AbstractContextManager[TextIO | None]:
    """The page, opened before the work begins: a path that cannot be written is reported at once."""
    from ..view.export import placed

    return placed(place) if place else nullcontext()


def _write(report: DataReport, title: str, file: TextIO) -> None:
    from ..view.intent_report import page

    file.write(page(report, title))


def _lines(report: DataReport, found: Any) -> Iterator[str]:
    """The report for a terminal: the worst of everything; the other formats have all of it."""
    from ..view.intent_report import FIGURES, figure, head

    yield head(report, clean(str(found)))
    figures = [(FIGURES[name], f"{figure(name, value):>6}") for name, value in report.figures.items()]
    yield table(figures, indent=2)
    if report.findings:
        yield from ("", "Found without a model", *(f"  {finding.sentence()}." for finding in report.findings))
    yield from _section("The worst intents", _intents(report), len(report.intents))
    yield from _section("Most confused", _confusions(report), len(report.confusions))
    yield from _section("Intents that overlap", _overlaps(report), len(report.overlaps))
    yield from _section("Labels that look wrong", _suspects(report), len(report.suspects))


def _section(title: str, rows: Sequence[Sequence[str]], count: int) -> Iterator[str]:
    """A table under its title, or nothing if it has a heading only."""
    if count:
        shown = f" ({len(rows) - 1} of {count:,}; --html and --json have all)" if count > len(rows) - 1 else ""
        yield from ("", title + shown, table(rows, indent=2))


def _intents(report: DataReport) -> Rows:
    rows: Rows = [("intent", "examples", "precision", "recall", "    F", "mostly taken for")]
    for each in report.intents[:MOST]:
        taken = f"{_name(each.taken_for)} ({each.taken})" if each.taken else ""
        figures = (f"{each.precision:9.1f}", f"{each.recall:6.1f}", f"{each.f1:5.1f}")
        rows.append((_name(each.name), f"{each.count:8,}", *figures, taken))
    return rows


def _confusions(report: DataReport) -> Rows:
    rows: Rows = [("intent", "taken for", "times", "such as")]
    for each in report.confusions[:MOST]:
        rows.append((_name(each.name), _name(each.said), f"{each.count:5,}", _shown(each.examples[0])))
    return rows


def _overlaps(report: DataReport) -> Rows:
    rows: Rows = [("intent", "and", "there", "back", "% confused", "alike in words")]
    for each in report.overlaps[:MOST]:
        counts = (f"{each.there:5}", f"{each.back:4}", f"{each.share:10.1f}")
        rows.append((clean(each.one), clean(each.other), *counts, f"{each.similarity:.2f}"))
    return rows


def _suspects(report: DataReport) -> Rows:
    rows: Rows = [("labelled", "looks like", "  prob.", "text")]
    for each in report.suspects[:MOST]:
        probability = f"{100 * each.probability:5.0f} %"
        rows.append((_name(each.example.name), _name(each.said), probability, _shown(each.example)))
    return rows


def _name(name: str | None) -> str:
    return "(out of scope)" if name is None else clean(name)


def _shown(example: Any) -> str:
    text = " ".join(clean(example.text).split())
    line = f" (line {example.line})" if example.line else ""
    return f"{text if len(text) <= 60 else text[:59] + '…'}{line}"
