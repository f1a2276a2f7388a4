"""Several annotations of the same chats side by side, whatever files they come in."""

from __future__ import annotations

from glob import glob
from pathlib import Path

from ...errors import Missing, NoChats
from ...layers import ReplyGraph
from .loading import annotation_graphs

Links = dict[str, list[tuple[int, int]]]
MARK = ".annotation"


def aligned(*places: str) -> tuple[tuple[str, ...], list[list[ReplyGraph]]]:
    """The names of the chats that all places annotate, and for each place their graphs, of equal length.

    A place is a file, a folder or a glob. Files are matched by the part of their names before ".annotation", or by
    the chat that begins each line of theirs; two places of one file each match whatever their names.
    """
    found: list[Links] = []
    for place in places:
        graphs = ((path, chat, links) for path in _files(place) for chat, links in annotation_graphs(path).items())
        found.append({chat or path.name.partition(MARK)[0]: links for path, chat, links in graphs})
    if all(len(each) == 1 for each in found):
        found = [dict.fromkeys(found[0], links) for each in found for links in each.values()]
    names = tuple(name for name in found[0] if all(name in each for each in found))
    if not names:
        raise NoChats(" and ".join(places), "no chat is annotated in all of them; names before .annotation must match")
    lengths = [1 + max((max(link) for each in found for link in each[name]), default=-1) for name in names]
    return names, [
        [ReplyGraph.of(each[name], length) for name, length in zip(names, lengths, strict=True)] for each in found
    ]


def _files(place: str) -> list[Path]:
    path = Path(place).expanduser()
    if path.is_dir():
        inside = sorted(each for each in path.iterdir() if each.is_file())
        return [each for each in inside if MARK in each.name] or inside
    if path.exists():
        return [path]
    matching = [Path(each) for each in sorted(glob(str(path)))]
    if not matching:
        raise Missing(place)
    return matching
