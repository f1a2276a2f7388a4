"""Features from link counts: how often each candidate was meant before by such words, speakers and episodes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .link_counts import context_words, key, relation_key, scenes_key, story_key
from .window import HE_KIND, NAME
from .window_arrays import Array, CandidateMatrix

WORD_KEYS = (
    "words", "story words", "speaker words", "speaker story words", "head", "story head", "phrase", "speaker phrase",
)  # fmt: skip
KIND_KEYS = ("kind", "story kind", "speaker kind", "speaker story kind")


def link_count_features(table: CandidateMatrix) -> Mapping[str, Array]:
    """Shares and counts of earlier links by the words of the mention, its speaker and the episode."""
    story, number = table.window.scene.episode, table.candidates.number
    link_counts, (count, people) = table.link_counts, table.shape
    shares = {name: np.full(table.shape, -2.0, np.float32) for name in (*WORD_KEYS, *KIND_KEYS, "kin", "context")}
    times = {name: np.zeros(table.shape, np.float32) for name in ("words", "story words", "speaker story kind")}
    totals = np.zeros((2, count), np.float32)
    nothing = np.full(people, -1, np.float32), np.zeros(people, np.float32), 0
    cached: dict[int, tuple[Array, Array, int]] = {}

    def row(place: int) -> tuple[Array, Array, int]:
        if place in cached:
            return cached[place]
        counts = link_counts.of(place)
        if not counts:
            return nothing
        # Loops over the smaller of the two: the candidates, or the people that were counted.
        if len(counts) > people:
            counted = np.array([counts.get(person, 0) for person in table.candidates.ids], np.float32)
        else:
            counted = np.zeros(people, np.float32)
            counted[[number.get(person, 0) for person in counts]] = list(counts.values())
        counted[0], total = 0, sum(counts.values())
        cached[place] = (counted / total, counted, total)
        return cached[place]

    if link_counts.counts:
        for place, mention in enumerate(table.window.mentions):
            for name, at in table.candidates.keys[place].items():
                shares[name][place], counted, total = row(at)
                if name in times:
                    times[name][place] = counted
                if name in ("words", "story words"):
                    totals[int(name != "words"), place] = total
            # Relatives: who was meant by this noun when the same person owned it.
            if mention.kind >= NAME:
                owner = (
                    table.candidates.turns[mention.turn][0]
                    if mention.owner_at < 0 or mention.before in ("my", "our")
                    else 0
                )
                shares["kin"][place] = row(relation_key(table.candidates.ids[owner], mention.head))[0] if owner else -2
            if mention.kind >= HE_KIND:
                rows = [row(key("context", story, word)) for word in context_words(table.window, mention)]
                shares["context"][place] = sum((each[0] for each in rows if each[2]), np.zeros(people, np.float32))
    story_count, story_total = row(story_key(story))[1:]
    return {
        **{f"memory {name}": values for name, values in shares.items()},
        **{f"times {name}": np.log1p(values) for name, values in times.items()},
        "words known": totals[0][:, None],
        "story words known": totals[1][:, None],
        "surest": shares["words"].max(1, keepdims=True),
        "story known": np.full((1, 1), story_total, np.float32),
        "story share": (story_count / max(1.0, story_total))[None],
        "story times": np.log1p(story_count)[None],
        "story scenes": np.log1p(row(scenes_key(story))[1])[None],
    }
