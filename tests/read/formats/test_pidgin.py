"""Pidgin, Gaim and Adium, beyond their golden pairs."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hubbub.errors import WrongFormat
from hubbub.read.detect.sniff import sniff
from hubbub.read.format import Options
from hubbub.read.formats import format_named
from hubbub.read.report import Report

from ...reading import read_all, read_one, read_place, said, source_of, unexplained

HEADING = "Conversation with pear at {} on plum (aim)\n"
WORDS = HEADING.format("Fri 06 May 2011 04:00:50 PM CEST")
PAGE = "<html><head><title>{0}</title></head><body><h3>{0}</h3>\n{1}</body></html>\n"


def times(text: str, name: str = "x.txt") -> list[datetime | None]:
    [stream] = format_named("pidgin").read(source_of(text, name), Options())
    return [message.time for message in stream.open(0, Report()) if message.author]


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [
        ("04:00:50 PM", datetime(2011, 5, 6, 16, 0, 50)),
        ("4:00:50 p.m.", datetime(2011, 5, 6, 16, 0, 50)),
        ("16:00:50", datetime(2011, 5, 6, 16, 0, 50)),
        ("16.00.50", datetime(2011, 5, 6, 16, 0, 50)),
        ("12.10.11", datetime(2011, 5, 6, 12, 10, 11)),
        ("2013-02-10 04:00:50 PM", datetime(2013, 2, 10, 16, 0, 50)),
        ("2013-02-10 16:00:50", datetime(2013, 2, 10, 16, 0, 50)),
        ("05/07/2011 12:01:10 AM", datetime(2011, 5, 7, 0, 1, 10)),
        ("5/7/2011 12:01:10 AM", datetime(2011, 5, 7, 0, 1, 10)),
        ("07/05/2011 00:01:10", datetime(2011, 5, 7, 0, 1, 10)),
        ("07.05.2011 00:01:10", datetime(2011, 5, 7, 0, 1, 10)),
        ("07.05.11 00:01:10", datetime(2011, 5, 7, 0, 1, 10)),
        ("05/07/11 00:01:10", datetime(2011, 5, 7, 0, 1, 10)),
    ],
)
def test_stamps_of_every_locale(stamp: str, expected: datetime) -> None:
    """Of two readings of a date, the one near the beginning of the conversation is right."""
    assert times(f"{WORDS}({stamp}) pear: hi\n") == [expected]
    page = PAGE.format(WORDS.strip(), f'<font size="2">({stamp})</font> <b>pear:</b> hi<br/>\n')
    assert times(page, "x.html") == [expected]


@pytest.mark.parametrize(
    ("when", "name", "day"),
    [
        ("Fri May  6 16:00:50 2011", "x.txt", (5, 6)),
        ("Fr 06 Mai 2011 16:00:50 CEST", "x.txt", (5, 6)),
        ("2011-05-06 16:00:50", "x.txt", (5, 6)),
        ("5/6/2011 4:00:50 PM", "x.txt", (5, 6)),
        ("5/6/2011 16:00:50", "x.txt", (6, 5)),
        ("5/6/2011 16:00:50", "2011-05-06.160050.txt", (5, 6)),
        ("13/6/2011 4:00:50 PM", "x.txt", (6, 13)),
    ],
)
def test_the_day_comes_from_the_heading(when: str, name: str, day: tuple[int, int]) -> None:
    [found] = times(f"{HEADING.format(when)}(16:00:55) pear: hi\n", name)
    assert found is not None
    assert (found.year, found.month, found.day) == (2011, *day)


@pytest.mark.parametrize(
    ("name", "hours"), [("2011-05-06.160050+0200CEST.txt", 2), ("2011-05-06.160050-0530XYZ.html", -5.5)]
)
def test_the_offset_in_the_file_name_is_the_zone(name: str, hours: float) -> None:
    [found] = times(f"{WORDS}(16:00:55) pear: hi\n", name)
    assert found is not None
    assert found.utcoffset() == timedelta(hours=hours)


@pytest.mark.parametrize(
    "line",
    [
        "The topic for #x is: a: b",
        "quince left the room (quit: Ping timeout: 240 seconds).",
        "quince [~q@x.example] entered the room.",
        "quince has set the topic to: tea",
        "You have been kicked by plum: enough",
        "mode (+o plum) by Gardener",
        "List of 2 users: plum, pear",
        "Unable to send message: not connected",
    ],
)
def test_what_nobody_said_is_a_system_line_even_with_a_colon(line: str) -> None:
    _, found = read_one("pidgin", f"{WORDS}(16:00:55) {line}\n")
    assert (found.kind, found.text) == ("system", line)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pear: a: b", ("message", "pear", "a: b")),
        ("Pear Tree: hi", ("message", "Pear Tree", "hi")),
        ("pear@orchard.example/Home: hi", ("message", "pear@orchard.example/Home", "hi")),
        ("@pear:orchard.example: hi", ("message", "@pear:orchard.example", "hi")),
        ("pear <AUTO-REPLY>: away", ("message", "pear", "away")),
        ("pear:", ("message", "pear", "")),
        ("***pear waves", ("action", "pear", "waves")),
        ("pear is now known as fig", ("system", "pear", "pear is now known as fig")),
    ],
)
def test_who_says_and_does_what(line: str, expected: tuple[str, str, str]) -> None:
    _, found = read_one("pidgin", f"{WORDS}(16:00:55) {line}\n")
    assert (found.kind, found.author, found.text) == expected


def test_lines_without_a_time_belong_to_the_message_above_whatever_they_look_like() -> None:
    pasted = "[10:00] <someone> pasted\n10:01 -!- other [x@y] has quit\n\n*bold* <div>\n  indented: more"
    found, report = read_all("pidgin", f"{WORDS}(16:00:55) pear: look\n{pasted}\n\n(16:01:00) plum: ok\n\n")
    assert said(found["pear"])[1:] == [("pear", f"look\n{pasted}"), ("plum", "ok")]
    assert (report.continued, report.skipped.total(), report.unexplained.total()) == (5, 2, 0)
    assert report.unaccounted(3) == 0


def test_a_long_paste_leaves_no_doubt_about_the_format() -> None:
    log = f"{WORDS}(16:00:55) pear: log:\n" + "10:00 < ann> --- Log opened Wed Jan 01 10:00:00 2020\n" * 200
    assert sniff(source_of(log)).name == "pidgin"


@pytest.mark.parametrize("stamp", ["4:00:50 PM", "04:00:50 p.m.", "2013-02-10 16:00:50", "10.02.2013 16:00:50"])
def test_a_part_of_a_log_is_known_by_times_that_are_no_offsets(stamp: str) -> None:
    log = f"({stamp}) ann: hi\n({stamp}) bob: ho\n({stamp}) ann: well\nthen\n({stamp}) ***bob nods\n"
    assert sniff(source_of(log)).name == "pidgin"
    assert [one.kind for one in read_one("pidgin", log)] == ["message", "message", "message", "action"]


def test_tags_that_are_left_open_do_not_swallow_the_next_message() -> None:
    rows = [
        '<font color="#A82F2F"><font size="2">(16:01:00)</font> <b>pear:</b></font> <font face="x"><b>a<i>b<br/>',
        '<font color="#16569E"><font size="2">(16:01:10)</font> <b>plum:</b></font> </body></html>c<br/>',
        '<font size="2">(16:01:20)</font><b> pear logged out.</b><br/>',
    ]
    found, report = read_all("pidgin", PAGE.format(WORDS.strip(), "\n".join(rows)))
    assert said(found["pear"])[1:] == [("pear", "ab"), ("plum", "c"), ("", "pear logged out.")]
    assert report.total == 4


def test_text_before_the_first_record_of_a_page_is_named() -> None:
    page = PAGE.format(WORDS.strip(), '<font size="2">(16:01:20)</font> <b>pear:</b> hi<br/>\n')
    found, report = read_all("pidgin", page.replace("<body>", "<body>\nstray words\n"))
    assert len(found["pear"]) == 2
    assert [line for line, _ in unexplained(report)] == [1]
    assert report.unaccounted(2) == 0


def test_a_page_without_any_record_is_no_log() -> None:
    with pytest.raises(WrongFormat):
        read_all("pidgin", "<html><body><p>hello</p></body></html>")


def test_conversations_with_the_same_person_are_one_chat_and_those_of_two_accounts_are_two(tmp_path: Path) -> None:
    for account, day in (("plum", 6), ("plum", 7), ("fig", 8)):
        folder = tmp_path / "logs/aim" / account / "pear"
        folder.mkdir(parents=True, exist_ok=True)
        heading = f"Conversation with pear at Fri 0{day} May 2011 04:00:50 PM CEST on {account} (aim)\n"
        (folder / f"2011-05-0{day}.160050.txt").write_text(f"{heading}(04:00:55 PM) pear: hi\n", encoding="utf-8")
    chats, _ = read_place(tmp_path)
    assert sorted(len(chat) for chat in chats) == [2, 4]


# --- Adium


CHAT = '<chat xmlns="http://purl.org/net/ulf/ns/0.4-02" account="plum" service="AIM">{}</chat>\n'


def test_a_bundle_is_read_as_its_document_and_its_pictures_are_skipped(tmp_path: Path) -> None:
    stem = "fig (2015-01-02T03.04.05-0800)"
    bundle = tmp_path / f"AIM.plum/fig/{stem}.chatlog"
    bundle.mkdir(parents=True)
    record = '<message sender="fig" time="2015-01-02T03:04:10-08:00"><div>hi</div></message>'
    (bundle / f"{stem}.xml").write_text(CHAT.format(record), encoding="utf-8")
    (bundle / "leaf.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    [chat], _ = read_place(tmp_path)
    assert (chat.name, chat.format, said(list(chat))) == ("fig", "adium", [("fig", "hi")])


def test_an_element_that_adium_does_not_write_is_named() -> None:
    records = '<message sender="fig" time="2015-01-02T03:04:10-08:00"><div>hi</div></message><poll>x</poll>stray'
    found, report = read_all("adium", CHAT.format(records))
    assert said(next(iter(found.values()))) == [("fig", "hi")]
    assert (report.total, report.unexplained.total()) == (3, 2)


def test_a_document_that_is_cut_off_keeps_what_came_before() -> None:
    records = '<message sender="fig" time="2015-01-02T03:04:10-08:00"><div>hi</div></message><message sender="fig" ti'
    found = read_one("adium", CHAT.format(records).removesuffix("</chat>\n"))
    assert said(found)[0] == ("fig", "hi")


def test_old_logs_are_known_by_their_elements_or_their_lines() -> None:
    row = '<div class="send"><span class="timestamp">10:00:00</span> <span class="sender">fig: </span>'
    row += '<pre class="message">'
    assert sniff(source_of(f"{row}hi</pre></div>\n{row}<b>ho</b></pre></div>\n")).name == "adium"
    assert sniff(source_of("(10.00.00)fig:hi\n(10.00.10)plum:ho\n<fig disconnected (10.00.20)>\n")).name == "adium"
    assert sniff(source_of("(00:00:10) Ann: hi\n(00:00:20) Bob: ho\n(00:00:30) Ann: well\n")).name == "transcript"
    spaced = "(10:00:00) fig: hi\n(10:00:10) plum: ho\n(10:01:00) fig: hm\n"
    assert sniff(source_of(spaced, "fig (2004-09-03).adiumLog")).name == "adium"


@pytest.mark.parametrize("name", ["fig (2004-09-03).adiumLog", "fig (2004|09|03).html", "fig on 2004-9-3.adiumLog"])
def test_the_day_and_the_name_come_from_the_file(name: str) -> None:
    [stream] = format_named("adium").read(source_of("(10.00.00)fig:hi\n", name), Options())
    [message] = stream.open(0, Report())
    assert (stream.name, message.time) == ("fig", datetime(2004, 9, 3, 10, 0))
