"""The metrics of threads: by hand on tiny chats, against every pairing by brute force, and to the last digit of real
outputs that were scored with the official scripts."""

from __future__ import annotations

import os
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hubbub.errors import HubbubError
from hubbub.layers import ReplyGraph
from hubbub.ml.assignment import max_assignment
from hubbub.ml.datasets import find
from hubbub.ml.task import evaluate, examples, task
from hubbub.thread.data.loading import annotation_graphs
from hubbub.thread.metrics import conversations, link_counts, links, score
from hubbub.thread.reports.error_types import error_types


def groups(text: str) -> ReplyGraph:
    """One message a letter, the same letter for the same conversation; - is not judged."""
    parents = [(text[:i].rfind(c) if c in text[:i] else i,) if c != "-" else () for i, c in enumerate(text)]
    return ReplyGraph(tuple(parents))


ALIKE = [("aabb", "aabb"), ("abab", "baba"), ("a", "a"), ("abcd", "abcd")]


@pytest.mark.parametrize(("gold", "said"), ALIKE)
def test_the_same_conversations_are_perfect(gold: str, said: str) -> None:
    found = conversations([groups(gold)], [groups(said)])
    singles = len(set(gold)) == len(gold)
    assert {name: value for name, value in found.items() if value != pytest.approx(100)} == (
        dict.fromkeys(("exact_precision", "exact_recall", "exact_f"), 0.0) if singles else {}
    ) | ({"loc3": 0.0} if len(gold) == 1 else {})


def test_conversations_by_hand() -> None:
    """Gold {0,1,2}{3}, said {0,1}{2,3}: worked out on paper."""
    found = conversations([groups("aaab")], [groups("aabb")])
    # H(gold|said) = 1/2, H(said|gold) = 3/4 of the entropy of (2/3, 1/3); log2(4) = 2
    assert found["vi"] == pytest.approx(100 * (1 - (0.5 + 0.75 * 0.9182958340544896) / 2))
    assert found["one_to_one"] == pytest.approx(75)
    # pairs joined: gold 3, said 2, both 1, of 6
    assert found["ari"] == pytest.approx(0)
    # {0,1,2} with {0,1}: F 4/5; {3} with {2,3}: F 2/3
    assert found["shen"] == pytest.approx(100 * (3 * 0.8 + 1 * 2 / 3) / 4)
    # the six pairs are all within three: 0-1 joined by both; 0-3, 1-3 parted by both
    assert found["loc3"] == pytest.approx(50)
    assert found["exact_f"] == 0.0


def test_one_message_conversations_are_no_exact_match() -> None:
    found = conversations([groups("aabcc")], [groups("aabcd")])
    assert found["exact_precision"] == pytest.approx(100)
    assert found["exact_recall"] == pytest.approx(50)
    assert found["exact_f"] == pytest.approx(200 / 3)


def test_pairs_more_than_three_apart_do_not_count_nearby() -> None:
    assert conversations([groups("abcda")], [groups("abcde")])["loc3"] == pytest.approx(100)


def test_context_joins_conversations_and_is_then_dropped() -> None:
    gold = ReplyGraph(((), (), (0,), (0,), (1,)))
    said = ReplyGraph(((0,), (0,), (0,), (0,), (1,)))
    assert conversations([gold], [said])["exact_f"] == pytest.approx(100), "what is said of context is not judged"
    apart = ReplyGraph(((), (), (0,), (1,), (1,)))
    assert conversations([gold], [apart])["one_to_one"] == pytest.approx(200 / 3)


def test_chats_are_pooled_and_never_share_a_conversation() -> None:
    found = conversations([groups("aa"), groups("aabb")], [groups("aa"), groups("aaaa")])
    assert found["one_to_one"] == pytest.approx(100 * 4 / 6)
    assert found["exact_recall"] == pytest.approx(100 / 3)


MISTAKES = [
    ("aaabb", "aaabb", {"exact": 100}),
    ("aaaa", "aabc", {"subset": 100, "prefix": 100}),
    ("aaaa", "baac", {"subset": 100, "chunk": 100, "wrong_start": 100}),
    ("aaaa", "abac", {"subset": 100}),
    ("aab", "aaa", {"superset": 100}),
    ("abb", "bbb", {"superset": 100, "wrong_start": 100}),
    ("abab", "abba", {"wrong_start": 0}),
]


@pytest.mark.parametrize(("gold", "said", "expected"), MISTAKES)
def test_kinds_of_mistakes(gold: str, said: str, expected: dict[str, float]) -> None:
    found = error_types([groups(gold)], [groups(said)])
    assert {kind: share for kind, share in found.items() if share} == {k: v for k, v in expected.items() if v}


def test_nothing_judged_scores_nothing() -> None:
    assert set(score([], []).values()) == {0.0}
    assert set(score([groups("--")], [groups("aa")]).values()) == {0.0}


tables = st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.integers(1, 9), max_size=12)


@given(table=tables)
def test_the_pairing_is_the_best_there_is(table: dict[tuple[int, int], int]) -> None:
    every = (sum(table.get((row, column), 0) for row, column in enumerate(order)) for order in permutations(range(5)))
    assert max_assignment(table) == max(every)


def data() -> Path:
    folder = Path(os.environ.get("HUBBUB_DATA", ""))
    if not os.environ.get("HUBBUB_DATA") or not (folder / "irc" / "checks").is_dir():
        pytest.skip("the corpus and the outputs that were officially scored are not here; HUBBUB_DATA names them")
    return folder


OFFICIAL = {
    "dev": ((2607, 2500, 1819), (90.77, 68.35, 77.80, 81.16, 35.34, 39.46, 37.29)),
    "test": ((5187, 5000, 3654), (91.17, 63.01, 74.30, 79.11, 31.41, 36.90, 33.94)),
}
NAMES = ("vi", "ari", "one_to_one", "shen", "exact_precision", "exact_recall", "exact_f")


@pytest.mark.parametrize("split", OFFICIAL)
def test_real_outputs_get_their_official_scores(split: str) -> None:
    folder = data()
    given = examples(task("thread"), find(f"irc:{split}", folder), "evaluate")
    named = [path.name.partition(".")[0] for path in given.files[::2]]
    said = annotation_graphs(folder / "irc" / "checks" / f"feedforward.{split}.links.txt")
    predictions = [ReplyGraph.of(said[name], len(chat)) for name, chat in zip(named, given.inputs, strict=True)]
    counts, figures = OFFICIAL[split]
    assert link_counts(given.golds, predictions) == counts
    found = score(given.golds, predictions)
    assert tuple(round(found[name], 2) for name in NAMES) == figures


def test_previous_is_the_published_baseline() -> None:
    try:
        found = evaluate("thread/previous", "irc:test", data=data()).scores
    except HubbubError as missing:
        pytest.skip(str(missing))
    figures = ("link_precision", "link_recall", "link_f", "vi", "one_to_one", "exact_f")
    assert tuple(round(found[name], 1) for name in figures) == (35.7, 34.4, 35.0, 66.1, 27.6, 0.0)


def test_links_alone() -> None:
    assert links([groups("ab")], [groups("aa")])["link_f"] == pytest.approx(50)
