"""The published systems for people: they learn who is meant, run without torch, and their tables are whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hubbub.chat import Chat, Message
from hubbub.errors import Missing, NeedsExtra, TooFew
from hubbub.layers import Mention, Person
from hubbub.ml.datasets import dataset, located
from hubbub.ml.recurrent import layer_array, run_bidirectional, run_layer, torch_bidirectional, torch_layer
from hubbub.ml.registry import load, make, save
from hubbub.people import reproduce
from hubbub.people.data.loading import sample
from hubbub.people.data.scene import Scene
from hubbub.people.features import token_sequence as stream
from hubbub.people.features.token_sequence import token_sequences

NETWORKS = ("people/amore", "people/knu")
QUICK = {"members": 2, "epochs": 60, "hidden": 24, "voice": 8, "dropout": 0.0}

needs_friends = pytest.mark.skipif(located(dataset("friends")) is None, reason="the dataset friends is not here")


def fitted(name: str, **settings: Any) -> Any:
    given = sample()
    try:
        return make(name, **QUICK, **settings).fit(given.inputs, given.golds)
    except NeedsExtra as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("name", NETWORKS)
def test_what_was_learnt_is_known_and_kept(name: str, tmp_path: Path) -> None:
    given, model = sample(), fitted(name)
    said = model.predict(given.inputs)
    right = [
        a.people == b.people
        for gold, links in zip(given.golds, said, strict=True)
        for a, b in zip(gold, links, strict=True)
    ]
    assert np.mean(right) > 0.9
    assert load(save(model, tmp_path / "model")).predict(given.inputs) == said


@pytest.mark.parametrize("name", NETWORKS)
def test_only_people_of_the_cast_are_meant(name: str) -> None:
    model, scene = fitted(name), sample().inputs[0]
    few = Scene(scene.chat, (Person("tomo", ("Tomo",)),), scene.mentions)
    assert {person for link in model.predict([few])[0] for person in link.people} <= {"tomo"}
    strangers = Scene(scene.chat, (Person("olga", ("Olga",)),), scene.mentions)
    assert all(set(link.people) <= {"olga"} and link.score <= 1 for link in model.predict([strangers])[0])


@pytest.mark.parametrize("name", NETWORKS)
def test_nothing_to_learn_from(name: str) -> None:
    with pytest.raises(TooFew, match="too few mentions"):
        make(name).fit([Scene(Chat("empty"))], [()])


@pytest.mark.parametrize("kind", ["rnn", "lstm"])
def test_numpy_runs_what_torch_trained(kind: Any) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    with torch.random.fork_rng():
        torch.manual_seed(3)
        one, other = torch_layer(torch, kind, 5, 7), torch_layer(torch, kind, 5, 7)
        given, lengths = torch.randn(9, 2, 5), [9, 4]
        right = torch_bidirectional(torch, one, other, given, torch.tensor(lengths)).detach().numpy()
    assert np.allclose(run_layer(kind, layer_array(one), given.numpy()), right[..., :7], atol=1e-6)
    if kind == "lstm":
        ours = run_bidirectional(layer_array(one), layer_array(other), given.numpy(), lengths)
        assert np.allclose(ours[:, 0], right[:, 0], atol=1e-6)
        assert np.allclose(ours[:4, 1], right[:4, 1], atol=1e-6)
        alone = run_bidirectional(layer_array(one), layer_array(other), given[:4, 1].numpy())
        assert np.allclose(alone, right[:4, 1], atol=1e-6)


def test_a_scene_as_a_stream_of_words() -> None:
    chat = Chat("x", (Message("0", None, "Ines, Tomo", "Oh, Rauf Demir!"), Message("1", None, "Rauf", "...")))
    scene = Scene(chat, (), (Mention(0, 4, 14), Mention(1, 0, 3)))
    (found,) = token_sequences(scene, scene.mentions or ())
    assert found.words == ["oh", ",", "rauf", "demir", "!", "..."]
    assert found.capital == [True, False, True, True, False, False]
    assert found.said_by == [["ines", "tomo"]] * 5 + [["rauf"]]
    assert found.ends == [3, 5]
    assert [place for place, sort in enumerate(found.sorts) if sort] == [3, 5]


def test_a_long_scene_is_cut_between_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MAX_SEQUENCE_TOKENS", 5)
    messages = [Message(str(i), None, "a", text) for i, text in enumerate(["I am", "you are here", "", "w " * 9])]
    scene = Scene(Chat("x", tuple(messages)))
    mentions = [Mention(0, 0, 1), Mention(1, 0, 3), Mention(3, 14, 15)]
    pieces = list(token_sequences(scene, mentions))
    assert [len(each.words) for each in pieces] == [5, 1, 5]
    assert [each.ends for each in pieces] == [[0, 2], [], [4]]


@needs_friends
@pytest.mark.parametrize(
    ("answers", "right"),
    [("AMORE_UPF.out", (77.23, 79.36, 74.72, 41.05)), ("Cheoneum.out", (85.10, 86.00, 69.49, 16.98))],
)
def test_the_official_figures_from_the_official_answers(answers: str, right: tuple[float, ...]) -> None:
    columns = ("main_accuracy", "main_f1", "all_accuracy", "all_f1")
    given = reproduce.figures({"answers": answers}, (*columns, "main:Ross Geller", "all:others"))
    assert tuple(round(given["figures"][name], 2) for name in columns) == right
    with pytest.raises(Missing):
        reproduce.figures({"answers": "nobody.out"}, columns)


@needs_friends
def test_whom_the_mentions_mean_in_the_published_shares() -> None:
    columns = ("main:Ross Geller", "main:others", "all:Ben", "all:others")
    shares = reproduce.figures({"shares": "test"}, columns)["figures"]
    assert [round(shares[name], 2) for name in columns] == [18.98, 29.77, 3.46, 2.92]


@needs_friends
def test_a_row_of_a_model(tmp_path: Path) -> None:
    given = reproduce.figures({"model": "people/speaker"}, ("main_accuracy",), models=tmp_path)
    assert given["figures"]["main_accuracy"] > 70
    assert len(given["checksum"]) == 64


def test_a_row_is_trained_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trained = []

    def train(*given: Any, out: Path, **more: Any) -> None:
        trained.append(out)
        save(fitted("people/amore"), out)

    monkeypatch.setattr(reproduce, "train", train)
    run_ = {"model": "people/amore", "settings": {"epochs": 2}, "seed": 1}
    for _ in range(2):
        assert reproduce._ready(run_, None, tmp_path).predict([]) == []
    assert [each.name for each in trained] == ["people-amore-epochs=2-1"]
