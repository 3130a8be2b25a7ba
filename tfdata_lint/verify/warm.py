"""The process that has TensorFlow imported (`agent/warm.py`), seen from here: it is asked to fork, not to start."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Protocol

from tfdata_lint.verify.plan import Interpreter

AGENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "agent", "__main__.py")
#: To import TensorFlow, on a machine that is busy.
IMPORT_S = 120.0


class Process(Protocol):
    """What executes a target: a new process, or a fork."""

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None:
        """How it has ended; None while it has not."""

    def wait(self) -> int:
        """How it has ended, once it has."""


class Warm:
    """A context. Where the system cannot fork so, or it has no TensorFlow, it starts nothing, and says so."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_second = False

    def __enter__(self) -> Warm:
        if sys.platform == "linux":
            self._begin(os.environ)
        return self

    def _begin(self, environment: Mapping[str, str]) -> None:
        self._connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._connection.settimeout(IMPORT_S)
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [self._interpreter.path, "-B", "-W", "ignore", AGENT, "--warm", str(theirs.fileno())],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=environment,
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,
                )
            except OSError:
                # The first run says what is wrong with this interpreter.
                self.give_up()

    def again(self, read: Mapping[str, str]) -> None:
        """The code sets what TensorFlow reads while it is imported. Once it is imported anew with that."""
        self.give_up()
        if not self._is_second:
            self._is_second = True
            self._begin({**os.environ, **read})

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_up()

    @property
    def is_there(self) -> bool:
        return self._process is not None

    def give_up(self) -> None:
        """From now on every run has a process of its own."""
        process, self._process = self._process, None
        if process:
            self._connection.close()
            process.kill()
            process.wait()

    def start(
        self, job: str, cwd: str, environment: Mapping[str, str], descriptors: tuple[int, int, int]
    ) -> Process | None:
        """A fork that does this job. None: there is no such thing here."""
        if self._process is None:
            return None
        answer = self._ask({"job": job, "cwd": cwd, "environment": dict(environment)}, descriptors)
        if answer is None or "pid" not in answer:
            self.give_up()
            return None
        return _Fork(answer["pid"], self)

    def code_of(self, process: int) -> int | None:
        answer = self._ask({"code": process}, ())
        # With its parent gone, nobody knows how it ended.
        return answer["code"] if answer else -9

    def _ask(self, request: Mapping[str, Any], descriptors: tuple[int, ...]) -> dict[str, Any] | None:
        with self._lock:
            try:
                socket.send_fds(self._connection, [json.dumps(request).encode()], descriptors)
                message = self._connection.recv(65_536)
            except OSError:
                return None
            except BaseException:
                # What it answers would be taken for the answer to the next request.
                self.give_up()
                raise
        answer: dict[str, Any] | None = json.loads(message) if message else None
        return answer


class _Fork:
    def __init__(self, pid: int, parent: Warm) -> None:
        self.pid = pid
        self._parent = parent
        self._code: int | None = None

    def poll(self) -> int | None:
        if self._code is None:
            self._code = self._parent.code_of(self.pid)
        return self._code

    def wait(self) -> int:
        while (code := self.poll()) is None:
            time.sleep(0.005)
        return code
