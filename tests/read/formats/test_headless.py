"""Tables without a heading: read where their content says what is what, left alone where it does not."""

from __future__ import annotations

import logging

import pytest

from hubbub.errors import HubbubError, OptionError, WrongFormat
from hubbub.read import stream
from hubbub.read.detect.file_head import Sample
from hubbub.read.formats import format_named

from ...accounting import account
from ...conftest import Put, Run
from ...golden import SAMPLES
from ...reading import read_all, read_one, said, source_of

ROWS = "2024-01-01 10:00,ann,hi there everybody\n2024-01-01 10:01,bob,yes you too\n2024-01-01 10:02,ann,text\n"


def claimed(text: str) -> bool:
    return any(format_named(name).sniff(Sample(source_of(text))) for name in ("csv", "tsv"))


def test_columns_are_told_by_their_content(put: Put, caplog: pytest.LogCaptureFixture) -> None:
    path = put("a.csv", ROWS)
    with caplog.at_level(logging.WARNING, "hubbub"):
        (one,) = stream(path)
    messages = list(one)
    assert (one.format, said(messages)[0]) == ("csv", ("ann", "hi there everybody"))
    assert [message.time.minute for message in messages if message.time] == [0, 1, 2]
    assert len(caplog.messages) == 1
    assert "column 1 is taken for the time, 2 is taken for the author, 3 is taken for the text" in caplog.text


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("{n};2024-01-0{n};10:0{n};{a};{t}", "2024-01-01T10:01:00"),
        ("{t}|{a}|0{n}/28/2024 3:00 PM", "2024-01-28T15:00:00"),
        ("170000000{n},{a},#tea,{t}", "2023-11-14T22:13:21+00:00"),
        ("{a}\t{t}\t2024-01-0{n}T10:00:00Z", "2024-01-01T10:00:00+00:00"),
        ("{n},{a},{t}", None),
    ],
)
def test_many_layouts(row: str, expected: str | None) -> None:
    table = "\n".join(row.format(n=n, a="bob" if n % 3 else "ann", t=f"a text of row {n}") for n in range(1, 6))
    assert claimed(table)
    first = read_one("csv", table)[0]
    assert (first.author, first.text) == ("bob", "a text of row 1")
    assert (first.time.isoformat() if first.time else None) == expected


@pytest.mark.parametrize("texts", [["hi there"], ["see you", "ok"], ["yes please", "no thanks"], ["ok", "no", "lol"]])
@pytest.mark.parametrize("minute", [0, 1])
def test_texts_and_times_may_repeat(texts: list[str], minute: int) -> None:
    rows = [
        f"2024-01-01 10:0{minute * n},{'Annabelle' if n % 2 else 'Bob'},{texts[n // 2 % len(texts)]}" for n in range(9)
    ]
    assert claimed("\n".join(rows))
    assert said(read_one("csv", "\n".join(rows)))[:2] == [("Bob", texts[0]), ("Annabelle", texts[0])]


@pytest.mark.parametrize("texts", [["OK"], ["UP", "DOWN", "UNKNOWN"], ["info", "error", "warning"], ["21.5", "3", "4"]])
def test_what_a_machine_measures_is_no_chat(texts: list[str]) -> None:
    rows = [f"2024-01-01 10:0{n},host{n % 2},{texts[n % len(texts)]}" for n in range(9)]
    assert not claimed("\n".join(rows))


@pytest.mark.parametrize(
    "text",
    [
        "[10:00] <ann> well, hi\n[10:01] <bob> yes, you\n[10:02] <ann> fine, then\n",
        "ANN: well, hi\nBOB: yes, you\nANN: fine, then\n",
        "well, it was dark, and stormy\nhe said, go away, now\nshe said, never ever, no\n",
        "1,2,3\n4,5,6\n7,8,9\n",
        (
            "2024-01-01 10:00:00,INFO,server has started\n2024-01-01 10:00:01,ERROR,it went wrong\n"
            "2024-01-01 10:00:02,INFO,server has ended\n"
        ),
        "2024-01-01,12.5,3\n2024-01-02,13.5,4\n2024-01-03,14.5,5\n",
        "wann;wer;was\n2024-01-01 10:00;ann;hallo zusammen\n2024-01-01 10:01;bob;ja du\n2024-01-01 10:02;ann;gut so\n",
        "2024-01-01 10:00,ann,hi there\n",
    ],
)
def test_what_is_not_sure_is_not_claimed(text: str) -> None:
    assert not claimed(text)


def test_a_first_row_that_has_a_column_name_as_its_text_is_no_heading() -> None:
    lines = ROWS.splitlines()
    table = "\n".join([lines[2], *lines[:2]])
    assert [text for _, text in said(read_one("csv", table))] == ["text", "hi there everybody", "yes you too"]


