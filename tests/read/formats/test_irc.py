"""The IRC dialects, beyond their golden pairs."""

from __future__ import annotations

from datetime import datetime

import pytest

import hubbub
from hubbub import Chat
from hubbub.errors import UnknownFormat
from hubbub.read import stream
from hubbub.read.formats.irc.events import known, system
from hubbub.read.formats.irc.timestamps import read_day

from ...conftest import Put


def chat_of(put: Put, name: str, text: str) -> Chat:
    return hubbub.read(put(name, text))


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("irssi", "10:00 < ann> hi\n10:01 <@bob> ho\n"),
        ("irssi", "10:00:01 -!- ann [a@b] has joined #x\n10:01:02 <ann> ho\n"),
        ("weechat", "2020-01-01 10:00:00\tann\thi\n2020-01-01 10:00:01\tbob\tho\n"),
        ("znc", "[10:00:00] *** Quits: ann (a@b) (bye)\n[10:00:01] <bob> ho\n"),
        ("znc", "[10:00] Joins: ann (a@b)\n[10:01] <ann> EnergyMech writes like this\n"),
        ("mirc", "[10:00] * Joins: ann (a@b)\n[10:01] <ann> ho\n"),
        ("hexchat", "**** BEGIN LOGGING AT Wed Jan  1 10:00:00 2020\n\nJan 01 10:00:00 <ann>\thi\n"),
        ("limnoria", "2020-01-01T10:00:00  *** ann <ann!a@b> has joined #x\n2020-01-01T10:00:01  <ann> hi\n"),
        ("xchat-iso", "2020-01-01T10:00:00  <ann> hi\n2020-01-01T10:00:01  <bob> ho\n"),
        ("eggdrop", "[10:00] ann (a@b) joined #x.\n[10:01] <ann> hi\n[10:02] Action: ann waves\n"),
        ("dircproxy", "[01 Jan 10:00] <ann!a@b> +hi\n[01 Jan 10:01] <bob!a@b> -ho\n"),
        ("ubuntu", "[10:00] <ann> hi\n[10:01] <bob> ho\n"),
        ("botbot", "[10:00:00] * ann joined the channel\n[10:00:01] <ann> hi\n"),
        ("irc", "[10:00:00] <ann> hi\n[10:00:01] <bob> ho\n"),
        ("irc", "10:00 <ann> hi\n10:01 <bob> ho\n"),
        ("irc", "[Sat 16 Mar 21:24:09] <ann> hello everybody\n[Sat 16 Mar 21:24:10] <bob> hi\n"),
        ("irc", "Thu Aug 23 12:59:40 2001 <ann> hello world\nThu Aug 23 12:59:41 2001 <bob> hi\n"),
        ("irc", "1378816440 <ann> hello world\n1378816441 <bob> hi\n"),
    ],
)
def test_each_dialect_is_told_from_the_others(put: Put, format: str, text: str) -> None:
    chat = chat_of(put, "some.log", text)
    assert chat.format == format
    assert len(chat) == len([line for line in text.splitlines() if line.strip()])


@pytest.mark.parametrize(
    ("stamp", "when"),
    [
        ("[2015/10/11 14:00:01]", datetime(2015, 10, 11, 14, 0, 1)),
        ("[11-10-2015 14:00]", datetime(2015, 10, 11, 14, 0)),
        ("[13/12/2001 - 20:38]", datetime(2001, 12, 13, 20, 38)),
        ("Thu Aug 23 12:59:40 2001", datetime(2001, 8, 23, 12, 59, 40)),
        ("[11 Oct 2015 2:00 PM]", datetime(2015, 10, 11, 14, 0)),
    ],
)
def test_stamps_of_many_programs(put: Put, stamp: str, when: datetime) -> None:
    chat = chat_of(put, "some.log", f"{stamp} <ann> hi\n{stamp} <bob> ho\n")
    assert chat[0].time == when
    assert chat[0].author == "ann"


