"""The public API: the examples of its docstrings, and what they do not show."""

from __future__ import annotations

import doctest
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

import hubbub
from hubbub import Chat, Message, ReplyGraph
from hubbub.data import samples
from hubbub.errors import SeveralChats

CHAT = Chat(
    "tea",
    (
        Message("1", None, "ada", "who wants tea?"),
        Message("2", None, "bo", "ada: me, with milk"),
        Message("3", None, "cy", "cy joined", "system"),
        Message("4", None, "cy", "is the printer broken again?"),
    ),
)
GRAPH = ReplyGraph(((0,), (0,), (2,), (3,)), ((1.0,), (0.9,), (1.0,), (0.8,)))


@pytest.mark.parametrize("module", ["hubbub.api", "hubbub.layers", "hubbub.analysis", "hubbub.archive.archive"])
def test_the_examples_of_docstrings_run(module: str) -> None:
    result = doctest.testmod(import_module(module), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted
    assert not result.failed


def test_conversations_have_messages_participants_and_titles() -> None:
    tea, printer = GRAPH.conversations(CHAT)
    assert (tea.number, tea.participants, [message.id for message in tea]) == (1, ("ada", "bo"), ["1", "2"])
    assert printer.title == "is the printer broken again?"
    assert (tea.start, tea.end, len(tea), tea[0].author) == (None, None, 2, "ada")
    assert repr(printer) == "<Conversation 2: 'is the printer broken again?', 1 messages>"


def test_several_chats_are_read_by_read_all() -> None:
    with pytest.raises(SeveralChats, match=r"holds 2 chats .*read_all"):
        hubbub.read(samples.path("team"))
    assert len(hubbub.read_all(samples.path("team"))) == 2


def test_an_analysis_is_saved_and_opened(tmp_path: Path) -> None:
    analysis = hubbub.analyse(CHAT, threads="thread/previous")
    again = hubbub.open(analysis.save(tmp_path / "tea.jsonl"))
    assert again == analysis
    assert again.columns()["conversation"] == [1, 1, None, 1]


def test_an_analysis_as_an_arrow_table() -> None:
    pytest.importorskip("pyarrow")
    table = hubbub.analyse(CHAT, threads="thread/previous").to_arrow()
    assert table.num_rows == 4
    assert {"position", "author", "text", "parents", "conversation"} <= set(table.column_names)


@pytest.mark.parametrize(("library", "method"), [("pandas", "to_pandas"), ("polars", "to_polars")])
def test_an_analysis_as_a_data_frame(library: str, method: str) -> None:
    pytest.importorskip(library)
    frame = getattr(hubbub.analyse(CHAT, threads="thread/previous"), method)()
    assert frame.shape[0] == 4


def test_options_do_not_change_the_given_model() -> None:
    model = hubbub.load("thread/hubbub")
    hubbub.thread(CHAT, model, threshold=0.99)
    assert model.threshold == 0.0  # type: ignore[attr-defined]


def test_signatures_are_those_of_the_functions() -> None:
    assert list(inspect.signature(hubbub.thread).parameters) == ["chat", "model", "threshold", "second"]
    assert hubbub.read.__module__ == "hubbub.api"


def test_an_archive_in_python(tmp_path: Path) -> None:
    with hubbub.Archive(tmp_path / "a.db") as archive:
        assert archive.add(CHAT, replies=GRAPH, vectors=False) == 4
        assert archive.add(CHAT, replies=GRAPH, vectors=False) == 0
        (hit,) = archive.search("printer")
        assert archive.conversation(hit.conversation)[0].message.author == "cy"
        assert archive.contents().messages == 4


def test_training_takes_examples_or_files() -> None:
    with pytest.raises(TypeError, match="inputs and golds, or on="):
        hubbub.train("intent", ["a"])


@pytest.mark.parametrize("name", ["thread/hubbub", "people/hubbub", "intent/fast", "intent/accurate", "answer/hubbub"])
def test_the_repr_of_a_model_is_its_parameters(name: str) -> None:
    assert re.fullmatch(r"\w+\(.{0,150}\)", repr(hubbub.load(name)))
