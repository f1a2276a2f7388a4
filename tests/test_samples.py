"""The samples that ship with the package, and the care taken with the gold reply graph."""

from __future__ import annotations

import json
import re

import pytest

from hubbub import Chat, HubbubError, read
from hubbub.data import samples
from hubbub.layers import ReplyGraph

ADDRESSED = re.compile(r"(\w+)[:,] ")


@pytest.fixture(scope="module")
def chat() -> Chat:
    return read(samples.path("support.log"))


@pytest.fixture(scope="module")
def links() -> list[tuple[int, int]]:
    lines = samples.path("support.annotation.txt").read_text(encoding="utf-8").splitlines()
    pairs = [re.fullmatch(r"(\d+) (\d+) -", line) for line in lines]
    return [(int(pair[2]), int(pair[1])) for pair in pairs if pair] if all(pairs) else []


@pytest.fixture(scope="module")
def gold(chat: Chat, links: list[tuple[int, int]]) -> ReplyGraph:
    return ReplyGraph.of(links, len(chat))


def test_every_line_is_a_message(chat: Chat) -> None:
    lines = samples.path("support.log").read_text(encoding="utf-8").splitlines()
    assert len(chat) == len(lines)
    assert all(message.text in line or message.kind == "system" for message, line in zip(chat, lines, strict=True))
    assert 12 <= len(chat.authors()) <= 18
    assert len({message.time.date() for message in chat if message.time}) == 2


def test_every_position_is_judged_and_answers_nothing_later(chat: Chat, links: list[tuple[int, int]]) -> None:
    assert {child for child, _ in links} == set(range(len(chat)))
    assert all(parent <= child for child, parent in links)
    assert len(set(links)) == len(links)


def test_who_answers_does_not_start(gold: ReplyGraph) -> None:
    assert all(parents == (position,) or position not in parents for position, parents in enumerate(gold.parents))


def test_announcements_stand_alone(chat: Chat, links: list[tuple[int, int]]) -> None:
    systems = {position for position, message in enumerate(chat) if message.kind == "system"}
    assert all(child == parent for child, parent in links if {child, parent} & systems)


def test_conversations_are_many_and_interleaved(chat: Chat, gold: ReplyGraph) -> None:
    talks = [talk for talk in gold.components() if chat[talk[0]].kind != "system"]
    assert 15 <= len(talks) <= 30
    assert all(len(talk) > 1 and len({chat[i].author for i in talk}) > 1 for talk in talks)
    assert max(map(len, talks)) <= 30
    assert sum(any(talk[0] < other[0] < talk[-1] for other in talks) for talk in talks) >= 15


def test_who_is_addressed_is_answered_or_told(chat: Chat, gold: ReplyGraph) -> None:
    """A line that begins with somebody's name belongs to a conversation that this person takes part in."""
    talk_of = {position: talk for talk in gold.components() for position in talk}
    for position, message in enumerate(chat):
        found = ADDRESSED.match(message.text)
        if message.kind == "message" and found and found[1] in chat.authors():
            assert found[1] in {chat[other].author for other in talk_of[position]}, (position, message.text)


def test_many_answers_are_not_to_the_line_before(chat: Chat, links: list[tuple[int, int]]) -> None:
    far = [child for child, parent in links if parent < child - 1]
    assert len(far) >= 100
    unaddressed = [child for child in far if not ADDRESSED.match(chat[child].text)]
    assert len(unaddressed) >= 10


def test_some_answers_have_several_parents(gold: ReplyGraph) -> None:
    assert sum(len(parents) > 1 for parents in gold.parents) >= 3


def test_team_has_the_shape_of_an_export() -> None:
    team = samples.path("team")
    people = {user["id"] for user in json.loads((team / "users.json").read_text(encoding="utf-8"))}
    channels = json.loads((team / "channels.json").read_text(encoding="utf-8"))
    assert {channel["name"] for channel in channels} == {place.name for place in team.iterdir() if place.is_dir()}
    for file in team.glob("*/*.json"):
        for record in json.loads(file.read_text(encoding="utf-8")):
            assert record["type"] == "message"
            assert re.fullmatch(r"\d{10}\.\d{6}", record["ts"])
            assert record.get("user", "U04DEPLB5") in people


def test_unknown_sample_names_the_known_ones() -> None:
    with pytest.raises(HubbubError, match=r"no sample named 'x'; known: support\.annotation\.txt, support\.log, team"):
        samples.path("x")
