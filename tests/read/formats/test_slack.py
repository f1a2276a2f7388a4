"""Slack: exports whole and in parts, and the text as people saw it."""

from __future__ import annotations

import json
import re
import unicodedata
import zipfile
from pathlib import Path
from typing import Any

import pytest

from hubbub.errors import Broken, WrongFormat
from hubbub.read.detect.file_head import Sample
from hubbub.read.format import Options
from hubbub.read.formats.slack import FORMAT
from hubbub.read.formats.slack.rendering import WorkspaceNames, mrkdwn
from hubbub.read.input.paths import folder
from hubbub.read.input.source import file_source

from ...accounting import account
from ...golden import SAMPLES
from ...reading import read_document, read_place, save

NAMES = WorkspaceNames({"U01": "Ana"}, {"C01": "tea"})
USERS = [{"id": "U0ANA0001", "name": "ana", "real_name": "Ana Lima", "profile": {"display_name": "ana!"}}]


def said(text: str, ts: str = "1700000000.000100", **more: Any) -> dict[str, Any]:
    return {"type": "message", "user": "U0ANA0001", "text": text, "ts": ts, **more}


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("<@U01> hi", "@Ana hi"),
        ("<@U99|bob> hi", "@bob hi"),
        ("<@U99>", "@U99"),
        ("<#C01> <#C02|coffee> <#C01|>", "#tea #coffee #tea"),
        ("<!here> <!channel> <!everyone>", "@here @channel @everyone"),
        ("<!subteam^S1|@crew> <!subteam^S2>", "@crew @S2"),
        ("<!date^1700000000^{date}|Nov 14>", "Nov 14"),
        ("<https://example.org?a=1&amp;b=2>", "https://example.org?a=1&b=2"),
        ("<https://example.org|here>", "here"),
        ("<mailto:a@example.org|a@example.org> <tel:123>", "a@example.org 123"),
        ("1 &lt; 2 &amp;&amp; 3 &gt; 2 &amp;copy;", "1 < 2 && 3 > 2 &copy;"),
        (":wave::skin-tone-2: :man-shrugging: :flag-br: :+1:", "👋🏻 🤷‍♂️ 🇧🇷 👍"),
        ("at 10:30:00 or :nothing:", "at 10:30:00 or :nothing:"),
    ],
)
def test_mrkdwn_is_shown_as_people_saw_it(raw: str, shown: str) -> None:
    assert mrkdwn(raw, NAMES) == shown


def test_day_files_are_joined_in_time_order_and_named_after_their_channel(tmp_path: Path) -> None:
    save(tmp_path / "x/users.json", USERS)
    save(tmp_path / "x/tea/2023-11-15.json", [said("later", "1700040000.0")])
    save(tmp_path / "x/tea/2023-11-14.json", [said("sooner", "1700000000.0")])
    [chat], report = read_place(tmp_path / "x")
    assert (chat.name, chat.format) == ("#tea", "slack")
    assert [(m.author, m.text) for m in chat] == [("ana!", "sooner"), ("ana!", "later")]
    assert sum(report.skipped.values()) == 1


def test_a_zip_with_a_folder_around_everything_reads_the_same(tmp_path: Path) -> None:
    save(tmp_path / "x/users.json", USERS)
    day = save(tmp_path / "x/tea/2023-11-14.json", [said("hi <@U0ANA0001>")])
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.write(day, "export/tea/2023-11-14.json")
        archive.write(tmp_path / "x/users.json", "export/users.json")
    [chat], _ = read_place(tmp_path / "x.zip")
    assert [m.text for m in chat] == ["hi @ana!"]


def test_one_day_alone_takes_names_from_the_folder_above(tmp_path: Path) -> None:
    save(tmp_path / "users.json", USERS)
    day = save(tmp_path / "tea/2023-11-14.json", [said("hi")])
    [chat], _ = read_place(day)
    assert (chat.name, chat[0].author) == ("#tea", "ana!")


