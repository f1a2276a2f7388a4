"""Asking an archive: vectors that survive crashes, answers inside their conversations, and what cannot be asked."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hubbub
from hubbub.archive import vectors
from hubbub.archive.adding import ThreadedMessage, add
from hubbub.archive.ask import Answer, QuestionAnswerer
from hubbub.archive.confidence import static_encoder
from hubbub.archive.conversation import ConversationMessage, StoredConversation
from hubbub.archive.search import SearchFilters
from hubbub.archive.store import ArchiveStore
from hubbub.archive.vectors import Vectors, add_vectors, unaddressed
from hubbub.chat import Message
from hubbub.errors import ArchiveError, OptionError

from .conftest import Home
from .test_store import START, filled, judged

TALKS = (
    (
        ("ines", "the kettle in the kitchen trips the fuse every morning, what can I do?"),
        ("bo", "ines: descale it, a crust on the element makes it leak current"),
        ("ines", "bo: that did it, thanks a lot"),
    ),
    (
        ("mika", "my bicycle chain jumps on the small cogs, any idea?"),
        ("bo", "mika: the cassette is worn, a new chain on old cogs always jumps"),
        ("mika", "hm, that is expensive"),
        ("lou", "mika: try to tighten the cable of the derailleur before you buy anything"),
    ),
    (
        ("sol", "which bread keeps fresh for a whole week in summer?"),
        ("lou", "sol: rye with sourdough, in a linen bag and never in the fridge"),
        ("sol", "lou: thank you"),
    ),
)


def ask(question: str, path: str | Path, **options: Any) -> list[Answer]:
    with hubbub.Archive(path, read_only=True) as archive:
        return archive.ask(question, **options)


def spoken() -> list[ThreadedMessage]:
    """The talks one after the other; every message answers the one before it."""
    lines = [(place, *line) for talk in TALKS for place, line in enumerate(talk)]
    return [
        ThreadedMessage(Message(str(i), START.replace(minute=i), author, text), (1 if place else 0,), (0.9,))
        for i, (place, author, text) in enumerate(lines)
    ]


@pytest.fixture(scope="module")
def asked(shared_home: Home) -> str | Path:
    path = shared_home / "a.db"
    with ArchiveStore(path, create=True) as archive:
        list(add(archive, "#house", "irssi", spoken()))
        assert list(add_vectors(archive, static_encoder().encode)) == [10]
    return path


def numbered(texts: Sequence[str]) -> NDArray[np.float32]:
    """A stand-in for the encoder where only storing matters."""
    return np.array([[1.0, len(text), sum(map(ord, text)) % 97] for text in texts], np.float32).reshape(-1, 3)


def test_the_answer_comes_inside_its_conversation(asked: str | Path) -> None:
    first = ask("why does my fuse blow when I boil water in the kettle", asked, threshold=0.0)[0]
    assert first.question.message.author == "ines"
    assert first.answer.message.text.startswith("ines: descale it")
    assert [kept.message.author for kept in first.followed] == ["ines"]
    assert first.thanks is not None
    assert 0 < first.score < 1


def test_each_conversation_answers_once_and_the_best_comes_first(asked: str | Path) -> None:
    found = ask("bicycle chain jumps", asked, threshold=0.0)
    assert [each.answer.conversation for each in found].count(found[0].answer.conversation) == 1
    assert found[0].question.message.author == "mika"
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)


def test_what_only_asks_back_is_no_answer_if_there_is_one(home: Home) -> None:
    lines = [("ann", "how do I open this jar?"), ("ben", "ann: which jar, the one with a lid of tin?")]
    lines += [("ann", "yes"), ("ben", "ann: warm the lid under hot water")]
    said = [ThreadedMessage(Message(str(i), START, *line), (min(i, 1),), (0.9,)) for i, line in enumerate(lines)]
    with ArchiveStore(home / "a.db", create=True) as archive:
        list(add(archive, "#house", "irssi", said))
        list(add_vectors(archive, static_encoder().encode))
        (found,) = QuestionAnswerer(archive).ask("how do I open a jar with a tin lid?", threshold=0.0)
    assert found.answer.message.text == "ann: warm the lid under hot water"


def test_below_the_threshold_nothing_is_found(asked: str | Path) -> None:
    assert ask("what is the capital of France?", asked) == []
    assert ask("how do I tune a harpsichord", asked, threshold=0.9) == []
    assert ask("how do I tune a harpsichord", asked, threshold=0.0)


def test_a_right_answer_is_shown_however_small_the_archive_is(asked: str | Path) -> None:
    (found,) = ask("why does my fuse blow when I boil water in the kettle", asked)
    assert found.answer.message.text.startswith("ines: descale it")


def test_an_archive_of_short_messages_has_no_vectors_and_can_be_asked(home: Home) -> None:
    with ArchiveStore(home / "a.db", create=True) as archive:
        list(add(archive, "#house", "irssi", [ThreadedMessage(Message("0", START, "ann", "hot kettle"), (0,), ())]))
        list(add_vectors(archive, static_encoder().encode))
        assert QuestionAnswerer(archive).ask("is the kettle hot?", threshold=0.0) == []


def test_filters_are_about_the_answer(asked: str | Path) -> None:
    by_lou = ask("bicycle chain jumps", asked, threshold=0.0, filters=SearchFilters(person="LOU"))
    assert {each.answer.message.author for each in by_lou} == {"lou"}
    assert by_lou[0].question.message.author == "mika"
    assert ask("bicycle chain jumps", asked, threshold=0.0, filters=SearchFilters(since="2024-05-03")) == []
    assert ask("bicycle chain jumps", asked, threshold=0.0, filters=SearchFilters(channel="#house"))


@pytest.mark.parametrize("question", ["", "  \n", "?" * 3000])
def test_no_question_is_said(asked: str | Path, question: str) -> None:
    with pytest.raises(OptionError):
        ask(question, asked)


@pytest.mark.parametrize("question", ['"', "NEAR(", "???", "日本語", "a OR b AND", "the", "\ud800 half"])
def test_every_question_is_plain_text(asked: str | Path, question: str) -> None:
    ask(question, asked, threshold=0.0)


def test_an_archive_that_cannot_be_asked_says_why(home: Home) -> None:
    ArchiveStore(home / "empty.db", create=True).close()
    with pytest.raises(ArchiveError, match="nothing in it yet"):
        ask("kettles", home / "empty.db")
    filled(home / "a.db").close()
    with pytest.raises(ArchiveError, match="without vectors"):
        ask("kettles", home / "a.db")


def test_the_nearest_messages_are_found_by_their_codes(asked: str | Path) -> None:
    texts = [judged.message.text.partition(": ")[2] or judged.message.text for judged in spoken()]
    with ArchiveStore(asked) as archive:
        found = Vectors.of(archive)
        assert len(found) == 9, "two words have no vector"
        for id in (1, 2, 7):
            vector = static_encoder().encode([texts[id - 1]])[0]
            assert found.nearest(vector, 1).tolist() == [id]
            assert found.nearest(vector, 1, np.array([4, 5])).tolist() in ([4], [5])
        assert len(found.nearest(vector, 99)) == 9


def test_codes_that_are_not_kept_in_memory_give_the_same(asked: str | Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vector = static_encoder().encode(["a bicycle chain"])[0]
    with ArchiveStore(asked) as archive:
        kept = Vectors.of(archive).nearest(vector, 4).tolist()
        monkeypatch.setattr(vectors, "MAX_HELD", 0)
        assert Vectors.of(archive).nearest(vector, 4).tolist() == kept


def test_an_edited_message_has_one_vector_the_new_one(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "BLOCK", 16)
    with filled(home / "a.db") as archive:
        list(add_vectors(archive, static_encoder().encode))
        with archive.transaction() as engine:
            engine.execute("update messages set text = 'a violin out of tune' where id = 20")
            engine.execute("insert into edited values (20)")
        assert list(add_vectors(archive, static_encoder().encode)) == [16]
        found = Vectors.of(archive)
        assert found.nearest(static_encoder().encode(["violin out of tune"])[0], 1).tolist() == [20]
        assert found.ids.tolist() == sorted(set(found.ids.tolist()))
        assert archive.number("select count(*) from edited") == 0


def test_vectors_of_another_model_are_refused(home: Home) -> None:
    with filled(home / "a.db") as archive:
        list(add_vectors(archive, numbered))
        with pytest.raises(ArchiveError, match="another version"):
            Vectors.of(archive).nearest(static_encoder().encode(["kettles"])[0], 3)


def test_vectors_are_added_where_they_are_missing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "BLOCK", 16)
    with filled(home / "a.db") as archive:
        assert list(add_vectors(archive, numbered)) == [16, 16, 8]
        assert list(add_vectors(archive, numbered)) == []
        list(add(archive, "porch", "irssi", judged(50)))
        assert not archive.has_vectors()
        assert list(add_vectors(archive, numbered)) == [10]
        assert archive.has_vectors()


VECTORS = "select messages, codes from vectors order by last"
CRASH = """
import os, signal, sys
from pathlib import Path
from typing import Any
from hubbub.archive import adding as indexing, vectors
from hubbub.archive.store import ArchiveStore as Archive
from tests.archive.test_store import judged
from tests.archive.test_ask import numbered

