"""Teaching which reply fits: the upper half of the encoder and a small head over it, with torch.

Every turn of a batch is encoded once and serves as context and as reply, so that a dialogue of many turns costs no more
than its turns. The other replies of the batch are the false ones, but for those of the same dialogue.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..encode import encoder, layers
from ..encode.files import arrays
from ..encode.half import WIDTH, in_float, quantised
from ..errors import NeedsExtra
from .turns import BACK, NEAR, NOBODY, SHORTEST, Pairs, in_order, pieces

log = logging.getLogger(__name__)
NARROW, INNER = 128, 512
HEAD_RATE = 1e-3
WARM_UP = 35
DECAY = 0.01
TOKENS = 4500
EXAMPLES_A_DIALOGUE = 16
BUCKETS = 4
BATCHES_AHEAD = 16
NEVER = -1e4
LOGGED = 50
Taught = tuple[dict[str, Any], dict[str, Any]]


class Course(NamedTuple):
    """How to teach: for `share` of all batches of the examples, at a `rate` that goes down evenly to `last` times
    itself; a reply to two turns counts `early` times.
    """

    rate: float
    last: float
    share: float
    early: float
    seed: int


def taught(found: Pairs, start: Taught | None, course: Course) -> Taught:
    """The upper half as it is stored and the arrays of the head."""
    torch = needed_torch()
    torch.manual_seed(course.seed)
    random = np.random.default_rng(course.seed)
    stored = arrays("upper.npz")
    upper, first = start or (stored, first_head(random))
    weights = {name: torch.tensor(array, requires_grad=True) for name, array in in_float(upper).items()}
    head = {name: torch.tensor(np.float32(array), requires_grad=True) for name, array in first.items()}
    ids = [pieces(text) for text in found.turns]
    passes = int(np.ceil(course.share))
    batches = [batch for _ in range(passes) for batch in _batches(found, ids, random)]
    batches = batches[: max(1, round(len(batches) * course.share / passes))]
    groups = [
        {"params": list(weights.values()), "lr": course.rate, "weight_decay": DECAY},
        {"params": list(head.values()), "lr": HEAD_RATE, "weight_decay": DECAY},
    ]
    optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / WARM_UP) * (1 - (1 - course.last) * step / len(batches))
    )
    every, losses = [*weights.values(), *head.values()], []
    for step, (batch, rows) in enumerate(_with_states(batches, ids, found)):
        loss = _loss(torch, weights, head, found, batch, rows, course.early)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(every, 1.0)
        optimiser.step()
        schedule.step()
        losses.append(loss.item())
        if step % LOGGED == LOGGED - 1:
            log.info("batch %d of %d: loss %.4f", step + 1, len(batches), np.mean(losses[-LOGGED:]))
    return _stored(weights, stored), _plain(head)


def _stored(weights: Any, stored: Any) -> dict[str, Any]:
    return quantised({name: each.detach().numpy() for name, each in weights.items()}, stored)


def _plain(head: Any) -> dict[str, Any]:
    return {name: each.detach().numpy().astype(np.float16) for name, each in head.items()}


def needed_torch() -> Any:
    """torch, or a sentence that says how to get it."""
    try:
        import torch
    except ImportError:
        raise NeedsExtra("Training this model", "train") from None
    return torch


def first_head(random: Any) -> dict[str, Any]:
    """A head that changes nothing yet: a context is the sum of its turns, a reply what the encoder says of it."""
    turned = np.linalg.qr(random.normal(size=(WIDTH, WIDTH)))[0][:, :NARROW]
    started = {
        "newest": np.zeros((WIDTH, WIDTH)),
        "second": np.zeros((WIDTH, WIDTH)),
        "older": np.zeros((WIDTH, WIDTH)),
        "reply": np.zeros((WIDTH, WIDTH)),
        "inner": random.normal(size=(2 * WIDTH, INNER)) / np.sqrt(2 * WIDTH),
        "inner_bias": np.zeros(INNER),
        "outer": np.zeros((INNER, WIDTH)),
        "narrow": turned,
        "weigh": np.zeros(WIDTH),
        "fade": np.full(NEAR, -3.0),
        "scales": np.log([16.0, 4.0, 4.0]),
    }
    return {name: array.astype(np.float32) for name, array in started.items()}


def _batches(found: Pairs, ids: list[list[int]], random: Any) -> Iterator[Any]:
    """Examples of whole dialogues, as many as have TOKENS together; the shortest replies teach nothing."""
    long = np.array([len(each) >= SHORTEST + 2 for each in ids])
    taken = long[found.reply] & (found.before[:, 0] >= 0)
    of_group: dict[int, list[int]] = {}
    for row in in_order(found):
        if taken[row]:
            of_group.setdefault(int(found.group[row]), []).append(row)
    chunks = [
        rows[start : start + EXAMPLES_A_DIALOGUE]
        for rows in of_group.values()
        for start in range(0, len(rows), EXAMPLES_A_DIALOGUE)
    ]
    batch: list[int] = []
    seen: set[int] = set()
    tokens = 0
    for place in random.permutation(len(chunks)):
        batch += chunks[place]
        new = {*found.before[chunks[place]].ravel().tolist(), *found.reply[chunks[place]].tolist()} - seen - {NOBODY}
        seen |= new
        tokens += sum(len(ids[turn]) for turn in new)
        if tokens >= TOKENS:
            yield np.array(batch)
            batch, seen, tokens = [], set(), 0
    if len(chunks) and batch:
        yield np.array(batch)


def _with_states(batches: list[Any], ids: list[list[int]], found: Pairs) -> Iterator[tuple[Any, dict[int, Any]]]:
    """Each batch with what the lower half says of its turns, made for several batches at a time."""
    for start in range(0, len(batches), BATCHES_AHEAD):
        some = batches[start : start + BATCHES_AHEAD]
        turns = sorted({turn for batch in some for turn in _turns(found, batch).tolist()})
        rows: dict[int, Any] = {}
        for places, hidden in encoder().lower_states([ids[turn] for turn in turns]):
            rows |= {turns[place]: states for place, states in zip(places, hidden, strict=True)}
        for batch in some:
            yield batch, rows


def _turns(found: Pairs, batch: Any) -> Any:
    both = np.concatenate([found.before[batch].ravel(), found.reply[batch]])
    return np.unique(both[both >= 0])


def _loss(torch: Any, weights: Any, head: Any, found: Pairs, batch: Any, rows: dict[int, Any], early: float) -> Any:
    turns = _turns(found, batch)
    place = np.full(turns.max() + 2, -1)
    place[turns] = np.arange(len(turns))
    vectors, tokens, lengths = _encoded(torch, weights, [rows[turn] for turn in turns])
    before, reply = place[found.before[batch]], place[found.reply[batch]]
    columns, own = np.unique(reply, return_inverse=True)
    scores = _scores(torch, head, vectors, tokens, lengths, torch.from_numpy(before), torch.from_numpy(columns))
    scores = scores.masked_fill(torch.from_numpy(_same(found, batch, before, columns, own)), NEVER)
    right = torch.from_numpy(own)
    counts = torch.tensor([1.0, early, (1 + early) / 2, *[1.0] * (BACK - 3)])
    weight = counts[torch.from_numpy((before >= 0).sum(1) - 1)]
    each = torch.arange(len(batch))
    both = torch.log_softmax(scores, 1)[each, right] + torch.log_softmax(scores, 0)[each, right]
    return -(both * weight).sum() / weight.sum() / 2


def _same(found: Pairs, batch: Any, before: Any, columns: Any, own: Any) -> Any:
    """Where a reply belongs to the example's own dialogue, or stands in its context, and is not its own."""
    groups, group = np.unique(found.group[batch], return_inverse=True)
    member = np.zeros((len(groups), len(columns)), bool)
    member[group, own] = True
    same = member[group] | (columns[None, None] == before[:, :, None]).any(1)
    same[np.arange(len(batch)), own] = False
    return same


