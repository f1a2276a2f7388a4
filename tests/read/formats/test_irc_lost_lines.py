"""IRC logs in which lines used to be lost, misread or moved to another day; every line is accounted for."""

from __future__ import annotations

import io
from contextlib import suppress
from datetime import datetime
from itertools import cycle
from pathlib import Path

import pytest

from hubbub.errors import WrongFormat
from hubbub.read.detect.sniff import candidates, sniff
from hubbub.read.format import Options
from hubbub.read.formats import format_named
from hubbub.read.formats.irc.all_dialects import dialects
from hubbub.read.formats.irc.dialect import Dialect
from hubbub.read.input.source import Source
from hubbub.read.report import Report

from ...golden import SAMPLES
from ...reading import read_place

Brief = list[tuple[str, str, str]]
Timed = tuple[datetime | None, str, str, str]

MIRC = """\
Session Start: Mon Apr 05 10:00:00 2010
Session Ident: #chess
[10:00] * Now talking in #chess
[10:01] <@Rook> your move
[10:02] * Knight ponders
[10:03] * Joins: Pawn (pawn@board.example)
[10:04] <Knight> Nf3
Session Close: Mon Apr 05 10:05:00 2010
"""
IRSSI = """\
--- Log opened Tue Apr 06 23:50:11 2010
23:50 -!- bishop [~b@board.example] has joined #chess
23:51 <@rook> evening bishop
23:51 < bishop> whose move is it?
23:52  * rook checks
--- Day changed Wed Apr 07 2010
00:02 -!- bishop is now known as bishop_away
00:03 < rook> bye
--- Log closed Wed Apr 07 00:10:00 2010
"""
WEECHAT = """\
2010-04-08 10:00:00\t-->\tann (a@board.example) has joined #chess
2010-04-08 10:00:01\tann\thi
2010-04-08 10:00:02\tbob\tho
2010-04-08 10:00:03\t *\tbob waves
"""
ZNC = """\
[11:00:00] *** Joins: ann (a@board.example)
[11:00:01] <ann> hi
[11:00:02] <bob> ho
[11:00:03] * bob waves
[11:00:04] *** Quits: ann (a@board.example) (bye)
"""


def source_of(text: str, name: str = "x.log") -> Source:
    return Source(name, lambda: io.BytesIO(text.encode()))


def read(text: str, format: str = "", name: str = "x.log") -> tuple[list[Timed], Report]:
    """(time, kind, author, text) of every message, after a check that no line is missing from the report."""
    source = source_of(text, name)
    chosen = format_named(format) if format else sniff(source)
    report = Report()
    [stream] = chosen.read(source, Options())
    found: list[Timed] = [(one.time, one.kind, one.author, one.text) for one in stream.open(0, report)]
    assert report.total == len(text.splitlines())
    assert report.unaccounted(len(found)) == 0
    return found, report


def brief(text: str, format: str = "") -> Brief:
    found, report = read(text, format)
    assert not report.unexplained
    return [(kind, author, said) for _, kind, author, said in found]


# --- pasted markup and JSON


@pytest.mark.parametrize(
    ("format", "log"),
    [
        ("irssi", "10:00 < ann> {}\n10:01 -!- bob [b@c] has quit [x]\n"),
        ("znc", "[10:00:00] <ann> {}\n[10:00:01] *** Joins: bob (b@c)\n"),
        ("weechat", "2020-01-01 10:00:00\tann\t{}\n"),
        ("limnoria", "2020-01-01T10:00:00  <ann> {}\n2020-01-01T10:00:01  *** bob <bob!b@c> has joined #x\n"),
        ("mirc", "Session Start: Wed Jan 01 10:00:00 2020\n[10:00] <ann> {}\n"),
        ("ubuntu", "[10:00] <ann> {}\n=== bob is now known as bea\n"),
        ("irc", "<ann> {}\n<bob> ho\n<ann> hm\n"),
        ("irc", "<a> {}\n<p> ho\n<a> hm\n<table> me too\n"),
        ("transcript", "Ann: {}\nBob: ho\nAnn: hm\n"),
        ("transcript", "Ann: look\n{}\nBob: ho\nAnn: hm\n"),
        ("transcript", "[00:01:02] Ann: {}\n[00:01:10] Bob: ho\n"),
        ("pidgin", "Conversation with x at Wed 01 Jan 2020 10:00:00 on y (irc)\n(10:00:00) ann: {}\n"),
    ],
)
def test_a_log_with_pasted_markup_is_still_a_log(format: str, log: str) -> None:
    log = log.format("<div><p><a>x</a></p></div></div></td></tr></table></body>")
    assert sniff(source_of(log)).name == format


