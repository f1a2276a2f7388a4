"""Checks of examples that need no model: pure functions, each with what it found and where."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import Literal

from ...text import clean, plural, words
from ..data.example import OUT_OF_SCOPE, IntentExample, Parts

MIN_EXAMPLES = 5  # the fewest that training is documented for
MAX_SIZE_RATIO = 10  # of the largest or smallest intent to the median
MIN_OVERLAP = 0.8  # Jaccard index of n-grams: texts that differ by a word or a typing error
MAX_SHOWN = 3  # cases of a finding that are shown
NGRAM_LENGTH = 4  # characters; shorter ones are shared by most texts

Kind = Literal["few", "unlearnt", "duplicates", "conflicts", "near", "unbalanced"]
Group = tuple[IntentExample, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem: a count, what it is of, and the examples of each case, or a text where there are none."""

    kind: Kind
    count: int
    what: str
    groups: Sequence[Group] = ()
    shown: Sequence[str] = ()

    def sentence(self) -> str:
        """A count and up to three cases."""
        cases = [*self.shown, *(describe_case(group) for group in self.groups[:MAX_SHOWN])][:MAX_SHOWN]
        more = f" and {self.count - MAX_SHOWN:,} more" if self.count > MAX_SHOWN else ""
        return f"{self.what}: {', '.join(cases)}{more}"


def findings(parts: Parts) -> list[Finding]:
    """All problems, the worst first."""
    whole = [each for part in parts.values() for each in part]
    training = parts.get("train", whole)
    found = [
        *(conflicts(whole), unlearnt(parts), too_few(training), unbalanced(training)),
        *(duplicates(parts), near_duplicates(parts)),
    ]
    return [each for each in found if each is not None]


def too_few(examples: Iterable[IntentExample]) -> Finding | None:
    """Intents with fewer than five examples."""
    counts = Counter(each.name for each in examples if each.name is not None)
    small = sorted((count, name) for name, count in counts.items() if count < MIN_EXAMPLES)
    if not small:
        return None
    has = "intent has" if len(small) == 1 else "intents have"
    what = f"{len(small):,} {has} fewer than {MIN_EXAMPLES} examples"
    return Finding("few", len(small), what, shown=[f"{clean(name)} ({count})" for count, name in small])


def unlearnt(parts: Parts) -> Finding | None:
    """Intents of the validation or test part that the training part lacks."""
    training = {each.name for each in parts.get("train", ())}
    counts = Counter(each.name for part in parts.values() for each in part if each.name is not None)
    missing = [f"{clean(name)} ({count})" for name, count in sorted(counts.items()) if name not in training]
    if not missing or not training:
        return None
    what = f"{plural(len(missing), 'intent')} of the validation or test part cannot be learnt from the training part"
    return Finding("unlearnt", len(missing), what, shown=missing)


def unbalanced(examples: Iterable[IntentExample]) -> Finding | None:
    """A largest intent ten times the size of the middle one, or a smallest a tenth of it."""
    counts = Counter(each.name for each in examples if each.name is not None).most_common()
    typical = median(count for _, count in counts) if counts else 0
    if not counts or (counts[0][1] < MAX_SIZE_RATIO * typical and typical < MAX_SIZE_RATIO * counts[-1][1]):
        return None
    cases = [f"{clean(name)} has {plural(count, 'example')}" for name, count in (counts[0], counts[-1]) if name]
    return Finding("unbalanced", 2, f"the intents are very unbalanced ({typical:g} in the middle)", shown=cases)


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


def conflicts(examples: Iterable[IntentExample]) -> Finding | None:
    """The same words under different intents."""
    by_text = _grouped((normalized(each.text), each) for each in examples)
    by_intent = [_grouped((each.name, each) for each in group) for group in by_text]
    groups = [tuple(same[0] for same in each) for each in by_intent if len(each) > 1]
    return _finding("conflicts", groups, "text has" if len(groups) == 1 else "texts have", " conflicting intents")


