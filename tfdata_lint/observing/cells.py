"""Cells of a notebook, where this process is the kernel of one."""

from __future__ import annotations

import linecache
import os
import sys
from typing import Any

from tfdata_lint.source.places import cell_name


def shell() -> Any:
    """The shell of IPython; None where there is none. IPython is not imported for that."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module else None


def is_notebook() -> bool:
    """One that shows pages, not a terminal."""
    return hasattr(shell(), "kernel")


def cells() -> dict[str, str]:
    """The file that a cell was compiled as → `In [3]`, by the number that the notebook shows; in that order."""
    known = getattr(getattr(shell(), "compile", None), "_filename_map", None)
    if not isinstance(known, dict):
        return {}
    in_order = sorted(known.items(), key=lambda item: item[1])
    return {os.path.realpath(name): name_of(number) for name, number in in_order}


def name_of(number: int) -> str:
    """What a cell is called by the number of its execution: where it stands in the notebook no kernel knows."""
    return cell_name(None, number)


def texts() -> dict[str, str]:
    """The file that a cell was compiled as → the Python in it, in the order in which they were executed."""
    known = getattr(getattr(shell(), "compile", None), "_filename_map", None) or {}
    return {os.path.realpath(name): "".join(linecache.getlines(name)) for name in sorted(known, key=known.__getitem__)}


def current_id() -> str:
    """What the front end calls the cell that is being executed; empty where it does not say."""
    parent: dict[str, Any] = getattr(shell(), "get_parent", dict)()
    return str((parent.get("metadata") or {}).get("cellId") or "")


def display(thing: Any) -> bool:
    """Show it below the cell; False where there is none."""
    if not is_notebook():
        return False
    sys.modules["IPython"].display.display(thing)
    return True
