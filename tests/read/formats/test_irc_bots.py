"""Logs of bots and scrollback files: MeetBot's pages, a column for the channel, HexChat's scrollback."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest

import hubbub
from hubbub.errors import PartlyRead, WrongFormat
from hubbub.read.detect.sniff import sniff
from hubbub.read.parsing.path_names import chat_name

from ...reading import read_all, read_one, read_place, said, source_of, unexplained

PAGE = "<html><head><title>#tea log</title></head><body><h1>Log</h1><pre>{}</pre></body></html>"


@pytest.mark.parametrize(
    "anchor",
    ['<a href="#l-1" name="l-1">{}</a>', '<a name="l-1"></a>{}', '<a name="id-1"></a>{}', '<a name="id-1"/>{}'],
)
@pytest.mark.parametrize(
    "row",
    [
        ("<span class='nk'> &lt;ann&gt;</span> {}", "<span class='nka'>* ann</span> <span class='ac'>{}</span>"),
        (
            " <span class='nk'>&lt;ann&gt;</span> <span>{}</span>",
            " <span class='nka'>&lt;ann&gt;</span> <span>{}</span>",
        ),
    ],
)
def test_every_layout_of_a_meetbot_page(anchor: str, row: tuple[str, str]) -> None:
    stamp = anchor.format('<span class="tm">10:00:00</span>')
    lines = [stamp + row[0].format("&lt;p&gt;hi &amp; ho&lt;/p&gt;"), stamp + row[1].format("nods")]
    page = PAGE.format("\n".join(lines).replace("'", '"'))
    assert sniff(source_of(page)).name == "meetbot"
    found, report = read_all("meetbot", page)
    assert [(one.kind, one.author, one.text) for one in found["#tea"]] == [
        ("message", "ann", "<p>hi & ho</p>"),
        ("action", "ann", "nods"),
    ]
    assert report.total == 2


def test_a_page_without_a_log_is_no_meeting() -> None:
    for page in ("<html><body>hi</body></html>", PAGE.format("no log\nat all")):
        with pytest.raises(WrongFormat, match="meetbot"):
            read_all("meetbot", page)


def test_the_file_of_a_meeting_is_named_after_its_channel() -> None:
    assert chat_name("2013/orchard.2013-02-10-14.00.log.txt") == "orchard"
    assert chat_name("#orchard.2013-02-10-14.00.log.html") == "#orchard"


# --- a column for the channel


@pytest.mark.parametrize("column", ["{}", "{}:", "[{}]", "({})"])
@pytest.mark.parametrize("stamp", ["2014-06-07 [10:00:01]", "[2014-06-07 10:00:01]", "2014-06-07 10:00:01"])
def test_each_channel_of_a_column_is_a_chat(stamp: str, column: str) -> None:
    tea, cake = (f"{stamp} {column.format(channel)}" for channel in ("#tea", "#cake"))
    log = f"{tea} <ann> hi\n{cake} <bob> ho\n{tea} * ann nods\n{cake} *** eve has joined #cake\n{tea} -eve- psst\n"
    assert sniff(source_of(log)).name == "irc"
    found, report = read_all("irc", log)
    assert [(one.kind, one.text) for one in found["#tea"]] == [
        ("message", "hi"),
        ("action", "nods"),
        ("message", "psst"),
    ]
    assert [(one.kind, one.text) for one in found["#cake"]] == [("message", "ho"), ("system", "eve has joined #cake")]
    assert {one.time for chat in found.values() for one in chat} == {datetime(2014, 6, 7, 10, 0, 1)}
    assert report.unaccounted(5) == 0


def test_without_a_column_a_channel_at_the_beginning_of_a_message_stays_in_it() -> None:
    log = "2014-06-07 [10:00:01] <ann> #tea <bob> said so\n2014-06-07 [10:00:02] <bob> did I\n"
    assert said(read_one("irc", log)) == [("ann", "#tea <bob> said so"), ("bob", "did I")]


def test_lines_of_a_channel_keep_their_numbers_and_their_case() -> None:
    lines = [
        "stray",
        "[10:00:00] #tea <ann> hi",
        "",
        "[10:00:01] #cake <bob> list:",
        "  one",
        "[10:00:02] #Tea <ann> x",
    ]
    found, report = read_all("irc", "\n".join([*lines, "", "stray", "[10:00:03] #cake <bob> ho"]))
    assert {name: said(chat) for name, chat in found.items()} == {
        "#tea": [("ann", "hi"), ("ann", "x")],
        "#cake": [("bob", "list:\none"), ("bob", "ho")],
    }
    assert sorted(line for line, _ in unexplained(report)) == [1, 8]
    assert (report.total, report.unaccounted(4)) == (9, 0)


def test_a_broken_file_with_a_column_is_read_up_to_the_break(tmp_path: Path) -> None:
    log = "".join(f"[10:00:00] #{'tea' if n % 2 else 'cake'} <ann> number {n} {hash(n) ** 9}\n" for n in range(20_000))
    packed = gzip.compress(log.encode())
    (tmp_path / "log.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.warns(PartlyRead):
        chats = hubbub.read_all(tmp_path)
    assert {chat.name for chat in chats} == {"#tea", "#cake"}
    assert all(len(chat) > 100 for chat in chats)


# --- HexChat's scrollback


@pytest.mark.parametrize("between", [" ", "\t"])
@pytest.mark.parametrize("colours", [("", ""), ("\x0318", "\x0f"), ("\x02\x0305,12", "\x03")])
def test_scrollback_with_and_without_colours(between: str, colours: tuple[str, str]) -> None:
    on, off = colours
    log = (
        f"T 1360505280 {on}<{off}ann{on}>{off}{between}see <b>this</b>\n"
        f"T 1360505290 {on}*{off}{between}ann nods\n"
        f"T 1360505300 {on}*{off}{between}bob ({on}b@c{off}) has joined\n"
        "T 1360505310  \n"
        f"T 1360505320 {on}-{off}bob{on}-{off}{between}psst\n"
    )
    assert sniff(source_of(log)).name == "hexchat"
    found, report = read_all("hexchat", log)
    [chat] = found.values()
    assert [(one.kind, one.author) for one in chat] == [
        ("message", "ann"),
        ("action", "ann"),
        ("system", "bob"),
        ("message", "bob"),
    ]
    assert chat[0].time == datetime(2013, 2, 10, 14, 8, tzinfo=UTC)
    assert chat[0].text == "see <b>this</b>"
    assert (report.skipped.total(), report.unexplained.total()) == (1, 0)


def test_scrollback_is_named_after_its_file(tmp_path: Path) -> None:
    (tmp_path / "scrollback/Orchard").mkdir(parents=True)
    (tmp_path / "scrollback/Orchard/#tea.txt").write_text("T 1360505280 <ann>\thi\nT 1360505281 <bob>\tho\n")
    [chat], _ = read_place(tmp_path)
    assert (chat.name, chat.format, len(chat)) == ("#tea", "hexchat", 2)
