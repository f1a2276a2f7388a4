"""Bounds of what is read: input without an end in sight is refused in one sentence, and the rest is read."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from backports import zstd

import hubbub
from hubbub.chat import Chat
from hubbub.errors import OptionError, TooLarge, UnpacksTooLarge
from hubbub.read import FORMATS, stream
from hubbub.read.input import limits as budget
from hubbub.read.input import lines
from hubbub.text import LONGEST_SEEN

from ...accounting import account
from ...conftest import Put, Run

LINE = b"[10:00] <ann> hello\n"
BOMB = LINE * 50_000


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ratio counts from 300 kB on instead of 100 MB."""
    monkeypatch.setattr(budget, "FREE", 300_000)


def zipped(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name.replace("_", "."), content)
    return packed.getvalue()


def tarred(content: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as file:
        member = tarfile.TarInfo("bomb.log")
        member.size = len(content)
        file.addfile(member, io.BytesIO(content))
    return packed.getvalue()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstd.compress])
def test_a_packed_bomb_is_read_as_far_as_the_ratio_allows(put: Put, pack: Callable[[bytes], bytes]) -> None:
    path = put("#tea.log", pack(BOMB))
    count, report = account(path)
    assert 100 < count < 50_000
    assert [each.where for each in report.left_out] == [str(path)]
    assert "200 times its packed size" in report.left_out[0].reason
    assert "--max-unpacked SIZE" in report.left_out[0].reason
    assert account(path, max_unpacked="2M")[0] == 50_000


@pytest.mark.parametrize(
    "packed", [zipped(bomb_log=BOMB), tarred(BOMB), zipped(a_zip=zipped(b_zip=zipped(bomb_log=BOMB)))]
)
def test_an_archive_of_nothing_but_a_bomb_is_an_error_that_names_the_option(run: Run, put: Put, packed: bytes) -> None:
    path = put("chats.bin", packed)
    ran = run("read", path)
    assert ran.status == 2
    assert "--max-unpacked SIZE" in ran.err
    assert ran.err.count("\n") == 1
    assert len(run("read", path, "--max-unpacked", "10M").records()) == 50_001


def test_a_bomb_in_an_archive_or_folder_is_left_out_by_name_and_the_others_are_read(put: Put, tmp_path: Path) -> None:
    put("a.zip", zipped(bomb_log=BOMB, deeper_zip=zipped(bomb_log=BOMB, more_log=LINE), xz_log=lzma.compress(BOMB)))
    put("b.tar.xz", tarred(BOMB))
    put("good.log", LINE * 3)
    chats = stream(tmp_path)
    read = {one.name: len(list(one)) for one in chats}
    assert read["good"] == 3
    assert read["more"] == 1
    left = {each.where.removeprefix(f"{tmp_path}/") for each in chats.report.left_out}
    assert left == {"a.zip/bomb.log", "a.zip/deeper.zip/bomb.log", "b.tar.xz"}
    assert 100 < read["xz"] < 50_000


def test_many_members_within_the_ratio_are_bounded_in_all(put: Put) -> None:
    """Each member is small enough to be read at any ratio: what they unpack to together counts."""
    path = put("a.zip", zipped(**{f"{number}_log": LINE * 12_000 for number in range(40)}))
    count, report = account(path)
    assert 0 < count < 40 * 12_000
    assert "--max-unpacked" in report.left_out[0].reason
    assert account(path, max_unpacked="10M")[0] == 480_000


def test_a_sparse_member_of_a_tar_counts_with_its_zeros(put: Put) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as file:
        member = tarfile.TarInfo("zeros.log")
        sparse = f"1\n0\n{len(LINE)}\n".encode().ljust(512, b"\0") + LINE
        member.size = len(sparse)
        member.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": str(10**15)}
        file.addfile(member, io.BytesIO(sparse))
    with pytest.raises(hubbub.errors.InputError, match="--max-unpacked"):
        hubbub.read(put("a.tar", packed.getvalue()))


