"""Puppets lose the ending that a bridge gave them; what people put behind their own names stays."""

from __future__ import annotations

import pytest

from ...bridging import THERE, assert_restored, assert_untouched, says, talk, treated


@pytest.mark.parametrize("ending", ["[m]", "|dc", "[tg]", "[d]", "-tg", " (Telegram)", "@discord", "[M]"])
def test_puppets_lose_the_ending_that_they_share(ending: str) -> None:
    def puppet(name: str) -> str:
        return name + ending if name in THERE else name

    seen = [each._replace(author=puppet(each.author)) for each in talk()]
    assert_restored(talk(), seen)
    named = [each._replace(text=each.text.replace("bela:", f"bela{ending}:")) for each in seen]
    assert_restored(talk(), named)


def test_an_ending_of_no_known_network_takes_more_people() -> None:
    few = says(*((f"{name}[crew]", "ahoy") for name in THERE))
    assert_untouched(few)
    many = says(*((f"{name}[crew]", "ahoy") for name in (*THERE, "emil")))
    assert [each.author for each in treated(many)[0]] == [*THERE, "emil"]


@pytest.mark.parametrize(
    "ending", ["_", "^", "|away", "|work", "[afk]", "2", "-laptop", "_tg", " (Berlin)", " (Guest)", "[bot]", "|"]
)
def test_what_people_put_behind_their_own_names_stays(ending: str) -> None:
    assert_untouched([each._replace(author=each.author + ending) for each in talk()])


def test_an_ending_that_comes_and_goes_is_no_bridge() -> None:
    assert_untouched([each._replace(author=each.author + "|irc") if number % 2 else each
                      for number, each in enumerate(talk(3))])  # fmt: skip


def test_a_puppet_keeps_its_ending_if_somebody_else_has_the_name() -> None:
    seen = says(("anna[m]", "hi"), ("bela[m]", "hi"), ("cleo[m]", "hi"), ("dina[m]", "hi"), ("Anna", "anna[m]: who?"))
    found, _ = treated(seen)
    assert [each.author for each in found] == ["anna[m]", "bela", "cleo", "dina", "Anna"]
    assert found[-1].text == "anna[m]: who?"


def test_two_puppets_of_one_name_stay_two() -> None:
    names = [
        f"{name}{ending}" for ending in ("[m]", "|dc") for name in ("anna", "bela" + ending[1], "cleo" + ending[1])
    ]
    found, _ = treated(says(*((name, "hi") for name in names)))
    assert [each.author for each in found] == ["anna[m]", "belam", "cleom", "anna|dc", "belad", "cleod"]
