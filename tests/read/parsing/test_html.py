"""The HTML parser: what people see of a page, and broken or hostile pages without loss and without deep recursion."""

from __future__ import annotations

import pytest

from hubbub.read.parsing.html import Node, _with_classes, parse


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>one<br>two</p>three", "one\ntwo\nthree"),
        ("a &amp; b &lt;c&gt; &#233; &unknown;", "a & b <c> é &unknown;"),
        ("<pre>  two  blanks</pre>", "two  blanks"),
        ("<img alt='a cat'>", "a cat"),
        ("<script>if (a < b) { alert('x') }</script>seen", "seen"),
        ("<!-- a > comment -->seen", "seen"),
        ('<a title="a > b">link</a>', "link"),
        ("<TD CLASS=x>cell</TD><td>next</td>", "cell next"),
    ],
)
def test_what_people_see(page: str, text: str) -> None:
    assert parse(page).text() == text


@pytest.mark.parametrize("unit", ["<a ", "<!--", "<![CDATA[", "</", "<", "<a b='"])
def test_what_has_no_end_is_text_and_stays(unit: str) -> None:
    assert parse(f"before {unit * 2000}").text().startswith("before <")


def test_deep_nesting_is_no_deep_recursion() -> None:
    page = parse("<div>" * 50_000 + "bottom")
    assert page.text() == "bottom"
    assert 200 <= sum(1 for _ in page.walk()) <= 50_001
    assert page.without("x").text() == "bottom"


def test_elements_know_their_line_and_their_classes() -> None:
    page = parse("<html>\n<div class='a b'>\n<p id=x>text</p></div>")
    found = page.first("p")
    assert found is not None
    assert (found.line, found.attributes["id"]) == (3, "x")
    assert [node.tag for node in page.all(of_class="b")] == ["div"]


@pytest.mark.parametrize("unit", ["<p>", "<div>", "<p></p>", "<b></b>", "<div><div>"])
def test_a_run_of_empty_elements_is_one(unit: str) -> None:
    """Millions of them take neither time nor memory in whatever walks through the page."""
    page = parse(f"<i class=x>before</i>{unit * 5000}<i>after</i>")
    assert page.text().split() == ["before", "after"] or page.text() == "beforeafter"
    assert sum(1 for _ in page.walk()) < 1000


def test_elements_that_are_counted_stay_many() -> None:
    page = parse("<table><tr><td></td><td></td><td>third</td></tr></table>x<br><br>\n<br>y<img><img>")
    assert [node.tag for node in page.all("td")] == ["td"] * 3
    assert [node.line for node in page.all("br")] == [1, 1, 2]
    assert len(list(page.all("img"))) == 2


def test_elements_are_found_by_class_wherever_they_lie() -> None:
    page = parse('<div><p>a</p><b x=1><i class="one">b</i></b></div><a class="two one">c</a><img class=two alt=d>')
    assert [node.tag for node in page.of_classes("one", "two")] == ["i", "a", "img"]
    assert [node.tag for node in page.all(of_class="two")] == ["a", "img"]
    assert [node.tag for node in page.all("a", of_class="one")] == ["a"]
    page.children = [*page.children, *parse('<u class="one">e</u>').children]
    assert [node.tag for node in page.outermost("one")] == ["i", "a", "u"]


def test_a_search_for_a_class_does_not_look_at_elements_without_one() -> None:
    """A page of a million plain elements is searched for some twenty classes."""
    page = parse("<div>" + "<a b=c>x</a>" * 1000 + '<p class="one"></p></div>')
    (block,) = [node for node in page.children if isinstance(node, Node)]
    assert [node.tag for node in _with_classes(block)] == ["p"]


def test_text_without_some_classes() -> None:
    page = parse('<p>keep <span class="x gone">lose <b>this</b></span>that<br>too</p>')
    assert page.text(without=frozenset({"gone"})) == "keep that\ntoo"
