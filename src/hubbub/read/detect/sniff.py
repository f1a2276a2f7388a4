"""Which format is it? Every format is asked, the content decides, and a tie is said, not guessed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice

from ...errors import AmbiguousFormat, Broken, Empty, NotText, UnknownFormat
from ..format import Format
from ..formats import all_formats, format_named
from ..input.lines import text_parts
from ..input.source import HEAD, Source, StandardInput, Tree, is_blank
from .file_head import Clue, Sample

SURE = 0.3
TIE = 0.01
SQLITE, PDF = b"SQLite format 3\0", b"%PDF-"  # files whose text parts may look like chats
LARGEST_CHECKED = 5_000_000  # characters of JSON that no format takes, of which it is said where they are broken
CONFIDENT = 0.95
WHOLE = 0.95  # the share of a sample from which on a format explains it alone

Candidate = tuple[Clue, Format]


def candidates(
    source: Source, columns: Mapping[str, str] | None = None, likely: Format | None = None
) -> list[Candidate]:
    """Every format that anything speaks for, the best first; or only the likely one, if that is confident."""
    sample = Sample(source, columns)
    if is_blank(sample.head):
        raise Empty(source.name)
    if likely and (clue := likely.sniff(sample)) and clue.score > CONFIDENT:
        return [(clue, likely)]
    if sample.head.startswith((SQLITE, PDF)):
        return [(clue, slack) for slack in [format_named("slack")] if (clue := slack.sniff(sample))]
    found = [(clue, format) for format in all_formats() if (clue := format.sniff(sample)) and clue.score > 0]
    return sorted(found, key=lambda pair: -pair[0].score)


def choose(source: Source, found: list[Candidate]) -> Format:
    """The best of the candidates, if one is good and alone."""
    if not found or found[0][0].score < SURE:
        if source.head.startswith(SQLITE):
            raise NotText(source.name, "a database")
        if looks_binary(source.head):
            raise NotText(source.name)
        must_be_json_if_it_begins_so(source)
        raise UnknownFormat(source.name, hints(found))
    tied = [pair for pair in found if found[0][0].score - pair[0].score < TIE]
    most = max(clue.share for clue, _ in tied)
    tied = [pair for pair in tied if most - pair[0].share < TIE]
    if len(tied) > 1 and not _mixed(tied):
        raise AmbiguousFormat(source.name, hints(tied))
    return tied[0][1]


def _mixed(tied: list[Candidate]) -> bool:
    """Whether formats of one family explain a part of it each: their reader changes from one to the other."""
    families = {format.family for _, format in tied}
    return len(families) == 1 and "" not in families and max(clue.share for clue, _ in tied) < WHOLE


def sniff(source: Source) -> Format:
    """The format of a source, by its content."""
    return sniff_with(source, {})


def sniff_with(source: Source, columns: Mapping[str, str]) -> Format:
    """The same, where the user named columns of a table."""
    return choose(source, candidates(source, columns))


def claim(tree: Tree) -> Format | None:
    """The format that takes a folder or archive as a whole, if one does."""
    found = [(clue, f) for f in all_formats() if f.claim and (clue := f.claim(tree)) and clue.score >= SURE]
    return max(found, key=lambda pair: pair[0].score)[1] if found else None


def hints(found: list[Candidate], most: int = 3) -> list[str]:
    return [f"{format.name} ({clue.why})" for clue, format in found[:most]]


def must_be_json_if_it_begins_so(source: Source) -> None:
    """Raises Broken for a document that begins like JSON of objects and is none."""
    if isinstance(source, StandardInput) or not source.head.lstrip().startswith((b"{", b"[{", b"[ {", b"[\n")):
        return
    text = "".join(islice(text_parts(source), LARGEST_CHECKED // HEAD))
    lines = text.split("\n", 2)
    if len(text) >= LARGEST_CHECKED or (len(lines) > 2 and lines[0].rstrip().endswith("}")):  # an object a line
        return
    try:
        json.loads(text)
    except ValueError as error:
        raise Broken(source.name, f"it begins as JSON, but is none: {error}") from None
    except RecursionError:
        return


def looks_binary(head: bytes) -> bool:
    """Whether too much of it is control bytes to be anybody's text, or it is known by its first bytes."""
    if head.startswith((SQLITE, PDF)):
        return True
    odd = sum(
        head.count(bytes([code])) for code in range(32) if code not in b"\t\n\r\x02\x03\x04\x0f\x11\x16\x1b\x1d\x1e\x1f"
    )
    return odd > 0.05 * len(head)