def test_a_date_without_a_year_takes_it_from_the_file_or_stays_unknown(put: Put) -> None:
    log = "[31 Dec 23:59] <ann!a@b> +old\n[01 Jan 00:01] <ann!a@b> +new\n"
    dated, undated = chat_of(put, "2009-12-31-x.log", log), chat_of(put, "x.log", log)
    assert [message.time for message in dated] == [datetime(2009, 12, 31, 23, 59), datetime(2010, 1, 1, 0, 1)]
    assert [message.time for message in undated] == [None, None]
    assert undated[0].clock is not None


@pytest.mark.parametrize(
    ("line", "kind", "author", "text"),
    [
        ("=== ann goes to bed", "action", "ann", "goes to bed"),
        ("=== ann [~a@b] has joined #x", "system", "ann", "ann [~a@b] has joined #x"),
        ("=== ann left the room (quit: ).", "system", "ann", "ann left the room (quit: )."),
        ("=== ann is now known as ann_", "system", "ann", "ann is now known as ann_"),
        ("=== ann is trying to sleep", "action", "ann", "is trying to sleep"),
    ],
)
def test_not_everything_behind_three_equals_signs_is_a_system_line(
    put: Put, line: str, kind: str, author: str, text: str
) -> None:
    found = chat_of(put, "#x.txt", f"[10:00] <bob> hi\n{line}\n")[1]
    assert (found.kind, found.author, found.text) == (kind, author, text)


def test_a_rename_reads_the_same_from_every_dialect(put: Put) -> None:
    logs = {
        "irssi": "10:00 -!- ann is now known as bea\n10:01 < bea> hi\n",
        "weechat": "2020-01-01 10:00:00\t--\tann is now known as bea\n",
        "znc": "[10:00:00] *** ann is now known as bea\n[10:00:01] *** Quits: bea (a@b) ()\n",
        "mirc": "Session Start: Wed Jan 01 10:00:00 2020\n[10:00] * ann is now known as bea\n",
        "eggdrop": "[10:00] Nick change: ann -> bea\n",
        "ubuntu": "=== ann is now known as bea\n[10:00] <bea> hi\n",
    }
    for format, log in logs.items():
        chat = chat_of(put, f"{format}.log", log)
        assert chat.format == format
        assert chat.aliases().same("ann", "bea"), format


def test_a_line_that_a_log_has_a_time_for_is_kept_whatever_it_says(put: Put) -> None:
    chat = chat_of(put, "x.log", "10:00 < ann> hi\n10:01 [some list of things]\n")
    assert (chat[1].kind, chat[1].text) == ("system", "[some list of things]")


@pytest.mark.parametrize(
    ("said", "who"),
    [
        ("Joins: ann (a@b)", "ann"),
        ("ann (a@b) has joined #x", "ann"),
        ("ann [a@b] has quit [bye]", "ann"),
        ("mode/#x [+o ann] by bob", "bob"),
        ("ann was kicked from #x by bob [no]", "ann"),
        ("ann changes topic to 'x'", "ann"),
        ("Topic for #x: a | b", ""),
        ("You're now talking", ""),
    ],
)
def test_events_name_the_person_they_are_about(said: str, who: str) -> None:
    assert system(said).author == who


@pytest.mark.parametrize("said", ["ann waves", "ann has a cold", "ann left early", "ann is tired"])
def test_a_deed_is_not_mistaken_for_an_event(said: str) -> None:
    assert known(said) is None


def test_days_in_words() -> None:
    assert str(read_day("Tue Nov 26 22:43:56 2002")) == "2002-11-26"
    assert str(read_day("Mittwoch 27.11.2002")) == "2002-11-27"
    assert read_day("31 Feb 2002") is None
    assert read_day("nothing here") is None


