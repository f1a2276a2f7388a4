"""Columns that the user names: one that is missing, or is to be two things, is one clear sentence."""

from __future__ import annotations

import pytest

from hubbub.errors import OptionError
from hubbub.read import read

from ...conftest import Put, Run

ROWS = "2020-01-01 10:00,ann,hi there\n2020-01-01 10:01,bob,hello you\n2020-01-01 10:02,ann,yes it does\n"


@pytest.mark.parametrize("heading", ["time,author,text\n", ""])
def test_a_number_beyond_the_last_column_says_how_many_there_are(put: Put, heading: str) -> None:
    with pytest.raises(OptionError, match=r"time=99: .*has no column 99; it has 3 columns"):
        read(put("tea.csv", heading + ROWS), columns={"time": "99"})


def test_a_column_is_not_two_things(put: Put) -> None:
    with pytest.raises(OptionError, match=r"author=2,text=2: one column cannot be both\."):
        read(put("tea.csv", ROWS), columns={"author": "2", "text": "2"})


def test_a_role_is_given_once(put: Put, run: Run) -> None:
    done = run("read", put("tea.csv", ROWS), "--columns", "author=2,author=3,text=3")
    assert done.status == 2
    assert "author is given twice" in done.err
