"""How the model of threads is trained: words, cues, vectors, then three forests, each on what the one before does."""

from __future__ import annotations

from importlib.util import find_spec

from ...errors import NeedsExtra


def require_parts() -> None:
    """Says what is missing before hours are spent, and not in the middle of them."""
    if not (find_spec("lightgbm") and find_spec("scipy")):
        raise NeedsExtra("Training thread/hubbub", "train")
