"""Names that are kept out of an archive, stored as salted digests: people who were forgotten or opted out.

A digest does not reveal a name, but whoever has the archive can find out whether a name that they guess is among them.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable

from .. import schema
from ..store import ArchiveStore
from .name_spans import NameKind, core_of, is_call_word, is_common, parts_of, words_of

FORGOTTEN, OPTED_OUT = "forgotten", "opted out"
DIGEST_BYTES = 16
MAX_CACHED = 500_000  # digests of words; bounds the memory of adding a large log
AS_AUTHOR, AS_WORDS, AS_PART = "author", "words", "part"


class Tombstones:
    """The names that an archive must not have. Rows added by `bar` are written at once."""

    def __init__(self, archive: ArchiveStore) -> None:
        self._archive = archive
        self._load()

    def _load(self) -> None:
        self._salt = _salt(self._archive)
        rows = self._archive.rows("select digest, reason, words, is_word from tombstones")
        self._reasons = {digest: reason for digest, reason, _, _ in rows}
        self._is_word = {digest: bool(is_word) for digest, _, words, is_word in rows if words}
        self.most_words = max((words for _, _, words, _ in rows), default=0)
        self._known: dict[str, NameKind | None] = {}

    def __bool__(self) -> bool:
        return bool(self._reasons)

    def reason(self, author: str) -> str | None:
        """Why messages of this author are left out, None if they are not."""
        return self._reasons.get(self._digest(AS_AUTHOR, author.casefold()))

    def kind_of(self, core: str) -> NameKind | None:
        """What a name or a word of a name is that is kept out; None for all others."""
        if core not in self._known:
            if len(self._known) > MAX_CACHED:
                self._known.clear()
            self._known[core] = self._looked_up(core)
        return self._known[core]

    def _looked_up(self, core: str) -> NameKind | None:
        is_word = self._is_word.get(self._digest(AS_WORDS, core))
        if is_word is not None:
            return NameKind.WORD if is_word else NameKind.NAME
        is_word = self._is_word.get(self._digest(AS_PART, core))
        if is_word is None:
            return None
        return NameKind.PART_WORD if is_word else NameKind.PART

    def bar(self, names: Iterable[str], reason: str, words: Iterable[str] = (), shared: Collection[str] = ()) -> int:
        """Keeps these names out from now on; returns how many are new. `words` are cores that are ordinary words.

        Words of names that are `shared` with others are not kept out. That is decided here, once: a text that is added
        again must become what it became before, whoever has joined since.
        """
        ordinary, rows, count = set(words), dict[str, tuple[str, str, int, bool]](), 0
        for name in dict.fromkeys(names):
            core = core_of(name)
            digest = self._digest(AS_AUTHOR, name.casefold())
            count += digest not in self._reasons and digest not in rows
            rows[digest] = digest, reason, 0, False
            if core:
                digest = self._digest(AS_WORDS, core)
                rows[digest] = digest, reason, words_of(core), core in ordinary or is_common(core)
            for part in (part for part in parts_of(name) if part not in shared):
                digest = self._digest(AS_PART, part)
                rows[digest] = digest, reason, words_of(part), part in ordinary or is_call_word(part)
        new = [row for digest, row in rows.items() if digest not in self._reasons]
        self._archive.insert(schema.tombstones, new)
        again = [{"digest": digest, "reason": reason} for digest in rows if digest in self._reasons]
        if reason == FORGOTTEN:
            self._archive.execute_many("update tombstones set reason = :reason where digest = :digest", again)
        self._load()
        return count

    def _digest(self, kind: str, name: str) -> str:
        content = f"{kind}\x00{name}".encode("utf-8", "replace")
        return hashlib.blake2b(content, key=self._salt, digest_size=DIGEST_BYTES).hexdigest()


def _salt(archive: ArchiveStore) -> bytes:
    rows = archive.rows("select value from consent_rules where kind = 'salt'")
    return bytes.fromhex(rows[0][0]) if rows else b""


def make_salt(archive: ArchiveStore) -> None:
    """Every archive has its own, so that the digests of two archives cannot be compared."""
    if not _salt(archive):
        archive.insert(schema.consent_rules, [("salt", secrets.token_hex(DIGEST_BYTES))])
