"""The report on a file of examples: what it computes, what it prints and what its page holds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Self

import pytest

from hubbub.cli import main
from hubbub.errors import OptionError, TooFew
from hubbub.intent.data.example import IntentExample
from hubbub.intent.reports.check import DataReport, check, intent_similarity, out_of_fold_answers
from hubbub.layers import Intent
from hubbub.text import words
from hubbub.view.intent_report import page
from hubbub.view.plots import curve, heat_map, histograms

from ..conftest import Put


class Echo:
    """A model that knows the words of every intent, and whose scope is the words that it knows."""

    def fit(self, inputs: Sequence[str], golds: Sequence[Intent], *, seed: int = 0) -> Self:
        self.texts = set(inputs)
        self.words: dict[str, Counter[str]] = {}
        for text, gold in zip(inputs, golds, strict=True):
            if gold.name is not None:
                self.words.setdefault(gold.name, Counter()).update(words(text))
        return self

    def predict(self, inputs: Sequence[str]) -> list[Intent]:
        assert not self.texts & set(inputs)
        return [self._answer(words(text)) for text in inputs]

    def _answer(self, asked: Sequence[str]) -> Intent:
        points = {name: sum(known[word] for word in asked) + 1e-9 for name, known in self.words.items()}
        ranked = sorted(points, key=lambda name: (-points[name], name))
        score = sum(any(word in known for known in self.words.values()) for word in asked) / len(asked)
        shares = tuple((name, score * points[name] / sum(points.values())) for name in ranked)
        return Intent(0, ranked[0] if score >= 0.5 else None, score, shares)

    def state(self) -> Mapping[str, Any]:
        return {}

    def restore(self, state: Mapping[str, Any]) -> Self:
        return self


def row(text: str, name: str | None, line: int) -> IntentExample:
    return IntentExample(text, name, "shop.yml", line)


LAMPS = [row(f"lamp {word} please", "lamp", n) for n, word in enumerate(("red", "blue", "green", "dim", "hall"), 1)]
DOORS = [row(f"door {word} now", "door", n) for n, word in enumerate(("back", "front", "side", "barn", "shed"), 11)]
BEYOND = [row(f"whale {word}", None, n) for n, word in enumerate(("songs", "fins", "tales"), 21)]
WRONG = [row("lamp mine please", "door", 31)]
ALL = [*LAMPS, *DOORS, *BEYOND, *WRONG]


@pytest.fixture(scope="module")
def report() -> DataReport:
    return check({"train": ALL}, Echo, "echo", folds=4)


def test_every_example_is_judged_by_a_model_that_never_saw_it() -> None:
    twice = [*ALL, row("LAMP red, please!", "lamp", 41)]
    answers = out_of_fold_answers(twice, Echo, 4, 0)
    assert len(answers) == len(twice)
    assert answers == out_of_fold_answers(twice, Echo, 4, 0)


def test_figures_of_each_intent(report: DataReport) -> None:
    told = {each.name: each for each in report.intents}
    assert (told[None].recall, told[None].precision) == (100.0, 100.0)
    assert (told["lamp"].recall, round(told["lamp"].precision, 1)) == (100.0, 83.3)
    assert (round(told["door"].recall, 1), told["door"].taken_for, told["door"].taken) == (83.3, "lamp", 1)
    assert report.intents[0].name in ("door", "lamp")
    assert report.figures["auroc"] == 1.0


def test_confusions_and_suspects(report: DataReport) -> None:
    assert [(each.name, each.said, each.examples) for each in report.confusions] == [("door", "lamp", tuple(WRONG))]
    assert [(each.example, each.said) for each in report.suspects] == [(WRONG[0], "lamp")]
    assert report.suspects[0].probability > report.suspects[0].own
    assert report.overlaps == ()


def test_intents_that_overlap() -> None:
    mixed = [row(f"turn the {n} light {word}", word, n) for n in range(12) for word in ("on", "off")]
    swapped = [each._replace(name="on" if each.name == "off" else "off") if each.line < 4 else each for each in mixed]
    found = check({"train": swapped}, Echo, "echo", folds=3).overlaps
    assert [(each.one, each.other) for each in found] == [("off", "on")]
    assert min(found[0].there, found[0].back) >= 1
    assert found[0].similarity > 0.5


def test_centres_of_the_same_and_of_other_words() -> None:
    same = intent_similarity([row("a b", "x", 1), row("b a", "y", 2), row("c", "z", 3)], ["x", "y", "z"])
    assert same[0, 1] == pytest.approx(1)
    assert same[0, 2] == 0


def test_curves(report: DataReport) -> None:
    assert sum(report.scope.inside) == pytest.approx(1)
    assert report.scope.outside[0] == 1.0
    assert report.scope.roc[0] == (0.0, 0.0)
    assert report.scope.roc[-1] == (1.0, 1.0)
    assert (0.0, 1.0) in report.scope.roc


def test_nothing_out_of_scope() -> None:
    inside = check({"train": [*LAMPS, *DOORS]}, Echo, "echo", folds=2)
    assert inside.scope.outside == ()
    assert inside.scope.roc == ()
    assert "auroc" not in inside.figures
    assert "There are no out-of-scope examples" in page(inside, "a")


def test_too_little_to_check() -> None:
    with pytest.raises(TooFew, match=r"shop\.yml: there are too few examples of different intents"):
        check({"train": [LAMPS[0], DOORS[0]]}, Echo, "echo")
    with pytest.raises(OptionError, match="--folds 1"):
        check({"train": ALL}, Echo, "echo", folds=1)


class Tags(HTMLParser):
    """Every tag is closed, nothing is fetched, and every reference leads somewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing(report: DataReport) -> None:
    tags = Tags(page(report, "shop.yml"))
    assert tags.open == []
    assert not [value for name, value in tags.attributes if name in ("src", "onclick")]
    anchors = {value for name, value in tags.attributes if name == "id"}
    assert {(value or "")[1:] for name, value in tags.attributes if name == "href"} <= anchors
    assert "script" not in page(report, "shop.yml")


