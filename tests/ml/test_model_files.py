"""Model files are untrusted: damaged or edited ones are refused by one sentence, and never crash.

What is accepted of a changed model stands in tests/model_fuzz.py. Bundled models are tried in a process of their own,
since compiled code that reads beyond an array may end it.
"""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hubbub.errors import HubbubError, ModelError, NeedsExtra
from hubbub.ml.encoder import files as encoder_files
from hubbub.ml.npz import BadArchive, read_npz
from hubbub.ml.registry import MODELS, bundled, load, make, save, task_in_name
from hubbub.ml.task import task

from ..model_fuzz import Tried

TOP = Path(__file__).parents[2]
SMALL = {"hidden": 8, "epochs": 1}
QUICK: dict[str, dict[str, Any]] = {
    "answer/bm25": {},
    "answer/esim": {**SMALL, "dense": 8},
    "answer/lstm": SMALL,
    "answer/rnn": SMALL,
    "answer/tfidf": {},
    "intent/cnn": {"filters": 4, "dense": 8, "epochs": 1},
    "intent/fasttext": {"dim": 8, "epochs": 2},
    "intent/mlp": SMALL,
    "intent/svm": {"scheme": "binary", "criterion": "paper"},
    "people/amore": {**SMALL, "members": 1},
    "people/knu": {**SMALL, "members": 1, "dense": 8},
    "thread/elsner": {},
    "thread/feedforward": {**SMALL, "dimensions": 4},
    "thread/intersect": {"models": "thread/elsner,thread/lowe"},
    "thread/linear": {"epochs": 1, "dimensions": 4},
    "thread/vote": {"models": "thread/elsner,thread/vote"},
}


def trained(name: str, folder: Path) -> Path:
    sample = task(task_in_name(name)).sample()
    try:
        return save(make(name, **QUICK[name]).fit(sample.inputs, sample.golds), folder)
    except NeedsExtra as missing:
        pytest.skip(str(missing))


def copied(name: str, folder: Path) -> Path:
    """A bundled model in a folder of its own."""
    folder.mkdir()
    for each in bundled()[name].iterdir():
        (folder / each.name).write_bytes(each.read_bytes())
    return folder


def rehash(folder: Path, **changes: Any) -> None:
    """The card names the files as they are now."""
    card = json.loads((folder / "model.json").read_text()) | changes
    card["files"] = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in card["files"]}
    (folder / "model.json").write_text(json.dumps(card))


