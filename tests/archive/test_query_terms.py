"""The words of a question that tell something, and who has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hubbub.archive.adding import ThreadedMessage, add
from hubbub.archive.query_terms import telling_words
from hubbub.archive.store import ArchiveStore
from hubbub.chat import Kind, Message

from .conftest import Home
from .test_store import START, filled


def test_common_words_do_not_count_where_rare_ones_are(home: Home) -> None:
    with filled(home / "a.db", 4000) as archive:
        terms = telling_words(archive, "number 1233 about kettles")
        assert terms.listed == ["1233"]
        assert terms.share(terms.of([1234, 1235])) == 1.0
        assert terms.share(terms.of([1235, 999_999])) == 0.0
        assert telling_words(archive, "about kettles").listed == ["about", "kettles"]
        assert telling_words(archive, "xylophone").listed == []


def test_words_that_nobody_said_count_as_missing(home: Home) -> None:
    with filled(home / "a.db", 4000) as archive:
        half = telling_words(archive, "1233 xylophone")
        assert half.listed == ["1233"]
        assert half.share(half.of([1234])) == pytest.approx(0.5)


def said(path: str | Path, *texts: str, kind: Kind = "message") -> ArchiveStore:
    """An archive of messages that answer nobody."""
    archive = ArchiveStore(path, create=True)
    lines = [ThreadedMessage(Message(str(i), START, "ann", text, kind), (0,), ()) for i, text in enumerate(texts)]
    list(add(archive, "#house", "irssi", lines))
    return archive


def test_what_has_more_and_rarer_words_in_fewer_comes_first(home: Home) -> None:
    texts = ["the kettle leaks again, it seems", "the kettle leaks", "a kettle", "kettle and teapot"]
    with said(home / "a.db", *texts, *["the roof leaks if it rains"] * 5, "nothing of it") as archive:
        terms = telling_words(archive, "kettle leaks")
        assert [id for _, id in terms.nearest(archive, 3, None)] == [2, 1, 3]
        assert len(terms.nearest(archive, 99, None)) == 9
        assert telling_words(archive, "harpsichord").nearest(archive, 5, None) == []


def test_only_what_is_reachable_and_said_by_people_is_near(home: Home) -> None:
    with said(home / "a.db", "the kettle leaks", "the kettle is fine") as archive:
        terms = telling_words(archive, "kettles")
        assert terms.listed == ["kettles"], "stems are found, words are kept"
        assert terms.nearest(archive, 5, np.array([2])) == [(2, 2)]
        with said(home / "b.db", "kettle joined", kind="system") as quiet:
            assert telling_words(quiet, "kettle").nearest(quiet, 5, None) == []


def test_messages_that_come_meanwhile_are_not_known(home: Home) -> None:
    with said(home / "a.db", "the kettle leaks") as archive:
        terms = telling_words(archive, "kettle")
        list(add(archive, "#garden", "irssi", [ThreadedMessage(Message("9", START, "bo", "kettle"), (0,), ())]))
        assert terms.of([1, 2]) == [1, 0]
