"""One broken file in an export is left out by its name; all the others are read, and the exit code is 3."""

from __future__ import annotations

import gzip
import random
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from hubbub.read import stream
from hubbub.read.report import LeftOut

from ...conftest import Run
from ...golden import SAMPLES


class Case(NamedTuple):
    """An export: a sample, whether a folder or a file of it, and a member that is to be broken.

    The member is broken where it is, or added as a broken copy of `model`, another member.
    """

    sample: str
    member: str
    model: str = ""
    at: str = ""  # the place of a sample that is a file, in the folder that is made for it

    def make(self, folder: Path) -> Path:
        """A copy of the export."""
        if self.at:
            (folder / self.at).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(SAMPLES / self.sample, folder / self.at)
        else:
            shutil.copytree(SAMPLES / self.sample, folder, dirs_exist_ok=True)
        return folder


HARBOUR, TAKEOUT = "slack/harbour", "googlechat/Takeout"
INBOX, SPACE = "your_facebook_activity/messages/inbox", "Google Chat/Groups/Space AAAAq1"
MESSAGES = {
    "slack": Case(HARBOUR, "general/2024-03-03.json", "general/2024-03-01.json"),
    "slackdump": Case("slack/dump", "C0OTHER01.json", "C0FERRY01.json"),
    "slackdump archive": Case("slack/archive", "C0OTHER01.json.gz", "C0REEF001.json.gz"),
    "msteams": Case("msteams/graph.json", "messages_2.json", "messages_1.json", "messages_1.json"),
    "zulip": Case("zulip/export", "messages-000002.json", "messages-000001.json"),
    "rocketchat": Case("rocketchat/messages.json", "old/messages.json", "messages.json", "messages.json"),
    "gitter": Case("gitter/rooms", "57a1000000000000000000cc.json", "57a1000000000000000000aa.json"),
    "mattermost": Case("mattermost/bulk.jsonl", "more.jsonl", "bulk.jsonl", "bulk.jsonl"),
    "googlechat": Case(TAKEOUT, "Google Chat/Groups/Space BBBBq2/messages.json", f"{SPACE}/messages.json"),
    "messenger": Case("messenger/facebook-ines", f"{INBOX}/zoe_79/message_1.json", f"{INBOX}/mia_78/message_1.json"),
    "signal": Case("signal/desktop-export", "more/data.json", "../signal-export/Aya/data.json"),
    "discord-package": Case("discord-package/package", "messages/c703/messages.json", "messages/c701/messages.json"),
    "discord": Case("discord/channel.json", "other.json", "chat.json", "chat.json"),
    "telegram": Case("telegram/result.json", "other/result.json", "result.json", "result.json"),
    "matrix": Case("matrix/export.json", "other.json", "chat.json", "chat.json"),
}
LISTS = {
    "slack users": Case(HARBOUR, "users.json"),
    "slack channels": Case(HARBOUR, "channels.json"),
    "slack logs": Case(HARBOUR, "integration_logs.json"),
    "slackdump archive": Case("slack/archive", "users.json.gz"),
    "msteams": Case("msteams/graph.json", "users.json", "messages_1.json", "messages_1.json"),
    "zulip": Case("zulip/export", "realm.json"),
    "rocketchat rooms": Case("rocketchat/messages.json", "rooms.json", "messages.json", "messages.json"),
    "rocketchat users": Case("rocketchat/messages.json", "users.json", "messages.json", "messages.json"),
    "gitter": Case("gitter/rooms", "rooms.json"),
    "googlechat": Case(TAKEOUT, f"{SPACE}/group_info.json"),
    "discord-package channel": Case("discord-package/package", "messages/c701/channel.json"),
    "discord-package user": Case("discord-package/package", "account/user.json"),
}


def cut_gzip(path: Path, model: bytes) -> None:
    path.write_bytes(gzip.compress(model)[:-12])


def long_cut_gzip(path: Path, model: bytes) -> None:
    """Its beginning can be read, and looks right."""
    noise = random.Random(0).randbytes(200_000).hex().encode()
    path.write_bytes(gzip.compress(model + b"\n" + noise)[:-50_000])


