"""One run: set the stage, execute the target, observe what it consumes, tell it all, and leave."""

from __future__ import annotations

import builtins
import errno
import importlib
import importlib.util
import json
import math
import os
import platform
import re
import sys
import threading
import time
import traceback
import types
from collections import Counter
from contextlib import suppress
from importlib import metadata
from typing import Any, NoReturn

from . import export, isolation, places
from .changes import Changes
from .commands import Commands, end_with
from .consume import Interception
from .imports import Listener
from .notebook import Shell
from .overlay import Overlay
from .recorder import Recorder, Unsupported
from .run import Run
from .serve import seed, serve
from .tracer import Tracer
from .warm import Imported
from .watch import FromBeside, Watch
from .wire import Wire

#: For importing TensorFlow, which is not the user's fault.
IMPORT_S = 120.0
#: Datasets that were made but not consumed are drained after all: so many of them.
MOST_WAITING = 6
LISTENED = ("tensorflow", "keras", "tf_keras", "tensorflow_datasets")
#: What a code that trains has.
_TRAINING = re.compile(rb"\.fit\(|\btrain_on_batch\(|\bGradientTape\b|\b(?:value_and_)?grad\(")
STOPPED = "the time limit (--verify-budget) was reached"
#: So many elements are a look, not a pass.
PEEK = 5

_DATA_ERRORS = frozenset(
    ("FileNotFoundError", "NotFoundError", "URLError", "HTTPError", "ConnectionError", "gaierror", "DownloadError",
     "DatasetNotFoundError", "MissingFileError", "NonMatchingChecksumError")
)  # fmt: skip


def main(path: str, commands: int, lifeline: int, imported: Imported | None = None) -> None:
    """Do the job of this file. Commands come from a descriptor; its end is ours too, and so is that of the lifeline.

    What a parent has `imported` is there already.
    """
    end_with(lifeline)
    with open(path, encoding="utf-8") as file:
        job = json.load(file)
    # First of all: a thread that runs already would stay outside.
    network, copied = isolation.isolate(job["network"], job["folder"], job["copies"])
    session = Session(job, Commands(commands))
    session.wire.tell("start", network=network)
    if job["copies"] and not copied:
        # It was promised that nothing stays.
        session.leave("unsupported", "the system cannot copy folders for this interpreter")
    if not job["hold"]:
        session.changes.install()
    session.prepare(imported)
    session.execute()


