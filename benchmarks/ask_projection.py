"""Trains the static encoder of archive/answers: python benchmarks/ask_projection.py --in ARCHIVE --out FOLDER

ARCHIVE holds the Ubuntu logs. Of 1 to 18 January 2013, messages and what others say next in the same conversation are
pairs (in-batch softmax); similarities within a batch are distilled from the sentence encoder. Needs torch.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from hubbub.archive.confidence import DIMENSIONS, AnswerModel, bundled_model
from hubbub.archive.store import ArchiveStore
from hubbub.ml.encoder import encoder, static_vectors, tokenizer

LAST_DAY = "2013-01-18"
LEAST_PIECES, MAX_PIECES, AHEAD, REPLIES = 6, 64, 7, 2
BATCH, EPOCHS, TEACHER_SCALE, SMOOTHING = 512, 4, 20.0, 1e-3


def texts_and_pairs(archive: ArchiveStore) -> tuple[list[str], list[tuple[int, int]]]:
    """The texts, and which of them answer which."""
    rows = archive.rows(
        "select conversation_id, author, text from messages where kind <> 'system' and conversation_id is not null"
        " and substr(time, 1, 10) <= :last order by ordinal",
        last=LAST_DAY,
    )
    texts = [row[2] for row in rows]
    long = [len(tokenizer().ids(text, MAX_PIECES)) >= LEAST_PIECES for text in texts]
    talks: dict[int, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        talks[row[0]].append(place)
    pairs = []
    for talk in talks.values():
        for at, place in enumerate(talk):
            after = [p for p in talk[at + 1 : at + 1 + AHEAD] if rows[p][1] != rows[place][1] and long[p]]
            pairs += [(place, p) for p in after[:REPLIES] if long[place]]
    return texts, pairs


def train(texts: list[str], pairs: list[tuple[int, int]]) -> tuple[Any, Any]:
    """The weight of each word piece, and the projection."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    draw, vectors = np.random.default_rng(0), torch.tensor(np.array(static_vectors()))
    pieces = [tokenizer().ids(text, MAX_PIECES) or [0] for text in texts]
    counts = np.bincount(np.concatenate(pieces), minlength=len(vectors))
    start = np.log(SMOOTHING / (SMOOTHING + counts / counts.sum()))
    weights = torch.nn.Parameter(torch.tensor(start, dtype=torch.float32))
    directions = torch.linalg.svd(vectors[torch.tensor(counts > 5)], full_matrices=False)[2]
    projection = torch.nn.Parameter(directions[:DIMENSIONS].T.contiguous())
    scale = torch.nn.Parameter(torch.tensor(3.0))
    groups = [{"params": [projection], "lr": 1e-3}, {"params": [weights, scale], "lr": 1e-2}]
    optimizer = torch.optim.Adam(groups)

    def encode(places: Any) -> Any:
        listed = [pieces[place] for place in places]
        flat, starts = torch.tensor(np.concatenate(listed)), np.cumsum([0, *map(len, listed[:-1])])
        bags = functional.embedding_bag(
            flat, vectors, torch.tensor(starts), mode="sum", per_sample_weights=torch.exp(weights[flat])
        )
        return functional.normalize(bags @ projection, dim=1)

    table, itself = np.array(pairs), 1e9 * torch.eye(BATCH)
    for _ in range(EPOCHS):
        for batch in np.array_split(draw.permutation(len(table)), len(table) // BATCH):
            asked, replies = encode(table[batch, 0]), encode(table[batch, 1])
            scores, own = torch.exp(scale) * asked @ replies.T, torch.arange(len(batch))
            loss = (functional.cross_entropy(scores, own) + functional.cross_entropy(scores.T, own)) / 2
            chosen = draw.integers(0, len(texts), BATCH)
            taught, given = torch.tensor(encoder().encode([texts[place] for place in chosen])), encode(chosen)
            loss = loss + functional.kl_div(
                torch.log_softmax(torch.exp(scale) * given @ given.T - itself, 1),
                torch.softmax(TEACHER_SCALE * taught @ taught.T - itself, 1),
                reduction="batchmean",
            )
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
    return torch.exp(weights).detach().numpy(), projection.detach().numpy()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--in", dest="archive", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    with ArchiveStore(arguments.archive) as archive:
        weights, projection = train(*texts_and_pairs(archive))
    model: AnswerModel = replace(
        bundled_model(), piece_weights=weights.astype(np.float16), projection=projection.astype(np.float16)
    )
    model.save(arguments.out, dataset="ubuntu-logs:train", notes={"recipe": "archive.toml"})


if __name__ == "__main__":
    main()
