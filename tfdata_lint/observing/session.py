"""One observation in the process that runs anyway: all of `verify.agent` that observes, and nothing that stops."""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import os
import platform
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

from tfdata_lint.observing.adopted import Adopting
from tfdata_lint.observing.patches import Patches
from tfdata_lint.observing.quiet import quiet
from tfdata_lint.verify.agent import places
from tfdata_lint.verify.agent.consume import Interception
from tfdata_lint.verify.agent.recorder import Recorder, Unsupported
from tfdata_lint.verify.agent.run import Run
from tfdata_lint.verify.agent.tracer import Tracer
from tfdata_lint.verify.agent.watch import FromBeside, Watch

#: Pipelines of one observation.
MOST = 32
#: For so many times its window it is tried to observe what the runtime consumes by itself.
TRIES = 2
_KERAS = ("keras", "tf_keras")
_UNDER_VERIFY = "_tfdata_lint_agent"

_recorder: Adopting | None = None
_current: Session | None = None
"""There is one of each in a process."""
_lock = threading.Lock()


class Sharing(Tracer):
    """The profiler, which belongs to the code: where that begins to profile itself, ours is over."""

    def __init__(self, within: str) -> None:
        super().__init__(within)
        self.is_cut = False
        self._theirs: list[tuple[Any, Any]] = []

    def _keep_the_code_from_tracing(self) -> None:
        experimental = importlib.import_module("tensorflow").profiler.experimental
        self._owners = (self._profiler, experimental)

    def _options(self) -> Any:
        # The defaults are the same, and TensorFlow 2.21 prints a warning for each that it is given.
        return None

    def start(self) -> None:
        self.is_cut = False
        with quiet():
            super().start()
        self._theirs = [(owner, vars(owner).get("start")) for owner in self._owners]
        for owner, theirs in self._theirs:
            owner.start = self._giving_way(theirs)

    def stop(self) -> Any:
        self._give_back()
        if self.is_cut:
            raise RuntimeError("the code began to profile itself")
        with quiet():
            return super().stop()

    @property
    def is_running(self) -> bool:
        return self._is_tracing

    def end(self) -> None:
        """It may still be running."""
        if self._is_tracing:
            with contextlib.suppress(Exception):
                self.stop()

    def _giving_way(self, theirs: Any) -> Callable[..., Any]:
        def start(*arguments: Any, **keywords: Any) -> Any:
            if self._is_tracing:
                self.end()
                self.is_cut = True
            return theirs(*arguments, **keywords)

        return start

    def _give_back(self) -> None:
        for owner, theirs in self._theirs:
            owner.start = theirs
        self._theirs = []


class Watching(Watch):
    """A watch that fails by itself: the code goes on. What it takes of the code's time is added up."""

    may_end = True

    def __init__(self, session: Session, *arguments: Any) -> None:
        super().__init__(session, *arguments)
        self._session = session
        self._owner = os.getpid()

    def step(self, seconds: float, elements: int = 1, wait: float | None = None, begins: bool = False) -> None:
        if not self.done:
            self._guarded(super().step, seconds, elements, wait, begins)

    def begins(self) -> None:
        self._guarded(super().begins)

    def pause(self) -> None:
        self._guarded(super().pause)

    def goes_on_with(self, dataset: Any) -> None:
        if not self.done:
            self._guarded(super().goes_on_with, dataset)

    def end(self) -> None:
        self._guarded(super().end)

    def report(self) -> dict[str, Any]:
        try:
            return super().report()
        except Exception as error:
            self.give_up(f"its trace could not be read: {_sentence(error)}")
            self._trace = None
            return super().report()

    def _guarded(self, do: Callable[..., None], *arguments: Any) -> None:
        if os.getpid() != self._owner:
            # A fork: nobody asks it.
            self.done = True
            return
        began = time.perf_counter()
        try:
            do(*arguments)
        except Exception as error:
            self.give_up(f"it could not be observed: {_sentence(error)}")
        self._session.own_s += time.perf_counter() - began


