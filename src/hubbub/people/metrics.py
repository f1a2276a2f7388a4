"""Scores as the official scorer of SemEval-2018 Task 4 computes them, in percent, pooled over all scenes.

Main: everybody who is not one of the main people is one class, OTHERS. All: everybody who is not in the training part
is OTHERS. Both apply to gold labels and predictions, and a prediction of nobody is OTHERS. Accuracy is over the
mentions of the gold; macro F1 averages the classes that the gold has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..layers import Link, Mention
from .data.mentions import KINDS
from .data.scene import Key
from .reports.coreference import coreference

OTHERS = "##OTHERS##"
MAIN_SHARE = 0.05  # one mention in twenty gives the official six main people on friends

Pairs = Sequence[tuple[str, str]]  # gold class and predicted class of a mention


@dataclass(frozen=True, slots=True)
class Rates:
    """How often a class was predicted correctly, how often it was predicted, how often the gold has it."""

    correct: int
    predicted: int
    gold: int

    @property
    def precision(self) -> float:
        return 100 * self.correct / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        return 100 * self.correct / self.gold if self.gold else 0.0

    @property
    def f(self) -> float:
        return 200 * self.correct / (self.predicted + self.gold) if self.correct else 0.0


def score(golds: Sequence[Key], predictions: Sequence[Sequence[Link]]) -> dict[str, float]:
    """Main and All, each kind of mention, mentions found where they were not given, and clusters."""
    main, everybody = main_pairs(golds, predictions), all_pairs(golds, predictions)
    kinds = [kind for gold in golds for kind in gold.kinds]
    gold_mentions, found_mentions = (
        [[link.mention for link in links] for links in each] for each in (golds, predictions)
    )
    return {
        "main_accuracy": accuracy(main),
        "main_f1": macro_f1(main),
        "all_accuracy": accuracy(everybody),
        "all_f1": macro_f1(everybody),
        **{
            f"{kind}_accuracy": accuracy([pair for pair, each in zip(everybody, kinds, strict=True) if each == kind])
            for kind in KINDS
            if kind in kinds
        },
        # How well mentions were found, left out where they were given.
        **(detection(gold_mentions, found_mentions) if gold_mentions != found_mentions else {}),
        **coreference(golds, predictions),
    }


def main_pairs(golds: Sequence[Key], predictions: Sequence[Sequence[Link]]) -> Pairs:
    return [
        pair for gold, predicted in zip(golds, predictions, strict=True) for pair in _pairs(gold, predicted, gold.main)
    ]


def all_pairs(golds: Sequence[Key], predictions: Sequence[Sequence[Link]]) -> Pairs:
    return [
        pair for gold, predicted in zip(golds, predictions, strict=True) for pair in _pairs(gold, predicted, gold.known)
    ]


def _pairs(gold: Key, predicted: Sequence[Link], known: Collection[str] | None) -> Iterator[tuple[str, str]]:
    answers = {link.mention: link.people for link in predicted}
    for link in gold:
        yield label(link.people, known), label(answers.get(link.mention, ()), known)


def label(people: Sequence[str], known: Collection[str] | None) -> str:
    """The class of an answer: a person, several together, or OTHERS for nobody and for those who are not known."""
    if not people or (known is not None and any(person not in known for person in people)):
        return OTHERS
    return "+".join(sorted(people))


def main_people(links: Sequence[Link]) -> frozenset[str]:
    """Those who have at least one mention in twenty."""
    counts = Counter(person for link in links for person in link.people)
    return frozenset(person for person, count in counts.items() if count >= MAIN_SHARE * len(links))


def accuracy(pairs: Pairs) -> float:
    return 100 * sum(gold == predicted for gold, predicted in pairs) / len(pairs) if pairs else 0.0


def macro_f1(pairs: Pairs) -> float:
    rates = by_class(pairs).values()
    return sum(each.f for each in rates) / len(rates) if rates else 0.0


def by_class(pairs: Pairs) -> dict[str, Rates]:
    """The rates of every class that the gold has."""
    gold, predicted = Counter(gold for gold, _ in pairs), Counter(predicted for _, predicted in pairs)
    correct = Counter(gold for gold, predicted in pairs if gold == predicted)
    return {each: Rates(correct[each], predicted[each], gold[each]) for each in gold}


def detection(golds: Sequence[Sequence[Mention]], predictions: Sequence[Sequence[Mention]]) -> dict[str, float]:
    """Precision, recall and F of mentions; one is right if it begins and ends where the gold has it."""
    pairs = [(set(gold), set(predicted)) for gold, predicted in zip(golds, predictions, strict=True)]
    rates = Rates(
        sum(len(gold & predicted) for gold, predicted in pairs),
        sum(len(predicted) for _, predicted in pairs),
        sum(len(gold) for gold, _ in pairs),
    )
    return {"mention_precision": rates.precision, "mention_recall": rates.recall, "mention_f": rates.f}


def report(main: Pairs, everybody: Pairs, names: Mapping[str, str]) -> str:
    """What the official scorer prints; `names` are those of the ids."""
    parts = (("Main + Other Entities", main), ("All Entities", everybody))
    lines = [line for title, pairs in parts for line in (f"{f' {title} ':*^43}", *_totals(pairs))]
    return "\n".join([*lines, *(line for title, pairs in parts for line in _table(title, pairs, names))]) + "\n"


def _totals(pairs: Pairs) -> tuple[str, str]:
    correct = sum(gold == predicted for gold, predicted in pairs)
    first = f"Label Accuracy  : {accuracy(pairs):6.2f} ({correct:4}/{len(pairs):4})"
    return first, f"Average Macro F1: {macro_f1(pairs):6.2f}"


def _table(title: str, pairs: Pairs, names: Mapping[str, str]) -> Iterator[str]:
    yield f"{f' {title} F1 Scores ':*^43}"
    named = {names.get(each, each): rates for each, rates in by_class(pairs).items()}
    for name, rates in sorted(named.items()):
        precision = f"P = {rates.precision:6.2f} ({rates.correct:4}/{rates.predicted:4})"
        recall = f"R = {rates.recall:6.2f} ({rates.correct:4}/{rates.gold:4})"
        yield f"{name:>40}: {precision}, {recall}, F1 = {rates.f:6.2f}"