@pytest.mark.parametrize("name", sorted(bundled()))
def test_a_changed_bundled_model_is_refused_or_runs(name: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tests.model_fuzz", str(copied(name, tmp_path / "model")), str(tmp_path / "scratch")]
    ran = subprocess.run(words, cwd=TOP, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    report = json.loads(ran.stdout)
    assert report["problems"] == []
    assert report["refused"] > report["ran"] > 0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", QUICK)
def test_a_changed_trained_model_is_refused_or_runs(name: str, tmp_path: Path) -> None:
    tried = Tried(trained(name, tmp_path / "model"), tmp_path / "scratch")
    tried.all()
    assert tried.problems == []
    assert tried.refused > tried.ran > 0


@pytest.mark.parametrize("name", ["thread/hubbub", "people/hubbub", "mentions/tagger", "intent/fast"])
def test_flipped_bytes_are_refused_or_do_not_matter(name: str, tmp_path: Path) -> None:
    """Of an archive, most bytes are covered by a checksum; dates and the like are not, and change nothing."""
    folder = copied(name, tmp_path / "model")
    whole, place = (folder / "weights.npz").read_bytes(), random.Random(name)
    right, ends = read_npz(whole), len(whole) - 3000
    for turn in range(60):
        at = place.randrange(ends, len(whole)) if turn % 3 else place.randrange(len(whole))
        broken = bytearray(whole)
        broken[at] ^= 1 << place.randrange(8)
        try:
            found = read_npz(bytes(broken))
        except BadArchive:
            continue
        if found.keys() == right.keys():
            assert all(found[key].tobytes() == right[key].tobytes() for key in right), f"byte {at}"
        else:
            (folder / "weights.npz").write_bytes(bytes(broken))
            rehash(folder)
            with pytest.raises(ModelError, match=r"unknown|missing"):
                load(folder)


def _npz(arrays: dict[str, Any], compressed: bool = False) -> bytes:
    buffer = BytesIO()
    (np.savez_compressed if compressed else np.savez)(buffer, **arrays)
    return buffer.getvalue()


def _members(*members: tuple[str, bytes]) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def _npy(header: str, content: bytes = b"") -> bytes:
    padded = header.encode() + b" " * (117 - len(header)) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded + content


def _head(kind: str, shape: str) -> str:
    return f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"


GOOD = _npz({"a": np.arange(6, dtype=np.float32).reshape(2, 3)})
ARCHIVES: list[tuple[Callable[[], bytes], str]] = [
    (lambda: _npz({"a": np.zeros(30_000_000)}, compressed=True), "is compressed"),
    (lambda: _members(("a.npy", _npy(_head("<f4", "(1000000000000,)")))), "which are not its shape"),
    (
        lambda: _members(("a.npy", _npy(_head("<f4", "(99999999999, 99999999999, 0)"), b"abcd"))),
        "which are not its shape",
    ),
    (lambda: _members(("a.npy", _npy(_head("<f4", "(2,)"), bytes(7)))), "which are not its shape"),
    (lambda: _members(("a.npy", _npy(_head("|O", "(1,)"), bytes(8)))), "Python objects are not loaded"),
    (lambda: _members(("a.npy", _npy(_head("<f3", "(1,)"), bytes(3)))), "none of numbers"),
    (lambda: _members(("a.npy", _npy("(" * 100))), "no header that can be read"),
    (lambda: _members(("a.npy", b"\x93NUMPY")), "no header that can be read"),
    (lambda: _members(("a.txt", b"hello")), "which is no array"),
    (lambda: _members(("../../a.exe", b"hello")), "which is no array"),
    (lambda: GOOD[:-1], "cut off or damaged"),
    (lambda: GOOD[: len(GOOD) // 2], "cut off or damaged"),
    (lambda: GOOD + b"more", "cut off or damaged"),
    (lambda: b"", "no zip file"),
    (lambda: b"PK" * 20, "cut off or damaged"),
]


@pytest.mark.parametrize(("made", "sentence"), ARCHIVES, ids=lambda each: each if isinstance(each, str) else "")
def test_an_archive_that_lies_is_refused_before_anything_is_made_of_it(
    made: Callable[[], bytes], sentence: str, tmp_path: Path
) -> None:
    folder = trained("thread/elsner", tmp_path / "model")
    (folder / "weights.npz").write_bytes(made())
    rehash(folder)
    tracemalloc.start()
    with pytest.raises(ModelError, match=sentence):
        load(folder)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_array_that_is_there_twice_is_refused() -> None:
    array = _npy(_head("<f4", "(1,)"), bytes(4))
    with pytest.raises(BadArchive, match='array "a" is there twice'):
        read_npz(_members(("a.npy", array), ("a.npy", array)))


def test_members_that_share_their_bytes_are_refused() -> None:
    """Many entries of the directory may name the same bytes, and so many times the memory."""
    raw = bytearray(
        _members(("a.npy", _npy(_head("<f4", "(1000,)"), bytes(4000))), ("b.npy", _npy(_head("<f4", "(1,)"))))
    )
    entry = raw.index(b"PK\x01\x02")
    other = raw.index(b"PK\x01\x02", entry + 4)
    raw[other + 16 : other + 28] = raw[entry + 16 : entry + 28]
    raw[other + 42 : other + 46] = raw[entry + 42 : entry + 46]
    with pytest.raises(BadArchive, match="larger than the file"):
        read_npz(bytes(raw))


def test_what_numpy_writes_is_read_as_it_was() -> None:
    arrays = {
        "columns": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        "empty": np.zeros((0, 4), np.int8),
        "one": np.array(7, np.uint16),
        "many": np.arange(24, dtype=np.float16).reshape(2, 3, 4),
        "truth": np.array([True, False]),
    }
    found = read_npz(_npz(arrays))
    assert list(found) == list(arrays)
    for name, array in arrays.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        assert np.array_equal(found[name], array)
        assert found[name].flags.f_contiguous == array.flags.f_contiguous
        assert found[name].flags.writeable
        assert found[name].flags.aligned


@pytest.mark.parametrize("file", ["state.json", "model.json"])
@pytest.mark.parametrize("text", ['{"a":' * 60 + "1" + "}" * 60, '{"a": NaN}', '{"a": ' + "9" * 5000 + "}", "[]", ""])
def test_json_is_bounded_too(file: str, text: str, tmp_path: Path) -> None:
    folder = trained("thread/elsner", tmp_path / "model")
    (folder / file).write_text(text)
    if file == "state.json":
        rehash(folder)
    with pytest.raises(ModelError, match=file):
        load(folder)


def test_a_file_that_is_too_large_is_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = trained("thread/elsner", tmp_path / "model")
    monkeypatch.setitem(sys.modules["hubbub.ml.storage"].MAX_FILE_BYTES, "weights.npz", 100)
    with pytest.raises(ModelError, match=r"weights\.npz has more than 0 MB"):
        load(folder)


@pytest.mark.parametrize("name", MODELS)
def test_every_model_declares_all_that_it_loads(name: str) -> None:
    schema = make(name).schema()  # type: ignore[attr-defined]
    assert not schema.open or "members" in schema.fields, (
        "only the members of an ensemble are left to their own schemas"
    )


def test_the_sentence_names_the_file_the_array_and_what_is_expected(tmp_path: Path) -> None:
    folder = trained("thread/elsner", tmp_path / "model")
    weights = read_npz((folder / "weights.npz").read_bytes())["weights_"]
    (folder / "weights.npz").write_bytes(_npz({"weights_": weights[:-1]}))
    rehash(folder)
    with pytest.raises(ModelError) as refused:
        load(folder)
    count = len(weights)
    reason = f'weights.npz: array "weights_" has shape ({count - 1},) where ({count},) is expected'
    assert str(refused.value) == f"{folder}: is not a model that hubbub can use ({reason})."


def test_what_would_not_load_is_not_saved(tmp_path: Path) -> None:
    model: Any = load(trained("thread/elsner", tmp_path / "model"))
    model.weights_[3] = np.nan
    with pytest.raises(ModelError, match='it would not load again: array "weights_" holds nan'):
        save(model, tmp_path / "other")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("name", sorted(encoder_files.SCHEMAS))
def test_the_files_of_the_encoder_are_checked_too(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read_npz(encoder_files.home().joinpath(name).read_bytes())
    first = next(iter(whole))
    monkeypatch.setattr(encoder_files, "home", lambda: tmp_path)
    for changed in ({**whole, first: whole[first][:-1]}, {key: whole[key] for key in whole if key != first}):
        (tmp_path / name).write_bytes(_npz(changed))
        with pytest.raises(HubbubError, match=rf'{name}: array "{first}"'):
            encoder_files.arrays(name)
