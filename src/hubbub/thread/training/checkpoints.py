"""Checkpoints of training: the results of finished stages, so that an interrupted training continues after them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import blake2b
from shutil import rmtree

import numpy as np

from ...ml.compilation import Array, digest
from ...ml.datasets import cache_folder
from .dataset import TrainingChat

Report = Callable[[str], None]


class Checkpoints:
    """A folder in the cache for one version of the code, one set of chats, one set of parameters and one seed."""

    def __init__(self, chats: Iterable[TrainingChat], parameters: str, report: Report) -> None:
        key = blake2b(f"{digest('thread')} {parameters}".encode(), digest_size=8)
        for chat in chats:
            key.update(chat.batch.codes.tobytes())
            key.update(repr(chat.gold).encode())
        self.folder, self.report = cache_folder() / f"training-{key.hexdigest()}", report

    def stage(self, name: str, make: Callable[[], Sequence[Array]]) -> Sequence[Array]:
        """The result of a stage, from its checkpoint if there is one."""
        file = self.folder / f"{name}.npz"
        if file.exists():
            self.report(f"{name}: from a checkpoint")
            with np.load(file) as found:
                return [found[name] for name in found.files]
        self.report(name)
        arrays = make()
        with suppress(OSError):
            # Writes the whole file or nothing.
            self.folder.mkdir(parents=True, exist_ok=True)
            part = file.with_suffix(f".{os.getpid()}.part")
            try:
                with part.open("wb") as out:
                    np.savez(out, *arrays)
                part.replace(file)
            finally:
                part.unlink(missing_ok=True)
        return arrays

    def remove(self) -> None:
        rmtree(self.folder, ignore_errors=True)
