"""Small networks over features: which type of reply follows which context, and which of several replies is the true
one.

Both are trained with the softmax over the candidates of a list, so that outputs are probabilities among candidates.
They run in NumPy; torch trains them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from ...ml.calibration import best_temperature, softmax
from ...ml.model_schema import Field, Numbers
from ...ml.torch_import import torch_or_error
from ...ml.types import Array, Network, Tensor, Tensors

NETWORKS = 5  # folds; the average of five small networks varies less than one
# Strong decay and dropout: the held-out lists are few.
HIDDEN, EPOCHS, LISTS_PER_BATCH = 128, 8, 64
RATE, WEIGHT_DECAY, DROPOUT = 3e-3, 0.3, 0.5
TYPE_HIDDEN, TYPE_EPOCHS, TYPE_BATCH = 64, 2, 64  # every true pair is an example, so that two epochs are enough
MIN_DEVIATION = 1e-3  # deviation of a number, by which it is divided
TEMPERATURE_GRID = np.geomspace(0.3, 4.0, 60)  # steps of 4.5 %

Arrays = dict[str, Any]


def net_fields(part: str, features: int) -> dict[str, Field]:
    """What saved networks over so many numbers may be."""
    nets, hidden = f"{part}_nets", f"{part}_hidden"
    return {
        f"{part}.inner": Numbers("float32", (nets, features, hidden)),
        f"{part}.inner_bias": Numbers("float32", (nets, hidden)),
        f"{part}.outer": Numbers("float32", (nets, hidden)),
        f"{part}.middle": Numbers("float64", (features,)),
        f"{part}.width": Numbers("float64", (features,), MIN_DEVIATION, 1e6),
    }


def output(net: Mapping[str, Array], rows: Array) -> Array:
    """One number a row, the mean of all networks."""
    scaled = (rows - net["middle"]) / net["width"]
    inner = np.maximum(np.einsum("rf,nfh->nrh", scaled, net["inner"]) + net["inner_bias"][:, None], 0)
    return np.einsum("nrh,nh->r", inner, net["outer"]) / len(net["outer"])


def probabilities(scores: Array, temperature: float) -> Array:
    """The softmax of one list of scores."""
    return softmax((scores - scores.max()) / temperature)


def train_ranker(lists: Array, groups: Array, seed: int) -> tuple[Arrays, float]:
    """Networks over lists of candidates whose first is right, each trained without one fold, and their temperature."""
    torch = torch_or_error()
    fold = np.unique(groups, return_inverse=True)[1] % NETWORKS
    mean, deviation = _spread(lists)
    scaled = torch.from_numpy(((lists - mean) / deviation).astype(np.float32))
    nets, out_of_fold = [], np.zeros(lists.shape[:2])
    # Each network is scored on the fold it was trained without: the temperature must fit unseen lists.
    for number in range(NETWORKS):
        torch.manual_seed(seed + number)
        trained_on, held_out = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        trained_on = trained_on if len(trained_on) else held_out
        nets.append(_trained(torch, scaled[trained_on]))
        with torch.no_grad():
            out_of_fold[held_out] = _run(torch, nets[-1], scaled[held_out]).numpy()
    return _stored(nets, mean, deviation), best_temperature(
        out_of_fold, np.zeros(len(out_of_fold), int), TEMPERATURE_GRID
    )


def _spread(lists: Array) -> tuple[Array, Array]:
    rows = lists.reshape(-1, lists.shape[-1]).astype(np.float64)
    return rows.mean(0), np.maximum(rows.std(0), MIN_DEVIATION)


def _stored(nets: list[Tensors], mean: Array, deviation: Array) -> Arrays:
    found = {name: np.stack([net[name].detach().numpy() for net in nets]) for name in ("inner", "inner_bias", "outer")}
    return {**found, "middle": mean, "width": deviation}


def _started(torch: ModuleType, features: int, hidden: int) -> dict[str, Tensor]:
    shapes = {"inner": (features, hidden), "inner_bias": (hidden,), "outer": (hidden,)}
    started = {
        name: (torch.rand(shape) * 2 - 1) / (features if name != "outer" else hidden) ** 0.5
        for name, shape in shapes.items()
    }
    return {name: each.requires_grad_() for name, each in started.items()}


def _run(torch: ModuleType, net: Tensors, rows: Tensor, dropped: float = 0.0) -> Tensor:
    inner = torch.relu(rows @ net["inner"] + net["inner_bias"])
    return torch.nn.functional.dropout(inner, dropped, dropped > 0) @ net["outer"]


def _trained(torch: ModuleType, lists: Tensor) -> Tensors:
    net = _started(torch, lists.shape[-1], HIDDEN)
    size = min(LISTS_PER_BATCH, len(lists))
    steps = EPOCHS * (len(lists) // size)
    optimizer = torch.optim.AdamW(list(net.values()), lr=RATE, weight_decay=WEIGHT_DECAY)
    for step in range(steps):
        if step % (len(lists) // size) == 0:
            order = torch.randperm(len(lists))
        place = step % (len(lists) // size) * size
        scores = _run(torch, net, lists[order[place : place + size]], DROPOUT)
        _step(torch, optimizer, torch.logsumexp(scores, 1).mean() - scores[:, 0].mean(), 1 - step / steps)
    return net


def _step(torch: ModuleType, optimizer: Network, loss: Tensor, left: float) -> None:
    for group in optimizer.param_groups:
        group["lr"] = RATE * left
    optimizer.zero_grad()
    torch.autograd.backward(loss)
    optimizer.step()


def train_type_network(situations: Array, reply_types: Array, seed: int) -> Arrays:
    """What manner of reply follows what situation, from true pairs; the other replies of a batch are the false ones."""
    torch = torch_or_error()
    torch.manual_seed(seed)
    mean, deviation = _spread(np.concatenate([situations, reply_types], 1))
    both = torch.from_numpy(((np.concatenate([situations, reply_types], 1) - mean) / deviation).astype(np.float32))
    contexts, replies = both[:, : situations.shape[1]], both[:, situations.shape[1] :]
    net = _started(torch, both.shape[1], TYPE_HIDDEN)
    optimizer = torch.optim.AdamW(list(net.values()), lr=RATE, weight_decay=0.01)
    size = min(TYPE_BATCH, len(both))
    steps = TYPE_EPOCHS * (len(both) // size)
    for step in range(steps):
        if step % (len(both) // size) == 0:
            order = torch.randperm(len(both))
        some = order[step % (len(both) // size) * size :][:size]
        rows = torch.cat([contexts[some][:, None].expand(-1, size, -1), replies[some][None].expand(size, -1, -1)], 2)
        scores = _run(torch, net, rows)
        loss = torch.nn.functional.cross_entropy(scores, torch.arange(size))
        _step(torch, optimizer, loss, 1 - step / steps)
    return _stored([net], mean, deviation)