PAGES = sorted(
    path
    for path in SAMPLES.rglob("*")
    if path.suffix in (".html", ".chatlog", ".AdiumHTMLLog") and path.stat().st_size > 200
)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: f"{path.parent.name}/{path.name}")
@pytest.mark.parametrize(
    ("format", "first", "line"),
    [
        ("irssi", "--- Log opened Wed Jan 01 10:00:00 2020", "10:00 < {}> {}"),
        ("znc", "[10:00:00] *** Joins: bob (b@c)", "[10:00:00] <{}> {}"),
        ("weechat", "2020-01-01 10:00:00\t-->\tbob (b@c) has joined #x", "2020-01-01 10:00:00\t{}\t{}"),
        ("limnoria", "2020-01-01T10:00:01  *** bob <bob!b@c> has joined #x", "2020-01-01T10:00:00  <{}> {}"),
        ("mirc", "Session Start: Wed Jan 01 10:00:00 2020", "[10:00] <{}> {}"),
        ("ubuntu", "=== bob is now known as bea", "[10:00] <{}> {}"),
        ("transcript", "Ann: hi", "{}: {}"),
        ("irc", "<Ann> hi", "<{}> {}"),
    ],
)
def test_a_log_that_quotes_a_whole_page_of_another_format_is_still_a_log(
    page: Path, format: str, first: str, line: str
) -> None:
    """Every line of the page is said by somebody: its title, its classes and its messages are words of the chat."""
    quoted = [text for text in page.read_text(encoding="utf-8", errors="replace").splitlines() if text.strip()]
    said = [line.format(nick, text) for nick, text in zip(cycle(("Ann", "Bob")), quoted, strict=False)]
    assert sniff(source_of("\n".join((first, *said, line.format("Bob", "ok"), "")))).name == format


@pytest.mark.parametrize(
    "page",
    [
        '<div class="log">\n[10:00] <ann> hi\n</div>\n',
        "<table>\n<tr><td>ann</td><td>hi</td></tr>\n</table>\n",
        "<!-- saved -->\n<p>[10:00] &lt;ann&gt; hi</p>\n",
        "<?xml version='1.0'?>\n<chat>\n<message>hi</message>\n</chat>\n",
        "<chat>\n<message>hi</message>\n<message>ho</message>\n</chat>\n",
        "<!DOCTYPE html>\n<html><body><pre>\n10:00 < ann> hi\n10:01 < bob> ho\n</pre></body></html>\n",
    ],
)
def test_what_starts_as_a_document_is_no_log(page: str) -> None:
    names = {format.name for _, format in candidates(source_of(page, "page.html"))}
    assert not names & {dialect.name for dialect in dialects()}


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ('{"a": 1}', "{"),
        ('[{"a": 1}]', "["),
        ("[]", "["),
        ("{}", "{"),
        ('["a", 1]', "["),
        ("[[1, 2]]", "["),
        ('{"quoted"} by ann\n', ""),
        ('["ann"]: hi\n', ""),
        ("[[10:00]] <ann> hi\n", ""),
        ("[] <ann> hi\n", ""),
    ],
)
def test_a_bracket_alone_is_no_json(text: str, start: str) -> None:
    from hubbub.read.detect.file_head import Sample

    assert Sample(source_of(text)).json_start == start


def test_a_page_that_mentions_irclog2html_is_not_taken_for_one_of_its_pages() -> None:
    page = (SAMPLES / "telegram/pages/messages.html").read_text(encoding="utf-8")
    found = candidates(source_of(page.replace("</body>", "see irclog2html</body>"), "messages.html"))
    assert found[0][1].name == "telegram"
    assert found[0][0].score > 0.9


# --- Ubuntu, BotBot


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[17:02] -ubottu- bug 1 is fixed", ("message", "ubottu", "bug 1 is fixed")),
        ("[17:02] -ubottu:#x- bug 1 is fixed", ("message", "ubottu", "bug 1 is fixed")),
        ("[17:02] (ann/#x) bob: hi", ("message", "ann", "bob: hi")),
        ("[17:02] *ann\twaves", ("action", "ann", "waves")),
        ("[17:02] * ann waves", ("action", "ann", "waves")),
        ("[17:02]  * ann waves", ("action", "ann", "waves")),
        ("=== ..[topic/#x:ann] : new topic", ("system", "", "..[topic/#x:ann] : new topic")),
    ],
)
def test_every_kind_of_line_of_the_ubuntu_logs(line: str, expected: tuple[str, str, str]) -> None:
    assert brief(f"[17:01] <bob> hi\n=== bea is now known as ann\n{line}\n")[-1] == expected


