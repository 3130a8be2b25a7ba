"""A process that has TensorFlow imported, but has not used it: it forks those that execute, which need not import it.

What a fork finds is what a process of its own would find: TensorFlow and Keras come when the code imports them, all
randomness is its own, and where the code has first changed what TensorFlow reads while it is imported, the fork ends
with the reason `cold` and what it would read, for the code to be executed by a new process.

Requests and answers are JSON on a socket that keeps them apart, one answer for each:

`{"job", "cwd", "environment"}` with two descriptors for reading, commands and lifeline, and one for what is printed →
`{"pid"}`, or `{"problem"}` where TensorFlow cannot be imported
`{"code": pid}` → `{"code": how it ended, or null}`
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import json
import os
import random
import socket
import sys
import tempfile
from collections.abc import Callable
from types import ModuleType
from typing import Any, NoReturn

#: Of a message, in bytes; the system has a limit like this.
LONGEST = 1 << 20
#: What is not there for a fork until it imports it.
IMPORTED = ("tensorflow", "keras", "tf_keras")
#: TensorFlow and what it imports read variables that begin so, as they are imported; …
_READ = ("TF", "KERAS", "XLA", "OMP", "MKL", "OPENBLAS", "KMP", "PYTHON", "PROTOCOL_BUFFERS", "NPY", "LD_")
#: … except for these, which are read when something is executed.
_LATE = frozenset(
    ("TF_CPP_MIN_LOG_LEVEL", "TF_CPP_MIN_VLOG_LEVEL", "TF_CONFIG", "TF_DETERMINISTIC_OPS", "TF_CUDNN_DETERMINISTIC",
     "TF_FORCE_GPU_ALLOW_GROWTH", "TF_GPU_THREAD_MODE", "TF_GPU_THREAD_COUNT", "PYTHONHASHSEED", "TFDATA_LINT_VERIFY")
)  # fmt: skip


def main(descriptor: int) -> None:
    """Serve until the other end closes."""
    connection = socket.socket(fileno=descriptor)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    read, before = _what_is_read(), dict(os.environ)
    problem = _import()
    written = {name: value for name, value in os.environ.items() if before.get(name) != value}
    imported = Imported({name: sys.modules.pop(name) for name in IMPORTED if name in sys.modules}, read, written)
    while True:
        message, descriptors, _, _ = socket.recv_fds(connection, LONGEST, 3)
        if not message:
            return
        request = json.loads(message)
        if "code" in request:
            answer: dict[str, Any] = {"code": _code_of(request["code"])}
        elif problem:
            answer = {"problem": problem}
        else:
            answer = {"pid": _fork(request, descriptors, connection, imported)}
        for received in descriptors:
            os.close(received)
        connection.sendall(json.dumps(answer).encode())


def _import() -> str:
    try:
        importlib.import_module("tensorflow")
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _code_of(process: int) -> int | None:
    """How it has ended, as `subprocess` says it; None if it has not."""
    try:
        ended, status = os.waitpid(process, os.WNOHANG)
    except ChildProcessError:
        # One that was here before is gone, and with it how it ended.
        return -9
    return None if ended == 0 else os.waitstatus_to_exitcode(status)


def _fork(request: dict[str, Any], descriptors: list[int], connection: socket.socket, imported: Imported) -> int:
    process = os.fork()
    if process == 0:
        connection.close()
        _become(request, descriptors, imported)
    return process


def _become(request: dict[str, Any], descriptors: list[int], imported: Imported) -> NoReturn:
    """From here on this is the process of a run."""
    try:
        commands, lifeline, printed = descriptors
        os.setsid()
        for stream in (1, 2):
            os.dup2(printed, stream)
        os.close(printed)
        os.environ.clear()
        os.environ.update(request["environment"])
        os.chdir(request["cwd"])
        # It may be known by now.
        tempfile.tempdir = None
        _forget_randomness()
        session = importlib.import_module(__name__.rpartition(".")[0] + ".session")
        session.main(request["job"], commands, lifeline, imported)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        # Never back into the loop of the parent.
        os._exit(1)


def _forget_randomness() -> None:
    random.seed()
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed()


class Imported:
    """A finder of what the parent has imported, while that is what the code would import."""

    def __init__(self, modules: dict[str, ModuleType], read: dict[str, str], written: dict[str, str]) -> None:
        """The variables of the environment that importing them read, and those that it wrote."""
        self._modules = modules
        self._read = read
        self._written = written
        self._refuse: Callable[[dict[str, str]], NoReturn]

    def install(self, refuse: Callable[[dict[str, str]], NoReturn]) -> None:
        """In front of all others. It calls `refuse` where it is not, with the variables that would be read."""
        self._refuse = refuse
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if name not in self._modules:
            return None
        if _what_is_read() != self._read:
            self._refuse(_what_is_read())
        os.environ.update(self._written)
        # The next one is imported with them.
        self._read = _what_is_read()
        return importlib.machinery.ModuleSpec(name, _Again(self._modules.pop(name)), is_package=True)


class _Again(importlib.abc.Loader):
    """Loads a module that is there already."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._spec = module.__spec__

    def create_module(self, spec: Any) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec


def _what_is_read() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(_READ) and name not in _LATE}
