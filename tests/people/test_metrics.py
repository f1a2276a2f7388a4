"""The scores of the task people: by hand on tiny cases, and against the official reports where they are."""

from __future__ import annotations

import pytest

from hubbub.layers import Link, Mention
from hubbub.ml.datasets import dataset, find, located
from hubbub.ml.task import examples, task
from hubbub.people.data.cast_file import read_cast
from hubbub.people.data.loading import answer_lines, answered, read_answers
from hubbub.people.data.scene import Key
from hubbub.people.metrics import all_pairs, by_class, detection, label, main_pairs, main_people, report, score
from hubbub.people.reports.coreference import b_cubed, ceaf_e, clusters, coreference, muc

HOME = located(dataset("friends"))
SYSTEMS = sorted(path.stem for path in HOME.glob("*.eval")) if HOME else []
MAIN, KNOWN = frozenset("ab"), frozenset("abc")


def links(people: str) -> tuple[Link, ...]:
    """A letter a mention: who is meant, - for nobody known."""
    return tuple(Link(Mention(0, place, place + 1), tuple(who.strip("-"))) for place, who in enumerate(people))


def key(people: str, kinds: str = "") -> Key:
    return Key(links(people), tuple(kinds.split() or ["name"] * len(people)), MAIN, KNOWN)


def test_main_and_all_by_hand() -> None:
    golds, predicted = [key("aabcd", "first first he name noun")], [links("abbd-")]
    figures = score(golds, predicted)
    # Main: a a b O O against a b b O O; All: a a b c O against a b b O O
    assert main_pairs(golds, predicted)[3:] == [("##OTHERS##", "##OTHERS##")] * 2
    assert figures["main_accuracy"] == 80
    assert figures["main_f1"] == pytest.approx(100 * (2 / 3 + 2 / 3 + 1) / 3)
    assert figures["all_accuracy"] == 60
    assert figures["all_f1"] == pytest.approx(100 * (2 / 3 + 2 / 3 + 0 + 2 / 3) / 4)
    assert (figures["first_accuracy"], figures["he_accuracy"], figures["name_accuracy"]) == (50, 100, 0)
    assert "second_accuracy" not in figures
    assert "mention_f" not in figures


def test_a_class_that_only_the_answer_has_counts_for_nothing() -> None:
    rates = by_class(all_pairs([key("aa")], [links("ab")]))
    assert set(rates) == {"a"}
    assert (rates["a"].precision, rates["a"].recall) == (100, 50)


def test_several_people_are_right_together_or_not_at_all() -> None:
    assert label(("b", "a"), KNOWN) == label(("a", "b"), None) == "a+b"
    assert label(("a", "z"), KNOWN) == label((), None) == "##OTHERS##"


def test_mentions_that_were_not_found_are_wrong_and_others_cost_precision() -> None:
    gold = key("ab")
    figures = score([gold], [(gold[0], Link(Mention(3, 0, 1), ("b",)))])
    assert (figures["main_accuracy"], figures["mention_precision"], figures["mention_recall"]) == (50, 50, 50)
    assert detection([()], [()])["mention_f"] == 0


def test_main_people_have_one_mention_in_twenty() -> None:
    assert main_people(links("a" * 10 + "b" * 29 + "c")) == {"a", "b"}


def test_nothing_at_all_is_scored_without_an_error() -> None:
    assert set(score([], []).values()) == {0.0}
    assert score([key("")], [()])["all_f1"] == 0


# The textbook case: {1 2 3} {4 5 6 7} against {1 2} {3 4 5} {6 7}
TRUE, GUESS = clusters(links("aaabbbb")), clusters(links("aabbbcc"))


def test_muc_counts_links() -> None:
    # gold: 3 - 2 and 4 - 2 of 2 + 3 links; said: 2 - 1, 3 - 2 and 2 - 1 of 1 + 2 + 1
    assert muc(TRUE, GUESS) == (3, 5, 3, 4)


def test_b_cubed_counts_shares() -> None:
    recall, wanted, precision, given = b_cubed(TRUE, GUESS)
    assert recall == pytest.approx((2 * 2 + 1) / 3 + (2 * 2 + 2 * 2) / 4)
    assert precision == pytest.approx(2 + (1 + 2 * 2) / 3 + 2)
    assert wanted == given == 7


def test_ceaf_pairs_clusters() -> None:
    # {1 2 3} with {1 2}: 4/5; {4 5 6 7} with {3 4 5} 4/7 or {6 7} 4/6
    best, wanted, _, given = ceaf_e(TRUE, GUESS)
    assert best == pytest.approx(4 / 5 + 4 / 6)
    assert (wanted, given) == (2, 3)
    assert ceaf_e([], GUESS) == (0, 0, 0, 3)


def test_coreference_asks_for_clusters_not_for_names() -> None:
    assert set(coreference([links("aab-")], [links("ccd-")]).values()) == {100.0}
    assert coreference([links("a")], [()])["conll_f"] == 0


@pytest.mark.skipif(not SYSTEMS, reason="the dataset friends is not here")
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_official_reports_to_the_last_character(system: str) -> None:
    assert HOME is not None
    given = examples(task("people"), find("friends:test"), "evaluate")
    count = sum(map(len, given.golds))
    predicted = answered(given.inputs, read_answers(HOME / f"{system}.out", count))
    names = {person.id: person.names[0] for person in read_cast(HOME / "friends_entity_map.txt")}
    made = report(main_pairs(given.golds, predicted), all_pairs(given.golds, predicted), names)
    assert made == (HOME / f"{system}.eval").read_text()


@pytest.mark.skipif(not SYSTEMS, reason="the dataset friends is not here")
def test_the_gold_of_the_test_part_is_the_official_key_and_main_is_main() -> None:
    assert HOME is not None
    given = examples(task("people"), find("friends:test"), "evaluate")
    assert list(answer_lines([link for gold in given.golds for link in gold])) == (HOME / "ref.out").read_text().split()
    assert {gold.main for gold in given.golds} == {frozenset(("59", "183", "248", "292", "306", "335"))}