@pytest.mark.parametrize(
    "stamp", ["2016-03-01T12:01:33.5+00:00", "2016-03-01T12:01:33", "[2016-03-01T12:01:33Z]", "[12:01:33]"]
)
def test_joins_and_quits_of_botbot_are_events_whatever_the_stamp(stamp: str) -> None:
    said = ["* ann joined the channel", "<ann> hi", "* ann waves", "* ann has quit smoking"]
    said += ["* ann is now known as bea", "* bea has quit", "* cid has left the channel"]
    log = "".join(f"{stamp} {one}\n" for one in said)
    assert sniff(source_of(log)).name == "botbot"
    kinds = [kind for kind, _, _ in brief(log)]
    assert kinds == ["system", "message", "action", "action", "system", "system", "system"]


@pytest.mark.parametrize(
    ("format", "stamp"), [("irssi", "10:00  "), ("znc", "[10:00:00] "), ("xchat-iso", "2020-01-01T10:00:00  ")]
)
def test_coming_and_going_are_events_behind_a_star_in_every_dialect(format: str, stamp: str) -> None:
    said = ["has joined #x", "joined in", "has left #x (bye)", "has quit", "has quit smoking", "(b@c) has joined #x"]
    log = f"{stamp}* ann waves\n" + "".join(f"{stamp}* bob {one}\n" for one in said)
    kinds = [kind for kind, _, _ in brief(log, format)]
    assert kinds == ["action", "system", "action", "system", "system", "action", "system"]


# --- a change of program


@pytest.mark.parametrize(
    "parts",
    [
        (MIRC, IRSSI), (IRSSI, MIRC), (IRSSI, MIRC, IRSSI), (WEECHAT, ZNC, WEECHAT), (ZNC, WEECHAT), (ZNC, IRSSI, MIRC),
        (MIRC, WEECHAT, IRSSI), (IRSSI * 60, ZNC * 3, IRSSI), (WEECHAT * 200, MIRC),
    ],
)  # fmt: skip
def test_a_log_whose_program_changed_reads_like_its_parts(parts: tuple[str, ...]) -> None:
    whole = brief("".join(parts), sniff(source_of(parts[0])).name)
    assert whole == [message for part in parts for message in brief(part)]


def test_a_format_that_was_named_wrongly_is_not_changed_silently() -> None:
    with pytest.raises(WrongFormat):
        read(WEECHAT, "irssi")


def test_lines_that_no_dialect_explains_change_nothing() -> None:
    odd = "".join(f"10:{minute:02} [ann] [bob] [name{minute}]\n" for minute in range(60))
    found, report = read(IRSSI + odd + IRSSI, "irssi")
    assert len(found) == 60 + 2 * len(IRSSI.splitlines())
    assert not report.unexplained


