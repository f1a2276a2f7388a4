"""hubbub people: every way out, one person, why, who talks to whom, what is confirmed, and what is wrong with files."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest

import hubbub
from hubbub.jsonl import chat_lines, load
from hubbub.layers import Intent, Layers, Link, Mention, ReplyGraph
from hubbub.ml.task import evaluate
from hubbub.people import predict
from hubbub.people.data.conll import read_conll
from hubbub.people.data.scene import Scene
from hubbub.people.models.speaker import Speaker

from ..conftest import Put, Run

LOG = """\
--- Log opened Mon Mar 03 21:47:52 2025
21:50 < marrow> hello Oberin, did you see tess today?
21:51 < Oberin> marrow: yes, I told her about your disk
21:52  * marrow thanks Oberin
21:53 -!- marrow is now known as marrow_away
21:55 < tessaly> guys, Marrow_away is my hero
"""
CAST = """\
[[person]]
id = "tessaly"
names = ["Tessaly Quint", "tessaly"]
aliases = ["tess"]
gender = "female"
relations = ["daughter of bram"]

[[person]]
id = "bram"
names = ["Bram Quint"]
"""
PASSAGES = Path(__file__).parents[1] / "samples" / "people"


@pytest.fixture
def log(put: Put) -> Path:
    return put("#desk.log", LOG)


@pytest.fixture
def cast(put: Put) -> Path:
    return put("cast.toml", CAST)


@dataclass
class Thinking(Speaker):
    """The baseline with all that a model may do besides."""

    threshold: float = 0.0
    confirmed: list[Link] = field(default_factory=list)
    thresholds: list[float] = field(default_factory=list)

    def predict(self, inputs: Sequence[Scene]) -> list[Sequence[Link]]:
        self.thresholds.append(self.threshold)
        return super().predict(inputs)

    def why(self, scene: Scene, mention: Mention) -> list[tuple[str, float, list[str]]]:
        return [("Oberin", 0.75, [f"said {scene.text(mention)!r}", "was addressed"]), ("bram", 0.25, [])]

    def confirm(self, scene: Scene, links: Sequence[Link]) -> None:
        self.confirmed += links


@pytest.fixture
def thinking(monkeypatch: pytest.MonkeyPatch) -> Thinking:
    model = Thinking()
    monkeypatch.setattr(predict, "linker", lambda name: model)
    return model


def told(chat: hubbub.Chat, links: Sequence[Link]) -> list[tuple[int, str, tuple[str, ...]]]:
    places = [(link.mention, link.people) for link in links]
    return [(m.position, chat[m.position].text[m.start : m.end], people) for m, people in places if people]


KNOWN = [
    (1, "Oberin", ("Oberin",)),
    (1, "tess", ("tessaly",)),
    (2, "marrow", ("marrow",)),
    (2, "I", ("Oberin",)),
    (3, "Oberin", ("Oberin",)),
    (5, "Marrow_away", ("marrow",)),
    (5, "my", ("tessaly",)),
]
SPEAKER = ("--model", "people/speaker")


def test_json_lines_carry_people_and_links(log: Path, cast: Path, run: Run) -> None:
    ((chat, layers),) = load(run("people", log, "--cast", cast, *SPEAKER).out.splitlines())
    assert [person.id for person in layers.people] == ["tessaly", "bram", "marrow", "Oberin"]
    assert layers.people[2].names == ("marrow", "marrow_away")
    assert told(chat, layers.links) == KNOWN
    assert (2, "her") in [(link.mention.position, "her") for link in layers.links if not link.people]


def test_python_says_the_same(log: Path, cast: Path) -> None:
    chat = hubbub.read(log)
    assert told(chat, hubbub.people(chat, cast, "people/speaker")) == KNOWN
    assert hubbub.people(chat, model=Speaker(), threshold=1.0, replies=ReplyGraph(((),) * 6))
    assert hubbub.people(hubbub.Chat("nothing")) == []


def test_earlier_layers_pass_on_and_their_people_are_the_cast(log: Path, cast: Path, put: Put, run: Run) -> None:
    ((chat, layers),) = load(run("people", log, "--cast", cast, *SPEAKER).out.splitlines())
    earlier = Layers(ReplyGraph(((0,),) * 6), layers.people[:2], (), (Intent(1, "ask", 0.9, (("ask", 0.9),)),))
    piped = "\n".join(chat_lines(chat, earlier)).encode()
    ((_, both),) = load(run("people", "-", *SPEAKER, stdin=piped).out.splitlines())
    assert both == Layers(earlier.replies, layers.people, layers.links, earlier.intents)


def test_csv_has_a_row_a_mention(log: Path, cast: Path, run: Run) -> None:
    rows = list(csv.DictReader(StringIO(run("people", log, "--cast", cast, *SPEAKER, "--to", "csv").out)))
    shown = [(row["number"], row["mention"], row["way"], row["people"]) for row in rows if row["people"]]
    assert shown[:3] == [("2", "Oberin", "name", "Oberin"), ("2", "tess", "nickname", "tessaly"),
                         ("3", "marrow", "name", "marrow")]  # fmt: skip
    assert rows[0]["time"] == "2025-03-03T21:50:00"
    assert all(row["text"][int(row["start"]) : int(row["end"])] == row["mention"] for row in rows)


def test_conll_reads_back(log: Path, cast: Path, run: Run) -> None:
    written = run("people", log, "--cast", cast, *SPEAKER, "--to", "conll").out
    ((scene, links),) = read_conll("x", written.splitlines())
    assert [(scene.text(link.mention), link.people) for link in links if link.people] == [
        (words, people) for _, words, people in KNOWN
    ]


def test_the_drawing_names_people_where_words_do_not(log: Path, cast: Path, run: Run) -> None:
    shown = run("people", log, "--cast", cast, *SPEAKER, "--to", "text").out
    assert "marrow  hello Oberin, did you see tess[→Tessaly Quint] today?\n" in shown
    assert "Oberin  marrow: yes, I told her about your disk\n" in shown
    assert "Marrow_away[→marrow] is my hero\n" in shown
    coloured = run("people", log, "--cast", cast, *SPEAKER, "--to", "text", "--colour", "always").out
    assert "\x1b[4;38;5;" in coloured


def test_a_file_appears_whole(log: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out.txt"
    assert run("people", log, "--to", "text", "--out", out).out == ""
    assert "#desk" in out.read_text("utf-8")
    picture = tmp_path / "x.svg"
    assert run("people", log, "--svg", picture).status == 0
    assert 'text-decoration="underline"' in picture.read_text("utf-8")


def test_everything_of_one_person(log: Path, cast: Path, run: Run) -> None:
    head, *mentions = run("people", log, "--cast", cast, *SPEAKER, "--who", "TESS").records()
    assert head == {"person": "tessaly", "names": ["Tessaly Quint", "tessaly", "tess"], "chat": "#desk", "mentions": 2,
                    "nickname": {"tess": 1}, "pronoun": {"my": 1}}  # fmt: skip
    assert [(each["position"], each["mention"], each["way"]) for each in mentions] == [
        (1, "tess", "nickname"), (5, "my", "pronoun"),
    ]  # fmt: skip
    shown = run("people", log, "--cast", cast, *SPEAKER, "--who", "quint tessaly", "--to", "text")
    assert shown.status == 2
    shown = run("people", log, "--cast", cast, *SPEAKER, "--who", "tessaly quint", "--to", "text")
    assert "nicknames     1   tess 1" in shown.out
    assert "2   marrow   100 %  hello Oberin, did you see [tess] today?" in shown.out


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("marow", "Nobody in #desk is named 'marow'; near it: marrow."),
        ("xyz", "Nobody in #desk is named 'xyz'; there are 4 people, and no name is near it."),
        ("quint", "--who quint: several people have that name: say which of tessaly, bram."),
    ],
)
def test_a_person_who_is_not_there(log: Path, cast: Path, run: Run, name: str, sentence: str) -> None:
    ran = run("people", log, "--cast", cast, "--who", name)
    assert (ran.status, ran.err) == (2, f"hubbub: {sentence}\n")


def test_a_person_of_one_of_several_chats(log: Path, put: Put, run: Run) -> None:
    other = put("#other.log", "[10:00] <ines> I know\n")
    heads = [each for each in run("people", log, other, *SPEAKER, "--who", "ines").records() if "person" in each]
    assert [head["chat"] for head in heads] == ["#other"]


def test_why(log: Path, thinking: Thinking, run: Run) -> None:
    lines = run("people", log, "--why", "3").out.splitlines()
    assert lines[0] == " Oberin: marrow: yes, I told her about your disk"
    assert lines[2:6] == [
        " marrow  characters 0 to 6",
        "    75.0 %  Oberin",
        "              said 'marrow'",
        "              was addressed",
    ]
    assert [line for line in lines if "characters" in line][1] == " I  characters 13 to 14"


def test_the_bundled_model_says_why_and_asks_for_certainty(log: Path, cast: Path, run: Run) -> None:
    shown = run("people", log, "--cast", cast, "--why", "2").out
    assert re.search(r"you  characters 18 to 21\n +\d+\.\d %  Oberin\n +\w", shown), shown
    ((chat, layers),) = load(run("people", log, "--cast", cast).out.splitlines())
    assert {(1, "you", ("Oberin",)), (2, "your", ("marrow",))} <= set(told(chat, layers.links))
    ((chat, layers),) = load(run("people", log, "--cast", cast, "--threshold", "1").out.splitlines())
    assert (1, "you", ("Oberin",)) not in told(chat, layers.links)


def test_a_threshold_is_the_models_and_holds_anyway(log: Path, thinking: Thinking, run: Run) -> None:
    run("people", log, "--threshold", "0.7")
    assert thinking.thresholds == [0.7]
    assert thinking.threshold == 0.0, "the model that was given stays as it is"
    ((chat, layers),) = load(run("people", log, "--threshold", "1").out.splitlines())
    assert told(chat, layers.links)


def link(position: int, start: int, end: int, *people: str) -> str:
    mention = {"position": position, "start": start, "end": end}
    return json.dumps({"layer": "link", "mention": mention, "people": people}) + "\n"


def test_what_is_confirmed_stays_and_is_learnt_from(log: Path, put: Put, thinking: Thinking, run: Run) -> None:
    rows = put("known.jsonl", '{"hubbub":1}\n\n' + link(1, 18, 21, "Oberin") + link(2, 35, 39, "marrow"))
    ((chat, layers),) = load(run("people", log, "--confirm", rows).out.splitlines())
    assert {(1, "you", ("Oberin",)), (2, "disk", ("marrow",))} <= set(told(chat, layers.links))
    assert [each.people for each in thinking.confirmed] == [("Oberin",), ("marrow",)]


def test_confirmed_links_are_for_one_chat(log: Path, put: Put, run: Run) -> None:
    other = put("#other.log", LOG)
    ran = run("people", log, other, "--confirm", put("known.jsonl", link(1, 0, 3)), "--to", "csv")
    assert (ran.status, "apply to one chat" in ran.err) == (2, True)


def test_who_talks_to_and_about_whom(log: Path, cast: Path, run: Run) -> None:
    words = ("people", log, "--cast", cast, *SPEAKER, "--talk")
    pairs = {(each["from"], each["to"]): (each["talks_to"], each["talks_about"]) for each in run(*words).records()}
    assert pairs["marrow", "Oberin"][0] >= 1
    assert pairs["Oberin", "marrow"] == (1, 0)
    assert pairs["marrow", "tessaly"] == (0, 1)
    rows = list(csv.DictReader(StringIO(run(*words, "--to", "csv").out)))
    assert {(row["from"], row["to"]): (int(row["talks_to"]), int(row["talks_about"])) for row in rows} == pairs
    assert "Oberin        →  marrow" in run(*words, "--to", "text").out
    graph = ElementTree.fromstring(run("people", log, "--cast", cast, *SPEAKER, "--to", "graphml").out)
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    assert {node.get("id") for node in graph.iterfind(".//g:node", space)} == {"marrow", "Oberin", "tessaly"}
    assert len(graph.findall(".//g:edge", space)) == sum(bool(to) + bool(about) for to, about in pairs.values())


def test_a_picture_of_the_talk(log: Path, put: Put, tmp_path: Path, run: Run) -> None:
    picture = tmp_path / "talk.svg"
    assert run("people", log, "--talk", "--svg", picture).status == 0
    assert "talks about" in picture.read_text("utf-8")
    ran = run("people", log, put("#other.log", LOG), "--talk", "--svg", tmp_path / "two.svg")
    assert (ran.status, (tmp_path / "two.svg").exists()) == (2, False)


def test_the_default_drawing_has_conversations_and_people(log: Path, run: Run) -> None:
    assert "●" in run(log).out
    assert "Marrow_away[→marrow]" in run(log).out
    assert "[→" not in run(log, "--no-people").out
    assert "●" not in run("view", log, "--people").out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--why", "99"], "#desk has messages 1 to 6"),
        (["--why", "4", *SPEAKER], "this model has no explanations"),
        (["--why", "5"], "nobody is mentioned in that message"),
        (["--threshold", "3"], "must be a probability from 0 to 1"),
        (["--model", "thread/hubbub"], "of the task thread, and one of the task people is needed"),
        (["--model", "people/none"], "There is no model or folder named"),
        (["--who", "Oberin", "--to", "conll"], "--who is written as text or jsonl"),
        (["--talk", "--to", "conll"], "--talk is written as text or jsonl or csv or graphml"),
        (["--talk", "--who", "x"], "--who and --talk both given"),
        (["--to", "jsonl", "--out", "/nowhere/at/all"], "cannot be written"),
        (["--cast", "none.toml"], "there is no such file"),
    ],
)
def test_what_cannot_be_done(log: Path, run: Run, words: list[str], sentence: str) -> None:
    ran = run("people", log, *words)
    assert ran.status == 2
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
    assert ran.out == ""


def test_training_for_a_cast_of_ones_own(tmp_path: Path, log: Path, run: Run) -> None:
    out = tmp_path / "model"
    assert run("train", "people", *SPEAKER, "--on", PASSAGES, "--out", out).status == 0
    assert run("people", log, "--model", out, "--to", "csv").status == 0


def test_the_ten_passages_are_scored() -> None:
    passages = [next(load(path.read_text("utf-8").splitlines())) for path in sorted(PASSAGES.glob("*.jsonl"))]
    assert len(passages) == 10
    for chat, layers in passages:
        assert 8 <= len(chat) <= 15
        assert 6 <= len(layers.links) <= 12
    least, ours = (evaluate(name, PASSAGES).scores for name in ("people/speaker", "people/hubbub"))
    assert (least["first_accuracy"], least["second_accuracy"]) == (100, 0)
    assert ours["all_accuracy"] > least["all_accuracy"] + 10