def brief(chat: Chat) -> list[tuple[str, str, str]]:
    return [(message.kind, message.author, message.text) for message in chat]


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("irssi", "Mar 05 10:00:00 -!- ann [a@b] has joined #x\nMar 05 10:00:01 < ann> hi\n"),
        ("irssi", "2016-03-05T10:00:00+0100 -!- ann [a@b] has joined #x\n2016-03-05T10:00:01+0100 <@ann> hi\n"),
        ("hexchat", "2020-01-01 10:00:00 <ann>\thi\n2020-01-01 10:00:01 *\tann waves\n"),
        ("hexchat", "**** BEGIN LOGGING AT Wed Jan  1 10:00:00 2020\n\n[10:00:00] <ann>\thi\n"),
        ("hexchat", "**** BEGIN LOGGING AT Wed Jan  1 10:00:00 2020\n\n<ann>\thi\n*\tbob waves\n"),
        ("hexchat", "2015-10-26T12:49:35+0000 <ann>\thi\n2015-10-26T12:49:36+0000 *\tbob waves\n"),
        ("mirc", "Session Start: Wed Jan 01 10:00:00 2020\n02[10:00] * ann waves\n"),
        ("mirc", "Session Start: Wed Jan 01 10:00:00 2020\n(10:00:01) <ann> hi\n10:01pm <bob> ho\n"),
        ("znc", "[10:00:00] *** bob was kicked by ann (no)\n[10:00:01] <ann> hi\n"),
        ("irc", "[Sat Oct 11 2008] [12:00:00] <ann>\thi\n[Sat Oct 11 2008] [12:00:01] Join\tbob (b@h) has joined.\n"),
        ("irc", "[05-Mar-2013 12:00:00]  <ann> hi\n[05-Mar-2013 12:00:01]  *** bob has joined #x\n"),
    ],
)
def test_stamps_that_people_chose_themselves(put: Put, format: str, text: str) -> None:
    chat = chat_of(put, "some.log", text)
    assert chat.format == format
    assert {"ann"} <= {message.author for message in chat} <= {"ann", "bob", ""}


@pytest.mark.parametrize(
    ("day", "date"),
    [
        ("za maart 05 2016", "2016-03-05"),
        ("Do Mär 10 2016", "2016-03-10"),
        ("mar. août 12 2016", "2016-08-12"),
        ("mar. juil. 12 2016", "2016-07-12"),
        ("Вт сен 13 2016", "2016-09-13"),
        ("wto paź 18 2016", "2016-10-18"),
    ],
)
def test_months_in_other_languages(day: str, date: str) -> None:
    assert str(read_day(day)) == date


def test_a_date_and_a_clock_in_brackets_of_their_own(put: Put) -> None:
    chat = chat_of(put, "x.log", "[Saturday 11 October 2008] [1:00:05 PM] <ann>\thi\n")
    assert chat[0].time == datetime(2008, 10, 11, 13, 0, 5)


def test_a_star_and_a_host_mark_an_event_in_any_language(put: Put) -> None:
    chat = chat_of(put, "x.log", "Dez 31 21:11:58 *\tann (a@b) hat #x betreten\nDez 31 21:11:59 *\tann winkt\n")
    assert brief(chat) == [("system", "ann", "ann (a@b) hat #x betreten"), ("action", "ann", "winkt")]


def test_a_star_before_an_event_is_no_action_in_any_log(put: Put) -> None:
    chat = chat_of(put, "x.log", "[1:00 pm] * ann (a@b) has joined #x\n[1:01 pm] * ann waves\n")
    assert [message.kind for message in chat] == ["system", "action"]


