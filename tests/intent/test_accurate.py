"""The accurate classifier of intents: what it learns, shows and stores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hubbub.errors import NeedsExtra
from hubbub.intent.data.loading import sample
from hubbub.intent.models.accurate import Accurate
from hubbub.intent.training.accurate import FineTunedEncoder, average_weights, intent_centres
from hubbub.ml.encoder.files import arrays
from hubbub.ml.registry import load, save


@pytest.fixture(scope="module")
def trained() -> Accurate:
    shop = sample()
    try:
        return Accurate(epochs=4).fit(shop.inputs, shop.golds)
    except NeedsExtra as missing:
        pytest.skip(str(missing))


def test_other_words_for_the_same_are_understood(trained: Accurate) -> None:
    shop = sample()
    said = trained.predict(shop.inputs)
    assert np.mean([one.name == gold.name for one, gold in zip(said, shop.golds, strict=True)]) > 0.8


def test_the_nearest_examples_are_the_reason(trained: Accurate) -> None:
    shop = sample()
    known = next(text for text in shop.inputs if text in (trained.texts_ or []))
    ((first, *others),) = trained.nearest([known], 3)
    assert first.text == known
    assert first.similarity > 0.99 > others[0].similarity
    assert len(others) == 2


def test_a_model_that_keeps_no_examples_stores_none(trained: Accurate, tmp_path: Path) -> None:
    shop = sample()
    bare = Accurate(examples=False, epochs=1, scheme="threshold").fit(shop.inputs, shop.golds)
    again = load(save(bare, tmp_path / "bare"))
    assert isinstance(again, Accurate)
    assert again.nearest(shop.inputs[:2], 3) == [(), ()]
    assert again.predict(shop.inputs) == bare.predict(shop.inputs)
    stored = b"".join(file.read_bytes() for file in (tmp_path / "bare").iterdir())
    assert not [text for text in shop.inputs if text.encode() in stored]


def test_weights_are_averaged_with_those_of_a_training_that_missed_tokens(trained: Accurate) -> None:
    shop = sample()
    both = Accurate(epochs=4, token_dropout=0.1).fit(shop.inputs, shop.golds)
    said = both.predict(shop.inputs)
    assert np.mean([one.name == gold.name for one, gold in zip(said, shop.golds, strict=True)]) > 0.8
    assert said != trained.predict(shop.inputs)


def test_the_mean_of_encoders_lies_between_them() -> None:
    one = FineTunedEncoder(arrays("lower.npz"), arrays("upper.npz"), np.ones((2, 384)), np.zeros(2))
    same = average_weights([one, one])
    assert all(np.allclose(same.lower[name], one.lower[name], atol=1e-6) for name in one.lower)
    moved = {**one.upper, "0.up.bias": one.upper["0.up.bias"] + 1}
    between = average_weights([one, one._replace(upper=moved, head=3 * one.head)])
    assert np.allclose(between.upper["0.up.bias"], one.upper["0.up.bias"] + 0.5)
    assert between.head.tolist() == np.full((2, 384), 2.0).tolist()


def test_centres_stand_where_vectors_are_many() -> None:
    corners = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]])
    vectors = corners[[0, 0, 0, 2, 2, 1]]
    centres = intent_centres(vectors, np.array([0, 0, 0, 0, 0, 1]), 2, 2)
    assert sorted(centres.round(6).tolist()) == [[0.0, 1.0], [0.6, 0.8], [1.0, 0.0]]
