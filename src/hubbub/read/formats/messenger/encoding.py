"""The encoding of Meta's JSON: UTF-8 that was written as if each of its bytes were a character."""

from __future__ import annotations

from collections.abc import Iterator


class Mending:
    """Whether the texts of a document are written that way, and each of them as it should be.

    "Ã©" may be what somebody wrote, so the whole document decides: if most of its texts that are not ASCII make sense
    as bytes of UTF-8, it is written that way. A text that makes none stays as it is.
    """

    def __init__(self, document: object) -> None:
        fitting = sum(1 if _mended(text) is not None else -1 for text in _texts(document) if not text.isascii())
        self.is_needed = fitting > 0

    def text(self, text: str) -> str:
        mended = _mended(text) if self.is_needed and not text.isascii() else None
        return text if mended is None else mended


def _mended(text: str) -> str | None:
    """The text that these characters are the bytes of; the end may be cut within a character."""
    try:
        raw = text.encode("latin-1")
        return raw.decode("utf-8")
    except UnicodeEncodeError:
        return None
    except UnicodeDecodeError as error:
        cut = error.reason == "unexpected end of data" and error.start > 0
        return raw[: error.start].decode("utf-8") + "\ufffd" if cut else None


def _texts(document: object) -> Iterator[str]:
    """Every text in a JSON value, however deep it lies."""
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
