"""What cannot be read is named with its reason and its lines, everything else is read, and the exit code says so."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

import hubbub
from hubbub.errors import HubbubError, Missing, NoChats, NotText, PartlyRead, Unreadable
from hubbub.read import stream
from hubbub.read.report import LeftOut

from ..conftest import Put, Run

LOG = "[10:00] <ann> hello\n[10:01] <bob> hi ann\n=== bob is now known as rob\n"
PROSE = "once upon a time there was\nno chat at all in this file\n" * 3
DEEP = '{"messages": ' + "[" * 100_000


def left_out(path: Path) -> list[LeftOut]:
    found = stream(path)
    noted = [each for one in found for each in (list(one), one.report.left_out)[1]]
    return [*noted, *found.report.left_out]


def test_a_file_that_no_reader_takes_is_named_with_its_lines_and_ends_in_3(run: Run, put: Put, tmp_path: Path) -> None:
    put("#tea.txt", LOG)
    put("story.txt", PROSE)
    ran = run("read", tmp_path)
    assert ran.status == 3
    assert len(ran.records()) == 4
    assert f"hubbub: could not be read: {tmp_path}/story.txt, 6 lines: looks like no chat format" in ran.err


def test_strict_makes_a_file_that_is_left_out_an_error(run: Run, put: Put, tmp_path: Path) -> None:
    put("#tea.txt", LOG)
    put("story.txt", PROSE)
    ran = run("read", tmp_path, "--strict")
    assert ran.status == 2
    assert "1 file left out, and --strict was given" in ran.err


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("#tea_2.txt.gz", gzip.compress((LOG * 20_000).encode())[:200], "is broken or cut short"),
        ("deep.json", DEEP, ""),
        ("half.zip", b"PK\x03\x04 and then nothing", "not a zip file"),
        ("noise.bin", bytes(range(256)) * 50, "is a binary file"),
        ("nul.log", bytes(100_000), "is a binary file"),
    ],
)
def test_one_bad_file_does_not_stop_a_folder(put: Put, tmp_path: Path, name: str, content: bytes, reason: str) -> None:
    put("#tea_1.txt", LOG)
    put(name, content)
    put("#tea_3.txt", LOG)
    (noted,) = left_out(tmp_path)
    assert noted.where == f"{tmp_path}/{name}"
    assert reason in noted.reason
    with pytest.warns(PartlyRead, match=name):
        chats = hubbub.read_all(tmp_path)
    assert sum(map(len, chats)) >= 6


def test_a_bad_file_among_several_that_are_named_is_left_out_too(run: Run, put: Put) -> None:
    ran = run("read", put("#tea.txt", LOG), put("story.txt", PROSE))
    assert ran.status == 3
    assert len(ran.records()) == 4
    assert "story.txt, 6 lines" in ran.err


def test_a_bad_file_alone_is_an_error(run: Run, put: Put) -> None:
    ran = run("read", put("story.txt", PROSE))
    assert (ran.status, ran.out) == (2, "")


def test_a_folder_without_any_chat_says_the_first_reason(put: Put, tmp_path: Path) -> None:
    put("story.txt", PROSE)
    with pytest.raises(NoChats, match=r"story\.txt: looks like no chat format"):
        hubbub.read(tmp_path)


def test_of_a_file_that_breaks_in_the_middle_the_beginning_is_kept(run: Run, put: Put) -> None:
    path = put("#tea.txt.gz", gzip.compress(os.urandom(0) + (LOG * 50_000).encode())[:-50])
    ran = run("read", path)
    assert ran.status == 3
    assert len(ran.records()) > 100
    assert "is broken or cut short" in ran.err


def test_an_output_file_is_put_in_place_when_a_part_was_left_out(run: Run, put: Put, tmp_path: Path) -> None:
    put("in/#tea.txt", LOG)
    put("in/story.txt", PROSE)
    assert run("read", tmp_path / "in", "--out", tmp_path / "out.jsonl").status == 3
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 4


def test_members_that_lead_out_of_an_archive_are_refused_by_name(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "logs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("#tea.txt", LOG)
        for member in ("../#up.txt", "/etc/#root.txt", "C:\\logs\\#drive.txt", "a/../../#deep.txt"):
            archive.writestr(member, LOG)
    noted = left_out(path)
    assert sorted(Path(each.where.replace("\\", "/")).name for each in noted) == [
        "#deep.txt",
        "#drive.txt",
        "#root.txt",
        "#up.txt",
    ]
    assert {each.reason for each in noted} == {"its name leads out of the archive"}
    assert run("read", path).status == 3


def test_an_archive_of_nothing_but_refused_members_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "logs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../#tea.txt", LOG)
    with pytest.raises(NoChats, match="leads out of the archive"):
        hubbub.read(path)


def test_links_in_a_tar_archive_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "logs.tar"
    with tarfile.open(path, "w") as archive:
        info = tarfile.TarInfo("#tea.txt")
        info.size = len(LOG)
        archive.addfile(info, io.BytesIO(LOG.encode()))
        link = tarfile.TarInfo("#link.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    (noted,) = left_out(path)
    assert noted.where.endswith("#link.txt")


def test_hidden_files_are_skipped_and_counted(put: Put, tmp_path: Path) -> None:
    put("#tea.txt", LOG)
    put(".DS_Store", b"\0\1\2")
    found = stream(tmp_path)
    assert [len(list(one)) for one in found] == [3]
    assert found.report.skipped == {"a hidden file": 1}


def test_a_loop_of_links_is_named(put: Put, tmp_path: Path) -> None:
    put("in/#tea.txt", LOG)
    (tmp_path / "in" / "again").symlink_to(tmp_path / "in")
    (tmp_path / "in" / "nowhere").symlink_to(tmp_path / "gone")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    reasons = {Path(each.where).name: each.reason for each in left_out(tmp_path / "in")}
    assert reasons == {
        "again": "a link to a folder that is read already",
        "nowhere": "cannot be read: No such file or directory",
    }
    with pytest.raises(Unreadable, match=r"[Ss]ymbolic link"):
        hubbub.read(tmp_path / "loop")


def test_a_pipe_in_a_folder_is_not_waited_for(put: Put, tmp_path: Path) -> None:
    put("#tea.txt", LOG)
    os.mkfifo(tmp_path / "pipe")
    (noted,) = left_out(tmp_path)
    assert noted == LeftOut(f"{tmp_path}/pipe", "neither a file nor a folder")


def test_archives_within_archives_are_read(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("#tea.txt", LOG)
    path = tmp_path / "outer.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("inner.zip", inner.getvalue())
    chat = hubbub.read(path)
    assert len(chat) == 3


def test_archives_are_not_opened_without_end(tmp_path: Path) -> None:
    data = LOG.encode()
    for depth in range(6):
        box = io.BytesIO()
        with zipfile.ZipFile(box, "w") as archive:
            archive.writestr("#tea.txt" if depth == 0 else "inner.zip", data)
        data = box.getvalue()
    (tmp_path / "nested.zip").write_bytes(data)
    with pytest.raises(HubbubError, match="within more than 3 archives"):
        hubbub.read(tmp_path / "nested.zip")


def test_the_empty_path_is_no_folder(run: Run) -> None:
    ran = run("read", "")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("hubbub: PATH has an empty value")
    with pytest.raises(Missing):
        hubbub.read("")


def test_nothing_but_nul_bytes_is_not_called_empty(put: Put) -> None:
    with pytest.raises(NotText):
        hubbub.read(put("nul.log", bytes(100_000)))


def test_an_empty_day_in_a_folder_of_a_named_format_is_skipped(run: Run, put: Put, tmp_path: Path) -> None:
    put("#tea_20200101.txt", LOG + "what is this\n")
    put("#tea_20200102.txt", "")
    put("#tea_20200103.txt", LOG)
    ran = run("read", tmp_path, "--format", "ubuntu")
    assert ran.status == 0
    assert len(ran.records()) == 7
    assert "an empty file" in ran.err


def test_a_wrong_file_in_a_folder_of_a_named_format_is_left_out(run: Run, put: Put, tmp_path: Path) -> None:
    put("#tea_20200101.txt", LOG)
    put("story.txt", PROSE)
    ran = run("read", tmp_path, "--format", "ubuntu")
    assert ran.status == 3
    assert len(ran.records()) == 4
    assert "does not read as ubuntu" in ran.err