def test_direct_chats_are_named_by_their_people(tmp_path: Path) -> None:
    save(tmp_path / "users.json", USERS)
    save(tmp_path / "dms.json", [{"id": "D0000001", "members": ["U0ANA0001", "U0BEN0001"]}])
    save(tmp_path / "D0000001/2023-11-14.json", [said("psst")])
    [chat], _ = read_place(tmp_path)
    assert chat.name == "ana!, U0BEN0001"


def test_replies_point_at_the_head_of_their_thread(tmp_path: Path) -> None:
    head = said("head", "1.000001", thread_ts="1.000001")
    first, second = read_document(tmp_path, [head, said("tail", "2.000001", thread_ts="1.000001")], "slack")
    assert (first.reply_to, second.reply_to) == ((), ("1.000001",))


def test_an_edit_gives_the_last_text_and_a_deletion_leaves_a_mark(tmp_path: Path) -> None:
    changed = {"subtype": "message_changed", "ts": "9.0", "message": said("new", "1.0")}
    deleted = {"subtype": "message_deleted", "ts": "9.1", "deleted_ts": "2.0"}
    one, two = read_document(tmp_path, [said("old", "1.0"), said("oops", "2.0"), changed, deleted], "slack")
    assert (one.text, one.kind) == ("new", "message")
    assert (two.text, two.kind) == ("[deleted]", "system")


def test_an_edit_of_a_message_that_is_not_there_is_the_message(tmp_path: Path) -> None:
    [only] = read_document(
        tmp_path, [{"subtype": "message_changed", "ts": "9.0", "message": said("new", "1.0")}], "slack"
    )
    assert (only.id, only.text, only.kind) == ("1.0", "new", "message")


def test_a_channel_rename_is_no_rename_of_a_person(tmp_path: Path) -> None:
    record = said('has renamed the channel from "a" to "b"', subtype="channel_name")
    [chat], _ = read_place(save(tmp_path / "c.json", [record]))
    assert chat[0].kind == "system"
    assert not chat.aliases().chains


def test_a_shared_message_is_shown_and_a_link_preview_is_not(tmp_path: Path) -> None:
    share = {"is_share": True, "from_url": "u", "author_name": "Ben", "text": "look"}
    preview = {"from_url": "u", "title": "A page", "text": "about"}
    [only] = read_document(tmp_path, [said("see", attachments=[share, preview])], "slack")
    assert only.text == "see\nBen: look"


def test_a_list_of_people_alone_is_an_empty_chat(tmp_path: Path) -> None:
    [chat], report = read_place(save(tmp_path / "users.json", USERS))
    assert len(chat) == 0
    assert dict(report.skipped) == {"a list of people, used for names": 1}


def test_a_record_that_is_no_message_is_named(tmp_path: Path) -> None:
    _, report = read_place(save(tmp_path / "c.json", [said("a"), {"type": "odd"}, 5]))
    assert [remark.line for remark in report.remarks] == [2, 3]
    assert sum(report.unexplained.values()) == 2


def test_a_truncated_file_is_broken(tmp_path: Path) -> None:
    path = save(tmp_path / "c.json", [said("a")])
    path.write_text(path.read_text()[:-4])
    with pytest.raises(Broken):
        read_place(path)


def test_another_document_is_the_wrong_format(tmp_path: Path) -> None:
    with pytest.raises(WrongFormat):
        read_place(save(tmp_path / "c.json", {"colour": "red"}), "slack")


def test_sniffing_leaves_other_platforms_alone(tmp_path: Path) -> None:
    rocket = save(tmp_path / "r.json", [{"rid": "G", "msg": "hi", "ts": "2023-01-01", "u": {}, "_id": "1"}])
    assert FORMAT.sniff(Sample(file_source(rocket))) is None


