"""Figures of an archive, and the key phrases of its questions."""

from __future__ import annotations

import pytest

from hubbub.archive.adding import ThreadedMessage, add
from hubbub.archive.insights.key_phrases import key_phrases
from hubbub.archive.insights.periods import minutes_between
from hubbub.archive.insights.question_threads import Outcome, question_threads
from hubbub.archive.insights.statistics import archive_statistics
from hubbub.archive.search import SearchFilters
from hubbub.archive.store import ArchiveStore
from hubbub.chat import Message
from hubbub.errors import OptionError

from ..conftest import Home
from .chats import filled, spoken


def test_totals_weeks_and_hours(home: Home) -> None:
    with filled(home / "a.db") as archive:
        figures = archive_statistics(archive)
    total = figures.total
    assert (total.messages, total.people, total.conversations) == (len(spoken()), 9, 9)
    assert (total.questions, total.replied, total.confirmed) == (7, 6, 2)
    assert (total.minutes_to_reply, total.minutes_to_confirmation) == (2, 4)
    assert (figures.first, figures.last) == ("2024-05-06", "2024-05-22")
    assert [each.name for each in figures.periods] == ["2024-05-06", "2024-05-13", "2024-05-20"]
    assert [each.conversations for each in figures.periods] == [4, 3, 2]
    assert sum(each.messages for each in figures.hours) == total.messages
    assert {each.name for each in figures.hours} == {"09", "10", "11"}


def test_questions_and_confirmations_are_counted_as_they_are_listed(home: Home) -> None:
    with filled(home / "a.db") as archive:
        outcomes = [each.outcome for each in question_threads(archive)]
        total = archive_statistics(archive).total
    assert total.questions == len(outcomes)
    assert total.confirmed == outcomes.count(Outcome.CONFIRMED)
    assert total.questions - total.replied == outcomes.count(Outcome.NO_REPLY)


def test_helpers_are_those_who_reply_to_questions(home: Home) -> None:
    with filled(home / "a.db") as archive:
        helpers = archive_statistics(archive).helpers
        assert [(each.name, each.questions, each.askers, each.confirmed) for each in helpers] == [
            ("bo", 3, 3, 2),
            ("lou", 3, 3, 0),
        ]
        assert len(archive_statistics(archive, count=1).helpers) == 1


def test_filters_and_periods(home: Home) -> None:
    with filled(home / "a.db") as archive:
        list(add(archive, "#attic", "irssi", spoken()))
        half = archive_statistics(archive, SearchFilters(channel="#Attic", until="2024-05-08"), period="day")
        assert [(each.name, each.questions) for each in half.periods] == [("2024-05-06", 1), ("2024-05-08", 1)]
        assert archive_statistics(archive, period="month").periods[0].name == "2024-05-01"
        with pytest.raises(OptionError, match="week"):
            archive_statistics(archive, period="year")


def test_an_archive_that_is_empty_or_without_dates(home: Home) -> None:
    with ArchiveStore(home / "a.db", create=True) as archive:
        assert archive_statistics(archive).total.messages == 0
        undated = [ThreadedMessage(Message("1", None, "ada", "how do I begin?"), (0,), (0.9,))]
        list(add(archive, "#house", "irssi", undated))
        figures = archive_statistics(archive)
        assert (figures.total.messages, figures.total.questions, figures.first, figures.periods) == (1, 1, None, [])


def test_key_phrases_are_special_words_that_several_texts_share() -> None:
    texts = [f"how do I descale the espresso machine number {i}, it is old?" for i in range(4)]
    texts += ["where is the kettle, and what time is it?", "https://kettle.example/kettle kettle /etc/kettle"]
    found = {each.text: each.texts for each in key_phrases(texts)}
    assert next(iter(found)) == "descale" or "espresso machine" in next(iter(found))
    assert any("espresso machine" in phrase for phrase in found)
    assert not any("time" in phrase or "https" in phrase for phrase in found)
    assert "espresso" not in found  # it is always part of the longer phrase
    assert key_phrases(texts, excluded=frozenset({"espresso"}))[0].text != "espresso machine"


def test_minutes_between_times_of_different_kinds() -> None:
    assert minutes_between("2024-05-06T09:00:00", "2024-05-06T09:02:30") == 2.5
    assert minutes_between("2024-05-06T09:00:00+02:00", "2024-05-06T07:01:00+00:00") == 1
    assert minutes_between("2024-05-06T09:00:00", "2024-05-06T07:01:00+00:00") is None
    assert minutes_between("2024-05-06T09:00:00", "2025-05-06T09:00:00") is None
    assert minutes_between(None, "2024-05-06T09:00:00") is None
