"""The report on a file of examples as one HTML page that needs nothing else: no network, no scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ..intent.data.example import IntentExample
from ..intent.reports.check import DataReport, Name
from ..intent.reports.lint import Finding
from ..text import clean, plural, printable
from .plots import curve, heat_map, histograms

FIGURES = {
    "accuracy": "right answers, %",
    "in_scope_accuracy": "right answers in scope, %",
    "out_of_scope_recall": "out-of-scope recall, %",
    "out_of_scope_precision": "out-of-scope precision, %",
    "auroc": "area under ROC",
    "aupr": "area under precision-recall",
    "fpr95": "turned away at 95 % recall, %",
    "ece": "calibration error",
}
MAX_ROWS = 200  # of a table, so that the page stays small enough to open

_STYLE = """
:root { color-scheme: light dark; --page: #fbfbfa; --card: #ffffff; --ink: #1d2126; --quiet: #5b6470; --line: #d9dde2;
  --good: #1f6fb2; --bad: #c2410c; --link: #1f5f99; }
@media (prefers-color-scheme: dark) { :root { --page: #15181c; --card: #1d2126; --ink: #e3e6ea; --quiet: #a2abb6;
  --line: #383f48; --good: #5aa9e6; --bad: #f0864a; --link: #7fbdf0; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .4rem; }
p, li { max-width: 46rem; } p.quiet, caption, figcaption { color: var(--quiet); }
a { color: var(--link); } nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; padding: 0; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .8rem; margin: 1.2rem 0; }
dl > div { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .9rem; }
dt { color: var(--quiet); font-size: .85rem; } dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
.wide { overflow: auto; max-height: 34rem; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--card); }
.wide:focus-visible { outline: 2px solid var(--link); } .wide.tall { max-height: none;
  width: max-content; max-width: 96vw; position: relative; left: 50%; transform: translateX(-50%); }
caption { text-align: left; padding: .5rem .7rem 0; } summary { cursor: pointer; margin: .3rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem; border-bottom: 1px solid var(--line); }
thead th { position: sticky; top: 0; background: var(--card); } tbody th { font-weight: 600; min-width: 8rem; }
td, th { overflow-wrap: break-word; max-width: 34rem; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td ul { margin: 0; padding-left: 1.1rem; } .line { color: var(--quiet); white-space: nowrap; }
figure { margin: 1rem 0; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem; }
.plot { display: block; max-width: 100%; } .plot.matrix { max-width: none; margin: .5rem; }
.plot text { fill: var(--ink); font-family: system-ui, sans-serif; }
.ground { fill: var(--card); } .grid { stroke: var(--line); stroke-width: .7; fill: none; }
.right { fill: var(--good); } .wrong { fill: var(--bad); } rect.right:hover, rect.wrong:hover { stroke: var(--ink); }
.first { fill: var(--good); fill-opacity: .6; } .second { fill: var(--bad); fill-opacity: .6; }
.curve { stroke: var(--good); stroke-width: 2.2; fill: none; }
.chance { stroke: var(--quiet); stroke-dasharray: 4 4; fill: none; }
@media print { .wide { max-height: none; } }
"""


def head(report: DataReport, title: str) -> str:
    """What was checked, and how, in a sentence."""
    intents = sum(each.name is not None for each in report.intents)
    outside = sum(each.count for each in report.intents if each.name is None)
    whole = sum(report.parts.values())
    beside = f", {outside:,} of them out of scope" if outside else ", none out of scope"
    how = f"{report.folds}-fold cross-validation with {report.model}"
    return f"{title}: {plural(whole, 'example')} of {plural(intents, 'intent')}{beside}; {how}"


def figure(name: str, value: float) -> str:
    """A percentage with one decimal, a fraction with three."""
    return f"{value:.1f}" if FIGURES[name].endswith("%") else f"{value:.3f}"


def page(report: DataReport, title: str) -> str:
    """The whole page; what would reverse the order of its text is shown as an escape."""
    shown = escape(clean(title))
    sections = [part for part in (_findings(report), _intents(report), _matrix(report), _confusions(report)) if part]
    sections += [part for part in (_overlaps(report), _suspects(report), _scope(report)) if part]
    links = "".join(f'<li><a href="#{key}">{escape(name)}</a></li>' for key, name, _ in sections)
    body = "\n".join(_section(*section) for section in sections)
    return printable(
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Intents of {shown}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n<h1>Intents of {shown}</h1>\n"
        f'<p class="quiet">{escape(head(report, clean(title)))}.</p>\n'
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>\n'
        f"{_figures(report)}\n{body}\n</main>\n</body>\n</html>\n",
        keep="\n\t",
    )


Section = tuple[str, str, str]


def _section(key: str, name: str, inner: str) -> str:
    return f'<section aria-labelledby="{key}"><h2 id="{key}">{escape(name)}</h2>\n{inner}</section>'


def _figures(report: DataReport) -> str:
    cards = "".join(
        f"<div><dt>{escape(FIGURES[name])}</dt><dd>{figure(name, value)}</dd></div>"
        for name, value in report.figures.items()
    )
    return f"<dl>{cards}</dl>"


def _findings(report: DataReport) -> Section | None:
    if not report.findings:
        return None
    return "data", "Findings without a model", "\n".join(map(_finding, report.findings))


def _finding(found: Finding) -> str:
    if not found.groups:
        return f"<p>{escape(found.sentence())}.</p>"
    rows = [[_texts(dict.fromkeys(map(_text, group))), _texts(map(_where, group))] for group in found.groups[:MAX_ROWS]]
    table = _table(["text", "where"], rows, found.what)
    return f"<details><summary>{escape(found.what)}</summary>\n{table}</details>"


def _where(each: IntentExample) -> str:
    file = escape(clean(each.file.replace("\\", "/").rpartition("/")[2]))
    return f"{_name(each.name)}{_line_of(each, file)}"


def _text_at(each: IntentExample) -> str:
    return f"{_text(each)}{_line_of(each)}"


def _line_of(each: IntentExample, file: str = "") -> str:
    return f' <span class="line">{file} line {each.line}</span>' if each.line else ""


def _intents(report: DataReport) -> Section:
    rows = [
        [
            _name(each.name),
            f"{each.count:,}",
            *(f"{value:.1f}" for value in (each.precision, each.recall, each.f1)),
            f"{_name(each.taken_for)} ({each.taken:,})" if each.taken else "",
        ]
        for each in report.intents
    ]
    columns = ["intent", "#examples", "#precision, %", "#recall, %", "#F, %", "mostly taken for"]
    return "intents", "Intents", _table(columns, rows, "Precision and recall of each intent, the worst first")


def _matrix(report: DataReport) -> Section:
    names = sorted({name for pair in report.matrix for name in pair}, key=lambda name: (name is None, str(name)))
    places = {name: place for place, name in enumerate(names)}
    counts = {(places[name], places[said]): count for (name, said), count in report.matrix.items()}
    drawn = heat_map([_plain(name) for name in names], counts)
    caption = (
        "A row is an intent, a column what its examples are taken for. Blue is right, orange wrong; the stronger, the "
    )
    caption += "larger the share. Pointing at a cell shows its numbers."
    inner = f"<figure><figcaption>{caption}</figcaption>\n{_region('Confusion matrix', drawn, 'wide tall')}</figure>"
    return "matrix", "Confusion matrix", inner


def _confusions(report: DataReport) -> Section | None:
    rows = [
        [_name(each.name), _name(each.said), f"{each.count:,}", _texts(map(_text_at, each.examples))]
        for each in report.confusions[:MAX_ROWS]
    ]
    table = _table(
        ["intent", "taken for", "#times", "such as"],
        rows,
        _most("What is taken for what, the most frequent first", len(report.confusions)),
    )
    return ("confusions", "Confusions", table) if rows else None


def _overlaps(report: DataReport) -> Section | None:
    rows = [
        [
            _name(each.one),
            _name(each.other),
            f"{each.there:,}",
            f"{each.back:,}",
            f"{each.share:.1f}",
            f"{each.similarity:.2f}",
        ]
        for each in report.overlaps[:MAX_ROWS]
    ]
    caption = "Intents that are taken for each other, or whose words are much alike (1 is the same)"
    columns = ["intent", "and", "#there", "#back", "#confused, %", "#alike in words"]
    return ("overlaps", "Intents that overlap", _table(columns, rows, caption)) if rows else None


def _suspects(report: DataReport) -> Section | None:
    rows = [
        [
            _text_at(each.example),
            _name(each.example.name),
            _name(each.said),
            f"{100 * each.probability:.0f}",
            f"{100 * each.own:.0f}",
        ]
        for each in report.suspects[:MAX_ROWS]
    ]
    caption = _most(
        "Examples that are more probably another intent than the examples of that intent are", len(report.suspects)
    )
    columns = ["text", "labelled", "looks like", "#probability, %", "#of its label, %"]
    return ("suspects", "Labels that look wrong", _table(columns, rows, caption)) if rows else None


def _scope(report: DataReport) -> Section:
    curves = report.scope
    series = {"in scope": curves.inside, "out of scope": curves.outside}
    plots = [histograms(series, "Scores of examples in and out of scope", "probability of being in scope")]
    if curves.roc:
        area = f"ROC of out-of-scope detection, area {report.figures['auroc']:.3f}"
        plots.append(curve(curves.roc, area, "in-scope examples turned away, %", "out-of-scope examples found, %"))
    captions = ["Predicted probability of being in scope", f"ROC, area {report.figures.get('auroc', 0):.3f}"]
    drawn = "".join(
        f"<figure><figcaption>{caption}</figcaption>{plot}</figure>"
        for caption, plot in zip(captions, plots, strict=False)
    )
    none = (
        ""
        if curves.outside
        else "<p>There are no out-of-scope examples: some would show how well they are recognised.</p>"
    )
    return "scope", "In scope or not", f'{none}<div class="pair">{drawn}</div>'


def _most(what: str, count: int) -> str:
    return f"{what} (the first {MAX_ROWS} of {count:,})" if count > MAX_ROWS else what


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    """Cells are HTML; a column whose name begins with # has numbers."""
    marks = [' class="number"' if column.startswith("#") else "" for column in columns]
    heads = "".join(
        f'<th scope="col"{mark}>{escape(c.lstrip("#"))}</th>' for c, mark in zip(columns, marks, strict=True)
    )
    lines = "\n".join(_line(row, marks) for row in rows)
    body = f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{lines}\n</tbody>"
    return _region(caption, f"<table><caption>{escape(caption)}</caption>{body}</table>")


def _region(label: str, inner: str, look: str = "wide") -> str:
    """What may be larger than its frame: a keyboard can reach and scroll it."""
    return f'<div class="{look}" tabindex="0" role="region" aria-label="{escape(label)}">{inner}</div>'


def _line(row: Sequence[str], marks: Sequence[str]) -> str:
    first, *rest = row
    cells = "".join(f"<td{mark}>{cell}</td>" for cell, mark in zip(rest, marks[1:], strict=True))
    return f'<tr><th scope="row">{first}</th>{cells}</tr>'


def _texts(items: Iterable[str]) -> str:
    whole = list(items)
    return whole[0] if len(whole) == 1 else f"<ul>{''.join(f'<li>{item}</li>' for item in whole)}</ul>"


def _text(each: IntentExample) -> str:
    text = " ".join(clean(each.text).split())
    return escape(text if len(text) <= 200 else f"{text[:199]}…")


def _name(name: Name) -> str:
    return escape(_plain(name)) if name is not None else f"<i>{_plain(name)}</i>"


def _plain(name: Name) -> str:
    return "out of scope" if name is None else clean(name)
