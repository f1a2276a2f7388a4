"""The task thread: annotated chats in and out, the first baseline, links counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hubbub.chat import Chat, Kind, Message
from hubbub.errors import Broken, Missing, NoChats, Unreadable
from hubbub.layers import ReplyGraph
from hubbub.ml.task import ExampleSource
from hubbub.thread.data.loading import annotation_lines, load, pairs, read_annotation
from hubbub.thread.metrics import links
from hubbub.thread.models.previous import Previous


def annotation(folder: Path, text: str, name: str = "day.annotation.txt") -> Path:
    (folder / name).write_text(text)
    return folder / name


def three(path: Path) -> Chat:
    return Chat(path.name, tuple(Message(str(i), None, "ines", "hm") for i in range(3)))


def test_links_come_in_any_order(tmp_path: Path) -> None:
    graph = read_annotation(annotation(tmp_path, "2 0 -\n0 0 -\n\n1 2 -\n"), 4)
    assert graph.parents == ((0,), (), (0, 1), ())


BAD = [
    ("0 1\n1 x -\n", "line 2 is no link such as"),
    ("0\n", "line 1 is no link"),
    ("0 1 2\n", "line 1 is no link"),
    ("-1 1 -\n", "line 1 is no link"),
    ("\u00b2 1 -\n", "line 1 is no link"),
    ("9" * 5000 + " 1 -\n", "line 1 is no link"),
    ("0 0 -\n0 3 -\n", "line 2 links message 3, but the chat ends at 2"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD, ids=[sentence for _, sentence in BAD])
def test_a_broken_annotation_names_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    with pytest.raises(Broken, match=sentence):
        read_annotation(tmp_path / "a.txt", 3)


def test_an_annotation_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        read_annotation(tmp_path, 3)


@st.composite
def graphs(draw: st.DrawFn) -> ReplyGraph:
    length = draw(st.integers(0, 12))
    return ReplyGraph(tuple(tuple(sorted(draw(st.sets(st.integers(0, i), max_size=3)))) for i in range(length)))


@given(graph=graphs())
def test_a_graph_survives_its_annotation(graph: ReplyGraph, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = annotation(tmp_path_factory.mktemp("a"), "".join(f"{line}\n" for line in annotation_lines(graph)))
    assert read_annotation(path, len(graph.parents)) == graph


def test_an_annotation_finds_its_log(tmp_path: Path) -> None:
    for name in ("b.annotation.txt", "b.ascii.txt", "a.annotation.txt", "a.ascii.txt", "a.raw.txt", "README.txt"):
        annotation(tmp_path, "", name)
    found = list(pairs(sorted(tmp_path.iterdir())))
    assert [(log.name, gold.name) for log, gold in found] == [
        ("a.raw.txt", "a.annotation.txt"),
        ("b.ascii.txt", "b.annotation.txt"),
    ]


@pytest.mark.parametrize("log", ["day.raw.txt", "day.txt", "day.log", "day"])
def test_one_file_finds_its_partner(log: str, tmp_path: Path) -> None:
    pair = (annotation(tmp_path, "", log), annotation(tmp_path, ""))
    assert list(pairs(pair[:1])) == [pair]
    assert list(pairs(pair[1:])) == [pair]


def test_two_files_are_a_pair_whatever_their_names(tmp_path: Path) -> None:
    log, gold, named = tmp_path / "chat", tmp_path / "links", tmp_path / "x.annotation.txt"
    assert list(pairs([log, gold])) == [(log, gold)]
    assert list(pairs([named, log])) == [(log, named)]


def test_a_partner_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(Missing, match=r"day\.raw\.txt: there is no such file"):
        list(pairs([annotation(tmp_path, "")]))
    (tmp_path / "day.annotation.txt").unlink()
    with pytest.raises(Missing, match=r"day\.annotation\.txt: there is no such file"):
        list(pairs([annotation(tmp_path, "", "day.raw.txt")]))


def test_loading_keeps_what_was_used(tmp_path: Path) -> None:
    files = tuple(
        annotation(tmp_path, "0 0 -\n", name) for name in ("a.annotation.txt", "a.ascii.txt", "a.raw.txt", "notes.txt")
    )
    loaded = load(ExampleSource("mine", files, "evaluate", three))
    assert [path.name for path in loaded.files] == ["a.raw.txt", "a.annotation.txt"]
    assert loaded.golds == [ReplyGraph(((0,), (), ()))]


def test_a_folder_without_annotations(tmp_path: Path) -> None:
    files = tuple(annotation(tmp_path, "", f"{name}.txt") for name in "abc")
    with pytest.raises(NoChats, match=r"mine: holds no chat \(no \*\.annotation\.txt"):
        load(ExampleSource("mine", files, "train", three))


def chat(kinds: str) -> Chat:
    """One message a letter: m, a or s for its kind."""
    named: dict[str, Kind] = {"m": "message", "a": "action", "s": "system"}
    return Chat("c", tuple(Message(str(i), None, "ines", "hm", named[kind]) for i, kind in enumerate(kinds)))


PREVIOUS = [
    ("", ()),
    ("m", ((0,),)),
    ("mmm", ((0,), (0,), (1,))),
    ("smsm", ((0,), (1,), (2,), (1,))),
    ("mam", ((0,), (0,), (1,))),
    ("ss", ((0,), (1,))),
]


@pytest.mark.parametrize(("kinds", "parents"), PREVIOUS)
def test_previous_passes_over_system_lines(kinds: str, parents: tuple[tuple[int, ...], ...]) -> None:
    assert Previous().predict([chat(kinds)]) == [ReplyGraph(parents)]


def test_links_are_pooled_and_only_where_the_gold_judges() -> None:
    golds = [ReplyGraph(((), (0,), (0, 1))), ReplyGraph(((0,), (1,)))]
    said = [ReplyGraph(((0,), (0,), (1,))), ReplyGraph(((0,), (0,)))]
    assert links(golds, said) == {
        "link_precision": pytest.approx(75.0),
        "link_recall": pytest.approx(60.0),
        "link_f": pytest.approx(200 * 3 / 9),
    }


def test_nothing_judged_scores_nothing() -> None:
    assert set(links([ReplyGraph(((),))], [ReplyGraph(((0,),))]).values()) == {0.0}
    assert set(links([], []).values()) == {0.0}


def test_a_graph_of_the_wrong_length_is_no_score() -> None:
    with pytest.raises(ValueError, match="shorter"):
        links([ReplyGraph(((0,), (0,)))], [ReplyGraph(((0,),))])
