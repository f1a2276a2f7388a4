"""Finished stages of a training, kept until all are finished: a training that was stopped goes on from there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from shutil import rmtree

import numpy as np

from ...compiling import Array, digest
from ...datasets import cache_folder
from .material import Story

Say = Callable[[str], None]


class Kept:
    """A folder in the cache that belongs to one code, one set of chats, one plan and one seed."""

    def __init__(self, stories: Iterable[Story], plan: str, say: Say) -> None:
        made_of = blake2b(f"{digest('thread')} {plan}".encode(), digest_size=8)
        for story in stories:
            made_of.update(story.batch.codes.tobytes())
            made_of.update(repr(story.gold).encode())
        self.folder, self.say = cache_folder() / f"training-{made_of.hexdigest()}", say

    def stage(self, name: str, make: Callable[[], Sequence[Array]]) -> Sequence[Array]:
        """What the stage makes, or what it made when it was last run."""
        file = self.folder / f"{name}.npz"
        if file.exists():
            self.say(f"{name}: done before")
            with np.load(file) as found:
                return [found[key] for key in found.files]
        self.say(name)
        made = make()
        with suppress(OSError):
            self._write(file, made)
        return made

    def _write(self, file: Path, made: Sequence[Array]) -> None:
        """All of the file or nothing."""
        self.folder.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(f".{os.getpid()}.part")
        try:
            with part.open("wb") as out:
                np.savez(out, *made)
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)

    def remove(self) -> None:
        rmtree(self.folder, ignore_errors=True)
