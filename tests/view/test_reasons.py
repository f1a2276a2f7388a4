"""Why a message has its parent: by the platform, or by the model."""

from __future__ import annotations

from functools import cache

from hubbub import Message
from hubbub.ml.registry import model_for
from hubbub.thread.models.hubbub import HubbubThreader
from hubbub.view.reasons import draw_thread_reasons, thread_reasons
from hubbub.view.style import plain

QUESTION = Message("a", None, "ines", "why is my printer offline?")
OTHER = Message("b", None, "tomo", "how do i mount a usb stick?")


@cache
def model() -> HubbubThreader:
    found = model_for("thread", "thread/hubbub")
    assert isinstance(found, HubbubThreader)
    return found


def test_a_reply_that_the_platform_states_is_not_explained_by_a_model() -> None:
    reply = Message("c", None, "raul", "is it plugged in?", reply_to=("a",))
    assert list(thread_reasons(model(), [QUESTION, OTHER, reply])) == [
        "3  raul: is it plugged in?",
        "100.0 %  1  ines: why is my printer offline?",
        "         the platform states this reply; no model was used",
    ]


def test_a_stated_reply_to_a_message_that_is_missing_is_predicted_and_says_so() -> None:
    lines = list(thread_reasons(model(), [QUESTION, OTHER, Message("c", None, "raul", "yes", reply_to=("x",))]))
    assert "the platform states a reply to a message that is not in this chat" in lines[1]
    assert any("rather than" in line for line in lines)


def test_other_messages_are_explained_by_the_model() -> None:
    lines = list(thread_reasons(model(), [QUESTION, OTHER, Message("c", None, "raul", "ines: try again")], 0))
    assert lines[0] == "2  raul: ines: try again"
    assert not any("platform" in line for line in lines)


def test_long_lines_are_wrapped_below_their_beginning() -> None:
    long = Message("a", None, "ines", "why is my printer " + "so very " * 20 + "slow?")
    lines = list(map(plain, draw_thread_reasons(model(), [long, Message("b", None, "raul", "ines: is it?")], 40)))
    assert max(map(len, lines)) <= 40
    assert any(line.startswith("         so very") for line in lines)
