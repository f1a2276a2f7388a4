"""JSON in parts: the same values as from a whole document, in bounded memory, and what precedes a defect is read."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hubbub.chat import Message
from hubbub.errors import Broken, HubbubError, InputError, TooLarge
from hubbub.read import stream
from hubbub.read.assembly import sorting as ordering
from hubbub.read.assembly.chat_streams import Ids, in_time_order
from hubbub.read.input import lines
from hubbub.read.parsing import json_stream
from hubbub.read.parsing.json_stream import walk

from ...accounting import account
from ...conftest import Put, Run
from ...reading import source_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


def telegram(count: int = 5, text: str = "hi") -> dict[str, Any]:
    records = [
        {"id": n, "type": "message", "date_unixtime": str(1_600_000_000 + n), "from": "Ann", "text": f"{text} {n}"}
        for n in range(count)
    ]
    return {"name": "Tea", "type": "private_group", "id": 7, "messages": records}


def discord(count: int = 5) -> dict[str, Any]:
    stamp = "2023-01-01T10:00:00+00:00"
    records = [
        {"id": str(n), "type": "Default", "timestamp": stamp, "content": f"hi {n}", "author": {"name": "ann"}}
        for n in range(count)
    ]
    return {"guild": {"name": "G"}, "channel": {"name": "c"}, "dateRange": {}, "messages": records}


def matrix(count: int = 5) -> dict[str, Any]:
    records = [
        {"event_id": f"${n}", "type": "m.room.message", "sender": "@ann:x", "origin_server_ts": 1_600_000_000_000 + n,
         "content": {"msgtype": "m.text", "body": f"hi {n}"}}
        for n in range(count)
    ]  # fmt: skip
    return {"room_name": "R", "room_creator": "Ann", "exported_by": "Ann", "messages": records}


SHAPES = {"telegram": telegram, "discord": discord, "matrix": matrix}


def rebuilt(document: bytes) -> Any:
    """The document put together again from its parts; everything is entered two levels deep."""
    root: list[Any] = []
    waiting: list[Any] = [root]
    for path, kind, value in walk(source_of(document), lambda path: "{[" if len(path) < 3 else ""):
        if kind == "items":
            waiting[-1] += value
        elif kind == "end":
            waiting.pop()
        else:
            made = value if kind == "value" else {} if value == "{" else []
            if isinstance(waiting[-1], dict):
                waiting[-1][path[-1]] = made
            else:
                waiting[-1].append(made)
            if kind == "start":
                waiting.append(made)
    return root[0]


@given(VALUES, st.booleans(), st.integers(1, 9), st.sampled_from([None, 1]))
def test_parts_put_together_are_the_document(value: object, escaped: bool, block: int, indent: int | None) -> None:
    document = json.dumps(value, ensure_ascii=escaped, indent=indent).encode("utf-8", "replace")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "WINDOW", 4)
        patch.setattr(lines, "BLOCK", block)
        assert rebuilt(document) == json.loads(document)


@given(VALUES, st.data(), st.sampled_from(b'{}[],:"x1\\ '))
def test_whatever_is_no_json_is_broken(value: object, data: st.DataObject, other: int) -> None:
    damaged = bytearray(json.dumps(value).encode())
    damaged[data.draw(st.integers(0, len(damaged) - 1))] = other
    try:
        right = json.loads(damaged, strict=False)
    except ValueError:
        with pytest.raises(Broken, match=r"line 1, column \d+: no valid JSON"):
            rebuilt(bytes(damaged))
    else:
        assert rebuilt(bytes(damaged)) == right or len(str(right)) < len(damaged)  # two members of one name


@pytest.mark.parametrize("shape", sorted(SHAPES))
@pytest.mark.parametrize("window", [16, json_stream.WINDOW])
def test_a_cut_export_is_read_up_to_the_cut(put: Put, shape: str, window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "WINDOW", window)
    whole = json.dumps(SHAPES[shape]()).encode()
    start = whole.index(b'"messages"')
    for cut in range(start, len(whole) - 1, 7):
        path = put("export.json", whole[:cut])
        complete = whole[start:cut].count(b'"hi ') and json_records(whole, start, cut)
        if not complete:
            with pytest.raises(InputError):
                account(path, format=shape)
            continue
        count, report = account(path, format=shape)
        assert count == complete
        (left,) = report.left_out
        assert f"after record {complete}: " in left.reason


def json_records(whole: bytes, start: int, cut: int) -> int:
    """How many records of the list are complete, with the comma or bracket that shows it, before a cut."""
    records = json.loads(whole)["messages"]
    at, count = whole.index(b"[", start) + 1, 0
    for record in records:
        at += len(json.dumps(record))
        if at > cut:
            break
        count += 1
        at += len(", ")
    return count


@pytest.mark.parametrize("shape", sorted(SHAPES))
@pytest.mark.parametrize(
    ("defect", "reason"),
    [("[" * 100_000, "nested too deep"), ("1" * 5000, "too many digits"), ("{'a': 1}", "no valid JSON")],
)
def test_what_precedes_a_defect_is_read(run: Run, put: Put, shape: str, defect: str, reason: str) -> None:
    whole = json.dumps(SHAPES[shape]())
    ran = run("read", put("export.json", f"{whole[:-2]}, {defect}]}}"))
    assert ran.status == 3
    assert len(ran.records()) == 6
    assert ran.err.count("could not be read") == 1
    assert "after record 5: " in ran.err
    assert reason in ran.err


def test_a_value_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (json_stream, lines):
        monkeypatch.setattr(module, "LONGEST_LINE", 5_000_000)
    with pytest.raises(TooLarge, match="a value in line 2 has more than 5,000,000 bytes"):
        rebuilt(b'{"a":\n"' + b"x" * 30_000_000 + b'"}')


def test_escapes_of_telegram_are_repaired_wherever_the_window_ends(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = json.dumps(telegram(3, "a~b@")).replace("~", "\\x0B").replace("@", "\\\\x0B")
    for window in range(1, 40):
        monkeypatch.setattr(json_stream, "WINDOW", window)
        monkeypatch.setattr(lines, "BLOCK", 3 * window)
        (chat,) = stream(put("result.json", whole), format="telegram")
        assert [message.text for message in chat] == [f"ab\\x0B {n}" for n in range(3)]


def test_a_whole_account_is_read_in_one_pass(put: Put) -> None:
    chats = [{**telegram(3), "name": name, "id": number} for number, name in enumerate(("Tea", "Tea", "Den"))]
    document = {"about": "x", "contacts": {"list": []}, "chats": {"about": "y", "list": chats}, "left_chats": chats[:1]}
    found = {one.name: [message.text for message in one] for one in stream(put("result.json", json.dumps(document)))}
    assert found == {name: ["hi 0", "hi 1", "hi 2"] for name in ("Tea (0)", "Tea (1)", "Tea (0) (2)", "Den")}


def peak(path: Path) -> int:
    tracemalloc.start()
    try:
        assert sum(1 for one in stream(path, bridges=False) for _ in one) > 0
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("shape", ["telegram", "discord"])
def test_memory_does_not_grow_with_the_document(put: Put, shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordering, "MOST_ITEMS", 500)
    monkeypatch.setattr(json_stream, "WINDOW", 1 << 16)
    monkeypatch.setattr(lines, "BLOCK", 1 << 14)
    small, large = (peak(put(f"{n}.json", json.dumps(SHAPES[shape](n)))) for n in (2_000, 40_000))
    assert large < small + 2_000_000


@given(st.lists(st.integers(0, 50), max_size=60), st.integers(1, 9))
def test_order_on_disk_is_the_order_in_memory(keys: list[int], most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ordering, "MOST_ITEMS", most)
        patch.setattr(ordering, "BATCH_ITEMS", 2)
        found: ordering.Sorted[int] = ordering.Sorted()
        for position, key in enumerate(keys):
            found.add(key, position, 1)
        expected = sorted(range(len(keys)), key=lambda position: keys[position])
        assert list(found) == expected == list(found)


@given(st.lists(st.none() | st.datetimes(), max_size=30), st.integers(1, 9))
def test_messages_without_a_time_stay_in_place(times: list[Any], most: int) -> None:
    messages = [Message(str(number), time, "ann", "hi") for number, time in enumerate(times)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ordering, "MOST_ITEMS", most)
        found = ordering.InTime()
        for message in messages:
            found.add(message)
        assert list(found) == in_time_order(messages)


@given(st.lists(st.sampled_from(["", "0", "1", "01", "2", "2~2", "٣", "#1", "a", "9" * 19, "9" * 25]), max_size=40))
def test_no_two_ids_are_equal(wanted: list[str]) -> None:
    ids = Ids()
    given_out = [ids.take(id) for id in wanted]
    assert len(set(given_out)) == len(given_out)
    assert all(given_out[n] == id or id in given_out[:n] or not id for n, id in enumerate(wanted))


def test_a_document_of_one_deep_nest_is_a_sentence(put: Put) -> None:
    start = json.dumps(telegram(0))[:-2]
    with pytest.raises(HubbubError, match="nested too deep"):
        list(stream(put("result.json", start + "[" * 100_000), format="telegram"))


def test_ids_that_are_all_the_same_take_no_long_time() -> None:
    ids = Ids()
    found = [ids.take("message1") for _ in range(200_000)]
    assert found[:3] == ["message1", "message1~2", "message1~3"]
    assert len(set(found)) == len(found)
