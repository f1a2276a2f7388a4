"""The drawing: what stands where, in which colour, and what never reaches a terminal."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from itertools import count, islice
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hubbub import Chat, Message
from hubbub.chat import Kind
from hubbub.view import draw_chat as terminal
from hubbub.view.draw_layers import draw
from hubbub.view.lanes import MessageRow
from hubbub.view.style import GREY, PALETTE, Colours, Line, Segment, coloured, plain, rgb, style_of, wants_colour
from hubbub.view.svg import svg
from hubbub.view.wrap import clip, display_width, drawable, wrap

START = datetime(2025, 3, 3, 21, 50)


def said(text: str, author: str = "marrow", minutes: float = 0, kind: Kind = "message", **more: object) -> Message:
    message = Message(str(id(text)), START + timedelta(minutes=minutes), author, text, kind)
    return message._replace(**more)  # type: ignore[arg-type]


def drawn(*messages: Message, width: int = 60, name: str = "#helpdesk") -> list[str]:
    return [plain(line) for line in draw([Chat(name, messages)], width)]


def spans(*messages: Message) -> list[Segment]:
    return [span for line in draw([Chat("#helpdesk", messages)], 60) for span in line]


def wrapped(text: str, width: int) -> list[str]:
    return [plain(line) for line in wrap((Segment(text),), width)]


def test_heading_tells_name_messages_people_and_days() -> None:
    lines = drawn(said("hi"), said("hello", "oberin", minutes=200), said("bye", minutes=201))
    assert lines[1:3] == [" #helpdesk", " 3 messages · 2 people · 3–4 March 2025"]


def test_one_person_under_two_names_is_counted_once() -> None:
    rename = said("marrow is now known as marrow_tea", kind="system")
    assert " 3 messages · 1 person · 3 March 2025" in drawn(said("hi"), rename, said("back", "marrow_tea"))


def test_long_chat_is_drawn_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "AHEAD", 10)
    taken = count()
    endless = (said("hello", minutes=next(taken) // 60) for _ in count())
    lines = list(islice(terminal.draw_chat("#helpdesk", map(MessageRow, endless), 60), 8))
    assert plain(lines[2]) == " more than 10 messages · from 3 March 2025"
    assert next(taken) < 20


def test_days_break_before_what_is_announced_on_them() -> None:
    opened = said("Log opened", "", kind="system", time=None)
    changed = said("Day changed", "", kind="system", time=None)
    lines = [line.strip(" ─") for line in drawn(opened, said("hi"), changed, said("late", minutes=180))]
    marks = [line for line in lines if line]
    assert marks[2:] == [
        "Monday 3 March 2025", "·  Log opened", "21:50  marrow  hi",
        "Tuesday 4 March 2025", "·  Day changed", "00:50  marrow  late",
    ]  # fmt: skip


def test_time_is_the_clock_without_a_date_and_blank_without_either() -> None:
    lines = drawn(said("a", time=None, clock=time(9, 5, 30)), said("b", "oberin", time=None))
    assert lines[-2:] == [" 09:05  marrow  a", "        oberin  b"]
    assert not any("─" in line for line in lines)


def test_name_is_shown_once_while_somebody_goes_on_talking() -> None:
    lines = drawn(said("one"), said("two", minutes=0.5), said("three", minutes=1), said("four", minutes=9))
    assert lines[-4:] == [
        " 21:50  marrow  one",
        "                two",
        " 21:51          three",
        " 21:59  marrow  four",
    ]


def test_without_a_date_the_clock_tells_who_goes_on_talking() -> None:
    clocks = [said("hm", time=None, clock=time(9, minute)) for minute in (5, 6, 9)]
    assert drawn(*clocks)[-3:] == [" 09:05  marrow  hm", " 09:06          hm", " 09:09  marrow  hm"]
    assert drawn(said("one", time=None), said("two", time=None))[-1] == "                two"


def test_times_with_and_without_a_zone_may_meet() -> None:
    assert drawn(said("one"), said("two", time=START.replace(tzinfo=UTC)))[-1] == " 21:50  marrow  two"


def test_names_stand_to_the_right_and_long_ones_are_cut() -> None:
    lines = drawn(said("hi", "a_name_that_goes_on_and_on"), said("hello", "oberin"))
    assert lines[-2:] == [" 21:50  a_name_that…  hi", " 21:50        oberin  hello"]


def test_actions_and_announcements() -> None:
    pieces = spans(said("waves", kind="action"), said("oberin has joined", "oberin", kind="system"))
    assert Segment("marrow", style_of(Colours().of("marrow"), italic=True)) in pieces
    assert Segment(" waves", style_of(italic=True)) in pieces
    assert Segment("oberin has joined", style_of(GREY)) in pieces
    assert drawn(said("waves", kind="action"))[-1] == " 21:50     *  marrow waves"


def test_text_of_several_lines_is_indented() -> None:
    assert drawn(said("code:\n\tif x:\n\n\t\treturn"))[-4:] == [
        " 21:50  marrow  code:",
        "                    if x:",
        "",
        "                        return",
    ]


def test_replies_quote_what_they_answer() -> None:
    question = said("how do I leave less?\nplease", "tarn", id="q")
    first, second = said("press q", id="a", reply_to=("q",)), said("or Q", "oberin", id="b", reply_to=("q",))
    lost = said("what?", "tarn", id="c", reply_to=("gone",), minutes=5)
    assert drawn(question, first, second, lost)[-5:] == [
        " 21:50  marrow  ↪ tarn: how do I leave less? please",
        "                press q",
        " 21:50  oberin  ↪ or Q",
        " 21:55    tarn  ↪ an earlier message",
        "                what?",
    ]


def test_colour_is_stable_and_kept_through_renames() -> None:
    rename = said("marrow is now known as soup", kind="system")
    again = said("soup is now known as spoon", "soup", kind="system")
    colour = Colours().of("marrow")
    pieces = spans(said("hi"), rename, said("one", "soup"), again, said("two", "spoon"))
    assert [piece.style for piece in pieces if piece.text in ("marrow", "soup", "spoon")] == [style_of(colour)] * 3
    assert colour == 32


def luminance(colour: int) -> float:
    parts = (int(rgb(colour)[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colour", [*PALETTE, GREY])
def test_colours_are_readable_on_dark_and_on_light(colour: int) -> None:
    assert (luminance(colour) + 0.05) / 0.05 >= 3
    assert 1.05 / (luminance(colour) + 0.05) >= 3


@pytest.mark.parametrize(
    ("choice", "is_terminal", "environ", "wanted"),
    [
        ("auto", True, {"TERM": "xterm"}, True),
        ("auto", False, {"TERM": "xterm"}, False),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", True, {"TERM": "dumb"}, False),
        ("auto", False, {"FORCE_COLOR": "1"}, True),
        ("auto", False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("always", False, {"NO_COLOR": "1"}, True),
        ("never", True, {"FORCE_COLOR": "1"}, False),
    ],
)
def test_who_wants_colour(choice: str, is_terminal: bool, environ: dict[str, str], wanted: bool) -> None:
    assert wants_colour(choice, is_terminal, environ) is wanted


def test_coloured_lines_end_what_they_start() -> None:
    assert coloured((Segment("a"), Segment("b", style_of(32, bold=True)))) == "a\x1b[1;38;5;32mb\x1b[0m"


@pytest.mark.parametrize(
    "evil", ["\x1b[2J", "\x1b]0;title\x07", "\x1bPq\x1b\\", "\x9b31m", "\rover", "\x08\x08", "\u202eover", "\x1b"]
)
def test_nothing_in_a_chat_drives_the_terminal(evil: str) -> None:
    messages = [said(f"a{evil}b", f"n{evil}k", kind=kind) for kind in ("message", "action", "system")]
    reply = said("c", reply_to=(messages[0].id,), minutes=9)
    text = "".join(drawn(*messages, reply, name=f"#c{evil}"))
    assert not set(text) & set("\x1b\x07\x9b\r\x08\u202e")


BIDI = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize("control", BIDI, ids=lambda control: f"{ord(control):04x}")
def test_controls_of_text_direction_are_removed_and_the_text_is_kept(control: str) -> None:
    messages = [said(f"a{control}b שלום", f"n{control}k", kind=kind) for kind in ("message", "action", "system")]
    text = "\n".join(drawn(*messages, said("c", reply_to=(messages[0].id,), minutes=9), name=f"#c{control}d"))
    assert control not in text
    assert text.count("ab שלום") == 4
    assert "#cd" in text
    picture = svg(list(draw([Chat(f"x{control}y", tuple(messages))], 60)), 60, "t")
    assert control not in picture


def test_wide_and_combining_characters_keep_the_columns() -> None:
    names = ("日本", "e\u0301va", "👨‍👩‍👧", "שלום", "नमस्ते")
    lines = drawn(*(said("ok", name, minutes=5 * number) for number, name in enumerate(names)))[-len(names) :]
    assert {display_width(line) for line in lines} == {display_width(lines[0])}


@given(st.text(), st.text(), st.integers(20, 90))
def test_any_text_stays_within_the_width(text: str, author: str, width: int) -> None:
    for line in drawn(said(text, author), said(text, author, kind="action"), width=width, name=text):
        assert display_width(line) <= width
        assert drawable(line) == line
        assert "\n" not in line


@given(st.text(st.sampled_from("ab 日👍🏽e\u0301-"), max_size=60), st.integers(4, 20))
def test_wrapping_loses_nothing_but_spaces(text: str, width: int) -> None:
    assert "".join(wrapped(text, width)).replace(" ", "") == text.replace(" ", "")


def test_wrapping_keeps_words_and_addresses_whole() -> None:
    assert wrapped("see https://example.org/a/b?c=d for more", 26) == [
        "see",
        "https://example.org/a/b?c=",
        "d for more",
    ]
    assert wrapped("see https://example.org/a/b?c=d for more", 27) == ["see", "https://example.org/a/b?c=d", "for more"]
    assert wrapped("two  spaces", 20) == ["two  spaces"]
    assert wrapped("a" * 25, 10) == ["a" * 10, "a" * 10, "a" * 5]


def test_wrapping_counts_columns() -> None:
    assert wrapped("日本語の文字です。", 8) == ["日本語の", "文字で", "す。"]
    assert wrapped("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 4) == ["👨‍👩‍👧👨‍👩‍👧", "👨‍👩‍👧"]
    assert wrapped("e\u0301" * 6, 4) == ["e\u0301" * 4, "e\u0301" * 2]


def test_wrapping_keeps_styles() -> None:
    line: Line = (Segment("one", style_of(32)), Segment(" two three"))
    assert wrap(line, 8) == [(Segment("one", style_of(32)), Segment(" two")), (Segment("three"),)]


def test_clip_counts_columns() -> None:
    assert clip("日本語", 6) == "日本語"
    assert clip("日本語", 5) == "日本…"
    assert clip("hello world", 7) == "hello…"


def texts(picture: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(picture).findall(".//{http://www.w3.org/2000/svg}text")


def test_picture_is_xml_and_holds_the_drawing() -> None:
    chat = Chat("#a <b> & c", (said('1 < 2 && "x" ]]>'), said("日本 e\u0301 ok", "oberin"), said("שלום עולם", "tarn")))
    found = texts(svg(list(draw([chat], 60)), 60, "hubbub & co"))
    shown = [element.text for element in found]
    assert shown[:2] == ["hubbub & co", "#a <b> & c"]
    assert {'1 < 2 && "x" ]]>', "日本", "e\u0301", "ok", "שלום עולם", "oberin"} <= set(shown)


def test_picture_holds_letters_in_their_columns() -> None:
    wide, after = texts(svg([(Segment("日本 ok"),)], 20, "t"))[1:]
    assert float(wide.attrib["textLength"]) == pytest.approx(4 * 8.4)
    assert float(after.attrib["x"]) - float(wide.attrib["x"]) == pytest.approx(5 * 8.4, abs=0.11)


@given(st.text())
def test_picture_of_any_text_is_xml(text: str) -> None:
    ElementTree.fromstring(svg(list(draw([Chat(text, (said(text, text),))], 40)), 40, text))