def test_a_program_change_is_noticed_at_the_end_of_a_block() -> None:
    """Blocks of 256 KB are read at a time; the first lines of the second program lie on both sides of the cut."""
    for extra in (0, 7, 50):
        first = ZNC * ((1 << 18) // len(ZNC.encode()) + 1)
        text = f"[10:59:00] <ann> {'x' * extra}\n{first}{WEECHAT * 20}"
        assert brief(text)[-len(WEECHAT.splitlines()) * 20 :] == brief(WEECHAT * 20)


# --- pasted clocks


def days(text: str, name: str = "2010-04-05-x.log") -> list[int]:
    found, _ = read(text, name=name)
    return [when.day for when, *_ in found if when]


@pytest.mark.parametrize(
    "pasted", ["[03:15] <c> a\n", "[03:15] <c> a\n[03:16] <d> b\n[04:30] <c> c\n", "[22:15] <c> a\n"]
)
def test_a_pasted_clock_does_not_move_the_day(pasted: str) -> None:
    log = f"[10:00] <a> x\n[10:01] <b> look\n{pasted}[10:02] <a> ok\n[10:05] <b> yes\n[23:59] <b> late\n[00:01] <a> n\n"
    assert days(log) == [5] * (5 + pasted.count("\n")) + [6]


def test_a_clock_pasted_at_midnight_moves_the_day_once() -> None:
    log = "[23:56] <a> x\n[23:57] <b> look\n[14:00] <c> pasted\n[00:02] <a> ok\n[00:03] <b> yes\n"
    assert days(log) == [5, 5, 5, 6, 6]


@pytest.mark.parametrize(
    ("clocks", "expected"),
    [
        ("23:58 23:59 00:01 00:02", [5, 5, 6, 6]),
        ("23:50 23:58 00:40 09:00 23:59", [5, 5, 6, 6, 6]),
        ("20:00 09:00 20:03 08:00 19:00 07:59", [5, 6, 6, 7, 7, 8]),
        ("22:00 08:00 22:05 08:10 22:10", [5, 6, 6, 7, 7]),
        ("12:00 09:00 09:01 11:00 08:00", [5, 6, 6, 6, 7]),
    ],
)
def test_a_clock_that_passes_midnight_still_does(clocks: str, expected: list[int]) -> None:
    assert days("".join(f"[{clock}] <ann> hi\n" for clock in clocks.split())) == expected


def test_pasted_lines_that_name_a_day_are_ignored_and_real_ones_are_not() -> None:
    log = (
        "--- Log opened Tue Apr 06 10:00:00 2010\n10:00 < a> x\n10:01 < b> y\n--- Day changed Thu Jan 01 2004\n"
        "10:02 < a> z\n--- Log opened Thu Jan 01 2009\n09:00 < p> pasted\n10:03 < a> z\n10:04 < a> z\n"
        "--- Log closed Tue Apr 06 10:05:00 2010\n--- Log opened Thu May 06 10:30:00 2010\n10:30 < a> z\n"
    )
    found, _ = read(log, name="x.log")
    assert {when.date().isoformat() for when, *_ in found[:-1] if when} == {"2010-04-06"}
    assert found[-1][0] == datetime(2010, 5, 6, 10, 30)


# --- lines that go on


def test_indented_lines_belong_to_the_message_above() -> None:
    found, report = read("10:00 < ann> a long\n           message\n             wrapped\n10:01 < bob> ho\n", "irssi")
    assert [text for *_, text in found] == ["a long\nmessage\n  wrapped", "ho"]
    assert report.continued == 2


def test_lines_without_a_stamp_belong_to_what_was_said_right_above() -> None:
    found, report = read("[10:00:00] <ann> code:\ndef f(x):\n    return x\n[10:00:01] <bob> ho\n", "znc")
    assert [text for *_, text in found] == ["code:\ndef f(x):\n    return x", "ho"]
    assert report.continued == 2


@pytest.mark.parametrize("stray", ["--- Log opened", "12:00 <cid> from elsewhere", "**** BEGIN LOGGING", "*** hm"])
def test_a_line_of_another_log_is_no_part_of_a_message(stray: str) -> None:
    found, report = read(f"[10:00:00] <ann> hi\n{stray}\n[10:00:01] <bob> ho\n", "eggdrop")
    assert [text for *_, text in found] == ["hi", "ho"]
    assert report.unexplained.total() == 1


def test_below_a_blank_line_nothing_goes_on_unless_it_is_indented() -> None:
    found, report = read("[10:00:00] <ann> hi\n\nstray\n[10:00:01] <bob> ho\n\n  more\n", "znc")
    assert [text for *_, text in found] == ["hi", "ho\nmore"]
    assert (report.unexplained.total(), report.skipped.total(), report.continued) == (1, 2, 1)


def test_a_message_of_many_lines_goes_on_over_blocks() -> None:
    lines = [f"  line {number} of a long list" for number in range(30_000)]
    found, report = read("10:00 < ann> list:\n" + "\n".join(lines) + "\n10:01 < bob> ho\n", "irssi")
    assert found[0][3].count("\n") == len(lines)
    assert report.continued == len(lines)


# --- parts, scores, accounts


def test_an_empty_day_after_one_with_an_unexplained_line_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "#x_20200101.log").write_text("[10:00:00] <ann> hi\n\nwhat is this\n")
    (tmp_path / "#x_20200102.log").write_text("\n")
    (tmp_path / "#x_20200103.log").write_text("[10:00:00] <bob> ho\n")
    chats, report = read_place(tmp_path, "znc")
    assert [len(chat) for chat in chats] == [2]
    assert report.unexplained.total() == 1
    assert report.unaccounted(2) == 0


def test_what_explains_all_of_a_short_log_wins_over_what_explains_two_thirds() -> None:
    log = "[10:00] <ann> hi\n[10:01] <bob> ho\n[1/2/2020 10:02 PM] <ann> hm\n"
    scores = {format.name: clue.score for clue, format in candidates(source_of(log))}
    assert scores["irc"] - scores["ubuntu"] > 0.1
    assert sniff(source_of(log)).name == "irc"


@pytest.mark.parametrize("dialect", dialects(), ids=lambda dialect: dialect.name)
def test_every_dialect_accounts_for_every_line_of_every_other(dialect: Dialect) -> None:
    noise = "\n   indented\nstray line\n<p> markup\n\x00\n"
    for log in (MIRC, IRSSI, WEECHAT, ZNC):
        with suppress(WrongFormat):
            read(log + noise + log, dialect.name)


def test_rows_of_a_page_are_accounted_for() -> None:
    for page in sorted((SAMPLES / "irclog2html").glob("*.html")):
        chats, report = read_place(page)
        assert report.total
        assert report.unaccounted(sum(len(chat) for chat in chats)) == 0
