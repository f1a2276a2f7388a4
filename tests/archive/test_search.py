"""Search on both engines: what is found, in which order, what is highlighted, and what any string may do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hubbub.archive import schema
from hubbub.archive.adding import ThreadedMessage, add
from hubbub.archive.facets import FoundRow
from hubbub.archive.housekeeping import check
from hubbub.archive.meaning import MeaningIndex
from hubbub.archive.search import FUSION_CONSTANT, MAX_CANDIDATES, SearchFilters, SearchResults, fused, search
from hubbub.archive.store import ArchiveStore
from hubbub.archive.vectors import add_vectors
from hubbub.chat import Kind, Message
from hubbub.errors import HubbubError

from .conftest import Home
from .test_store import START

# (channel, author, text); each conversation is two messages
TALK = [
    ("#house", "ada", "how do I mount the disk in /etc/fstab?"),
    ("#house", "bo", "ada: run mount -a, see http://example.org/fstab"),
    ("#house", "ada", "E: Unable to locate package kettle"),
    ("#house", "cy", "installing the kettle package from the crème brûlée archive"),
    ("#garden", "bo", "日本語の入力ができません 😀 in C++"),
    ("#garden", "cy", "the roses are red, the Straße is long"),
    ("#garden", "ada_away", "what about the ταΐζω roses?"),
    ("#garden", "ada_away", "nobody knows"),
]


def line(number: int, author: str, text: str, back: int, kind: Kind = "message") -> ThreadedMessage:
    return ThreadedMessage(
        Message(str(number), START + timedelta(days=20 * number), author, text, kind), (back,), (0.9,)
    )


def filled(home: Home, name: str = "talk.db") -> ArchiveStore:
    archive = ArchiveStore(home / name, create=True)
    for channel in ("#house", "#garden"):
        said = [each[1:] for each in TALK if each[0] == channel]
        lines = [line(number, author, text, number % 2) for number, (author, text) in enumerate(said)]
        if channel == "#house":
            lines.append(line(len(lines), "ada", "ada is now known as ada_away", 0, "system"))
        list(add(archive, channel, "irssi", lines))
    return archive


@pytest.fixture(scope="module")
def archive(shared_home: Home) -> Iterator[ArchiveStore]:
    with filled(shared_home) as made:
        yield made


def texts(results: SearchResults) -> list[str]:
    return [stored.message.text for hit in results for stored in hit.found]


def found(archive: ArchiveStore, query: str) -> list[str]:
    """The first words of what is found."""
    return sorted(" ".join(text.split()[:2]) for text in texts(search(archive, query)))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("/etc/fstab", ["how do"]),
        ("fstab", ["ada: run", "how do"]),
        ('"E: Unable to locate"', ["E: Unable"]),
        ("日本", ["日本語の入力ができません 😀"]),
        ("本", ["日本語の入力ができません 😀"]),
        ("日語", []),
        ("😀", ["日本語の入力ができません 😀"]),
        ("C++", ["日本語の入力ができません 😀"]),
        ("C#", []),
        ("creme BRULEE", ["installing the"]),
        ("crème", ["installing the"]),
        ('"the creme brulee"', ["installing the"]),
        ("strasse", ["the roses"]),
        ("STRASSE", ["the roses"]),
        ("Straße", ["the roses"]),
        ("ταιζω", ["what about"]),
        ("ταΐζω", ["what about"]),
        ("installed", ["installing the"]),
        ("inst*", ["installing the"]),
        ("crè*", ["installing the"]),
        ('"kettle package"', ["installing the"]),
        ("kettle -package", []),
        ("kettle -unable", ["installing the"]),
        ("(roses OR kettle) -red -E", ["installing the", "what about"]),
        ("from:ADA", ["E: Unable", "how do", "nobody knows", "what about"]),
        ("from:ada_away roses", ["what about"]),
        ("-from:ada -from:bo", ["installing the", "the roses"]),
        ("to:ada", ["ada: run", "installing the"]),
        ("in:house kettle OR roses", ["E: Unable", "installing the"]),
        ("in:#garden from:bo", ["日本語の入力ができません 😀"]),
        ("has:link", ["ada: run"]),
        ("is:question", ["how do", "what about"]),
        ("is:question is:answered", ["how do"]),
        ("is:question -is:answered", ["what about"]),
        ("after:2024-05-20 before:2024-06-20 in:#house", ["E: Unable", "ada: run"]),
        ("-the -nobody -E in:#garden", ["日本語の入力ができません 😀"]),
        ("nonsense:kettle", []),
        ("from:nobody", []),
        ("in:#nowhere", []),
        ("intent:greet", []),
        ("-kettle -the -mount", ["nobody knows", "日本語の入力ができません 😀"]),
        ("known", []),
        ("", []),
        ("* OR", []),
    ],
)
def test_queries(archive: ArchiveStore, query: str, expected: list[str]) -> None:
    assert found(archive, query) == sorted(expected)


def test_messages_with_all_words_come_first_and_some_are_enough(archive: ArchiveStore) -> None:
    results = search(archive, "red kettle package")
    assert len(results) == 2
    assert "package" in results[0].found[0].message.text
    assert "red" in results[1].found[0].message.text


def test_intents(archive: ArchiveStore) -> None:
    with filled_copy(archive) as other:
        with other.transaction():
            other.insert(schema.sources, [(99, "model", "intent/x", "1")])
            other.insert(schema.intents, [(1, "mount_disk", 0.9, 99)])
        assert found(other, "intent:Mount_Disk") == ["how do"]
        assert search(other, "intent:mount").notes == ("no message has the intent mount; similar: mount_disk",)


def filled_copy(archive: ArchiveStore) -> ArchiveStore:
    return ArchiveStore(archive.path, write=True)


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("from:adaa", "nobody is named adaa; similar: ada"),
        ("in:#hause", "there is no channel #hause; similar: #house"),
        ("kettle OR", "OR stands between two words; it was ignored"),
    ],
)
def test_notes(archive: ArchiveStore, query: str, note: str) -> None:
    (said,) = search(archive, query).notes
    assert said.startswith(note)


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("installed", ["installing"]),
        ('"kettle package" inst*', ["installing", "kettle package"]),
        ("日本", ["日本"]),
        ("😀 C++", ["😀", "C++"]),
        ("brulee", ["brûlée"]),
        ("strasse", ["Straße"]),
        ("from:bo has:link", []),
    ],
)
def test_highlights_are_offsets_in_the_message(archive: ArchiveStore, query: str, marked: list[str]) -> None:
    (hit,) = search(archive, query)
    text, (snippet,) = hit.found[0].message.text, hit.snippets
    assert [text[start:end] for start, end in snippet.highlights] == marked
    assert text[snippet.start : snippet.start + len(snippet.text)] == snippet.text


def test_sorted_by_date(archive: ArchiveStore) -> None:
    results = search(archive, "in:#garden", sort="date")
    assert texts(results)[0] == "nobody knows"
    assert [hit.found[0].message.time for hit in results] == sorted(
        (hit.found[0].message.time for hit in results if hit.found[0].message.time), reverse=True
    )


def test_facets_count_conversations(archive: ArchiveStore) -> None:
    results = search(archive, "roses OR kettle", facets=True)
    assert results.facets is not None
    assert dict(results.facets.people) == {"ada": 1, "ada_away": 1, "cy": 2}
    assert dict(results.facets.channels) == {"#garden": 2, "#house": 1}
    assert [value.value for value in results.facets.months] == ["2024-07", "2024-06", "2024-05"]
    assert results.is_complete
    assert search(archive, "kettle").facets is None


def test_options_are_shorthand_for_keys(archive: ArchiveStore) -> None:
    both = SearchFilters(person="ada", channel="#garden", since="2024-05-01", until="2024-06-11")
    assert texts(search(archive, "roses", filters=both)) == ["what about the ταΐζω roses?"]
    assert search(archive, "roses", filters=SearchFilters(until="2024-05-21")) == search(
        archive, "red roses before:2024-05-22"
    )


def test_an_edited_message_is_found_by_its_new_text_alone(home: Home) -> None:
    with filled(home) as archive:
        id = search(archive, "C++")[0].found[0].id
        with archive.transaction() as engine:
            engine.remove_words([id])
            engine.execute("update messages set text = 'C# → now' where id = :id", id=id)
            engine.renew_words([id])
        assert found(archive, "C++ OR 日本 OR 😀") == []
        assert found(archive, "C#") == found(archive, "→") == ["C# →"]
        assert check(archive) == []


def test_a_word_in_very_many_messages_is_bounded(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hubbub.archive.search.MAX_CANDIDATES", 3)
    with filled(home) as archive:
        results = search(archive, "the", facets=True)
        assert not results.is_complete
        assert 0 < len(texts(results)) <= 3 < MAX_CANDIDATES
        assert not search(archive, "is:answered").is_complete
        assert search(archive, "is:question is:answered").is_complete
        assert search(archive, "kettle").is_complete


def test_fusion_adds_reciprocal_ranks() -> None:
    def ranking(*numbers: int) -> list[tuple[int, float, list[FoundRow]]]:
        return [(number, 1.0, [FoundRow(number, number, None, "ada", 1)]) for number in numbers]

    both = fused([(1.0, ranking(1, 2, 3)), (0.5, ranking(3, 2))])
    assert [number for number, _, _ in both] == [2, 3, 1]
    assert both[0][1] == pytest.approx(1 / (FUSION_CONSTANT + 2) + 0.5 / (FUSION_CONSTANT + 2))
    assert [len(rows) for _, _, rows in both] == [1, 1, 1]


def test_vectors_find_what_words_do_not(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def encode(given: Sequence[str]) -> NDArray[np.float32]:
        """One number says whether it is about flowers."""
        about = ["rose" in each or "blossom" in each for each in given]
        return np.array([[1.0, 0.0] if each else [0.0, 1.0] for each in about], np.float32)

    monkeypatch.setattr("hubbub.archive.meaning.static_encoder", lambda: SimpleNamespace(encode=encode))
    with filled(home) as archive:
        assert MeaningIndex.of(archive) is None
        list(add_vectors(archive, encode))
        meaning = MeaningIndex.of(archive)
        assert meaning
        assert search(archive, "blossom time") == []
        near = search(archive, "blossom time", meaning=meaning)
        assert {" ".join(text.split()[:2]) for text in texts(near)} == {"the roses", "what about"}
        assert near[0].snippets[0].highlights == ()
        assert texts(search(archive, "blossom time from:cy", meaning=meaning)) == [
            "the roses are red, the Straße is long"
        ]
        assert search(archive, '"blossom time"', meaning=meaning) == []


PIECES = st.sampled_from(
    ['"', "(", ")", "OR", "-", "*", "from:", "in:#house", "after:2013", "is:answered", "kettle", "日", "😀", "C++", "'",
     "\\", ":*", "<->", "&", "|", "!", "NEAR(", "text:", "%s", ":name", "\x00", "\ud800", "½", "x64"]
)  # fmt: skip
PIECEWISE = st.lists(PIECES | st.text(max_size=5), max_size=12).map(" ".join) | st.lists(PIECES).map("".join)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    query=st.text(max_size=60)
    | st.lists(PIECES | st.text(max_size=5), max_size=12).map(" ".join)
    | st.lists(PIECES).map("".join)
)
def test_any_string_is_a_query(archive: ArchiveStore, query: str) -> None:
    try:
        results = search(archive, query, facets=True, sort="date")
    except HubbubError as error:
        pytest.fail(f"{query!r}: {error}")
    for hit in results:
        for stored, snippet in zip(hit.found, hit.snippets, strict=True):
            assert all(0 <= start < end <= len(stored.message.text) for start, end in snippet.highlights)
