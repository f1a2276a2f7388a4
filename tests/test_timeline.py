"""Message times as seconds: dates, clocks without dates, and both in one chat."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta, timezone

from hubbub.chat import Message
from hubbub.thread.inference.encoding import MessageEncoder
from hubbub.timeline import elapsed_seconds


def message(when: datetime | None = None, clock: time | None = None) -> Message:
    return Message("1", when, "ada", "hi", clock=clock)


def test_a_clock_passes_midnight_and_an_earlier_line_does_not() -> None:
    clocks = [time(23, 59), time(0, 1), time(23, 58), time(0, 2)]
    assert elapsed_seconds([message(clock=each) for each in clocks]) == [0, 120, -60, 180]


def test_a_clock_after_a_date_is_placed_near_it() -> None:
    found = elapsed_seconds([message(datetime(2024, 5, 3, 23, 59)), message(clock=time(0, 1)), message()])
    assert found == [0, 120, 120]


def test_times_with_zones_are_compared_in_utc() -> None:
    east = timezone(timedelta(hours=2))
    first, second = datetime(2024, 5, 3, 12, tzinfo=UTC), datetime(2024, 5, 3, 14, 1, tzinfo=east)
    assert elapsed_seconds([message(first), message(second)]) == [0, 60]


def test_threads_see_the_same_times() -> None:
    clocks = [time(0, 5), time(23, 58), time(0, 6)]
    chat = [message(clock=each) for each in clocks]
    minutes = MessageEncoder().batch(chat).minutes
    assert (minutes - minutes[0]).tolist() == [each / 60 for each in elapsed_seconds(chat)] == [0, -7, 1]
    assert MessageEncoder().batch([message()]).minutes.tolist() == [-1]


def test_the_first_and_last_hours_of_the_calendar_have_seconds_too() -> None:
    first = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))
    last = datetime(9999, 12, 31, 23, 59, tzinfo=timezone(timedelta(hours=-14)))
    start, end = elapsed_seconds([message(first), message(last)])
    assert end > start
