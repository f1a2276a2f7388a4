"""Fine-tuning of the encoder's upper half and a small head for reply ranking, with torch.

Every turn of a batch is encoded once and serves as context and as reply, so that the cost of a dialogue is linear in
its turns. The other replies of the batch are the negatives, except those of the same dialogue.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ...ml.calibration import MASKED_LOGIT
from ...ml.encoder import encoder
from ...ml.encoder import torch_layers as layers
from ...ml.encoder.files import arrays
from ...ml.encoder.half_encoder import WIDTH, dequantised, quantised
from ...ml.torch_import import torch_or_error
from ...ml.types import Array, Tensor, Tensors
from ..features.turns import MAX_TURNS, MIN_REPLY_TOKENS, NO_TURN, TOKEN_TURNS, EncodedExamples, dialogue_order, pieces

log = logging.getLogger(__name__)
TOKEN_WIDTH = 128  # as in ColBERT (Khattab and Zaharia 2020); a third of the encoder's width
HEAD_HIDDEN = 512
HEAD_RATE = 1e-3  # the head starts from scratch and needs a higher rate than the encoder
WARM_UP_STEPS = 35  # Adam estimates the second moments meanwhile
WEIGHT_DECAY = 0.01  # the default of AdamW
TOKENS_PER_BATCH = 4500  # bounds memory; examples of a batch are each other's negatives
EXAMPLES_PER_DIALOGUE = 16  # long dialogues would fill a batch with excluded negatives
LENGTH_BUCKETS = 4  # saves padding
BATCHES_AHEAD = 16  # the lower half runs on many turns at once
LOG_INTERVAL = 50
EncoderAndHead = tuple[dict[str, Any], dict[str, Any]]


class FineTuningSettings(NamedTuple):
    """Training for `epochs` epochs, or part of one, with a learning rate that decays linearly to `final_rate_factor`
    times itself; a reply to two turns has the weight `early_reply_weight`.
    """

    rate: float
    final_rate_factor: float
    epochs: float
    early_reply_weight: float
    seed: int


def fine_tune(found: EncodedExamples, start: EncoderAndHead | None, settings: FineTuningSettings) -> EncoderAndHead:
    """The upper half as it is stored and the arrays of the head."""
    torch = torch_or_error()
    torch.manual_seed(settings.seed)
    random = np.random.default_rng(settings.seed)
    stored = arrays("upper.npz")
    upper, first = start or (stored, initial_head(random))
    weights = {name: torch.tensor(array, requires_grad=True) for name, array in dequantised(upper).items()}
    head = {name: torch.tensor(np.float32(array), requires_grad=True) for name, array in first.items()}
    ids = [pieces(text) for text in found.turns]
    passes = int(np.ceil(settings.epochs))
    batches = [batch for _ in range(passes) for batch in _batches(found, ids, random)]
    batches = batches[: max(1, round(len(batches) * settings.epochs / passes))]
    groups = [
        {"params": list(weights.values()), "lr": settings.rate, "weight_decay": WEIGHT_DECAY},
        {"params": list(head.values()), "lr": HEAD_RATE, "weight_decay": WEIGHT_DECAY},
    ]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: (
            min(1.0, (step + 1) / WARM_UP_STEPS) * (1 - (1 - settings.final_rate_factor) * step / len(batches))
        ),
    )
    every, losses = [*weights.values(), *head.values()], []
    for step, (batch, rows) in enumerate(_with_states(batches, ids, found)):
        loss = _loss(torch, weights, head, found, batch, rows, settings.early_reply_weight)
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(every, 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if step % LOG_INTERVAL == LOG_INTERVAL - 1:
            log.info("batch %d of %d: loss %.4f", step + 1, len(batches), np.mean(losses[-LOG_INTERVAL:]))
    trained = quantised({name: each.detach().numpy() for name, each in weights.items()}, stored)
    return trained, {name: each.detach().numpy().astype(np.float16) for name, each in head.items()}


def initial_head(random: np.random.Generator) -> dict[str, Array]:
    """The initial head: a context is the sum of its turns, a reply its own vector."""
    turned = np.linalg.qr(random.normal(size=(WIDTH, WIDTH)))[0][:, :TOKEN_WIDTH]
    started = {
        "newest": np.zeros((WIDTH, WIDTH)),
        "second": np.zeros((WIDTH, WIDTH)),
        "older": np.zeros((WIDTH, WIDTH)),
        "reply": np.zeros((WIDTH, WIDTH)),
        "inner": random.normal(size=(2 * WIDTH, HEAD_HIDDEN)) / np.sqrt(2 * WIDTH),
        "inner_bias": np.zeros(HEAD_HIDDEN),
        "outer": np.zeros((HEAD_HIDDEN, WIDTH)),
        "narrow": turned,
        "weigh": np.zeros(WIDTH),
        "fade": np.full(TOKEN_TURNS, -3.0),
        "scales": np.log([16.0, 4.0, 4.0]),
    }
    return {name: array.astype(np.float32) for name, array in started.items()}


def _batches(found: EncodedExamples, ids: list[list[int]], random: np.random.Generator) -> Iterator[Array]:
    """Batches of whole dialogues of about TOKENS_PER_BATCH tokens; very short replies are left out."""
    long = np.array([len(each) >= MIN_REPLY_TOKENS + 2 for each in ids])
    usable = long[found.reply] & (found.before[:, 0] >= 0)
    of_group: dict[int, list[int]] = {}
    for row in dialogue_order(found):
        if usable[row]:
            of_group.setdefault(int(found.group[row]), []).append(row)
    chunks = [
        rows[start : start + EXAMPLES_PER_DIALOGUE]
        for rows in of_group.values()
        for start in range(0, len(rows), EXAMPLES_PER_DIALOGUE)
    ]
    batch: list[int] = []
    included: set[int] = set()
    tokens = 0
    for place in random.permutation(len(chunks)):
        batch += chunks[place]
        new = (
            {*found.before[chunks[place]].ravel().tolist(), *found.reply[chunks[place]].tolist()} - included - {NO_TURN}
        )
        included |= new
        tokens += sum(len(ids[turn]) for turn in new)
        if tokens >= TOKENS_PER_BATCH:
            yield np.array(batch)
            batch, included, tokens = [], set(), 0
    if len(chunks) and batch:
        yield np.array(batch)


def _with_states(
    batches: list[Array], ids: list[list[int]], found: EncodedExamples
) -> Iterator[tuple[Array, dict[int, Array]]]:
    """Each batch with the lower-half states of its turns, computed for several batches at a time."""
    for start in range(0, len(batches), BATCHES_AHEAD):
        some = batches[start : start + BATCHES_AHEAD]
        turns = sorted({turn for batch in some for turn in _turns(found, batch).tolist()})
        rows: dict[int, Array] = {}
        for places, hidden in encoder().lower_states([ids[turn] for turn in turns]):
            rows |= {turns[place]: states for place, states in zip(places, hidden, strict=True)}
        for batch in some:
            yield batch, rows


def _turns(found: EncodedExamples, batch: Array) -> Array:
    both = np.concatenate([found.before[batch].ravel(), found.reply[batch]])
    return np.unique(both[both >= 0])


def _loss(
    torch: ModuleType,
    weights: Tensors,
    head: Tensors,
    found: EncodedExamples,
    batch: Array,
    rows: Mapping[int, Array],
    early_weight: float,
) -> Tensor:
    turns = _turns(found, batch)
    place = np.full(turns.max() + 2, -1)
    place[turns] = np.arange(len(turns))
    vectors, tokens, lengths = _encoded(torch, weights, [rows[turn] for turn in turns])
    before, reply = place[found.before[batch]], place[found.reply[batch]]
    columns, own = np.unique(reply, return_inverse=True)
    scores = _scores(torch, head, vectors, tokens, lengths, torch.from_numpy(before), torch.from_numpy(columns))
    # In-batch negatives, except replies of the same dialogue: these may fit the context too.
    scores = scores.masked_fill(torch.from_numpy(_same(found, batch, before, columns, own)), MASKED_LOGIT)
    targets = torch.from_numpy(own)
    counts = torch.tensor([1.0, early_weight, (1 + early_weight) / 2, *[1.0] * (MAX_TURNS - 3)])
    weight = counts[torch.from_numpy((before >= 0).sum(1) - 1)]
    each = torch.arange(len(batch))
    # Symmetric: the reply among all replies, and the context among all contexts.
    both = torch.log_softmax(scores, 1)[each, targets] + torch.log_softmax(scores, 0)[each, targets]
    return -(both * weight).sum() / weight.sum() / 2


def _same(found: EncodedExamples, batch: Array, before: Array, columns: Array, own: Array) -> Array:
    """Where a reply belongs to the example's own dialogue, or stands in its context, and is not its own."""
    groups, group = np.unique(found.group[batch], return_inverse=True)
    member = np.zeros((len(groups), len(columns)), bool)
    member[group, own] = True
    same = member[group] | (columns[None, None] == before[:, :, None]).any(1)
    same[np.arange(len(batch)), own] = False
    return same


