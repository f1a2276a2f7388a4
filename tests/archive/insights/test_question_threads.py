"""Questions and what became of them, by a rule."""

from __future__ import annotations

from hubbub.archive.insights.question_threads import Outcome, confirms, question_threads

from ..conftest import Home
from .chats import filled


def test_every_question_has_its_outcome(home: Home) -> None:
    with filled(home / "a.db") as archive:
        found = {thread.asker: thread.outcome for thread in question_threads(archive)}
    assert found == {
        "ines": Outcome.CONFIRMED,
        "mika": Outcome.ANSWERED,
        "sol": Outcome.UNRESOLVED,
        "kim": Outcome.UNRESOLVED,
        "tess": Outcome.NO_REPLY,
        "nils": Outcome.CONFIRMED,
        "vera": Outcome.ANSWERED,
    }


def test_the_question_may_follow_a_greeting(home: Home) -> None:
    with filled(home / "a.db") as archive:
        (thread,) = (each for each in question_threads(archive) if each.asker == "mika")
        assert thread.question.text.startswith("my bicycle chain")
        assert thread.opening == "hello my bicycle chain jumps on the small cogs, any idea?"
        assert [each.author for each in thread.replies] == ["bo"]
        assert archive.conversation(thread.number)[0].conversation_id == thread.conversation_id


def test_thanks_that_go_on_asking_or_report_a_failure_confirm_nothing() -> None:
    assert confirms("thanks, that worked")
    assert not confirms("thanks, but which version is it?")
    assert not confirms("thanks, it still does not work")
    assert not confirms("thanks anyway")
