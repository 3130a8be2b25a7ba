"""What is said to mypyc, which compiles the pipeline for some wheels (`hatch_build.py`). It means nothing to Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    # mypyc looks for it by this name.
    from mypy_extensions import mypyc_attr as mypyc_attr
else:
    Class = TypeVar("Class", bound=type)

    def mypyc_attr(**_: bool) -> Callable[[Class], Class]:
        return lambda cls: cls
