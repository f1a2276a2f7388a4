"""A classifier trained on a file on the spot, and kept in the cache under what the file says."""

from __future__ import annotations

import hashlib
import logging
from contextlib import suppress
from pathlib import Path

from .. import __version__
from ..datasets import Place, cache_folder, checksum, find
from ..errors import ModelError, Unwritable
from ..model import make, save
from ..task import examples, fit, task
from .classifier import Classifier
from .desk import classifier

log = logging.getLogger(__name__)


def trained_on(place: Place) -> Classifier:
    """The default model trained on these examples; the second time it is only loaded."""
    room = task("intent")
    found = find(place)
    data = checksum(found.files)
    folder = _kept(room.default, data)
    if folder.exists():
        with suppress(ModelError):
            return classifier(folder)
    made = fit(make(room.default), examples(room, found, "train"))
    assert isinstance(made, Classifier)
    try:
        save(made, folder, dataset=str(found), data=data)
    except (Unwritable, ModelError) as error:
        why = str(error).removesuffix(".")
        log.warning("%s, so that every run trains on %s again; XDG_CACHE_HOME names a folder for the cache", why, found)
    return made


def _kept(name: str, data: str) -> Path:
    key = hashlib.sha256(f"{__version__} {name} {data}".encode()).hexdigest()
    return cache_folder() / "intents" / key[:24]
