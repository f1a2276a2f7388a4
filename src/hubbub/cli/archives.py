"""The options of verbs that look things up in an archive, and its messages as JSON."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import OptionError
from ..text import whole

if TYPE_CHECKING:
    from ..answer.archive import Archive, Kept
    from ..answer.searching import Filters


def add_archive(parser: argparse.ArgumentParser, required: bool = True) -> None:
    parser.add_argument(
        "--in", metavar="FILE", dest="archive", required=required, help="the archive that hubbub index made"
    )


def add_filters(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--person", metavar="NAME", default="", help=f"only {what} by this person")
    parser.add_argument("--channel", metavar="NAME", default="", help="only in this channel")
    parser.add_argument("--since", metavar="DAY", default="", help="from this day on (2013-01-31)")
    parser.add_argument("--until", metavar="DAY", default="", help="until this day")


def opened(arguments: argparse.Namespace) -> Archive:
    from ..answer.archive import Archive

    return Archive(Path(arguments.archive))


def filters(arguments: argparse.Namespace, archive: Archive) -> Filters:
    """What was asked for; a channel that the archive does not have is a slip, and those it has are named."""
    from ..answer.searching import Filters

    channels = [name for (name,) in archive.rows("select name from chats order by name")]
    wish = arguments.channel
    if wish and wish.lower() not in (name.lower() for name in channels):
        raise OptionError("--channel", wish, f"{arguments.archive} has {', '.join(channels[:20]) or 'none'}")
    return Filters(whole(arguments.person), wish, _day(arguments, "since"), _day(arguments, "until"))


def _day(arguments: argparse.Namespace, option: str) -> str:
    from datetime import date

    text: str = getattr(arguments, option)
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise OptionError(f"--{option}", text, "a day is written as 2013-01-31") from None


def at_least_one(option: str, count: int) -> int:
    if count < 1:
        raise OptionError(option, count, "it is a number from 1 on")
    return count


def record(kept: Kept) -> dict[str, Any]:
    said = kept.message
    when = said.time.isoformat() if said.time else None
    clock = {"clock": said.clock.isoformat()} if said.clock else {}
    return {"message": kept.id, "time": when, **clock, "author": said.author, "text": said.text, "kind": said.kind}
