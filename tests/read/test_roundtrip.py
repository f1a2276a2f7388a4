"""Whatever a chat holds, it comes back: exactly through JSON lines, and through CSV and Parquet within their limits.

JSON lines: every field of every message, every chat, every layer, broken halves of characters included.
Parquet: exact but for lone surrogates, which become U+FFFD; chats of one name become one, chats without messages none.
CSV: as Parquet; control characters are written as escapes that are read back.
"""

from __future__ import annotations

import io
import tempfile
from datetime import UTC, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hubbub import jsonl as pipe
from hubbub.chat import KINDS, Chat, Message
from hubbub.layers import Intent, Layers, Link, Mention, Person, Reply, ReplyGraph
from hubbub.read import ChatStream, stream
from hubbub.view.export import WRITERS, write

EXAMPLES = settings(max_examples=60)

any_text = st.text(st.characters(), max_size=30)
whole_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
escapes = st.sampled_from(["\\x1b", "\\x5c", "\\\\x9b", "\\x7F", "\\x41", "\\", "\r\n", "\0", "\x1b", "\x9b"])
csv_text = whole_text | st.lists(escapes | whole_text, max_size=5).map("".join)
zones = st.none() | st.just(UTC) | st.integers(-86399, 86399).map(lambda s: timezone(timedelta(seconds=s)))
scores = st.floats(0, 1)


def messages(text: st.SearchStrategy[str]) -> st.SearchStrategy[Message]:
    return st.builds(
        Message,
        text,
        st.none() | st.datetimes(timezones=zones),
        text,
        text,
        st.sampled_from(KINDS),
        st.lists(text, max_size=3).map(tuple),
        st.none() | st.times(timezones=zones),
    )


def chats(text: st.SearchStrategy[str], fewest: int = 0) -> st.SearchStrategy[Chat]:
    return st.builds(Chat, text, st.lists(messages(text), min_size=fewest, max_size=6).map(tuple), text)


@st.composite
def layers_of(draw: st.DrawFn, length: int) -> Layers:
    """Any layers over a chat; a reply graph without any link has no scores to keep."""
    words = st.lists(any_text, max_size=3).map(tuple)
    answers = tuple(draw(st.lists(st.builds(Reply, any_text, scores, any_text), max_size=2)))
    relations = st.lists(st.tuples(any_text, any_text), max_size=2).map(tuple)
    people = tuple(draw(st.lists(st.builds(Person, any_text, words, any_text, relations), max_size=2)))
    if not length:
        return Layers(draw(st.none() | st.just(ReplyGraph(()))), people, answers=answers)
    position = st.integers(0, length - 1)
    spot = st.builds(Mention, position, st.integers(0, 99), st.integers(0, 99))
    ranking = st.lists(st.tuples(any_text, scores), max_size=3).map(tuple)
    return Layers(
        draw(st.none() | graphs(length)),
        people,
        tuple(draw(st.lists(st.builds(Link, spot, words, scores), max_size=2))),
        tuple(draw(st.lists(st.builds(Intent, position, st.none() | any_text, scores, ranking), max_size=2))),
        answers,
    )


@st.composite
def graphs(draw: st.DrawFn, length: int) -> ReplyGraph:
    parents = tuple(tuple(draw(st.lists(st.integers(0, length - 1), max_size=2))) for _ in range(length))
    if not any(parents) or draw(st.booleans()):
        return ReplyGraph(parents)
    return ReplyGraph(parents, tuple(tuple(draw(scores) for _ in each) for each in parents))


@st.composite
def layered(draw: st.DrawFn) -> tuple[Chat, Layers]:
    chat = draw(chats(any_text))
    return chat, draw(layers_of(len(chat)))


def shown(messages: tuple[Message, ...]) -> list[str]:
    """Every field to the letter: equal times of different zones are not the same."""
    return [pipe.message_line(message) for message in messages]


def written(chats: list[Chat], to: str) -> bytes:
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    WRITERS[to]((ChatStream(chat.name, chat.format, iter(chat)) for chat in chats), out)
    out.flush()
    out.buffer.seek(0)
    return out.buffer.read()


def read_back(data: bytes) -> list[tuple[Chat, Layers]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "chats")
        path.write_bytes(data)
        return [(passing.chat(), passing.layers()) for passing in stream(path)]


@EXAMPLES
@given(st.lists(layered(), min_size=1, max_size=3))
def test_json_lines_keep_everything(pairs: list[tuple[Chat, Layers]]) -> None:
    lines = [line for chat, layers in pairs for line in pipe.chat_lines(chat, layers)]
    assert list(pipe.load(lines)) == pairs
    back = read_back("".join(f"{line}\n" for line in lines).encode())
    assert back == pairs
    assert [shown(chat.messages) for chat, _ in back] == [shown(chat.messages) for chat, _ in pairs]
    assert [line for chat, layers in back for line in pipe.chat_lines(chat, layers)] == lines


@EXAMPLES
@given(st.lists(chats(csv_text, fewest=1), min_size=1, max_size=3, unique_by=lambda chat: chat.name))
def test_csv_comes_back(made: list[Chat]) -> None:
    back = [chat for chat, _ in read_back(written(made, "csv"))]
    assert [(chat.name, shown(chat.messages)) for chat in back] == [(chat.name, shown(chat.messages)) for chat in made]


@EXAMPLES
@given(st.lists(chats(whole_text, fewest=1), min_size=1, max_size=3, unique_by=lambda chat: chat.name))
def test_parquet_comes_back(made: list[Chat]) -> None:
    pytest.importorskip("pyarrow")
    back = [chat for chat, _ in read_back(written(made, "parquet"))]
    assert [(chat.name, shown(chat.messages)) for chat in back] == [(chat.name, shown(chat.messages)) for chat in made]


@EXAMPLES
@given(st.lists(chats(any_text), max_size=2))
def test_any_chat_can_be_written_as_anything(made: list[Chat]) -> None:
    for to in ("jsonl", "csv", "text", "summary"):
        written(made, to).decode("utf-8")


def test_verbs_pass_layers_on(tmp_path: Path) -> None:
    chat = Chat("#a", (Message("0", None, "ana", "hi"),), "irssi")
    lines = "".join(f"{line}\n" for line in pipe.chat_lines(chat, Layers(ReplyGraph(((0,),)))))
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    one.write_text(lines, encoding="utf-8")
    write(stream(one), "jsonl", str(other))
    assert other.read_text(encoding="utf-8") == lines
