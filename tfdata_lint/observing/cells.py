"""Cells of a notebook, where this process is the kernel of one."""

from __future__ import annotations

import os
import sys
from typing import Any

from tfdata_lint.observing.evidence import CELL


def shell() -> Any:
    """The shell of IPython; None where there is none. IPython is not imported for that."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module else None


def is_notebook() -> bool:
    """One that shows pages, not a terminal."""
    return hasattr(shell(), "kernel")


def cells() -> dict[str, str]:
    """The file that a cell was compiled as → `<cell 3>`, by the number that the notebook shows."""
    known = getattr(getattr(shell(), "compile", None), "_filename_map", None)
    if not isinstance(known, dict):
        return {}
    return {os.path.realpath(name): f"{CELL}{number}>" for name, number in known.items()}


def display(thing: Any) -> bool:
    """Show it below the cell; False where there is none."""
    if not is_notebook():
        return False
    sys.modules["IPython"].display.display(thing)
    return True
