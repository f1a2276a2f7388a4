"""Pages and their JSON twins, over a real connection."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from ..conftest import Run

VOID = {"meta", "link", "input", "br", "img", "line", "circle", "path"}


def fetched(url: str, **headers: str) -> tuple[int, str, dict[str, str]]:
    """Status, body and headers of a GET request."""
    try:
        with urlopen(Request(url, headers=headers), timeout=20) as answer:
            return answer.status, answer.read().decode(), dict(answer.headers)
    except HTTPError as error:
        return error.code, error.read().decode(), dict(error.headers)


def page(url: str) -> str:
    status, body, _ = fetched(url)
    assert status == 200, body
    return body


class Elements(HTMLParser):
    """The elements of a page, and whether each is closed in order."""

    def __init__(self, body: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.waiting: list[str] = []
        self.feed(body)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.waiting.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.waiting.pop() == tag


def every_path(site: str) -> list[str]:
    """The paths of all pages that a visitor reaches from the home page by links, in order."""
    found, waiting = list[str](), ["/"]
    while waiting:
        path = waiting.pop(0)
        if path in found or len(found) > 150:
            continue
        found.append(path)
        status, body, headers = fetched(site + path)
        assert status == 200, path
        if "html" in headers["content-type"]:
            links = re.findall(r'href="(/[^"#]*)', body)
            waiting += [link.replace("&amp;", "&") for link in links]
    return found


def test_every_link_leads_to_a_page_and_every_page_is_well_formed(site: str) -> None:
    paths = every_path(site)
    assert len(paths) > 40
    for path in paths:
        _, body, headers = fetched(site + path)
        if "html" in headers["content-type"]:
            assert not Elements(body).waiting, path
        elif "json" in headers["content-type"]:
            json.loads(body)


def test_the_home_page_lists_channels_and_the_latest_conversations(site: str) -> None:
    body = page(f"{site}/")
    assert "how do I get out of less?" in body
    assert 'href="/channel/1/support"' in body
    twin = json.loads(page(f"{site}/index.json"))
    assert twin["messages"] == 329
    assert twin["latest"][0]["url"].startswith("/c/")


def test_a_timeline_is_read_page_by_page_without_loss(site: str) -> None:
    seen: list[int] = []
    path = "/channel/1/support"
    while path:
        body = page(site + path)
        seen = [int(id) for id in re.findall(r'<li class="row[^"]*" id="m(\d+)"', body)] + seen
        earlier = re.search(r'rel="prev" href="([^"]+)"', body)
        path = earlier[1] if earlier else ""
    assert len(seen) == len(set(seen)) == 324


def test_a_timeline_begins_at_a_day(site: str) -> None:
    body = page(f"{site}/channel/1/support?on=2025-03-04")
    assert "Tuesday 4 March 2025" in body
    assert "Monday 3 March 2025" not in body


def test_a_conversation_has_a_permanent_address_and_its_question_first(site: str) -> None:
    url = json.loads(page(f"{site}/index.json"))["latest"][1]["url"]
    body = page(site + url)
    assert "this may be silly" in body
    assert 'class="turn stop' in body
    twin = json.loads(page(f"{site}{url}.json"))
    assert len(twin["messages"]) == twin["size"]
    assert twin["messages"][1]["replies_to"][0]["probability"] > 0.1


def test_other_spellings_of_an_id_lead_to_the_permanent_address(site: str) -> None:
    url = json.loads(page(f"{site}/index.json"))["latest"][0]["url"]
    id = url.removeprefix("/c/")
    for other in (f"/c/c-{id}", f"/c/{id.upper()}"):
        assert page(site + other) == page(site + url)


def test_search_finds_conversations_and_a_question_is_asked(site: str) -> None:
    assert "kettle" in page(f"{site}/search?q=kettle")
    assert "Nothing was found" in page(f"{site}/search?q=xyzzyplugh")
    assert "<h1>Ask</h1>" in page(f"{site}/search?q=why%3F")


@pytest.mark.parametrize(
    "path", ["/c/zzzzz", "/channel/99/x", "/person/9999", "/nothing", "/static/../pages.py", "/c/%2e%2e"]
)
def test_what_is_not_there_is_a_page_of_one_sentence(site: str, path: str) -> None:
    status, body, headers = fetched(site + path)
    assert status == 404
    assert "Traceback" not in body
    if path.endswith("zzzzz"):
        status, body, headers = fetched(f"{site}{path}.json")
        assert (status, headers["content-type"]) == (404, "application/problem+json")
        assert json.loads(body)["status"] == 404


def test_chat_text_is_never_markup(site: str) -> None:
    channel = json.loads(page(f"{site}/index.json"))["channels"]
    for each in channel:
        body = page(site + each["url"])
        elements = Elements(body)
        assert elements.names.count("script") == 1
        assert "img" not in elements.names
        assert not [name for name, _ in elements.attributes if name.startswith("on")]
        links = [value for name, value in elements.attributes if name == "href"]
        assert all(value.startswith(("/", "#", "?", "http://", "https://")) for value in links)
        assert not re.search("[\u202a-\u202e\u200b\x1b]", body)
        assert "49" not in re.findall(r"\{\{ 7 \* 7 \}\}|(?<=>)49", body)


def test_every_response_has_the_security_headers(site: str) -> None:
    for path in ("/", "/static/style.css", "/nothing", "/api/v1/channels"):
        _, _, headers = fetched(site + path)
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert 'style="' not in page(f"{site}/channel/1/support")


def test_another_host_name_is_refused(site: str) -> None:
    assert fetched(f"{site}/", Host="evil.example.org")[0] == 421


def test_a_slow_query_ends_with_503(site_archive: Path) -> None:
    pytest.importorskip("fastapi", reason="needs hubbub[serve]")
    from hubbub.errors import ArchiveError
    from hubbub.serve.archive_pool import ArchivePool

    pool = ArchivePool(site_archive, max_seconds=0.05)
    with pytest.raises(ArchiveError, match="took too long"), pool.archive() as archive:
        archive.rows("with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n")
    with pool.archive() as archive:
        assert archive.contents().messages == 329
    pool.close()


def test_serve_needs_something_to_show(run: Run) -> None:
    ran = run("serve")
    assert ran.status == 2
    assert "Traceback" not in ran.err


def test_search_takes_the_grammar_and_shows_facets_and_highlights(site: str) -> None:
    body = page(f"{site}/search?q=printer+from%3Atessaly")
    assert "<mark>" in body
    assert "<h2>People</h2>" in body
    twin = json.loads(page(f"{site}/search.json?q=printer&sort=date"))
    assert twin["facets"]["channels"][0]["value"] == "support"
    starts = [each["started"] for each in twin["results"]]
    assert starts == sorted(starts, reverse=True)


def test_a_mistake_in_the_grammar_is_a_note(site: str) -> None:
    assert 'class="note"' in page(f"{site}/search?q=printer+after%3Ayesterday+%22open")


def test_unanswered_questions_frequent_ones_and_statistics(site: str) -> None:
    assert "Unanswered questions" in page(f"{site}/unanswered")
    for path in ("/faq", "/stats"):
        while "being computed" in (body := page(site + path)):
            pass
        assert "<h1>" in body
    assert json.loads(page(f"{site}/stats.json"))["total"]["messages"] > 200
    assert page(f"{site}/stats.svg").startswith("<svg")


def test_a_conversation_marks_the_message_that_solved_it(site: str) -> None:
    twin = json.loads(page(f"{site}/search.json?q=permission+denied"))
    body = page(site + twin["results"][0]["url"])
    assert "solved it" in body


@pytest.mark.parametrize("number", [0, -1, 1 << 31, 1 << 63, 10**30])
def test_numbers_that_no_row_has_are_refused(site: str, number: int) -> None:
    paths = ("/channel/{}/x", "/channel/{}.json", "/channel/{}.atom", "/person/{}", "/api/v1/conversations?channel={}")
    for path in paths:
        assert fetched(site + path.format(number))[0] in (404, 422), path


def test_a_day_that_is_none_is_refused(site: str) -> None:
    for day in ("zzz", "9999-99-99", "%00"):
        assert fetched(f"{site}/channel/1/support?on={day}")[0] == 422


def test_head_is_answered_like_get(site: str) -> None:
    with urlopen(Request(f"{site}/", method="HEAD"), timeout=20) as answer:
        assert answer.status == 200
        assert answer.read() == b""


@pytest.mark.parametrize("host", ["evil.example.org", "127.0.0.1:80@evil", "127.0.0.1:x", "testserver", ""])
def test_other_host_names_are_refused(site: str, host: str) -> None:
    assert fetched(f"{site}/", Host=host)[0] in (400, 421)


def test_what_is_forgotten_is_gone_from_all_pages_at_once(tmp_path: Path) -> None:
    pytest.importorskip("fastapi", reason="needs hubbub[serve]")
    from hubbub import Archive, read
    from hubbub.archive.insights.statistics import archive_statistics
    from hubbub.data import samples
    from hubbub.serve.archive_pool import ArchivePool
    from hubbub.serve.slow_results import SlowResults

    with Archive(tmp_path / "a.db") as archive:
        archive.add(read(samples.path("support.log")), vectors=False)
        results = SlowResults(ArchivePool(tmp_path / "a.db"))
        while (before := results.get("statistics", archive.store.revision(), archive_statistics)) is None:
            pass
        archive.forget("quillon")
        while (after := results.get("statistics", archive.store.revision(), archive_statistics)) is None:
            pass
    assert "quillon" in [each.name for each in before.helpers]
    assert "quillon" not in [each.name for each in after.helpers]
