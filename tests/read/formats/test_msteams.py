"""Microsoft Teams: Graph messages, events, and the personal export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hubbub.errors import Broken, WrongFormat
from hubbub.read.format import Options
from hubbub.read.formats.msteams import FORMAT
from hubbub.read.formats.msteams.rendering import body
from hubbub.read.input.paths import folder

from ...accounting import account
from ...golden import SAMPLES
from ...reading import read_document, read_place, save


def graph(content: str, **more: Any) -> dict[str, Any]:
    return {
        "id": "1",
        "messageType": "message",
        "createdDateTime": "2024-01-01T00:00:00.1234567Z",
        "chatId": "19:x",
        "from": {"user": {"id": "u1", "displayName": "Ana"}},
        "body": {"contentType": "html", "content": content},
        **more,
    }


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('<p>hi <at id="0">Ben</at></p>', "hi @Ben"),
        ('<p>so<emoji alt="🎉" title="Party"></emoji></p>', "so🎉"),
        ('<p>x</p><img alt="cat.png" src="u">', "x\n[image: cat.png]"),
        ('<img alt="🙂" itemtype="http://schema.skype.com/Emoji">', "🙂"),
        ("<p>a&nbsp;&lt;b&gt;</p><p>&nbsp;</p>", "a <b>"),
        ('<a href="https://example.org">the page</a>', "the page"),
        ("so<pre><code>a = 1\n  b</code></pre>", "so\na = 1\n  b"),
        ("<table><tr><td>tea</td><td>2</td></tr><tr><td>milk</td></tr></table>", "tea 2\nmilk"),
        ('<URIObject><Title>x</Title><OriginalName v="plan.pdf"></OriginalName></URIObject>', "[file: plan.pdf]"),
    ],
)
def test_html_is_shown_as_people_saw_it(html: str, text: str) -> None:
    assert body(html).text == text


def test_the_words_of_one_name_are_one_mention() -> None:
    ids = {"0": "u1", "1": "u1", "2": "u2"}
    mentions = [{"id": int(id), "mentioned": {"user": {"id": user}}} for id, user in ids.items()]
    html = '<p><at id="0">Ana</at>&nbsp;<at id="1">Lima</at>&nbsp;<at id="2">Ben</at> hi</p>'
    assert body(html, mentions).text == "@Ana Lima @Ben hi"


def test_both_cases_of_keys_read_the_same(tmp_path: Path) -> None:
    def pascal(value: Any) -> Any:
        if isinstance(value, dict):
            return {key[:1].upper() + key[1:]: pascal(inner) for key, inner in value.items()}
        return value

    camel = read_document(tmp_path, [graph("<p>hi</p>")], "msteams")
    assert read_document(tmp_path, [pascal(graph("<p>hi</p>"))], "msteams") == camel
    assert camel[0].author == "Ana"


def test_replies_come_from_the_thread_and_from_quotes(tmp_path: Path) -> None:
    quote = {"contentType": "messageReference", "content": '{"messageId": "7"}'}
    [only] = read_document(tmp_path, {"value": [graph("yes", replyToId="5", attachments=[quote])]}, "msteams")
    assert only.reply_to == ("5", "7")


def test_replies_that_are_nested_are_messages_too(tmp_path: Path) -> None:
    reply = graph("later", id="2", replyToId="1", createdDateTime="2024-01-02T00:00:00Z")
    first, second = read_document(tmp_path, [graph("first", replies=[reply])], "msteams")
    assert (first.text, second.text, second.reply_to) == ("first", "later", ("1",))


@pytest.mark.parametrize(
    ("kind", "more", "text"),
    [
        ("membersAdded", {"members": [{"id": "u2", "displayName": "Ben"}]}, "Ana added Ben"),
        ("membersLeft", {"members": [{"id": "u2", "displayName": "Ben"}]}, "Ben left the conversation"),
        ("chatRenamed", {"chatDisplayName": "Tea"}, "Ana renamed the chat to Tea"),
        ("callEnded", {}, "The call ended"),
        ("somethingNew", {}, "Ana something new"),
    ],
)
def test_events_are_sentences(tmp_path: Path, kind: str, more: dict[str, Any], text: str) -> None:
    detail = {"@odata.type": f"#microsoft.graph.{kind}EventMessageDetail", "initiator": {"user": {"id": "u1"}}, **more}
    event = graph("<systemEventMessage/>", id="2", eventDetail=detail)
    told = read_document(tmp_path, [graph("hi"), event], "msteams")[1]
    assert (told.kind, told.text) == ("system", text)


def test_a_deleted_message_leaves_a_mark(tmp_path: Path) -> None:
    [only] = read_document(tmp_path, [graph("", deletedDateTime="2024-01-01T01:00:00Z")], "msteams")
    assert (only.kind, only.author, only.text) == ("system", "Ana", "[deleted]")


def test_the_time_of_windows_powershell(tmp_path: Path) -> None:
    [only] = read_document(tmp_path, [graph("hi", createdDateTime="/Date(1704067200000)/")], "msteams")
    assert only.time is not None
    assert only.time.isoformat() == "2024-01-01T00:00:00+00:00"


def test_the_personal_export_has_files_and_people(tmp_path: Path) -> None:
    message = {
        "id": "1",
        "originalarrivaltime": "2024-01-01T00:00:00Z",
        "messagetype": "Text",
        "content": "a <b>",
        "from": "8:orgid:u1",
        "displayName": "Ana",
        "properties": {"files": '[{"fileName": "plan.pdf"}]'},
    }
    [chat], _ = read_place(save(tmp_path / "m.json", {"conversations": [{"id": "19:x", "MessageList": [message]}]}))
    assert (chat.name, chat[0].text) == ("Ana", "a <b>\n[file: plan.pdf]")


def test_a_truncated_file_is_broken(tmp_path: Path) -> None:
    path = save(tmp_path / "c.json", [graph("hi")])
    path.write_text(path.read_text()[:-9])
    with pytest.raises(Broken):
        read_place(path)


def test_another_document_is_the_wrong_format(tmp_path: Path) -> None:
    with pytest.raises(WrongFormat):
        read_place(save(tmp_path / "c.json", [{"colour": "red"}]), "msteams")


def test_a_chat_that_several_people_exported_is_one(tmp_path: Path) -> None:
    first, both, last = graph("a", id="1"), graph("b", id="2"), graph("c", id="3")
    both["from"] = {"user": {"id": "u2", "displayName": "Ben"}}
    for digit, records in (("1", [first, both]), ("2", [both, last])):
        person = "-".join(digit * size for size in (8, 4, 4, 4, 12))
        save(tmp_path / "users" / person / f"messages_{person}.json", records)
    save(tmp_path / "teams" / "teamsList.json", [{"GroupsId": "t", "Name": "T"}])
    (only,), report = read_place(tmp_path)
    assert (only.name, [message.text for message in only]) == ("Ana, Ben", ["a", "b", "c"])
    assert report.skipped["a message that is in the input twice"] == 1
    assert not report.unexplained


def test_channels_of_one_name_are_told_apart_by_their_teams(tmp_path: Path) -> None:
    for team in ("t1", "t2"):
        identity = {"channelIdentity": {"teamId": team, "channelId": f"19:{team}"}, "chatId": None}
        save(tmp_path / team / f"messages_{team}.json", [graph("a", **identity)])
        save(tmp_path / team / f"channels_{team}.json", [{"Id": f"19:{team}", "DisplayName": "General"}])
    save(tmp_path / "teamsSettings.json", [{"Id": "t1", "DisplayName": "Tea"}, {"Id": "t2", "DisplayName": "Milk"}])
    found, _ = read_place(tmp_path)
    assert [chat.name for chat in found] == ["General (Tea)", "General (Milk)"]


def channel(team: str, text: str, id: str = "1") -> dict[str, Any]:
    return graph(text, id=id, chatId=None, channelIdentity={"teamId": team, "channelId": "19:general"})


def organisation(place: Path) -> Path:
    """The export of an organisation: two teams with a channel each, two people who share a chat, lists beside."""
    for team in ("t1", "t2"):
        save(place / f"teams/{team}/messages_{team}.json", [channel(team, team)])
        save(place / f"teams/{team}/channels_{team}.json", [{"Id": "19:general", "DisplayName": "General"}])
        save(place / f"teams/{team}/teamMembers_{team}.json", [{"Name": "Ben", "UserId": "u2"}])
        save(place / f"teams/{team}/teamInstalledApps_{team}.json", [{"TeamsAppDefinition": {"Id": "x"}}])
    save(place / "teams/teamsList.json", [{"GroupsId": "t1", "Name": "Tea"}, {"GroupsId": "t2", "Name": "Milk"}])
    save(place / "users/usersList.json", [{"Id": "u1", "DisplayName": "Ana"}])
    for digit in "12":
        person = "-".join(digit * size for size in (8, 4, 4, 4, 12))
        save(place / f"users/{person}/messages_{person}.json", [graph("both", id="7")])
        save(place / f"users/{person}/meetings_{person}.json", [{"Subject": "tea"}])
    save(place / "users/u3/messages_u3.json", [])
    (place / "logo.png").write_bytes(b"\x89PNG")
    (place / "readme.txt").write_text("made by a tool of ours")
    return place


def test_files_beside_the_messages_are_named_for_what_they_are(tmp_path: Path) -> None:
    count, report = account(organisation(tmp_path))
    assert count == 3
    assert not report.unexplained
    assert report.skipped == {
        "a message that is in the input twice": 1,
        "a list of teams, used for names": 1,
        "a list of channels, used for names": 2,
        "a list of people, used for names": 3,
        "a list of installed apps": 2,
        "a calendar of meetings": 2,
        "a file for messages that has none": 1,
        "a file beside the messages": 2,
    }


def test_channels_of_one_name_and_id_in_two_teams_are_two_chats(tmp_path: Path) -> None:
    assert FORMAT.read_tree
    found = list(FORMAT.read_tree(folder(organisation(tmp_path)), Options()))
    assert [(one.name, one.identity) for one in found] == [
        ("General (Tea)", "t1/19:general"),
        ("General (Milk)", "t2/19:general"),
        ("Ana", "19:x"),
    ]


def test_of_two_copies_the_last_modified_counts(tmp_path: Path) -> None:
    for person, text, day in (("u1", "new", "2"), ("u2", "old", "1")):
        record = graph(text, lastModifiedDateTime=f"2024-01-0{day}T00:00:00Z")
        save(tmp_path / f"users/{person}/messages_{person}.json", [record])
    (only,), _ = read_place(tmp_path)
    assert [message.text for message in only] == ["new"]


def test_one_id_for_two_texts_of_one_file_is_two_messages(tmp_path: Path) -> None:
    first, second = read_document(tmp_path, [graph("a"), graph("b")], "msteams")
    assert (first.id, second.id) == ("1", "1~2")


def test_a_reply_that_is_listed_and_nested_is_one_message(tmp_path: Path) -> None:
    reply = graph("later", id="2", replyToId="1")
    path = save(tmp_path / "c.json", [graph("first", replies=[reply]), reply])
    count, report = account(path)
    assert (count, report.skipped.total()) == (2, 1)


def test_personal_exports_of_two_people_are_joined(tmp_path: Path) -> None:
    for person in ("ana", "ben"):
        message = {"id": "1", "originalarrivaltime": "2024-01-01T00:00:00Z", "messagetype": "Text", "content": "hi"}
        own = {**message, "id": person, "content": person}
        typing = {**message, "id": "3", "messagetype": "Control/Typing"}
        conversation = {"id": "19:x", "displayName": "Tea", "MessageList": [message, own, typing]}
        document = {"userId": person, "exportDate": "2024-01-02", "conversations": [conversation]}
        save(tmp_path / person / "messages.json", document)
        save(tmp_path / person / "endpoints.json", {"endpoints": []})
        save(tmp_path / person / "media" / "0-weu.json", {"type": "picture"})
        (tmp_path / person / "media" / "0-weu.1.png").write_bytes(b"\x89PNG")
    count, report = account(tmp_path)
    assert (count, report.unexplained.total()) == (3, 0)
    assert report.skipped == {
        "a message that is in the input twice": 2,
        "a signal that nobody sees, such as typing": 1,
        "a list of the account's devices": 2,
        "a description of a media file": 2,
        "a media file": 2,
    }


def test_a_damaged_list_is_named_and_does_not_end_the_reading(tmp_path: Path) -> None:
    organisation(tmp_path)
    (tmp_path / "users/usersList.json").write_text("[{")
    _, report = account(tmp_path)
    assert [left.where for left in report.left_out] == [f"{tmp_path}/users/usersList.json"]


def test_a_folder_with_another_chat_beside_is_not_taken_as_one(tmp_path: Path) -> None:
    organisation(tmp_path / "export")
    (tmp_path / "irc.log").write_text("[10:00] <ann> hi\n[10:01] <bob> yes\n")
    found, _ = read_place(tmp_path)
    assert sorted({chat.format for chat in found}) == ["msteams", "ubuntu"]


@pytest.mark.parametrize("case", ["graph.json", "pascal.json", "personal.json"])
def test_everything_is_accounted_for(case: str) -> None:
    account(SAMPLES / "msteams" / case)
