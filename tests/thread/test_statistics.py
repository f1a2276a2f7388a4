"""What annotated chats are like, counted by hand; and the rows of published tables, run on tiny data."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hubbub.chat import Chat, Message
from hubbub.errors import DatasetMissing
from hubbub.layers import ReplyGraph
from hubbub.thread.reports.statistics import STATISTICS, Annotated, at_once, gaps
from hubbub.thread.reproduce import figures

from ..conftest import Put

START = datetime(2024, 3, 1, 9, 0)
SAID = (
    ("ines", "my printer is offline, what can i do?"),
    ("raul", "ines: is it plugged in?"),
    ("mika", "hello everybody here and there"),
    ("", "tomo joined"),
    ("ines", "raul: yes"),
    ("raul", "then restart it"),
    ("zoe", "ines: mine too"),
)
PARENTS = ((0,), (0,), (2,), (3,), (1,), (4,), (0,))


def annotated() -> Annotated:
    messages = (
        Message(str(i), START + timedelta(minutes=i), name, text, "message" if name else "system")
        for i, (name, text) in enumerate(SAID)
    )
    return Annotated(Chat("c", tuple(messages)), ReplyGraph(PARENTS))


COUNTED = {
    "undirected_follow_directed": 100.0,  # ines and raul, who both stay in their conversation
    "several_answers": 100.0,  # raul and zoe answer ines; mika is answered by nobody
    "directed_starts": 0.0,
    "answered_soon": 100.0,
    "within_two_minutes": 75.0,  # 1, 3, 1, 1 minutes
    "eight_messages_apart": 100.0,
    "hundred_messages_apart": 100.0,
    "three_at_once": 100.0,
    "ten_at_once": 100.0,
    "cut_by_blocks": 100 * (6 / 200) / 2,
    "small": 100.0,
    "small_with_several_authors": 50.0,
    "short_in_company": 100.0,
}


@pytest.mark.parametrize("name", STATISTICS)
def test_by_hand(name: str) -> None:
    assert STATISTICS[name]([annotated()]) == pytest.approx(COUNTED[name])
    assert STATISTICS[name]([]) == 0.0


def test_gaps_and_conversations_at_once() -> None:
    assert gaps([annotated()]) == [60, 180, 60, 60]
    assert at_once([annotated()]) == {1: 5, 2: 1}


@pytest.fixture
def data(put: Put, tmp_path: Path) -> Path:
    log = "".join(f"[09:0{i}] <{name}> {text}\n" if name else f"=== {text}\n" for i, (name, text) in enumerate(SAID))
    links = "".join(f"{parent} {child} -\n" for child, (parent,) in enumerate(PARENTS))
    put("irc/test/2024-03-01.raw.txt", log)
    put("irc/test/2024-03-01.annotation.txt", links)
    put("irc/annotators/2024-03-01.annotation.ana.txt", links)
    put("irc/annotators/2024-03-01.annotation.bo.txt", links.replace("0 6 -", "6 6 -"))
    put("elsner-linux/test/linux-test-0.annot", "T1 1 Ines :  hm\nT1 2 Raul :  hm\n")
    put("elsner-linux/test/linux-test-1.annot", "T1 1 Ines :  hm\nT2 2 Raul :  hm\n")
    return tmp_path


def test_a_model_that_is_ready(data: Path) -> None:
    given = figures({"model": "thread/lowe", "settings": {"least": 3}, "on": "irc:test"}, ["vi"], data=data)
    assert given["figures"]["vi"] > 60
    assert given["checksum"]


def test_models_are_trained_once(data: Path, tmp_path: Path) -> None:
    run = {"model": "thread/elsner", "train": "irc:test", "seed": 3, "on": "irc:test"}
    first = figures(run, ["link_f"], data=data, models=tmp_path / "models")
    made = list((tmp_path / "models").iterdir())
    assert [each.name for each in made] == ["thread-elsner-irc-test-3"]
    assert figures(run, ["link_f"], data=data, models=tmp_path / "models")["figures"] == first["figures"]
    both = {"ensemble": "thread/vote", "model": "thread/elsner", "train": "irc:test", "seeds": 2, "on": "irc:test"}
    assert figures(both, ["link_f"], data=data, models=tmp_path / "models")["figures"]["link_f"] > 0


def test_annotators(data: Path) -> None:
    given = figures({"annotators": "annotators/*.txt", "dataset": "irc"}, ["kappa"], data=data)["figures"]
    assert given["one_to_one"] == pytest.approx(100 * 6 / 7)
    part = {"annotators": "annotators/*.txt", "dataset": "irc", "lines": [0, 6]}
    assert figures(part, ["kappa"], data=data)["figures"]["one_to_one"] == pytest.approx(100)
    theirs = figures({"annotators": "test/*.annot", "dataset": "elsner-linux"}, ["vi"], data=data)["figures"]
    assert theirs["one_to_one"] == pytest.approx(50)


def test_annotators_that_are_not_here(data: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for where, pattern in ((data, "none/*.txt"), (tmp_path / "empty", "annotators/*.txt")):
        with pytest.raises(DatasetMissing):
            figures({"annotators": pattern, "dataset": "irc"}, ["kappa"], data=where)


def test_statistics_of_a_dataset(data: Path) -> None:
    run = {"statistic": "within_two_minutes", "on": ["irc:test"]}
    assert figures(run, ["value"], data=data)["figures"]["value"] == pytest.approx(75)
    gap: dict[str, Any] = {"statistic": "gap", "minutes": [3, 4], "on": ["irc:test"]}
    assert figures(gap, ["value"], data=data)["figures"]["value"] == pytest.approx(25)