class Consumption(Interception):
    """Watches what the thread consumes that began it, in this process, until it is over."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session

    def prepare(self) -> None:
        """To drain, without anything patched."""
        self._iter = importlib.import_module("tensorflow.python.data.ops.dataset_ops").DatasetV2.__iter__
        self._next = importlib.import_module("tensorflow.python.data.ops.iterator_ops").OwnedIterator.__next__
        self._context = importlib.import_module("tensorflow.python.eager.context")

    def _watches_now(self) -> bool:
        return self._session.is_on and super()._watches_now()

    def _in_graph(self, dataset: Any) -> FromBeside | None:
        return super()._in_graph(dataset) if self._session.is_on else None

    def _watch(self, dataset: Any, consumer: str) -> Watch | None:
        return self._session.watch(dataset, consumer, places.user_frames())

    @property
    def watches(self) -> list[Watch]:
        return list(self._session.watches.values())


class Beside(FromBeside):
    """It gives up where the profiler is taken, and does not go on for ever."""

    def run(self) -> None:
        until = threading.Timer(TRIES * self._run.job["seconds"], self._cancel.set)
        until.daemon = True
        until.start()
        with contextlib.suppress(Exception):
            super().run()
        until.cancel()


class Session(Run):
    """A run of which nothing is asked but to observe: it is never ended, nothing waits in it, and its code goes on."""

    holds = False

    def __init__(self, seconds: float, step_ms: float = 0.0) -> None:
        self.job: dict[str, Any] = {"pace": seconds, "seconds": seconds, "step_ms": step_ms}
        self.problem = ""
        self.has_begun = False
        self.watches: dict[Any, Watching] = {}
        self.reports: list[dict[str, Any]] = []
        self.own_s = 0.0
        """What observing took of the time of the thread that consumes."""
        self.wall_s = 0.0
        self.commands: Any = None
        self.wire: Any = None
        self.recorder: Recorder
        self.tracer: Tracer
        self._adopting: Adopting
        self._sharing: Sharing | None = None
        self.interception: Consumption
        self._beside: Beside | None = None
        self._owner = os.getpid()
        self._patches: Patches | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._began = 0.0

    # ── its beginning and its end ───────────────────────────────────────────────────────────────────────────────────

    def begin(self, *, patching: bool = True) -> None:
        """Patch what is to be watched; without `patching` no more than what a trace needs. `problem` if it cannot."""
        global _current
        began = time.perf_counter()
        with _lock:
            if _current is not None and _current.is_on:
                self.problem = "another observation is already active in this process"
                return
            _current = self
        try:
            self._begin(patching)
        except Exception as error:
            reason = error.args[0] if isinstance(error, Unsupported) and error.args else _sentence(error)
            self.problem = f"this TensorFlow cannot be observed: {reason}"
            self.end()
            return
        self.has_begun = True
        self._began = time.perf_counter()
        self.own_s += self._began - began

    def _begin(self, patching: bool) -> None:
        global _recorder
        if _UNDER_VERIFY in sys.modules:
            raise Unsupported("the code runs under --verify, which already observes it")
        importlib.import_module("tensorflow")
        if not any(name in sys.modules for name in _KERAS):
            # Its `fit` is to be patched before the code imports it.
            with contextlib.suppress(Exception):
                importlib.import_module("keras")
        keras = [module for name in _KERAS if hasattr(module := sys.modules.get(name), "Model")]
        self._patches = Patches(keras)
        self._folder = tempfile.TemporaryDirectory(prefix="tfdata-lint-", ignore_cleanup_errors=True)
        if _recorder is None:
            _recorder = Adopting(_is_inside)
        self.recorder = self._adopting = _recorder
        try:
            self.tracer = self._sharing = Sharing(self._folder.name)
            self.interception = Consumption(self)
            self.interception.prepare()
            if patching:
                self.recorder.install()
                self.interception.install()
                for one in keras:
                    self.interception.install_keras(one)
        finally:
            self._patches.made()

    def end(self) -> None:
        """Put everything back, and read what was traced. A fork only puts back."""
        global _current
        began = time.perf_counter()
        self.wall_s = began - self._began if self._began else 0.0
        if self._beside:
            self._beside.cancel()
        if self.is_ours:
            for watch in self.watches.values():
                watch.end()
            if self._sharing:
                self._sharing.end()
        if self._patches:
            self._patches.undo()
            self._patches = None
        with _lock:
            if _current is self:
                _current = None
        if not self.is_ours:
            if self._folder:
                # It is that of the process which we are a fork of.
                self._folder._finalizer.detach()  # type: ignore[attr-defined]
            return
        self.reports += [watch.report() for watch in self.watches.values() if watch.elements]
        if self._folder:
            self._folder.cleanup()
        took = time.perf_counter() - began
        self.own_s += took
        # Reading what was traced takes its time after the last step.
        self.wall_s += took if self._began else 0.0

    @property
    def is_ours(self) -> bool:
        """This is the process that began it, and no fork."""
        return os.getpid() == self._owner

    @property
    def is_on(self) -> bool:
        return self._patches is not None and self.is_ours

    @property
    def is_done(self) -> bool:
        """Was everything observed that began?"""
        return bool(self.watches) and all(watch.done for watch in self.watches.values())

    def rows(self) -> list[dict[str, Any]]:
        """The stages of what was reported."""
        numbers = dict.fromkeys(number for report in self.reports for number in report["stages"])
        return self._adopting.rows(list(numbers)) if numbers else []

    # ── what is observed ────────────────────────────────────────────────────────────────────────────────────────────

    def watch(self, dataset: Any, consumer: str, frames: list[dict[str, Any]]) -> Watching | None:
        """The watch of this place; an epoch later it goes on. None if it cannot be watched."""
        key = consumer, *((frame["file"], frame["row"]) for frame in frames)
        began = time.perf_counter()
        try:
            watch = self.watches.get(key)
            if watch is not None:
                watch.goes_on_with(dataset)
            elif len(self.watches) < MOST:
                # Before it has a number: it may have been made long ago.
                watch = self.watches[key] = Watching(self, dataset, consumer, frames, len(self.watches))
        except Exception as error:
            self.problem = f"a pipeline could not be observed: {_sentence(error)}"
            return None
        self.own_s += time.perf_counter() - began
        return watch

    def reached(self, consumer: str, dataset: Any) -> int:
        return len(self.watches)

    def observe_from_beside(self, dataset: Any, frames: list[dict[str, Any]]) -> FromBeside | None:
        if not self.is_on or (self._sharing and self._sharing.is_running):
            return None
        if self._beside is None or (self._beside.cancelled and not self.reports):
            self._beside = Beside(self, dataset, frames, 0)
            self._beside.start()
        return self._beside

    def tell_pipeline(self, report: dict[str, Any]) -> None:
        self.reports.append(report)

    def export(self, space: Any) -> str:
        return ""

    def leave(self, reason: str = "", detail: str = "", place: dict[str, Any] | None = None) -> Any:
        raise RuntimeError(detail or reason)


def environment() -> dict[str, Any]:
    """Where this process runs, as `verify.model.Environment` has it."""
    tensorflow = importlib.import_module("tensorflow")
    try:
        keras = importlib.metadata.version("keras")
    except importlib.metadata.PackageNotFoundError:
        keras = ""
    return {
        "python": platform.python_version(),
        "tensorflow": tensorflow.__version__,
        "keras": keras,
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        "gpus": [gpu.name for gpu in tensorflow.config.list_physical_devices("GPU")],
        "platform": f"{platform.system()}-{platform.machine()}",
    }


def _is_inside() -> bool:
    return _current is None or _current.interception.is_inside


def _sentence(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0][:300]
