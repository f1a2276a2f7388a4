"""The composition of tasks: chats of any length, whole or as streams."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count

import pytest

from hubbub import Chat, Message, pipeline
from hubbub.analysis import Analysis
from hubbub.jsonl import LayerRows
from hubbub.layers import Link, Mention, Person
from hubbub.pipeline import AnalysisStream, Pipeline, analysed
from hubbub.read import ChatStream

TALK = (
    ("ann", "where is the blue kettle?"),
    ("bob", "ann: cyd has it"),
    ("cyd", "he is right"),
    ("dee", "who made tea?"),
)


def said(number: int) -> Message:
    who, text = TALK[number % len(TALK)]
    return Message(str(number), datetime(2024, 1, 1) + timedelta(minutes=number), who, text)


def chat(length: int) -> ChatStream:
    return ChatStream("tea", "irssi", map(said, range(length)))


@pytest.fixture
def short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "PEOPLE_LIMIT", 20)
    monkeypatch.setattr(pipeline, "PEOPLE_CONTEXT", 8)
    monkeypatch.setattr(pipeline, "PART", 16)


@pytest.mark.usefixtures("short_limits")
def test_a_short_chat_is_analysed_whole_with_people() -> None:
    notices: list[str] = []
    (found,) = analysed([chat(20)], notice=notices.append)
    assert isinstance(found, Analysis)
    assert found.replies
    assert found.people
    assert not notices


@pytest.mark.usefixtures("short_limits")
def test_a_long_chat_streams_the_same_threads_and_says_that_people_are_left_out() -> None:
    notices: list[str] = []
    (found,) = analysed([chat(50)], notice=notices.append)
    assert isinstance(found, AnalysisStream)
    parts = list(found.parts)
    assert [len(part.chat) for part in parts] == [16, 16, 16, 2]
    expected = Pipeline().analyse(chat(50).chat()).replies
    assert expected is not None
    assert tuple(parents for part in parts for parents in part.parents or ()) == expected.parents
    assert [message for part in parts for message in part.chat] == list(map(said, range(50)))
    assert notices == ["tea has more than 20 messages: people are not linked; --people links them"]


@pytest.mark.usefixtures("short_limits")
def test_people_of_a_long_chat_are_linked_part_by_part_with_what_is_before() -> None:
    notices: list[str] = []
    (found,) = analysed([chat(50)], people=True, notice=notices.append)
    assert isinstance(found, AnalysisStream)
    parts = list(found.parts)
    assert [len(part.chat) for part in parts] == [20, 20, 10]
    assert all(part.layers.links for part in parts)
    for part in parts:
        for link in part.layers.links:
            text = part.chat[link.mention.position].text
            assert text[link.mention.start : link.mention.end] in text.replace("?", " ").replace(":", " ").split()
    assert not notices


@pytest.mark.usefixtures("short_limits")
def test_a_long_chat_that_came_with_people_is_not_said_to_lack_them() -> None:
    notices: list[str] = []
    rows = LayerRows(50, people=[Person("ann", ("ann",))], links=[Link(Mention(1, 0, 3), ("ann",), 1.0)])
    (found,) = analysed([replace(chat(50), rows=rows)], notice=notices.append)
    assert isinstance(found, Analysis)
    assert found.layers.links
    assert not notices


@pytest.mark.usefixtures("short_limits")
def test_people_without_threads_and_neither() -> None:
    (found,) = analysed([chat(50)], threads=False, people=True)
    assert isinstance(found, AnalysisStream)
    assert not found.is_threaded
    assert [part.parents for part in found.parts] == [None] * 3
    stream = chat(50)
    assert list(analysed([stream], threads=False, people=False)) == [stream]
    (unlinked,) = analysed([chat(50)], threads=False)
    assert isinstance(unlinked, ChatStream)
    assert len(unlinked.chat()) == 50


def test_a_chat_without_end_is_not_read_further_than_needed() -> None:
    taken = count()

    def endless() -> Iterator[Message]:
        return (said(next(taken)) for _ in count())

    (found,) = analysed([ChatStream("tea", "irssi", endless())], people=False)
    assert isinstance(found, AnalysisStream)
    assert len(next(found.parts).chat) == pipeline.PART
    assert next(taken) <= pipeline.PEOPLE_LIMIT + 2 * pipeline.PART


@pytest.mark.usefixtures("short_limits")
def test_a_model_that_names_several_parents_or_cannot_stream_sees_the_whole_chat() -> None:
    for model in ("thread/previous", _with_second_parents()):
        (found,) = analysed([chat(50)], threads=model, people=False)  # type: ignore[arg-type]
        assert isinstance(found, Analysis)
        assert len(found.chat) == 50


def _with_second_parents() -> object:
    from hubbub.thread.predict import ThreadPredictor

    return ThreadPredictor.of(second=0.4).model


def test_a_chat_of_no_messages_stays_empty() -> None:
    (found,) = analysed([ChatStream("tea", "irssi", iter(()))])
    assert isinstance(found, Analysis)
    assert found.chat == Chat("tea", (), "irssi")
