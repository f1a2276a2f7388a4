"""Small networks over a few numbers: what kind of reply follows what, and which of several replies is the right one.

Both learn by the softmax over the candidates of a list, so that their outputs are chances among candidates. They run in
NumPy; torch is for learning.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..schema import Field, Numbers
from .learning import needed_torch

NETWORKS = 5
HIDDEN, EPOCHS, LISTS = 128, 8, 64
RATE, DECAY, DROPPED = 3e-3, 0.3, 0.5
MANNER_HIDDEN, MANNER_PASSES, MANNER_BATCH = 64, 2, 64
NARROWEST = 1e-3  # deviation of a number, by which it is divided
HEATS = 0.3, 4.0

Arrays = dict[str, Any]


def net_fields(part: str, features: int) -> dict[str, Field]:
    """What saved networks over so many numbers may be."""
    nets, hidden = f"{part}_nets", f"{part}_hidden"
    return {
        f"{part}.inner": Numbers("float32", (nets, features, hidden)),
        f"{part}.inner_bias": Numbers("float32", (nets, hidden)),
        f"{part}.outer": Numbers("float32", (nets, hidden)),
        f"{part}.middle": Numbers("float64", (features,)),
        f"{part}.width": Numbers("float64", (features,), NARROWEST, 1e6),
    }


def output(net: Mapping[str, Any], rows: Any) -> Any:
    """One number a row, the mean of all networks."""
    scaled = (rows - net["middle"]) / net["width"]
    inner = np.maximum(np.einsum("rf,nfh->nrh", scaled, net["inner"]) + net["inner_bias"][:, None], 0)
    return np.einsum("nrh,nh->r", inner, net["outer"]) / len(net["outer"])


def chances(scores: Any, heat: float) -> Any:
    """The softmax of one list."""
    raised = np.exp((scores - scores.max()) / heat)
    return raised / raised.sum()


def learnt(lists: Any, groups: Any, seed: int) -> tuple[Arrays, float]:
    """Networks over lists of candidates whose first is right, each kept from a part, and the heat by those parts."""
    torch = needed_torch()
    fold = np.unique(groups, return_inverse=True)[1] % NETWORKS
    middle, width = _spread(lists)
    scaled = torch.from_numpy(((lists - middle) / width).astype(np.float32))
    nets, unseen = [], np.zeros(lists.shape[:2])
    for number in range(NETWORKS):
        torch.manual_seed(seed + number)
        seen, other = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        seen = seen if len(seen) else other
        nets.append(_trained(torch, scaled[seen]))
        with torch.no_grad():
            unseen[other] = _run(torch, nets[-1], scaled[other]).numpy()
    return _stored(nets, middle, width), _best_heat(unseen)


def _spread(lists: Any) -> tuple[Any, Any]:
    rows = lists.reshape(-1, lists.shape[-1]).astype(np.float64)
    return rows.mean(0), np.maximum(rows.std(0), NARROWEST)


def _stored(nets: list[Any], middle: Any, width: Any) -> Arrays:
    found = {name: np.stack([net[name].detach().numpy() for net in nets]) for name in ("inner", "inner_bias", "outer")}
    return {**found, "middle": middle, "width": width}


def _started(torch: Any, features: int, hidden: int) -> dict[str, Any]:
    shapes = {"inner": (features, hidden), "inner_bias": (hidden,), "outer": (hidden,)}
    started = {
        name: (torch.rand(shape) * 2 - 1) / (features if name != "outer" else hidden) ** 0.5
        for name, shape in shapes.items()
    }
    return {name: each.requires_grad_() for name, each in started.items()}


def _run(torch: Any, net: Any, rows: Any, dropped: float = 0.0) -> Any:
    inner = torch.relu(rows @ net["inner"] + net["inner_bias"])
    return torch.nn.functional.dropout(inner, dropped, dropped > 0) @ net["outer"]


def _trained(torch: Any, lists: Any) -> Any:
    net = _started(torch, lists.shape[-1], HIDDEN)
    size = min(LISTS, len(lists))
    steps = EPOCHS * (len(lists) // size)
    optimiser = torch.optim.AdamW(list(net.values()), lr=RATE, weight_decay=DECAY)
    for step in range(steps):
        if step % (len(lists) // size) == 0:
            order = torch.randperm(len(lists))
        place = step % (len(lists) // size) * size
        scores = _run(torch, net, lists[order[place : place + size]], DROPPED)
        _step(torch, optimiser, torch.logsumexp(scores, 1).mean() - scores[:, 0].mean(), 1 - step / steps)
    return net


def _step(torch: Any, optimiser: Any, loss: Any, left: float) -> None:
    for group in optimiser.param_groups:
        group["lr"] = RATE * left
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()


def _best_heat(scores: Any) -> float:
    heats = np.geomspace(*HEATS, 60)
    losses = [(np.log(np.exp((scores - scores[:, :1]) / heat).sum(1))).mean() for heat in heats]
    return float(heats[int(np.argmin(losses))])


def manner_learnt(situations: Any, manners: Any, seed: int) -> Arrays:
    """What manner of reply follows what situation, from true pairs; the other replies of a batch are the false ones."""
    torch = needed_torch()
    torch.manual_seed(seed)
    middle, width = _spread(np.concatenate([situations, manners], 1))
    both = torch.from_numpy(((np.concatenate([situations, manners], 1) - middle) / width).astype(np.float32))
    asked, given = both[:, : situations.shape[1]], both[:, situations.shape[1] :]
    net = _started(torch, both.shape[1], MANNER_HIDDEN)
    optimiser = torch.optim.AdamW(list(net.values()), lr=RATE, weight_decay=0.01)
    size = min(MANNER_BATCH, len(both))
    steps = MANNER_PASSES * (len(both) // size)
    for step in range(steps):
        if step % (len(both) // size) == 0:
            order = torch.randperm(len(both))
        some = order[step % (len(both) // size) * size :][:size]
        rows = torch.cat([asked[some][:, None].expand(-1, size, -1), given[some][None].expand(size, -1, -1)], 2)
        scores = _run(torch, net, rows)
        loss = torch.nn.functional.cross_entropy(scores, torch.arange(size))
        _step(torch, optimiser, loss, 1 - step / steps)
    return _stored([net], middle, width)
