"""Permanent ids: the same for the same first message, and leading on after a split or a merge."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from hubbub.archive import schema
from hubbub.archive.adding import ThreadedMessage, add, source
from hubbub.archive.conversation_ids import new_id
from hubbub.archive.conversation_lookup import find_conversation
from hubbub.archive.conversations_from_links import regroup
from hubbub.archive.housekeeping import check
from hubbub.archive.store import ArchiveStore
from hubbub.chat import Message
from hubbub.errors import UnknownName

from .conftest import Home

FIRST = datetime(2024, 3, 1, 21, 0)
FIELDS = ("net", "#porch", "2024-03-01T21:00:00", "ada", "hello")


def test_an_id_is_short_the_same_every_time_and_longer_where_it_is_taken() -> None:
    one = new_id(*FIELDS, lambda _: False)
    assert one == new_id(*FIELDS, lambda _: False)
    assert one.startswith("c-")
    assert len(one) == 7
    longer = new_id(*FIELDS, {one}.__contains__)
    assert longer.startswith(one)
    assert len(longer) == 8
    taken: set[str] = set()
    for _ in range(20):
        taken.add(new_id(*FIELDS, taken.__contains__))
    assert len(taken) == 20


def talk(archive: ArchiveStore, *back: int) -> list[str]:
    """Messages that reply to so many messages back; returns their conversations."""
    said = [Message(str(i), FIRST + timedelta(minutes=i), "ada", f"line {i}") for i in range(len(back))]
    list(add(archive, "#porch", "irssi", [ThreadedMessage(m, (b,), (1.0,)) for m, b in zip(said, back, strict=True)]))
    return ids(archive)


def ids(archive: ArchiveStore) -> list[str]:
    return [each.conversation_id for each in archive.kept("order by m.ordinal")]


def relink(archive: ArchiveStore, message: int, parent: int) -> None:
    """What an annotator says counts before everything else."""
    with archive.transaction() as engine:
        human = source(archive, "human", "annotator")
        engine.execute("delete from replies where message_id = :id and source_id = :human", id=message, human=human)
        archive.insert(schema.replies, [(message, parent, human, 1.0)])
        regroup(archive, 1, {message})


def test_after_a_split_and_a_merge_old_ids_lead_to_where_messages_went(home: Home) -> None:
    with ArchiveStore(home / "a.db", create=True) as archive:
        one, _, _, other, _ = talk(archive, 0, 1, 1, 0, 1)
        relink(archive, 3, 3)  # split: the third message starts a conversation
        a, b, c, d, e = ids(archive)
        assert a == b == one != c
        assert d == e == other
        assert find_conversation(archive, one).moved == (c,)
        relink(archive, 4, 3)  # merge: the fourth replies to the third
        assert ids(archive) == [one, one, c, c, c]
        assert find_conversation(archive, other).id == c
        relink(archive, 3, 2)  # merged into the first again
        assert ids(archive) == [one] * 5
        assert {find_conversation(archive, id).id for id in (one, c, other)} == {one}
        assert find_conversation(archive, one).moved == ()
        relink(archive, 4, 4)
        assert ids(archive)[3] != one
        assert check(archive) == []


def test_ids_survive_indexing_again_and_are_the_same_in_another_archive(home: Home) -> None:
    with ArchiveStore(home / "a.db", create=True) as archive, ArchiveStore(home / "b.db", create=True) as other:
        before = talk(archive, 0, 1, 0, 1)
        assert talk(archive, 0, 1, 0, 1) == before
        assert talk(other, 0, 1, 0, 1) == before


def test_an_unknown_id_is_said_with_those_near_it(home: Home) -> None:
    with ArchiveStore(home / "a.db", create=True) as archive:
        (one,) = talk(archive, 0)
        assert find_conversation(archive, one.removeprefix("c-").upper()).id == one
        with pytest.raises(UnknownName, match=one):
            find_conversation(archive, f"{one}zzz")