class Session(Run):
    def __init__(self, job: dict[str, Any], commands: Commands) -> None:
        self.job = job
        self.commands = commands
        self.wire = Wire(job["results"])
        self.recorder = Recorder(lambda: self.interception.is_inside)
        self.tracer: Tracer
        self.interception: Interception = Interception(self)
        self.overlay = Overlay(job["texts"])
        self.changes = Changes(job["folder"])
        self._main = threading.get_ident()
        self._phase = "start"
        self._until = time.monotonic() + IMPORT_S
        self._ends = time.monotonic() + (job.get("budget") or math.inf)
        self._observer: FromBeside | None = None
        self._leaving = threading.Lock()
        self._exported = 0
        self._imports = 0
        self._reported: list[Watch] = []
        self._drained: list[Watch] = []
        self._passed: list[Watch] = []
        self._reached: Counter[str] = Counter()
        self._roots: set[int] = set()
        self._left = ""
        """Why the code went on although a pipeline was observed, in words."""

    # ── what happens in turn ────────────────────────────────────────────────────────────────────────────────────────

    def prepare(self, imported: Imported | None) -> None:
        self.phase("the code runs", self.job["seconds"])
        # Forks of the code go their own way.
        os.register_at_fork(after_in_child=self.interception.paused().__enter__)
        threading.Thread(target=self._watch_the_clock, daemon=True).start()
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
        # A window would wait for somebody to close it.
        os.environ.setdefault("MPLBACKEND", "Agg")
        self.overlay.install()
        if imported:
            imported.install(lambda read: self.leave("cold", json.dumps(read)))
        Listener(self._importing, self._imported, LISTENED).install()

    def _importing(self, name: str) -> None:
        # Keras imports TensorFlow, or the other way round.
        self._imports += 1
        self.phase(f"{name} is imported", IMPORT_S)

    def _imported(self, name: str, module: types.ModuleType | None) -> None:
        if name == "tensorflow" and module:
            self._set_up(module)
        elif name in ("keras", "tf_keras") and module:
            self.interception.install_keras(module)
        self._imports -= 1
        if not self._imports:
            self.phase("the code runs", self.job["seconds"])

    def _set_up(self, tensorflow: Any) -> None:
        self.wire.tell("environment", **_environment(tensorflow))
        try:
            # What a kill leaves behind goes with the rest of the run.
            self.tracer = Tracer(os.path.dirname(self.job["results"]))
            self.recorder.install()
            self.interception.install()
        except Unsupported as error:
            self.leave("unsupported", str(error))
        if self.job["seed"] is not None:
            seed(self.job["seed"])

    def execute(self) -> NoReturn:
        target = self.job["target"]
        self.phase("the code runs", self.job["seconds"])
        try:
            if target["kind"] == "function":
                self._call(target)
            else:
                self._run_file(target)
        except SystemExit as error:
            if error.code not in (None, 0):
                self.leave("user-error", f"it exited with {error.code!r}", places.place_of_error(error))
        except BaseException as error:
            self.leave(*_blame(error))
        self._finish()

    def phase(self, name: str, seconds: float) -> None:
        self._phase = name
        self._until = time.monotonic() + seconds
        self.wire.tell("phase", name=name, seconds=seconds)

    @property
    def holds(self) -> bool:
        """Is this a run to answer questions, and not to observe?"""
        return bool(self.job["hold"])

    def reached(self, consumer: str, dataset: Any) -> int:
        """A pipeline is about to be consumed: which of its kind it is. This may be where the run is to be held."""
        number = self._reached[consumer]
        self._reached[consumer] += 1
        if dataset is not None:
            self.consumed(dataset)
        if self.job["hold"] == [consumer, number]:
            if dataset is None:
                self.leave("unsupported", "it is unknown which dataset the tf.function iterates over")
            # Out of the graph too, if a tf.function is being traced.
            with self.interception.paused(), importlib.import_module("tensorflow").init_scope():
                serve(self, dataset)
        if self.job["stop_at"] == [consumer, number]:
            self._finish()
        return number

    def consumed(self, dataset: Any) -> None:
        """This one does not wait any more."""
        self._roots.add(self.recorder.number(dataset))

    def observing(self, watch: Watch) -> None:
        """A pipeline begins to be consumed."""
        self.phase(f"a pipeline is consumed ({watch.consumer})", self.job["seconds"])

    def passed(self, watch: Watch) -> None:
        """The code has consumed everything. It gets its time again, but only once for each place."""
        if watch not in self._passed:
            self._passed.append(watch)
            self.phase("the code runs", self.job["seconds"])

    def observed(self, watch: Watch | None = None) -> None:
        """One pipeline outlasted its observation: the code has shown what it does, and goes no further.

        Unless that was a loop which only counts, before a training.
        """
        if watch is None or self._left or not watch.only_waits or not self._trains():
            self._finish()
        self._left = f"the loop at line {watch.frames[0]['row'] if watch.frames else 0} does nothing with its elements"
        self._tell(watch)
        self.phase("the code runs on to its training", self.job["seconds"])

    def _trains(self) -> bool:
        return _TRAINING.search(self.overlay.read(os.path.abspath(self.job["target"]["path"]))) is not None

    def observed_beside(self) -> NoReturn:
        """The code has shown what it does, and goes no further."""
        self.leave()

    def observe_from_beside(self, dataset: Any, frames: list[dict[str, Any]]) -> FromBeside | None:
        if self._observer is None or self._observer.cancelled:
            number = self.reached("graph", dataset)
            self.phase("a pipeline is consumed (graph)", self.job["seconds"])
            self._observer = FromBeside(self, dataset, frames, number)
            if self.holds:
                return None
            self._observer.start()
        return self._observer

    def tell_pipeline(self, report: dict[str, Any]) -> None:
        self.wire.tell("stages", stages=self.recorder.news())
        self.wire.tell("pipeline", **report)

    def export(self, space: Any) -> str:
        """The trace for the eyes, if it is wanted: the path without its ending."""
        if not self.job["traces"]:
            return ""
        self._exported += 1
        path = os.path.join(self.job["traces"], str(self._exported))
        export.export(space, path + ".json")
        with open(path + ".xplane.pb", "wb") as file:
            file.write(space.data)
        return path

    def leave(self, reason: str = "", detail: str = "", place: dict[str, Any] | None = None) -> NoReturn:
        """Tell the end and go at once: neither the code's `finally` nor its exit handlers are wanted any more."""
        self._leaving.acquire()
        for watch in (*self.interception.watches, *self._drained):
            # An iterator may be made and handed to a tf.function; what is consumed there is told by itself.
            if watch.elements or reason:
                self._tell(watch)
        self.wire.tell("stages", stages=self.recorder.news())
        self._tell_changes()
        isolation.end_children()
        profiled = hasattr(self, "tracer") and self.tracer.is_wanted
        self.wire.tell("end", reason=reason, detail=detail, place=place, profiled=profiled)
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(0)

    # ── the target ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _run_file(self, target: dict[str, Any]) -> None:
        path = os.path.abspath(target["path"])
        sys.argv = [path if target["module"] else target["shown"], *target["arguments"]]
        module = types.ModuleType("__main__")
        module.__dict__.update(__file__=path, __builtins__=builtins)
        sys.modules["__main__"] = module
        if target["module"]:
            folder = path
            for _ in target["module"].split("."):
                folder = os.path.dirname(folder)
            sys.path[:0] = dict.fromkeys((os.getcwd(), folder))
            # That imports its package.
            module.__spec__ = importlib.util.find_spec(target["module"])
            module.__package__ = target["module"].rpartition(".")[0]
        else:
            sys.path.insert(0, os.path.dirname(path))
        if target["kind"] == "notebook":
            vars(module)["display"] = print
        text = self.overlay.read(path)
        if b"get_ipython" in text:
            vars(module)["get_ipython"] = lambda: Shell(vars(module))
        exec(compile(text, path, "exec"), vars(module))

    def _call(self, target: dict[str, Any]) -> None:
        folder, name = _package(os.path.abspath(target["path"]))
        sys.path[:0] = [folder, os.getcwd()]
        function: Any = importlib.import_module(name)
        for part in target["function"].split("."):
            function = getattr(function, part)
        returned = function(**target["keywords"])
        tensorflow = sys.modules.get("tensorflow")
        if tensorflow is None:
            return
        for dataset in tensorflow.nest.flatten(returned) if returned is not None else ():
            if isinstance(dataset, tensorflow.data.Dataset):
                self._drain(self._new_watch(dataset, "returned"))

    # ── the end ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _finish(self) -> NoReturn:
        """Observe what was made but not consumed, or not long enough, then leave."""
        unfinished = []
        for watch in self.interception.watches:
            if watch.done:
                self._tell(watch)
            else:
                unfinished.append(watch)
        if any(watch.done for watch in self._reported):
            # Somebody has had a look at a few elements; that is not what takes the time.
            unfinished = [watch for watch in unfinished if watch.elements > PEEK]
        if self._observer:
            self._observer.cancel()
            if self._observer.dataset is not None:
                unfinished.append(self._new_watch(self._observer.dataset, "graph"))
        made = [self.recorder.datasets.get(number) for number in self.recorder.ends() if number not in self._roots]
        unfinished += [self._new_watch(dataset, "waiting") for dataset in made if dataset is not None]
        for watch in unfinished[:MOST_WAITING]:
            self._drain(watch)
        self.leave()

    def _new_watch(self, dataset: Any, consumer: str) -> Watch:
        number = self.reached(consumer, dataset)
        return Watch(self, dataset, consumer, self.recorder.frames(self.recorder.number(dataset)), number)

    def _drain(self, watch: Watch) -> None:
        self.phase(f"a pipeline is consumed ({watch.consumer})", self.job["seconds"])
        self._drained.append(watch)
        if not self.interception.repeat(watch):
            self.interception.drain(watch)
        self._tell(watch)

    def _tell(self, watch: Watch) -> None:
        if watch not in self._reported:
            self._reported.append(watch)
            self.tell_pipeline(watch.report())

    def _tell_changes(self) -> None:
        if news := self.changes.news():
            self.wire.tell("changes", **news)

    def _watch_the_clock(self) -> None:
        told = 0.0
        while time.monotonic() < self._until:
            time.sleep(0.05)
            if time.monotonic() > self._ends:
                self._end_at_once()
            if time.monotonic() - told > 1:
                told = time.monotonic()
                self._tell_changes()
        if self._left and self._reported_or_done:
            self.leave("", f"{self._left}, and its training was not reached in {self.job['seconds']:g} s")
        self.leave("timeout", self._phase, places.frame_of(self._main))

    def _end_at_once(self) -> NoReturn:
        """The time for all is nearly over: what was measured by now is told, also of a trace that is not complete."""
        for watch in self.interception.watches:
            with suppress(Exception):
                if watch.is_tracing:
                    watch.end()
        self.leave("budget", STOPPED)

    @property
    def _reported_or_done(self) -> bool:
        return not any(watch.elements and not watch.done for watch in self.interception.watches)


def _blame(error: BaseException) -> tuple[str, str, dict[str, Any] | None]:
    if isinstance(error, ModuleNotFoundError) and error.name == "tensorflow":
        return "no-interpreter", f"{sys.executable} has no TensorFlow", None
    detail = "".join(traceback.format_exception_only(type(error), error)).strip()[:1000]
    place = places.place_of_error(error)
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    kinds = {base.__name__ for cause in causes for base in type(cause).__mro__}
    unreachable = any(isinstance(cause, OSError) and cause.errno == errno.ENETUNREACH for cause in causes)
    return "needs-data" if unreachable or kinds & _DATA_ERRORS else "user-error", detail, place


def _package(path: str) -> tuple[str, str]:
    """The folder to import a file from, and the name that it has there."""
    folder, name = os.path.dirname(path), os.path.splitext(os.path.basename(path))[0]
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        name = f"{package}.{name}"
    return folder, name


def _environment(tensorflow: Any) -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "tensorflow": tensorflow.__version__,
        "keras": _version("keras"),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        "gpus": [gpu.name for gpu in tensorflow.config.list_physical_devices("GPU")],
        "platform": platform.platform(),
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
