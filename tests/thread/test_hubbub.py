"""The bundled model: what it decides, that live and batch agree, that odd chats work, how it is trained on."""

from __future__ import annotations

import os
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import cast

import pytest

from hubbub.chat import Chat, Message
from hubbub.ml.model_schema import Mismatch
from hubbub.ml.registry import load, restored
from hubbub.ml.task import task, train, whole_chat
from hubbub.thread.models.hubbub import HubbubThreader
from hubbub.thread.models.live import Live
from hubbub.thread.models.vote import Vote

START = datetime(2024, 5, 3, 9, 0)

SAID = (
    ("ines", "hi, does anybody know why my printer is offline after the upgrade?"),
    ("tomo", "how do i mount a usb stick from the terminal?"),
    ("raul", "ines: is it plugged in, and does lpstat show it?"),
    ("mika", "tomo: sudo mount /dev/sdb1 /mnt"),
    ("ines", "raul: yes, lpstat says printer disabled"),
    ("tomo", "mika: thanks, that works"),
    ("raul", "ines: then run cupsenable with its name"),
    ("ines", "raul: great, it prints again, thank you"),
)


def chat_of(said: tuple[tuple[str, str], ...], timed: bool = True) -> Chat:
    times = [START + timedelta(seconds=20 * i) if timed else None for i in range(len(said))]
    return Chat("c", tuple(Message(str(i), times[i], author, text) for i, (author, text) in enumerate(said)))


@pytest.fixture(scope="module")
def model() -> HubbubThreader:
    return cast(HubbubThreader, load("thread/hubbub"))


def test_two_conversations_are_told_apart(model: HubbubThreader) -> None:
    graph = model.predict([chat_of(SAID)])[0]
    assert graph.parents == ((0,), (1,), (0,), (1,), (2,), (3,), (4,), (6,))
    assert all(0 < score <= 1 for scores in graph.scores for score in scores)
    assert graph.components() == ((0, 2, 4, 6, 7), (1, 3, 5))


def test_a_chat_without_times_or_names_still_gets_answers(model: HubbubThreader) -> None:
    without = tuple((author, text.partition(": ")[2] or text) for author, text in SAID)
    for chat in (chat_of(SAID, timed=False), chat_of(without), chat_of(without, timed=False)):
        assert len(model.predict([chat])[0].parents) == len(chat)


def test_clocks_without_dates_pass_midnight(model: HubbubThreader) -> None:
    clocks = (time(23, 58), time(23, 59), time(0, 0), time(0, 1))
    said = (
        ("ana", "is the build broken?"),
        ("ben", "ana: yes, since noon"),
        ("ana", "ben: who fixes it?"),
        ("ben", "ana: me"),
    )
    messages = [Message(str(i), None, *each, clock=clocks[i]) for i, each in enumerate(said)]
    assert model.predict([Chat("c", tuple(messages))])[0].parents == ((0,), (0,), (1,), (2,))


def test_somebody_is_known_by_a_new_name(model: HubbubThreader) -> None:
    messages = (
        Message("0", START, "ines", "my printer is offline, what can i do?"),
        Message("1", START, "ines", "ines is now known as ines_away", "system"),
        Message("2", START, "tomo", "good morning all"),
        Message("3", START, "raul", "ines_away: switch it on"),
    )
    assert model.predict([Chat("c", messages)])[0].parents[3] == (0,)


def test_recorded_replies_are_facts_and_evidence(model: HubbubThreader) -> None:
    messages = list(chat_of(SAID))
    messages[5] = messages[5]._replace(reply_to=("0", "2", "unknown"))
    graph = model.predict([Chat("c", tuple(messages))])[0]
    assert graph.parents[5] == (0, 2)
    assert graph.scores[5] == (1.0, 1.0)
    ahead = messages[0]._replace(reply_to=("7",))
    assert model.predict([Chat("c", (ahead, *messages[1:]))])[0].parents[0] == (0,)


def test_system_lines_stand_alone(model: HubbubThreader) -> None:
    joined = Message("x", START, "mika", "mika joined", "system")
    graph = model.predict([Chat("c", (joined, *chat_of(SAID), joined._replace(id="y")))])[0]
    assert graph.parents[0] == (0,)
    assert graph.parents[-1] == (9,)


def test_live_decides_as_batch_does(model: HubbubThreader) -> None:
    messages = many_messages(5000)
    batch = model.predict([Chat("c", messages)])[0]
    live = cast(Live, load("thread/live"))
    pushed = [live.push(message) for message in messages]
    assert tuple(each.parents for each in pushed) == batch.parents
    assert tuple(each.scores for each in pushed) == batch.scores
    assert live.reset().push(messages[0]) == pushed[0]


def many_messages(count: int) -> tuple[Message, ...]:
    """People who come, talk to each other and go, under ever new names."""
    words = ("disk", "kernel", "sound", "driver", "screen", "boot", "panel", "mouse")
    made = []
    for i in range(count):
        author, other = f"guest{(i * 7) % 23 + i // 50}", f"guest{(i * 7 + 7) % 23 + i // 50}"
        text = (
            f"{other}: my {words[i % 8]} and {words[i * 3 % 8]} fail" if i % 3 else f"how do i fix the {words[i % 8]}?"
        )
        made.append(Message(str(i), START + timedelta(seconds=9 * i), author, text))
    return tuple(made)


