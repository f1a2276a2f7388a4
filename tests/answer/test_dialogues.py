"""Dialogues out of chats: who speaks to whom, what makes a dialogue, what it leaves out."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from hubbub.answer.data.addressees import RecipientIndex
from hubbub.answer.data.bots import bots
from hubbub.answer.data.dialogue import Dialogue
from hubbub.answer.data.extraction import dialogues
from hubbub.answer.reports.statistics import statistics, turns
from hubbub.chat import Chat, Message
from hubbub.errors import OptionError
from hubbub.layers import ReplyGraph

START = datetime(2024, 5, 2, 20, 0)


def chat(*lines: tuple[float, str, str]) -> Chat:
    """(minute, author, text) of each message."""
    made = (Message(str(i), START + timedelta(minutes=m), who, text) for i, (m, who, text) in enumerate(lines))
    return Chat("porch", tuple(made))


def positions(found: list[Dialogue]) -> list[list[int]]:
    return [[each.position for each in dialogue.utterances] for dialogue in found]


HELP = (
    (0, "wilma", "my kettle does not boil"),
    (1, "oren", "wilma: is it plugged in?"),
    (2, "wilma", "oren: it is, and the lamp is on"),
    (3, "oren", "wilma: then it is the switch"),
)


def test_a_response_and_the_question_before_it_begin_a_dialogue() -> None:
    found = dialogues(chat(*HELP))
    assert positions(found) == [[0, 1, 2, 3]]
    assert [turn.text for turn in found[0].turns()] == [
        "my kettle does not boil",
        "is it plugged in?",
        "it is, and the lamp is on",
        "then it is the switch",
    ]


def test_a_question_of_more_than_three_minutes_ago_begins_none() -> None:
    late = [(minute + 4 * (who == "oren"), who, text) for minute, who, text in HELP[:2]]
    assert dialogues(chat(*late, *((m + 9, w, t) for m, w, t in HELP[2:]))) == []


def test_holes_are_filled_only_for_those_who_talk_to_nobody_else() -> None:
    lines = [
        *HELP[:3],
        (2.5, "oren", "pita: see you at eight"),
        (3, "wilma", "it never did that before"),
        (3.1, "pita", "fine"),
    ]
    lines += [(3.5, "oren", "what a shame"), (4, "oren", "wilma: try the other socket")]
    assert positions(dialogues(chat(*lines))) == [[0, 1, 2, 4, 7]]


def test_one_question_with_two_helpers_is_two_dialogues() -> None:
    lines = [
        *HELP[:3],
        (2.1, "pita", "wilma: what colour is the lamp?"),
        (2.2, "wilma", "pita: red"),
        (2.3, "pita", "wilma: broken then"),
    ]
    lines += [(2.4, "oren", "wilma: hm")]
    found = dialogues(chat(*lines))
    assert positions(found) == [[0, 1, 2, 6], [2, 3, 4, 5]] or len(found) == 2
    assert {frozenset(each.senders()) for each in found} == {frozenset({"wilma", "oren"}), frozenset({"wilma", "pita"})}


def test_too_short_and_too_one_sided_ones_are_dropped() -> None:
    assert dialogues(chat(*HELP[:2])) == []
    monologue = [(3 + i / 10, "wilma", f"oren: and another thing, number {i}") for i in range(40)]
    assert dialogues(chat(*HELP[:3], *monologue)) == []


def test_a_recipient_is_the_first_word_or_the_last_and_no_common_word() -> None:
    lines = chat(
        (0, "wilma", "hello"),
        (1, "the", "good evening"),
        (2, "pita", "the kettle boils"),
        (3, "pita", "thanks a lot wilma"),
    )
    recipients = RecipientIndex(lines)
    assert recipients.of(2) == ("", "the kettle boils")
    assert recipients.of(3) == ("wilma", "thanks a lot")


def test_names_are_known_for_two_days_and_masked_within_texts() -> None:
    lines = chat((0, "wilma", "hello"), (10, "oren", "did wilma_ or wilma call?"), (60 * 72, "oren", "wilma: hello?"))
    assert RecipientIndex(lines).of(1)[1] == "did someone_ or someone call?"
    assert RecipientIndex(lines).of(2)[0] == ""


def test_threads_need_two_people_and_an_open_question() -> None:
    lines = chat(*HELP, (4, "pita", "anybody here?"), (5, "rolf", "pita: no"))
    graph = ReplyGraph(((0,), (0,), (1,), (2,), (4,), (4,)))
    assert positions(dialogues(lines, "threads", graph)) == [[0, 1, 2, 3]]
    assert positions(dialogues(lines, "any", graph)) == [[0, 1, 2, 3], [4, 5]]


def test_machines_are_told_by_what_they_do() -> None:
    remarks = [f"{one} {other}" for one in ("well", "oh", "so", "now") for other in ("look", "then", "what", "who")]
    lines: list[tuple[float, str, str]] = []
    for i in range(14):
        lines.append((3 * i, f"guest{i}", "!rules"))
        lines.append((3 * i + 0.1, "porter", f"guest{i}: please read the rules of the house at the door"))
        lines += [(3 * i + 1, who, f"{who} says {' '.join(remarks[i:])}") for who in ("pita", "oren", "rolf")]
    assert bots(chat(*lines)) == {"porter"}


def test_a_way_that_needs_replies_says_so() -> None:
    with pytest.raises(OptionError, match="needs the reply graph"):
        dialogues(chat(*HELP), "threads")
    with pytest.raises(OptionError, match="lowe or threads or any"):
        dialogues(chat(*HELP), "magic")


def test_statistics_count_what_the_paper_counts() -> None:
    found = dialogues(chat(*HELP))
    assert statistics(found) == {
        "dialogues": 1,
        "utterances": 4,
        "words": 24,
        "fewest_turns": 4,
        "turns_a_dialogue": 4,
        "words_an_utterance": 6,
        "median_minutes": 3.0,
    }
    assert turns(found) == {4: 1}
    assert statistics([]) == {"dialogues": 0}
