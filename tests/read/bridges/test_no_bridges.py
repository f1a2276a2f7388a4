"""People and bots that look like a relay in some respect, and are none: nothing of theirs changes."""

from __future__ import annotations

import pytest

from ...bridging import FORMS, HERE, TALK, THERE, assert_restored, assert_untouched, relayed, says, talk


def test_people_who_address_others_are_no_relay() -> None:
    answers = [("helper", f"{name}: have you tried turning it off?") for name in HERE for _ in range(9)]
    asked = [(name, f"helper: it is broken {number}") for number in range(9) for name in HERE]
    assert_untouched(says(*[pair for both in zip(asked, answers, strict=True) for pair in both]))


def test_those_who_address_relayed_people_are_no_relay_either() -> None:
    helped = [each for name in THERE * 6 for each in says(("helper", f"{name}: look again"), ("ola", "hm"))]
    assert_restored([*talk(6), *helped], [*relayed(talk(6), FORMS["colon"]), *helped])


@pytest.mark.parametrize("text", ["[{}] anna pushed 2 commits", "{}: a new article", "({}) build #3 passed"])
def test_a_bot_that_announces_is_no_relay(text: str) -> None:
    news = [("newsbot", text.format(name)) for name in ("website", "docs", "core", "tools") * 8]
    assert_untouched(says(*[pair for each in news for pair in (each, ("ola", "good"), ("petr", "ola: indeed"))]))


def test_one_name_that_nobody_addresses_is_no_person() -> None:
    alerts = [("alertbot", f"<monitor> disk {number} is full") for number in range(30)]
    assert_untouched(says(*[pair for each in alerts for pair in (each, ("ola", "not again"))]))


def test_a_pasted_log_is_no_relay() -> None:
    pasted = relayed([each for each in talk(3) if each.author in THERE], FORMS["angle"], "paster")
    assert_untouched([*says(*TALK[:1] * 30), *pasted, *says(("ola", "please use a pastebin"), *TALK[:1] * 60)])


def test_a_person_who_quotes_now_and_then_is_no_relay() -> None:
    own = [("quoter", "I disagree"), ("quoter", "<anna> hello"), ("quoter", "<bela> hi"), ("quoter", "that is all")]
    assert_untouched(says(*[pair for each in own * 10 for pair in (each, ("ola", "hm"))]))


def test_a_person_who_pastes_pieces_of_a_log_with_remarks_is_no_relay() -> None:
    piece = [("paster", f"<{name}> {text}") for name, text in zip(THERE, ("hi", "hello", "so", "well"), strict=True)]
    talked = [("ola", "where is that from?"), ("paster", "from the other channel"), ("petr", "I see")]
    assert_untouched(says(*[*piece, *talked] * 3))


def test_a_person_who_addresses_everybody_in_angle_brackets_is_no_relay() -> None:
    advice = ("look at page 3", "try again", "which version?", "that is normal")
    answers = [("helper", f"<{name}> {advice[number % 4]}") for number in range(20) for name in HERE]
    asked = [(name, f"and now? {number}") for number in range(20) for name in HERE]
    assert_untouched(says(*[pair for both in zip(asked, answers, strict=True) for pair in both]))


def test_a_person_who_addresses_one_absent_name_is_no_relay() -> None:
    own = [("ola", "<root> says no"), ("ola", "<root> again"), ("ola", "<root> why?"), ("ola", "<root> hm")]
    assert_untouched(says(*[pair for each in own for pair in (each, ("petr", "are you root at all?"))]))


@pytest.mark.parametrize(
    "form", ["{}: score {}", "[{}] has {} points", "<{}> +{} for a quick answer", "{}: welcome! {}"]
)
def test_a_bot_that_reports_on_people_is_no_relay(form: str) -> None:
    reports = [("gamebot", form.format(name, number)) for number in range(9) for name in THERE]
    talked = [("ola", f"{name}: well done") for name in THERE * 9]
    assert_untouched(says(*[pair for both in zip(reports, talked, strict=True) for pair in both]))


@pytest.mark.parametrize("present", [True, False])
def test_a_feed_that_names_repositories_and_people_is_no_relay(present: bool) -> None:
    done = ("fix the footer", "new parser", "remove old tests", "docs for the parser", "faster start", "typo")
    feed = [
        ("feed", f"[{('site', 'core')[number % 2]}] {THERE[number % 4]}: {done[number % 6]}") for number in range(36)
    ]
    others = THERE if present else HERE
    talked = [(others[number % len(others)], "looks good to me") for number in range(36)]
    assert_untouched(says(*[pair for both in zip(feed, talked, strict=True) for pair in both]))


def test_a_support_bot_that_answers_everybody_is_no_relay() -> None:
    replies = (
        "please state your version.",
        "that is a known problem, see page 4.",
        "somebody will look at it.",
        "hello!",
    )
    pairs = []
    for number in range(40):
        pairs += [
            (THERE[number % 4], f"it fails again {number}"),
            ("supportbot", f"{THERE[number % 4]}: {replies[number % 3]}"),
        ]
    assert_untouched(says(*pairs))


def test_a_bot_that_greets_whoever_joins_is_no_relay() -> None:
    greetings = ("welcome", "hello and welcome back", "hi, please read the topic", "good to see you")
    greeted = [("greeter", f"{THERE[number % 4]}{number // 8}: {greetings[number % 4]}") for number in range(40)]
    assert_untouched(says(*[pair for each in greeted for pair in (each, ("ola", "so quiet"))]))
