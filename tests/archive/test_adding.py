"""Adding chats in any order and with overlaps: nothing lost, nothing doubled, the same conversations."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hubbub.analysis import Analysis
from hubbub.archive.adding import ThreadedMessage, add
from hubbub.archive.archive import Archive
from hubbub.archive.day_batches import batches
from hubbub.archive.housekeeping import check, rethread
from hubbub.archive.store import ArchiveStore
from hubbub.archive.threading_units import affected, named_units
from hubbub.chat import Chat, Message
from hubbub.layers import Intent, Layers, Link, Mention, Person, ReplyGraph
from hubbub.relays import Relay, Relays
from hubbub.thread.predict import ThreadPredictor

from .conftest import Home

FIRST = datetime(2024, 3, 1, 22, 30)
TALK = (
    ("ada", "does anybody know how to oil a squeaking door?"),
    ("bo", "ada: use graphite, oil collects dust"),
    ("cy", "where do you buy green tea around here?"),
    ("ada", "bo: thanks, where do I get graphite?"),
    ("dee", "cy: the shop behind the station has some"),
    ("bo", "ada: a soft pencil will do"),
    ("cy", "dee: great, thank you"),
)


def day(number: int, count: int = 30, *, dated: bool = True) -> list[Message]:
    """An evening's talk that goes on past midnight, with a line without a time at its start and end."""
    said = []
    for i in range(count):
        author, text = TALK[i % len(TALK)]
        when = FIRST + timedelta(days=number, minutes=4 * i)
        if i % 5:
            text = f"{text} ({number}/{i})"
        time, clock = (when, None) if dated else (None, when.time())
        said.append(Message(str(i), time, author, text, clock=clock))
    if not dated:
        return said
    edge = Message("0", None, "eve", "eve is now known as eva", "system")
    return [edge, *said, edge._replace(text="eve is now known as evi")]


def snapshot(archive: ArchiveStore) -> tuple[list[object], set[frozenset[int]]]:
    """The messages in order, and the conversations as sets of their places."""
    rows = archive.rows("select time, clock, author, text, conversation_id from messages order by channel_id, ordinal")
    groups: dict[int, set[int]] = {}
    for place, row in enumerate(rows):
        if row[4] is not None:
            groups.setdefault(row[4], set()).add(place)
    return [tuple(row[:4]) for row in rows], {frozenset(group) for group in groups.values()}


def built(place: str | Path, parts: Sequence[Sequence[Message]]) -> tuple[list[object], set[frozenset[int]]]:
    threader = ThreadPredictor.of("thread/hubbub")
    with ArchiveStore(place, create=True) as archive:
        for part in parts:
            list(add(archive, "#porch", "irssi", part, threader=threader))
        assert check(archive) == []
        return snapshot(archive)


def test_days_in_any_order_and_with_overlaps_are_the_same(home: Home) -> None:
    days = [day(number) for number in range(4)]
    whole = [each for one in days for each in one]
    right = built(home / "whole.db", [whole])
    assert len(right[0]) == len(whole)
    assert built(home / "daily.db", days) == right
    assert built(home / "reverse.db", days[::-1]) == right
    assert built(home / "overlapping.db", [days[2] + days[3], days[0] + days[1], whole[20:90], whole]) == right
    assert built(home / "grown.db", [whole[:50], whole[:75], whole]) == right


def test_a_log_that_repeats_earlier_days_adds_them_once(home: Home) -> None:
    days = [day(number)[1:-1] for number in range(3)]
    right = built(home / "whole.db", [[*days[0], *days[1], *days[2]]])
    assert built(home / "repeated.db", [[*days[1], *days[0], *days[1]], days[2]]) == right


def test_conversations_go_on_across_midnight_and_across_runs(home: Home) -> None:
    said = [
        Message("0", datetime(2024, 3, 1, 23, 58), "ada", "does anybody know how to oil a squeaking door?"),
        Message("1", datetime(2024, 3, 2, 0, 1), "bo", "ada: use graphite, oil collects dust"),
    ]
    _, together = built(home / "a.db", [said[:1], said[1:]])
    assert together == {frozenset({0, 1})}


