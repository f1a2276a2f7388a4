"""Atom feeds."""

from __future__ import annotations

from datetime import datetime
from xml.etree import ElementTree

import pytest

from .test_pages import page

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.mark.parametrize("path", ["/feed.atom", "/channel/1.atom", "/channel/2.atom", "/unanswered.atom"])
def test_a_feed_is_valid_and_its_links_lead_to_pages(site: str, path: str) -> None:
    feed = ElementTree.fromstring(page(site + path))
    assert feed.findtext(f"{ATOM}title", "").startswith("hubbub: ")
    for entry in feed.iter(f"{ATOM}entry"):
        assert datetime.fromisoformat(entry.findtext(f"{ATOM}updated", "")).tzinfo
        link = entry.find(f"{ATOM}link")
        assert link is not None
        assert entry.findtext(f"{ATOM}title", "")
        assert page(link.attrib["href"])


def test_pages_name_their_feeds(site: str) -> None:
    assert 'type="application/atom+xml"' in page(f"{site}/")
    assert "/channel/1.atom" in page(f"{site}/channel/1/support")
