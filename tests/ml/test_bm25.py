"""Okapi BM25."""

from __future__ import annotations

import pytest

from hubbub.ml.bm25 import length_norm, term_score


def test_bm25_saturates_and_discounts_long_texts() -> None:
    norms = [length_norm(length, 10) for length in (5, 10, 20)]
    assert norms == sorted(norms)
    assert norms[1] == pytest.approx(1.2)
    once, twice = term_score(2.0, 1, norms[1]), term_score(2.0, 2, norms[1])
    assert once == pytest.approx(2.0)
    assert once < twice < 2 * once
