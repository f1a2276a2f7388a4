"""Invented chats across a bridge, for the tests of relays and puppets."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, islice

from hubbub.chat import Chat, Message
from hubbub.read.bridges.restore import unbridged
from hubbub.relays import Relays

HERE = ("ola", "petr", "quinn")
THERE = ("anna", "bela", "cleo", "dina")
TALK = (
    ("ola", "morning"), ("anna", "hello, does the build work for you?"), ("petr", "anna: yes, since friday"),
    ("bela", "petr: not for me"), ("cleo", "the tests are red here"), ("quinn", "cleo, which ones?"),
    ("cleo", "quinn: all of them"), ("dina", "that was me: sorry"), ("ola", "dina: no harm done"),
    ("anna", "bela: did you pull?"), ("bela", "I did <b>twice</b>"), ("petr", "bela: try again"),
    ("dina", "  [indented] text"), ("quinn", "fine now"), ("cleo", "(quietly) yes"), ("anna", "thanks * all"),
)  # fmt: skip
Form = Callable[[str, str], str]


def talk(times: int = 2) -> list[Message]:
    """A chat of people here and there, some of whom address each other."""
    said = islice(cycle(TALK), times * len(TALK))
    return [Message(str(number), None, author, text) for number, (author, text) in enumerate(said)]


def relayed(messages: list[Message], form: Form, bot: str = "relay") -> list[Message]:
    """The same chat as one sees it here: a bot repeats those who are there."""
    there = [each._replace(author=bot, text=form(each.author, each.text)) for each in messages]
    return [new if old.author in THERE else old for old, new in zip(messages, there, strict=True)]


def treated(messages: list[Message], look_ahead: int = 4096) -> tuple[list[Message], Relays]:
    relays = Relays()
    return list(unbridged(iter(messages), relays, look_ahead)), relays


def says(*pairs: tuple[str, str]) -> list[Message]:
    return [Message(str(number), None, author, text) for number, (author, text) in enumerate(pairs)]


def assert_restored(original: list[Message], seen: list[Message], look_ahead: int = 4096) -> None:
    found, relays = treated(seen, look_ahead)
    assert found == original
    chat = Chat("c", tuple(found), relays=relays)
    assert [chat.original(position) for position in range(len(chat))] == seen


def assert_untouched(messages: list[Message]) -> None:
    found, relays = treated(messages)
    assert found == messages
    assert not relays


FORMS: dict[str, Form] = {
    "angle": lambda nick, text: f"<{nick}> {text}",
    "angle with a sign": lambda nick, text: f"<@{nick}> {text}",
    "angle in bold": lambda nick, text: f"**<{nick}>** {text}",
    "bracket": lambda nick, text: f"[{nick}] {text}",
    "paren": lambda nick, text: f"({nick}) {text}",
    "colon": lambda nick, text: f"{nick}: {text}",
    "bold": lambda nick, text: f"**{nick}**: {text}",
    "bold, colon inside": lambda nick, text: f"**{nick}:** {text}",
    "network": lambda nick, text: f"[discord] <{nick}> {text}",
    "network, no space": lambda nick, text: f"[discord]<{nick}> {text}",
    "network in brackets, no space": lambda nick, text: f"(tg)[{nick}] {text}",
    "angle with a colon": lambda nick, text: f"<{nick}>: {text}",
    "network and colon": lambda nick, text: f"(telegram) {nick}: {text}",
    "networks": lambda nick, text: f"[{'irc' if nick < 'b' else 'xmpp'}] [{nick}] {text}",
    "no width": lambda nick, text: f"<{nick[0]}\u200b{nick[1:]}> {text}",
    "no width, joined": lambda nick, text: f"[{nick[:2]}\u200d{nick[2:]}] {text}",
    "no width before": lambda nick, text: f"\u200b<{nick}> {text}",
    "mixed": lambda nick, text: f"<{nick}> {text}" if nick < "c" else f"**{nick}**: {text}",
    "mixed with a network": lambda nick, text: f"<{nick}> {text}" if nick < "c" else f"[matrix] <{nick}> {text}",
}
