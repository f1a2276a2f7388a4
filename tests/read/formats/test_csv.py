from __future__ import annotations

import io
import subprocess
import sys
from datetime import UTC, date, datetime, time

import pytest

import hubbub
from hubbub import Chat, Message
from hubbub.errors import OptionError, WrongFormat
from hubbub.read import ChatStream, stream
from hubbub.read.detect.file_head import Sample
from hubbub.read.formats import format_named
from hubbub.view.export import WRITERS

from ...conftest import Put
from ...reading import read_all, read_one, said, source_of, unexplained


def score(format: str, text: str) -> float:
    clue = format_named(format).sniff(Sample(source_of(text)))
    return clue.score if clue else 0.0


@pytest.mark.parametrize("delimiter", [",", ";", "|", "\t"])
def test_the_delimiter_is_told_from_the_content(delimiter: str) -> None:
    table = delimiter.join(["Nick", "Body"]) + "\n" + delimiter.join(["ana", "a b"]) + "\n"
    assert said(read_one("csv", table)) == [("ana", "a b")]


def test_columns_are_guessed_whatever_their_case_and_separators() -> None:
    (message,) = read_one("csv", "Message-ID,created_at,User Name,MESSAGE,parentId\n7,2020-01-02T03:04:05Z,Ana,hi,6\n")
    assert message == ("7", datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC), "Ana", "hi", "message", ("6",), None)


def test_columns_can_be_mapped() -> None:
    assert said(read_one("csv", "a,b\nana,hi\n", {"author": "a", "text": "B"})) == [("ana", "hi")]


def test_a_column_that_is_not_there_lists_those_that_are() -> None:
    with pytest.raises(OptionError, match=r"text=c: sample has no column named c; it has 2 columns: a, b\."):
        read_one("csv", "a,b\n1,2\n", {"text": "c"})


def test_a_field_that_no_message_has_lists_those_it_has() -> None:
    with pytest.raises(OptionError, match="what a column can be is text, author"):
        read_one("csv", "a,text\n1,2\n", {"colour": "a"})


def test_a_table_without_text_is_no_chat() -> None:
    assert score("csv", "price,amount\n1,2\n") == 0
    with pytest.raises(WrongFormat, match="there are: price, amount"):
        read_one("csv", "price,amount\n1,2\n")


def test_a_table_speaks_softly_and_tabs_are_tsv() -> None:
    assert 0.7 < score("csv", "author,text\nana,hi\n") <= 0.8
    assert score("csv", "author\ttext\nana\thi\n") == 0
    assert 0.7 < score("tsv", "author\ttext\nana\thi\n") <= 0.8


def test_rows_of_the_wrong_width_are_named_by_line() -> None:
    found, report = read_all("csv", 'nick,text\nana,"two\nlines"\nben\nben,a,b\n\nben,ok\n')
    assert said(found["sample"]) == [("ana", "two\nlines"), ("ben", "ok")]
    assert unexplained(report) == [
        (4, "fewer cells than there are columns"),
        (5, "more cells than there are columns"),
    ]


def test_quotes_that_are_only_marks_in_the_text_end_no_row() -> None:
    table = 'nick\ttext\nana\t"what?\nben\tsaid "so"\n'
    assert said(read_one("tsv", table)) == [("ana", '"what?'), ("ben", 'said "so"')]


def test_a_megabyte_in_a_cell() -> None:
    (message,) = read_one("csv", f"nick,text\nana,{'x' * 2_000_000}\n")
    assert len(message.text) == 2_000_000


