"""Two annotations of the same chats, and two systems beside the gold."""

from __future__ import annotations

from pathlib import Path

import pytest

from hubbub.errors import Broken, Missing, NoChats
from hubbub.layers import ReplyGraph
from hubbub.thread.data.annotations import aligned
from hubbub.thread.reports.agreement import agreement, kappa
from hubbub.thread.reports.significance import link_significance

from ..conftest import Put, Run


def test_kappa_by_hand() -> None:
    """Messages 0 to 2 have 1 + 2 + 3 = 6 pairs; A links 3, B links 3, both link 2."""
    one, other = ReplyGraph(((0,), (0,), (1,))), ReplyGraph(((0,), (0,), (2,)))
    agreed, chance = 4 / 6, (3 * 3 + 3 * 3) / 36
    assert kappa([one], [other]) == pytest.approx((agreed - chance) / (1 - chance))
    assert kappa([one], [one]) == pytest.approx(1)
    assert kappa([], []) == 0.0


def test_kappa_counts_only_pairs_of_judged_messages() -> None:
    late = ReplyGraph(((), (), (2,)))
    assert kappa([late], [ReplyGraph(((), (), (1,)))]) == pytest.approx((1 / 3 - 5 / 9) / (1 - 5 / 9))


def test_a_message_that_one_leaves_out_stands_alone() -> None:
    one, other = ReplyGraph(((0,), (0,), (), (3,))), ReplyGraph(((0,), (0,), (0,), (3,)))
    found = agreement([one], [other])
    assert found["one_to_one"] == pytest.approx(75)
    assert found["link_recall"] == pytest.approx(100)


def test_what_is_the_same_is_no_difference() -> None:
    gold = [ReplyGraph(tuple((max(0, i - 1),) for i in range(40)))]
    assert link_significance(gold, gold, gold, trials=200)["link_f"] == pytest.approx(1)


def test_a_large_difference_is_no_chance_and_a_seed_decides() -> None:
    gold = [ReplyGraph(tuple((max(0, i - 1),) for i in range(40)))]
    bad = [ReplyGraph(tuple((i,) for i in range(40)))]
    found = link_significance(gold, gold, bad, trials=999)
    assert found["link_f"] == pytest.approx(0.001)
    assert link_significance(gold, bad, gold, trials=999) == found


def test_one_message_of_two_systems_proves_nothing() -> None:
    gold, bad = [ReplyGraph(((0,), (0,)))], [ReplyGraph(((0,), (1,)))]
    assert link_significance(gold, gold, bad, trials=100)["link_f"] == pytest.approx(1)


def test_files_are_matched_by_name(put: Put, tmp_path: Path) -> None:
    put("one/day.annotation.ana.txt", "0 0 -\n0 1 -\n")
    put("one/eve.annotation.ana.txt", "0 0 -\n")
    put("two/day.annotation.txt", "0 0 -\n1 1 -\n1 2 -\n")
    put("two/notes.txt", "nothing to see")
    names, (one, other) = aligned(str(tmp_path / "one"), str(tmp_path / "two"))
    assert names == ("day",)
    assert one == [ReplyGraph(((0,), (0,), ()))]
    assert other == [ReplyGraph(((0,), (1,), (1,)))]


def test_a_file_of_many_chats_matches_a_folder(put: Put, tmp_path: Path) -> None:
    put("gold/a.annotation.txt", "0 0 -\n")
    put("gold/b.annotation.txt", "0 0 -\n0 1 -\n")
    said = put("said.txt", "x/b:0 1 -\nb:0 0 -\na:0 0 -\n")
    names, (gold, found) = aligned(str(tmp_path / "gold"), str(said))
    assert names == ("a", "b")
    assert gold == found


def test_places_without_a_chat_in_common(put: Put, tmp_path: Path) -> None:
    put("one/a.annotation.txt", "0 0 -")
    put("one/c.annotation.txt", "0 0 -")
    put("two/b.annotation.txt", "0 0 -")
    with pytest.raises(NoChats, match="no chat is annotated in all"):
        aligned(str(tmp_path / "one"), str(tmp_path / "two"))
    with pytest.raises(Missing):
        aligned(str(tmp_path / "one"), str(tmp_path / "three*"))


def test_a_broken_line_is_named(put: Put) -> None:
    with pytest.raises(Broken, match="line 2 is no link"):
        aligned(str(put("a.txt", "0 0 -\nhm\n")), str(put("b.txt", "0 0 -\n")))


def test_the_verb(put: Put, run: Run) -> None:
    one, other = put("a.txt", "0 0 -\n0 1 -\n2 2 -\n"), put("b.txt", "0 0 -\n0 1 -\n1 2 -\n")
    record = run("agree", one, other, "--json").records()[0]
    assert (record["chats"], record["messages"]) == (1, 3)
    assert record["link_f"] == pytest.approx(200 / 3)
    lines = run("agree", one, other).out.splitlines()
    assert lines[0] == "1 chat, 3 messages"
    assert lines[1].split()[0] == "kappa"


def test_the_verb_with_a_gold(put: Put, run: Run) -> None:
    gold = put("g.txt", "0 0 -\n0 1 -\n1 2 -\n")
    one, other = put("a.txt", "0 0 -\n0 1 -\n2 2 -\n"), put("b.txt", "0 0 -\n0 1 -\n1 2 -\n")
    record = run("agree", one, other, "--gold", gold, "--trials", 50, "--json").records()[0]
    assert record["a"]["link_f"] == pytest.approx(200 / 3)
    assert record["b"]["link_f"] == pytest.approx(100)
    assert record["p"]["link_f"] > 0.2
    drawn = run("agree", one, other, "--gold", gold, "--trials", 50).out
    assert "B - A" in drawn
    assert "+33.33" in drawn
    assert run("agree", one, put("none/x.txt", "a b")).status == 2
