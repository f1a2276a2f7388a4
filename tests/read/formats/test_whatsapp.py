"""WhatsApp: whose date it is, where a message ends, and what nobody said."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from hubbub.chat import Chat, renamed
from hubbub.errors import Empty, WrongFormat
from hubbub.read import read, stream
from hubbub.read.detect.file_head import Sample
from hubbub.read.formats.whatsapp import FORMAT
from hubbub.read.input.source import file_source
from hubbub.read.times.month_names import month_named

from ...accounting import account
from ...golden import cases


def chat(folder: Path, *lines: str, name: str = "chat.txt") -> Chat:
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = read(path)
    assert found.format == "whatsapp"
    return found


def days(found: Chat) -> list[str]:
    return [message.time.date().isoformat() if message.time else "" for message in found]


@pytest.mark.parametrize(
    ("stamp", "time"),
    [
        ("28/01/24, 15:30 - ", "2024-01-28T15:30:00"),
        ("1/28/24, 3:30 PM - ", "2024-01-28T15:30:00"),
        ("28.01.24, 15:30 - ", "2024-01-28T15:30:00"),
        ("28-01-2024 15:30 - ", "2024-01-28T15:30:00"),
        ("2024-01-28 15:30 - ", "2024-01-28T15:30:00"),
        ("2024/1/28 下午3:30 - ", "2024-01-28T15:30:00"),
        ("2024. 1. 28. 오후 3:30 - ", "2024-01-28T15:30:00"),
        ("28.1.2024 klo 15.30 - ", "2024-01-28T15:30:00"),
        ("28/1/24, 3:30 p. m. - ", "2024-01-28T15:30:00"),
        ("28/1/24, 12:30\u202fam - ", "2024-01-28T00:30:00"),
        ("28/1/2567 15:30 - ", "2024-01-28T15:30:00"),
        ("\u200f28\u200f/1\u200f/2024، 3:30 م - ", "2024-01-28T15:30:00"),
        ("[28.01.24, 15:30:22] ", "2024-01-28T15:30:22"),
        ("\u200e[1/28/24, 3:30:22\u202fPM] ", "2024-01-28T15:30:22"),
        ("[2024-01-28 15:30:22] ", "2024-01-28T15:30:22"),
        ("28/01/14 21:30:05: ", "2014-01-28T21:30:05"),
        ("15:30, 28/01/2024 - ", "2024-01-28T15:30:00"),
        ("[15:30, 28/1/2024] ", "2024-01-28T15:30:00"),
        ("[3:30 PM, 1/28/2024] ", "2024-01-28T15:30:00"),
    ],
)
def test_the_stamps_of_many_phones(tmp_path: Path, stamp: str, time: str) -> None:
    (message,) = chat(tmp_path, f"{stamp}Oren: hello")
    assert message.time is not None
    assert (message.time.isoformat(), message.author, message.text) == (time, "Oren", "hello")


@pytest.mark.parametrize(
    "stamp",
    [
        "12 Mar 2025, 14:05 - ",
        "Mar 12, 2025 at 2:05 PM - ",
        "[12 Mar 2025, 2:05:00\u202fPM] ",
        "March 12th, 2025, 14:05 - ",
        "Wed, 12 Mar 2025, 14:05 - ",
        "12-Mar-2025 14:05 - ",
        "12-mar-25, 2:05 PM - ",
        "[12. März 2025 um 14:05:00] ",
        "[12. März 2025 um 14:05:00 Uhr] ",
        "12 mars 2025 à 14:05 - ",
        "12 de marzo de 2025, 14:05 - ",
        "12 de mar. de 2025 14:05 - ",
        "12 marzo 2025 alle 14:05 - ",
        "12 maart 2025 om 14:05 - ",
        "12. mars 2025 kl. 14.05 - ",
        "12. maaliskuuta 2025 klo 14.05 - ",
        "12 marca 2025 14:05 - ",
        "12. bře. 2025, 14:05 - ",
        "2025. márc. 12. 14:05 - ",
        "2025. március 12. du. 2:05 - ",
        "12 Mart 2025 14:05 - ",
        "12 Maret 2025 pukul 14.05 - ",
        "12 thg 3, 2025, 14:05 - ",
        "12 марта 2025 г. в 14:05 - ",
        "[12 мар. 2025 г., 14:05:00] ",
        "12 Μαρ 2025, 2:05 μ.μ. - ",
        "12 मार्च 2025, 2:05 pm - ",
        "12 มี.ค. 2568 14:05 - ",
        "12 במרץ 2025, 14:05 - ",
        "\u200f12 مارس 2025، 2:05 م - ",
        "14:05, 12 Mar 2025 - ",
        "[2:05 PM, 12 March 2025] ",
    ],
)
def test_months_by_their_names_in_many_languages(tmp_path: Path, stamp: str) -> None:
    (message,) = chat(tmp_path, f"{stamp}Oren: hello")
    assert message.time is not None
    assert (message.time.isoformat(), message.author, message.text) == ("2025-03-12T14:05:00", "Oren", "hello")


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("mar", 3),
        ("marraskuuta", 11),
        ("juin", 6),
        ("juil.", 7),
        ("jui", None),
        ("červen", 6),
        ("července", 7),
        ("xyz", None),
    ],
)
def test_a_name_that_could_be_two_months_is_none(word: str, number: int | None) -> None:
    assert month_named(word) == number


def test_the_order_of_a_date_in_words_needs_no_other_date(tmp_path: Path) -> None:
    found = chat(tmp_path, "2 Apr 2025, 09:00 - A: x", "1 Feb 2025, 09:00 - B: y", "3 Jan 2025, 09:00 - A: z")
    assert days(found) == ["2025-04-02", "2025-02-01", "2025-01-03"]


def test_every_line_is_accounted_for(tmp_path: Path) -> None:
    lines = ["", "exported by somebody", "28/01/24, 15:30 - A: x", "more", "", "28/01/24, 15:31 - B: y"]
    path = tmp_path / "chat.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    count, report = account(path)
    assert (report.total, count, report.continued, report.unexplained.total(), report.skipped.total()) == (
        6,
        2,
        2,
        1,
        1,
    )


@pytest.mark.parametrize(
    "case", [case for case in cases() if case.parent.name == "whatsapp"], ids=lambda case: case.name
)
def test_samples_are_accounted_for(case: Path) -> None:
    account(case)


def test_a_day_past_twelve_anywhere_tells_the_order_of_all(tmp_path: Path) -> None:
    found = chat(tmp_path, "2/3/21, 09:00 - A: x", "2/4/21, 09:00 - B: y", "2/14/21, 09:00 - A: z")
    assert days(found) == ["2021-02-03", "2021-02-04", "2021-02-14"]


def test_days_that_run_forward_tell_the_order(tmp_path: Path) -> None:
    found = chat(tmp_path, "5/11/21, 09:00 - A: x", "6/11/21, 09:00 - B: y", "1/12/21, 09:00 - A: z")
    assert days(found) == ["2021-11-05", "2021-11-06", "2021-12-01"]


def test_days_that_follow_each_other_beat_days_a_month_apart(tmp_path: Path) -> None:
    found = chat(tmp_path, "2/3/21, 9:00 AM - A: x", "3/3/21, 9:00 AM - B: y")
    assert days(found) == ["2021-03-02", "2021-03-03"]


def test_what_cannot_be_told_is_month_first_only_with_slashes_and_am_pm(tmp_path: Path) -> None:
    assert days(chat(tmp_path, "2/3/21, 9:00 AM - A: x")) == ["2021-02-03"]
    assert days(chat(tmp_path, "2/3/21, 09:00 - A: x")) == ["2021-03-02"]
    assert days(chat(tmp_path, "2.3.21, 9:00 AM - A: x")) == ["2021-03-02"]


def test_a_pasted_line_in_another_form_stays_in_its_message(tmp_path: Path) -> None:
    lines = [f"[28.01.24, 15:30:{second}] A: {second}" for second in range(10, 20)]
    found = chat(tmp_path, *lines, "[1.2.2024, 00:00:00] B: pasted")
    assert len(found) == 10
    assert found[9].text == "19\n[1.2.2024, 00:00:00] B: pasted"


def test_notices_are_system_messages_about_somebody(tmp_path: Path) -> None:
    found = chat(
        tmp_path,
        '28/01/24, 15:30 - Ada created group "Boats: all"',
        "28/01/24, 15:31 - Ada: I added salt: too much",
        "[not a stamp] at all",
        "28/01/24, 15:32 - Your security code with Ben changed. Tap to learn more.",
    )
    assert [(m.kind, m.author) for m in found] == [("system", "Ada"), ("message", "Ada"), ("system", "")]


def test_a_notice_behind_a_name_is_still_a_notice(tmp_path: Path) -> None:
    found = chat(
        tmp_path,
        "[14.08.24, 21:00:10] Boats: \u200eAda added you",
        "[14.08.24, 21:00:11] Ada: Ada changed this group's icon",
        "[14.08.24, 21:00:12] Ada: \u200eAda bu grubu oluşturdu",
        "[14.08.24, 21:00:13] Ada: I changed the plan",
    )
    assert [(m.kind, m.author) for m in found] == [
        ("system", "Ada"),
        ("system", "Ada"),
        ("system", "Ada"),
        ("message", "Ada"),
    ]


def test_a_new_number_is_a_rename(tmp_path: Path) -> None:
    (message,) = chat(
        tmp_path, "28/01/24, 15:31 - A: x", "28/01/24, 15:32 - +44 7700 900001 changed to +44 7700 900002"
    )[1:]
    assert renamed(message) == ("+44 7700 900001", "+44 7700 900002")


def test_attachments_are_words_in_brackets(tmp_path: Path) -> None:
    said = [
        "<Medien ausgeschlossen>",
        "\u200eBild weggelassen",
        "a b.mp4 (Datei angehängt)",
        "\u200e<pièce jointe : x.opus>",
    ]
    found = chat(tmp_path, *(f"28.01.24, 15:30 - A: {text}" for text in said))
    shown = ["[Medien ausgeschlossen]", "[Bild weggelassen]", "[video: a b.mp4]", "[audio: x.opus]"]
    assert [message.text for message in found] == shown


def test_a_zip_gives_its_name_and_its_media_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "WhatsApp Chat - Night shift.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("_chat.txt", "[28.01.24, 15:30:22] Ada: hello\n")
        file.writestr("00000001-PHOTO.jpg", b"\xff\xd8\xff\x00")
    (one,) = stream(path)
    assert (one.name, one.format, len(list(one))) == ("Night shift", "whatsapp", 1)
    assert one.report.skipped.total() == 1
    assert not one.report.unexplained


@pytest.mark.parametrize(
    "line", ["[2005-01-09 02:05:04] <ada> hello: you", "2005-01-09 02:05:04 <ada> hi", "Ada: hello", "[15:30] Ada: hi"]
)
def test_other_formats_are_not_taken_for_it(tmp_path: Path, line: str) -> None:
    path = tmp_path / "log.txt"
    path.write_text(f"{line}\n" * 3, encoding="utf-8")
    assert FORMAT.sniff(Sample(file_source(path))) is None


def test_a_text_without_any_date_is_another_format(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text("Ada: hello\n", encoding="utf-8")
    with pytest.raises(WrongFormat):
        read(path, format="whatsapp")


def test_an_empty_file_is_said_to_be_empty(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.touch()
    with pytest.raises(Empty):
        read(path)


def test_a_group_that_speaks_under_its_own_name_gives_notices_in_any_language(tmp_path: Path) -> None:
    found = chat(
        tmp_path,
        "[28.01.24, 15:30:01] Chor: \u200eNachrichten sind Ende-zu-Ende-verschlüsselt.",
        "[28.01.24, 15:30:02] Chor: \u200eOren hat diese Gruppe erstellt.",
        "[28.01.24, 15:30:03] Oren: Guten Tag",
        "[28.01.24, 15:30:04] Chor: \u200eLund wurde entfernt",
    )
    assert [message.kind for message in found] == ["system", "system", "message", "system"]
    assert found[3].text == "Lund wurde entfernt"


def test_the_other_one_of_two_is_no_group(tmp_path: Path) -> None:
    found = chat(
        tmp_path,
        "[28.01.24, 15:30:01] Oren: \u200eMessages and calls are end-to-end encrypted.",
        "[28.01.24, 15:30:02] Oren: \u200eimage omitted",
        "[28.01.24, 15:30:03] Lund: nice",
        "[28.01.24, 15:30:04] Oren: \u200eStandort: https://maps.example/1",
        "[28.01.24, 15:30:05] Oren: thanks",
    )
    assert [message.kind for message in found] == ["system", "message", "message", "message", "message"]


@pytest.mark.parametrize("text", ["This message was deleted", "\u200eDiese Nachricht wurde gelöscht.", "此訊息已刪除"])
def test_a_deleted_message_is_told_as_one(tmp_path: Path, text: str) -> None:
    (message,) = chat(tmp_path, f"28/01/24, 15:30 - Oren: {text}")
    assert (message.author, message.text, message.kind) == ("Oren", "[deleted]", "system")


@pytest.mark.parametrize("mark", ["<This message was edited>", "\u200e<Diese Nachricht wurde bearbeitet.>"])
def test_the_mark_of_an_edit_is_not_said(tmp_path: Path, mark: str) -> None:
    assert chat(tmp_path, f"28/01/24, 15:30 - Oren: at nine {mark}")[0].text == "at nine"


@pytest.mark.parametrize(
    ("notice", "about"),
    [("Oren te añadió", "Oren"), ("Se añadió a Lund", ""), ("Oren's security code changed. Tap to learn more.", "")],
)
def test_whom_a_notice_is_about(tmp_path: Path, notice: str, about: str) -> None:
    assert chat(tmp_path, f"28/01/24, 15:30 - {notice}", "28/01/24, 15:30 - Oren: hi")[0].author == about


def test_a_group_where_nobody_has_spoken_yet(tmp_path: Path) -> None:
    found = chat(tmp_path, '28/01/24, 15:30 - Oren created group "Choir"', "28/01/24, 15:30 - You were added")
    assert [(message.author, message.kind) for message in found] == [("Oren", "system"), ("You", "system")]
