"""How the small networks learn, on torch: the candidates of each mention compete under a softmax."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ml.torch_import import torch_or_error
from ..features.window_arrays import Array
from ..inference.mlp import MlpEnsemble, scaled

# Small and averaged over seeds: there are about 13,000 mentions to learn from.
HIDDEN, SECOND_HIDDEN = 64, 32
EPOCHS, BATCH, RATE, DECAY = 8, 96, 3e-3, 1e-3
DROPOUT = (0.1, 0.2, 0.1)  # of the inputs and of both hidden layers


def train_ensemble(rows: Array, gold: Array, sizes: Array, seeds: list[int]) -> MlpEnsemble:
    """Networks from prepared rows, one a seed; `sizes` are how many rows each mention has."""
    mean, scale = rows.mean(0), 1 / (rows.std(0) + 1e-3)
    inputs = scaled(rows, mean, scale)
    found = [_trained(inputs, gold, sizes, seed) for seed in seeds]
    parts = [np.stack(each) for each in zip(*found, strict=True)]
    return MlpEnsemble(mean.astype(np.float32), scale.astype(np.float32), *parts)


def _trained(inputs: Array, gold: Array, sizes: Array, seed: int) -> tuple[Array, ...]:
    torch = torch_or_error()
    nn = torch.nn
    torch.set_num_threads(1)
    order, generator = np.random.default_rng(seed), torch.Generator().manual_seed(seed)
    layers = [nn.Linear(inputs.shape[1], HIDDEN), nn.Linear(HIDDEN, SECOND_HIDDEN), nn.Linear(SECOND_HIDDEN, 1)]
    # Uniform initialization by the generator of this network: torch's own would depend on what was made before it.
    for layer in layers:
        bound = layer.in_features**-0.5
        nn.init.uniform_(layer.weight, -bound, bound, generator=generator)
        nn.init.uniform_(layer.bias, -bound, bound, generator=generator)
    weights = [weight for layer in layers for weight in layer.parameters()]
    steps = EPOCHS * -(-len(sizes) // BATCH)
    optimizer = torch.optim.AdamW(weights, RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.2)
    starts = np.cumsum(sizes) - sizes
    for _ in range(EPOCHS):
        mentions = order.permutation(len(sizes))
        for first in range(0, len(mentions), BATCH):
            chosen = mentions[first : first + BATCH]
            used = np.concatenate([np.arange(starts[n], starts[n] + sizes[n]) for n in chosen])
            owner = torch.from_numpy(np.repeat(np.arange(len(chosen)), sizes[chosen]))
            hidden = torch.from_numpy(inputs[used])
            for layer, share in zip(layers, DROPOUT, strict=True):
                mask = torch.rand(hidden.shape, generator=generator) >= share
                hidden = layer(hidden * mask / (1 - share))
                hidden = torch.relu(hidden) if layer is not layers[-1] else hidden
            scores = hidden.squeeze(1).clamp(-30, 30)
            # Softmax cross-entropy over the candidates of each mention, which differ in number.
            total = torch.zeros(len(chosen)).index_add(0, owner, scores.exp()).log()
            truth = torch.zeros(len(chosen)).index_add(0, owner, scores * torch.from_numpy(gold[used]).float())
            optimizer.zero_grad()
            loss: Any = (total - truth).mean()
            loss.backward()
            optimizer.step()
            schedule.step()
    arrays = [weight.detach().numpy() for weight in weights]
    return tuple(np.ascontiguousarray(each.T if each.ndim == 2 else each).squeeze() for each in arrays)
