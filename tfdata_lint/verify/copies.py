"""Of which folders each execution has a copy: none sees what another one writes, and nothing stays."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache

from tfdata_lint.verify.folders import Folder, _is_in
from tfdata_lint.verify.model import Target
from tfdata_lint.verify.plan import Interpreter, Limits, Plan
from tfdata_lint.verify.warm import AGENT

#: What stands in the topmost folder of a project.
_MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg")
_PROBE_S = 10.0
_USUAL = Limits()


def prepared(what: Target, python: Interpreter, limits: Limits = _USUAL) -> Plan:
    """The plan for a target, with copies of its folders where the system can make them; to find out takes a process."""
    return Plan(what, python, limits, folders(what, temporary=limits.temporary))


def folders(target: Target, *, temporary: bool = False) -> tuple[str, ...]:
    """Those of the project and the one that it runs in, if the system can copy them; else none."""
    inside = {_project(os.path.dirname(os.path.realpath(target.path)))}
    if not temporary:
        inside.add(_project(os.path.realpath(os.getcwd())))
    top = tuple(sorted(one for one in inside if not any(one != other and _is_in(one, other) for other in inside)))
    if os.sep in top or sys.platform != "linux":
        return ()
    return top if _can_be_copied(top) else ()


def _project(folder: str) -> str:
    above = folder
    while above not in (os.path.expanduser("~"), os.path.dirname(above)):
        if any(os.path.exists(os.path.join(above, mark)) for mark in _MARKS):
            return above
        above = os.path.dirname(above)
    return folder


@cache
def _can_be_copied(folders: Sequence[str]) -> bool:
    folder = Folder(outside=folders)
    try:
        command = [sys.executable, "-I", "-S", "-B", AGENT, "--copies", folder.path, *folders]
        return subprocess.run(command, capture_output=True, timeout=_PROBE_S, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
    finally:
        folder.close()
