"""Half of the encoder, three transformer layers, run by onnxruntime with int8 weights.

The lower and the upper half, and every fine-tuned upper half, are the same graph with other weights: the graph is a
file of a few KB that names its weights and holds none. Activations are rounded to 8 bits token by token, each by its
own largest number, so a text gets the same numbers, bit by bit, whatever stands beside it in a batch. Weights keep
7 bits, which no processor's 8-bit instructions overflow.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model_schema import Field, Numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Arrays = Mapping[str, NDArray[Any]]

LAYERS, WIDTH, HEADS, INNER = 3, 384, 12, 1536  # half of MiniLM-L6
LINEARS = {"qkv": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH), "up": (WIDTH, INNER), "down": (INNER, WIDTH)}
NORMS = ("norm1", "norm2")
GRAPH = "half.onnx"
MAX_WEIGHT = 63  # 7 bits: 8-bit dot products of some processors overflow otherwise
ERRORS_ONLY = 3  # onnxruntime's log level

# What weights may be, so that no number of three layers overflows: those that ship have scales up to 0.5, balances from
# 0.2 to 4 and norms up to 2.
SCALE_BOUNDS, BALANCE_BOUNDS, NORM_BOUNDS, BIAS_BOUNDS = (0.0, 10.0), (0.05, 50.0), (-100.0, 100.0), (-1000.0, 1000.0)


class Half:
    """Hidden states of a batch of texts of one length -> the hidden states three layers further up."""

    def __init__(self, weights: Arrays) -> None:
        # New versions of onnxruntime send reports of their use, unless this is set before they are imported.
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = ERRORS_ONLY
        # batches have many shapes, and onnxruntime would keep the memory of each of them
        options.enable_cpu_mem_arena = options.enable_mem_pattern = False
        self._kept = {name: np.ascontiguousarray(weights[name]) for name in names()}
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in self._kept.values()]
        options.add_external_initializers(list(self._kept), values)
        graph = files("hubbub").joinpath("data", "models", "encoder", GRAPH).read_bytes()
        self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    def __call__(self, hidden: NDArray[np.float32]) -> NDArray[np.float32]:
        (above,) = self._session.run(None, {"hidden": hidden})
        return above  # type: ignore[no-any-return]


def names() -> list[str]:
    """The names of all arrays of a half."""
    linear = [f"{part}.{what}" for part in LINEARS for what in ("weight", "scale", "bias", "balance")]
    norm = [f"{part}.{what}" for part in NORMS for what in ("weight", "bias")]
    return [f"{layer}.{name}" for layer in range(LAYERS) for name in (*linear, *norm)]


def fields(prefix: str = "") -> dict[str, Field]:
    """What the saved arrays of a half may be, each name with a prefix."""
    found: dict[str, Field] = {}
    for name in names():
        part, what = name.split(".")[1:]
        takes, gives = LINEARS.get(part, (WIDTH, WIDTH))
        if what == "weight" and part in LINEARS:
            found[prefix + name] = Numbers("int8", (takes, gives), -MAX_WEIGHT, MAX_WEIGHT)
        elif what == "balance":
            found[prefix + name] = Numbers("float32", (takes,), *BALANCE_BOUNDS)
        else:
            bounds = {"scale": SCALE_BOUNDS, "weight": NORM_BOUNDS, "bias": BIAS_BOUNDS}[what]
            found[prefix + name] = Numbers("float32", (gives,), *bounds)
    return found


def quantised(weights: Arrays, balance: Arrays) -> dict[str, NDArray[Any]]:
    """The arrays of a half from its weights in float.

    `balance` divides the inputs of a linear map before they are rounded, and multiplies its weights in turn: it
    reduces the few inputs that are always large (Xiao et al., SmoothQuant, ICML 2023).
    """
    found: dict[str, NDArray[Any]] = {}
    for name in names():
        linear, _, what = name.rpartition(".")
        if what == "balance":
            found[name] = balance[name].astype(np.float32)
        elif what == "weight" and linear.rpartition(".")[2] in LINEARS:
            # One scale a column, since columns of a weight matrix differ much in size.
            even = weights[name] * balance[f"{linear}.balance"][:, None]
            scale = np.maximum(np.abs(even).max(axis=0) / MAX_WEIGHT, 1e-12)
            found[name], found[f"{linear}.scale"] = np.round(even / scale).astype(np.int8), scale.astype(np.float32)
        elif what != "scale":
            found[name] = weights[name].astype(np.float32)
    return found


def dequantised(stored: Arrays) -> dict[str, NDArray[np.float32]]:
    """The inverse of `quantised`, but for the rounding: the weights that fine-tuning starts from."""
    found: dict[str, NDArray[np.float32]] = {}
    for name in names():
        linear, _, what = name.rpartition(".")
        if what == "weight" and f"{linear}.scale" in stored:
            even = stored[name] * stored[f"{linear}.scale"]
            found[name] = (even / stored[f"{linear}.balance"][:, None]).astype(np.float32)
        elif what in ("weight", "bias"):
            found[name] = stored[name]
    return found
