"""What is wrong with examples, told without a model: pure functions, each with what it found and where."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import Literal

from ..text import clean, plural, words
from .example import OUT_OF_SCOPE, Example, Parts

ENOUGH = 5
UNBALANCED = 10
ALIKE = 0.8
SHOWN = 3
GRAM = 4

Kind = Literal["few", "unlearnt", "duplicates", "conflicts", "near", "unbalanced"]
Group = tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to look at: a count, what it is of, and the examples of each case, or a word where there are none."""

    kind: Kind
    count: int
    what: str
    groups: Sequence[Group] = ()
    shown: Sequence[str] = ()

    def sentence(self) -> str:
        """A count and up to three cases."""
        cases = [*self.shown, *(told(group) for group in self.groups[:SHOWN])][:SHOWN]
        more = f" and {self.count - SHOWN:,} more" if self.count > SHOWN else ""
        return f"{self.what}: {', '.join(cases)}{more}"


def findings(parts: Parts) -> list[Finding]:
    """Everything that is worth a word, the worst first."""
    whole = [each for part in parts.values() for each in part]
    learnt = parts.get("train", whole)
    found = [
        *(conflicts(whole), unlearnt(parts), too_few(learnt), unbalanced(learnt)),
        *(duplicates(parts), near_duplicates(parts)),
    ]
    return [each for each in found if each is not None]


def too_few(examples: Iterable[Example]) -> Finding | None:
    """Intents with fewer than five examples."""
    counts = Counter(each.name for each in examples if each.name is not None)
    small = sorted((count, name) for name, count in counts.items() if count < ENOUGH)
    if not small:
        return None
    has = "intent has" if len(small) == 1 else "intents have"
    what = f"{len(small):,} {has} fewer than {ENOUGH} examples"
    return Finding("few", len(small), what, shown=[f"{clean(name)} ({count})" for count, name in small])


def unlearnt(parts: Parts) -> Finding | None:
    """Intents that are validated or tested and never learnt."""
    learnt = {each.name for each in parts.get("train", ())}
    kept = Counter(each.name for part in parts.values() for each in part if each.name is not None)
    missing = [f"{clean(name)} ({count})" for name, count in sorted(kept.items()) if name not in learnt]
    if not missing or not learnt:
        return None
    what = f"{plural(len(missing), 'intent')} of the validation or test part cannot be learnt from the training part"
    return Finding("unlearnt", len(missing), what, shown=missing)


def unbalanced(examples: Iterable[Example]) -> Finding | None:
    """A largest intent ten times the size of the middle one, or a smallest a tenth of it."""
    counts = Counter(each.name for each in examples if each.name is not None).most_common()
    middle = median(count for _, count in counts) if counts else 0
    if not counts or (counts[0][1] < UNBALANCED * middle and middle < UNBALANCED * counts[-1][1]):
        return None
    cases = [f"{clean(name)} has {plural(count, 'example')}" for name, count in (counts[0], counts[-1]) if name]
    return Finding("unbalanced", 2, f"the intents are very unbalanced ({middle:g} in the middle)", shown=cases)


def duplicates(parts: Parts) -> Finding | None:
    """The same text with the same intent more than once in a part."""
    groups = [
        group
        for part in parts.values()
        for group in _grouped(((each.text, each.name), each) for each in part)
        if len(group) > 1
    ]
    is_are = "text stands" if len(groups) == 1 else "texts stand"
    return _finding("duplicates", groups, f"{is_are} there more than once")


def conflicts(examples: Iterable[Example]) -> Finding | None:
    """The same words under different intents."""
    alike = _grouped((normal(each.text), each) for each in examples)
    torn = [_grouped((each.name, each) for each in group) for group in alike]
    groups = [tuple(same[0] for same in each) for each in torn if len(each) > 1]
    return _finding("conflicts", groups, "text has" if len(groups) == 1 else "texts have", " conflicting intents")


def near_duplicates(parts: Parts) -> Finding | None:
    """Texts of the validation or test part that are, all but for little, in the training part."""
    kept = [each for name, part in parts.items() if name != "train" for each in part]
    pairs = list(_alike(parts.get("train", ()), kept)) if kept else []
    are = (
        "text that is kept for validation or test is"
        if len(pairs) == 1
        else "texts that are kept for validation or test are"
    )
    return _finding("near", pairs, are, " nearly the same as one to learn from")


def _finding(kind: Kind, groups: Sequence[Group], what: str, rest: str = "") -> Finding | None:
    return Finding(kind, len(groups), f"{len(groups):,} {what}{rest}", groups) if groups else None


def normal(text: str) -> str:
    """A text without what hardly matters: large letters, blanks, punctuation. One that has nothing else stays."""
    return " ".join(words(text)) or text


def _grouped(keyed: Iterable[tuple[object, Example]]) -> list[Group]:
    groups: dict[object, list[Example]] = defaultdict(list)
    for key, each in keyed:
        groups[key].append(each)
    return [tuple(group) for group in groups.values()]


def _alike(learnt: Sequence[Example], kept: Sequence[Example]) -> Iterator[Group]:
    """Each kept text with the learnt one whose character n-grams are most the same, if four fifths are.

    Two sets that are that much the same share one of their rarest n-grams, so that only those have to be compared.
    """
    having: dict[int, list[int]] = defaultdict(list)
    ranked = _ranked([*learnt, *kept])
    grams, asked = ranked[: len(learnt)], ranked[len(learnt) :]
    for place, one in enumerate(grams):
        for gram in _rarest(one):
            having[gram].append(place)
    for each, one in zip(kept, asked, strict=True):
        places = {place for gram in _rarest(one) for place in having.get(gram, ())}
        near = max(((_overlap(one, grams[place]), -place) for place in places), default=(0.0, 0))
        if near[0] >= ALIKE:
            yield learnt[-near[1]], each


def _ranked(examples: Sequence[Example]) -> list[frozenset[int]]:
    """The n-grams of each text as numbers, rarer ones lower."""
    grams = [_grams(each.text) for each in examples]
    counts = Counter(gram for one in grams for gram in one)
    rank = {gram: place for place, (gram, _) in enumerate(reversed(counts.most_common()))}
    return [frozenset(map(rank.__getitem__, one)) for one in grams]


def _grams(text: str) -> set[str]:
    padded = f" {normal(text)[:1000]} "
    return {padded[place : place + GRAM] for place in range(max(len(padded) - GRAM + 1, 1))}


def _rarest(grams: frozenset[int]) -> list[int]:
    return sorted(grams)[: len(grams) - ceil(ALIKE * len(grams)) + 1]


def _overlap(one: frozenset[int], other: frozenset[int]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


def told(group: Group) -> str:
    """The text of a case, the intents it has if they differ, and where it stands."""
    text = " ".join(clean(group[0].text).split())
    shown = f"“{text if len(text) <= 60 else text[:59] + '…'}”"
    names = dict.fromkeys(each.name or OUT_OF_SCOPE[0] for each in group)
    intents = f" as {' and '.join(map(clean, names))}" if len(names) > 1 else ""
    places = _places(group[:SHOWN])
    return f"{shown}{intents}{f' ({places})' if places else ''}"


def _places(group: Group) -> str:
    """Lines, with their files where these differ."""
    if not all(each.line for each in group):
        return ""
    if len({each.file for each in group}) > 1:
        return " and ".join(f"{each.file.rpartition('/')[2]} line {each.line}" for each in group)
    return f"lines {' and '.join(str(each.line) for each in group)}" if len(group) > 1 else f"line {group[0].line}"
