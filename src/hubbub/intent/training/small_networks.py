"""Training small networks with torch, the same way for every classifier that needs it."""

from __future__ import annotations

from collections.abc import Callable

from ...ml.torch_import import torch_or_error
from ...ml.types import Array, Network, Tensor


def train_classifier(
    network: Network, scores: Callable[[Tensor], Tensor], labels: Array, epochs: int, batch: int, rate: float
) -> None:
    """Adam on the cross-entropy of `scores` of shuffled positions of the examples, with linear decay of the learning
    rate.
    """
    torch = torch_or_error()
    targets = torch.as_tensor(labels)
    optimizer = torch.optim.Adam(network.parameters(), lr=rate)
    steps = epochs * -(-len(targets) // batch)
    falling = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / (steps + 1))
    network.train()
    for _ in range(epochs):
        for places in torch.randperm(len(targets)).split(batch):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(scores(places), targets[places]).backward()
            optimizer.step()
            falling.step()