def test_more_people_than_there_is_room_for(model: HubbubThreader) -> None:
    """Twice as many as are remembered, each saying one thing."""
    messages = tuple(Message(str(i), None, f"someone{i}", f"someone{i - 1}: hello") for i in range(33_000))
    graph = model.predict([Chat("c", messages)])[0]
    late = graph.parents[-1000:]
    assert sum(parents == (position - 1,) for position, parents in enumerate(late, 32_000)) > 950


def test_threshold_and_second_parent(model: HubbubThreader) -> None:
    weights = model.trained()
    chat = chat_of(SAID)
    strict = HubbubThreader(threshold=1.0, weights_=weights).predict([chat])[0]
    assert all(
        parents == (i,) or scores == (1.0,)
        for i, (parents, scores) in enumerate(zip(strict.parents, strict.scores, strict=True))
    )
    both = HubbubThreader(second=0.0001, weights_=weights).predict([chat])[0]
    assert any(len(parents) == 2 for parents in both.parents)
    assert all(list(parents) == sorted(parents) for parents in both.parents)


def test_training_goes_on_from_what_was_learnt(model: HubbubThreader) -> None:
    pytest.importorskip("lightgbm")
    sample = task("thread").sample()
    before = model.trained()
    further = HubbubThreader(weights_=before, second_trees=8).fit(sample.inputs, sample.golds, seed=3)
    assert len(further.trained().second.leaf) > len(before.second.leaf)
    assert further.trained().parent_vectors is before.parent_vectors


def test_weights_with_the_array_names_of_version_1_load_alone_and_in_an_ensemble(model: HubbubThreader) -> None:
    old = {new: before for before, new in HubbubThreader.renamed_state.items()}
    saved = {old.get(name, name): array for name, array in model.state().items()}
    assert {"ask", "say"} <= saved.keys()
    alone = restored(HubbubThreader(), saved)
    members = {"members": [{"name": "thread/hubbub", "parameters": {}}], **{f"0.{n}": a for n, a in saved.items()}}
    (member,) = cast(Vote, restored(Vote(), members)).members_ or []
    for loaded in (alone, member):
        assert (loaded.state()["parent_vectors"] == model.state()["parent_vectors"]).all()


def test_a_training_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("lightgbm")
    from hubbub.thread.training import hubbub_stages as stages

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    sample = task("thread").sample()
    whole = HubbubThreader(second_trees=4).fit(sample.inputs, sample.golds, seed=3)
    assert not list(tmp_path.glob("hubbub/training-*"))
    with monkeypatch.context() as stopped:
        stopped.setattr(stages, "inverse_temperature", stop)
        with pytest.raises(KeyboardInterrupt):
            HubbubThreader(second_trees=4).fit(sample.inputs, sample.golds, seed=3)
    assert [file.name for file in tmp_path.glob("hubbub/training-*/words.npz")] == ["words.npz"]
    with monkeypatch.context() as again:
        again.setattr(stages, "fit_words", stop)
        further = HubbubThreader(second_trees=4).fit(sample.inputs, sample.golds, seed=3)
    assert all((whole.state()[name] == array).all() for name, array in further.state().items())
    assert not list(tmp_path.glob("hubbub/training-*"))


def stop(*_: object) -> None:
    raise KeyboardInterrupt


def test_unlabelled_chats_are_looked_for_where_the_data_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("lightgbm")
    from hubbub.thread.models import hubbub as module

    monkeypatch.delenv("HUBBUB_DATA", raising=False)
    (tmp_path / "ubuntu-logs").mkdir()
    (tmp_path / "ubuntu-logs" / "#bikes.txt").write_text("[10:00] <ana> hello\n[10:01] <ben> ana: good morning\n")
    (tmp_path / "chat.log").write_text("[10:00] <ana> is the shop open?\n[10:01] <ben> ana: until six\n")
    (tmp_path / "chat.annotation.txt").write_text("0 0 -\n0 1 -\n")
    read: list[str] = []

    def noted(path: Path, format: str | None) -> Chat:
        read.append(path.name)
        return whole_chat(path, format)

    monkeypatch.setattr(module, "whole_chat", noted)
    settings = {"unlabelled": "ubuntu-logs:all", "second_trees": 2}
    train("thread", "thread/hubbub", [tmp_path / "chat.log"], data=tmp_path, settings=settings)
    assert read == ["#bikes.txt"]


def test_weights_of_another_version_are_refused(model: HubbubThreader) -> None:
    state = dict(model.state())
    with pytest.raises(Mismatch, match=r'array "settings" has shape \(4,\) where \(5,\) is expected'):
        restored(HubbubThreader(), {**state, "settings": state["settings"][:-1]})


def test_old_compiled_code_is_removed(tmp_path: Path) -> None:
    from hubbub.ml.compilation import OLD_FOLDERS_KEPT, _remove_older

    for age in range(OLD_FOLDERS_KEPT + 2):
        folder = tmp_path / f"compiled-{age}"
        folder.mkdir()
        os.utime(folder, (1e9 - age, 1e9 - age))
    (tmp_path / "other").mkdir()
    _remove_older(tmp_path)
    assert {folder.name for folder in tmp_path.iterdir()} == {
        "other",
        *(f"compiled-{age}" for age in range(OLD_FOLDERS_KEPT)),
    }
    _remove_older(tmp_path / "nowhere")
