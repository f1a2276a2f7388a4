"""A small chat of our own: questions with every outcome, asked and asked again, over three weeks."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from hubbub.archive.adding import ThreadedMessage, add
from hubbub.archive.store import ArchiveStore
from hubbub.chat import Message

START = datetime(2024, 5, 6, 9, 0)  # a Monday

CONFIRMED = (
    ("ines", "the kettle in the kitchen trips the fuse every morning, what can I do?"),
    ("bo", "ines: descale it, a crust on the element makes it leak current"),
    ("ines", "bo: that did it, thanks a lot"),
)
ANSWERED = (
    ("mika", "hello"),
    ("mika", "my bicycle chain jumps on the small cogs, any idea?"),
    ("bo", "mika: the cassette is worn, a new chain on old cogs always jumps"),
    ("mika", "hm, that is expensive"),
)
UNRESOLVED = (
    ("sol", "which bread keeps fresh for a whole week in summer?"),
    ("lou", "sol: rye with sourdough, in a linen bag"),
    ("sol", "lou: that does not help, it is mouldy after four days"),
)
ASKED_BACK = (
    ("kim", "why does my radio hum in the evening?"),
    ("lou", "kim: which radio is it?"),
)
NO_REPLY = (
    ("tess", "does anybody know how to open the cellar window?"),
    ("tess", "it is stuck since the winter"),
)
NO_QUESTION = (
    ("bo", "good morning everybody, the coffee is ready"),
    ("lou", "thanks, I will be there in a minute"),
)
CONTINUED = (("lou", "bo: is there any milk left?"),)
KETTLES = (
    (
        ("nils", "my kettle trips the fuse whenever I switch it on, what is wrong?"),
        ("bo", "nils: try to descale the kettle with vinegar, then dry it for a day"),
        ("nils", "that worked, thank you"),
    ),
    (
        ("vera", "why does the kettle trip the fuse in the kitchen?"),
        ("lou", "no idea, mine is fine"),
    ),
)
TALKS = (CONFIRMED, ANSWERED, UNRESOLVED, ASKED_BACK, NO_REPLY, NO_QUESTION, CONTINUED, *KETTLES)


def spoken(talks: tuple[tuple[tuple[str, str], ...], ...] = TALKS, days: int = 2) -> list[ThreadedMessage]:
    """The talks one after the other, some days apart; a message every two minutes that replies to the one before it."""
    said = []
    for number, talk in enumerate(talks):
        begin = START + timedelta(days=days * number, hours=number % 3)
        for place, (author, text) in enumerate(talk):
            message = Message(f"{number}.{place}", begin + timedelta(minutes=2 * place), author, text)
            said.append(ThreadedMessage(message, (1 if place else 0,), (0.9,)))
    return said


def filled(path: str | Path, channel: str = "#house") -> ArchiveStore:
    archive = ArchiveStore(path, create=True)
    list(add(archive, channel, "irssi", spoken()))
    return archive