def _encoded(torch: ModuleType, weights: Tensors, states: list[Array]) -> tuple[Tensor, tuple[Tensor, Tensor], Tensor]:
    """A vector each of length 1, the tokens of all in one block without those of the marks, and how many each has.

    Texts of about the same length go through the half together.
    """
    lengths = np.array([len(each) for each in states])
    order = np.argsort(lengths, kind="stable")
    vectors, tokens = [], []
    for some in np.array_split(order, LENGTH_BUCKETS):
        if not len(some):
            continue
        hidden = torch.nn.utils.rnn.pad_sequence([torch.from_numpy(states[i]) for i in some], batch_first=True)
        sizes = torch.from_numpy(lengths[some])
        mask = torch.arange(hidden.shape[1])[None] < sizes[:, None]
        above = layers.half(weights, hidden, mask)
        vectors.append((above * (mask / sizes[:, None])[..., None]).sum(1))
        inside = mask.clone()
        inside[:, 0] = False
        inside[torch.arange(len(some)), sizes - 1] = False
        tokens.append(above[inside])
    back = torch.from_numpy(np.argsort(order, kind="stable"))
    normal = torch.nn.functional.normalize(torch.cat(vectors), dim=-1)
    return normal[back], (torch.cat(tokens), torch.from_numpy(order)), torch.from_numpy(lengths - 2)


