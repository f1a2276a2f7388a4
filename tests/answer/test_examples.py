"""Examples out of dialogues: their rules, what must not leak, and the published files."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from hubbub.answer.data.examples import evaluation_examples, normalized, training_examples, turn_texts
from hubbub.answer.data.files import (
    context_of,
    context_text,
    dialogue_line,
    evaluation_rows,
    read_dialogues,
    read_examples,
    training_rows,
    tsv_files,
)
from hubbub.answer.data.loading import sample_dialogues
from hubbub.answer.data.splits import by_date
from hubbub.answer.metrics import score
from hubbub.errors import Broken, Empty, TooFew
from hubbub.layers import Reply

DIALOGUES = sample_dialogues()


def test_every_turn_from_the_third_on_is_a_training_reply() -> None:
    made = training_examples(DIALOGUES)
    assert len(made) == sum(len(each.turns()) - 2 for each in DIALOGUES)
    assert all(len(each.false) == 1 and len(each.context) >= 2 for each in made)


@pytest.mark.parametrize("rules", ["v1", "v2"])
def test_the_same_seed_makes_the_same_examples(rules: str) -> None:
    assert evaluation_examples(DIALOGUES, rules, 5) == evaluation_examples(DIALOGUES, rules, 5)
    assert evaluation_examples(DIALOGUES, rules, 5) != evaluation_examples(DIALOGUES, rules, 6)


@pytest.mark.parametrize("similar", [False, True])
def test_no_false_reply_is_the_truth_or_was_said_in_the_context(similar: bool) -> None:
    for each in evaluation_examples(DIALOGUES, similar=similar):
        taken = {normalized(each.reply), *map(normalized, turn_texts(each.context))}
        assert len(each.false) == len({normalized(text) for text in each.false}) == 9
        assert not taken & {normalized(text) for text in each.false}


def test_similar_replies_share_more_words_with_the_true_one() -> None:
    shared = [
        sum(len(set(normalized(e.reply).split()) & set(normalized(text).split())) for e in made for text in e.false[:2])
        for made in (evaluation_examples(DIALOGUES, similar=True), evaluation_examples(DIALOGUES))
    ]
    assert shared[0] > 1.5 * shared[1]


def test_helpers_are_those_who_did_not_begin() -> None:
    assert all(each.helper for each in evaluation_examples(DIALOGUES, helpers=True))


def test_too_few_dialogues_are_said() -> None:
    with pytest.raises(TooFew, match="too few dialogues"):
        training_examples(DIALOGUES[:2])


def test_no_message_is_in_two_parts() -> None:
    train, valid, test = by_date(DIALOGUES, 0.25, 0.25)
    assert (len(train), len(valid), len(test)) == (6, 3, 3)
    shared = by_date([*DIALOGUES[:11], DIALOGUES[0]], 0.2, 0.2)
    assert [each.name for each in shared[0]].count("sample/1") == 2


def test_contexts_are_written_and_read_in_both_versions() -> None:
    context = (("hello there", "anybody?"), ("yes",))
    assert context_text(context) == "hello there __eou__ anybody? __eou__ __eot__ yes __eou__ __eot__"
    assert context_of(context_text(context)) == context
    assert context_of("hello __EOS__ yes") == (("hello",), ("yes",))


def test_dialogues_survive_both_layouts(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text("".join(f"{dialogue_line(each)}\n" for each in DIALOGUES))
    assert read_dialogues(tmp_path / "d.jsonl") == DIALOGUES
    for name, content in tsv_files(DIALOGUES):
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text(content)
    again = read_dialogues(tmp_path / "tree")
    assert sorted(t.text for d in again for t in d.turns()) == sorted(t.text for d in DIALOGUES for t in d.turns())


def test_examples_survive_the_published_files(tmp_path: Path) -> None:
    made = evaluation_examples(DIALOGUES)
    for name, rows in (("test.csv", evaluation_rows(made)), ("train.csv", training_rows(training_examples(DIALOGUES)))):
        with (tmp_path / name).open("w", newline="") as file:
            csv.writer(file).writerows(rows)
    again = read_examples(tmp_path / "test.csv")
    assert [(e.context, e.reply, e.false) for e in again] == [(e.context, e.reply, e.false) for e in made]
    assert len(read_examples(tmp_path / "train.csv")) == len(training_examples(DIALOGUES))


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("", Empty),
        ("a,b\n1,2\n", Broken),
        ("Context,Utterance,Label\nx,y,maybe\n", Broken),
        ("Context,Ground Truth Utterance,Distractor_0\nx,y\n", Broken),
    ],
)
def test_a_file_of_another_shape_is_one_sentence(tmp_path: Path, content: str, error: type[Exception]) -> None:
    (tmp_path / "bad.csv").write_text(content)
    with pytest.raises(error):
        read_examples(tmp_path / "bad.csv")


def test_recall_and_rank_by_hand() -> None:
    gold = (Reply("right", 1.0), Reply("wrong", 0.0), Reply("odd", 0.0))
    first = (Reply("right", 3.0), Reply("odd", 2.0), Reply("wrong", 1.0))
    second = (Reply("odd", 2.0), Reply("right", 1.5), Reply("wrong", 1.0))
    tied = (Reply("odd", 2.0), Reply("wrong", 1.0), Reply("right", 1.0))
    figures = score([gold, gold, gold], [first, second, tied])
    assert figures["recall_3_at_1"] == pytest.approx(100 / 3)
    assert figures["recall_3_at_2"] == pytest.approx(200 / 3)
    assert figures["recall_2_at_1"] == pytest.approx(200 / 3)
    assert figures["mrr"] == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)


def hubbub(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hubbub", *map(str, words)], capture_output=True, text=True, timeout=120
    )


def test_from_a_chat_to_scores(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text("".join(f"{dialogue_line(each)}\n" for each in DIALOGUES))
    made = hubbub("examples", tmp_path / "d.jsonl", "--out", tmp_path / "e", "--split", "0,0.5", "--false", 3)
    assert made.returncode == 0, made.stderr
    trained = hubbub(
        "train", "answer", "--model", "answer/tfidf", "--on", tmp_path / "e" / "train.csv", "--out", tmp_path / "m"
    )
    assert trained.returncode == 0, trained.stderr
    scored = hubbub("evaluate", tmp_path / "m", "--on", tmp_path / "e" / "test.csv", "--json")
    assert '"recall_4_at_1"' in scored.stdout


def test_bad_input_of_the_verbs_is_one_sentence(tmp_path: Path) -> None:
    for words in (("examples", tmp_path / "none", "--out", tmp_path), ("dialogues", tmp_path / "none")):
        done = hubbub(*words)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