def cut(path: Path, model: bytes) -> None:
    path.write_bytes(model.rstrip()[: len(model) // 2])


def deep(path: Path, model: bytes) -> None:
    path.write_bytes(b'{"messages": ' + b"[" * 100_000)


def copied(path: Path, model: bytes) -> None:
    path.write_bytes(model)


def dangling(path: Path, model: bytes) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(path.parent / "gone")


KINDS = (cut_gzip, long_cut_gzip, cut, deep, dangling)
LINE_FORMATS = {"mattermost", "signal", "slackdump archive"}  # a file that is cut short loses its last line, not more


def read(folder: Path, format: str | None = None) -> tuple[list[tuple[str, str]], list[LeftOut]]:
    """Who said what, and what was left out; the account must be right."""
    passing = stream(folder, format=format)
    said, left_out = [], []
    for one in passing:
        messages = list(one)
        assert one.report.unaccounted(len(messages)) == 0
        said += [(message.author, message.text) for message in messages]
        left_out += one.report.left_out
    assert passing.report.unaccounted(0) == 0
    return said, [*left_out, *passing.report.left_out]


def broken(case: Case, folder: Path, damage: Callable[[Path, bytes], None]) -> Path:
    path = case.make(folder) / case.member
    model = (SAMPLES / case.sample / case.model) if ".." in case.model else folder / (case.model or case.member)
    path.parent.mkdir(parents=True, exist_ok=True)
    damage(path, model.read_bytes())
    return path


@pytest.mark.parametrize("damage", KINDS)
@pytest.mark.parametrize("platform", MESSAGES)
def test_a_file_of_messages(run: Run, tmp_path: Path, platform: str, damage: Callable[[Path, bytes], None]) -> None:
    case = MESSAGES[platform]
    whole, nothing = read(case.make(tmp_path / "whole"))
    assert whole
    assert not nothing
    path = broken(case, tmp_path / "export", damage)
    said, left_out = read(tmp_path / "export")
    assert all(said.count(each) >= whole.count(each) for each in whole)
    if damage is cut and platform in LINE_FORMATS:
        return
    assert [each.where for each in left_out] == [str(path)]
    assert left_out[0].reason
    in_parts = "after record" in left_out[0].reason  # what follows a defect cannot be counted
    assert left_out[0].lines or in_parts or damage in (cut_gzip, dangling) or platform in LINE_FORMATS
    assert run("read", tmp_path / "export").status == 3


@pytest.mark.parametrize("damage", KINDS)
@pytest.mark.parametrize("case", LISTS.values(), ids=LISTS)
def test_a_list_beside_the_messages(
    run: Run, tmp_path: Path, case: Case, damage: Callable[[Path, bytes], None]
) -> None:
    whole, _ = read(case.make(tmp_path / "whole"))
    path = broken(case, tmp_path / "export", damage)
    said, left_out = read(tmp_path / "export")
    assert len(said) == len(whole)
    assert [each.where for each in left_out] == [str(path)]
    assert run("read", tmp_path / "export").status == 3


@pytest.mark.parametrize("damage", [cut_gzip, long_cut_gzip, deep])
@pytest.mark.parametrize("platform", MESSAGES)
def test_a_file_of_messages_where_the_format_is_named(
    tmp_path: Path, platform: str, damage: Callable[[Path, bytes], None]
) -> None:
    case = MESSAGES[platform]
    whole, _ = read(case.make(tmp_path / "whole"))
    path = broken(case, tmp_path / "export", damage)
    said, left_out = read(tmp_path / "export", platform.partition(" ")[0])
    assert all(said.count(each) >= whole.count(each) for each in whole)
    assert [each.where for each in left_out] == [str(path)]


@pytest.mark.parametrize("platform", MESSAGES)
def test_a_member_of_an_archive_whose_bytes_are_wrong(tmp_path: Path, platform: str) -> None:
    case = MESSAGES[platform]
    whole, _ = read(case.make(tmp_path / "whole"))
    path = broken(case, tmp_path / "export", copied)
    packed = tmp_path / "export.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for file in sorted(each for each in (tmp_path / "export").rglob("*") if each.is_file()):
            archive.write(file, file.relative_to(tmp_path / "export").as_posix())
        at = archive.getinfo(case.member).header_offset + 30 + len(case.member)
    raw = bytearray(packed.read_bytes())
    raw[at + path.stat().st_size // 2] ^= 1
    packed.write_bytes(raw)
    said, left_out = read(packed)
    assert all(said.count(each) >= whole.count(each) for each in whole)
    assert [each.where for each in left_out] == [f"{packed}/{case.member}"]
    assert "CRC" in left_out[0].reason


def test_an_export_of_which_nothing_can_be_read_beside_one_that_can(tmp_path: Path) -> None:
    whole, _ = read(MESSAGES["slack"].make(tmp_path / "whole"))
    MESSAGES["slack"].make(tmp_path / "both" / "good")
    folder = tmp_path / "both" / "bad"
    cut(broken(MESSAGES["zulip"], folder, cut), (folder / "messages-000001.json").read_bytes())
    cut(folder / "messages-000001.json", (folder / "messages-000001.json").read_bytes())
    said, left_out = read(tmp_path / "both")
    assert said == whole
    assert any(str(folder) in each.where for each in left_out)
