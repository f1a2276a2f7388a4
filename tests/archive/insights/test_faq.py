"""Repeated questions: clusters by meaning, and their best answers."""

from __future__ import annotations

import numpy as np

from hubbub.archive.adding import add
from hubbub.archive.insights.faq import faq
from hubbub.archive.insights.question_clusters import cluster_questions
from hubbub.archive.search import SearchFilters
from hubbub.archive.store import ArchiveStore

from ..conftest import Home
from .chats import filled, spoken


def test_the_same_question_in_other_words_is_one_entry_with_a_confirmed_answer(home: Home) -> None:
    with filled(home / "a.db") as archive:
        (entry,) = faq(archive)
        assert (entry.asked, entry.askers) == (3, 3)
        assert "kettle" in entry.question
        assert ((entry.first or "")[:10], (entry.last or "")[:10]) == ("2024-05-06", "2024-05-22")
        assert len(entry.conversations) == 3
        assert len(entry.examples) == 2
        assert entry.answer is not None
        assert entry.answer.is_confirmed
        assert entry.answer.author == "bo"
        assert "descale" in entry.answer.text
        assert archive.by_ids([entry.answer.message])[entry.answer.message].message.author == "bo"


def test_filters_and_the_number_of_askers(home: Home) -> None:
    with filled(home / "a.db") as archive:
        assert faq(archive, least=4) == []
        assert faq(archive, filters=SearchFilters(until="2024-05-07")) == []
        (entry,) = faq(archive, least=2, filters=SearchFilters(since="2024-05-20"))
        assert entry.askers == 2


def test_clusters_are_stars_whose_members_are_similar_to_the_centre() -> None:
    def at(degrees: float) -> list[float]:
        return [np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]

    vectors = np.array([at(0), at(40), at(80), at(120), at(200)], np.float32)
    found = cluster_questions(vectors, ["a", "b", "c", "d", "e"], least=0.7)
    assert [set(each.members) for each in found] == [{0, 1, 2}]  # 120 is similar to 80, but not to the centre, 40


def test_one_person_who_asks_again_makes_no_cluster() -> None:
    vectors = np.ones((3, 1), np.float32)
    assert cluster_questions(vectors, ["a", "a", "a"]) == []
    assert cluster_questions(vectors, ["a", "a", "b"])[0].people == 2


def test_a_text_that_replies_to_all_kinds_of_questions_is_no_answer(home: Home) -> None:
    rules = "please use the notice board for questions about the kettle, the fuse and all else"
    kettle = ("my kettle trips the fuse, what is wrong?", "why does the kettle trip the fuse in the kitchen?")
    other = ("which bread keeps fresh for a week?", "how do I tune the old radio?", "who repairs a bicycle chain?")
    talks = tuple(((f"asker{i}", text), ("bot", rules)) for i, text in enumerate((*other, *other[::-1], *kettle)))
    answered = ((("nils", "the kettle trips the fuse again, what can I do?"), ("bo", "nils: descale it with vinegar")),)
    with ArchiveStore(home / "a.db", create=True) as archive:
        list(add(archive, "#house", "irssi", spoken((*talks, *answered))))
        entries = {entry.askers: entry.answer for entry in faq(archive, least=3)}
        answer = entries[3]
        assert answer is not None
        assert answer.author == "bo"