def test_the_page_takes_no_markup_from_the_data() -> None:
    evil = "<script>alert(1)</script>\x1b[31m"
    bad = [
        each._replace(name="</table><b>" if each.name == "door" else each.name, text=each.text + evil) for each in ALL
    ]
    text = page(check({"train": bad}, Echo, "echo", folds=4), f"a {evil}")
    assert "<script" not in text
    assert "\x1b" not in text
    assert Tags(text).open == []


def test_plots_tell_their_numbers() -> None:
    drawn = heat_map(["a", "b <"], {(0, 0): 3, (0, 1): 1})
    assert "<title>a → b &lt;: 1 of 4 (25.0 %)</title>" in drawn
    assert "in scope: 50.0 % score 0.50 to 1.00" in histograms({"in scope": (0.5, 0.5)}, "x", "y")
    assert 'class="curve" d="M56.0 276.0L56.0 16.0L544.0 16.0"' in curve([(0, 0), (0, 1), (1, 1)], "x", "y", "z")


def ran(*words: object) -> int:
    return main(["intent", "check", *(str(word) for word in words)])


def shop(put: Put) -> Path:
    rows = "".join(f"{each.text},{each.name or 'oos'}\n" for each in ALL)
    return put("shop.csv", f"text,intent\n{rows}{LAMPS[0].text},door\n")


def test_the_verb_prints_and_writes_a_page(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sklearn")
    file = shop(put)
    assert ran(file, "--model", "intent/svm", "--folds", 3, "--html", file.parent / "a.html") == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{file}: 15 examples of 2 intents, 3 of them out of scope; 3-fold cross-validation with ")
    assert "1 text has conflicting intents: “lamp red please” as lamp and door (lines 2 and 16)." in out
    assert "The worst intents\n  intent          examples  precision  recall      F  mostly taken for\n" in out
    assert Tags((file.parent / "a.html").read_text(encoding="utf-8")).open == []


def test_the_verb_as_json(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sklearn")
    assert ran(shop(put), "--model", "intent/svm", "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert sum(count for _, _, count in record["matrix"]) == 15
    assert {"figures", "intents", "confusions", "overlaps", "suspects", "findings", "scope"} <= record.keys()
    assert record["findings"][0]["groups"][0][0]["line"] == 2


def test_what_cannot_be_checked_is_one_sentence(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    file = shop(put)
    wrong = {
        "thread/hubbub": "of the task thread, and one of the task intent is needed",
        "intent/nonsense": "There is no model named 'intent/nonsense'",
    }
    for model, sentence in wrong.items():
        assert ran(file, "--model", model) == 2
        assert sentence in capsys.readouterr().err
    pytest.importorskip("sklearn")
    assert ran(file, "--model", "intent/svm", "--html", file / "no" / "page.html") == 2
    assert "cannot be written" in capsys.readouterr().err
