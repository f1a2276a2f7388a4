"""Training of the models of threads; LightGBM, SciPy and torch are imported here alone."""

from __future__ import annotations

from importlib.util import find_spec

from ...errors import NeedsExtra


def require_libraries() -> None:
    """Raises before training starts, which takes hours, if a library is missing."""
    if not (find_spec("lightgbm") and find_spec("scipy")):
        raise NeedsExtra("Training thread/hubbub", "train")
