"""Scenes at an imaginary bicycle workshop: who says what, with mentions in brackets and who is meant behind a bar."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...chat import Chat, Message
from ...layers import Link, Mention, Person
from .scene import Scene, cast_of

CAST = (
    Person("ines", ("Ines Prado", "Ines"), "female"),
    Person("tomo", ("Tomo Arai", "Tomo"), "male", (("brother of", "mika"),)),
    Person("mika", ("Mika Arai", "Mika"), "female"),
    Person("rauf", ("Rauf Demir", "Rauf"), "male"),
)

SAMPLE: tuple[tuple[tuple[str, str], ...], ...] = (
    (
        ("Ines", "[Tomo|tomo], did [you|tomo] fix the brakes for [Rauf Demir|rauf]?"),
        ("Tomo", "[I|tomo] did, and [he|rauf] picked the bike up."),
        ("Mika", "Did [he|rauf] pay [you|tomo]?"),
        ("Tomo", "No. [My|tomo] [sister|mika] always asks [me|tomo] about the money."),
        ("Ines", "Well, [she|mika] is right. You know, people forget."),
    ),
    (
        ("Mika", "[I|mika] saw [Ines|ines] at the market with some [man|]."),
        ("Rauf", "That was [me|rauf]. [I|rauf] carried [her|ines] bags."),
        ("Mika", "[You|rauf] are a good [friend|rauf]."),
    ),
)

_MARK = re.compile(r"\[([^|\]]+)\|([^\]]*)\]")


def scene_from_markup(name: str, lines: Sequence[tuple[str, str]]) -> tuple[Scene, tuple[Link, ...]]:
    """A scene and its links from texts with marks in them."""
    messages, links = list[Message](), list[Link]()
    for position, (author, text) in enumerate(lines):
        plain, last = "", 0
        for found in _MARK.finditer(text):
            plain += text[last : found.start()]
            mention = Mention(position, len(plain), len(plain) + len(found[1]))
            links.append(Link(mention, tuple(filter(None, found[2].split(",")))))
            plain, last = plain + found[1], found.end()
        messages.append(Message(str(position), None, author, plain + text[last:]))
    chat = Chat(name, tuple(messages))
    scene = Scene(chat, cast_of(chat, CAST), tuple(link.mention for link in links), name.partition("/")[0])
    return scene, tuple(links)
