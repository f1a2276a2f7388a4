"""Examples of the Ubuntu logs: #ubuntu of 22 to 24 January 2013 to be tested on, of the 19th to 21st to choose on.

All channels of the days before and the annotated logs (irc:train) are there to learn from; of the latter none of
January 2013, since what is tested on may not be learnt from. A split's name says which dialogues it is made of: as
they were made in 2015 if it says no more, else `threads`, or `helpers` for replies of helpers only, or `any` for
everything there is to learn from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path

from ..chat import Chat
from ..datasets import find
from ..model import load as load_model
from ..task import Given
from .dialogue import Dialogue
from .dialogues import dialogues
from .examples import Example, evaluation_examples, training_examples

NAME = "ubuntu-logs:"
MONTH = (2013, 1)
TUNING = (date(2013, 1, 16), date(2013, 1, 17), date(2013, 1, 18))
ANNOTATED = "irc:train"
KEEPING = ("any", "rest")
DAYS_TOGETHER = 3
THREADS = "thread/hubbub"
CUTS = 6


def parts(given: Given) -> tuple[list[Example], list[Example], tuple[Path, ...]]:
    """The examples of a split, those that are kept for choices, and the files of both."""
    split, _, variant = given.name.removeprefix(NAME).partition("-")
    if split != "train":
        found = _dialogues(given, given.files, "threads" if variant == "threads" else "lowe")
        return evaluation_examples(found, helpers=variant == "helpers"), [], given.files
    files = (*given.files, *annotated())
    if variant not in KEEPING:
        return training_examples(_dialogues(given, files, variant or "lowe")), [], files
    kept = [file for file in files if day(file) in TUNING]
    rest = [file for file in files if day(file) not in TUNING]
    learnt = _dialogues(given, rest, "lowe") if variant == "rest" else _together(given, rest)
    return training_examples(learnt, least=1), _tuning(_dialogues(given, kept, "lowe")), files


def annotated() -> tuple[Path, ...]:
    """The annotated logs but those of the month that is tested on."""
    logs = (file for file in find(ANNOTATED).files if file.name.endswith(".raw.txt"))
    return tuple(file for file in logs if (day(file).year, day(file).month) != MONTH)


def day(file: Path) -> date:
    """The day that a log is of: YYYY-MM/DD/#channel.txt, or YYYY-MM-DD.name.txt."""
    text = file.name[:10] if not file.name.startswith("#") else f"{file.parts[-3]}-{file.parts[-2]}"
    return date.fromisoformat(text)


def _tuning(found: Sequence[Dialogue]) -> list[Example]:
    """As in testing, but several of each dialogue, so that there are enough."""
    several = [each for seed in range(1, CUTS + 1) for each in evaluation_examples(found, seed=seed)]
    return several + evaluation_examples(found, seed=CUTS + 1, helpers=True)


def _together(given: Given, files: Sequence[Path]) -> list[Dialogue]:
    """Dialogues of all three kinds, without those whose messages are the same as another's."""
    found: dict[tuple[str, ...], Dialogue] = {}
    for how in ("lowe", "any"):
        for number, each in enumerate(_dialogues(given, files, how)):
            said = tuple(turn.text for turn in each.turns())
            found.setdefault(said, Dialogue(f"{how}/{number}", each.utterances))
    return list(found.values())


def _dialogues(given: Given, files: Iterable[Path], how: str) -> list[Dialogue]:
    """Named after their logs, so that a position belongs to one log."""
    threads = load_model(THREADS) if how != "lowe" else None
    found: list[Dialogue] = []
    for chat in _chats(given, files):
        replies = threads.predict([chat])[0] if threads else None
        found += dialogues(chat, how, replies)
    return found


def _chats(given: Given, files: Iterable[Path]) -> Iterator[Chat]:
    """A few days of a channel at a time, so that names of the day before are known."""
    grouped: dict[tuple[str, str, int], list[Path]] = defaultdict(list)
    for file in files:
        channel, of = file.name if file.name.startswith("#") else str(file), day(file)
        grouped[channel, f"{of:%Y-%m}", (of.day - 1) // DAYS_TOGETHER].append(file)
    for group in grouped.values():
        messages = tuple(message for file in sorted(group) for message in given.read(file))
        yield Chat(f"{day(group[0])}/{group[0].name}", messages)
