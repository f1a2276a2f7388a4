"""Models where they do not belong: of another task, with parameters out of range, or given and expected to stay."""

from __future__ import annotations

import json
from math import isfinite
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import hubbub
from hubbub.answer.predict import reply_model
from hubbub.errors import ModelError, OptionError
from hubbub.layers import ReplyGraph
from hubbub.ml.parameters import parameter_fields, parameters_of
from hubbub.ml.registry import MODELS, bundled, load, make, model_class, model_for, save
from hubbub.ml.task import fit, task
from hubbub.people.predict import PeoplePredictor

from ..conftest import Put, Run

LOG = "[10:00] <ada> ben: is the printer on?\n[10:01] <ben> ada: yes\n[10:02] <cleo> hello\n[10:03] <ada> ben: thanks\n"

WRONG = [
    (["thread", "LOG", "--model", "intent/fast"], "intent", "thread"),
    (["index", "LOG", "--in", "ARCHIVE", "--model", "intent/fast"], "intent", "thread"),
    (["answer", "LOG", "--at", "1", "--candidates", "LOG", "--threads", "intent/fast"], "intent", "thread"),
    (["answer", "LOG", "--at", "1", "--candidates", "LOG", "--model", "thread/previous"], "thread", "answer"),
    (["dialogues", "LOG", "--how", "threads", "--model", "people/hubbub"], "people", "thread"),
    (["people", "LOG", "--model", "thread/previous"], "thread", "people"),
    (["people", "LOG", "--model", "mentions/tagger"], "mentions", "people"),
    (["intent", "hello", "--model", "thread/previous"], "thread", "intent"),
    (["intent", "--chat", "LOG", "--model", "answer/hubbub"], "answer", "intent"),
    (["train", "thread", "--model", "intent/svm", "--on", "LOG", "--out", "MADE"], "intent", "thread"),
    (["train", "thread", "--from", "intent/fast", "--on", "LOG", "--out", "MADE"], "intent", "thread"),
    (["train", "intent", "--model", "thread/lowe", "--on", "LOG", "--out", "MADE"], "thread", "intent"),
]


@pytest.mark.parametrize(("words", "found", "needed"), WRONG, ids=lambda each: " ".join(each)[:60])
def test_a_model_of_another_task_is_refused(
    words: list[str], found: str, needed: str, put: Put, run: Run, tmp_path: Path
) -> None:
    places = {"LOG": put("chat.log", LOG), "ARCHIVE": tmp_path / "a.db", "MADE": tmp_path / "made"}
    ran = run(*(places.get(word, word) for word in words))
    assert ran.status == 2
    assert f"model of the task {found}, and one of the task {needed} is needed" in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "a.db").exists()
    assert not (tmp_path / "made").exists()


def test_a_folder_of_another_task_is_refused_by_its_card(tmp_path: Path) -> None:
    folder = save(make("thread/previous"), tmp_path / "mine")
    with pytest.raises(
        ModelError, match="it is thread/previous, a model of the task thread, and one of the task people"
    ):
        load(folder, task="people")


def test_a_model_that_is_given_is_checked_too() -> None:
    other = make("thread/previous")
    for refused in (lambda: PeoplePredictor.of(other), lambda: reply_model(other), lambda: hubbub.intents("hi", other)):  # type: ignore[call-overload]
        with pytest.raises(ModelError, match="a model of the task thread"):
            refused()
    with pytest.raises(ModelError, match="a model of the task people, its name or its folder is needed"):
        model_for("people", 7)  # type: ignore[arg-type]


def test_members_of_an_ensemble_are_of_its_task(tmp_path: Path) -> None:
    sample = task("thread").sample()
    for models in ("intent/svm", "thread/previous,people/speaker"):
        with pytest.raises(ModelError, match="one of the task thread is needed"):
            make("thread/vote", models=models).fit(sample.inputs, sample.golds)
    with pytest.raises(OptionError, match="at least one model"):
        make("thread/vote", models="").fit(sample.inputs, sample.golds)
    with pytest.raises(ModelError, match="runs models of the kind thread/hubbub only"):
        make("thread/live", model="thread/previous").predict(sample.inputs)


