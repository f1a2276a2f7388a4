"""Torch, which trains some models and runs none."""

from __future__ import annotations

from typing import Any

from ..errors import NeedsExtra


def torch_or_error() -> Any:
    """Torch, or a sentence that says how to get it."""
    try:
        import torch
    except ImportError:
        raise NeedsExtra("Training this model", "train") from None
    return torch
