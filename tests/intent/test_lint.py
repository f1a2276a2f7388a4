"""What is said about examples before anything is learnt from them."""

from __future__ import annotations

import pytest

from hubbub.intent.data.example import IntentExample
from hubbub.intent.reports.lint import conflicts, duplicates, findings, near_duplicates, too_few, unbalanced

from ..conftest import Put, Run


def some(count: int, name: str | None, text: str = "text") -> list[IntentExample]:
    return [IntentExample(f"{text} {name} {number}", name, "a.csv", number + 1) for number in range(count)]


def test_too_few() -> None:
    found = too_few([*some(4, "small"), *some(5, "large"), *some(1, "tiny"), *some(1, None)])
    assert found is not None
    assert found.sentence() == "2 intents have fewer than 5 examples: tiny (1), small (4)"
    assert too_few(some(5, "large")) is None


def test_unbalanced() -> None:
    assert unbalanced([*some(50, "a"), *some(9, "b"), *some(9, "c")]) is None
    found = unbalanced([*some(100, "a"), *some(10, "b"), *some(9, "c")])
    assert found is not None
    assert found.sentence() == (
        "the intents are very unbalanced (10 in the middle): a has 100 examples, c has 9 examples"
    )
    assert unbalanced([]) is None


def test_duplicates_and_conflicts() -> None:
    rows = [("Hi!", "greet"), ("hi", "leave"), ("Hi!", "greet"), ("hi", None), ("bye", "leave")]
    examples = [IntentExample(text, name, "a.csv", line) for line, (text, name) in enumerate(rows, 2)]
    twice, torn = duplicates({"train": examples}), conflicts(examples)
    assert twice is not None
    assert twice.sentence() == "1 text stands there more than once: “Hi!” (lines 2 and 4)"
    assert torn is not None
    assert torn.sentence() == "1 text has conflicting intents: “Hi!” as greet and leave and oos (lines 2 and 3 and 5)"
    assert duplicates({"train": examples[:2], "test": examples[2:]}) is None


def test_near_duplicates_across_parts() -> None:
    train = [
        IntentExample("please tell me when you open on sunday", "hours", "train.csv", 7),
        IntentExample("?!", "huh"),
    ]
    kept = ["Please, tell me when you open on Sundays!", "tell me where you are", "?!", ""]
    found = near_duplicates({"train": train, "test": [IntentExample(text, "hours", "test.csv", 3) for text in kept]})
    assert found is not None
    assert [group[1].text for group in found.groups] == [kept[0], kept[2]]
    assert "(train.csv line 7 and test.csv line 3)" in found.sentence()
    assert near_duplicates({"train": train}) is None


def test_only_three_cases_are_told() -> None:
    found = duplicates({"train": [*some(9, "a"), *some(9, "a")]})
    assert found is not None
    assert found.sentence().startswith("9 texts stand there more than once: ")
    assert found.sentence().endswith(" and 6 more")


def test_good_data_is_passed_over_in_silence() -> None:
    assert findings({"train": [*some(6, "a"), *some(6, "b", "word")], "test": some(2, "b", "another one")}) == []


def test_intents_that_are_only_tested() -> None:
    (found,) = findings({"train": [*some(6, "a"), *some(6, "b", "word")], "test": some(2, "c", "another one")})
    assert found.sentence() == (
        "1 intent of the validation or test part cannot be learnt from the training part: c (2)"
    )


def test_training_warns(put: Put, run: Run) -> None:
    pytest.importorskip("sklearn")
    rows = "".join(f"turn on lamp {n},on\nturn off lamp {n},off\n" for n in range(6))
    file = put("a.csv", f"text,intent\n{rows}turn on lamp 1,off\n")
    ran = run("train", "intent", "--on", file, "--out", file.parent / "out", "--model", "intent/svm")
    assert ran.status == 0, ran.err
    assert (
        ran.err == f"hubbub: {file}: 1 text has conflicting intents: “turn on lamp 1” as on and off (lines 4 and 14).\n"
    )