@pytest.mark.parametrize("model", ["thread/previous", "thread/lowe", "thread/live", "thread/hubbub"])
def test_every_model_of_threads_makes_an_archive(model: str, put: Put, run: Run, tmp_path: Path) -> None:
    ran = run("index", put("chat.log", LOG), "--in", tmp_path / "a.db", "--model", model, "--no-vectors")
    assert ran.status == 0
    assert "4 messages" in ran.out


def test_links_without_probabilities_are_kept(put: Put, run: Run, tmp_path: Path) -> None:
    from hubbub.archive.store import ArchiveStore

    run("index", put("chat.log", LOG), "--in", tmp_path / "a.db", "--model", "thread/previous", "--no-vectors")
    with ArchiveStore(tmp_path / "a.db") as archive:
        links = archive.rows("select message_id, parent_id, probability from replies order by message_id")
        assert [tuple(row) for row in links] == [(2, 1, 1.0), (3, 2, 1.0), (4, 3, 1.0)]


@pytest.mark.parametrize("name", MODELS)
def test_every_number_among_the_parameters_has_bounds(name: str) -> None:
    kind = model_class(name)
    hints = get_type_hints(kind)
    for each in parameter_fields(kind).values():
        if any(word in str(hints[each.name]) for word in ("int", "float")) and "Literal" not in str(hints[each.name]):
            assert isfinite(each.metadata["least"]), each.name
            assert isfinite(each.metadata["most"]), each.name


@pytest.mark.parametrize("value", ["999999999", "-1", "nan", "inf", "-inf", "1e999", "9" * 10_000, "z" * 100_000, ""])
@pytest.mark.parametrize("name", MODELS)
def test_sizes_that_make_no_sense_are_refused(name: str, value: str) -> None:
    kind = model_class(name)
    for parameter, hint in get_type_hints(kind).items():
        if parameter in parameter_fields(kind) and hint in (int, float):
            if value == "999999999" and parameter == "max_examples":  # examples to learn from, 0 for all
                continue
            with pytest.raises(OptionError, match=f"^parameter {parameter}=") as refused:
                make(name, **{parameter: value})
            assert len(str(refused.value)) < 300


def test_parameters_that_ship_are_within_their_bounds(pytestconfig: pytest.Config) -> None:
    for name in MODELS:
        assert make(name, **parameters_of(make(name))) == make(name)
    for card in (folder.joinpath("model.json") for folder in bundled().values()):
        record = json.loads(card.read_text())
        make(record["name"], **record["parameters"])


def test_training_that_takes_too_much_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    model, sample = make("thread/previous"), task("thread").sample()

    def full(*given: Any, **more: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(type(model), "fit", full)
    with pytest.raises(OptionError, match="not enough memory to train this model"):
        fit(model, sample)


def test_a_model_that_is_given_stays_as_it_is() -> None:
    chat = hubbub.Chat("c", (hubbub.Message("0", None, "ada", "ben, did you see my bike?"),))
    linker: Any = load("people/hubbub")
    before = dict(vars(linker))
    hubbub.people(chat, model=linker, threshold=0.9)
    assert vars(linker) == before
    classifier: Any = load("intent/fast")
    kept = classifier.scope, classifier.scope_, parameters_of(classifier)
    hubbub.intents(["lock my card"], classifier, threshold=0.9)
    hubbub.intents(["lock my card"], classifier, criterion="lost:2")
    assert (classifier.scope, classifier.scope_, parameters_of(classifier)) == kept
    ranker: Any = load("answer/hubbub")
    learnt = {name: value for name, value in vars(ranker).items() if name != "_sight"}
    hubbub.suggest_replies(chat, 0, candidates=["yes", "no"], replies=ReplyGraph(((0,),)), model=ranker)
    assert all(vars(ranker)[name] is value for name, value in learnt.items())


def test_a_trained_model_that_goes_on_keeps_its_sizes(put: Put, run: Run, tmp_path: Path) -> None:
    words = ["train", "intent", "--from", "intent/fast", "--set", "hidden=64", "--on", put("x.yml", "a: [b]")]
    ran = run(*words, "--out", tmp_path / "made")
    assert ran.status == 2
    assert 'is trained and keeps its sizes: array "hidden" has shape (640, 512)' in ran.err
