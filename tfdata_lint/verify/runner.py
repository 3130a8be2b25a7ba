"""Executing a target in a process of its own: watched, bounded, and gone afterwards, whatever it does.

`observe` gives a `Run`. `Child` is the process beneath it, for whoever has other questions to the same code.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone
from types import TracebackType
from typing import Any

from tfdata_lint.source.content import read
from tfdata_lint.source.module import load
from tfdata_lint.verify.folders import Folder, changes
from tfdata_lint.verify.interrupts import reason_of
from tfdata_lint.verify.model import STOPPED, Output, Reason, Run
from tfdata_lint.verify.observe import Said, run_from
from tfdata_lint.verify.plan import Plan
from tfdata_lint.verify.processes import TOKEN, Processes, available_memory
from tfdata_lint.verify.warm import AGENT, Process, Warm

#: The agent keeps its own clock and says where the code hung; a moment later it is not asked any more.
GRACE_S = 2.0
#: To tell what was observed when the time for all is nearly over.
TELLING_S = 5.0
#: To start Python and read the job.
START_S = 15.0
_POLL_S = 0.01
_WEIGH_S = 0.25
_KEPT = 16_384


class Stopped(Exception):
    """The run was ended by us."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


def observe(
    plan: Plan,
    progress: Callable[[str], None] = lambda _: None,
    warm: Warm | None = None,
    texts: Mapping[str, str] | None = None,
    budget: float | None = None,
) -> Run:
    """Run the target once, observe its pipelines. `progress` is told what happens as it happens.

    `texts` stand in place of files. After `budget` seconds it ends with what was observed by then.
    """
    said, output, peak_memory = Said(), Output(), 0
    began, date, load = time.monotonic(), datetime.now(timezone.utc), _load()
    try:
        job = {} if budget is None else {"budget": budget - min(TELLING_S, budget / 4)}
        with Child(plan, texts, warm, **job) as child:
            try:
                for message in child.messages():
                    said.add(message)
                    if message["event"] == "phase":
                        progress(message["name"])
                if not said.ended:
                    said.end(*_end_of(child.code))
            finally:
                child.end()
                output, peak_memory = child.output, child.peak_memory
                said.changed(*child.changes())
                if plan.limits.trace_out:
                    said.export(plan.limits.trace_out)
    except Stopped as stopped:
        said.end(stopped.reason, str(stopped))
    except KeyboardInterrupt as interrupt:
        # What was observed by then holds.
        reason = reason_of(interrupt)
        said.end(reason, STOPPED[reason])
    run = run_from(plan, said, output, time.monotonic() - began, peak_memory)
    return replace(run, began=date.isoformat(timespec="seconds"), load=load)


def _load() -> float | None:
    with suppress(OSError, AttributeError):
        return os.getloadavg()[0]
    return None


