"""A classifier trained on a file on the spot, and kept in the cache under what the file says."""

from __future__ import annotations

import hashlib
import logging
from contextlib import suppress

from ... import __version__
from ...errors import ModelError, Unwritable
from ...ml.datasets import Place, cache_folder, checksum, find
from ...ml.registry import make, save
from ...ml.task import examples, fit, task
from ..models._classifier import Classifier
from ..predict import classifier

log = logging.getLogger(__name__)


def trained_on(place: Place) -> Classifier:
    """The default model trained on these examples; the second time it is only loaded."""
    intents = task("intent")
    found = find(place)
    data = checksum(found.files)
    key = hashlib.sha256(f"{__version__} {intents.default} {data}".encode()).hexdigest()
    folder = cache_folder() / "intents" / key[:24]
    if folder.exists():
        with suppress(ModelError):
            return classifier(folder)
    model = fit(make(intents.default), examples(intents, found, "train"))
    assert isinstance(model, Classifier)
    try:
        save(model, folder, dataset=str(found), data=data)
    except (Unwritable, ModelError) as error:
        why = str(error).removesuffix(".")
        log.warning("%s, so that every run trains on %s again; XDG_CACHE_HOME names a folder for the cache", why, found)
    return model
