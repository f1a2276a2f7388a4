"""Whether an archive depends on the order in which days are added: one by one, all at once, in reverse, overlapping.

    python benchmarks/archive_orders.py CHANNEL... [--days N]

CHANNEL is the name of a file that the folders of days below HUBBUB_DATA/ubuntu-logs have. Messages, conversations and
ids are compared with those of adding all at once.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hubbub.archive.adding import add
from hubbub.archive.conversation_lookup import find_conversation
from hubbub.archive.housekeeping import check
from hubbub.archive.store import ArchiveStore
from hubbub.chat import Message
from hubbub.pipeline import Pipeline
from hubbub.read import read_all


def orders(days: Sequence[Sequence[Message]]) -> dict[str, list[list[Message]]]:
    whole = [message for day in days for message in day]
    starts = range(0, len(days), 3)
    overlapping = [[message for day in days[max(start - 2, 0) : start + 3] for message in day] for start in starts]
    return {
        "all at once": [whole],
        "one by one": [list(day) for day in days],
        "in reverse": [list(day) for day in reversed(days)],
        "overlapping, in reverse": overlapping[::-1],
    }


def built(place: Path, name: str, parts: Sequence[Sequence[Message]]) -> tuple[list[object], dict[str, frozenset[int]]]:
    """The messages in order, and each conversation by its id as the set of their places."""
    threader, shown = Pipeline().threader(), set[str]()
    with ArchiveStore(place, create=True) as archive:
        for part in parts:
            list(add(archive, name, "ubuntu", part, threader=threader))
            shown |= {id for (id,) in archive.rows("select public_id from conversations")}
        assert check(archive) == []
        for id in shown:
            find_conversation(archive, id)
        rows = archive.rows("select m.time, m.author, m.text, m.kind, t.public_id from messages m left join"
                            " conversations t on t.id = m.conversation_id order by m.ordinal")  # fmt: skip
        groups: dict[str, set[int]] = {}
        for place_of, row in enumerate(rows):
            if row[4]:
                groups.setdefault(row[4], set()).add(place_of)
        redirects = archive.rows("select count(distinct old_id), count(*) from redirects")[0]
    former = f"{redirects[0]:,} former ids, {redirects[1]:,} rows for them"
    print(f"    {len(rows):,} messages, {len(groups):,} conversations, {len(shown):,} ids ever shown, {former}")
    return [tuple(row[:4]) for row in rows], {id: frozenset(members) for id, members in groups.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("channels", nargs="+")
    parser.add_argument("--days", type=int, default=31)
    options = parser.parse_args()
    logs = Path(os.environ["HUBBUB_DATA"], "ubuntu-logs")
    for channel in options.channels:
        files = sorted(logs.rglob(f"{channel}.txt"))[: options.days]
        days = [[message for chat in read_all(file) for message in chat] for file in files]
        right = None
        for order, parts in orders(days).items():
            with TemporaryDirectory() as folder:
                began = time.perf_counter()
                found = built(Path(folder, "archive.db"), channel, parts)
                seconds = time.perf_counter() - began
            right = right or found
            same = (found[0] == right[0], set(found[1].values()) == set(right[1].values()), found[1] == right[1])
            print(
                f"{channel}, {order}: same messages {same[0]}, conversations {same[1]}, ids {same[2]}; {seconds:.0f} s"
            )


if __name__ == "__main__":
    main()
