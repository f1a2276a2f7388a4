"""Recurrent layers: torch trains them, NumPy runs them.

A layer is one array: for every gate and unit a row of the weights of the input, those of the state before, and the two
offsets that torch has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

Kind = Literal["rnn", "lstm"]
GATES: dict[Kind, int] = {"rnn": 1, "lstm": 4}


def module(torch: Any, kind: Kind, width: int, hidden: int) -> Any:
    """A layer to train; it takes (step, sequence, number)."""
    return {"rnn": torch.nn.RNN, "lstm": torch.nn.LSTM}[kind](width, hidden)


def packed(layer: Any) -> Any:
    """A trained layer as its array."""
    weights = [each.detach().numpy() for each in layer.parameters()]
    return np.concatenate([each if each.ndim == 2 else each[:, None] for each in weights], 1)


def both_ways(torch: Any, forward: Any, backward: Any, sequences: Sequence[Any]) -> list[Any]:
    """What two layers in training make of sequences, one reading from the front and the other from the back.

    The sequences are filled up at their ends and turned one by one: packing them takes several times as long.
    """
    pad = torch.nn.utils.rnn.pad_sequence
    ahead, _ = forward(pad(list(sequences)))
    astern, _ = backward(pad([each.flip(0) for each in sequences]))
    lengths = [len(each) for each in sequences]
    return [torch.cat([ahead[:n, i], astern[:n, i].flip(0)], 1) for i, n in enumerate(lengths)]


def run(kind: Kind, layer: Any, inputs: Any) -> Any:
    """The states of a layer at every step; `inputs` are (step, number) or (step, sequence, number)."""
    hidden = len(layer) // GATES[kind]
    width = layer.shape[1] - hidden - 2
    gates = inputs @ layer[:, :width].T + layer[:, -2]
    return _RUN[kind](gates, layer[:, width:-2].T, layer[:, -1], hidden)


def run_both_ways(kind: Kind, forward: Any, backward: Any, inputs: Any) -> Any:
    """The states of two layers side by side, the second of which reads from the back."""
    return np.concatenate([run(kind, forward, inputs), run(kind, backward, inputs[::-1])[::-1]], -1)


def _rnn(gates: Any, weights: Any, offsets: Any, hidden: int) -> Any:
    states = np.zeros((*gates.shape[:-1], hidden), np.float32)
    state = np.zeros(states.shape[1:], np.float32)
    for step, given in enumerate(gates):
        states[step] = state = np.tanh(given + state @ weights + offsets)
    return states


def _lstm(gates: Any, weights: Any, offsets: Any, hidden: int) -> Any:
    states = np.zeros((*gates.shape[:-1], hidden), np.float32)
    state = cell = np.zeros(states.shape[1:], np.float32)
    for step, given in enumerate(gates):
        whole = given + state @ weights + offsets
        enter, forget = sigmoid(whole[..., :hidden]), sigmoid(whole[..., hidden : 2 * hidden])
        fresh, leave = np.tanh(whole[..., 2 * hidden : 3 * hidden]), sigmoid(whole[..., 3 * hidden :])
        cell = forget * cell + enter * fresh
        states[step] = state = leave * np.tanh(cell)
    return states


_RUN = {"rnn": _rnn, "lstm": _lstm}


def sigmoid(values: Any) -> Any:
    return 0.5 * np.tanh(0.5 * values) + 0.5
