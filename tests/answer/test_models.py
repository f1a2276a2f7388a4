"""The models that choose replies by what they mean: the encoder as it is, and the one that ships with the package."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from hubbub.answer.data.examples import Choice, evaluation_examples, training_examples
from hubbub.answer.data.files import evaluation_rows, training_rows
from hubbub.answer.data.holdout import hold_out
from hubbub.answer.data.loading import examples, sample, sample_dialogues
from hubbub.answer.features.lexical_features import SharedTerms, document_counts, reply_type, turn_terms
from hubbub.answer.features.turns import dialogue_order, encode_examples
from hubbub.answer.metrics import score
from hubbub.answer.models._ranker import probabilities
from hubbub.answer.models.hubbub import HubbubRanker
from hubbub.ml.registry import bundled, load, make
from hubbub.ml.task import task

QUESTION = Choice(
    (("my usb stick does not show up after I plug it in",), ("what does lsusb say?",)),
    (
        "lsusb lists it, but there is nothing below /media",
        "I would rather have tea with milk",
        "the train to the coast leaves at nine",
        "then choose another font for the terminal",
    ),
)


@pytest.fixture(scope="module")
def shipped() -> HubbubRanker:
    model = load("answer/hubbub")
    assert isinstance(model, HubbubRanker)
    return model


def test_the_default_ships_with_the_package() -> None:
    assert task("answer").default == "answer/hubbub"
    folder = Path(str(bundled()["answer/hubbub"]))
    assert sum(file.stat().st_size for file in folder.iterdir()) < 12_000_000


@pytest.mark.parametrize("name", ["answer/hubbub", "answer/encoder"])
def test_the_reply_that_fits_is_found(name: str) -> None:
    (said,) = load(name).predict([QUESTION])
    assert said[0].text == QUESTION.candidates[0]
    assert all(0 <= each.score <= 1 for each in said)


def test_scores_are_chances_among_the_candidates(shipped: HubbubRanker) -> None:
    for count in (1, 2, 4):
        (said,) = shipped.predict([Choice(QUESTION.context, QUESTION.candidates[:count])])
        assert sum(each.score for each in said) == pytest.approx(1, abs=1e-5)


def test_nothing_to_choose_from_and_nothing_said_before(shipped: HubbubRanker) -> None:
    nothing, alone = shipped.predict([Choice(QUESTION.context, ()), Choice((), QUESTION.candidates)])
    assert nothing == ()
    assert len(alone) == len(QUESTION.candidates)


def test_the_order_of_candidates_does_not_matter(shipped: HubbubRanker) -> None:
    one, other = shipped.predict([QUESTION, Choice(QUESTION.context, QUESTION.candidates[::-1])])
    assert [each.text for each in one] == [each.text for each in other]


def test_vectors_can_be_kept_and_asked_later(shipped: HubbubRanker) -> None:
    kept = shipped.vectors(QUESTION.candidates)
    asked = shipped.context_vector(QUESTION.context)
    assert kept.dtype == np.float32
    assert kept.shape == (4, len(asked))
    assert np.allclose(np.linalg.norm(kept, axis=1), 1, atol=1e-5)
    assert (kept @ asked).argmax() == 0
    assert shipped.vectors([]).shape == (0, len(asked))


def test_it_is_better_than_shared_words_on_dialogues_it_never_saw(shipped: HubbubRanker) -> None:
    given = examples(evaluation_examples(sample_dialogues()))
    words = make("answer/tfidf").fit(*(part for part in (sample().inputs, sample().golds)))
    ours, theirs = (score(given.golds, model.predict(given.inputs))["mrr"] for model in (shipped, words))
    assert ours > theirs


@pytest.mark.parametrize("layout", ["train", "test"])
def test_the_published_files_are_scored_from_the_command_line(tmp_path: Path, layout: str) -> None:
    import csv

    dialogues = sample_dialogues()
    rows = (
        training_rows(training_examples(dialogues))
        if layout == "train"
        else evaluation_rows(evaluation_examples(dialogues))
    )
    path = tmp_path / f"{layout}.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    command = [sys.executable, "-m", "hubbub", "evaluate", "answer/hubbub", "--on", str(path), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    ranks = {"recall_10_at_1", "recall_10_at_2", "recall_10_at_5", "recall_2_at_1"}
    wanted = {"mrr", *(ranks if layout == "test" else ())}
    assert wanted <= set(result)


def test_no_torch_is_needed_to_predict() -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from hubbub.ml.registry import load\n"
        "from hubbub.answer.data.examples import Choice\n"
        "print(load('answer/hubbub').predict([Choice((('hello',),), ('hi', 'no'))])[0][0].score)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_it_goes_on_from_what_it_has_learnt() -> None:
    pytest.importorskip("torch", reason="training needs torch")
    given = sample()
    model = HubbubRanker().fit(given.inputs, given.golds)
    assert model.head_ is not None
    before = model.head_["newest"].copy()
    model.fit(given.inputs, given.golds)
    assert not np.array_equal(before, model.head_["newest"])


def test_examples_of_one_dialogue_are_one_group_and_follow_each_other() -> None:
    given = sample()
    found = encode_examples(given.inputs, given.golds)
    assert sorted(dialogue_order(found)) == list(range(len(given.inputs)))
    order = list(dialogue_order(found))
    followed = sum(found.before[b, 0] == found.reply[a] for a, b in pairwise(order))
    assert followed > 0
    for one, other in zip(found.before, found.group, strict=True):
        same = [g for row, g in zip(found.before, found.group, strict=True) if set(row[:2]) == set(one[:2])]
        assert set(same) == {other}


def test_choices_are_made_on_dialogues_that_are_not_learnt_from() -> None:
    given = examples(training_examples(_many()))
    (inputs, golds), kept = hold_out(given.inputs, given.golds, None, 0)
    assert len(inputs) == len(golds) < len(given.inputs)
    assert not {choice.context[0] for choice in inputs} & {choice.context[0] for choice in kept}
    assert all(len(choice.candidates) == 10 for choice in kept)


def _many() -> list:  # type: ignore[type-arg]
    from dataclasses import replace

    return [
        replace(
            each,
            name=f"{each.name}/{copy}",
            utterances=tuple(
                said._replace(bare=f"{said.bare} number {copy} of many", position=said.position + 1000 * copy)
                for said in each.utterances
            ),
        )
        for copy in range(10)
        for each in sample_dialogues()
    ]


def test_rare_shared_words_count_more_than_common_ones() -> None:
    cues = SharedTerms(document_counts(map(turn_terms, ["the disk", "the mouse", "the grub", "the the grub"] * 3)))
    turns = [turn_terms("the grub menu")]
    common, rare = cues.of(turns, [turn_terms("the end"), turn_terms("grub ends")])
    assert rare[0] > common[0]


def test_the_manner_of_a_text_has_the_same_length_whatever_it_says() -> None:
    lengths = {len(reply_type(turn_terms(text))) for text in ("", "?", "thanks!", "sudo apt-get update", "x" * 10_000)}
    assert len(lengths) == 1


def test_chances_of_far_apart_scores_do_not_overflow() -> None:
    assert probabilities(np.array([1e4, 0.0, -1e4]), 0.5).tolist() == [1.0, 0.0, 0.0]
