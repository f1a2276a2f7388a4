"""A person out of an archive, for good: rows, files, and later imports; and a scan that says what is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Text, select

from ...text import plural
from .. import schema
from ..engine import listed
from ..removal import AT_ONCE, remove_messages
from ..store import ArchiveStore
from ..vectors import drop_vectors
from .byte_scan import FRAGMENT, Found, NameNeedles, TextNeedles, fragments_of
from .erasure import Erasure
from .forget_plan import ForgetPlan, Place, Planner, TextChange
from .name_spans import NameFinder
from .redaction import PERSON, moved
from .tombstones import FORGOTTEN, Tombstones, make_salt

MAX_LEFTOVERS = 20  # that a report names
VALUES_AT_ONCE = 50_000
# Characters. Shorter names occur by chance: in two values that lie side by side, and in an index of words that stores
# of each only what differs from the one before.
MIN_SCANNED_NAME = 6
PROGRAM_COLUMNS = frozenset({"change", "format", "kind", "reason", "unit"})  # written by hubbub alone


@dataclass(frozen=True, slots=True)
class ForgetReport:
    """What was removed, what was left on purpose, and what the scan of rows and files found.

    `scanned` are files with their sizes in bytes, `not_scanned` places that a scan cannot reach, `not_erased` steps
    that the engine refused. `shared_texts` were said by others before and stay; `unscanned_names` are short or
    part of words that others use, so that files have their bytes in any case.
    """

    names: tuple[str, ...]
    messages: int
    replaced: int
    left: tuple[Place, ...]
    shared_texts: int
    unscanned_names: tuple[str, ...]
    scanned: tuple[tuple[str, int], ...]
    leftovers: tuple[str, ...]
    not_erased: tuple[str, ...]
    not_scanned: tuple[str, ...]

    @property
    def is_clean(self) -> bool:
        return not self.leftovers and not self.not_erased

    def described(self) -> list[str]:
        """The report as sentences."""
        size = sum(count for _, count in self.scanned)
        where = f"all rows and {plural(len(self.scanned), 'file')} of the database ({size / 1e6:,.1f} MB)"
        found = [
            f"removed: {plural(self.messages, 'message')}, {plural(len(self.names), 'name')}",
            f"replaced in texts of others: {plural(self.replaced, 'name or quote', 'names and quotes')}",
        ]
        found += [f"left because {reason}: {count}" for reason, count in left_by_reason(self.left)]
        if self.shared_texts:
            found.append(f"left because others said the same before: {plural(self.shared_texts, 'text')}")
        found += [f"not done: {each}" for each in self.not_erased]
        if self.leftovers:
            found += [f"still there: {each}" for each in self.leftovers]
        else:
            found.append(f"scanned {where}: no {'other ' if self.left else ''}name and no text of the person was found")
        if self.unscanned_names:
            found.append(
                f"searched for in rows only, being short or part of other words: {', '.join(self.unscanned_names)}"
            )
        return [*found, *(f"not scanned: {each}" for each in self.not_scanned)]


def left_by_reason(left: Sequence[Place]) -> list[tuple[str, str]]:
    """Why places are left, and how many."""
    shared = sum(each.is_shared for each in left)
    reasons = (("they may be ordinary words", len(left) - shared), ("others have the same name", shared))
    return [(reason, plural(count, "place")) for reason, count in reasons if count]


def plan_forgetting(
    archive: ArchiveStore, person: str, *, only_this_name: bool = False, all_places: bool = False
) -> ForgetPlan:
    """What `forget` would remove."""
    return Planner(archive, person, only_this_name=only_this_name, all_places=all_places).run()


def forget(
    archive: ArchiveStore, person: str, *, only_this_name: bool = False, all_places: bool = False
) -> ForgetReport:
    """Removes a person with all their names, unless only one is to be removed, and keeps them out from now on.

    Names that may be ordinary words or somebody else are replaced where they are certain, or in `all_places`.
    """
    with archive.guarded():
        erasure = archive.engine.erasure()
        erasure.prepare()
    with archive.transaction():
        planner = Planner(archive, person, only_this_name=only_this_name, all_places=all_places)
        plan = planner.run()
        make_salt(archive)
        Tombstones(archive).bar(plan.names, FORGOTTEN, plan.words, () if all_places else plan.shared)
        _remove(archive, plan)
    with archive.guarded():
        not_erased = erasure.rewrite()
        return _scanned(archive, erasure, plan, planner.finder(), not_erased)


def _remove(archive: ArchiveStore, plan: ForgetPlan) -> None:
    remove_messages(archive, plan.messages)
    _change_texts(archive, plan.texts)
    for table, column, changes in (("versions", "text", plan.versions), ("attachments", "name", plan.attachments)):
        archive.execute_many(
            f"update {table} set {column} = :text where message_id = :message and number = :number",
            [{"text": c.redaction.text, "message": c.message, "number": c.key} for c in changes],
        )
    archive.execute_many(
        "update messages set relay = :name where id = :id", [{"name": PERSON, "id": id} for id in plan.relayed]
    )
    archive.execute_many(
        "update channels set name = :name where id = :id",
        [{"name": name, "id": id} for id, name in plan.channels.items()],
    )
    _remove_identities(archive, plan)


def _change_texts(archive: ArchiveStore, changes: Sequence[TextChange]) -> None:
    """New texts in others' messages: their words, vectors and the places of mentions change with them."""
    ids = [change.message for change in changes]
    drop_vectors(archive, ids)
    waiting = {id for (id,) in archive.rows("select message_id from edited")}
    for start in range(0, len(changes), AT_ONCE):
        part = changes[start : start + AT_ONCE]
        archive.engine.remove_words(ids[start : start + AT_ONCE])
        archive.execute_many(
            "update messages set text = :text where id = :id",
            [{"text": change.redaction.text, "id": change.message} for change in part],
        )
        archive.engine.renew_words(ids[start : start + AT_ONCE])
        _move_mentions(archive, part)
    archive.insert(schema.edited, [(id,) for id in ids if id not in waiting])


