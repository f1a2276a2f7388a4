"""The room of intents: texts in, Intents out, or that they are out of scope. `hubbub.intent(text)` runs `intent`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, overload

from .._rooms import callable_room
from ..chat import Chat
from ..layers import Intent

if TYPE_CHECKING:
    from .classifier import Classifier

__all__ = ["intent"]


@overload
def intent(  # type: ignore[overload-overlap]
    given: str, model: str | Path | Classifier | None = ..., *, threshold: float | None = ..., criterion: str = ...
) -> Intent: ...


@overload
def intent(
    given: Chat | Sequence[str],
    model: str | Path | Classifier | None = ...,
    *,
    threshold: float | None = ...,
    criterion: str = ...,
) -> list[Intent]: ...


def intent(
    given: str | Chat | Sequence[str],
    model: str | Path | Classifier | None = None,
    *,
    threshold: float | None = None,
    criterion: str = "",
) -> Intent | list[Intent]:
    """What a text wants; for several texts a list of that; for a chat its layer of intents, none for system lines.

    `model` is a name, a folder or a trained classifier. `threshold` or `criterion` move the cut between in scope and
    out of scope from where the model has it.
    """
    from .desk import Desk

    desk = Desk.of(model, threshold=threshold, criterion=criterion)
    if isinstance(given, Chat):
        return [each for _, found in desk.over(given) for each in found]
    return desk.answers([given])[0] if isinstance(given, str) else desk.answers(given)


callable_room(__name__)
