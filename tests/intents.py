"""A small trained classifier for the tests: the imaginary bicycle shop, known by heart."""

from __future__ import annotations

from pathlib import Path

import pytest

from hubbub.intent.data.loading import sample
from hubbub.intent.models._classifier import Classifier
from hubbub.ml.registry import make, save


def shop() -> Classifier:
    """Tuned on what it was trained on, so that its answers to these texts are sure."""
    pytest.importorskip("sklearn", reason="training intent/svm needs scikit-learn")
    known = sample()
    made = make("intent/svm", penalty=10.0)
    assert isinstance(made, Classifier)
    return made.fit(known.inputs, known.golds, tuning=(known.inputs, known.golds))


def shop_folder(folder: Path) -> Path:
    return save(shop(), folder / "shop")
