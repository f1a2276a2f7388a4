"""The bundled linker on chats whose people it never saw: who is "you", "he", "mom" and a nick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hubbub
from hubbub.chat import Chat, Message
from hubbub.layers import Link, Mention, Person, ReplyGraph
from hubbub.ml.model_schema import Mismatch
from hubbub.ml.registry import load, restored, save
from hubbub.ml.task import task
from hubbub.people.data.mentions import mentions_of
from hubbub.people.data.sample import scene_from_markup
from hubbub.people.data.scene import Scene, scene_of
from hubbub.people.features.candidates import candidate_set, nickname
from hubbub.people.features.gender import names_gender, person_gender, word_gender
from hubbub.people.features.link_counts import LinkCounts
from hubbub.people.features.name_index import name_index
from hubbub.people.features.relations import declared_relations, relation_of
from hubbub.people.features.window import (
    MAX_LINKED_MENTIONS_PER_MESSAGE,
    MAX_MEAN_MENTIONS,
    MAX_WHOLE_MESSAGES,
    NAME,
    NOUN,
    WINDOW_MARGIN,
    WINDOW_MESSAGES,
    is_vocative,
    windows,
)


@pytest.fixture(scope="module")
def model() -> Any:
    return load("people/hubbub")


def scene(*said: str, cast: Sequence[Person] = ()) -> Scene:
    pairs = [line.split(": ", 1) for line in said]
    messages = [Message(str(place), None, author, text) for place, (author, text) in enumerate(pairs)]
    return scene_of(Chat("talk", tuple(messages)), tuple(cast))


def who(model: Any, scene: Scene) -> dict[str, str]:
    """Message number and words -> the person, "" for nobody."""
    links = model.predict([scene])[0]
    return {f"{link.mention.position} {scene.text(link.mention)}": "".join(link.people) for link in links}


def test_it_is_the_default() -> None:
    assert task("people").default == "people/hubbub"


def test_nicks_and_whom_they_call(model: Any) -> None:
    found = who(
        model,
        scene(
            "zed42: my wifi is down again",
            "mira_: zed42: did you restart the router?",
            "zed42: mira_: yes, twice",
            "tk: zed: that helped me, you know what to do",
        ),
    )
    assert found["0 my"] == found["1 zed42"] == found["1 you"] == found["3 zed"] == "zed42"
    assert found["2 mira_"] == "mira_"
    assert found["3 me"] == "tk"


def test_two_people_alone_mean_each_other(model: Any) -> None:
    found = who(model, scene("Priya: Where are you?", "Sam: On my way. Did you eat?", "Priya: I did. You?"))
    assert found["0 you"] == found["1 my"] == found["2 You"] == "Sam"
    assert found["1 you"] == found["2 I"] == "Priya"


def test_a_pronoun_is_who_was_named_last(model: Any) -> None:
    found = who(
        model,
        scene(
            "joe: thanks",
            "kate^: joe: np",
            "dan: anyone knows where kate went? she owes me a beer",
            "joe: dan: no idea",
        ),
    )
    assert found["2 kate"] == found["2 she"] == "kate^"
    assert found["2 me"] == "dan"


def test_a_relative_whom_the_cast_declares(model: Any) -> None:
    said = ("Priya: Where are you?", "Sam: At your mom's. She made dinner.", "Priya: I love my mom.")
    leela = Person("leela", ("Leela Rao",), "female", (("mother of", "Priya"),))
    found = who(model, scene(*said, cast=[leela, Person("Priya", ("Priya",)), Person("Sam", ("Sam",))]))
    assert found["1 mom"] == found["2 mom"] == "leela"
    assert who(model, scene(*said))["2 mom"] in ("", "Sam", "Priya")


def test_a_rename_is_the_same_person(model: Any) -> None:
    chat = Chat(
        "c",
        (
            Message("0", None, "rauf", "my bike broke"),
            Message("1", None, "rauf", "rauf is now known as rauf_away", "system"),
            Message("2", None, "mika", "rauf: are you there?"),
            Message("3", None, "rauf_away", "I am"),
        ),
    )
    found = who(model, scene_of(chat))
    assert found["0 my"] == found["2 rauf"] == found["2 you"] == found["3 I"] == "rauf"


def test_a_stranger_is_nobody(model: Any) -> None:
    found = who(model, scene("anna: some guy called", "bob: what did the guy want?", "anna: no idea"))
    assert not found.get("0 guy")


def test_below_the_threshold_nobody_is_named(model: Any) -> None:
    talk = scene("anna: hey bob, did you see carl?", "bob: he left", "anna: did she?")
    strict = replace(model, threshold=0.999)
    assert {link.people for link in strict.predict([talk])[0] if link.score < 0.9} <= {()}
    for link in model.predict([talk])[0]:
        assert 0 <= link.score <= 1
        assert not link.people or link.score >= model.threshold


def test_a_threshold_of_one_call_is_not_that_of_the_next(model: Any) -> None:
    talk, before = scene("anna: hey bob, did you see carl?", "bob: he left").chat, model.threshold
    assert not any(link.people for link in hubbub.people(talk, model=model, threshold=1.0) if link.score < 1)
    assert model.threshold == before
    assert any(link.people for link in hubbub.people(talk, model=model))


def test_confirmed_links_teach_without_training(model: Any, tmp_path: Path) -> None:
    people = [Person("hana", ("Hana",), "female"), Person("ida", ("Ida",), "female"), Person("tom", ("Tom",), "male")]
    first = scene("Tom: Ziggy called again.", "Ida: What did Ziggy want?", cast=people)
    links = [Link(mention, ("hana",)) for mention in (Mention(0, 0, 5), Mention(1, 9, 14))]
    later = scene("Tom: Has anybody seen Ziggy today?", "Ida: No.", cast=people)
    later = replace(later, mentions=(Mention(0, 18, 23),))
    learnt: Any = load("people/hubbub")
    before = _chance(learnt, later, "hana")
    for _ in range(3):
        learnt.confirm(first, links)
    assert _chance(learnt, later, "hana") > max(before, 0.5)
    again = load(save(learnt, tmp_path / "model"))
    assert again.predict([later]) == learnt.predict([later])
    assert learnt.predict([later])[0][0].people == ("hana",)


def _chance(model: Any, scene: Scene, person: str) -> float:
    assert scene.mentions is not None
    probabilities: dict[str, float] = {who: probability for who, probability, _ in model.why(scene, scene.mentions[0])}
    return probabilities.get(person, 0.0)


def test_why_gives_candidates_and_reasons(model: Any) -> None:
    talk = scene("anna: bob, did you see it?", "bob: I did")
    links = {talk.text(link.mention): link for link in model.predict([talk])[0]}
    best, *others = model.why(talk, links["you"].mention)
    assert best[0] == "bob"
    assert best[1] == pytest.approx(links["you"].score)
    assert best[2]
    assert all(reason == reason.strip() and reason for reason in best[2])
    assert all(best[1] >= probability for _, probability, _ in others)
    assert model.why(talk, Mention(0, 0, 1)) == []


def test_a_reply_graph_parts_conversations(model: Any) -> None:
    talk = scene("ann: can you help?", "cyd: eve, do you sail?", "bo: sure, what is it?", "eve: I do")
    parted = replace(talk, replies=ReplyGraph(((0,), (1,), (0,), (1,))))
    found = who(model, parted)
    assert found["0 you"] == "bo"
    assert found["1 you"] == "eve"


def test_long_chats_are_seen_in_parts(model: Any) -> None:
    lines = [f"p{place % 7}: p{(place + 1) % 7}: did you see it? I did" for place in range(2 * MAX_WHOLE_MESSAGES)]
    talk = scene(*lines)
    links = model.predict([talk])[0]
    assert [link.mention for link in links] == sorted(
        (link.mention for link in links), key=lambda m: (m.position, m.start)
    )
    mentions = [link.mention for link in links]
    parts = list(windows(talk, mentions))
    assert len(parts) == 2 * MAX_WHOLE_MESSAGES // WINDOW_MESSAGES
    assert sorted(number for _, asked in parts for number in asked) == list(range(len(links)))
    right = [
        link.people == (talk.chat[link.mention.position].author,) for link in links if talk.text(link.mention) == "I"
    ]
    assert sum(right) / len(right) > 0.95


def test_a_message_with_thousands_of_mentions_costs_the_others_nothing(model: Any) -> None:
    wall = scene("ana: hello bo", f"bo: {'I ' * 5000}", "ana: bo, are you there?")
    links = model.predict([wall])[0]
    assert sum(link.mention.position == 1 for link in links) == 5000
    assert (
        sum(link.people == ("bo",) for link in links if link.mention.position == 1) == MAX_LINKED_MENTIONS_PER_MESSAGE
    )
    assert [link.people for link in links if link.mention.position == 2] == [("bo",), ("bo",)]


def test_a_crowd_of_mentions_is_seen_in_parts() -> None:
    crowd = scene(*(f"ana: {'I ' * 300}" for _ in range(40)))
    mentions = mentions_of(crowd)
    seen, numbers = zip(*((len(window.mentions), asked) for window, asked in windows(crowd, mentions)), strict=True)
    assert max(seen) <= MAX_MEAN_MENTIONS * (WINDOW_MESSAGES + 2 * WINDOW_MARGIN)
    assert [number for asked in numbers for number in asked] == list(range(len(mentions)))


def test_a_plural_is_not_guessed(model: Any) -> None:
    talk, _ = scene_from_markup("talk", [("Ines", "[We|] saw [Tomo|tomo]."), ("Tomo", "[I|tomo] know.")])
    assert [link.people for link in model.predict([talk])[0]] == [(), ("tomo",), ("tomo",)]


def test_words_around_a_mention() -> None:
    talk, _ = scene_from_markup(
        "talk",
        [("Ines", "[I|ines]'m not a [doctor|ines], but [my|ines] [sister|mika] [Mika|mika] is. Right, [Tomo|tomo]?")],
    )
    ((window, asked),) = windows(talk, talk.mentions or ())
    assert asked == list(range(6))
    myself, doctor, my, sister, mika, tomo = window.mentions
    assert (doctor.kind, doctor.subject, doctor.subject_at) == (NOUN, 1, myself.at)
    assert (sister.owner_at, sister.gender) == (my.at, 1)
    assert (mika.kind, mika.vocative, tomo.vocative) == (NAME, False, True)


def test_who_may_be_meant() -> None:
    talk, _ = scene_from_markup("talk", [("Ines", "[Rauf|rauf] is late."), ("Tomo", "[He|rauf] is.")])
    ((window, _),) = windows(talk, talk.mentions or ())
    found = candidate_set(window, LinkCounts())
    assert found.ids == ["", "ines", "tomo", "rauf"]
    assert found.present == 3
    assert [found.ids[named.person] for named in found.named] == ["rauf"]


@pytest.mark.parametrize(
    ("word", "name", "alike"),
    [
        ("rach", "rachel", True),
        ("pheebs", "phoebe", True),
        ("joe", "joey", True),
        ("tom", "ana", False),
        ("", "a", False),
    ],
)
def test_short_forms_of_names(word: str, name: str, alike: bool) -> None:
    assert (nickname(word, [name]) > 0) is alike


def test_genders() -> None:
    assert person_gender(Person("x", ("Alice",), "male")) == -1
    assert names_gender(["Alice Munro"]) > 0 > names_gender(["Mr. Munro"])
    assert names_gender(["Alice's father"]) < 0
    assert names_gender(["zed42"]) == names_gender([]) == 0 < names_gender(["kate^"])
    assert (word_gender("mom"), word_gender("ex-husband"), word_gender("plumber")) == (1, -1, 0)


def test_relations_hold_both_ways() -> None:
    assert relation_of("Mom") == ("parent", 1)
    assert relation_of("plumber") is None
    known = declared_relations(
        [Person("a", ("A",), "female", (("mother of", "b"), ("admirer of", "b"))), Person("b", ("B",))]
    )
    assert known == {("b", "parent"): [("a", 1)], ("a", "child"): [("b", 0)]}


def test_a_name_may_say_a_relation_or_a_noun() -> None:
    people = tuple(Person(name, (name,)) for name in ("Ada Lind", "Ada's father", "Nurse 1", "Bo and Ada"))
    index = name_index(people)
    assert index.relations[("Ada Lind", "parent")] == [("Ada's father", -1)]
    assert index.noun == {"father": ("Ada's father",), "nurse": ("Nurse 1",)}
    assert index.part["ada"] == ("Ada Lind",), "a name of several people is nobody's"


def test_nobodys_father_is_known_by_a_name_that_says_so(model: Any) -> None:
    people = [Person("ada", ("Ada Lind",)), Person("bo", ("Bo Ek",)), Person("old", ("Ada's father",))]
    talk = scene("Bo Ek: Ada, how are you?", "Ada Lind: My dad is ill.", "Bo Ek: I know, he called.", cast=people)
    asked = replace(talk, mentions=(Mention(1, 0, 2), Mention(1, 3, 6), Mention(2, 0, 1), Mention(2, 8, 10)))
    assert who(model, asked) == {"1 My": "ada", "1 dad": "old", "2 I": "bo", "2 he": "old"}


def test_calls() -> None:
    assert is_vocative(["ada", ",", "come"], 0, 1)
    assert is_vocative(["thanks", "ada", "!"], 1, 2)
    assert not is_vocative(["i", "saw", "ada", "there"], 2, 3)


def test_a_memory_forgets_only_what_is_hidden() -> None:
    link_counts = LinkCounts()
    link_counts.add([(1, "a"), (1, "a"), (1, "b"), (2, "b")])
    less = link_counts.without([(1, "b"), (1, "a"), (2, "b")])
    assert (link_counts.of(1), link_counts.best(1)) == ({"a": 2, "b": 1}, "a")
    assert (less.of(1), less.of(2), less.best(2)) == ({"a": 1}, {}, None)
    ids = link_counts.people()
    again = LinkCounts.from_arrays(ids, **link_counts.arrays(ids))
    assert again.counts == link_counts.counts


def test_what_another_version_learnt_is_refused(model: Any) -> None:
    state = dict(model.state())
    with pytest.raises(Mismatch, match="another version"):
        restored(type(model)(), {**state, "columns": state["columns"][::-1]})