def _move_mentions(archive: ArchiveStore, changes: Sequence[TextChange]) -> None:
    replaced = {change.message: change.redaction.replaced for change in changes}
    rows = archive.rows(f"select * from mentions where message_id in ({listed(list(replaced))})")
    archive.engine.execute(f"delete from mentions where message_id in ({listed(list(replaced))})")
    archive.insert(
        schema.mentions,
        [(row[0], *span, *row[3:]) for row in rows if (span := moved(row[1], row[2], replaced[row[0]]))],
    )


def _remove_identities(archive: ArchiveStore, plan: ForgetPlan) -> None:
    """A person of whom other names are left gets one of these as name."""
    people = listed(plan.person_ids)
    archive.engine.execute(f"delete from identities where id in ({listed(plan.identity_ids)})")
    rest = dict(archive.rows(f"select person_id, min(name) from identities where person_id in ({people})"
                             " group by person_id"))  # fmt: skip
    archive.execute_many(
        "update people set name = :name where id = :id", [{"name": name, "id": id} for id, name in rest.items()]
    )
    gone = listed([id for id in plan.person_ids if id not in rest])
    archive.engine.execute(f"delete from mentions where person_id in ({gone})")
    archive.engine.execute(f"delete from people where id in ({gone})")


def _scanned(
    archive: ArchiveStore, erasure: Erasure, plan: ForgetPlan, finder: NameFinder, not_erased: list[str]
) -> ForgetReport:
    """Reads all rows, then all files. A text that rows still have was said by others too; files may have it."""
    texts = {fragment for text in plan.said for fragment in fragments_of(text)}
    shared, leftovers = set[bytes](), list[str]()
    present = _contained(erasure.structure(), plan.sought)
    needles = TextNeedles(texts)
    for table, column, values in _values(archive):
        shared |= {needle for needle, _ in needles.find("\x00".join(values).encode("utf-8", "replace"))}
        for value in values:
            present |= _contained(value, plan.sought)
            if column not in PROGRAM_COLUMNS and any(each.is_certain for each in finder.find(value)):
                leftovers.append(f"a name in a row of {table}.{column}")
    words = {core for core in plan.sought if core in present or len(core) < MIN_SCANNED_NAME}
    names = [core for core in plan.sought if core not in words]
    found, scanned = _scan_files(erasure, TextNeedles(texts - shared), NameNeedles(names))
    leftovers += [f"{'a text' if f.needle in texts else 'a name'} in {f.file}, byte {f.offset:,}" for f in found]
    common = [text for text in plan.said if any(fragment in shared for fragment in fragments_of(text))]
    return ForgetReport(
        plan.names,
        len(plan.messages),
        plan.replaced(),
        tuple(plan.left),
        len(set(common)),
        tuple(sorted(words)),
        tuple(scanned),
        tuple(leftovers[:MAX_LEFTOVERS]),
        tuple(not_erased),
        tuple(erasure.not_scanned),
    )


def _values(archive: ArchiveStore) -> Iterator[tuple[str, str, list[str]]]:
    """(table, column, values) of every column of text."""
    for table in schema.metadata.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, Text):
                rows = archive.engine.connection.execute(select(column).where(column.is_not(None)))
                for part in rows.partitions(VALUES_AT_ONCE):
                    yield table.name, column.name, [str(value) for (value,) in part]


def _contained(value: str, cores: Sequence[str]) -> set[str]:
    """The names that a value has, be it inside longer words."""
    folded = value.casefold()
    return {core for core in cores if core in folded}


def _scan_files(erasure: Erasure, texts: TextNeedles, names: NameNeedles) -> tuple[list[Found], list[tuple[str, int]]]:
    """What was found, and the files with their sizes. Chunks overlap, so that nothing hides at an edge."""
    found, scanned = list[Found](), list[tuple[str, int]]()
    for file in erasure.files():
        size, tail = 0, b""
        for chunk in file.chunks:
            data, start = tail + chunk, size - len(tail)
            for needles in (texts, names):
                found += [Found(needle, file.name, start + offset) for needle, offset in needles.find(data)]
            size, tail = size + len(chunk), data[-2 * FRAGMENT :]
        scanned.append((file.name, size))
    return list(dict.fromkeys(found)), scanned