def test_nul_and_colours_vanish() -> None:
    assert said(read_one("csv", "nick,text\na\0na,\x0304red\x03 h\0i\n")) == [("ana", "red hi")]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["03/04/2021 10:00", "25/04/2021 10:00"], datetime(2021, 4, 3, 10)),
        (["03/04/2021 10:00", "04/25/2021 10:00"], datetime(2021, 3, 4, 10)),
        (["03/04/2021 10:00", "04/04/2021 10:00", "05/04/2021 10:00"], datetime(2021, 4, 3, 10)),
        (["03/04/2021 10:00", "03/05/2021 10:00", "03/06/2021 10:00"], datetime(2021, 3, 4, 10)),
        (["03.04.21 10:00"], datetime(2021, 4, 3, 10)),
        (["03/04/2021 10:00 PM"], datetime(2021, 3, 4, 22)),
        (["2021/04/03 10:00:09"], datetime(2021, 4, 3, 10, 0, 9)),
        (["Apr 3 2021 10:00 am"], datetime(2021, 4, 3, 10)),
        (["3 April 2021 at 10:00"], datetime(2021, 4, 3, 10)),
        (["Sat, 03 Apr 2021 10:00:00 +0000"], datetime(2021, 4, 3, 10, tzinfo=UTC)),
        (["2021-04-03 10:00:00 UTC"], datetime(2021, 4, 3, 10, tzinfo=UTC)),
        (["1617444000"], datetime(2021, 4, 3, 10, tzinfo=UTC)),
        (["1617444000000"], datetime(2021, 4, 3, 10, tzinfo=UTC)),
        (["20210403100000"], datetime(2021, 4, 3, 10)),
        (["12.5"], None),
        (["31/31/2021 10:00"], None),
        (["soon"], None),
        ([""], None),
    ],
)
def test_times(cells: list[str], expected: datetime | None) -> None:
    table = "time;nick;text\n" + "".join(f"{cell};ana;hi\n" for cell in cells)
    assert read_one("csv", table)[0].time == expected


def test_ids_that_repeat_name_no_messages() -> None:
    assert [message.id for message in read_one("csv", "id,nick,text\n5,ana,a\n5,ana,b\n")] == ["0", "1"]


def test_many_chats_on_standard_input() -> None:
    command = [sys.executable, "-m", "hubbub", "read", "-", "--to", "text"]
    table = "room,nick,text\na,ana,1\nb,ben,2\n"
    done = subprocess.run(command, input=table, capture_output=True, text=True, check=True)
    assert done.stdout == "=== a ===\n<ana> 1\n\n=== b ===\n<ben> 2\n"


def test_damaged_rows_of_many_chats_are_reported_once() -> None:
    found, report = read_all("csv", "room,nick,text\na,ana,1\nb,ben,2\nbroken\na,ana,3\n")
    assert {name: said(chat) for name, chat in found.items()} == {
        "a": [("ana", "1"), ("ana", "3")],
        "b": [("ben", "2")],
    }
    assert report.unexplained.total() == 1


def test_a_time_of_day_without_a_day_is_kept_as_such(put: Put) -> None:
    table = put("x.csv", "author,text,time\nann,hi,23:59\nbob,ho,12:01 AM\n")
    undated, dated = hubbub.read(table), hubbub.read(table, date=date(2020, 2, 28))
    assert [(message.time, message.clock) for message in undated] == [(None, time(23, 59)), (None, time(0, 1))]
    assert [message.time for message in dated] == [datetime(2020, 2, 28, 23, 59), datetime(2020, 2, 29, 0, 1)]


def test_columns_that_the_user_names_need_no_format(put: Put) -> None:
    named = {"author": "who", "text": "what"}
    for name, table in (("x.csv", "who,what\nann,hi\n"), ("x.jsonl", '{"who":"ann","what":"hi"}\n')):
        chat = hubbub.read(put(name, table), columns=named)
        assert isinstance(chat, Chat)
        assert [(message.author, message.text) for message in chat] == [("ann", "hi")]


@pytest.mark.parametrize("column", ["speaker_id", "role", "Speaker Name", "participant"])
def test_more_words_for_an_author(column: str) -> None:
    assert said(read_one("csv", f"{column},text\nann,hi\n")) == [("ann", "hi")]


