"""Telegram: accounts and single chats, what is said in parts, and what happens without a word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hubbub.chat import Message
from hubbub.errors import Broken, WrongFormat
from hubbub.read import read, read_all, stream

from ...accounting import account
from ...golden import SAMPLES


def write(folder: Path, document: object) -> Path:
    path = folder / "result.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def one(folder: Path, **fields: Any) -> Message:
    record = {"id": 1, "type": "message", "date": "2024-01-01T10:00:00", "from": "Ida", "text": "", **fields}
    found = read(write(folder, {"name": "Club", "type": "private_group", "id": 9, "messages": [record]}))
    return found[0]


def test_unix_time_is_aware_and_a_date_alone_is_not(tmp_path: Path) -> None:
    both, alone = one(tmp_path, date_unixtime="1704103200"), one(tmp_path)
    assert both.time is not None
    assert both.time.isoformat() == "2024-01-01T10:00:00+00:00"
    assert alone.time is not None
    assert alone.time.isoformat() == "2024-01-01T10:00:00"


def test_a_bad_date_is_no_date(tmp_path: Path) -> None:
    assert one(tmp_path, date="yesterday").time is None


def test_parts_of_a_text_are_joined_and_links_shown(tmp_path: Path) -> None:
    parts = ["a ", {"type": "bold", "text": "b"}, {"type": "text_link", "text": " c", "href": "https://example.org"}, 7]
    assert one(tmp_path, text=parts).text == "a b c (https://example.org)"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"photo": "photos/p.jpg"}, "[image: p.jpg]"),
        ({"photo": "(File not included. Change data exporting settings to download.)"}, "[image]"),
        ({"file": "x/v.mp4", "media_type": "video_file"}, "[video: v.mp4]"),
        ({"file": "x/s.webp", "media_type": "sticker", "sticker_emoji": "🙂"}, "[sticker: 🙂]"),
        ({"place_name": "Pier", "address": "Quay 1", "location_information": {}}, "[location: Pier, Quay 1]"),
        ({"forwarded_from": None, "text": "x"}, "[forwarded from Deleted Account]\nx"),
    ],
)
def test_media_are_words_in_brackets(tmp_path: Path, fields: dict[str, Any], text: str) -> None:
    assert one(tmp_path, **fields).text == text


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"action": "invite_members", "members": ["Bo", "Cy"]}, "Ida invited Bo, Cy"),
        ({"action": "invite_members", "members": ["Ida"]}, "Ida joined the group"),
        ({"action": "remove_members", "members": ["Ida"]}, "Ida left the group"),
        ({"action": "migrate_from_group", "title": "Old"}, 'Ida turned the group "Old" into this supergroup'),
        ({"action": "phone_call", "discard_reason": "missed"}, "Ida called (missed)"),
        ({"action": "never_heard_of"}, "Ida did this: never heard of"),
    ],
)
def test_services_are_sentences(tmp_path: Path, fields: dict[str, Any], text: str) -> None:
    message = one(tmp_path, type="service", actor="Ida", **fields)
    assert (message.kind, message.author, message.text) == ("system", "Ida", text)


def test_an_account_is_many_chats_and_the_rest_is_left_out_by_name(tmp_path: Path) -> None:
    chats: list[dict[str, Any]] = [{"name": name, "type": "personal_chat", "messages": []} for name in ("Bo", None)]
    left = [{"name": "Old", "type": "private_group", "messages": []}]
    path = write(
        tmp_path, {"personal_information": {}, "about": "", "chats": {"list": chats}, "left_chats": {"list": left}}
    )
    found = read_all(path)
    assert found.names() == ("Bo", "Deleted Account", "Old")
    first = next(stream(path))
    assert not list(first)
    assert first.report.skipped == {"personal information, not a chat": 1}


def test_control_characters_that_are_no_json_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(
        r'{"name": "C", "type": "private_group", "messages": [{"id": 1, "type": "message", "text": "a\x0Bb \\x41"}]}'
    )
    assert [message.text for message in next(stream(path))] == [r"ab \x41"]


def test_newest_first_becomes_oldest_first(tmp_path: Path) -> None:
    records = [{"id": day, "type": "message", "date": f"2024-01-0{day}T10:00:00", "text": "x"} for day in (3, 1, 2)]
    found = read(write(tmp_path, {"name": "C", "type": "private_group", "messages": records}), format="telegram")
    assert [message.id for message in found] == ["1", "2", "3"]


def test_what_is_no_message_is_counted(tmp_path: Path) -> None:
    path = write(tmp_path, {"name": "C", "type": "private_group", "messages": [1, {"id": 2, "text": "x"}]})
    (only,) = stream(path)
    assert len(list(only)) == 1
    assert only.report.unexplained == {"not a message object": 1}


@pytest.mark.parametrize(
    ("text", "error"),
    [('{"name": "C", "type": "private_group", "messages": [', Broken), ("[1, 2]", WrongFormat), ("{}", WrongFormat)],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, text: str, error: type[Exception]) -> None:
    path = tmp_path / "result.json"
    path.write_text(text)
    with pytest.raises(error):
        read(path, format="telegram")


def test_chats_of_one_name_stay_apart(tmp_path: Path) -> None:
    chats = [{"name": None, "type": "personal_chat", "id": id, "messages": [{"id": 1, "text": "x"}]} for id in (5, 6)]
    found = list(stream(write(tmp_path, {"about": "", "chats": {"about": "", "list": chats}}), format="telegram"))
    assert [(one.name, len(list(one))) for one in found] == [("Deleted Account (5)", 1), ("Deleted Account (6)", 1)]


def test_an_object_that_tells_nothing_is_no_message(tmp_path: Path) -> None:
    (only,) = stream(write(tmp_path, {"name": "C", "type": "private_group", "messages": [{}, {"id": 1, "text": "x"}]}))
    assert len(list(only)) == 1
    assert only.report.unexplained == {"not a message object": 1}


def test_paid_media_are_named(tmp_path: Path) -> None:
    assert one(tmp_path, paid_stars_amount=5).text == "[paid media]"


def test_messages_of_few_fields_are_telegrams_by_their_times(tmp_path: Path) -> None:
    record = {"type": "message", "date_unixtime": "1700000000", "from": "Ida", "text": "x"}
    (only,) = stream(write(tmp_path, {"chats": {"list": [{"name": "C", "messages": [record]}]}}))
    assert (only.name, [message.author for message in only]) == ("C", ["Ida"])


def page(*messages: str) -> str:
    header = '<div class="page_header"><div class="text bold">Kites</div></div>'
    return f'<!DOCTYPE html><html><body>{header}<div class="history">{"".join(messages)}</div></body></html>'


def spoken(id: int, title: str, shown: str = "14:05", name: str = "Ida") -> str:
    named = f'<div class="from_name">{name}</div>' if name else ""
    when = f'<div class="pull_right date details" title="{title}">{shown}</div>'
    kind = "message default clearfix" + ("" if name else " joined")
    return f'<div class="{kind}" id="message{id}"><div class="body">{when}{named}<div class="text">x</div></div></div>'


def service(id: str, text: str, title: str = "") -> str:
    told = f' title="{title}"' if title else ""
    return f'<div class="message service" id="message{id}"><div class="body details"{told}>{text}</div></div>'


def times(folder: Path, *messages: str) -> list[str]:
    path = folder / "messages.html"
    path.write_text(page(*messages), encoding="utf-8")
    found = read(path, format="telegram")
    return [message.time.isoformat() if message.time else f"clock {message.clock}" for message in found]


@pytest.mark.parametrize(
    ("title", "time"),
    [
        ("12.03.2025 14:05:10 UTC+01:00", "2025-03-12T14:05:10+01:00"),
        ("12.03.2025 14:05:10 UTC-03:30", "2025-03-12T14:05:10-03:30"),
        ("12.03.2025 14:05:10 UTC+5", "2025-03-12T14:05:10+05:00"),
        ("12.03.2025 14:05:10 UTC", "2025-03-12T14:05:10+00:00"),
        ("12.03.2025 14:05:10", "2025-03-12T14:05:10"),
        ("12.03.2025 14:05", "2025-03-12T14:05:00"),
        ("12 March 2025, 14:05:10", "2025-03-12T14:05:10"),
        ("12 марта 2025 г., 14:05:10", "2025-03-12T14:05:10"),
        ("12. März 2025 14:05:10 UTC+01:00", "2025-03-12T14:05:10+01:00"),
        ("March 12, 2025 2:05:10 PM", "2025-03-12T14:05:10"),
        ("2025-03-12 14:05:10", "2025-03-12T14:05:10"),
    ],
)
def test_the_times_of_html_in_every_layout(tmp_path: Path, title: str, time: str) -> None:
    assert times(tmp_path, spoken(1, title), spoken(2, title, name=""), service("3", "y", title)) == [time] * 3


@pytest.mark.parametrize("heading", ["12 March 2025", "12 de março de 2025", "12 марта 2025", "12.03.2025"])
def test_a_service_message_has_the_day_of_its_heading_and_no_time_of_its_own(tmp_path: Path, heading: str) -> None:
    found = times(tmp_path, service("-1", heading), service("1", "x"), spoken(2, "12.03.2025 14:05:10 UTC+01:00"))
    assert found == ["2025-03-12T00:00:00+01:00", "2025-03-12T14:05:10+01:00"]


def test_a_page_that_goes_on_with_a_day_has_no_heading(tmp_path: Path) -> None:
    assert times(tmp_path, spoken(1, "12.03.2025 14:05:10"), service("2", "x"))[1] == "2025-03-12T00:00:00"


def test_a_clock_alone_takes_the_day_of_the_heading(tmp_path: Path) -> None:
    assert times(tmp_path, spoken(1, "", "14:05")) == ["clock 14:05:00"]
    assert times(tmp_path, service("-1", "12 March 2025"), spoken(1, "", "14:05")) == ["2025-03-12T14:05:00"]


def test_a_service_message_with_a_number_below_zero_is_no_heading(tmp_path: Path) -> None:
    path = tmp_path / "messages.html"
    path.write_text(page(service("-1", "12 March 2025"), service("-2", "Ida pinned a message"), spoken(3, "")))
    count, report = account(path)
    assert (count, report.skipped) == (2, {"day heading": 1})


def test_the_time_of_what_is_forwarded_is_not_that_of_the_message(tmp_path: Path) -> None:
    inner = '<div class="from_name">News <span class="date details" title="01.01.2020 00:00:00">1.1.</span></div>'
    message = f'<div class="message default" id="message1"><div class="body"><div class="forwarded body">{inner}</div>'
    assert times(tmp_path, message + "</div></div>", spoken(2, "12.03.2025 14:05:10"))[0] == "clock None"


def test_html_pages_are_accounted_for() -> None:
    count, report = account(SAMPLES / "telegram" / "pages")
    assert (count, report.skipped) == (7, {"day heading": 1, "belongs to the export, but is no chat": 1})
