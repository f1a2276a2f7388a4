"""Okapi BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, section 3.4)."""

from __future__ import annotations

K1 = 1.2  # how fast repeated terms saturate; the authors recommend 1.2 to 2
B = 0.75  # how much long texts are discounted; the authors recommend 0.5 to 0.8


def length_norm(length: float, mean_length: float, k1: float = K1, b: float = B) -> float:
    """The part of the denominator that grows with a text: `k1` for one of mean length."""
    return k1 * (1 - b + b * length / mean_length)


def term_score(idf: float, count: int, norm: float, k1: float = K1) -> float:
    """What a term that stands `count` times in a text adds to its score."""
    return idf * count * (k1 + 1) / (count + norm)
