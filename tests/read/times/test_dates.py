"""Which number of a date is the day, and the other ways in which dates are written."""

from __future__ import annotations

import pytest

from hubbub.read.times.dates import Dates


def first_of(*texts: str) -> str:
    """How the first of these dates is understood in the light of all of them."""
    dates = Dates(None)
    for text in texts:
        dates.see(text)
    when = dates.read(texts[0])
    return when.isoformat(" ") if when else ""


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("03/04/2021 10:00", "25/04/2021 10:00"), "2021-04-03 10:00:00"),
        (("03/04/2021 10:00", "04/25/2021 10:00"), "2021-03-04 10:00:00"),
        (("05/11/2021 1:00 PM", "02/12/2021 1:00 PM", "03/12/2021 1:00 PM"), "2021-11-05 13:00:00"),
        (("01/04/2021 10:00", "12/03/2021 10:00", "11/03/2021 10:00"), "2021-04-01 10:00:00"),
        (("03/04/2021 10:00", "03/05/2021 10:00", "03/06/2021 10:00"), "2021-03-04 10:00:00"),
        (("03/04/2021 1:00 PM",), "2021-03-04 13:00:00"),
        (("03.04.2021 1:00 PM",), "2021-04-03 13:00:00"),
        (("2021/01/05 10:00", "2021/02/05 10:00", "2021/03/05 10:00"), "2021-01-05 10:00:00"),
    ],
    ids=["past twelve", "month past twelve", "forward", "newest first", "near", "slashes", "dots", "year first"],
)
def test_all_dates_of_a_file_tell_which_number_is_the_day(texts: tuple[str, ...], expected: str) -> None:
    assert first_of(*texts) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("03.04.2021", "2021-04-03 00:00:00"),
        ("2021/04/03 10:00:05.123 +02:00", "2021-04-03 10:00:05+02:00"),
        ("Sat, 03 Apr 2021 10:00:00 GMT", "2021-04-03 10:00:00+00:00"),
        ("Sat Apr  3 10:00:00 2021", "2021-04-03 10:00:00"),
        ("Apr 3, 2021 at 3:04 p.m.", "2021-04-03 15:04:00"),
        ("3-Apr-21 12:04 AM", "2021-04-03 00:04:00"),
        ("13/04/2021, 11:59 nm.", "2021-04-13 23:59:00"),
        ("2021-04-13 23 h 59", "2021-04-13 23:59:00"),
        ("13/04/2021 12:03 e paradites", "2021-04-13 00:03:00"),
        ("Apr 3 10:00", ""),
        ("31/31/2021 10:00", ""),
        ("03/04/2021 10:00 +99:99", ""),
        ("a while ago", ""),
    ],
)
def test_dates_in_many_spellings(text: str, expected: str) -> None:
    assert first_of(text) == expected