def test_names_that_only_messages_tell(tmp_path: Path) -> None:
    records = [
        said("hi <@U0GUEST01> and <@U0ROBOT01>"),
        said("me?", "1700000001.000100", user="U0GUEST01", user_profile={"display_name": "gus"}),
        said("beep", "1700000002.000100", user="U0ROBOT01", bot_id="B1", bot_profile={"name": "Robo"}),
    ]
    found = read_document(tmp_path, records, "slack")
    assert found[0].text == "hi @gus and @Robo"
    assert [message.author for message in found[1:]] == ["gus", "Robo"]


def test_a_zip_that_hides_that_its_names_are_utf8(tmp_path: Path) -> None:
    channels = [{"id": "C0CAFE001", "name": "café-ä", "created": 1, "members": []}]
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("channels.json", json.dumps(channels))
        for form in ("NFC", "NFD"):
            day = unicodedata.normalize(form, "café-ä") + "/2023-11-14.json"
            archive.writestr(day, json.dumps([said(form)]))
    raw = (tmp_path / "x.zip").read_bytes()
    # The flag that a name is UTF-8 is taken out of both headers of every member.
    plain = re.sub(rb"(PK\x03\x04..)(.)(.)", lambda m: m[1] + m[2] + bytes([m[3][0] & 0xF7]), raw, flags=re.S)
    plain = re.sub(rb"(PK\x01\x02....)(.)(.)", lambda m: m[1] + m[2] + bytes([m[3][0] & 0xF7]), plain, flags=re.S)
    (tmp_path / "y.zip").write_bytes(plain)
    (chat,), _ = read_place(tmp_path / "y.zip")
    assert (chat.name, sorted(message.text for message in chat)) == ("#café-ä", ["NFC", "NFD"])


def test_a_name_that_is_no_utf8_stays_as_the_zip_has_it(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("tXt/2023-11-14.json", json.dumps([said("hi")]))
        archive.writestr("users.json", json.dumps(USERS))
    (tmp_path / "x.zip").write_bytes((tmp_path / "x.zip").read_bytes().replace(b"tXt/", b"t\x82t/"))
    (chat,), _ = read_place(tmp_path / "x.zip")
    assert chat.name == "#tét"


def test_channels_of_one_name_in_two_workspaces_are_two_chats(tmp_path: Path) -> None:
    for team in ("T0ONE", "T0TWO"):
        save(tmp_path / team / "users.json", [{**USERS[0], "team_id": team}])
        save(tmp_path / team / "channels.json", [{"id": f"C{team}001", "name": "general", "created": 1, "members": []}])
        save(tmp_path / team / "general/2023-11-14.json", [said(team)])
    tree = folder(tmp_path)
    assert FORMAT.read_tree
    found = list(FORMAT.read_tree(tree, Options()))
    assert [one.identity for one in found] == ["T0ONE/CT0ONE001", "T0TWO/CT0TWO001"]
    assert len({one.name for one in found}) == 2
    one_day = file_source(tmp_path / "T0TWO/general/2023-11-14.json")
    assert [one.identity for one in FORMAT.read(one_day, Options())] == ["T0TWO/CT0TWO001"]


@pytest.mark.parametrize("case", ["harbour", "slackdump.json", "users.json", "watch.json"])
def test_everything_is_accounted_for(case: str) -> None:
    account(SAMPLES / "slack" / case)


def test_records_of_every_kind_are_accounted_for(tmp_path: Path) -> None:
    edit = {"type": "message", "subtype": "message_changed", "ts": "1700000009.1", "message": said("new")}
    save(tmp_path / "users.json", USERS)
    save(tmp_path / "tea/2023-11-14.json", [said("old"), said("old"), edit, 7, {"type": "message"}])
    (tmp_path / "tea/notes.pdf").write_bytes(b"%PDF")
    count, report = account(tmp_path)
    assert (count, report.skipped.total(), report.unexplained.total()) == (1, 4, 2)