class Child:
    """A process that executes the plan's target under the agent. A context: whichever way it is left, all is ended.

    `texts` stand in place of files. By default it observes. `hold=pipeline.key` holds it where that pipeline is about
    to be consumed, to answer the questions of `agent/serve.py` (`ask`, then `messages`); one that was *waiting* is
    reached by `stop_at=run.stopped_at`, too. `seed` sets the seeds of the code's randomness. With `warm` it is forked
    where that can be.
    """

    def __init__(
        self, plan: Plan, texts: Mapping[str, str] | None = None, warm: Warm | None = None, **job: Any
    ) -> None:
        self._plan = plan
        self._texts = dict(texts or {})
        self._warm = warm
        self._job = job
        self._ending = threading.Lock()
        self.peak_memory = 0

    def __enter__(self) -> Child:
        self._folder = Folder(outside=self._plan.copies)
        self._results = os.path.join(self._folder.path, "results")
        try:
            self._path = self._write_job()
            self._start(self._warm)
        except BaseException:
            self._folder.close()
            raise
        return self

    def _start(self, warm: Warm | None) -> None:
        """Raises `Stopped`."""
        _, work, temporary = (self._folder.new(name) for name in ("layers", "work", "tmp"))
        environment = {**os.environ, TOKEN: self._folder.name, **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), temporary)}
        cwd = work if self._plan.limits.temporary else os.getcwd()
        # The agent ends when the other ends of these close, so even if we are killed.
        reading, writing = os.pipe()
        lifeline, alive = os.pipe()
        printed, printing = os.pipe()
        try:
            forked = warm and warm.start(self._path, cwd, environment, (reading, lifeline, printing))
            self._process: Process = forked or subprocess.Popen(
                [self._plan.interpreter.path, "-B", AGENT, self._path, str(reading), str(lifeline)],
                cwd=cwd,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=printing,
                stderr=subprocess.STDOUT,
                pass_fds=(reading, lifeline),
                start_new_session=True,
            )
        except BaseException as error:
            for descriptor in (writing, alive, printed):
                os.close(descriptor)
            if not isinstance(error, OSError):
                raise
            raise Stopped("no-interpreter", f"{self._plan.interpreter.path}: {error}") from error
        finally:
            for descriptor in (reading, lifeline, printing):
                os.close(descriptor)
        self._is_forked = bool(forked)
        self._commands, self._alive = os.fdopen(writing, "w", encoding="utf-8"), alive
        self._processes = Processes(self._process.pid, self._folder.name)
        self._memory = self._plan.limits.memory or available_memory() * 3 // 4
        self._printed = _Printed(printed)
        self._until = time.monotonic() + START_S
        self._phase = "Python starts"

    def _start_again(self, read: Mapping[str, str]) -> None:
        """As a process of its own."""
        assert self._warm
        # How it ended only its parent knows.
        self.end()
        self._warm.again(read)
        self._start(None)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
        self._folder.close()

    @property
    def group(self) -> int:
        """The number of its process, and of the group of all that it has started."""
        return self._process.pid

    @property
    def code(self) -> int:
        """How the process ended."""
        return self._process.wait()

    @property
    def output(self) -> Output:
        return self._printed.output

    def changes(self) -> tuple[list[str], list[str]]:
        """What was written in the copies of folders, or in a temporary one, and what was deleted there."""
        written: list[str] = []
        deleted: list[str] = []
        for number, folder in enumerate(self._plan.copies):
            new, gone = changes(os.path.join(self._folder.path, "layers", str(number), "upper"), folder)
            written += new
            deleted += gone
        if self._plan.limits.temporary:
            written += changes(os.path.join(self._folder.path, "work"), "")[0]
        return written, deleted

    def ask(self, **command: Any) -> None:
        """Send a command to an agent that takes some."""
        self._commands.write(json.dumps(command) + "\n")
        self._commands.flush()

    def messages(self) -> Generator[dict[str, Any], None, None]:
        """What the agent tells, as it tells it, until the process ends. Raises `Stopped` where a limit is reached."""
        weighed = 0.0
        with open(self._results, encoding="utf-8") as file:
            rest = ""
            while True:
                running = self._process.poll() is None
                rest += file.read()
                *lines, rest = rest.split("\n")
                for line in lines:
                    message = json.loads(line)
                    if message["event"] == "end" and message["reason"] == "cold":
                        self._start_again(json.loads(message["detail"]))
                        running = True
                        continue
                    if message["event"] == "phase":
                        self._phase = message["name"]
                        self._until = time.monotonic() + message["seconds"] + GRACE_S
                    yield message
                if not running:
                    return
                if time.monotonic() - weighed > _WEIGH_S:
                    weighed = time.monotonic()
                    self._weigh()
                if weighed > self._until:
                    raise Stopped("timeout", self._phase)
                time.sleep(_POLL_S)

    def end(self) -> None:
        """Kill whatever is left of it. A clock may do so while somebody else does."""
        with self._ending:
            if not self._commands.closed:
                self._processes.end()
                self._process.wait()
                self._commands.close()
                os.close(self._alive)
                self._printed.close()

    def _weigh(self) -> None:
        memory = self._processes.memory()
        self.peak_memory = max(self.peak_memory, memory)
        if memory > self._memory:
            raise Stopped("memory", f"{_mb(memory)} in use, {_mb(self._memory)} allowed ({self._phase})")

    def _write_job(self) -> str:
        traces = self._folder.new("traces")
        with open(self._results, "w", encoding="utf-8"):
            pass
        target, limits = self._plan.target, self._plan.limits
        job = {
            "results": self._results,
            "folder": self._folder.path,
            "copies": self._plan.copies,
            "target": {
                "kind": target.kind,
                "path": os.path.abspath(target.path),
                "shown": target.path,
                "module": target.module,
                "arguments": target.arguments,
                "function": target.function,
                "keywords": dict(target.keywords),
            },
            "texts": {**_notebook_text(self._plan), **self._texts},
            "seconds": limits.seconds,
            "pace": limits.pace or limits.seconds,
            "network": limits.network,
            "step_ms": limits.step_ms,
            "traces": traces if limits.trace_out else "",
            "hold": None,
            "stop_at": None,
            "seed": None,
            **self._job,
        }
        path = os.path.join(self._folder.path, "job.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(job, file)
        return path


class _Printed:
    """What a process prints: read to its end, kept in part."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._head = self._tail = b""
        self._size = 0
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    @property
    def output(self) -> Output:
        return Output(self._head.decode("utf-8", "replace"), self._tail.decode("utf-8", "replace"), self._size)

    def close(self) -> None:
        self._thread.join(1)

    def _read(self) -> None:
        while data := os.read(self._descriptor, 65_536):
            self._size += len(data)
            taken = data[: _KEPT - len(self._head)]
            self._head += taken
            self._tail = (self._tail + data[len(taken) :])[-_KEPT:]
        os.close(self._descriptor)


def _notebook_text(plan: Plan) -> dict[str, str]:
    """The code of a notebook, in the rows that findings count by."""
    if plan.target.kind != "notebook":
        return {}
    return {os.path.abspath(plan.target.path): load(read(plan.target.path), plan.target.path).text}


def _end_of(code: int) -> tuple[Reason, str]:
    """Why a process ended that has not said why."""
    if code < 0:
        import signal

        return "crashed", f"ended by {signal.Signals(-code).name}"
    return "user-error", f"it exited with exit code {code}"


def _mb(size: int) -> str:
    return f"{size / 2**20:,.0f} MB"
