"""The published models: what each does, on small chats made for it."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from pathlib import Path

import pytest

from hubbub.addressing import Addressees
from hubbub.chat import Chat, Kind, Message
from hubbub.errors import Broken, Unreadable
from hubbub.layers import ReplyGraph
from hubbub.ml.registry import load, make, save
from hubbub.ml.task import ExampleSource, train
from hubbub.thread.data.chains import chain_conversations
from hubbub.thread.data.elsner import read_annotated
from hubbub.thread.data.loading import load as load_examples
from hubbub.thread.data.loading import sample
from hubbub.thread.features.kummerfeld_features import FEATURE_COUNT, MAX_DISTANCE, KummerfeldFeatures
from hubbub.thread.features.pmi_vectors import MessageVectors, fit_word_vectors, tokens
from hubbub.thread.models.elsner import Elsner, fit_logistic_regression
from hubbub.thread.models.intersect import Intersect
from hubbub.thread.models.lowe import Lowe
from hubbub.thread.models.union import Union
from hubbub.thread.models.vote import Vote
from hubbub.timeline import elapsed_seconds

from ..conftest import Put

START = datetime(2024, 3, 1, 9, 0)


def chat(*said: str, every: int = 30) -> Chat:
    """Lines `name: text`, or a text alone for a system line, each so many seconds after the other."""
    messages = []
    for position, line in enumerate(said):
        name, mark, text = line.partition(" > ")
        kind: Kind = "message" if mark else "system"
        moment = START + timedelta(seconds=every * position)
        messages.append(Message(str(position), moment, name if mark else "", text or name, kind))
    return Chat("c", tuple(messages))


def groups(graph: ReplyGraph) -> set[tuple[int, ...]]:
    return {each for each in graph.components() if len(each) > 1}


TALK = (
    "ines > my printer is offline",
    "raul > ines: is it plugged in?",
    "mika > nice weather",
    "ines > raul: yes it is",
    "raul > then restart it",
)


def test_lowe_joins_two_who_address_each_other() -> None:
    assert groups(Lowe(min_messages=3).predict([chat(*TALK)])[0]) == {(0, 1, 3)}


def test_lowe_needs_four_messages() -> None:
    assert groups(Lowe().predict([chat(*TALK)])[0]) == set()
    longer = (*TALK, "raul > ines: done?")
    assert groups(Lowe().predict([chat(*longer)])[0]) == {(0, 1, 3, 4, 5)}


def test_lowe_leaves_undirected_messages_of_who_talks_to_others() -> None:
    busy = (*TALK, "raul > mika: indeed it is nice", "raul > ines: done?")
    assert groups(Lowe().predict([chat(*busy)])[0]) == {(0, 1, 3, 6)}


def test_lowe_looks_back_three_minutes() -> None:
    longer = (*TALK, "raul > ines: done?")
    assert groups(Lowe().predict([chat(*longer, every=181)])[0]) == set()


def test_people_are_found_by_name_and_words_are_not() -> None:
    people = Addressees(chat("ines > hi", "the > hi", "[raul] > hi", "Zo > hi", "1234 > hi"))
    assert people.addressed("Ines, ask RAUL: or the 1234") == ["ines", "raul"]
    assert people.recipient("zo: hello") == "zo"
    assert people.recipient("zo hello") is None
    assert people.recipient("") is None


def test_a_name_that_is_mostly_a_word_is_a_word() -> None:
    said = [f"ines > i like the garden number {n}" for n in range(12)]
    assert Addressees(chat("garden > hello", *said)).addressed("garden: hi") == []


def test_time_goes_on_over_midnight() -> None:
    def at(clock: time | None) -> Message:
        return Message("0", None, "ines", "hm", clock=clock)

    assert elapsed_seconds([at(None), at(time(23, 59)), at(None), at(time(0, 1))]) == [0, 0, 0, 120]


def test_chains() -> None:
    assert chain_conversations(["a", "b", "a", None, None]).parents == ((0,), (1,), (0,), (3,), (4,))


def test_the_features_are_77_in_their_bounds() -> None:
    features = KummerfeldFeatures(chat(*TALK, "mika joined"))
    for position in range(6):
        rows = features.of(position)
        assert rows.shape == (position + 1, FEATURE_COUNT)
        assert rows.min() >= 0
        assert rows.max() <= MAX_DISTANCE
        assert list(rows[:, 50]) == [0] * position + [1], "only the last is the message itself"


def test_features_see_who_speaks_to_whom() -> None:
    rows = KummerfeldFeatures(chat(*TALK)).of(3)
    named = {"candidate names the author": 59, "author names the candidate": 60, "same author": 69}
    found = {name: [int(value) for value in rows[:, column]] for name, column in named.items()}
    assert found == {
        "candidate names the author": [0, 1, 0, 0],
        "author names the candidate": [0, 1, 0, 0],
        "same author": [1, 0, 0, 1],
    }


def test_features_follow_people_through_renames_and_marks() -> None:
    said = list(chat("ines > hello", "note", "raul > ines: hi", "tea_ines > hi raul", "tea_ines_ > back again"))
    said[1] = said[1]._replace(author="ines", text="ines is now known as tea_ines")
    rows = KummerfeldFeatures(Chat("c", tuple(said))).of(4)
    assert list(rows[:, 69]) == [1, 1, 0, 1, 1], "the same author"
    assert list(rows[:, 59]) == [0, 1, 1, 0, 0], "those that name the author, by whatever name"


def test_a_block_has_the_rows_of_its_messages() -> None:
    features = KummerfeldFeatures(chat(*TALK))
    assert features.block(0).shape == (5, 101, FEATURE_COUNT)
    assert abs(features.block(0)[3, -4:] - features.of(3)).max() < 0.01
    assert not features.block(0)[3, :-4].any()


def test_far_candidates_are_left_out() -> None:
    assert len(KummerfeldFeatures(chat(*("ines > hm",) * 150)).of(149)) == 101


def test_tokens() -> None:
    assert tokens("It's 10:30?? OK") == ["it's", "0", "0", "?", "ok"]


def test_vectors_put_words_of_the_same_company_together() -> None:
    texts = ["boil the tea", "boil the coffee", "pour the tea", "pour the coffee", "paint a wall", "paint a door"] * 5
    words, vectors = fit_word_vectors(texts, 4, 0, least=2)
    place = {word: number for number, word in enumerate(words)}
    alike = vectors @ vectors.T
    assert alike[place["tea"], place["coffee"]] > alike[place["tea"], place["wall"]]
    assert MessageVectors(words, vectors).of(["tea", "unheard"]).shape == (2, 8)
    assert fit_word_vectors([], 4, 0)[1].shape == (0, 4)


def test_logistic_regression_finds_the_weights() -> None:
    np = pytest.importorskip("numpy")
    rows = np.array([[1.0, 0], [1, 1]] * 50)
    right = np.array([False, True, False, False] * 25)
    weights = fit_logistic_regression(rows, right, 1e-6, 50)
    assert 1 / (1 + np.exp(-weights.sum())) == pytest.approx(0.5, abs=1e-3)


def test_elsner_learns_that_names_join() -> None:
    chats, golds = [chat(*TALK)] * 4, [ReplyGraph(((0,), (0,), (2,), (1,), (3,)))] * 4
    model = Elsner().fit(chats, golds)
    assert (0, 1, 3, 4) in groups(model.predict([chat(*TALK)])[0])
    assert groups(model.predict([chat(*TALK, every=130)])[0]) == set(), "too far apart to be scored"


def test_elsner_by_vote() -> None:
    chats, golds = [chat(*TALK)] * 4, [ReplyGraph(((0,), (0,), (2,), (1,), (3,)))] * 4
    found = Elsner(decide="vote").fit(chats, golds).predict([chat(*TALK), chat("ines > a", "raul > b", every=130)])
    assert (0, 1, 3, 4) in groups(found[0])
    assert groups(found[1]) == set()


ELSNER = "T1 10 Ines :  hello\nT-1 12 Tomo *  entered the room.\nT2 14 Raul :  hm\nT1 99 Mika *  waves\n"


def test_the_corpus_of_elsner(put: Put) -> None:
    found, gold = read_annotated(put("a.annot", ELSNER))
    assert [message.kind for message in found] == ["message", "system", "message", "action"]
    assert found[1].text == "Tomo entered the room."
    assert elapsed_seconds(found) == [0, 2, 4, 89]
    assert gold.parents == ((0,), (1,), (2,), (0,))


def test_annotators_who_were_set_aside(put: Put) -> None:
    files = tuple(put(f"x-{name}.annot", ELSNER) for name in ("0X", "1", "2X"))
    used = load_examples(ExampleSource("mine", files, "evaluate", lambda path: Chat("")))
    assert [path.name for path in used.files] == ["x-0X.annot", "x-1.annot"]


def test_a_broken_line_of_that_corpus(put: Put, tmp_path: Path) -> None:
    with pytest.raises(Broken, match="line 2 is no message such as"):
        read_annotated(put("a.annot", "T1 10 Ines :  hello\nhello\n"))
    with pytest.raises(Unreadable):
        read_annotated(tmp_path)


SAID = [((0,), (0,), (1,), (3,)), ((0,), (1,), (1,), (2,)), ((0,), (0,), (0,), (3,))]


def test_union_keeps_every_link() -> None:
    assert Union().combined(SAID) == ((0,), (0,), (0, 1), (2,))


def test_vote_elects_and_ties_go_to_the_nearer() -> None:
    assert Vote().combined(SAID) == ((0,), (0,), (1,), (3,))
    assert Vote().combined([((0,), (1,)), ((0,), (0,))]) == ((0,), (1,))


def test_intersect_keeps_what_all_agree_on() -> None:
    assert Intersect().combined([SAID[0], SAID[2]]) == ((0,), (0,), (0,), (3,))
    assert Intersect().combined(SAID) == ((0,), (1,), (2,), (3,))
    assert Intersect(min_votes=2).combined(SAID) == ((0,), (0,), (0,), (3,))


def test_an_ensemble_takes_folders_and_trains_names(tmp_path: Path) -> None:
    given = sample()
    folder = save(make("thread/elsner").fit(given.inputs, given.golds), tmp_path / "elsner")
    voted = make("thread/vote", models=(str(folder), "thread/lowe", "thread/previous"), seeds=2)
    again = load(save(voted.fit(given.inputs, given.golds), tmp_path / "vote"))
    assert isinstance(again, Vote)
    assert len(again.members_ or ()) == 5
    assert again.predict(given.inputs) == voted.predict(given.inputs)


@pytest.mark.parametrize("name", ["thread/linear", "thread/feedforward"])
def test_rankers_learn_who_is_addressed(name: str) -> None:
    pytest.importorskip("torch")
    chats, golds = [chat(*TALK)] * 8, [ReplyGraph(((0,), (0,), (2,), (1,), (3,)))] * 8
    model = make(name, epochs=60, batch=8, dimensions=4).fit(chats, golds, seed=1)
    found = model.predict([chat(*TALK)])[0]
    assert found.parents == golds[0].parents
    assert all(0 < probability <= 1 for each in found.scores for probability in each)


def test_rankers_narrow_a_long_chat_to_a_shortlist() -> None:
    pytest.importorskip("torch")
    said = [line for _ in range(40) for line in TALK]
    gold = ReplyGraph(tuple((5 * n + p,) for n in range(40) for p in (0, 0, 2, 1, 3)))
    model = make("thread/feedforward", epochs=20, batch=8, dimensions=4, hidden=32, shortlist=5)
    found = model.fit([chat(*said)], [gold]).predict([chat(*said)])[0]
    right = sum(one == other for one, other in zip(found.parents, gold.parents, strict=True))
    assert right > 180


def test_training_takes_names_of_models(put: Put, tmp_path: Path) -> None:
    put("data/a.annot", ELSNER)
    train("thread", "thread/elsner", tmp_path / "data", out=tmp_path / "model")
    assert load(tmp_path / "model").predict([]) == []
