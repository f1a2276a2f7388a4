"""A saved model on disk: model.json, the card; state.json and weights.npz, what it learnt. Never pickle.

The card names the sha256 of the other files, so that a mixed-up or cut folder is noticed when it is loaded.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from typing import Any

from . import __version__
from .errors import ModelError, Unwritable
from .placing import uninterrupted

FORMAT = 1
CARD, STATE, WEIGHTS = "model.json", "state.json", "weights.npz"


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a model's making. `data` is the checksum of what it was trained on, "" for nothing."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    dataset: str = ""
    data: str = ""
    seed: int = 0
    scores: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    version: str = __version__
    notes: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)


def write_folder(folder: Path, card: Card, state: Mapping[str, Any]) -> Path:
    """Writes everything beside the folder first, then puts it in place in one step."""
    parts = _parts(folder, state)
    record = {"format": FORMAT, **asdict(card), "files": {name: _sha256(raw) for name, raw in parts.items()}}
    parts[CARD] = _json(folder, "its card", record)
    must_be_writable(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as waiting:
            new = _filled(Path(waiting) / "new", parts)
            with uninterrupted():
                _swap(new, folder, Path(waiting) / "old")
    except OSError as error:
        raise Unwritable(str(folder), error.strerror or str(error)) from error
    return folder


def _parts(folder: Path, state: Mapping[str, Any]) -> dict[str, bytes]:
    """File name -> content of what a model learnt: arrays apart from all that JSON can hold."""
    arrays = {key: value for key, value in state.items() if _is_array(value)}
    plain = {key: value for key, value in state.items() if key not in arrays}
    parts = {STATE: _json(folder, "what it learnt", plain)} if plain else {}
    if arrays:
        parts[WEIGHTS] = _npz(folder, arrays)
    return parts


def _is_array(value: object) -> bool:
    return type(value).__module__ == "numpy" and type(value).__name__ == "ndarray"


def _npz(folder: Path, arrays: Mapping[str, Any]) -> bytes:
    import numpy as np

    for name, array in arrays.items():
        if array.dtype.hasobject:
            raise ModelError(str(folder), f"the array {name!r} holds Python objects, which are not saved")
    buffer = BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def _json(folder: Path, what: str, record: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(record, indent=1, ensure_ascii=True, allow_nan=False).encode() + b"\n"
    except (TypeError, ValueError) as error:
        raise ModelError(str(folder), f"{what} cannot be written as JSON: {error}") from error


def must_be_writable(folder: Path) -> None:
    """Only a new place, an empty folder or an older saved model may be written over."""
    if folder.is_dir() and (folder / CARD).is_file():
        return
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise Unwritable(str(folder), "something else is there already; give a new or an empty folder")
    there = next(each for each in folder.absolute().parents if each.exists())
    try:
        with tempfile.TemporaryDirectory(prefix=".hubbub.", dir=there):
            return
    except OSError as error:
        raise Unwritable(str(folder), error.strerror or str(error)) from error


def _filled(folder: Path, parts: Mapping[str, bytes]) -> Path:
    folder.mkdir()
    for name, raw in parts.items():
        (folder / name).write_bytes(raw)
    return folder


def _swap(new: Path, folder: Path, old: Path) -> None:
    if folder.exists():
        folder.rename(old)
    try:
        new.rename(folder)
    except OSError:
        if old.exists():
            shutil.move(old, folder)
        raise


def read_card(folder: Traversable) -> Card:
    """The card of a saved model, every field of the right kind."""
    record = _object(folder, CARD, _raw(folder, CARD))
    version = record.pop("format", None)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ModelError(str(folder), f"{CARD} names no format")
    if version > FORMAT:
        raise ModelError(str(folder), f"its format {version} is newer than this hubbub, which knows up to {FORMAT}")
    known = {each.name for each in fields(Card)}
    card = Card(**{"name": "", **{key: value for key, value in record.items() if key in known}})
    _check(folder, card)
    return card


def _check(folder: Traversable, card: Card) -> None:
    if not isinstance(card.name, str) or not card.name:
        raise ModelError(str(folder), f"{CARD} names no model")
    for each in fields(Card):
        value, right = getattr(card, each.name), _KINDS[str(each.type).partition("[")[0]]
        if not isinstance(value, right):
            raise ModelError(str(folder), f"{each.name} in {CARD} is of the wrong kind")


_KINDS: dict[str, type | tuple[type, ...]] = {"str": str, "int": int, "float": (int, float), "Mapping": dict}


def read_state(folder: Traversable, card: Card) -> dict[str, Any]:
    """What the model learnt, if its files are those that the card names."""
    state: dict[str, Any] = {}
    for name, digest in card.files.items():
        if name not in (STATE, WEIGHTS):
            raise ModelError(str(folder), f"{CARD} names a file {name!r} that no model has")
        raw = _raw(folder, name)
        if _sha256(raw) != digest:
            raise ModelError(str(folder), f"{name} is not the file it was saved with")
        state |= _object(folder, name, raw) if name == STATE else _arrays(folder, raw)
    return state


def _arrays(folder: Traversable, raw: bytes) -> dict[str, Any]:
    from zipfile import BadZipFile

    import numpy as np

    try:
        with np.load(BytesIO(raw), allow_pickle=False) as arrays:
            return dict(arrays.items())
    except (ValueError, OSError, EOFError, KeyError, BadZipFile) as error:
        raise ModelError(str(folder), f"{WEIGHTS} is broken: {error}") from error


def _object(folder: Traversable, name: str, raw: bytes) -> dict[str, Any]:
    try:
        record = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise ModelError(str(folder), f"{name} is no valid JSON: {error}") from error
    if not isinstance(record, dict):
        raise ModelError(str(folder), f"{name} holds no JSON object")
    return record


def _raw(folder: Traversable, name: str) -> bytes:
    if not folder.is_dir():
        raise ModelError(str(folder), f"it is no folder with a {CARD}")
    try:
        return folder.joinpath(name).read_bytes()
    except FileNotFoundError:
        raise ModelError(str(folder), f"there is no {name} in it") from None
    except OSError as error:
        raise ModelError(str(folder), f"{name} cannot be read: {error.strerror}") from error


def _sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
