"""A saved model on disk: model.json, the card; state.json and weights.npz, the state. Never pickle.

The card names the sha256 of the other files, so that a mixed-up or cut folder is noticed when it is loaded. That is no
protection against a folder that somebody edited on purpose: sizes are limited here, arrays are read by `npz`, and what
is in them is checked against the model's own `schema`.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from importlib.resources.abc import Traversable
from io import SEEK_END, BytesIO
from math import isfinite
from pathlib import Path
from typing import Any

from .. import __version__
from ..errors import ModelError, Unwritable
from ..output_files import uninterrupted
from .model_schema import is_array
from .npz import MAX_BYTES, BadArchive, read_npz

FORMAT = 1  # of model folders
CARD, STATE, WEIGHTS = "model.json", "state.json", "weights.npz"
MAX_FILE_BYTES = {CARD: 1 << 20, STATE: 1 << 28, WEIGHTS: MAX_BYTES}  # a state is mostly vocabulary
MAX_JSON_DEPTH = 50  # brackets within brackets; no state has more than five


@dataclass(frozen=True, slots=True)
class Card:
    """How a model was made. `data` is the checksum of the training data, "" for none."""

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
            new = Path(waiting) / "new"
            new.mkdir()
            for file, content in parts.items():
                (new / file).write_bytes(content)
            with uninterrupted():
                _swap(new, folder, Path(waiting) / "old")
    except OSError as error:
        raise Unwritable(str(folder), error.strerror or str(error)) from error
    return folder


def _parts(folder: Path, state: Mapping[str, Any]) -> dict[str, bytes]:
    """File name -> content of what a model learnt: arrays apart from all that JSON can hold."""
    arrays = {key: value for key, value in state.items() if is_array(value)}
    plain = {key: value for key, value in state.items() if key not in arrays}
    parts = {STATE: _json(folder, "what it learnt", plain)} if plain else {}
    if arrays:
        import numpy as np

        for name, array in arrays.items():
            if array.dtype.hasobject:
                raise ModelError(str(folder), f"the array {name!r} holds Python objects, which are not saved")
        if sum(array.nbytes for array in arrays.values()) > MAX_BYTES // 2:
            raise ModelError(str(folder), f"its arrays have more than {MAX_BYTES >> 21} MB, which are not saved")
        buffer = BytesIO()
        np.savez(buffer, **arrays)
        parts[WEIGHTS] = buffer.getvalue()
    return parts


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
        if not isinstance(value, right) or isinstance(value, bool):
            raise ModelError(str(folder), f"{each.name} in {CARD} is of the wrong kind")
    if not isfinite(card.seconds) or not all(isinstance(each, str) for each in card.files.values()):
        raise ModelError(str(folder), f"seconds or files in {CARD} is of the wrong kind")


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
        found = _object(folder, name, raw) if name == STATE else _arrays(folder, raw)
        for twice in state.keys() & found.keys():
            raise ModelError(str(folder), f"{STATE} and {WEIGHTS} both hold {twice[:40]!r}")
        state |= found
    return state


def _arrays(folder: Traversable, raw: bytes) -> dict[str, Any]:
    try:
        return read_npz(raw)
    except BadArchive as error:
        raise ModelError(str(folder), f"{WEIGHTS} is broken: {error}") from error


def _object(folder: Traversable, name: str, raw: bytes) -> dict[str, Any]:
    try:
        record = json.loads(raw, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ModelError(str(folder), f"{name} is no valid JSON: {error}") from error
    if not isinstance(record, dict):
        raise ModelError(str(folder), f"{name} holds no JSON object")
    if _is_deep(record):
        raise ModelError(str(folder), f"{name} has more than {MAX_JSON_DEPTH} levels")
    return record


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _is_deep(record: Mapping[str, Any]) -> bool:
    level: list[Any] = [record]
    for _ in range(MAX_JSON_DEPTH):
        inner = (each.values() if isinstance(each, dict) else each for each in level)
        level = [value for values in inner for value in values if isinstance(value, dict | list)]
        if not level:
            return False
    return True


def _raw(folder: Traversable, name: str) -> bytes:
    if not folder.is_dir():
        raise ModelError(str(folder), f"it is no folder with a {CARD}")
    if not folder.joinpath(name).is_file():  # opening a pipe would wait forever
        raise ModelError(str(folder), f"there is no {name} in it")
    try:
        with folder.joinpath(name).open("rb") as file:
            if file.seek(0, SEEK_END) > MAX_FILE_BYTES[name]:
                raise ModelError(str(folder), f"{name} has more than {MAX_FILE_BYTES[name] >> 20} MB")
            file.seek(0)
            return file.read()
    except FileNotFoundError:
        raise ModelError(str(folder), f"there is no {name} in it") from None
    except OSError as error:
        raise ModelError(str(folder), f"{name} cannot be read: {error.strerror}") from error


def _sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