def _scores(
    torch: ModuleType,
    head: Tensors,
    vectors: Tensor,
    tokens: tuple[Tensor, Tensor],
    lengths: Tensor,
    before: Tensor,
    columns: Tensor,
) -> Tensor:
    """How well each reply of the columns fits each context."""
    normalize = torch.nn.functional.normalize
    context_vectors = normalize(_context(torch, head, vectors, before), dim=-1)
    reply_vectors = normalize(vectors[columns] + vectors[columns] @ head["reply"], dim=-1)
    scales = head["scales"].exp()
    reply_to_context, context_to_reply = _by_tokens(torch, head, tokens, lengths, before, columns)
    return scales[0] * context_vectors @ reply_vectors.T + scales[1] * reply_to_context + scales[2] * context_to_reply


def _context(torch: ModuleType, head: Tensors, vectors: Tensor, before: Tensor) -> Tensor:
    """The sum of the turns, and what the head makes of the newest, the one before and the older ones."""
    known = (before >= 0).float()[..., None]
    turn_vectors = vectors[before.clamp(min=0)] * known
    newest, second = turn_vectors[:, 0], turn_vectors[:, 1]
    older = turn_vectors[:, 2:].sum(1) / known[:, 2:].sum(1).clamp(min=1)
    inner = torch.nn.functional.gelu(torch.cat([newest, second], 1) @ head["inner"] + head["inner_bias"])
    mapped = newest @ head["newest"] + second @ head["second"] + older @ head["older"] + inner @ head["outer"]
    return turn_vectors.sum(1) + mapped


def _by_tokens(
    torch: ModuleType, head: Tensors, tokens: tuple[Tensor, Tensor], lengths: Tensor, before: Tensor, columns: Tensor
) -> tuple[Tensor, Tensor]:
    """Token similarity: each token of a reply with the most similar one of the last turns, and the other way round."""
    block, order = tokens
    sizes = lengths[order]
    weight = torch.nn.functional.softplus(block @ head["weigh"])
    owner = torch.repeat_interleave(torch.arange(len(sizes)), sizes)
    total = torch.zeros(len(sizes)).index_add(0, owner, weight)
    weight = weight / total[owner]
    narrow = torch.nn.functional.normalize(block @ head["narrow"], dim=-1)
    # Late interaction (Khattab and Zaharia 2020, section 3.3): the most similar token of the other text for each token.
    similarity = torch.segment_reduce(narrow @ narrow.T, "max", lengths=sizes, axis=0, unsafe=True, initial=-1.0)
    rank = torch.argsort(order)
    turn_penalty = torch.nn.functional.softplus(head["fade"])
    places = rank[before[:, :TOKEN_TURNS].clamp(min=0)]
    absent = (before[:, :TOKEN_TURNS] < 0).float() * 2
    of_reply = rank[columns]
    gathered = similarity[places] - (absent + turn_penalty * torch.tensor([0.0, 1.0, 1.0]))[..., None]
    reply_to_context = _summed(torch, gathered.amax(1) * weight, owner, len(sizes))[:, of_reply]
    between = _summed(torch, similarity * weight, owner, len(sizes))
    context_to_reply = between[of_reply][:, places]
    share = torch.exp(-turn_penalty) * (before[:, :TOKEN_TURNS] >= 0)
    return reply_to_context, (context_to_reply * (share / share.sum(1, keepdim=True))[None]).sum(-1).T


def _summed(torch: ModuleType, values: Tensor, owner: Tensor, count: int) -> Tensor:
    return torch.zeros(len(values), count).index_add(1, owner, values)
