"""Microsoft Teams: Graph messages, events, and the personal export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hubbub.errors import Broken, WrongFormat
from hubbub.read.msteams.words import body

from .reading import read_document, read_place, save


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
    assert report.skipped["a message that another file holds too"] == 1
    assert not report.unexplained


def test_channels_of_one_name_are_told_apart_by_their_teams(tmp_path: Path) -> None:
    for team in ("t1", "t2"):
        identity = {"channelIdentity": {"teamId": team, "channelId": f"19:{team}"}, "chatId": None}
        save(tmp_path / team / f"messages_{team}.json", [graph("a", **identity)])
        save(tmp_path / team / f"channels_{team}.json", [{"Id": f"19:{team}", "DisplayName": "General"}])
    save(tmp_path / "teamsSettings.json", [{"Id": "t1", "DisplayName": "Tea"}, {"Id": "t2", "DisplayName": "Milk"}])
    found, _ = read_place(tmp_path)
    assert [chat.name for chat in found] == ["General (Tea)", "General (Milk)"]