@pytest.mark.parametrize("first", ["2024-01-01 10:00,ann,text", "2024-01-01 10:00,author,text", "17,user,message"])
def test_a_first_row_is_told_by_its_time_or_id_whatever_its_words(first: str) -> None:
    mark = "2024-01-01 11:{n}" if "-" in first else "{n}"
    rows = [f"{mark.format(n=n)},{'bob' if n % 2 else 'ann'},some words {n}" for n in range(20, 30)]
    assert len(read_one("csv", "\n".join([first, *rows]))) == 11


@pytest.mark.parametrize("time", ["10:{n}", "17000000{n}", "2024-01-01 10:{n}", "{n}"])
@pytest.mark.parametrize("heading", ["wann,wer,was", "when,who,text"])
def test_a_heading_stays_a_heading(time: str, heading: str) -> None:
    rows = [f"{time.format(n=n)},{'bob' if n % 2 else 'ann'},some words {n}" for n in range(10, 60)]
    table = "\n".join([heading, *rows])
    when, who, text = heading.split(",")
    for columns in ({"time": when, "author": who, "text": text}, {"time": "1", "author": "2", "text": "3"}):
        found, report = read_all("csv", table, columns)
        assert [len(messages) for messages in found.values()] == [50]
        assert report.skipped == {"the names of the columns": 1}
        assert said(next(iter(found.values())))[0] == ("ann", "some words 10")
    assert claimed(table) is (heading == "when,who,text")


def test_numbers_name_the_columns_of_a_table_that_nothing_else_tells(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "hubbub"):
        messages = read_one("csv", "ann,hi there\nbob,yes you\n", {"author": "1", "text": "2"})
    assert said(messages) == [("ann", "hi there"), ("bob", "yes you")]
    assert caplog.messages == ["sample: nothing tells whether the first line is a heading, so that it is read as a row"]


def test_too_few_rows_without_a_heading_are_not_read_as_one_with_it(put: Put) -> None:
    table = "2024-01-01 10:00,ann,text\n2024-01-01 10:01,bob,yes you too\n"
    assert not claimed(table)
    with pytest.raises(WrongFormat, match=r"its first line is a row"):
        read_one("csv", table)
    assert len(read_one("csv", table, {"time": "1", "author": "2", "text": "3"})) == 2


def test_the_command_line_says_once_what_was_guessed(run: Run, put: Put) -> None:
    path = put("a.csv", ROWS)
    ran = run("read", path)
    assert (ran.status, len(ran.records())) == (0, 4)
    assert ran.err == (
        f"hubbub: {path} has no heading: column 1 is taken for the time, 2 is taken for the author, 3 is taken for the"
        " text (--columns time=1,author=2,text=3 would say so).\n"
    )
    assert run("read", path, "--columns", "time=1,author=3,text=2").err == ""


def test_the_user_names_columns_by_their_places() -> None:
    messages = read_one("csv", ROWS, {"author": "3", "text": "2"})
    assert said(messages)[0] == ("hi there everybody", "ann")
    assert messages[0].time is not None


def test_what_the_user_names_in_full_is_not_said_again(caplog: pytest.LogCaptureFixture) -> None:
    read_one("csv", ROWS, {"time": "1", "author": "2", "text": "3"})
    assert not caplog.messages


@pytest.mark.parametrize("column", ["who", "0", "9"])
def test_a_place_that_is_not_there_lists_those_that_are(column: str) -> None:
    with pytest.raises(OptionError, match=r"has no column .*; it has 3 columns: 1, 2, 3\."):
        read_one("csv", ROWS, {"author": column})


def test_every_line_is_accounted_for() -> None:
    count, report = account(SAMPLES / "csv" / "no_heading.csv")
    assert (report.total, count, report.continued, report.skipped) == (7, 5, 1, {"blank line": 1})
    account(SAMPLES / "tsv" / "no_heading.tsv")


def test_a_row_of_another_width_is_named() -> None:
    rows = "".join(f"2024-01-01 10:{n},{'ann' if n % 2 else 'bob'},some words {n}\n" for n in range(10, 40))
    _, report = read_all("csv", rows + "2024-01-01 11:00,ann,a,b\n")
    assert report.unexplained == {"more cells than there are columns": 1}


def test_a_table_that_says_nothing_is_an_error(put: Put) -> None:
    with pytest.raises(HubbubError, match="no column looks like the text"):
        list(stream(put("a.csv", "1,2,3\n4,5,6\n7,8,9\n"), format="csv"))


def test_names_before_a_tab_are_no_events_of_irc(put: Put) -> None:
    rows = [f"2024-01-01 10:0{n}\t{'Bob' if n % 3 else 'Ann'}\tok {'then' * (n % 2)}" for n in range(8)]
    (one,) = stream(put("a.txt", "\n".join(rows)))
    assert one.format == "tsv"
    assert said(list(one))[1] == ("Bob", "ok then")
