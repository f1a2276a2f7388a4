"""Training small networks with torch, the same way for every classifier that needs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..training import torch_or_error


def descend(network: Any, scores: Callable[[Any], Any], labels: Any, epochs: int, batch: int, rate: float) -> None:
    """Adam on the cross entropy of `scores` of places in the examples, mixed anew in every epoch; the rate falls."""
    torch = torch_or_error()
    right = torch.as_tensor(labels)
    optimizer = torch.optim.Adam(network.parameters(), lr=rate)
    steps = epochs * -(-len(right) // batch)
    falling = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / (steps + 1))
    network.train()
    for _ in range(epochs):
        for places in torch.randperm(len(right)).split(batch):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(scores(places), right[places]).backward()
            optimizer.step()
            falling.step()