def near_duplicates(parts: Parts) -> Finding | None:
    """Texts of the validation or test part that are, all but for little, in the training part."""
    evaluated = [each for name, part in parts.items() if name != "train" for each in part]
    pairs = list(_near_duplicate_pairs(parts.get("train", ()), evaluated)) if evaluated else []
    are = (
        "text that is kept for validation or test is"
        if len(pairs) == 1
        else "texts that are kept for validation or test are"
    )
    return _finding("near", pairs, are, " nearly the same as one to learn from")


def _finding(kind: Kind, groups: Sequence[Group], what: str, rest: str = "") -> Finding | None:
    return Finding(kind, len(groups), f"{len(groups):,} {what}{rest}", groups) if groups else None


def normalized(text: str) -> str:
    """A text without what hardly matters: large letters, blanks, punctuation. One that has nothing else stays."""
    return " ".join(words(text)) or text


def _grouped(keyed: Iterable[tuple[object, IntentExample]]) -> list[Group]:
    groups: dict[object, list[IntentExample]] = defaultdict(list)
    for key, each in keyed:
        groups[key].append(each)
    return [tuple(group) for group in groups.values()]


def _near_duplicate_pairs(training: Sequence[IntentExample], evaluated: Sequence[IntentExample]) -> Iterator[Group]:
    """Each held-out text with the training text of the highest n-gram overlap, if it reaches the minimum.

    Prefix filtering (Chaudhuri et al., 2006): sets of that Jaccard overlap share one of their rarest n-grams, so that
    only those pairs are compared.
    """
    having: dict[int, list[int]] = defaultdict(list)
    # The n-grams of each text as numbers, rarer ones lower.
    ngrams = [_grams(each.text) for each in [*training, *evaluated]]
    counts = Counter(gram for one in ngrams for gram in one)
    rank = {gram: place for place, (gram, _) in enumerate(reversed(counts.most_common()))}
    ranked = [frozenset(map(rank.__getitem__, one)) for one in ngrams]
    grams, held_out_grams = ranked[: len(training)], ranked[len(training) :]
    for place, one in enumerate(grams):
        for gram in _rarest(one):
            having[gram].append(place)
    for each, one in zip(evaluated, held_out_grams, strict=True):
        places = {place for gram in _rarest(one) for place in having.get(gram, ())}
        near = max(((_overlap(one, grams[place]), -place) for place in places), default=(0.0, 0))
        if near[0] >= MIN_OVERLAP:
            yield training[-near[1]], each


def _grams(text: str) -> set[str]:
    padded = f" {normalized(text)[:1000]} "
    return {padded[place : place + NGRAM_LENGTH] for place in range(max(len(padded) - NGRAM_LENGTH + 1, 1))}


def _rarest(grams: frozenset[int]) -> list[int]:
    return sorted(grams)[: len(grams) - ceil(MIN_OVERLAP * len(grams)) + 1]


def _overlap(one: frozenset[int], other: frozenset[int]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


def describe_case(group: Group) -> str:
    """The text of a case, the intents it has if they differ, and where it stands."""
    text = " ".join(clean(group[0].text).split())
    shown = f"“{text if len(text) <= 60 else text[:59] + '…'}”"
    names = dict.fromkeys(each.name or OUT_OF_SCOPE[0] for each in group)
    intents = f" as {' and '.join(map(clean, names))}" if len(names) > 1 else ""
    places = _places(group[:MAX_SHOWN])
    return f"{shown}{intents}{f' ({places})' if places else ''}"


def _places(group: Group) -> str:
    """Lines, with their files where these differ."""
    if not all(each.line for each in group):
        return ""
    if len({each.file for each in group}) > 1:
        return " and ".join(f"{each.file.rpartition('/')[2]} line {each.line}" for each in group)
    return f"lines {' and '.join(str(each.line) for each in group)}" if len(group) > 1 else f"line {group[0].line}"