vectors.BLOCK = 16
archive, left = Archive(Path(sys.argv[1]), create=True), int(sys.argv[2])

def count(statement):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

archive.engine.driver.set_trace_callback(count)
list(indexing.add(archive, "porch", "irssi", judged(200)))
list(vectors.add_vectors(archive, numbered))
"""


@pytest.mark.slow
def test_thirty_kills_lose_no_vector_and_double_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, chance = tmp_path / "a.db", random.Random(7)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    monkeypatch.setattr(vectors, "BLOCK", 16)
    for _ in range(30):
        left = str(chance.randint(1, 700))
        done = subprocess.run([sys.executable, "-c", CRASH, str(path), left], env=environment, timeout=60)
        assert done.returncode in (0, -signal.SIGKILL)
        with ArchiveStore(path) as archive:
            ids = Vectors.of(archive).ids.tolist()
        assert ids == sorted(set(ids))
    with ArchiveStore(path, write=True) as archive, filled(tmp_path / "b.db", 200) as other:
        list(add(archive, "porch", "irssi", judged(200)))
        list(add_vectors(archive, numbered))
        list(add_vectors(other, numbered))
        ours, right = (
            [b"".join(part) for part in zip(*store.rows(VECTORS), strict=True)] for store in (archive, other)
        )
    assert ours == right


def test_a_full_disk_loses_no_vectors_that_were_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "BLOCK", 100)
    with filled(tmp_path / "a.db", 4000) as archive:
        (pages,) = archive.engine.driver.execute("pragma page_count").fetchone()
        archive.engine.driver.execute(f"pragma max_page_count = {pages + 8}")
        with pytest.raises(ArchiveError, match="disk is full"):
            list(add_vectors(archive, lambda texts: np.ones((len(texts), 1_000), np.float32)))
        covered = archive.covered()
        archive.engine.driver.execute("pragma max_page_count = 1000000")
        assert 0 < covered < 4000
        assert sum(add_vectors(archive, lambda texts: np.ones((len(texts), 1_000), np.float32))) == 4000 - covered


def test_damaged_vectors_are_said(tmp_path: Path) -> None:
    with filled(tmp_path / "a.db") as archive:
        list(add_vectors(archive, numbered))
    with closing(sqlite3.connect(tmp_path / "a.db")) as made, made:
        made.execute("update vectors set codes = x'00'")
    with pytest.raises(ArchiveError, match="damaged"):
        ask("kettles", tmp_path / "a.db")


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("bo: descale it", "descale it"),
        ("@bo descale it", "descale it"),
        ("bo descale it", "descale it"),
        ("bow: descale it", "bow: descale it"),
        ("bo:", "bo:"),
        ("can you descale it", "can you descale it"),
    ],
)
def test_the_name_in_front_is_left_out(text: str, bare: str) -> None:
    assert unaddressed(text, {"bo", "can"}) == bare


def test_thanks_are_the_askers_and_for_the_helper() -> None:
    def thanked(*lines: tuple[str, str]) -> bool:
        said = [ConversationMessage(i, author, text, max(0, i - 1)) for i, (author, text) in enumerate(lines)]
        return StoredConversation(1, said).thanks(1) is not None

    question, answer = ("ann", "how do I open it?"), ("ben", "ann: turn it to the left")
    assert thanked(question, answer, ("ann", "thanks!"))
    assert thanked(question, answer, ("ann", "ben: it works now"))
    assert not thanked(question, answer, ("cid", "thanks"))
    assert not thanked(question, answer, ("cid", "ann: to the right"), ("ann", "cid: thanks"))
    assert not thanked(question, answer, ("ann", "thanks anyway"))