def test_the_environment_sets_the_bound_and_the_option_comes_first(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put("a.zip", zipped(a_log=LINE * 300))
    monkeypatch.setenv("HUBBUB_MAX_UNPACKED", "1K")
    with pytest.raises(hubbub.errors.NoChats, match="the 1 KB that are allowed"):
        hubbub.read(path)
    assert len(hubbub.read(path, max_unpacked=10_000)) == 300
    monkeypatch.setenv("HUBBUB_MAX_UNPACKED", "much")
    with pytest.raises(OptionError, match="HUBBUB_MAX_UNPACKED much"):
        hubbub.read(path)


def test_a_bomb_among_several_paths_does_not_stop_the_others(run: Run, put: Put) -> None:
    ran = run("read", put("good.log", LINE * 3), put("b.tar.xz", tarred(BOMB)))
    assert (ran.status, len(ran.records())) == (3, 4)
    assert "b.tar.xz: unpacks to more than" in ran.err


@pytest.mark.parametrize("size", ["", "0", "-1", "3X", "1e9", "G"])
def test_a_size_that_is_none_is_one_sentence(run: Run, put: Put, size: str) -> None:
    ran = run("read", put("a.log", LINE), "--max-unpacked", size)
    assert ran.status == 2
    assert ran.err.count("\n") == 1


def test_what_is_refused_takes_nothing_from_the_rest() -> None:
    account = budget.Budget(budget.Limit(1000, None))
    account.take("a", "stream", 900, 1)
    with pytest.raises(UnpacksTooLarge):
        account.take("b", "stream", 200, 1)
    account.take("a", "stream", 950, 1)
    account.take("a", "stream", 10, 1)
    account.take("c", "stream", 50, 1)


@pytest.mark.parametrize("end", ["\n", ""])
@pytest.mark.parametrize("block", [100, 5_000, lines.BLOCK])
def test_a_line_without_an_end_is_left_out_by_number(
    put: Put, monkeypatch: pytest.MonkeyPatch, end: str, block: int
) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 10_000)
    monkeypatch.setattr(lines, "BLOCK", block)
    start = LINE.decode() * 3
    longest = "[10:01] <bob> ".ljust(10_000, "x")
    path = put("tea.log", f"{start}{longest}\n{start}{longest}{'x' * 300_000}{end}")
    count, report = account(path, format="ubuntu")
    assert count == 7
    assert "line 8 has more than 10,000 bytes" in report.left_out[0].reason


def test_a_document_without_an_end_is_refused(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LARGEST_DOCUMENT", 10_000)
    page = '<div class="chatlog__message">' + "x" * 20_000
    with pytest.raises(TooLarge, match="it has more than 10,000 bytes"):
        hubbub.read(put("page.html", page), format="discord")


def test_a_long_message_stays_whole_in_data_and_is_cut_in_drawings(run: Run, put: Put) -> None:
    text = "bob, look at this " * (LONGEST_SEEN // 18 + 100) + "please"
    path = put("tea.log", f"[10:00] <bob> hi\n[10:01] <ann> {text}\n[10:02] <bob> ann: ok\n")
    ran = run("read", path)
    assert ran.records()[2]["text"] == text
    assert ran.err == ""
    drawn = run("view", path, "--width", "100")
    assert len(drawn.out) < 2 * LONGEST_SEEN
    assert "more" in drawn.out.split("… [")[1]
    assert "1 message has more than 1,000,000 characters" in drawn.err
    assert drawn.err.count("\n") == 1
    threaded = run("thread", path)
    assert threaded.records()[2]["text"] == text
    assert "1 message has more than 1,000,000 characters" in threaded.err


def test_models_see_the_beginning_of_a_text() -> None:
    chat = hubbub.Chat("tea", (hubbub.Message("0", None, "ann", "x" * (LONGEST_SEEN + 1)),))
    assert isinstance(chat, Chat)
    assert len(chat.seen()[0].text) == LONGEST_SEEN
    assert chat[:0].seen() == chat[:0]
    short = Chat("tea", (hubbub.Message("0", None, "ann", "hi"),))
    assert short.seen() is short


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"parquet"}))
def test_a_long_line_of_one_character_takes_no_long_time(name: str) -> None:
    """A bound that only work beyond all measure exceeds: minutes for each of some hundred lines, not milliseconds."""
    top = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-m", "tests.long_lines", name], cwd=top, check=True, timeout=240)
