"""The JSON-lines format: records that are no messages or layer rows are refused, others come back as they were."""

from __future__ import annotations

import json

import pytest

from hubbub.jsonl import LayerRows, layer_lines, message_of

MESSAGE = {"id": "1", "time": None, "author": "ada", "text": "hi", "kind": "message", "reply_to": ["0"]}
ROWS = (
    '{"layer":"replies","position":1,"parents":[0],"scores":[0.5]}',
    '{"layer":"person","id":"p1","names":["Ada"],"gender":"f","relations":[["sister","p2"]]}',
    '{"layer":"link","mention":{"position":0,"start":0,"end":2},"people":["p1"],"score":0.5}',
    '{"layer":"intent","position":1,"name":null,"score":0.25,"ranking":[["greet",0.5]]}',
    '{"layer":"reply","text":"hello","score":1.5,"source":"log"}',
    '{"layer":"relay","position":0,"author":"bot","cut":[[0,"<ada> "]],"kind":"action"}',
)


@pytest.mark.parametrize("line", ROWS)
def test_a_layer_row_comes_back_as_it_was(line: str) -> None:
    rows = LayerRows(length=2)
    rows.add(json.loads(line))
    assert json.loads(line) in [json.loads(each) for each in layer_lines(rows.layers())]


def test_a_row_of_replies_without_a_position_is_an_empty_graph() -> None:
    rows = LayerRows(length=2)
    rows.add({"layer": "replies"})
    graph = rows.layers().replies
    assert graph is not None
    assert graph.parents == ((), ())


@pytest.mark.parametrize(
    "line",
    [
        '{"layer":"replies","position":1}',
        '{"layer":"replies","position":2,"parents":[0]}',
        '{"layer":"replies","position":1,"parents":[2]}',
        '{"layer":"replies","position":true,"parents":[0]}',
        '{"layer":"replies","position":1,"parents":[0],"scores":[NaN]}',
        '{"layer":"reply","text":"x","score":Infinity,"source":""}',
        '{"layer":"reply","text":"x","score":1' + "0" * 400 + ',"source":""}',
        '{"layer":"person","id":"p1","names":"Ada"}',
        '{"layer":"link","mention":{"position":0,"start":-1,"end":2},"people":[],"score":0}',
        '{"layer":"intent","position":1,"score":0.5,"ranking":[]}',
        '{"layer":"relay","position":0,"author":"bot","kind":"whisper"}',
        '{"layer":"weather"}',
        '{"layer":3}',
    ],
)
def test_a_record_that_is_no_layer_row_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        LayerRows(length=2).add(json.loads(line))


@pytest.mark.parametrize(
    "wrong", [{"id": 1}, {"reply_to": "01"}, {"kind": "whisper"}, {"time": "noon"}, {"text": None}]
)
def test_a_record_that_is_no_message_is_refused(wrong: dict[str, object]) -> None:
    assert message_of(MESSAGE).reply_to == ("0",)
    with pytest.raises(ValueError, match=r"\w"):
        message_of({**MESSAGE, **wrong})