@pytest.mark.parametrize(
    ("log", "author", "said"),
    [
        ("[10:00:00] -ann!a@b- psst\n[10:00:00] *** Joins: ann (a@b)\n", "ann", "psst"),
        ("[10:00] -ann (a@b)- psst\n[10:00] Nick change: a -> b\n", "ann", "psst"),
        ("[10:00] -ann:#x- psst\n[10:00] Nick change: a -> b\n", "ann", "psst"),
        ("2020-01-01 10:00:00\t--\tPvNotice(ann): psst\n", "ann", "psst"),
        ("2020-01-01 10:00:00\t<@ann>\tpsst\n", "ann", "psst"),
        ("Jan 01 10:00:00 *ann*\tpsst\nJan 01 10:00:00 <bob>\thi\n", "ann", "psst"),
        ("Jan 01 10:00:00 ann\tpsst\nJan 01 10:00:00 <bob>\thi\n", "ann", "psst"),
    ],
)
def test_notices_and_private_messages_have_an_author(put: Put, log: str, author: str, said: str) -> None:
    assert brief(chat_of(put, "x.log", log))[0] == ("message", author, said)


def test_you_are_nobody_who_could_be_renamed(put: Put) -> None:
    chat = chat_of(put, "x.log", "Jan 01 10:00:00 *\tYou are now known as ann\n")
    assert brief(chat) == [("system", "", "You are now known as ann")]
    assert not chat.aliases().chains


def test_a_time_with_nothing_behind_it_is_a_blank_line(put: Put) -> None:
    [passing] = stream(put("x.weechatlog", "2020-01-01 10:00:00\t\t\n2020-01-01 10:00:01\tann\thi\n"))
    assert len(passing.chat()) == 1
    assert not passing.report.unexplained


def test_a_bracket_before_words_is_not_lost(put: Put) -> None:
    chat = chat_of(put, "x.log", "(1:00 pm) <ann> hi\n(1:01 pm) (nobody said this\n")
    assert chat[1].text == "(nobody said this"


@pytest.mark.parametrize(
    ("stamp", "when"),
    [
        ("20160305 22:00:00", datetime(2016, 3, 5, 22)),
        ("[05/Mar/2016 22:00:00]", datetime(2016, 3, 5, 22)),
        ("[Sat Mar 05 22:00:00 CET 2016]", datetime(2016, 3, 5, 22)),
        ("[05/03/16 22:00]", None),
    ],
)
def test_more_stamps_of_many_programs(put: Put, stamp: str, when: datetime | None) -> None:
    chat = chat_of(put, "some.log", f"{stamp} <ann> hi\n{stamp} <bob> ho\n")
    assert [message.time for message in chat] == [when, when]
    assert [message.author for message in chat] == ["ann", "bob"]


def test_a_date_of_two_readings_is_read_like_the_dates_that_have_one(put: Put) -> None:
    chat = chat_of(put, "x.log", "[3/5/2016 10:00 PM] <ann> hi\n[3/15/2016 10:00 PM] <ann> ho\n")
    assert [message.time for message in chat] == [datetime(2016, 3, 5, 22), datetime(2016, 3, 15, 22)]


def test_blanks_that_line_up_nicks_are_no_part_of_them(put: Put) -> None:
    for log in ("10:00 <    ann> hi\n10:01 <   @bob> ho\n", "[10:00]<ann   > hi\n[10:01]<bob   > ho\n"):
        assert [message.author for message in chat_of(put, "x.log", log)] == ["ann", "bob"]


def test_a_page_without_a_name_of_its_own_is_named_by_its_title(put: Put) -> None:
    page = (
        '<html><head><title>IRC log of #x for 2020-01-02</title></head><body><table class="irclog">'
        '<tr id="t10:00"><th class="nick">ann</th><td class="text">hi</td></tr></table></body></html>'
    )
    chat = chat_of(put, "2020-01-02.html", page)
    assert (chat.name, chat[0].time) == ("#x", datetime(2020, 1, 2, 10))


def test_stars_alone_are_no_log(put: Put) -> None:
    with pytest.raises(UnknownFormat):
        hubbub.read(put("x.txt", "*** Settings ***\n*** Variables ***\n*** Cases ***\n"))
