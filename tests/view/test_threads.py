"""Conversations drawn: lanes beside the chat, notes where they are needed, numbers, each conversation on its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hubbub import Chat, Message
from hubbub.analysis import Analysis
from hubbub.layers import Layers, ReplyGraph
from hubbub.view import draw_threads as threads_module
from hubbub.view import lanes as lanes_module
from hubbub.view.draw_layers import draw, draw_layered
from hubbub.view.draw_threads import draw_conversations, draw_threads
from hubbub.view.lanes import Lanes, MessageRow, gutter
from hubbub.view.style import plain
from hubbub.view.wrap import display_width

SAID = [("ann", "wifi?"), ("bob", "tea?"), ("cyd", "which card"), ("bob", "anyone"), ("ann", "a blue one")]
CHAT = Chat("room", tuple(Message(str(n), datetime(2020, 1, 1, 9, n), who, text) for n, (who, text) in enumerate(SAID)))
GRAPH = ReplyGraph(((0,), (1,), (0,), (1,), (2,)))


def drawn(chat: Chat, graph: ReplyGraph, width: int = 60, numbers: bool = False) -> list[str]:
    return [plain(line) for line in draw([Analysis(chat, Layers(graph))], width, numbers=numbers)]


def rows(parents: Iterable[tuple[int, ...]], kind: str = "message") -> Iterator[MessageRow]:
    return (MessageRow(Message(str(n), None, f"p{n}", "hm", kind), each) for n, each in enumerate(parents))  # type: ignore[arg-type]


def lanes_of(parents: list[tuple[int, ...]], max_lanes: int = 8, ahead: int | None = None) -> list[str]:
    found = Lanes(max_lanes, ahead).over(rows(parents))
    return ["".join(segment.text for segment in gutter(each, 1)[0]).rstrip() for each in found]


def test_each_conversation_runs_in_a_lane_and_shows_where_it_starts_and_ends() -> None:
    found = [line for line in drawn(CHAT, GRAPH) if "09:0" in line]
    assert [row[1:4] for row in found] == ["○  ", "│ ○", "● │", "│ ◌", "◌  "]


def test_a_lane_is_used_again_when_its_conversation_is_over() -> None:
    assert lanes_of([(0,), (0,), (2,), (2,), (4,)]) == ["○", "◌", "○", "◌", "·"]


def test_beyond_the_last_lane_a_message_still_shows() -> None:
    assert lanes_of([(0,), (1,), (0,), (1,), (0,)], max_lanes=1) == ["○", "│ ·", "●", "│ ·", "◌"]


def test_a_message_of_two_parents_makes_one_conversation_of_two() -> None:
    parents = [(0,), (1,), (0, 1), (3,), (2,)]
    assert lanes_of(parents) == ["○", "●", "●", "│ ·", "◌"]
    messages = tuple(each.message for each in rows(parents))
    found = drawn(Chat("room", messages), ReplyGraph(tuple(parents)), numbers=True)
    expected = {each.number for each in ReplyGraph(tuple(parents)).conversations(Chat("room", messages))}
    assert [line[7] for line in found if line.endswith("hm")] == ["1", "1", "1", "2", "1"]
    assert expected == {1, 2}


def test_two_lanes_that_turn_out_to_be_one_conversation_become_one() -> None:
    assert lanes_of([(0,), (1,), (0,), (1,), (2, 3), (4,)], ahead=1)[-2:] == ["●", "◌"]


@given(st.lists(st.integers(0, 12), max_size=30), st.sampled_from([None, 3, 12, 50]))
def test_numbers_are_those_of_the_reply_graph(back: list[int], ahead: int | None) -> None:
    """With any look-ahead, since each message has one parent; only system lines alone have no number."""
    parents = [(max(0, position - step),) for position, step in enumerate(back)]
    given = [(each.row.message, each.own.number) for each in Lanes(4, ahead).over(rows(parents))]
    chat = Chat("room", tuple(message for message, _ in given))
    numbered = ReplyGraph(tuple(parents)).conversations(chat)
    assert [number for _, number in given] == [
        next(each.number for each in numbered if position in each.positions) for position in range(len(chat))
    ]


def test_system_lines_alone_have_neither_number_nor_lane() -> None:
    joined = Message("0", None, "ann", "ann joined", "system")
    chat = Chat("room", (joined, Message("1", None, "ann", "hi"), Message("2", None, "bob", "hi ann")))
    found = drawn(chat, ReplyGraph(((0,), (1,), (1,))), numbers=True)
    assert [line for line in found if line.endswith(("joined", "hi", "hi ann"))] == [
        "                  ·  ann joined",
        " ○   1          ann  hi",
        " ◌   1          bob  hi ann",
    ]
    assert " 3 messages · 2 people · 1 conversation" in found


def test_the_heading_counts_as_the_numbers_do() -> None:
    graph = ReplyGraph(((0,), (1,), (0,), (3,), (2,)))
    shown = "\n".join(drawn(CHAT, graph, 90, numbers=True))
    assert "3 conversations, 1 with replies" in shown
    assert len(graph.conversations(CHAT)) == 3
    for number in (1, 2, 3):
        alone = "\n".join(plain(line) for line in draw_conversations(CHAT, graph, 60, only=number))
        texts = [message.text for message in graph.conversations(CHAT)[number - 1]]
        assert f" Conversation {number}\n" in alone
        assert all(text in alone for text in texts)


def test_a_name_is_repeated_when_the_same_person_goes_on_in_another_conversation() -> None:
    messages = tuple(Message(str(n), datetime(2020, 1, 1, 9), "ann", f"text {n}") for n in range(3))
    found = drawn(Chat("room", messages), ReplyGraph(((0,), (1,), (1,))))
    assert ["ann" in line for line in found if "text" in line] == [True, True, False]


def test_a_legend_explains_the_symbols_that_were_used() -> None:
    assert drawn(CHAT, GRAPH)[-1] == " ○ starts  ● goes on  ◌ ends"
    replies = ReplyGraph(((0,), (1,), (0,), (0,), (0,)))
    assert drawn(CHAT, replies, 80)[-1] == " ○ starts  ● goes on  ◌ ends  · no lane  ↰ replies to"
    assert display_width(drawn(CHAT, replies, 40)[-1]) <= 40
    several = [plain(line) for line in draw([Analysis(CHAT, Layers(GRAPH))] * 2, 60)]
    assert sum("starts" in line for line in several) == 1


def test_forty_columns_leave_most_of_them_to_the_text() -> None:
    text = "a message that is long enough to be wrapped more than once in a drawing of forty columns"
    chat = Chat("room", (Message("0", datetime(2020, 1, 1, 9), "annabella", text), CHAT[1]))
    found = drawn(chat, ReplyGraph(((0,), (0,))), 40)
    assert found[7:10] == [
        " ○ 09:00 annabel… a message that is",
        " │ long enough to be wrapped more than",
        " │ once in a drawing of forty columns",
    ]


def test_a_stream_without_end_is_drawn_in_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes_module, "REACH", 30)
    monkeypatch.setattr(threads_module, "LOOK_AHEAD", 5)
    monkeypatch.setattr(threads_module, "HEADING_AHEAD", 10)
    taken = count()
    endless = rows((max(0, next(taken) - 2),) for _ in count())
    lines = [plain(line) for line in islice(draw_threads("room", endless, 60), 20)]
    assert lines[2] == " more than 10 messages"
    assert next(taken) < 40
    tracker = Lanes(8, 5)
    assert len(list(islice(tracker.over(rows((max(0, n - 2),) for n in range(500))), 400))) == 400
    assert len(tracker._known) == 30


def test_a_stream_ends_with_what_its_heading_could_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads_module, "HEADING_AHEAD", 10)
    lines = [plain(line) for line in draw_threads("room", rows([(n // 2 * 2,) for n in range(41)]), 60)]
    assert lines[2] == " more than 10 messages"
    assert lines[-1] == " 41 messages · 21 conversations, 20 with replies"


def test_a_conversation_that_goes_on_after_the_look_ahead_keeps_its_number() -> None:
    parents = [(0,), (0,), *((n,) for n in range(2, 12)), (0,), (12,)]
    found = list(Lanes(8, 5).over(rows(parents)))
    assert [each.own.number for each in found[-2:]] == [1, 1]
    assert [each.symbol for each in found[:2] + found[-2:]] == ["○", "◌", "●", "◌"]


def test_a_note_names_whom_a_message_replies_to_only_where_nothing_else_tells() -> None:
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
    assert ReplyGraph(((0,), (1,))).conversations(chat)[0].positions == (1,)


def test_without_a_reply_graph_the_chat_is_drawn_plain() -> None:
    assert not any("○" in plain(line) for line in draw_layered(CHAT, Layers(), 60))


@given(st.lists(st.integers(0, 12), max_size=12), st.integers(30, 100))
def test_any_graph_stays_within_the_width(back: list[int], width: int) -> None:
    parents = tuple((max(0, position - step),) for position, step in enumerate(back))
    messages = tuple(Message(str(n), None, f"somebody{n}", "words and words " * 3) for n in range(len(back)))
    for numbers in (False, True):
        lines = drawn(Chat("room", messages), ReplyGraph(parents), width, numbers)
        assert all(display_width(line) <= width for line in lines)