def _encoded(torch: Any, weights: Any, states: list[Any]) -> tuple[Any, Any, Any]:
    """A vector each of length 1, the tokens of all in one block without those of the marks, and how many each has.

    Texts of about the same length go through the half together.
    """
    lengths = np.array([len(each) for each in states])
    order = np.argsort(lengths, kind="stable")
    vectors, tokens = [], []
    for some in np.array_split(order, BUCKETS):
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


def _scores(torch: Any, head: Any, vectors: Any, tokens: Any, lengths: Any, before: Any, columns: Any) -> Any:
    """How well each reply of the columns fits each context."""
    normalize = torch.nn.functional.normalize
    asked = normalize(_context(torch, head, vectors, before), dim=-1)
    offered = normalize(vectors[columns] + vectors[columns] @ head["reply"], dim=-1)
    scales = head["scales"].exp()
    forth, back = _by_tokens(torch, head, tokens, lengths, before, columns)
    return scales[0] * asked @ offered.T + scales[1] * forth + scales[2] * back


def _context(torch: Any, head: Any, vectors: Any, before: Any) -> Any:
    """The sum of the turns, and what the head makes of the newest, the one before and the older ones."""
    known = (before >= 0).float()[..., None]
    said = vectors[before.clamp(min=0)] * known
    newest, second = said[:, 0], said[:, 1]
    older = said[:, 2:].sum(1) / known[:, 2:].sum(1).clamp(min=1)
    inner = torch.nn.functional.gelu(torch.cat([newest, second], 1) @ head["inner"] + head["inner_bias"])
    mapped = newest @ head["newest"] + second @ head["second"] + older @ head["older"] + inner @ head["outer"]
    return said.sum(1) + mapped


def _by_tokens(torch: Any, head: Any, tokens: Any, lengths: Any, before: Any, columns: Any) -> tuple[Any, Any]:
    """How like the tokens of a reply are to the likest of the last turns, and the other way round."""
    block, order = tokens
    sizes = lengths[order]
    weight = torch.nn.functional.softplus(block @ head["weigh"])
    owner = torch.repeat_interleave(torch.arange(len(sizes)), sizes)
    total = torch.zeros(len(sizes)).index_add(0, owner, weight)
    weight = weight / total[owner]
    narrow = torch.nn.functional.normalize(block @ head["narrow"], dim=-1)
    likeness = torch.segment_reduce(narrow @ narrow.T, "max", lengths=sizes, axis=0, unsafe=True, initial=-1.0)
    rank = torch.argsort(order)
    fade = torch.nn.functional.softplus(head["fade"])
    places = rank[before[:, :NEAR].clamp(min=0)]
    absent = (before[:, :NEAR] < 0).float() * 2
    of_reply = rank[columns]
    gathered = likeness[places] - (absent + fade * torch.tensor([0.0, 1.0, 1.0]))[..., None]
    forth = _summed(torch, gathered.amax(1) * weight, owner, len(sizes))[:, of_reply]
    between = _summed(torch, likeness * weight, owner, len(sizes))
    back = between[of_reply][:, places]
    share = torch.exp(-fade) * (before[:, :NEAR] >= 0)
    return forth, (back * (share / share.sum(1, keepdim=True))[None]).sum(-1).T


def _summed(torch: Any, values: Any, owner: Any, count: int) -> Any:
    return torch.zeros(len(values), count).index_add(1, owner, values)
