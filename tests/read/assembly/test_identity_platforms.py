"""Channels of one name on two servers or in two teams are two chats; two parts of one channel are one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hubbub.read import stream

from ...reading import save

# Each writes a small export: into a folder, of a server that is named by a letter, with a message of that text. The
# files of one folder lie side by side, so that their path tells nothing; the channel has the same name everywhere.
Writer = Callable[[Path, str, str], None]
DAY = {"one": 1, "two": 2, "three": 3}


def slack(folder: Path, server: str, text: str) -> None:
    user = {"id": f"U{server}000001", "team_id": f"T{server}", "name": "ann", "real_name": "Ann", "profile": {}}
    save(folder / server / "users.json", [user])
    save(folder / server / "channels.json", [{"id": f"C{server}0000001", "name": "tea", "created": 1, "members": []}])
    record = {"type": "message", "user": user["id"], "text": text, "ts": f"170000000{DAY[text]}.0001"}
    save(folder / server / "tea" / f"2023-11-1{DAY[text]}.json", [record])


def slackdump(folder: Path, server: str, text: str) -> None:
    record = {"type": "message", "user": "U0000001", "text": text, "ts": f"170000000{DAY[text]}.0001"}
    document = {"name": "tea", "channel_id": f"C{server}0000001", "messages": [record]}
    save(folder / f"{server}-{text}.json", document)


def msteams(folder: Path, server: str, text: str) -> None:
    record = {
        "id": text, "messageType": "message", "createdDateTime": f"2024-01-0{DAY[text]}T10:00:00Z", "replyToId": None,
        "from": {"user": {"id": "u1", "displayName": "Ann"}}, "body": {"contentType": "text", "content": text},
        "channelIdentity": {"teamId": f"team-{server}", "channelId": "19:general"},
    }  # fmt: skip
    save(folder / f"{server}-{text}.json", {"channel": {"displayName": "tea"}, "value": [record]})


def zulip(folder: Path, server: str, text: str) -> None:
    realm = {"id": 1, "string_id": server}
    recipients = [{"id": 5, "type": 2, "type_id": 7}]
    lists = {"zerver_realm": [realm], "zerver_stream": [{"id": 7, "name": "tea"}], "zerver_recipient": recipients}
    save(folder / server / "realm.json", {**lists, "zerver_userprofile": [{"id": 1, "full_name": "Ann"}]})
    record = {
        "id": DAY[text], "sender": 1, "recipient": 5, "subject": "milk", "content": text,
        "rendered_content": text, "date_sent": 1700000000 + DAY[text],
    }  # fmt: skip
    save(folder / server / f"messages-00000{DAY[text]}.json", {"zerver_message": [record]})


def rocketchat(folder: Path, server: str, text: str) -> None:
    user = {"_id": "u1", "username": "ann"}
    when = {"$date": f"2024-01-0{DAY[text]}T10:00:00Z"}
    record = {"_id": text, "rid": f"room{server}", "msg": text, "ts": when, "u": user}
    save(folder / server / text / "messages.json", [record])
    save(
        folder / server / text / "rooms.json",
        [{"_id": f"room{server}", "t": "c", "name": "tea", "usersCount": 1, "msgs": 1}],
    )


def mattermost(folder: Path, server: str, text: str) -> None:
    post = {"team": server, "channel": "tea", "user": "ann", "message": text, "create_at": 1700000000000 + DAY[text]}
    records = [{"type": "version", "version": 1}, {"type": "post", "post": post}]
    path = folder / f"{server}-{text}.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def googlechat(folder: Path, server: str, text: str) -> None:
    place = folder / text / f"Space {server}"
    record = {
        "creator": {"name": "Ann", "email": "ann@example.org"}, "text": text, "message_id": f"{server}/{text}/{text}",
        "created_date": f"Monday, January {DAY[text]}, 2024 at 10:00:00 AM UTC", "topic_id": text,
    }  # fmt: skip
    save(place / "messages.json", {"messages": [record]})
    save(place / "group_info.json", {"name": "tea", "members": []})


def messenger(folder: Path, server: str, text: str) -> None:
    record = {"sender_name": "Ann", "timestamp_ms": 1700000000000 + DAY[text], "content": text}
    document = {"title": "tea", "thread_path": f"inbox/tea_{server}", "participants": [], "messages": [record]}
    save(folder / f"{server}-{text}.json", document)


def signal(folder: Path, server: str, text: str) -> None:
    row = {"id": text, "conversationId": server, "conversationName": "tea", "type": "incoming", "body": text}
    save(folder / f"{server}-{text}.json", [{**row, "sent_at": 1700000000000 + DAY[text]}])


def signal_backup(folder: Path, server: str, text: str) -> None:
    frames = [
        {"recipient": {"id": "2", "group": {"masterKey": server, "snapshot": {"title": {"title": "tea"}}}}},
        {"chat": {"id": "3", "recipientId": "2"}},
        {"chatItem": {"chatId": "3", "authorId": "1", "dateSent": 1700000000000 + DAY[text],
                      "standardMessage": {"text": {"body": text}}}},
    ]  # fmt: skip
    path = folder / f"{server}-{text}.jsonl"
    path.write_text("".join(json.dumps(frame) + "\n" for frame in frames))


def discord(folder: Path, server: str, text: str) -> None:
    record = {"id": text, "type": "Default", "timestamp": f"2024-01-0{DAY[text]}T10:00:00Z", "content": text}
    document = {
        "guild": {"id": server, "name": "Garden"}, "channel": {"id": f"c{server}", "name": "tea"}, "dateRange": {},
        "messages": [{**record, "author": {"id": "1", "name": "ann"}}],
    }  # fmt: skip
    save(folder / f"{server}-{text}.json", document)


def discord_table(folder: Path, server: str, text: str) -> None:
    number = {"A": "111", "B": "222"}[server]
    rows = (
        f'AuthorID,Author,Date,Content,Attachments,Reactions\n"1","ann","2024-01-0{DAY[text]} 10:00","{text}","",""\n'
    )
    (folder / f"Garden - Text - tea [{number}] [part {DAY[text]}].csv").write_text(rows)


def telegram(folder: Path, server: str, text: str) -> None:
    record = {"id": DAY[text], "type": "message", "date": f"2024-01-0{DAY[text]}T10:00:00", "from": "Ann", "text": text}
    document = {"name": "tea", "type": "private_group", "id": ord(server), "messages": [record]}
    save(folder / f"{server}-{text}.json", document)


def telegram_account(folder: Path, server: str, text: str) -> None:
    record = {"id": DAY[text], "type": "message", "date": f"2024-01-0{DAY[text]}T10:00:00", "from": "Ann", "text": text}
    chats = {"list": [{"name": "tea", "type": "personal_chat", "id": 5, "messages": [record]}]}
    owner = {"user_id": ord(server)}
    save(folder / f"{server}-{text}.json", {"personal_information": owner, "contacts": {}, "chats": chats})


def matrix(folder: Path, server: str, text: str) -> None:
    event = {
        "type": "m.room.message", "event_id": f"${text}", "sender": "@ann:example.org", "room_id": f"!tea:{server}",
        "origin_server_ts": 1700000000000 + DAY[text], "content": {"msgtype": "m.text", "body": text},
    }  # fmt: skip
    document = {"room_name": "tea", "room_creator": "", "exported_by": "", "messages": [event]}
    save(folder / f"{server}-{text}.json", document)


def gitter(folder: Path, server: str, text: str) -> None:
    message = {"id": text, "text": text, "sent": f"2019-01-0{DAY[text]}T10:00:00Z", "fromUser": {"username": "ann"}}
    save(folder / server / "tea" / f"messages_{DAY[text]}.json", [{**message, "mentions": [], "readBy": 0}])


WRITERS: list[Writer] = [
    gitter,
    slack, slackdump, msteams, zulip, rocketchat, mattermost, googlechat, messenger, signal, signal_backup, discord,
    discord_table, telegram, telegram_account, matrix,
]  # fmt: skip
# A backup or an account is exported whole, and the export of a workspace or an organisation is a folder for itself.
NEVER_IN_PARTS = {slack, zulip, rocketchat, googlechat}


def chats(folder: Path) -> dict[str, list[str]]:
    return {one.name: [message.text for message in one if message.kind == "message"] for one in stream(folder)}


@pytest.mark.parametrize("write", WRITERS)
def test_a_channel_of_the_same_name_elsewhere_is_another_chat(tmp_path: Path, write: Writer) -> None:
    write(tmp_path, "A", "one")
    write(tmp_path, "B", "two")
    found = chats(tmp_path)
    assert sorted(found.values()) == [["one"], ["two"]]
    assert all("tea" in name for name in found)


@pytest.mark.parametrize("write", [each for each in WRITERS if each not in NEVER_IN_PARTS])
def test_two_files_of_one_channel_are_one_chat(tmp_path: Path, write: Writer) -> None:
    write(tmp_path, "A", "one")
    write(tmp_path, "B", "two")
    write(tmp_path, "A", "three")
    assert sorted(chats(tmp_path).values()) == [["one", "three"], ["two"]]
