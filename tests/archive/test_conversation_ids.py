"""Permanent ids: the same for the same first message, and leading on after a split or a merge."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from itertools import islice

import pytest

from hubbub.archive import schema
from hubbub.archive.adding import ThreadedMessage, add, source
from hubbub.archive.conversation_ids import conversation_ids
from hubbub.archive.conversation_lookup import find_conversation
from hubbub.archive.conversations_from_links import regroup
from hubbub.archive.housekeeping import check, remove_channel
from hubbub.archive.store import ArchiveStore
from hubbub.chat import Message
from hubbub.errors import UnknownName

from .conftest import Home

FIRST = datetime(2024, 3, 1, 21, 0)
FIELDS = ("net", "#porch", "2024-03-01T21:00:00", "ada", "hello")


def test_an_id_is_the_same_every_time_and_another_one_where_it_is_taken() -> None:
    one = next(conversation_ids(*FIELDS))
    assert one == next(conversation_ids(*FIELDS))
    assert one.startswith("c-")
    assert len(one) == 12
    first = list(islice(conversation_ids(*FIELDS), 20))
    assert first[1].startswith(one)
    assert len(set(first)) == 20
    assert next(conversation_ids(*FIELDS, 1)) not in first[:7]


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
        assert ids(archive) == [one, one, one, other, other], "it starts with the same message again"
        assert find_conversation(archive, c).id == one
        assert find_conversation(archive, one).moved == (other,)
        assert check(archive) == []


def said_once(text: str, minute: int) -> Message:
    return Message("0", FIRST + timedelta(minutes=minute), "ada", text)


@pytest.mark.parametrize("seed", range(3))
def test_every_id_ever_shown_leads_to_the_conversation_that_has_its_first_message(home: Home, seed: int) -> None:
    """Under random merges and splits; all messages that ever were in a conversation are in those it names."""
    chance, count = random.Random(seed), 12
    with ArchiveStore(home / "a.db", create=True) as archive:
        talk(archive, *(chance.choice((0, 1, 2)) if i > 1 else 0 for i in range(count)))
        ever: dict[str, set[int]] = {}
        for _ in range(60):
            relink(archive, message := chance.randint(1, count), chance.randint(1, message))
            place = dict(enumerate(ids(archive), 1))
            for number, id in place.items():
                ever.setdefault(id, set()).add(number)
            for id, members in ever.items():
                found = find_conversation(archive, id)
                assert found.id == place[min(members)]
                assert {found.id, *found.moved} >= {place[number] for number in members}
        assert check(archive) == []
        with ArchiveStore(home / "b.db", create=True) as other:
            back = [number - min(members) for number, members in _members(archive).items()]
            assert talk(other, *back) == ids(archive), "ids do not depend on what happened before"


def _members(archive: ArchiveStore) -> dict[int, set[int]]:
    """Message -> all messages of its conversation."""
    place = dict(enumerate(ids(archive), 1))
    return {number: {other for other, id in place.items() if id == place[number]} for number in place}


def test_equal_first_messages_have_ids_that_do_not_depend_on_the_order_of_adding(home: Home) -> None:
    days = [[said_once("hello?", 1440 * day + minute) for minute in (0, 0, 1)] for day in range(2)]
    with ArchiveStore(home / "a.db", create=True) as archive, ArchiveStore(home / "b.db", create=True) as other:
        for place, parts in ((archive, days), (other, days[::-1])):
            for part in parts:
                list(add(place, "#porch", "irssi", [ThreadedMessage(each, (0,), (1.0,)) for each in part]))
        assert ids(archive) == ids(other)
        assert len(set(ids(archive))) == 6


def test_a_removed_channel_takes_its_former_ids_along(home: Home) -> None:
    with ArchiveStore(home / "a.db", create=True) as archive:
        talk(archive, 0, 0, 0)
        relink(archive, 2, 1)
        relink(archive, 3, 1)
        assert archive.number("select count(*) from redirects") == 2
        remove_channel(archive, "#porch")
        assert archive.number("select count(*) from redirects") == 0
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
        assert find_conversation(archive, one[:7]).id == one, "the beginning of an id is enough"
        for wrong in (f"{one}zzz", "c-", one[:4]):
            with pytest.raises(UnknownName, match=one):
                find_conversation(archive, wrong)
