"""Who is meant, drawn: marks in texts, a person's mentions, the table and the picture of who talks to whom."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hubbub import Chat, Message
from hubbub.jsonl import load
from hubbub.layers import Layers, Link, Mention, Person, ReplyGraph
from hubbub.people.reports.interactions import InteractionPair, interactions
from hubbub.people.reports.profiles import person_named, person_profile, reference_type
from hubbub.view.annotations import Mark, marked
from hubbub.view.draw_layers import draw_layered
from hubbub.view.people import draw_portrait, marks_of
from hubbub.view.people_picture import MOST_PEOPLE, talk_picture
from hubbub.view.people_talk import draw_talk
from hubbub.view.style import GREY, QUIET, Colours, coloured, plain, style_of
from hubbub.view.wrap import display_width

PASSAGES = Path(__file__).parents[1] / "samples" / "people"
LOOK = style_of(30, underline=True)


def passage(name: str) -> tuple[Chat, Layers]:
    return next(load((PASSAGES / f"{name}.jsonl").read_text("utf-8").splitlines()))


def texts(chat: Chat, layers: Layers, width: int = 90) -> list[str]:
    return [plain(line) for line in draw_layered(chat, layers, width)]


def test_mentions_are_told_where_the_words_do_not_tell() -> None:
    shown = "\n".join(texts(*passage("choir")))
    assert "is ottoline coming tonight?" in shown
    assert "yes but I will be late" in shown
    assert "otto[→ottoline]: which bus are you on?" in shown
    assert "told you[→lark] she[→ottoline] would be late" in shown
    assert "\n 20:00    gimbal  I do\n" in shown


def test_relations_and_several_people_and_nobody() -> None:
    assert "did mom[→greta] call you[→signe]?" in "\n".join(texts(*passage("family")))
    assert "[→]" not in "\n".join(texts(*passage("radio")))
    both = Layers(people=(Person("b", ("Bo Lund",)),), links=(Link(Mention(0, 0, 4), ("b", "ann")),))
    assert "they[→Bo Lund, ann] left" in "\n".join(texts(Chat("c", (Message("0", None, "ann", "they left"),)), both))


def test_a_link_below_the_confident_threshold_has_no_mark() -> None:
    chat = Chat("c", (Message("0", None, "ann", "he or she"),))
    links = (Link(Mention(0, 0, 2), ("bob",), 0.45), Link(Mention(0, 6, 9), ("cyd",), 0.5))
    assert "he or she[→cyd]" in "\n".join(texts(chat, Layers(links=links)))
    assert [mark.start for mark in marks_of(chat, Layers(links=links))[0]] == [6]


@pytest.mark.parametrize(
    "text", ["bob: are you in?", "@bob are you in?", "bob, you know", "Bob you know", "hi bob, how are you"]
)
def test_you_after_an_addressed_nick_has_no_mark(text: str) -> None:
    start = text.index("you")
    layers = Layers(people=(Person("bob", ("bob",)),), links=(Link(Mention(0, start, start + 3), ("bob",)),))
    assert not marks_of(Chat("c", (Message("0", None, "ann", text),)), layers)
    other = Chat("c", (Message("0", None, "ann", text.replace("ob", "en")),))
    assert marks_of(other, layers)[0][0].note == "[→bob]"


@pytest.mark.parametrize("person", ["ann", "bob"])
def test_the_first_person_has_no_mark_whoever_it_is_linked_to(person: str) -> None:
    chat = Chat("c", (Message("0", None, "ann", "I lost my key"),))
    links = (Link(Mention(0, 0, 1), (person,)), Link(Mention(0, 7, 9), (person,)))
    assert not marks_of(chat, Layers(links=links))


def test_beside_conversations_names_and_strangers_have_no_mark() -> None:
    chat = Chat("c", (Message("0", None, "ann", "bob met the manager"), Message("1", None, "bob", "yes")))
    layers = Layers(links=(Link(Mention(0, 0, 3), ("bob",)), Link(Mention(0, 8, 19), ())))
    assert len(marks_of(chat, layers)[0]) == 2
    assert not marks_of(chat, layers, in_colour=False)


def test_a_mention_has_the_colour_of_the_person_and_a_stranger_is_grey() -> None:
    chat, layers = passage("radio")
    marks = [mark for each in marks_of(chat, layers).values() for mark in each]
    assert {mark.style for mark in marks} >= {
        style_of(GREY, underline=True),
        style_of(Colours().of("static"), underline=True),
    }
    uncoloured = [mark for each in marks_of(chat, layers, in_colour=False).values() for mark in each]
    assert {mark.style for mark in uncoloured} <= {style_of(underline=True)}


def test_a_person_of_the_cast_has_the_colour_of_the_name_that_speaks() -> None:
    chat = Chat("c", (Message("0", None, "tess", "Tessaly knows"),))
    layers = Layers(people=(Person("17", ("Tessaly Quint", "tess")),), links=(Link(Mention(0, 0, 7), ("17",)),))
    ((mark,),) = marks_of(chat, layers).values()
    assert mark == Mark(0, 7, style_of(Colours().of("tess"), underline=True))


def test_beside_conversations_colours_are_theirs() -> None:
    chat, layers = passage("choir")
    graph = ReplyGraph(tuple((max(0, n - 1),) for n in range(len(chat))))
    lines = list(draw_layered(chat, Layers(graph, layers.people, layers.links), 90))
    notes = [span.style for line in lines for span in line if span.text.startswith("[→")]
    assert notes
    assert set(notes) == {QUIET}
    assert any("\x1b[4m" in coloured(line) for line in lines)


def test_marks_may_lie_inside_each_other() -> None:
    outer, inner = Mark(0, 9, LOOK, "[→a]"), Mark(0, 2, style_of(31, underline=True), "[→b]")
    line = marked("my sister left", [outer, inner])
    assert plain(line) == "my[→b] sister[→a] left"
    assert [span.style for span in line] == [inner.style, style_of(31), LOOK, style_of(30), style_of()]


def test_what_points_nowhere_is_not_drawn() -> None:
    for mark in (Mark(3, 99, LOOK), Mark(2, 2, LOOK), Mark(9, 3, LOOK)):
        assert marked("hello", [mark]) == marked("hello", [])
    chat = Chat("c", (Message("0", None, "ann", "hm"), Message("1", None, "ann", "ann joined", "system")))
    layers = Layers(links=(Link(Mention(0, 1, 77), ("x",)), Link(Mention(1, 0, 3), ("x",))))
    assert texts(chat, layers) == texts(chat, Layers())


@given(
    st.text(max_size=40),
    st.lists(st.tuples(st.integers(-2, 45), st.integers(-2, 45), st.sampled_from(["", "[→ann\x1b[2J b]", "[→漢]"]))),
    st.integers(20, 60),
)
def test_any_marks_stay_within_the_width(text: str, spans: list[tuple[int, int, str]], width: int) -> None:
    marks = [Mark(start, end, LOOK, note) for start, end, note in spans]
    bare = [mark._replace(note="") for mark in marks]
    assert plain(marked(text, bare)).split() == plain(marked(text, [])).split() or "\x1b" in text or "\t" in text
    links = tuple(Link(Mention(0, max(0, a), max(0, b)), ("an\x1b[2Jn",)) for a, b, _ in spans)
    lines = texts(Chat("c", (Message("0", None, "ann", text),)), Layers(links=links), width)
    assert all(display_width(line) <= width and "\x1b" not in line for line in lines)


def test_how_words_call_a_person() -> None:
    person = Person("17", ("Phoebe Buffay", "Pheebs"))
    words = {"Phoebe": "name", "phoebe buffay": "name", "Pheebs": "nickname", "Phoebs": "nickname", "she": "pronoun",
             "my sister": "noun", "You": "pronoun", "17": "name"}  # fmt: skip
    assert {each: reference_type(each, person) for each in words} == words
    assert reference_type("mom", None) == "noun"


def test_a_person_is_found_by_any_name() -> None:
    cast = (Person("17", ("Phoebe Buffay", "Pheebs")), Person("marrow", ("marrow", "marrow_", "Marrow42")))
    found = {name: person_named(name, cast, "c").id for name in ("17", "pheebs", "BUFFAY", " marrow42 ", "Marrow_")}
    assert list(found.values()) == ["17", "17", "17", "marrow", "marrow"]


@pytest.mark.parametrize("width", [20, 40, 100])
def test_a_portrait_stays_within_the_width(width: int) -> None:
    for path in PASSAGES.glob("*.jsonl"):
        chat, layers = passage(path.stem)
        for id in {id for link in layers.links for id in link.people}:
            drawn = list(draw_portrait(person_profile(chat, layers, Person(id, (id,))), width))
            assert all(display_width(plain(line)) <= width for line in drawn) or width < 40
            assert sum("%" in plain(line) for line in drawn) == sum(id in link.people for link in layers.links)


def test_nobody_said_anything_of_somebody() -> None:
    chat, layers = passage("wiki")
    assert "0 mentions" in "\n".join(plain(x) for x in draw_portrait(person_profile(chat, layers, Person("x")), 60))


def said(*rows: tuple[str, str]) -> Chat:
    return Chat("c", tuple(Message(str(n), None, who, text) for n, (who, text) in enumerate(rows)))


def test_one_talks_to_whom_one_addresses_means_by_you_or_answers_and_about_the_others() -> None:
    chat = said(
        ("ann", "bob: is cyd in?"), ("bob", "she left"), ("ann", "did you ask, Dee?"), ("dee", "yes, cyd knows")
    )
    links = (
        Link(Mention(0, 0, 3), ("bob",)),
        Link(Mention(0, 8, 11), ("cyd",)),
        Link(Mention(1, 0, 3), ("cyd",)),
        Link(Mention(2, 4, 7), ("dee",)),
        Link(Mention(2, 13, 16), ("dee",)),
        Link(Mention(3, 5, 8), ("cyd",)),
    )
    layers = Layers(ReplyGraph(((0,), (0,), (2,), (2,))), (Person("cyd", ("Cyd",)),), links)
    talk = interactions(chat, layers)
    assert set(talk.pairs) == {
        InteractionPair("ann", "bob", 1, 0),
        InteractionPair("ann", "cyd", 0, 1),
        InteractionPair("bob", "ann", 1, 0),
        InteractionPair("bob", "cyd", 0, 1),
        InteractionPair("ann", "dee", 1, 0),
        InteractionPair("dee", "ann", 1, 0),
        InteractionPair("dee", "cyd", 0, 1),
    }
    assert [(each.person.id, each.messages, each.met) for each in talk.people] == [
        ("ann", 2, 2), ("bob", 1, 1), ("dee", 1, 1), ("cyd", 0, 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "to", "about"),
    [
        ("thank you bob!", 1, 0),
        ("it works. thanks bob", 1, 0),
        ("ok, bob, go", 1, 0),
        ("@bob: go", 1, 0),
        ("I thank bob", 0, 1),
        ("ask bob, he knows", 0, 1),
    ],
)
def test_a_name_that_is_called_out_is_talked_to(text: str, to: int, about: int) -> None:
    start = text.index("bob")
    links = (Link(Mention(0, start, start + 3), ("bob",)),)
    assert interactions(said(("ann", text)), Layers(people=(Person("bob", ("bob",)),), links=links)).pairs == (
        InteractionPair("ann", "bob", to, about),
    )


def test_nobody_talks_to_or_about_oneself_and_replies_of_the_platform_count() -> None:
    chat = said(("ann", "I am ann"), ("bob", "fine"))
    chat = Chat("c", (chat[0], chat[1]._replace(reply_to=("0",))))
    links = (Link(Mention(0, 0, 1), ("ann",)), Link(Mention(0, 5, 8), ("ann",)))
    assert interactions(chat, Layers(links=links)).pairs == (InteractionPair("bob", "ann", 1, 0),)
    assert interactions(Chat("c"), Layers()).pairs == ()


def test_renames_are_one_person_in_the_talk() -> None:
    chat, layers = passage("choir")
    assert {each.person.id for each in interactions(chat, layers).people} == {"lark", "ottoline", "gimbal"}


def test_the_table_stays_within_the_width() -> None:
    talk = interactions(*passage("bikes"))
    for width in (40, 60, 100):
        assert all(display_width(plain(line)) <= width for line in draw_talk(talk, width))
    assert any("jules" in plain(line) for line in draw_talk(talk, 60))


def test_the_picture_shows_everybody_and_says_whom_it_leaves_out() -> None:
    picture = talk_picture(interactions(*passage("bikes")))
    shown = {each.text for each in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")}
    assert {"jules", "Zoltan42", "mire_", "kettle", "talks to", "talks about", "says nothing here"} <= shown
    rows = [(f"nick{n}", f"nick{(n + 1) % 40}: hello") for n in range(40)]
    many = talk_picture(interactions(said(*rows), Layers()))
    assert f"the busiest {MOST_PEOPLE} of 40 people" in many
    assert many.count("<circle") == MOST_PEOPLE


def test_a_picture_of_hostile_names_and_of_nobody_is_whole() -> None:
    evil = 'a<b>&"\x1b[2J\u202e\uffff'
    chat = Chat(evil, (Message("0", None, evil, "hi"), Message("1", None, "bob", "hm", reply_to=("0",))))
    ElementTree.fromstring(talk_picture(interactions(chat, Layers())))
    ElementTree.fromstring(talk_picture(interactions(Chat("c"), Layers())))
