"""What speaks for a message as the solution of a question."""

from __future__ import annotations

import pytest

from hubbub.archive.answer_features import (
    BOT,
    CODE,
    INSTRUCTION,
    RESOLUTION,
    SMALL_TALK,
    resolution_features,
    with_leads,
)
from hubbub.archive.conversation import ConversationMessage, StoredConversation


def conversation(*lines: tuple[str, str]) -> StoredConversation:
    """Every message answers the one before it."""
    said = [ConversationMessage(i, author, text, max(0, i - 1)) for i, (author, text) in enumerate(lines)]
    return StoredConversation(1, said)


def features(talk: StoredConversation, place: int) -> dict[str, float]:
    return dict(zip(RESOLUTION, resolution_features(talk, place, 2), strict=True))


def test_the_last_suggestion_before_the_thanks_is_marked() -> None:
    talk = conversation(
        ("ann", "how do I open this jar?"),
        ("ben", "ann: turn the lid to the left"),
        ("ann", "ben: it still does not move"),
        ("ben", "ann: warm the lid under hot water"),
        ("ben", "ann: good luck :)"),
        ("ann", "ben: thanks, it is open"),
    )
    first, second = features(talk, 1), features(talk, 3)
    assert (first["thanked"], first["last before the thanks"], first["trouble afterwards"]) == (1, 0, 1)
    assert (second["thanked"], second["last before the thanks"], second["trouble afterwards"]) == (1, 1, 0)
    assert second["nearness of the thanks"] > first["nearness of the thanks"]
    assert first["addressed"] == second["addressed"] == 1
    assert features(talk, 4)["small talk"] == 1


def test_a_question_back_and_a_message_that_nobody_thanks_for() -> None:
    talk = conversation(("ann", "how do I open this jar?"), ("ben", "which jar do you mean?"), ("cid", "I broke mine"))
    assert features(talk, 1)["question back"] == 1
    assert features(talk, 1)["thanked"] == features(talk, 1)["last before the thanks"] == 0
    assert features(talk, 2)["first person"] == 1


def test_a_lead_is_over_the_best_other_conversation() -> None:
    rows = with_leads([[0.9, *[0.0] * 11], [0.5, *[0.0] * 11]])
    assert [row[6] for row in rows] == pytest.approx([0.4, -0.4])
    (alone,) = with_leads([[0.9, *[0.0] * 11]])
    assert alone[6] == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        (CODE, "run sudo apt install vim", "it is in the kitchen"),
        (CODE, "look into /etc/fstab/x", "either or"),
        (INSTRUCTION, "ann: try the other one", "ann: nobody knows"),
        (INSTRUCTION, "you can turn it off", "it is off"),
        (SMALL_TALK, "haha, good one", "turn it off"),
        (BOT, "helpbot", "robert"),
    ],
)
def test_patterns(pattern: object, yes: str, no: str) -> None:
    assert pattern.search(yes)  # type: ignore[attr-defined]
    assert not pattern.search(no)  # type: ignore[attr-defined]
