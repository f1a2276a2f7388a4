"""The grammar of search, parsed by hand: any text is a query, and a mistake in it becomes a note, never an error.

    words "a phrase" begin* -without this OR that (a OR b) from:NICK to:NICK in:#channel after:2013-01-31 before:2014
    has:link is:question is:answered intent:NAME

Words may be missing in what is found, as long as some are there; phrases, prefixes and groups must be there. A minus
excludes, also in front of a key. Keys apply to the whole query; several values of one key are alternatives.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from typing import NamedTuple

from ..text import whole
from .match_expression import AnyOf, MatchExpression, Phrase, Without, all_of, any_of
from .search_tokens import HAS_LINK, IS_QUESTION, term

KEYS = ("from", "to", "in", "after", "before", "has", "is", "intent")
VALUES = {"has": ("link",), "is": ("question", "answered")}
LONGEST_QUERY = 2_000  # characters
MAX_TERMS = 40  # a pasted page is no query, and every term costs a lookup
MAX_DEPTH = 10  # of parentheses

_TOKEN = re.compile(
    r'\s*(?P<minus>-(?=[^\s-]))?(?:(?P<open>\()|(?P<close>\))(?=[\s)]|$)|(?P<key>[A-Za-z]+):(?P<value>"[^"]*"?|[^\s"]+)'
    r'|"(?P<phrase>[^"]*)(?P<closed>"?)|(?P<word>[^\s"]+))'
)
_DATE = re.compile(r"(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?\Z")
_NO_VALUE = ("/", "\\", ":")  # http://..., C:\..., std::vector: text with a colon, not a key
SHORTEST_PREFIX = 2  # letters; a shorter one fits a large part of all words


@dataclass(frozen=True, slots=True)
class KeyedFilter:
    """`from:ada` or `-in:#offtopic`."""

    key: str
    value: str
    is_excluded: bool = False


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A query as it was understood.

    `words` may be missing in what is found; `required` may not. `excluded` is what messages must not have. `text` is
    what is searched for as plain text, for comparison by meaning.
    """

    words: tuple[MatchExpression, ...] = ()
    required: tuple[MatchExpression, ...] = ()
    excluded: tuple[MatchExpression, ...] = ()
    filters: tuple[KeyedFilter, ...] = ()
    notes: tuple[str, ...] = ()
    text: str = ""

    def strict(self) -> MatchExpression | None:
        """Everything that was asked for, together."""
        return self._without_excluded(all_of([*self.required, *self.words]))

    def relaxed(self, words: Sequence[MatchExpression]) -> MatchExpression | None:
        """What is required, and any of these words."""
        some = any_of(list(words))
        return self._without_excluded(all_of([*self.required, *([some] if some else [])]))

    def _without_excluded(self, wanted: MatchExpression | None) -> MatchExpression | None:
        unwanted = any_of(list(self.excluded))
        return Without(wanted, unwanted) if wanted and unwanted else wanted


def parse_query(text: str) -> SearchQuery:
    """The query that a text means, with notes about what had to be guessed."""
    notes = []
    text = whole(text).replace("\0", " ")
    if len(text) > LONGEST_QUERY:
        text = text[:LONGEST_QUERY]
        notes.append(f"the query is long; its first {LONGEST_QUERY:,} characters were used")
    tokens = list(_TOKEN.finditer(text))
    if len(tokens) > MAX_TERMS:
        tokens = tokens[:MAX_TERMS]
        notes.append(f"the query has many terms; its first {MAX_TERMS} were used")
    parser = _Parser(tokens, notes)
    items = parser.sequence(0)
    if not items and not parser.filters and any(parser.ignored):
        notes.append(f"{' '.join(parser.ignored)} has no letters or digits to search for")
    return SearchQuery(
        tuple(each.node for each in items if each.is_word and not each.is_excluded),
        tuple(each.node for each in items if not each.is_word and not each.is_excluded),
        tuple(each.node for each in items if each.is_excluded),
        tuple(parser.filters),
        tuple(dict.fromkeys(notes)),
        " ".join(parser.plain),
    )


class _Item(NamedTuple):
    """A part of a query; only plain words may be missing in what is found."""

    node: MatchExpression
    is_word: bool = False
    is_excluded: bool = False


