"""Recurrent layers: torch trains them, NumPy runs them.

A layer is one array: for every gate and unit a row of the weights of the input, those of the state before, and the two
offsets that torch has. Sequences stand side by side, (step, sequence, number), filled up at their ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from .calibration import sigmoid

Kind = Literal["rnn", "lstm"]
GATES: dict[Kind, int] = {"rnn": 1, "lstm": 4}  # blocks of rows in a layer's matrix


def torch_layer(torch: Any, kind: Kind, width: int, hidden: int) -> Any:
    """A layer to train."""
    return {"rnn": torch.nn.RNN, "lstm": torch.nn.LSTM}[kind](width, hidden)


def layer_array(layer: Any) -> Any:
    """A trained layer as its array."""
    weights = [each.detach().numpy() for each in layer.parameters()]
    return np.concatenate([each if each.ndim == 2 else each[:, None] for each in weights], 1)


def torch_bidirectional(torch: Any, forward: Any, backward: Any, inputs: Any, lengths: Any) -> Any:
    """The states of two layers in training side by side, the second of which reads from the back.

    Each sequence is reversed by itself: packing them, as is usual, takes several times as long.
    """
    steps = torch.arange(len(inputs))[:, None]
    reversed_inputs = torch.where(steps < lengths, lengths - 1 - steps, steps)[..., None]
    forward_states, _ = forward(inputs)
    backward_states, _ = backward(inputs.gather(0, reversed_inputs.expand_as(inputs)))
    return torch.cat([forward_states, backward_states.gather(0, reversed_inputs.expand_as(backward_states))], -1)


def run_layer(kind: Kind, layer: Any, inputs: Any) -> Any:
    """The states of a layer at every step; `inputs` may be one sequence, (step, number)."""
    hidden = len(layer) // GATES[kind]
    width = layer.shape[1] - hidden - 2
    gates = inputs @ layer[:, :width].T + layer[:, -2]
    return _RUN[kind](gates, layer[:, width:-2].T, layer[:, -1], hidden)


def run_bidirectional(forward: Any, backward: Any, inputs: Any, lengths: Sequence[int] = ()) -> Any:
    """The states of two LSTMs side by side, the second of which reads from the back; all lengths are equal if none is
    given."""
    reversed_inputs = inputs[::-1].copy()
    for place, length in enumerate(lengths):
        reversed_inputs[:length, place] = inputs[:length, place][::-1]
    backward_states = run_layer("lstm", backward, reversed_inputs)
    back = backward_states[::-1].copy()
    for place, length in enumerate(lengths):
        back[:length, place] = backward_states[:length, place][::-1]
    return np.concatenate([run_layer("lstm", forward, inputs), back], -1)


def _rnn(gates: Any, weights: Any, offsets: Any, hidden: int) -> Any:
    states = np.zeros((*gates.shape[:-1], hidden), np.float32)
    state = np.zeros(states.shape[1:], np.float32)
    for step, inputs in enumerate(gates):
        states[step] = state = np.tanh(inputs + state @ weights + offsets)
    return states


def _lstm(gates: Any, weights: Any, offsets: Any, hidden: int) -> Any:
    states = np.zeros((*gates.shape[:-1], hidden), np.float32)
    state = cell = np.zeros(states.shape[1:], np.float32)
    for step, inputs in enumerate(gates):
        whole = inputs + state @ weights + offsets
        input_gate, forget_gate = sigmoid(whole[..., :hidden]), sigmoid(whole[..., hidden : 2 * hidden])
        new, output_gate = np.tanh(whole[..., 2 * hidden : 3 * hidden]), sigmoid(whole[..., 3 * hidden :])
        cell = forget_gate * cell + input_gate * new
        states[step] = state = output_gate * np.tanh(cell)
    return states


_RUN = {"rnn": _rnn, "lstm": _lstm}
