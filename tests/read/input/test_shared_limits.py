"""Limits that hold for everything one reading unpacks, and archives of many folders."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest
from backports import zstd

from hubbub.errors import UnpacksTooLarge
from hubbub.read import read_all, stream
from hubbub.read.detect import discovery
from hubbub.read.detect.sniff import claim
from hubbub.read.format import Format
from hubbub.read.input import limits
from hubbub.read.input.source import Tree

LOG = "".join(f"[10:{minute:02d}] <ann> line {minute}\n" for minute in range(60))


def skippable(size: int) -> bytes:
    """The frame that pzstd writes before each frame of data: how long that is."""
    return b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + size.to_bytes(4, "little")


def test_a_file_of_pzstd_is_read_whole(tmp_path: Path) -> None:
    frames = [zstd.compress(LOG.encode()) for _ in range(5)]
    (tmp_path / "tea.log.zst").write_bytes(b"".join(skippable(len(frame)) + frame for frame in frames))
    (chat,) = read_all(tmp_path / "tea.log.zst")
    assert len(chat) == 300


def test_each_file_is_judged_on_its_own_until_the_refused_ones_took_too_much() -> None:
    limit = limits.Limit()
    for number in range(limits.MOST_REFUSED // limits.FREE):
        bomb = limits.Budget(limit)
        bomb.take(f"{number}.gz", "stream", limits.FREE, 10)
        with pytest.raises(UnpacksTooLarge, match="--max-unpacked"):
            bomb.take(f"{number}.gz", "stream", limits.FREE + 1, 10)
    last = limits.Budget(limit)
    last.take("b", "stream", limits.FREE_AFTER_REFUSALS, 10)
    with pytest.raises(UnpacksTooLarge, match="--max-unpacked"):
        last.take("b", "stream", 2 * limits.FREE_AFTER_REFUSALS, 10)
    last.take("c", "stream", limits.FREE, limits.FREE // 20)  # what logs reach is read all the same


def test_a_folder_of_bombs_costs_a_bounded_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FREE", 3_000_000)
    monkeypatch.setattr(limits, "MOST_REFUSED", 5_000_000)
    monkeypatch.setattr(limits, "FREE_AFTER_REFUSALS", 100_000)
    for number in range(5):
        (tmp_path / f"{number}.log.gz").write_bytes(gzip.compress(b"[10:00] <ann> hi\n" + b"a" * 8_000_000))
    (tmp_path / "tea.log").write_text(LOG)
    unpacked: dict[str, int] = {}
    take = limits.Budget.take

    def noting(self: limits.Budget, name: str, part: str, count: int, packed: int) -> None:
        unpacked[name] = max(count, unpacked.get(name, 0))
        take(self, name, part, count, packed)

    monkeypatch.setattr(limits.Budget, "take", noting)
    chats = list(stream(tmp_path))
    assert sum(len(chat.chat()) for chat in chats if chat.name == "tea") == 60
    assert sum(unpacked.values()) < 4 * 3_000_000


def test_a_chain_of_thousands_of_folders_is_no_error(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "deep.zip", "w") as archive:
        archive.writestr("d/" * 3000 + "tea.log", LOG)
        archive.writestr("d/" * 3000 + "pie.log", LOG)
    assert [len(chat) for chat in read_all(tmp_path / "deep.zip")] == [60, 60]


def test_many_folders_are_claimed_in_linear_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "wide.zip", "w") as archive:
        for number in range(300):
            archive.writestr(f"x{number}/{'d/' * (number % 50)}tea.log", LOG)
    looked_at = 0

    def counting(tree: Tree) -> Format | None:
        nonlocal looked_at
        looked_at += len(tree.files)
        return claim(tree)

    monkeypatch.setattr(discovery, "claim", counting)
    assert len(read_all(tmp_path / "wide.zip")) == 300
    assert looked_at <= 300 * (discovery.MAX_FOLDER_DEPTH + 1)
