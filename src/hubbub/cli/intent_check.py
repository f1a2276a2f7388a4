"""hubbub intent check: what is wrong with a file of examples, in the terminal, as JSON or as a page."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TextIO

from ..pipe import dump
from ..text import clean, plural
from .console import show
from .options import add_folder, table, whole_number
from .progress import said_meanwhile

if TYPE_CHECKING:
    from ..intent.check import Report

MOST = 20

Rows = list[tuple[str, ...]]


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="+", metavar="FILE", help="files or a folder of examples, or a dataset's split")
    parser.add_argument("--html", metavar="PAGE", help="write the whole report, with plots, to this one HTML file")
    parser.add_argument("--model", metavar="NAME", help="the model to check with (default: the one that trains)")
    parser.add_argument("--folds", metavar="N", type=int, default=5, help="of the cross-validation (default: 5)")
    parser.add_argument(
        "--seed", metavar="N", type=whole_number, default=0, help="what dealing out starts from (default: 0)"
    )
    add_folder(parser)
    parser.add_argument("--json", action="store_true", help="print the whole report as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    from ..datasets import find
    from ..model import make, must_be_for
    from ..task import task

    model = arguments.model or task("intent").default
    found = find(arguments.file, arguments.data)
    make(model)
    must_be_for("intent", model, model)
    with _opened(arguments.html) as page:
        with said_meanwhile(f"checking {found} with {model} in {plural(arguments.folds, 'fold')}"):
            from ..intent.check import check
            from ..intent.files import read_parts

            report = check(read_parts(found.files), lambda: make(model), model, arguments.folds, arguments.seed)
        if page:
            _write(report, str(found), page)
    shown = dump({"file": str(found), **report.as_dict()}) if arguments.json else "\n".join(_lines(report, found))
    show(shown)
    return 0


def _opened(place: str | None) -> AbstractContextManager[TextIO | None]:
    """The page that is asked for, open before the work begins: a place that cannot be written is told at once."""
    from ..view.export import placed

    return placed(place) if place else nullcontext()


def _write(report: Report, title: str, file: TextIO) -> None:
    from ..view.intent_report import page

    file.write(page(report, title))


def _lines(report: Report, found: Any) -> Iterator[str]:
    """The report for a terminal, the worst of everything; the other forms have all of it."""
    from ..view.intent_report import FIGURES, figure, head

    yield head(report, clean(str(found)))
    figures = [(f"  {FIGURES[name]}", f"{figure(name, value):>6}") for name, value in report.figures.items()]
    yield table(figures)
    if report.findings:
        yield from ("", "What needs no model to see", *(f"  {finding.sentence()}." for finding in report.findings))
    yield from _section("The worst intents", _intents(report), len(report.intents))
    yield from _section("Most confused", _confusions(report), len(report.confusions))
    yield from _section("Intents that overlap", _overlaps(report), len(report.overlaps))
    yield from _section("Labels that look wrong", _suspects(report), len(report.suspects))


def _section(title: str, rows: Sequence[Sequence[str]], count: int) -> Iterator[str]:
    """A table under its title, or nothing if it has a heading only."""
    if count:
        shown = f" ({len(rows) - 1} of {count:,}; --html and --json have all)" if count > len(rows) - 1 else ""
        yield from ("", title + shown, *(f"  {line}".rstrip() for line in table(rows).splitlines()))


def _intents(report: Report) -> Rows:
    rows: Rows = [("intent", "examples", "precision", "recall", "    F", "mostly taken for")]
    for each in report.intents[:MOST]:
        taken = f"{_name(each.taken_for)} ({each.taken})" if each.taken else ""
        figures = (f"{each.precision:9.1f}", f"{each.recall:6.1f}", f"{each.f1:5.1f}")
        rows.append((_name(each.name), f"{each.count:8,}", *figures, taken))
    return rows


def _confusions(report: Report) -> Rows:
    rows: Rows = [("intent", "taken for", "times", "such as")]
    for each in report.confusions[:MOST]:
        rows.append((_name(each.name), _name(each.said), f"{each.count:5,}", _shown(each.examples[0])))
    return rows


def _overlaps(report: Report) -> Rows:
    rows: Rows = [("intent", "and", "there", "back", "% confused", "alike in words")]
    for each in report.overlaps[:MOST]:
        counts = (f"{each.there:5}", f"{each.back:4}", f"{each.share:10.1f}")
        rows.append((clean(each.one), clean(each.other), *counts, f"{each.similarity:.2f}"))
    return rows


def _suspects(report: Report) -> Rows:
    rows: Rows = [("labelled", "looks like", "  sure", "text")]
    for each in report.suspects[:MOST]:
        sure = f"{100 * each.chance:4.0f} %"
        rows.append((_name(each.example.name), _name(each.said), sure, _shown(each.example)))
    return rows


def _name(name: str | None) -> str:
    return "(out of scope)" if name is None else clean(name)


def _shown(example: Any) -> str:
    text = " ".join(clean(example.text).split())
    line = f" (line {example.line})" if example.line else ""
    return f"{text if len(text) <= 60 else text[:59] + '…'}{line}"
