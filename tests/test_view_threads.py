"""Conversations drawn: lanes beside the chat, arcs where they are needed, each conversation on its own."""

from __future__ import annotations

from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from hubbub import Chat, Message
from hubbub.layers import Layers, ReplyGraph
from hubbub.view.drawing import draw_layered
from hubbub.view.lanes import Lanes
from hubbub.view.style import plain
from hubbub.view.threads import draw_conversations, draw_threads
from hubbub.view.wrap import display_width

SAID = [("ann", "wifi?"), ("bob", "tea?"), ("cyd", "which card"), ("bob", "anyone"), ("ann", "a blue one")]
CHAT = Chat("room", tuple(Message(str(n), datetime(2020, 1, 1, 9, n), who, text) for n, (who, text) in enumerate(SAID)))
GRAPH = ReplyGraph(((0,), (1,), (0,), (1,), (2,)))


def drawn(chat: Chat, graph: ReplyGraph, width: int = 60) -> list[str]:
    return [plain(line) for line in draw_threads(chat, graph, width)]


def test_each_conversation_runs_in_a_lane_of_its_own() -> None:
    rows = [line for line in drawn(CHAT, GRAPH) if "09:0" in line]
    assert [row[1:4] for row in rows] == ["●  ", "│ ●", "● │", "│ ●", "●  "]


def test_a_lane_is_used_again_when_its_conversation_is_over() -> None:
    graph = ReplyGraph(((0,), (0,), (2,), (2,), (4,)))
    assert Lanes.of(graph).columns == ((0,), (0,), (1,), (1,), ())


def test_beyond_the_last_lane_a_message_still_shows() -> None:
    graph = ReplyGraph(((0,), (1,), (0,), (1,), (0,)))
    lanes = Lanes.of(graph, most=1)
    assert lanes.columns[1] == (0,)
    assert "".join(span.text for span in lanes.gutter(1, 1)[0]) == "│ · "


def test_an_arc_names_whom_a_message_answers_only_where_nothing_else_tells() -> None:
    graph = ReplyGraph(((0,), (0,), (0,), (0,), (0,)))
    texts = [line for line in drawn(CHAT, graph) if "09:0" in line]
    assert "↰" not in texts[1]
    assert "↰ ann which card" in texts[2]
    addressed = Chat("room", (*CHAT[:2], CHAT[2]._replace(text="ann: which card")))
    assert not any("↰" in line for line in drawn(addressed, ReplyGraph(graph.parents[:3])))


def test_each_conversation_whole_or_one_of_them() -> None:
    every = "\n".join(plain(line) for line in draw_conversations(CHAT, GRAPH, 60))
    assert every.index("a blue one") < every.index("tea?")
    only = "\n".join(plain(line) for line in draw_conversations(CHAT, GRAPH, 60, only=2))
    assert "tea?" in only
    assert "wifi?" not in only


def test_announcements_are_no_conversation() -> None:
    chat = Chat("room", (Message("0", None, "ann", "ann joined", "system"), Message("1", None, "ann", "hi")))
    assert ReplyGraph(((0,), (1,))).spoken(chat) == [(1, (1,))]


def test_without_a_reply_graph_the_chat_is_drawn_plain() -> None:
    assert not any("●" in plain(line) for line in draw_layered(CHAT, Layers(), 60))


@given(st.lists(st.integers(0, 12), max_size=12), st.integers(30, 100))
def test_any_graph_stays_within_the_width(back: list[int], width: int) -> None:
    parents = tuple((max(0, position - step),) for position, step in enumerate(back))
    messages = tuple(Message(str(n), None, f"somebody{n}", "words and words " * 3) for n in range(len(back)))
    lines = drawn(Chat("room", messages), ReplyGraph(parents), width)
    assert all(display_width(line) <= width for line in lines)