class _Parser:
    """Recursive descent over the tokens. `OR` joins the parts beside it before all parts are required together."""

    def __init__(self, tokens: Sequence[re.Match[str]], notes: list[str]) -> None:
        self.tokens, self.place, self.notes = tokens, 0, notes
        self.filters: list[KeyedFilter] = []
        self.plain: list[str] = []
        self.ignored: list[str] = []  # without letters, digits and symbols that can be found
        self.group: list[_Item] = []  # the parts of the group that was read last

    def sequence(self, depth: int) -> list[_Item]:
        """The parts up to the end, or to the parenthesis that closes this group."""
        items: list[_Item] = []
        is_alternative = False
        while self.place < len(self.tokens):
            token = self.tokens[self.place]
            self.place += 1
            if token["close"]:
                if depth:
                    break
                self.notes.append("a closing parenthesis has no opening one; it was ignored")
            elif token["word"] == "OR" and not token["minus"]:
                is_alternative = self._joins(items, is_alternative)
            elif token["open"] and (aside := self._aside(token, depth, is_alternative)) is not None:
                items += aside
            elif item := self._item(token, depth):
                if is_alternative and not item.is_excluded:
                    before = items.pop().node
                    item = _Item(AnyOf((*(before.parts if isinstance(before, AnyOf) else (before,)), item.node)))
                elif is_alternative:
                    self.notes.append("an exclusion cannot follow OR; OR was ignored")
                items.append(item)
                is_alternative = False
        else:
            if depth:
                self.notes.append("a parenthesis is not closed; the group was read to the end")
        if is_alternative:
            self.notes.append(LONELY_OR)
        return items

    def _joins(self, items: Sequence[_Item], is_alternative: bool) -> bool:
        """Whether OR has something before it that an alternative can be added to."""
        if items and not items[-1].is_excluded and not is_alternative:
            return True
        if not self.filters or is_alternative:  # from:ada OR from:bo means what it says without OR
            self.notes.append(LONELY_OR)
        return is_alternative

    def _item(self, token: re.Match[str], depth: int) -> _Item | None:
        is_excluded = bool(token["minus"])
        if token["open"]:
            return self._group(self.group, is_excluded)
        if token["phrase"] is not None:
            return self._phrase(token, is_excluded)
        if token["key"] and not token["value"].startswith(_NO_VALUE):
            if token["key"].lower() in KEYS:
                return self._keyed(token["key"].lower(), token["value"].strip('"'), is_excluded)
            self._unknown_key(token["key"], token["value"])
        return self._word(f"{token['key']}:{token['value']}" if token["key"] else token["word"], is_excluded, depth)

    def _aside(self, token: re.Match[str], depth: int, is_alternative: bool) -> list[_Item] | None:
        """Plain words in parentheses without OR are words like others, as in a sentence; None for a real group."""
        if depth >= MAX_DEPTH:
            self.notes.append(f"parentheses are nested more than {MAX_DEPTH} deep; the inner ones were ignored")
            return []
        self.group = self.sequence(depth + 1)
        is_joined = self.place < len(self.tokens) and self.tokens[self.place]["word"] == "OR"
        is_group = token["minus"] or is_alternative or is_joined or not all(each.is_word for each in self.group)
        return None if is_group else self.group

    def _group(self, items: Sequence[_Item], is_excluded: bool) -> _Item | None:
        wanted = all_of([each.node for each in items if not each.is_excluded])
        unwanted = any_of([each.node for each in items if each.is_excluded])
        if wanted and unwanted:
            wanted = Without(wanted, unwanted)
        if wanted:
            return _Item(wanted, is_excluded=is_excluded)
        return _Item(unwanted, is_excluded=not is_excluded) if unwanted else None

    def _phrase(self, token: re.Match[str], is_excluded: bool) -> _Item | None:
        if not token["closed"]:  # as words, because nobody knows where the phrase was to end
            self.notes.append(f"a quotation mark is not closed; it was ignored before {token['phrase'].strip()!r}")
            self.tokens = [*self.tokens[: self.place], *_TOKEN.finditer(token["phrase"])][:MAX_TERMS]
            return None
        node = term(token["phrase"])
        if node and not is_excluded:
            self.plain.append(token["phrase"])
        return self._made(node, token["phrase"], False, is_excluded)

    def _word(self, word: str, is_excluded: bool, depth: int) -> _Item | None:
        """A word, which may end with * or with the parentheses that close groups."""
        if depth:
            bare = word.rstrip(")")
            closing = min(len(word) - len(bare), depth, max(word.count(")") - word.count("("), 0))
            word = word[: len(word) - closing]
            self.tokens = [*self.tokens[: self.place], *_TOKEN.finditer(")" * closing), *self.tokens[self.place :]]
        if word.endswith(":") and word[:-1].lower() in KEYS:
            self.notes.append(f"{word} has no value; it was searched as a word")
        is_prefix = word.endswith("*") and word.strip("*") != ""
        if is_prefix and len(word) <= SHORTEST_PREFIX:
            self.notes.append(f"{word} is too short for a prefix; it was searched as a word")
            is_prefix = False
        node = term(word.rstrip("*"), is_prefix=is_prefix) if word.strip("*") else None
        if node and not is_excluded:
            self.plain.append(word.rstrip("*"))
        return self._made(node, word, not is_prefix, is_excluded)

    def _made(self, node: MatchExpression | None, text: str, is_word: bool, is_excluded: bool) -> _Item | None:
        if node is None:
            self.ignored.append(text.strip())
        return _Item(node, is_word, is_excluded) if node else None

    def _unknown_key(self, key: str, value: str) -> None:
        near = get_close_matches(key.lower(), KEYS, 1)
        known = f"did you mean {near[0]}:" if near else f"keys are {', '.join(f'{each}:' for each in KEYS)}"
        self.notes.append(f"{key}: is not a key ({known}); {key}:{value} was searched as text")

    def _keyed(self, key: str, value: str, is_excluded: bool) -> _Item | None:
        """has:link and is:question are in the index; the other keys become conditions."""
        if key in VALUES:
            if value.lower() not in VALUES[key]:
                known = " or ".join(f"{key}:{each}" for each in VALUES[key])
                self.notes.append(f"{key}:{value} is unknown ({known}); it was left out")
            elif value.lower() != "answered":
                return _Item(Phrase(HAS_LINK if key == "has" else IS_QUESTION), is_excluded=is_excluded)
            else:
                self.filters.append(KeyedFilter("answered", "", is_excluded))
        elif key in ("after", "before") and not (value := _day(given := value)):
            self.notes.append(f"{key}:{given} is not a date like 2013-01-31; it was left out")
        else:
            self.filters.append(KeyedFilter(key, value, is_excluded))
        return None


LONELY_OR = "OR stands between two words; it was ignored"


def _day(text: str) -> str:
    """A day, or the first of a month or year, as ISO 8601; "" if it is none."""
    found = _DATE.match(text)
    if not found:
        return ""
    try:
        return date(int(found[1]), int(found[2] or 1), int(found[3] or 1)).isoformat()
    except ValueError:
        return ""
