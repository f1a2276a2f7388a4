"""Lanes of a timeline."""

from __future__ import annotations

import pytest

pytest.importorskip("jinja2", reason="needs hubbub[serve]")

from hubbub.serve.lanes import MAX_LANES, lanes


def test_conversations_run_side_by_side_and_give_their_lane_back() -> None:
    rows = lanes([1, 2, 1, 2, 3, 3], set(), set())
    assert [[(mark.conversation, mark.is_own) for mark in row] for row in rows[:3]] == [
        [(1, True)],
        [(1, False), (2, True)],
        [(1, True), (2, False)],
    ]
    assert rows[4][0].x == rows[0][0].x


def test_a_conversation_that_goes_on_beyond_the_page_has_lines_there() -> None:
    (row,) = lanes([7], {7}, {7})
    assert (row[0].is_above, row[0].is_below) == (True, True)
    (row,) = lanes([7], set(), set())
    assert (row[0].is_above, row[0].is_below) == (False, False)


def test_no_more_lanes_than_the_eye_can_follow() -> None:
    numbers = [*range(30), *range(30)]
    assert max(len(row) for row in lanes(numbers, set(), set())) <= MAX_LANES + 1


def test_system_lines_have_no_lane() -> None:
    assert lanes([None, None], set(), set()) == [[], []]
