"""How the published networks learn: whole scenes of about one length in a batch, some words and speakers forgotten."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from ...ml.recurrent import layer_array, torch_bidirectional, torch_layer
from ...ml.torch_import import torch_or_error
from ..models._network import NONE, UNKNOWN, EncodedSequence

if TYPE_CHECKING:
    from ..models._network import LinkingNetwork

log = logging.getLogger(__name__)

WORD_DROPOUT, SPEAKER_DROPOUT = 0.05, 0.02  # replaced by UNKNOWN, so that its vector is trained
INPUT_DROPOUT = 0.1
MAX_GRADIENT_NORM = 1.0  # recurrent gradients may explode (Pascanu et al. 2013)
WARM_UP_STEPS = 50  # Adam estimates the second moments meanwhile
LENGTH_JITTER = 60  # tokens; batches of about one length save padding, but differ from epoch to epoch


def train_networks(
    of: LinkingNetwork, pieces: Sequence[EncodedSequence], labels: Sequence[Any], start: Any, seed: int
) -> dict[str, Any]:
    """The arrays of all members, one above the other."""
    torch = torch_or_error()
    members = []
    with torch.random.fork_rng():
        for member in range(of.members):
            torch.manual_seed(seed * of.members + member)
            network = _network(torch, of, start)
            _train(torch, of, network, pieces, labels, Random(f"{seed} {member}"))
            # Recurrent layers are packed, everything else stays as it is.
            arrays = {name: value.detach().numpy().copy() for name, value in network.named_parameters(recurse=False)}
            layers = {name.removesuffix("_layer"): layer_array(layer) for name, layer in network.named_children()}
            members.append(arrays | layers)
            log.info("network %d of %d is trained", member + 1, of.members)
    return {name: np.stack([each[name] for each in members]) for name in members[0]}


def _network(torch: Any, of: LinkingNetwork, start: Any) -> Any:
    network = torch.nn.Module()
    network.words = torch.nn.Parameter(torch.as_tensor(start).clone())
    network.voices = torch.nn.Parameter(0.3 * torch.randn(len(of.speakers_ or []) + 2, of.speaker_size))
    with torch.no_grad():
        network.voices[NONE] = 0
    of.build(torch, network, 2 * of.hidden, len(of.people_ or []))
    width = start.shape[1] + of.speaker_size + of.more_width()
    network.add_module("forward_layer", torch_layer(torch, "lstm", width, of.hidden))
    network.add_module("backward_layer", torch_layer(torch, "lstm", width, of.hidden))
    return network


def _train(
    torch: Any,
    of: LinkingNetwork,
    network: Any,
    pieces: Sequence[EncodedSequence],
    labels: Sequence[Any],
    random: Random,
) -> None:
    """Adam on the cross-entropy over the mentions of a batch of scenes, with warm-up and linear decay."""
    places = [place for place, piece in enumerate(pieces) if len(piece.ends)]
    golds = [torch.as_tensor(each) for each in labels]
    optimizer = torch.optim.Adam(network.parameters(), lr=of.rate)
    steps = of.epochs * -(-len(places) // of.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / WARM_UP_STEPS) * (1 - step / (steps + 1))
    )
    network.train()
    for _ in range(of.epochs):
        for batch in _batches(pieces, places, of.batch, random):
            targets = [golds[place] for place in batch]
            scores, extra_loss = of.learning(
                torch, network, _states(torch, of, network, [pieces[p] for p in batch]), targets
            )
            optimizer.zero_grad()
            (torch.nn.functional.cross_entropy(scores, torch.cat(targets)) + extra_loss).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), MAX_GRADIENT_NORM)
            optimizer.step()
            schedule.step()


def _batches(
    pieces: Sequence[EncodedSequence], places: Sequence[int], size: int, random: Random
) -> Iterator[list[int]]:
    """Pieces of about the same length together, other ones in every epoch."""
    ordered = sorted(places, key=lambda place: len(pieces[place].words) + random.uniform(-LENGTH_JITTER, LENGTH_JITTER))
    batches = [ordered[start : start + size] for start in range(0, len(ordered), size)]
    random.shuffle(batches)
    return iter(batches)


def _states(torch: Any, of: LinkingNetwork, network: Any, batch: Sequence[EncodedSequence]) -> list[Any]:
    """The states of the recurrent layers at the mentions of each piece."""
    functional = torch.nn.functional
    sequences = []
    for piece in batch:
        words = functional.embedding(_with_unknown(torch, piece.words, WORD_DROPOUT), network.words)
        said_by = _with_unknown(torch, piece.voices, SPEAKER_DROPOUT)
        voices = functional.embedding(said_by, network.voices, padding_idx=NONE).sum(1)
        whole = torch.cat([words, voices, *of.more_learning(torch, network, piece)], 1)
        sequences.append(functional.dropout(whole, INPUT_DROPOUT))
    lengths = torch.tensor([len(each) for each in sequences])
    padded = torch.nn.utils.rnn.pad_sequence(sequences)
    states = torch_bidirectional(torch, network.forward_layer, network.backward_layer, padded, lengths)
    return [states[torch.as_tensor(piece.ends), place] for place, piece in enumerate(batch)]


def _with_unknown(torch: Any, rows: Any, share: float) -> Any:
    """Rows with some of them made UNKNOWN, so that there is something to learn of what is not known."""
    ids = torch.as_tensor(rows)
    return torch.where((torch.rand(ids.shape) < share) & (ids > UNKNOWN), UNKNOWN, ids)
