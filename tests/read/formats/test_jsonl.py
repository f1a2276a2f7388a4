from __future__ import annotations

import pytest

from hubbub.errors import WrongFormat
from hubbub.read.detect.file_head import Sample
from hubbub.read.formats import format_named

from ...reading import read_all, read_one, said, source_of, unexplained


def test_a_bad_line_is_named_and_not_the_end() -> None:
    found, report = read_all(
        "jsonl", '{"nick":"ana","text":"a"}\n{"nick":\n[1]\n\n{"nick":"x"}\n{"nick":"b","text":"c"}\n'
    )
    assert said(found["sample"]) == [("ana", "a"), ("b", "c")]
    assert unexplained(report) == [
        (2, "not a JSON object"),
        (3, "not a JSON object"),
        (5, "a record without a text"),
    ]


def test_a_key_may_come_late() -> None:
    many = '{"nick":"ana","text":"filler"}\n' * 5000
    messages = read_one("jsonl", many + '{"nick":"ben","text":"late","reply_to":4}\n')
    assert messages[-1].reply_to == ("4",)


def test_any_value_anywhere() -> None:
    (message,) = read_one("jsonl", '{"nick":["a"],"text":{"x":1},"time":[],"kind":{},"reply_to":[1,null],"id":{}}\n')
    assert message == ("{}", None, '["a"]', '{"x": 1}', "message", ("1",), None)


def test_a_number_that_no_calendar_holds() -> None:
    assert read_one("jsonl", f'{{"nick":"ana","text":"a","time":{"9" * 400}}}\n')[0].time is None


def test_lines_that_are_no_objects() -> None:
    with pytest.raises(WrongFormat, match="no line of its beginning is a JSON object"):
        read_all("jsonl", "hello\n")


@pytest.mark.parametrize("text", ['{"messages": [{"text": "a", "from": "b"}]}', '{\n"text": "a",\n"from": "b"\n}'])
def test_a_json_document_is_no_table(text: str) -> None:
    assert format_named("jsonl").sniff(Sample(source_of(text))) is None


def test_every_line_is_accounted_for() -> None:
    found, report = read_all("jsonl", '{"author": "a", "text": "x"}\n\n{"author": "b"}\n[1]\n')
    assert (report.total, report.unaccounted(sum(map(len, found.values())))) == (4, 0)
    assert (report.skipped.total(), report.unexplained.total()) == (1, 2)
