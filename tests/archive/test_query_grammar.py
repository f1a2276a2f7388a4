"""The grammar of queries: what is understood, and what is said about mistakes."""

from __future__ import annotations

import pytest

from hubbub.archive.match_expression import AllOf, AnyOf, MatchExpression, Phrase, Without
from hubbub.archive.query_grammar import LONGEST_QUERY, MAX_DEPTH, MAX_TERMS, KeyedFilter, parse_query


def words(*texts: str) -> tuple[MatchExpression, ...]:
    return tuple(map(Phrase, texts))


def test_words_may_be_missing_and_everything_else_may_not() -> None:
    query = parse_query('kettle leaks "blue lid" desc* -tea -"red kettle"')
    assert query.words == words("kettle", "leaks")
    assert query.required == (Phrase("blue lid"), Phrase("desc", is_prefix=True))
    assert query.excluded == words("tea", "red kettle")
    assert query.notes == ()
    assert query.text == "kettle leaks blue lid desc"


def test_or_joins_its_neighbours() -> None:
    query = parse_query("kettle OR teapot OR mug leaks")
    assert query.required == (AnyOf(words("kettle", "teapot", "mug")),)
    assert query.words == words("leaks")
    assert parse_query("kettle or teapot").words == words("kettle", "or", "teapot")


def test_parentheses_group() -> None:
    assert parse_query("((red kettle) OR mug) -(a b)").required == (
        AnyOf((AllOf(words("red", "kettle")), Phrase("mug"))),
    )
    assert parse_query("-(a b) c").excluded == (AllOf(words("a", "b")),)
    assert parse_query("(a -b) OR c").required == (AnyOf((Without(Phrase("a"), Phrase("b")), Phrase("c"))),)
    assert parse_query("(-b) c").excluded == words("b")
    assert parse_query("the (old) kettle (and mug)").words == words("the", "old", "kettle", "and", "mug")
    assert parse_query("f(x) main()").words == words("f x", "main")
    assert parse_query("(see f(x))").words == words("see", "f x")


def test_keys_become_filters() -> None:
    query = parse_query('from:ada -from:bo in:#house to:"Ada L" after:2013-02 before:2014 intent:greet -is:answered')
    assert query.filters == (
        KeyedFilter("from", "ada"),
        KeyedFilter("from", "bo", True),
        KeyedFilter("in", "#house"),
        KeyedFilter("to", "Ada L"),
        KeyedFilter("after", "2013-02-01"),
        KeyedFilter("before", "2014-01-01"),
        KeyedFilter("intent", "greet"),
        KeyedFilter("answered", "", True),
    )
    assert query.notes == ()
    assert (len(parse_query("is:question has:link").required), len(parse_query("-has:link").excluded)) == (2, 1)


def test_code_is_text() -> None:
    assert parse_query("/etc/fstab").words == words("etc fstab")
    assert parse_query("E: Unable to locate").words == words("E", "Unable", "to", "locate")
    query = parse_query("http://example.org/a std::vector 10:30 --force")
    assert query.words == words("http example org a", "std vector", "10 30", "force")
    assert query.notes == ()
    assert len({parse_query(each).words for each in ("C++", "C#", "C", ":)", "->")}) == 5


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("form:ada tea", "form: is not a key (did you mean from:); form:ada was searched as text"),
        ("zzz:ada", "zzz: is not a key (keys are from:, to:, in:"),
        ('tea "red kettle', "a quotation mark is not closed; it was ignored before 'red kettle'"),
        ("tea OR", "OR stands between two words; it was ignored"),
        ("OR tea", "OR stands between two words; it was ignored"),
        ("tea OR OR mug", "OR stands between two words; it was ignored"),
        ("tea OR -mug", "an exclusion cannot follow OR"),
        ("tea after:yesterday", "after:yesterday is not a date like 2013-01-31; it was left out"),
        ("tea before:2013-02-30", "before:2013-02-30 is not a date"),
        ("tea is:nice", "is:nice is unknown (is:question or is:answered); it was left out"),
        ("tea from: ", "from: has no value; it was searched as a word"),
        ("(tea", "a parenthesis is not closed"),
        ("tea )", "a closing parenthesis has no opening one"),
        ("t* tea", "t* is too short for a prefix"),
        ("tea " * MAX_TERMS + "mug", f"its first {MAX_TERMS} were used"),
        ("tea" * LONGEST_QUERY, f"its first {LONGEST_QUERY:,} characters were used"),
        ("(" * (MAX_DEPTH + 1) + "tea", "nested more than"),
    ],
)
def test_a_mistake_is_a_note_and_the_rest_is_searched(query: str, note: str) -> None:
    parsed = parse_query(query)
    assert any(note in each for each in parsed.notes)
    assert parsed.strict() is not None


def test_marks_alone_are_nothing_to_search_for() -> None:
    assert parse_query("!! *").notes == ("!! * has no letters or digits to search for",)
    assert parse_query("is this tea ?").notes == ()
    assert parse_query('"red kettle').words == words("red", "kettle")


def test_alternatives_of_one_key_need_no_or() -> None:
    query = parse_query("from:ada OR from:bo")
    assert (len(query.filters), query.notes) == (2, ())
