"""Quotes that stand in for replies: which earlier message the words are from."""

from __future__ import annotations

# Messages are looked up by their first characters; a quote that is cut shorter than this names no message for sure.
_KEY = 6
_CUT = ("...", "…")


class Earlier:
    """The messages so far, which a later one may quote by their text, whole or cut."""

    def __init__(self) -> None:
        self._by_start: dict[str, list[tuple[str, str]]] = {}

    def add(self, id: str, text: str) -> None:
        plain = _plain(text)
        if plain:
            self._by_start.setdefault(plain[:_KEY], []).append((plain, id))

    def find(self, quote: str) -> str:
        """The id of the last message that the quote is from, or ""."""
        plain = _plain(quote)
        mark = next((mark for mark in _CUT if plain.endswith(mark)), "")
        start = plain.removesuffix(mark).rstrip()
        candidates = self._by_start.get(plain[:_KEY], [])
        whole = next((id for text, id in reversed(candidates) if text == plain), "")
        if whole or not mark or len(start) < _KEY:
            return whole
        return next((id for text, id in reversed(candidates) if text.startswith(start)), "")


def _plain(text: str) -> str:
    return " ".join(text.split())
