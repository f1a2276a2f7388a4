"""The ways in which functions are compiled here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]
Function = TypeVar("Function", bound=Callable[..., Any])


def entry(function: Function) -> Function:
    """The function as machine code that Python calls, kept on disk beside its source or in the user's cache."""
    return cast(Function, numba.njit(cache=True, error_model="numpy")(function))


def compiled(function: Function) -> Function:
    """The same for a function that only compiled code calls, which saves most of the time it takes to compile it."""
    options: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast(Function, numba.njit(cache=True, error_model="numpy", **options)(function))


def inlined(function: Function) -> Function:
    """For a function that is called from one place: it becomes part of its caller and is not compiled for itself."""
    return cast(Function, numba.njit(error_model="numpy", inline="always")(function))