def test_seconds_in_a_column_that_names_their_zone() -> None:
    [message] = read_one("csv", "author,body,created_utc\nann,hi,1577872800\n")
    assert message.time == datetime(2020, 1, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("table", "counts"),
    [
        ('author,text\nana,"a\nb\nc"\nben,d\n', (5, 2, 2, 1, 0)),
        ('author,"te\nxt"\n\nana,"a\nb",c\nben,d\n', (6, 1, 0, 3, 2)),
        ('author,text\nana,hi\nben,"never\nclosed\n', (4, 2, 1, 1, 0)),
        ("author,text\nana,hi\nben,x,y\n,\n", (4, 1, 0, 2, 1)),
    ],
)
def test_every_line_is_accounted_for(table: str, counts: tuple[int, ...]) -> None:
    found, report = read_all("csv", table, {"text": "te\nxt"} if "xt" in table and "te\n" in table else None)
    count = sum(map(len, found.values()))
    skipped, unexplained = report.skipped.total(), report.unexplained.total()
    assert (report.total, count, report.continued, skipped, unexplained) == counts
    assert report.unaccounted(count) == 0


def test_each_chat_of_a_table_of_many_is_accounted_for(put: Put) -> None:
    path = put("a.csv", 'channel,author,text\na,ana,"x\ny"\nb,ben,z\na,ana,w\nb,ben\n\n')
    for one in stream(path):
        assert one.report.unaccounted(len(list(one))) == 0


def test_a_table_that_lacks_a_named_column_says_which_it_has(put: Put) -> None:
    path = put("a.csv", "who,words\nana,hi\nben,yes\n")
    with pytest.raises(OptionError, match=r"text=word: .*a.csv has no column named word; it has 2 columns: who"):
        hubbub.read(path, columns={"author": "who", "text": "word"})


def test_named_columns_must_be_in_every_table_of_a_folder(put: Put) -> None:
    put("x/a.csv", "who,words\nana,hi\nben,yes\n")
    path = put("x/b.csv", "author,text\nana,hi\nben,yes\n")
    with pytest.raises(OptionError, match=r"b.csv has no column named \w+; it has 2 columns: author, text\."):
        hubbub.read(path.parent, columns={"author": "who", "text": "words"})


def test_named_columns_where_there_is_no_table_are_refused(put: Put) -> None:
    path = put("a.log", "[10:00] <ann> hi\n[10:01] <bob> yes\n")
    with pytest.raises(OptionError, match=r"author=nick: there is no table, what there is reads as ubuntu\."):
        hubbub.read(path, columns={"author": "nick"})
    with pytest.raises(OptionError, match="foo=bar: what a column can be is text, author"):
        hubbub.read(path, columns={"foo": "bar"})


@pytest.mark.parametrize("safe", [True, False])
@pytest.mark.parametrize("text", ["=1+1", "'=1+1", "''-x", "'tis so", "@ann hi", "\r\nx", "-", "plain", "\\x0dx"])
def test_a_table_for_a_spreadsheet_is_read_back_exactly(put: Put, text: str, safe: bool) -> None:
    message = Message("=0", None, "+ann", text)
    out = io.StringIO()
    streams = iter([ChatStream("-tea", "", iter([message]))])
    WRITERS["csv"](streams, out, **({"spreadsheet_safe": True} if safe else {}))
    chat = hubbub.read(put("tea.csv", out.getvalue()))
    assert (chat.name, list(chat)) == ("-tea", [message])


def test_apostrophes_of_other_tables_stay(put: Put) -> None:
    table = "time,author,text\n2020-01-01 10:00,ann,'=1+1\n2020-01-01 10:01,bob,'tis\n"
    assert [message.text for message in hubbub.read(put("tea.csv", table))] == ["'=1+1", "'tis"]


def test_a_cell_that_is_cut_short_in_its_quotes_changes_no_other_row() -> None:
    table = 'time,author,text\n2024-01-01 10:00,Ann,"a\nb ""c"""\n2024-01-01 10:01,Bob,hi\n2024-01-01 10:02,Ann,"half'
    found = said(read_one("csv", table))
    assert found[:2] == [("Ann", 'a\nb "c"'), ("Bob", "hi")]
    assert found[2][1].strip() == "half"
