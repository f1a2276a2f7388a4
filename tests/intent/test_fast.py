"""The fast classifier: what it sees of a text, what it learns, how it goes on, and its reasons."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hubbub.cli import main
from hubbub.errors import OptionError
from hubbub.intent.data.loading import gold
from hubbub.intent.data.sample import SAMPLE
from hubbub.intent.features.ngrams import Bag, bags
from hubbub.intent.inference.neighbours import ExampleIndex, NearExample
from hubbub.intent.models._fast_network import MAX_POOL_WEIGHT, dequantize, max_pool, mean_pool, quantize
from hubbub.intent.models.fast import Fast
from hubbub.intent.task import TASK
from hubbub.intent.training import fast as fast_training
from hubbub.intent.training.augmentation import augmented_texts
from hubbub.intent.training.fast_kernels import max_rows, scatter_max_gradients
from hubbub.ml.registry import load, save

BELLS = ("sell me a bell", "i want to buy a bell", "do you sell bells", "a new bell please", "can i buy a bell here")
SHOP = [text for name, texts in SAMPLE.items() if name for text in texts]


@pytest.fixture(scope="module")
def shop() -> Fast:
    sample = TASK.sample()
    return Fast(teacher="").fit(sample.inputs, sample.golds, tuning=(sample.inputs, sample.golds))


def right(model: Fast, texts: list[str]) -> float:
    wanted = {text: name for name, of in SAMPLE.items() for text in of}
    return float(
        np.mean([said.ranking[0][0] == wanted[text] for text, said in zip(texts, model.predict(texts), strict=True)])
    )


def test_runs_are_words_with_their_edges_and_characters_in_words() -> None:
    pieces, runs, characters = bags(["open now", "", "now"])
    assert np.diff(pieces.starts).tolist() == [2, 0, 1]
    assert np.diff(runs.starts).tolist() == [3 + 2, 1, 2 + 1]
    assert np.diff(characters.starts).tolist() == [4 + 3 + 2 + 3 + 2 + 1, 0, 3 + 2 + 1]
    assert bags(["open now"])[1].keys.tolist() == runs.part(0, 1).keys.tolist()


def test_only_known_keys_have_rows_and_a_text_without_any_is_zero() -> None:
    _, runs, _ = bags(["open now", "something else"])
    known = np.unique(runs.part(0, 1).keys)
    rows = runs.rows(known)
    assert np.diff(rows.starts).tolist() == [5, 0]
    assert (mean_pool(np.ones((5, 2), np.float32), rows) == [[1, 1], [0, 0]]).all()


def test_what_stands_out_is_the_largest_number_of_a_column_and_counts_half() -> None:
    texts = Bag(np.arange(3), np.array([0, 2, 2, 3]))
    rows = np.array([[1, -4], [-2, -6], [8, 0]], np.float32)
    assert (max_pool(rows, texts) == [[0.5, -2], [0, 0], [4, 0]]).all()


def test_many_texts_come_to_the_same_as_each_alone() -> None:
    random = np.random.default_rng(2)
    counts = np.concatenate([random.integers(0, 9, 38), [300, 0]])
    texts = Bag(np.arange(counts.sum()), np.concatenate([[0], np.cumsum(counts)]))
    rows = random.standard_normal((counts.sum(), 64)).astype(np.float32)
    for taken_together in (mean_pool, max_pool):
        whole = taken_together(rows, texts)
        alone = [
            taken_together(rows[texts.starts[at] : texts.starts[at + 1]], texts.part(at, at + 1)) for at in range(40)
        ]
        assert (whole == np.concatenate(alone)).all()


def test_training_and_answering_see_the_same_largest_numbers_and_the_rows_that_have_them_learn() -> None:
    table = np.random.default_rng(1).standard_normal((4, 3)).astype(np.float32)
    texts = Bag(np.array([0, 1, 2, 3, 1]), np.array([0, 3, 3, 5]))
    found, where = np.zeros((3, 3), np.float32), np.full((3, 3), -1, np.int64)
    max_rows(table, texts.keys, texts.starts, np.arange(3), 1, np.uint32(0), found, where)
    assert (found * MAX_POOL_WEIGHT == max_pool(table[texts.keys], texts)).all()
    gradients = np.zeros_like(table)
    scatter_max_gradients(gradients, where, np.ones((3, 3), np.float32))
    assert (gradients == [[(where == row)[:, column].sum() for column in range(3)] for row in range(4)]).all()
    assert (where[1] == -1).all()


def test_what_stands_out_is_seen_where_there_are_examples_enough(shop: Fast, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not shop.unpacked().network.sees_largest
    monkeypatch.setattr(fast_training, "MIN_MAX_POOL_EXAMPLES", 1)
    sample = TASK.sample()
    wider = Fast(teacher="").fit(sample.inputs, sample.golds, tuning=(sample.inputs, sample.golds))
    assert wider.unpacked().network.sees_largest
    again = Fast(teacher="").restore(wider.state())
    assert again.predict(SHOP) == wider.predict(SHOP)
    assert [again.predict([text])[0] for text in SHOP] == wider.predict(SHOP)
    assert [said.name for said in wider.predict(sample.inputs)] == [gold.name for gold in sample.golds]


def test_bytes_are_near_to_what_they_stand_for() -> None:
    values = np.array([[1.0, -0.5, 0.25], [0, 0, 0]], np.float32)
    assert np.abs(dequantize(*quantize(values)) - values).max() < 0.005


def test_five_examples_an_intent_are_enough_to_turn_foreign_questions_away() -> None:
    few = {
        "parcel": "where is my parcel/when does my package arrive/track my order/has it shipped/my parcel is late",
        "refund": "i want my money back/give me a refund/refund please/pay me back/how do i get a refund",
        "hours": "when are you open/opening hours/are you open on sunday/what time do you close/is the shop open",
    }
    texts = [(text, name) for name, lines in few.items() for text in lines.split("/")]
    model = Fast().fit([text for text, _ in texts], [gold(name) for _, name in texts])
    mine = model.predict(["where's my package", "are you open tomorrow", "i would like a refund"])
    assert [said.name for said in mine] == ["parcel", "hours", "refund"]
    others = model.predict(["what is the capital of france", "zxcv qwer"])
    assert [said.name for said in others] == [None, None]


def test_it_learns_its_examples_and_its_reasons_are_among_them(shop: Fast) -> None:
    assert right(shop, SHOP) == 1
    (reasons,) = shop.nearest(["where is the parcel"], 2)
    assert reasons[0].text == "where is my parcel"
    assert reasons[0].name == "order_status"
    assert reasons[0].similarity >= reasons[1].similarity


def test_a_teacher_that_is_a_classifier_is_heard(shop: Fast, tmp_path: Path) -> None:
    sample = TASK.sample()
    folder = save(shop, tmp_path / "teacher")
    taught = Fast(teacher=str(folder)).fit(sample.inputs, sample.golds, tuning=(sample.inputs, sample.golds))
    assert right(taught, SHOP) == 1
    with pytest.raises(OptionError, match="the same intents"):
        Fast(teacher=str(folder)).fit(
            ["a b", "b c", "d e", "e f"], [gold("one"), gold("one"), gold("two"), gold("two")]
        )


def test_more_intents_are_added_and_the_old_ones_stay(shop: Fast, tmp_path: Path) -> None:
    more = load(save(shop, tmp_path / "before"))
    assert isinstance(more, Fast)
    before = more.predict(["who won the match last night"])[0].score
    more.fit(BELLS, [gold("buy_bell")] * len(BELLS))
    assert more.names_ == [*(shop.names_ or []), "buy_bell"]
    assert more.predict(["may i buy a bell"])[0].ranking[0][0] == "buy_bell"
    assert right(more, SHOP) == 1
    assert abs(more.predict(["who won the match last night"])[0].score - before) < 0.2
    assert more.nearest(["do you have bells"])[0][0].name == "buy_bell"
    assert load(save(more, tmp_path / "after")).predict(SHOP) == more.predict(SHOP)


def test_an_old_intent_learns_from_more_examples(shop: Fast, tmp_path: Path) -> None:
    more = load(save(shop, tmp_path / "before"))
    more.fit(["kwyjibo zorp"] * 2, [gold("return_item")] * 2)
    assert more.predict(["kwyjibo zorp"])[0].ranking[0][0] == "return_item"


def test_what_is_out_of_scope_can_come_later() -> None:
    inside = TASK.sample()
    pairs = [(text, each) for text, each in zip(inside.inputs, inside.golds, strict=True) if each.name is not None]
    model = Fast(teacher="").fit(*map(list, zip(*pairs, strict=True)))
    model.fit(list(SAMPLE[""]), [gold(None)] * len(SAMPLE[""]), tuning=(inside.inputs, inside.golds))
    assert [said.name for said in model.predict(list(SAMPLE[""]))] == [None] * len(SAMPLE[""])


def test_other_languages_work_by_their_characters() -> None:
    texts = [
        "wann öffnet ihr",
        "öffnungszeiten bitte",
        "öffnet ihr sonntags",
        "wo ist mein paket",
        "mein paket fehlt",
        "paketverfolgung",
    ]
    model = Fast(teacher="", validation_share=0).fit(texts, [gold("zeit")] * 3 + [gold("paket")] * 3)
    assert [said.ranking[0][0] for said in model.predict(["öffnungszeit?", "pakete"])] == ["zeit", "paket"]


def test_varied_texts_are_new_and_the_same_every_time() -> None:
    texts = ["one two three four", "five six seven", "eight nine ten"]
    made = augmented_texts(texts, np.array([0, 0, 1]), 50, 1, 0.75)
    assert made == augmented_texts(texts, np.array([0, 0, 1]), 50, 1, 0.75)
    assert len(set(made)) == len(made) > 10
    assert not set(made) & set(texts)


def test_words_that_have_none_like_them_are_only_mixed() -> None:
    made = augmented_texts(["qxz vvq wqx", "zzq wqx kkj", "qqj xxw"], np.array([0, 0, 1]), 50, 1, 0.75)
    assert len(made) > 10
    assert {word for text in made for word in text.split()} <= {"qxz", "vvq", "wqx", "zzq", "kkj", "qqj", "xxw"}


def test_words_give_way_to_others_of_about_the_same_meaning() -> None:
    made = augmented_texts(["Book a restaurant!", "cancel my flight"], np.array([0, 1]), 200, 1, 0.75)
    assert {"book a diner !", "cancel my flights"} <= set(made)


def test_a_word_gives_way_to_another_that_stands_behind_the_same_word() -> None:
    made = augmented_texts(["lock my door", "open my gate", "sing"], np.array([0, 0, 1]), 600, 1, 0.75)
    assert {"lock my gate", "open my door"} <= set(made)


def test_examples_of_a_file_are_kept_in_place_of_those_learnt(tmp_path: Path) -> None:
    file = tmp_path / "shown.json"
    file.write_text('{"train": [["is there a parcel for me", "order_status"]]}', encoding="utf-8")
    sample = TASK.sample()
    model = Fast(teacher="", examples=str(file)).fit(sample.inputs, sample.golds)
    assert model.examples_ == [("is there a parcel for me", "order_status")]
    assert model.nearest(["my parcel"], 5)[0][0].text == "is there a parcel for me"


def test_nearest_of_nothing_and_of_equals() -> None:
    assert ExampleIndex([], [], np.zeros((0, 2))).of(np.ones((1, 2))) == [()]
    kept = ExampleIndex.kept(["a", "b", "c"], ["x", "y", "z"], np.array([[1, 0], [2, 0], [0, 1.0]]))
    assert kept.of(np.array([[3.0, 0]]), 2) == [(NearExample("a", "x", 1.0), NearExample("b", "y", 1.0))]


RECIPE = """
on = "{data}"
[[step]]
model = "intent/fast"
out = "{out}/one"
settings = {{ teacher = "", examples = "{data}" }}
[[step]]
model = "intent/svm"
out = "{out}/two"
"""


def test_a_recipe_of_several_steps_makes_all_or_the_one_that_is_named(tmp_path: Path) -> None:
    data, recipe = tmp_path / "d.json", tmp_path / "r.toml"
    rows = [f'["{text}", "{name or "oos"}"]' for name, texts in SAMPLE.items() for text in texts]
    data.write_text(f'{{"train": [{", ".join(rows)}]}}', encoding="utf-8")
    recipe.write_text(RECIPE.format(data=data, out=tmp_path), encoding="utf-8")
    assert main(["train", "intent", "--recipe", str(recipe), "--model", "intent/fast"]) == 0
    assert (tmp_path / "one" / "model.json").is_file()
    assert not (tmp_path / "two").exists()


def test_steps_that_are_no_tables_are_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = tmp_path / "r.toml"
    recipe.write_text('step = "one"', encoding="utf-8")
    assert main(["train", "intent", "--recipe", str(recipe)]) == 2
    assert "the steps of a recipe are tables" in capsys.readouterr().err


def test_three_examples_an_intent_do_not_shut_the_door_on_all_others() -> None:
    inside = {name: texts for name, texts in SAMPLE.items() if name}
    few = [(text, name) for name, texts in inside.items() for text in texts[:3]]
    model = Fast().fit([text for text, _ in few], [gold(name) for _, name in few])
    unseen = [text for texts in inside.values() for text in texts[3:]]
    assert sum(said.name is not None for said in model.predict(unseen)) > len(unseen) / 2
