"""What flows: messages, chats, and who is who within one."""

from __future__ import annotations

import pytest

from hubbub import Chat, Chats, Message


def rename(old: str, new: str) -> Message:
    return Message("0", None, old, f"{old} is now known as {new}", "system")


def test_a_chat_is_a_sequence_whose_slices_are_chats() -> None:
    chat = Chat("room", (Message("0", None, "ann", "hi"), Message("1", None, "bob", "ho")), "irc")
    assert len(chat) == 2
    assert chat[1].author == "bob"
    assert chat[:1] == Chat("room", (chat[0],), "irc")


def test_authors_are_those_who_said_or_did_something() -> None:
    chat = Chat(
        "room",
        (
            Message("0", None, "eve", "eve joined", "system"),
            Message("1", None, "bob", "hi"),
            Message("2", None, "ann", "waves", "action"),
            Message("3", None, "bob", "again"),
        ),
    )
    assert chat.authors() == ("bob", "ann")


def test_columns_have_one_entry_per_message_and_field() -> None:
    columns = Chat("room", (Message("0", None, "ann", "hi"),)).columns()
    assert columns["author"] == ["ann"]
    assert set(columns) == set(Message._fields)


def test_renames_chain_whatever_their_order() -> None:
    aliases = Chat("room", (rename("b", "c"), rename("a", "b"), rename("x", "y"))).aliases()
    assert set(aliases.names("c")) == {"a", "b", "c"}
    assert aliases.same("a", "c")
    assert not aliases.same("a", "x")
    assert aliases.names("nobody") == ("nobody",)
    assert aliases.people()["y"] == "x"


def test_somebody_who_only_says_the_words_is_not_renamed() -> None:
    said = Message("0", None, "ann", "bob is now known as bill")
    about_another = Message("1", None, "ann", "bob is now known as bill", "system")
    assert Chat("room", (said, about_another)).aliases().chains == ()


def test_chats_are_found_by_name_and_a_wrong_one_lists_the_right_ones() -> None:
    chats = Chats((Chat("#a"), Chat("#b")))
    assert chats["#b"] is chats[1]
    with pytest.raises(KeyError, match="#a, #b"):
        chats["#c"]
