"""The published networks that choose replies: they learn, run without torch as torch would, and their tables run."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from hubbub.answer import reproduce
from hubbub.answer.data.files import dialogue_line
from hubbub.answer.data.loading import sample, sample_dialogues
from hubbub.answer.models._network import TURN, UTTERANCE, ContextReplyPair, ReplyNetwork, context_terms, embedded
from hubbub.answer.models.esim import Esim
from hubbub.answer.models.lstm import Lstm
from hubbub.chat import Chat, Message
from hubbub.errors import NeedsExtra, TooFew
from hubbub.layers import ReplyGraph
from hubbub.ml.registry import load, make, save
from hubbub.ml.task import Examples
from hubbub.ml.torch_import import torch_or_error

NETWORKS = ("answer/rnn", "answer/lstm", "answer/esim")
QUICK: dict[str, Any] = {"hidden": 16, "least": 1, "batch": 8, "epochs": 40, "rate": 0.01, "dropout": 0.0}


def fitted(name: str, **settings: Any) -> Any:
    given = sample()
    try:
        return make(name, **{**QUICK, **settings}).fit(given.inputs, given.golds)
    except NeedsExtra as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("name", NETWORKS)
def test_what_was_learnt_is_known_and_kept(name: str, tmp_path: Path) -> None:
    given, model = sample(), fitted(name)
    said = model.predict(given.inputs)
    assert np.mean([one[0].text == gold[0].text for one, gold in zip(said, given.golds, strict=True)]) > 0.8
    assert all(0 <= reply.score <= 1 for one in said for reply in one)
    assert load(save(model, tmp_path / "model")).predict(given.inputs) == said


def test_against_one_false_reply_as_published() -> None:
    given, model = sample(), fitted("answer/lstm", against="one")
    said = model.predict(given.inputs)
    assert np.mean([one[0].text == gold[0].text for one, gold in zip(said, given.golds, strict=True)]) > 0.6


@pytest.mark.parametrize("name", NETWORKS)
def test_too_little_to_learn_from(name: str) -> None:
    given = sample()
    try:
        with pytest.raises(TooFew, match="too few examples"):
            make(name).fit(given.inputs[:1], given.golds[:1])
    except NeedsExtra as missing:
        pytest.skip(str(missing))


def test_a_part_of_the_examples_is_enough() -> None:
    few, all_of_them = (fitted("answer/rnn", most=most, epochs=1) for most in (5, 0))
    assert len(few.vocabulary_) < len(all_of_them.vocabulary_)


def test_a_context_says_where_turns_end() -> None:
    found = context_terms((("Hi there", "oh"), ("yes?",)))
    assert found == ["hi", "there", UTTERANCE, "oh", UTTERANCE, TURN, "yes", UTTERANCE, TURN]


def restored(model: ReplyNetwork, torch: Any) -> Any:
    """A network of torch with the arrays that a model kept."""
    network = torch.nn.Module()
    network.words = torch.nn.Parameter(torch.as_tensor(model.words_))
    model.build(torch, network, model.words_.shape[1])
    with torch.no_grad():
        for name, value in network.named_parameters(recurse=False):
            value.copy_(torch.as_tensor(getattr(model, f"{name}_")))
        for name, layer in network.named_children():
            whole, start = torch.as_tensor(getattr(model, f"{name.removesuffix('_layer')}_")), 0
            for value in layer.parameters():
                columns = value.shape[1] if value.ndim == 2 else 1
                value.copy_(whole[:, start : start + columns].reshape(value.shape))
                start += columns
    return network


def test_numpy_scores_pairs_as_torch_does() -> None:
    model = fitted("answer/esim", epochs=2)
    torch = torch_or_error()
    network = restored(model, torch)
    contexts, replies = [np.array([2, 3, 4, 5])] * 2, [np.array([3, 4]), np.array([6, 2, 7])]
    with torch.no_grad():
        sides = [embedded(torch, network, each) for each in (contexts, replies)]
        read = [model._read(torch, network, *each) for each in sides]
        right = model._scores(torch, network, read[0], sides[0][1], read[1], sides[1][1])
    assert isinstance(model, Esim)
    assert np.allclose(model.scores(contexts[0], replies), torch.sigmoid(right)[:, 0].numpy(), atol=1e-5)


def test_equal_replies_of_a_batch_are_not_false_ones() -> None:
    model = fitted("answer/lstm", epochs=1)
    torch = torch_or_error()
    network = restored(model, torch)
    row = np.array([2, 3])
    alike = [ContextReplyPair(row, row, "yes"), ContextReplyPair(row, row, "yes")]
    assert isinstance(model, Lstm)
    assert float(model.loss(torch, network, alike, Random(0)).detach()) == pytest.approx(0, abs=1e-4)


def test_rows_of_models_are_trained_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "dialogues.jsonl"
    file.write_text("".join(f"{dialogue_line(each)}\n" for each in sample_dialogues()))
    run = {"model": "answer/tfidf", "train": str(file), "on": str(file), "settings": {"turns": 2}}
    given = reproduce.figures(run, ["recall_10_at_1", "mrr"], models=tmp_path / "models")
    assert given["figures"].keys() == {"recall_10_at_1", "mrr"}
    monkeypatch.setattr(reproduce, "train", None)
    again = reproduce.figures(run, ["recall_10_at_1", "mrr"], models=tmp_path / "models")
    assert again["figures"] == given["figures"]


def test_dialogues_against_annotated_conversations(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = [
        ("ana", "how do i mount a disk?"),
        ("bo", "ana: which one?"),
        ("ana", "bo: the old one"),
        ("bo", "ana: then mount it"),
        ("cy", "hello"),
        ("ana", "bo: it works"),
    ]
    messages = [Message(str(i), datetime(2020, 1, 1, 12, i), who, text) for i, (who, text) in enumerate(lines)]
    chat = Chat("day", tuple(messages))
    file = tmp_path / "x"
    file.write_text("x")

    def gold(links: list[tuple[int, int]]) -> dict[str, float]:
        examples = Examples([chat], [ReplyGraph.of(links, len(chat))], (file,))
        monkeypatch.setattr(reproduce, "annotated_chats", lambda *_: examples)
        found: dict[str, float] = reproduce.figures({"against": "lowe", "on": [str(file)]}, [])["figures"]
        return found

    whole = [(0, 0), (1, 0), (2, 1), (3, 2), (5, 3)]
    assert gold([*whole, (4, 4)])["exact"] == 100
    longer = gold([*whole, (4, 0)])
    assert (longer["exact"], longer["subset"], longer["prefix"]) == (0, 100, 0)
    mixed = gold([(0, 0), (4, 0), (1, 1), (2, 1), (3, 2), (5, 3)])
    assert (mixed["superset"], mixed["mixed"], mixed["wrong_start"]) == (100, 0, 100)
