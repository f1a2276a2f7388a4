"""What Element calls the files that it exports."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from ...parsing.path_names import name_from_path

_EXPORT = re.compile(r"^.+? - (.+) - Chat Export\b")


def room_of_file(path: str) -> str:
    """ "Element - Garden - Chat Export - 2022-11-17.txt" or a file in such an archive -> "Garden"."""
    place = PurePosixPath(path)
    for part in (place.name, place.parent.name):
        if found := _EXPORT.match(part):
            return found[1]
    return name_from_path(path)
