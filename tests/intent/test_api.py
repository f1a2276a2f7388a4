"""Intents from Python: the room as a function, several wishes in one message, and what no intent covers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import hubbub
from hubbub.chat import Chat, Message
from hubbub.errors import ModelError, OptionError, TooLong
from hubbub.intent.inference.clauses import clauses, split_intents
from hubbub.intent.inference.neighbours import unit
from hubbub.intent.models._classifier import Classifier
from hubbub.intent.reports.clustering import cluster
from hubbub.intent.reports.discover import as_yaml, requests, topics
from hubbub.intent.reports.question_filter import is_request, request_text
from hubbub.layers import Intent

from ..conftest import Put, Run
from ..intents import shop, shop_folder


@pytest.fixture(scope="module")
def model() -> Classifier:
    return shop()


def test_the_room_is_a_function(model: Classifier) -> None:
    assert hubbub.intents("where is my parcel", model).name == "order_status"
    assert [each.name for each in hubbub.intents(["track my order please", ""], model=model)] == ["order_status", None]
    chat = Chat(
        "shop", (Message("0", None, "", "ines joined", "system"), Message("1", None, "ines", "opening hours please"))
    )
    assert [(each.position, each.name) for each in hubbub.intents(chat, model)] == [(1, "opening_hours")]
    assert hubbub.intents("where is my parcel", model, threshold=1.0).name is None
    assert hubbub.intents([], model) == []


def test_what_the_room_refuses(model: Classifier) -> None:
    with pytest.raises(TooLong, match="text 2: is longer"):
        hubbub.intents(["fine", "x" * 100_001], model)
    with pytest.raises(ModelError, match="of the task thread, and one of the task intent is needed"):
        hubbub.intents("hello", "thread/previous")
    with pytest.raises(OptionError, match="from 0 to 1"):
        hubbub.intents("hello", model, threshold=2)


def test_a_ranking_is_as_long_as_it_is_wanted(model: Classifier) -> None:
    assert len(model.predict(["where is my parcel"], top=2)[0].ranking) == 2
    inside, joint = model.probabilities(["where is my parcel", "a poem"])
    assert np.allclose(joint.sum(1), inside)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("set an alarm and then tell me the time", ["set an alarm", "tell me the time"]),
        ("First this. Also, that!", ["First this", "that"]),
        ("send 1,000 euros to mr.smith", ["send 1,000 euros to mr.smith"]),
        ("bread, butter", ["bread", "butter"]),
        ("understand the band", ["understand the band"]),
        ("and", ["and"]),
        ("...", []),
        ("", []),
        ("a. b. c. d. e. f. g. h", ["a", "b", "c", "d", "e", "f. g. h"]),
    ],
)
def test_clauses(text: str, found: list[str]) -> None:
    assert [text[start:end].strip() for start, end in clauses(text)] == found


def test_a_split_is_kept_where_all_its_parts_are_sure() -> None:
    known = {"turn it up": "louder", "play jazz": "play", "who knows": None, "play rock": "play"}

    def score_texts(texts: list[str]) -> list[Intent]:
        return [Intent(0, known.get(t.strip(), "play"), 0.9, ((known.get(t.strip()) or "play", 0.9),)) for t in texts]

    def names(text: str) -> list[str | None]:
        return [part.intent.name for part in split_intents([text], score_texts)[0]]  # type: ignore[arg-type]

    assert names("play jazz and turn it up") == ["play", "louder"]
    assert names("play jazz, who knows") == ["play"], "one part is out of scope"
    assert names("play jazz and play rock") == ["play"], "both want the same"
    assert names("turn it up") == ["louder"]
    assert names("") == ["play"]


def test_an_unsure_part_spoils_a_split(model: Classifier) -> None:
    from hubbub.intent.predict import IntentPredictor

    text = "when do you open on saturday and sunday"
    ((whole,),) = IntentPredictor(model).several([text])
    assert (whole.text, whole.intent.name) == (text, "opening_hours")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("how do i mount a usb stick", True),
        ("my printer does not work since the upgrade", True),
        ("wie lade ich das akku?", True),
        ("lol", False),
        ("thanks a lot", False),
        ("can anyone help me?", False),
        ("i bought a new keyboard yesterday", False),
        ("how " + "long " * 60, False),
    ],
)
def test_what_asks_for_something(text: str, answer: bool) -> None:
    assert is_request(request_text(text)) == answer


def test_whom_it_is_addressed_to_and_links_are_left_out() -> None:
    assert request_text("mika:  how do i\nget there? https://example.org/map") == "how do i get there?"


def _asked() -> Chat:
    said = [
        ("ines", "how do i mount a usb stick?"),
        ("mika", "folks: how can i mount my usb stick"),
        ("raul", "is there a way to mount the usb stick read only?"),
        ("ines", "How do I mount a usb stick?"),
        ("tomo", "why is the printer offline after the upgrade"),
        ("omar", "the printer is offline since the upgrade, what now?"),
        ("lena", "printer offline again after an upgrade, any idea?"),
        ("lena", "lol"),
        ("mika", "tomo, which usb stick do you want to mount?"),
        ("tomo", "which keyboard layout has a euro sign?"),
    ]
    return Chat("help", tuple(Message(str(i), None, author, text) for i, (author, text) in enumerate(said)))


def test_topics_have_names_sizes_people_and_examples() -> None:
    one, other = topics(requests(_asked()))
    assert {*one.words[:3]} == {"mount", "usb", "stick"}
    assert (one.size, one.people) == (4, 3)
    assert {place for _, place in one.places} == {0, 1, 2, 3}
    assert len(one.examples) == 3, "what was said twice is shown once"
    assert "printer" in other.name
    assert topics(requests(_asked())) == [one, other]
    assert topics([]) == []


def test_groups_are_the_same_every_time_and_leave_out_what_is_alone() -> None:
    random = np.random.default_rng(0)
    centres = unit(random.normal(size=(3, 32)))
    vectors = unit(np.concatenate([centres[[i] * 20] + 0.05 * random.normal(size=(20, 32)) for i in range(3)]))
    alone = unit(random.normal(size=(5, 32)))
    found = cluster(np.concatenate([vectors, alone]), [1] * 65, 0.8, 3)
    assert sorted(map(sorted, found)) == [list(range(i, i + 20)) for i in (0, 20, 40)]
    assert cluster(np.zeros((0, 32)), [], 0.5, 2) == []


def test_discover_on_the_command_line(run: Run, put: Put, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = shop_folder(tmp_path_factory.mktemp("models"))
    lines = [f"[09:{i:02}] <{m.author}> {m.text}" for i, m in enumerate(_asked())]
    asked = ("intent", "discover", put("help.log", "\n".join(lines) + "\n"), "--model", folder, "--threshold", 1)
    first = run(*asked, "--least", 2).records()[0]
    assert set(first) == {"name", "words", "size", "people", "examples", "places"}
    assert "usb" in first["words"]
    assert "asked 4 times by 3 people" in run(*asked, "--to", "text").out
    assert run(*asked, "--to", "rasa").out.startswith('version: "3.1"\nnlu:\n# asked 4 times')
    assert "--least 1: must be a whole number, 2 or more" in run(*asked, "--least", 1).err
    out = put("topics.txt", "")
    assert run(*asked, "--to", "text", "--out", out).out == ""
    assert "asked 4 times by 3 people" in out.read_text()
    assert "needs examples to train on" in run(*asked, "--to", "rasa", "--examples", 0).err
    assert "no request outside the known intents is frequent enough" in run(*asked, "--least", 9).err
    covered = json.dumps(
        {"layer": "intent", "position": 0, "name": "mounting", "score": 1, "ranking": [["mounting", 1]]}
    )
    piped = run("read", asked[2]).out + covered + "\n"
    sizes = [each["size"] for each in run("intent", "discover", put("p.jsonl", piped)).records()]
    assert sizes[0] == 3, "an earlier layer of intents is taken as it is"
    moved = put("q.jsonl", piped.replace('"score": 1,', '"score": 0.4,'))
    assert run("intent", "discover", moved, "--threshold", 0.5).records()[0]["size"] == 4
    assert "has its intents already" in run("intent", "discover", moved, "--criterion", "paper").err


def test_suggested_intents_are_yaml() -> None:
    yaml = pytest.importorskip("yaml")
    found = yaml.safe_load(as_yaml(topics(requests(_asked())), 2))
    assert [len(each["examples"].splitlines()) for each in found["nlu"]] == [2, 2]


def test_the_examples_that_the_bundled_models_show() -> None:
    yaml = pytest.importorskip("yaml")
    file = Path(__file__).parents[2] / "src" / "hubbub" / "research" / "recipes" / "intent-examples.yml"
    shown = {each["intent"]: each["examples"].splitlines() for each in yaml.safe_load(file.read_text("utf-8"))["nlu"]}
    assert len(shown) == 150
    assert all(len(texts) == 3 for texts in shown.values())
    assert len({text for texts in shown.values() for text in texts}) == 450


@pytest.mark.parametrize("name", ["intent/fast", "intent/accurate"])
def test_the_bundled_models_know_an_assistants_intents_and_what_is_none(name: str) -> None:
    wanted = {
        "freeze my card": "freeze_account",
        "book a flight to rome": "book_flight",
        "what is the meaning of life": "meaning_of_life",
        "what is the airspeed of a swallow": None,
        "how do i tie a tie": None,
    }
    assert {text: hubbub.intents(text, model=name).name for text in wanted} == wanted
