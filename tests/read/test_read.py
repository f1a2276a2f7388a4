"""Reading as a whole: places, encodings, times, order, and that nothing is lost."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import tarfile
import zipfile
from datetime import UTC, date, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from backports import zstd

import hubbub
from hubbub import Chat, Chats
from hubbub.errors import (
    AmbiguousFormat,
    Broken,
    Empty,
    HubbubError,
    Missing,
    NoChats,
    NotText,
    PartlyRead,
    UnknownFormat,
    Unreadable,
    WrongFormat,
)
from hubbub.read import stream
from hubbub.read.detect import sniff
from hubbub.read.parsing.path_names import chat_name, date_in, fallback_name

from ..conftest import Put

LOG = "[10:00] <ann> hello\n[10:01] <bob> hi ann\n=== bob is now known as rob\n"


def one(path: Path, **options: object) -> Chat:
    return hubbub.read(path, **options)  # type: ignore[arg-type]


def many(path: Path) -> Chats:
    chats = hubbub.read_all(path)
    assert len(chats) > 1
    return chats


@pytest.mark.parametrize(
    ("ending", "pack"),
    [
        (".gz", gzip.compress),
        (".bz2", bz2.compress),
        (".xz", lzma.compress),
        (".zst", zstd.compress),
        (".misleading", gzip.compress),
    ],
)
def test_compression_is_seen_by_content(put: Put, ending: str, pack: object) -> None:
    assert callable(pack)
    chat = one(put(f"#room.log{ending}", pack(LOG.encode())))
    assert [message.text for message in chat][:2] == ["hello", "hi ann"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstd.compress])
def test_of_a_cut_compressed_file_all_that_is_there_is_read(put: Put, pack: object) -> None:
    assert callable(pack)
    lines = "".join(f"[10:{n // 1000 % 60:02d}] <ann> number {n * 7919}\n" for n in range(200_000))
    path = put("log.gz", pack(lines.encode())[:-400])
    with pytest.warns(PartlyRead, match=r"log\.gz: left out: is broken or cut short"):
        chat = one(path)
    assert 0 < len(chat) < 200_000
    assert chat[-1].text == f"number {(len(chat) - 1) * 7919}"


def test_a_zip_of_day_files_is_one_chat_in_time_order(tmp_path: Path) -> None:
    path = tmp_path / "logs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("logs/#room_20200110.log", "[09:00:00] <ann> second day\n")
        archive.writestr("logs/#room_20200109.log", "[09:00:00] <ann> first day\n")
    chat = one(path)
    assert [message.text for message in chat] == ["first day", "second day"]
    assert [message.id for message in chat] == ["0", "1"]
    assert chat[1].time == datetime(2020, 1, 10, 9)


def test_a_tar_archive_reads_like_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "logs.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        info = tarfile.TarInfo("#room.log")
        info.size = len(LOG)
        archive.addfile(info, io.BytesIO(LOG.encode()))
    assert len(one(path)) == 3


def test_a_cut_zip_is_broken(put: Put, tmp_path: Path) -> None:
    whole = tmp_path / "whole.zip"
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("#room.log", LOG * 100)
    with pytest.raises(Broken, match="not a zip file"):
        one(put("cut.zip", whole.read_bytes()[:-30]))


def test_an_encrypted_zip_is_not_called_broken(put: Put, tmp_path: Path) -> None:
    plain = tmp_path / "plain.zip"
    with zipfile.ZipFile(plain, "w") as archive:
        archive.writestr("#room.log", LOG)
    data = bytearray(plain.read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(NoChats, match="is encrypted"):
        one(put("locked.zip", bytes(data)))


def test_folders_of_channels_and_days_become_chats(put: Put, tmp_path: Path) -> None:
    put("2013-01/02/#tea.txt", "[08:00] <ann> two\n")
    put("2013-01/01/#tea.txt", "[08:00] <ann> one\n")
    put("2013-01/01/#jam.txt", "[08:00] <bob> jam\n")
    chats = many(tmp_path)
    assert sorted(chats.names()) == ["#jam", "#tea"]
    assert [message.time for message in chats["#tea"]] == [datetime(2013, 1, 1, 8), datetime(2013, 1, 2, 8)]


def test_a_quiet_day_is_read_like_the_days_beside_it(put: Put, tmp_path: Path) -> None:
    put("#tea_20200101.log", "[08:00:00] *** Joins: ann (a@b)\n[08:00:01] <ann> hi\n")
    put("#tea_20200102.log", "[08:00:00] *** Joins: bob (a@b)\n[08:00:01] <bob> ho\n")
    put("#tea_20200103.log", "[08:00:00] <ann> nobody came\n")
    chat = one(tmp_path)
    assert (chat.format, len(chat)) == ("znc", 5)


def test_globs_and_several_paths(put: Put, tmp_path: Path) -> None:
    put("#a.log", LOG)
    put("#b.log", LOG)
    assert len(many(tmp_path / "#*.log")) == 2
    assert len(list(stream([tmp_path / "#a.log", tmp_path / "#b.log"]))) == 2


def test_files_that_are_no_chat_are_named_and_the_rest_is_read(put: Put, tmp_path: Path) -> None:
    put("#room.log", LOG)
    put("cover.png", b"\x89PNG\r\n\x1a\n" + bytes(range(32)) * 20)
    put("empty.log", "")
    streams = stream(tmp_path)
    (found,) = streams
    assert len(list(found)) == 3
    assert sorted(Path(remark.where).name for remark in streams.report.remarks) == ["cover.png", "empty.log"]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", Empty),
        (b"\n\n \n", Empty),
        (bytes(range(256)) * 50, NotText),
        (b"once upon a time there was\nno chat at all in this file\n" * 3, UnknownFormat),
    ],
)
def test_what_is_no_chat_says_what_it_is(put: Put, content: bytes, error: type[HubbubError]) -> None:
    with pytest.raises(error, match=r"thing\.log"):
        one(put("thing.log", content))


def test_missing_unreadable_and_empty_places(tmp_path: Path) -> None:
    with pytest.raises(Missing, match="nowhere"):
        one(tmp_path / "nowhere.log")
    with pytest.raises(NoChats, match="no files"):
        one(tmp_path)
    if sys.platform == "linux":
        with pytest.raises(Unreadable, match="Input/output error"):
            one(Path("/proc/self/mem"))


def test_a_folder_without_chats_says_so(put: Put, tmp_path: Path) -> None:
    put("a/notes.md", "# just\n\nnotes about nothing\n")
    with pytest.raises(NoChats):
        one(tmp_path)


def test_a_wrong_format_names_the_right_one(put: Put) -> None:
    with pytest.raises(WrongFormat, match="looks like ubuntu"):
        one(put("#room.txt", LOG), format="weechat")


def test_a_tie_lists_who_it_is_between(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sniff, "TIE", 1.0)
    with pytest.raises(AmbiguousFormat, match=r"ubuntu \(100% .* or .*--format"):
        one(put("#room.txt", LOG))


def test_lines_that_are_not_utf8_are_windows_1252_line_by_line(put: Put) -> None:
    raw = "[10:00] <ann> café ☕\n".encode() + b"[10:01] <bob> caf\xe9 \x80 \x81\n" + "[10:02] <ann> ça\n".encode()
    assert [message.text for message in one(put("#room.txt", raw))] == ["café ☕", "café € \ufffd", "ça"]


def test_byte_order_marks_and_carriage_returns_vanish(put: Put) -> None:
    utf8 = b"\xef\xbb\xbf[10:00] <ann> hi\r\n[10:01] <ann> ho\r\n"
    utf16 = "\ufeff[10:00] <ann> hi\r\n[10:01] <ann> ho\r\n".encode("utf-16-le")
    for raw in (utf8, utf16):
        assert [message.text for message in one(put("#room.txt", raw))] == ["hi", "ho"]


def test_lines_may_end_in_carriage_returns_alone(put: Put) -> None:
    assert [message.text for message in one(put("#room.txt", b"[10:00] <ann> hi\r[10:01] <ann> ho\r"))] == ["hi", "ho"]


def test_colour_codes_and_control_bytes_vanish_and_scripts_stay(put: Put) -> None:
    raw = "[10:00] <ann> \x02bold\x02 \x0304,12red\x03 \x1fline\x0f \x00nul \x1b[31mansi\x1b[0m שלום 𝔘𝔫𝔦 👩‍🚀\n"
    assert one(put("#room.txt", raw))[0].text == "bold red line nul ansi שלום 𝔘𝔫𝔦 👩‍🚀"


def test_only_a_newline_ends_a_line(put: Put) -> None:
    assert len(one(put("#room.txt", "[10:00] <ann> a\x0bb\x0cc\u2028d\x85e\n"))) == 1


def test_a_line_of_a_megabyte_is_one_message(put: Put) -> None:
    text = "long " * 250_000
    (message,) = one(put("#room.txt", f"[10:00] <ann> {text}\n"))
    assert message.text == text


def test_blank_and_foreign_lines_are_counted_by_number(put: Put) -> None:
    (found,) = stream(put("#room.txt", LOG + "\nno idea what this is\n" + LOG))
    assert len(list(found)) == 6
    assert found.report.skipped == {"blank line": 1}
    assert [(remark.line, remark.reason) for remark in found.report.first_unexplained()] == [
        (5, "not a line of this format")
    ]


def test_without_a_date_the_time_stays_unknown_and_the_clock_is_kept(put: Put) -> None:
    first = one(put("#room.txt", LOG))[0]
    assert (first.time, first.clock) == (None, time(10))


def test_a_date_and_a_zone_that_the_user_names(put: Put) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    chat = one(put("#room.txt", "[23:59] <ann> a\n[00:01] <ann> b\n"), date=date(2020, 6, 30), timezone=berlin)
    assert [message.time for message in chat] == [
        datetime(2020, 6, 30, 21, 59, tzinfo=UTC),
        datetime(2020, 6, 30, 22, 1, tzinfo=UTC),
    ]


def test_a_twelve_hour_clock_does_not_skip_half_a_day(put: Put) -> None:
    log = "[11:58] <ann> a\n[12:59] <ann> b\n[01:00] <ann> c\n[12:30] <ann> d\n[01:00] <ann> e\n"
    hours = [message.time for message in one(put("#room_20050101.txt", log))]
    assert hours == [
        datetime(2005, 1, 1, 11, 58),
        datetime(2005, 1, 1, 12, 59),
        datetime(2005, 1, 1, 13, 0),
        datetime(2005, 1, 2, 0, 30),
        datetime(2005, 1, 2, 1, 0),
    ]


def test_a_clock_that_steps_back_a_little_stays_on_its_day(put: Put) -> None:
    chat = one(put("#room_20051030.txt", "[02:59] <ann> a\n[02:00] <ann> b\n[23:00] <ann> c\n"))
    assert {message.time.date() for message in chat if message.time} == {date(2005, 10, 30)}


def test_reading_streams(put: Put) -> None:
    (found,) = stream(put("#room.txt", LOG * 100_000))
    assert [next(found.messages).text, next(found.messages).text] == ["hello", "hi ann"]


@pytest.mark.parametrize(
    ("path", "name", "day"),
    [
        ("#tea/2013/01/05.log", "#tea", date(2013, 1, 5)),
        ("net.#tea.2013-01.log", "#tea", None),
        ("#tea.25-01-2013.log", "#tea", date(2013, 1, 25)),
        ("#tea.05-01-2013.log", "#tea", None),
        ("tea/25.01.2013.txt", "tea", date(2013, 1, 25)),
    ],
)
def test_what_a_path_says_of_the_chat_and_the_day(path: str, name: str, day: date | None) -> None:
    assert (chat_name(path) or fallback_name(path), date_in(path)) == (name, day)
