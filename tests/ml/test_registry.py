"""Names, making, saving and loading; every way in which a saved model can be broken."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

import hubbub
from hubbub.errors import HubbubError, ModelError, OptionError, UnknownName, Unwritable
from hubbub.ml import registry as models
from hubbub.ml.registry import MODELS, BaseModel, bundled, load, load_with_card, make, name_of, save
from hubbub.thread.models.previous import Previous


@dataclass
class Counting(BaseModel):
    """Says how often it saw each word."""

    least: int = 1
    counts_: dict[str, int] | None = None
    weights_: Any = None

    def fit(self, inputs: Sequence[str], golds: Sequence[int], *, seed: int = 0) -> Self:
        self.counts_ = {word: inputs.count(word) for word in inputs if inputs.count(word) >= self.least}
        self.weights_ = np.arange(len(self.counts_), dtype=np.float32) + seed
        return self

    def predict(self, inputs: Sequence[str]) -> list[int]:
        assert self.counts_ is not None
        return [self.counts_.get(word, 0) for word in inputs]


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    monkeypatch.setitem(MODELS, "word/counting", f"{__name__}:Counting")
    return Counting(least=2).fit(["tea", "tea", "jam"], [], seed=3)


@pytest.fixture
def folder(counting: Counting, tmp_path: Path) -> Path:
    return save(counting, tmp_path / "made" / "m1", seed=3, data="abc", scores={"f": 0.5})


def test_a_name_makes_a_model() -> None:
    assert isinstance(make("thread/previous"), Previous)
    assert name_of(Previous()) == "thread/previous"


def test_parameters_come_as_strings_too(counting: Counting) -> None:
    assert make("word/counting", least="5") == Counting(least=5)
    with pytest.raises(OptionError, match="parameter most: the parameters of word/counting are least"):
        make("word/counting", most=1)


def test_an_unknown_name_lists_the_known() -> None:
    with pytest.raises(UnknownName, match=r"no model named 'thread/nonsense'; known: .*thread/previous"):
        make("thread/nonsense")
    with pytest.raises(UnknownName, match="no model or folder named 'models/t9'"):
        load("models/t9")
    with pytest.raises(UnknownName, match=r"'thread/low' \(did you mean 'thread/lowe'\?\)"):
        make("thread/low")


def test_a_class_without_a_name_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="its class has no name"):
        save(Counting(), tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


def _points(*pairs: tuple[str, str]) -> Callable[..., list[EntryPoint]]:
    return lambda group: [EntryPoint(name, value, group) for name, value in pairs]


def test_other_packages_add_models_but_replace_none(monkeypatch: pytest.MonkeyPatch) -> None:
    points = _points(
        ("word/theirs", f"{__name__}:Counting"), ("thread/previous", "evil:Thing"), ("word/gone", "no_such:X")
    )
    monkeypatch.setattr("importlib.metadata.entry_points", points)
    assert isinstance(make("word/theirs"), Counting)
    assert isinstance(make("thread/previous"), Previous)
    with pytest.raises(ModelError, match=r"word/gone: .*its code does not import: No module named 'no_such'"):
        make("word/gone")


def test_a_saved_model_comes_back_whole(counting: Counting, folder: Path) -> None:
    again, card = load_with_card(folder)
    assert again.predict(["tea", "jam"]) == [2, 0]
    assert isinstance(again, Counting)
    assert again.least == 2
    assert again.weights_.dtype == np.float32
    assert np.array_equal(again.weights_, counting.weights_)
    assert (card.seed, card.data, card.scores, card.version) == (3, "abc", {"f": 0.5}, hubbub.__version__)


def test_the_card_is_for_people(folder: Path) -> None:
    card = json.loads((folder / "model.json").read_text())
    assert card["format"] == 1
    assert card["name"] == "word/counting"
    assert card["parameters"] == {"least": 2}
    assert set(card["files"]) == {"state.json", "weights.npz"}
    assert "tea" not in (folder / "model.json").read_text()


def test_nothing_learnt_is_one_file(tmp_path: Path) -> None:
    folder = save(Previous(), tmp_path / "p")
    assert [path.name for path in folder.iterdir()] == ["model.json"]
    assert load(str(folder)) == Previous()


def test_saving_again_replaces_all_of_it(counting: Counting, folder: Path) -> None:
    save(Counting(least=1).fit(["jam"], []), folder)
    assert load(folder).predict(["tea", "jam"]) == [0, 1]
    assert [path.name for path in folder.parent.iterdir()] == ["m1"]


def test_an_empty_folder_may_be_filled_and_another_may_not(counting: Counting, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert load(save(counting, tmp_path / "empty")).predict(["tea"]) == [2]
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.png").write_bytes(b"cat")
    for taken in (tmp_path / "photos", tmp_path / "photos" / "cat.png"):
        with pytest.raises(Unwritable, match="something else is there already"):
            save(counting, taken)
    assert (tmp_path / "photos" / "cat.png").read_bytes() == b"cat"


STATES = [
    ({"words_": {"a", "b"}}, "what it learnt cannot be written as JSON"),
    ({"rate_": float("nan")}, "what it learnt cannot be written as JSON"),
    ({"things_": np.array([object()])}, "the array 'things_' holds Python objects"),
]


@pytest.mark.parametrize(("state", "sentence"), STATES)
def test_what_cannot_be_saved_leaves_nothing_behind(
    counting: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: Mapping[str, Any], sentence: str
) -> None:
    monkeypatch.setattr(Counting, "state", lambda self: state)
    with pytest.raises(ModelError, match=sentence):
        save(counting, tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_keeps_the_old_model(counting: Counting, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    def full(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", full)
    with pytest.raises(Unwritable, match=r"cannot be written \(No space left on device\)"):
        save(Counting().fit(["jam"], []), folder)
    assert load(folder).predict(["tea"]) == [2]
    assert [path.name for path in folder.parent.iterdir()] == ["m1"]


def _card(**changes: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        record = json.loads((folder / "model.json").read_text()) | changes
        (folder / "model.json").write_text(json.dumps(record))

    return change


def _text(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text)


def _pickled(folder: Path) -> None:
    np.savez(folder / "weights.npz", weights_=np.array([{"a": 1}], dtype=object))
    _fresh_digest(folder, "weights.npz")


def _fresh_digest(folder: Path, name: str) -> None:
    import hashlib

    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    card = json.loads((folder / "model.json").read_text())
    _card(files=card["files"] | {name: digest})(folder)


def _no_arrays(folder: Path) -> None:
    (folder / "weights.npz").write_bytes(b"PK no zip")
    _fresh_digest(folder, "weights.npz")


def _other_state(folder: Path) -> None:
    (folder / "state.json").write_text("{}")
    _fresh_digest(folder, "state.json")


DAMAGE: list[tuple[Callable[[Path], object], str]] = [
    (lambda folder: (folder / "model.json").unlink(), "there is no model.json in it"),
    (lambda folder: (folder / "state.json").unlink(), "there is no state.json in it"),
    (lambda folder: (folder / "weights.npz").unlink(), "there is no weights.npz in it"),
    (_text("model.json", '{"format": 1, "na'), "model.json is no valid JSON"),
    (_text("model.json", "[" * 100_000), "model.json is no valid JSON"),
    (_text("model.json", "[]"), "model.json holds no JSON object"),
    (_text("model.json", "{}"), "model.json names no format"),
    (_text("model.json", '{"format": 1}'), "model.json names no model"),
    (_card(format=99), "its format 99 is newer than this hubbub, which knows up to 1"),
    (_card(format="1"), "model.json names no format"),
    (_card(name=7), "model.json names no model"),
    (_card(name="word/gone"), "it is a 'word/gone', and no model of that name is installed"),
    (_card(name="os:system"), "it is a 'os:system', and no model of that name is installed"),
    (_card(parameters=[1]), "parameters in model.json is of the wrong kind"),
    (_card(parameters={"most": 1}), "its parameters do not fit: parameter most"),
    (_card(seed="x"), "seed in model.json is of the wrong kind"),
    (_card(files={"../secret": "0"}), "names a file '../secret' that no model has"),
    (_text("state.json", '{"counts_": {}}'), "state.json is not the file it was saved with"),
    (_text("weights.npz", "cut"), "weights.npz is not the file it was saved with"),
    (_no_arrays, "weights.npz is broken"),
    (_pickled, "arrays of Python objects are not loaded"),
    (_other_state, "what it learnt does not fit word/counting: KeyError"),
]


@pytest.mark.parametrize(("damage", "sentence"), DAMAGE, ids=lambda each: each if isinstance(each, str) else "")
def test_a_broken_folder_says_what_is_wrong(folder: Path, damage: Callable[[Path], object], sentence: str) -> None:
    damage(folder)
    with pytest.raises(ModelError) as caught:
        load(folder)
    assert str(folder) in str(caught.value)
    assert sentence in str(caught.value)


def test_a_file_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "chat.log").write_text("hello")
    with pytest.raises(ModelError, match=r"it is no folder with a model\.json"):
        load(tmp_path / "chat.log")


def test_a_field_of_a_later_hubbub_is_passed_over(folder: Path) -> None:
    _card(mood="good")(folder)
    assert load(folder).predict(["tea"]) == [2]


def test_a_name_that_still_has_to_learn_says_so(counting: Counting) -> None:
    with pytest.raises(ModelError, match="not trained yet: hubbub train word --model word/counting trains it"):
        load("word/counting")


def test_a_bundled_model_is_found_by_name(counting: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(counting, tmp_path / "data" / "models" / "word" / "counting")
    (tmp_path / "data" / "models" / "word" / "stray").mkdir()
    (tmp_path / "data" / "models" / "README.md").write_text("what these are")
    monkeypatch.setattr(models, "files", lambda package: tmp_path)
    assert list(bundled()) == ["word/counting"]
    assert load("word/counting").predict(["tea"]) == [2]


def test_every_bundled_model_loads() -> None:
    for name in bundled():
        assert load(name) is not None


def test_only_own_errors_escape_from_cut_files(folder: Path) -> None:
    whole = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name, raw in whole.items():
        for cut in range(0, len(raw), 7):
            (folder / name).write_bytes(raw[:cut])
            with pytest.raises(HubbubError):
                load(folder)
        (folder / name).write_bytes(raw)
    assert load(folder).predict(["tea"]) == [2]
