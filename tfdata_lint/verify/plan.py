"""What will be executed, and by which Python: said before it happens."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tfdata_lint.source.content import read
from tfdata_lint.source.module import load
from tfdata_lint.verify.model import Target

#: How long a pipeline may take unless `--verify-seconds` says otherwise.
SECONDS = 20.0
#: How long its observation is planned to go on then; a slow one takes longer.
PACE = 5.0
#: A fix is compared by so many pairs of processes, where one leaves a doubt, …
PAIRS = 3
#: … by others where these leave it open, and the fixed code seems to be faster, so often in all.
ATTEMPTS = 3
#: And two more where all elements have to be compared.
MOST = 2 * PAIRS * ATTEMPTS + 2
#: The exit code of a Python without TensorFlow.
_WITHOUT = 3


class PlanError(ValueError):
    """What is asked for cannot be executed."""


@dataclass(frozen=True, slots=True)
class Interpreter:
    path: str
    why: str
    """Why this one, in a few words."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the run may do, and how much of it."""

    seconds: float = SECONDS
    """For each pipeline, and as much to reach the first one."""
    pace: float = 0.0
    """How long the observation of a pipeline is planned to go on; 0 is as long as it may."""
    memory: int = 0
    """Bytes, all processes of the run together; 0 is three quarters of what is available now."""
    network: bool = False
    step_ms: float = 0.0
    """A step to simulate where the code has none; 0 is none."""
    temporary: bool = False
    """Run in a temporary folder, which is then deleted."""
    trace_out: str = ""
    """Where to export the traces to, in Chrome's format."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One target, its interpreter and its limits: everything that a run needs."""

    target: Target
    interpreter: Interpreter
    limits: Limits = Limits()
    copies: tuple[str, ...] = ()
    """Folders of which each execution has a copy of its own."""

    @property
    def is_isolated(self) -> bool:
        """Can several executions go on at once, and none sees what another one writes?"""
        return bool(self.copies) or self.limits.temporary

    def announcement(self) -> Iterator[str]:
        """What is printed before anything is executed."""
        limits = self.limits
        module = f" (as python -m {self.target.module})" if self.target.module else ""
        yield f"will execute  {self.target}{module}"
        yield f"with          {self.interpreter.path} ({self.interpreter.why})"
        yield f"in            {'a temporary folder' if limits.temporary else os.getcwd()}"
        until = "until its first pipeline, and for each pipeline; then it is stopped"
        yield f"for           {limits.seconds:g} s at most {until}"
        at_once = f"up to {2 * PAIRS} at once{'' if self.is_isolated else ', started in turn'}"
        yield f"how often     once to observe it; 2 to {MOST} times for each fix that is compared, {at_once}"
        yield f"files         {self._files()}"
        yield f"network       {'allowed' if limits.network else 'off (--verify-network allows it)'}"

    def _files(self) -> str:
        if self.copies:
            return f"what it writes in {' and '.join(self.copies)} goes to a copy that is deleted afterwards"
        if self.limits.temporary:
            return "what it writes outside its temporary folder stays"
        return "what it writes stays: this system cannot copy folders (--verify-tempdir runs it in a temporary one)"


def target(text: str, arguments: Sequence[str] = (), keywords: Mapping[str, Any] | None = None) -> Target:
    """The target that a word of the command line names: `script.py`, `module.py::function`, `notebook.ipynb`."""
    path, colons, function = text.partition("::")
    if not os.path.isfile(path):
        raise PlanError(f"no such file: {path}")
    if colons:
        if not function.replace(".", "_").isidentifier():
            raise PlanError(f"`{function}` is not the name of a function")
        if arguments:
            raise PlanError("arguments after `--` are for a script; use --verify-arg NAME=VALUE for a function")
        return Target("function", path, function=function, keywords=keywords or {})
    if keywords:
        raise PlanError(f"--verify-arg is for a function, such as {path}::make_dataset")
    if path.endswith(".ipynb"):
        _must_be_a_notebook(path)
        return Target("notebook", path)
    if not path.endswith(".py"):
        raise PlanError(f"{path} is neither a script, nor a notebook, nor FILE.py::FUNCTION")
    return Target("script", path, tuple(arguments), module=_module(path))


def _module(path: str) -> str:
    """The name of a script in its package, if it imports something from there as only a module can; else empty."""
    try:
        nodes = list(ast.walk(ast.parse(read(path))))
    except (SyntaxError, ValueError):
        return ""
    relative = max((node.level for node in nodes if isinstance(node, ast.ImportFrom)), default=0)
    folder, stem = os.path.split(os.path.splitext(os.path.abspath(path))[0])
    names = [stem]
    while len(names) <= relative or os.path.exists(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        if not package.isidentifier():
            return ""
        names.insert(0, package)
    absolute = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    absolute |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    own = len(names) > 1 and any((name or "").partition(".")[0] == names[0] for name in absolute)
    return ".".join(names) if relative or own else ""


def _must_be_a_notebook(path: str) -> None:
    """The rules have said so too, but perhaps they were asked about other files."""
    if problems := load(read(path), path).problems:
        raise PlanError(f"{path}:{problems[0].row}: {problems[0].message}")


def keyword(text: str) -> tuple[str, Any]:
    """`name=value` of `--verify-arg`: the value as JSON, or else as it stands."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise PlanError(f"`{text}` is not NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, {"True": True, "False": False, "None": None}.get(value, value)


def interpreter(path: str, python: str | None = None) -> Interpreter:
    """The Python that a file is run by: the one asked for, the project's, the active one, or ours."""
    if python:
        found = _in_environment(python) if os.path.isdir(python) else shutil.which(os.path.expanduser(python))
        if not found:
            raise PlanError(f"no such interpreter: {python}")
        return Interpreter(os.path.abspath(found), "--python")
    for folder in _folders_above(path):
        if found := _in_environment(os.path.join(folder, ".venv")):
            return Interpreter(found, f".venv of {os.path.basename(folder) or folder}")
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if (prefix := os.environ.get(variable)) and (found := _in_environment(prefix)):
            return Interpreter(found, variable)
    return Interpreter(sys.executable, "it runs tfdata-lint")


def has_tensorflow(interpreter: Interpreter) -> bool:
    """Can it import TensorFlow? Where it does not start, that is for the run to say."""
    code = f"import sys, importlib.util as u; sys.exit({_WITHOUT} if u.find_spec('tensorflow') is None else 0)"
    nothing = subprocess.DEVNULL
    try:
        done = subprocess.run(
            [interpreter.path, "-B", "-c", code],
            stdin=nothing, stdout=nothing, stderr=nothing, timeout=SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return True
    return done.returncode != _WITHOUT


def _in_environment(folder: str) -> str | None:
    names = (os.path.join(folder, "bin", "python"), os.path.join(folder, "Scripts", "python.exe"))
    return next((os.path.abspath(name) for name in names if os.access(name, os.X_OK)), None)


def _folders_above(path: str) -> Iterator[str]:
    folder = os.path.dirname(os.path.abspath(path))
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above