def test_undated_days_with_the_same_lines_are_different_days(home: Home) -> None:
    days = [day(number, dated=False) for number in (0, 1, 2)]
    daily = built(home / "daily.db", days)
    assert len(daily[0]) == 90
    assert built(home / "again.db", [*days, days[1], days[2][:12]]) == daily
    grown = built(home / "grown.db", [days[0][:10], days[0], days[1], days[2]])
    assert len(grown[0]) == 90
    assert all(max(group) // 30 == min(group) // 30 for group in daily[1]), "no conversation of two days"


def test_another_programs_export_of_the_same_channel_adds_what_is_missing(home: Home) -> None:
    """It has no seconds, other ids, no system lines, and starts later."""
    whole = day(0)
    other = [
        each._replace(id=f"$evt{place:012}", time=each.time and each.time.replace(second=0))
        for place, each in enumerate(whole)
        if each.kind != "system"
    ][5:]
    more = Message("$evtmore00000000", FIRST + timedelta(minutes=121), "flo", "only the bridge has this line")
    found, _ = built(home / "a.db", [whole, [*other, more]])
    assert len(found) == len(whole) + 1
    assert ("flo", "only the bridge has this line") in {row[2:] for row in found}  # type: ignore[index]


def test_the_same_words_at_another_time_are_not_the_same_message(home: Home) -> None:
    morning = [Message("0", datetime(2024, 3, 1, 8, 0), "ada", "good morning all of you")]
    evening = [Message("0", datetime(2024, 3, 1, 19, 0), "ada", "good morning all of you")]
    found, _ = built(home / "a.db", [evening, morning, evening])
    assert [row[0] for row in found] == ["2024-03-01T08:00:00", "2024-03-01T19:00:00"]  # type: ignore[index]


def test_a_corrected_export_keeps_the_earlier_text_as_a_version(home: Home) -> None:
    whole = day(0)
    fixed = [each._replace(text=each.text.replace("graphite", "graphite powder")) for each in whole]
    with ArchiveStore(home / "a.db", create=True) as archive:
        assert list(add(archive, "#porch", "irssi", whole)) == [(32, 32)]
        assert list(add(archive, "#porch", "irssi", fixed)) == [(32, 0)]
        assert archive.number("select count(*) from messages where text like '%graphite powder%'") > 0
        assert archive.number("select count(*) from versions where text like '%graphite%'") > 0
        assert archive.number("select count(*) from edited") > 0
        assert check(archive) == []


def test_a_last_line_that_was_being_written_is_completed(home: Home) -> None:
    whole = day(0)[1:-1]
    cut = [*whole[:9], whole[9]._replace(text=whole[9].text[:5])]
    with ArchiveStore(home / "a.db", create=True) as archive:
        assert list(add(archive, "#porch", "irssi", cut)) == [(10, 10)]
        assert list(add(archive, "#porch", "irssi", whole)) == [(30, 20)]
        assert [each.message.text for each in archive.kept("order by m.ordinal")] == [each.text for each in whole]


def test_an_edit_on_a_platform_is_a_version_of_the_same_message(home: Home) -> None:
    first = Message("1700000000.000100", FIRST, "ada", "the meeting is at nine")
    with ArchiveStore(home / "a.db", create=True) as archive:
        list(add(archive, "#porch", "slack", [first]))
        assert list(add(archive, "#porch", "slack", [first._replace(text="cancelled, sorry")])) == [(1, 0)]
        assert [each.message.text for each in archive.kept("")] == ["cancelled, sorry"]
        assert archive.rows("select text, change from versions") == [("the meeting is at nine", "edit")]


def test_platform_replies_are_links_with_their_source(home: Home) -> None:
    question = Message("1700000000.000100", FIRST, "ada", "who has the key?")
    answer = Message("1700000000.000200", FIRST + timedelta(hours=5), "bo", "me", reply_to=("1700000000.000100",))
    between = [
        Message(f"1700000000.1{i:05}", FIRST + timedelta(hours=1), "cy", f"line {i} of a list") for i in range(5)
    ]
    with ArchiveStore(home / "a.db", create=True) as archive:
        list(
            add(archive, "#porch", "slack", [question, *between, answer], threader=ThreadPredictor.of("thread/hubbub"))
        )
        kinds = archive.rows("select s.kind from replies r join sources s on s.id = r.source_id where r.message_id = 7")
        assert ("platform",) in [tuple(row) for row in kinds]
        talks = {each.message.author: each.conversation for each in archive.kept("order by m.ordinal")}
        assert talks["ada"] == talks["bo"]


def test_people_have_one_identity_a_name_and_chains_of_names(home: Home) -> None:
    with ArchiveStore(home / "a.db", create=True) as archive:
        list(add(archive, "#porch", "irssi", day(0)))
        people = dict(tuple(row) for row in archive.rows("select name, person_id from identities"))
        assert {"ada", "bo", "eve", "eva", "evi"} <= people.keys()
        assert people["eve"] == people["eva"] == people["evi"] != people["ada"]


def test_an_account_that_a_bridge_has_for_a_person_is_an_identity_of_that_person(home: Home) -> None:
    said = [Message(str(i), FIRST + timedelta(minutes=i), name, f"line {i}") for i, name in enumerate(("ada", "bo"))]
    relays = Relays([(0, Relay("ada[m]")), (1, Relay("bridgebot"))])
    with ArchiveStore(home / "a.db", create=True) as archive:
        for _ in range(2):
            list(add(archive, "#porch", "irssi", said, relays=relays))
        rows = archive.rows("select i.kind, i.name, p.name from identities i join people p on p.id = i.person_id")
        assert {tuple(row) for row in rows} == {
            ("nick", "ada", "ada"), ("nick", "bo", "bo"), ("puppet", "ada[m]", "ada"),
        }  # fmt: skip


def test_mentions_and_intents_of_an_analysis_are_stored_once(home: Home) -> None:
    chat = Chat("#porch", (said := tuple(day(0, 4)[1:-1])))
    layers = Layers(
        replies=ReplyGraph(tuple((max(i - 1, 0),) for i in range(len(said)))),
        people=(Person("p1", ("ada",)),),
        links=(Link(Mention(1, 0, 3), ("p1",), 0.75), Link(Mention(3, 0, 2), (), 0.5)),
        intents=(Intent(0, "ask_repair", 0.9, (("ask_repair", 0.8),)), Intent(2, None, 0.1)),
    )
    with Archive(home / "a.db") as archive:
        assert archive.add(Analysis(chat, layers), vectors=False) == 4
        assert archive.add(Analysis(chat, layers), vectors=False) == 0
        store = archive.store
        mentions = store.rows("select t.message_id, t.first, t.last, p.name, t.probability from mentions t"
                              " left join people p on p.id = t.person_id order by t.message_id")  # fmt: skip
        assert [tuple(row) for row in mentions] == [(2, 0, 3, "ada", 0.75), (4, 0, 2, None, 0.5)]
        intents = store.rows("select message_id, name, probability from intents")
        assert [tuple(row) for row in intents] == [(1, "ask_repair", 0.8)]
        assert store.contents().conversations == 1
        assert check(store) == []


def test_threading_again_changes_nothing_for_the_same_model(home: Home) -> None:
    built(home / "a.db", [day(0), day(1)])
    with ArchiveStore(home / "a.db", write=True) as archive:
        before = snapshot(archive), archive.rows("select public_id from conversations order by id")
        assert list(rethread(archive, "thread/hubbub")) == [("#porch", 64)]
        assert (snapshot(archive), archive.rows("select public_id from conversations order by id")) == before


def test_batches_hold_whole_days_and_end_where_a_log_starts_again() -> None:
    days = [day(number) for number in range(2)]
    assert [len(batch.messages) for batch in batches([*days[0], *days[1]])] == [64]
    assert len(list(batches([*days[1], *days[0]]))) == 2
    undated = list(batches([*day(0, dated=False), *day(1, dated=False)]))
    assert [batch.is_continued for batch in undated] == [False, True, True]
    assert list(batches([])) == []


def test_links_that_came_with_a_chat_are_kept_when_more_is_added(home: Home) -> None:
    said = [Message(str(i), FIRST + timedelta(minutes=i), "ada", f"point {i} of my long talk") for i in range(3)]
    with ArchiveStore(home / "a.db", create=True) as archive:
        list(add(archive, "#porch", "irssi", [ThreadedMessage(each, (0,), (1.0,)) for each in said]))
        assert len(snapshot(archive)[1]) == 3
        more = Message("9", FIRST + timedelta(hours=1), "bo", "ada: what a long talk")
        list(add(archive, "#porch", "irssi", [*said, more], threader=ThreadPredictor.of("thread/hubbub")))
        assert sum(len(group) == 1 for group in snapshot(archive)[1]) >= 2


@pytest.mark.parametrize(("size", "name"), [(10, "2024"), (100, "2024-03"), (1000, "2024-03-05")])
def test_units_are_the_largest_part_of_the_calendar_that_is_small(size: int, name: str) -> None:
    sizes = {f"2024-{month:02}-{date:02}": size for month in range(1, 13) for date in range(1, 29)}
    assert named_units(sizes)["2024-03-05"] == name


def test_a_changed_day_affects_what_is_read_after_it() -> None:
    sizes = {f"2024-03-{date:02}": 1000 for date in range(1, 11)}
    known: dict[str, str | None] = dict(named_units(sizes))
    assert affected(sizes, {"2024-03-02"}, known) == [["2024-03-02"], ["2024-03-03"]]
    assert affected(sizes, set(), known) == []
