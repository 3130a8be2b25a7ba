"""Every way of consuming a dataset: loops, `fit` and its kin, loops inside a tf.function."""

from __future__ import annotations

import importlib
import inspect
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

from . import places
from .run import Run
from .watch import FromBeside, Watch, drop

#: Arguments of a call of Keras that is repeated: nothing but training, for long.
_AGAIN = {"epochs": 1_000_000, "validation_data": None, "verbose": 0}
_WATCH = "_tfdata_lint_watch"
_LAST = "_tfdata_lint_last"
_MADE_S = "_tfdata_lint_made_s"
#: AutoGraph makes `for x in ds` a `ds.scan(body).reduce(…)` here.
_LOOPS_OF_AUTOGRAPH = ("data/ops/dataset_autograph.py", "autograph/operators/control_flow.py")


class Interception:
    """Watches what the main thread consumes."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._watches: dict[Any, Watch] = {}
        self._main = threading.get_ident()
        # Inside a call of ours or of Keras: what is consumed there is not the code's own consumption.
        self._inside = 0
        self._calls: dict[Watch, Callable[..., Any]] = {}
        """What consumes by calls of Keras, to be called again."""
        self._left: tuple[Watch, tuple[float, float, bool]] | None = None
        """Where the last element came from, if it was the first of an iterator: `next(iter(dataset))` in a loop."""
        self._dataset: Any = None
        self._iter: Any = None
        self._next: Any = None

    @property
    def watches(self) -> list[Watch]:
        return list(self._watches.values())

    def install(self) -> None:
        ops = importlib.import_module("tensorflow.python.data.ops.dataset_ops")
        iterators = importlib.import_module("tensorflow.python.data.ops.iterator_ops")
        self._dataset = ops.DatasetV2
        self._iter = ops.DatasetV2.__iter__
        self._context = importlib.import_module("tensorflow.python.eager.context")
        self._patch_iter(ops.DatasetV2)
        self._patch_next(iterators.OwnedIterator)
        self._patch_reduce(ops.DatasetV2)
        self._patch_distributed(importlib.import_module("tensorflow.python.distribute.input_lib"))

    def install_keras(self, keras: Any) -> None:
        for method, kind in (("fit", "train"), ("evaluate", "test"), ("predict", "predict")):
            self._patch_keras(keras, method, kind)

    @property
    def is_inside(self) -> bool:
        return self._inside > 0

    @contextmanager
    def paused(self) -> Iterator[None]:
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1

    def drain(self, watch: Watch) -> None:
        """Consume as fast as it goes, or in steps of `--step-ms`, over and over until it is observed."""
        step_s = self._run.job["step_ms"] / 1e3
        watch.drained(step_s * 1e3)
        count = 1
        with self.paused():
            while count and not watch.done:
                count = self._drain_once(watch, step_s)

    def repeat(self, watch: Watch) -> bool:
        """Have Keras do again what it did, until it is observed; False if it does nothing now, or fails."""
        call = self._calls.get(watch)
        if call is None or self._inside:
            return False
        watch.repeats()
        with suppress(Exception):
            while not watch.done:
                call()
        return watch.done

    def _drain_once(self, watch: Watch, step_s: float) -> int:
        iterators = [self._iter(watch.dataset)]
        count = 0
        while not watch.done:
            try:
                self._timed(watch, iterators[0])
            except StopIteration:
                break
            count += 1
            if step_s:
                time.sleep(step_s)
        drop(iterators)
        return count

    # ── loops ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _patch_iter(self, dataset_class: Any) -> None:
        def iterate(dataset: Any) -> Any:
            began = time.perf_counter()
            iterator = self._iter(dataset)
            if self._watches_now():
                iterator.__dict__[_MADE_S] = time.perf_counter() - began
                setattr(iterator, _WATCH, self._watch(dataset, "for"))
            return iterator

        dataset_class.__iter__ = iterate

    def _patch_next(self, iterator_class: Any) -> None:
        original = self._next = iterator_class.__next__

        def following(iterator: Any) -> Any:
            if not self._context.executing_eagerly():
                self._in_graph(None)
                return original(iterator)
            watch = iterator.__dict__.get(_WATCH)
            if watch is None or watch.done:
                return original(iterator)
            return self._following(watch, iterator, original)

        iterator_class.__next__ = following

    def _following(self, watch: Watch, iterator: Any, original: Any) -> Any:
        """`next` of the code's own loop."""
        watch.taken_at(places.user_frames)
        try:
            return self._timed(watch, iterator, original)
        finally:
            if watch.done:
                self._run.observed(watch)

    def _timed(self, watch: Watch, iterator: Any, original: Any = None) -> Any:
        """The next element; the step of the one before has ended with the request for it."""
        asked = time.perf_counter()
        last, made_s = iterator.__dict__.get(_LAST), 0.0
        is_first = last is None
        if is_first and self._left and self._left[0] is watch:
            last, made_s = self._left[1], iterator.__dict__.get(_MADE_S, 0.0)
        if last:
            watch.step(asked - made_s - last[0], wait=last[1], begins=last[2])
            # Ending a trace takes time that is nobody's.
            asked = time.perf_counter()
        if is_first:
            watch.begins()
            asked = time.perf_counter()
        self._left = None
        try:
            with self.paused():
                element = (original or self._next)(iterator)
        except StopIteration:
            watch.pause()
            raise
        taken = asked - made_s, time.perf_counter() - asked + made_s, is_first
        iterator.__dict__[_LAST] = taken
        self._left = (watch, taken) if is_first else None
        return element

    def _patch_distributed(self, input_lib: Any) -> None:
        distributed = input_lib.DistributedDataset
        iterators = input_lib.DistributedIteratorBase
        make, iterate, following = distributed.__init__, distributed.__iter__, iterators.__next__
        parameters = inspect.signature(make)

        def init(this: Any, *arguments: Any, **keywords: Any) -> None:
            with self.paused():
                make(this, *arguments, **keywords)
            this._tfdata_lint_dataset = parameters.bind(this, *arguments, **keywords).arguments.get("dataset")

        def watched_iter(this: Any) -> Any:
            dataset = this.__dict__.get("_tfdata_lint_dataset")
            if dataset is None:
                # It was made before anybody listened. So TensorFlow keeps it.
                dataset = this.__dict__.get("_original_dataset")
            watch = self._watch(dataset, "distribute") if dataset is not None and self._watches_now() else None
            with self.paused():
                iterator = iterate(this)
            if watch:
                iterator.__dict__[_WATCH] = watch
            return iterator

        def watched_next(iterator: Any) -> Any:
            watch = iterator.__dict__.get(_WATCH)
            if watch is None or watch.done or not self._context.executing_eagerly():
                return following(iterator)
            return self._following(watch, iterator, following)

        distributed.__init__, distributed.__iter__, iterators.__next__ = init, watched_iter, watched_next

    # ── tf.function ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _patch_reduce(self, dataset_class: Any) -> None:
        original = dataset_class.reduce

        def reduce(dataset: Any, *arguments: Any, **keywords: Any) -> Any:
            if self._inside or threading.get_ident() != self._main:
                return original(dataset, *arguments, **keywords)
            looped = sys._getframe(1).f_code.co_filename.replace("\\", "/").endswith(_LOOPS_OF_AUTOGRAPH)
            observer = self._in_graph(_before_the_loop(dataset) if looped else dataset)
            with self.paused():
                result = original(dataset, *arguments, **keywords)
            if observer and self._context.executing_eagerly():
                observer.cancel()
            return result

        dataset_class.reduce = reduce

    def _in_graph(self, dataset: Any) -> FromBeside | None:
        """The runtime will consume by itself; only a trace from beside can tell. None: whichever it is."""
        if self._inside or threading.get_ident() != self._main:
            return None
        if dataset is not None:
            dataset = self._run.recorder.eager(dataset)
        observer: FromBeside | None = self._run.observe_from_beside(dataset, places.user_frames())
        return observer

    # ── Keras ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _patch_keras(self, keras: Any, method: str, kind: str) -> None:
        original = getattr(keras.Model, method)
        signature = inspect.signature(original)

        def consume(this: Any, *arguments: Any, **keywords: Any) -> Any:
            bound = signature.bind(this, *arguments, **keywords)
            dataset = self._dataset_in(bound.arguments.get("x"))
            self._left = None
            if dataset is None or not self._watches_now():
                return original(this, *arguments, **keywords)
            watch = self._watch(dataset, method)
            if watch is None:
                return original(this, *arguments, **keywords)

            def again() -> None:
                bound.arguments.update({name: value for name, value in _AGAIN.items() if name in signature.parameters})
                bound.arguments["callbacks"] = [_callback(self._run, keras, watch, kind, _stop)]
                with self.paused(), suppress(_Enough):
                    original(*bound.args, **bound.kwargs)

            self._calls[watch] = again
            callback = _callback(self._run, keras, watch, kind, self._run.observed)
            bound.arguments["callbacks"] = _with(callback, bound.arguments.get("callbacks"))
            with self.paused():
                return original(*bound.args, **bound.kwargs)

        setattr(keras.Model, method, consume)

    def _dataset_in(self, x: Any) -> Any:
        dataset = getattr(x, "_tfdata_lint_dataset", getattr(x, "_original_dataset", x))
        return dataset if isinstance(dataset, self._dataset) else None

    # ── shared ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _watches_now(self) -> bool:
        return not self._inside and threading.get_ident() == self._main and self._context.executing_eagerly()

    def _watch(self, dataset: Any, consumer: str) -> Watch | None:
        """The watch of this place; an epoch later it goes on. None while the run only looks for where to hold."""
        frames = places.user_frames()
        key = consumer, *((frame["file"], frame["row"]) for frame in frames)
        watch = self._watches.get(key)
        if watch is None:
            number = self._run.reached(consumer, dataset)
            if self._run.holds:
                return None
            watch = self._watches[key] = Watch(self._run, dataset, consumer, frames, number)
            self._run.observing(watch)
        else:
            watch.goes_on_with(dataset)
            self._run.consumed(dataset)
        return watch


def _before_the_loop(dataset: Any) -> Any:
    """The dataset that is looped over: AutoGraph has put a scan behind it, and a take_while if the loop has a break."""
    while type(dataset).__name__.strip("_") in ("TakeWhileDataset", "ScanDataset"):
        scan = type(dataset).__name__.strip("_") == "ScanDataset"
        (dataset,) = dataset._inputs()
        if scan:
            break
    return dataset


def _with(callback: Any, callbacks: Any) -> Any:
    """Our callback besides those that are given, in whichever way."""
    if hasattr(callbacks, "append") and not isinstance(callbacks, list):
        callbacks.append(callback)
        return callbacks
    given = callbacks if isinstance(callbacks, (list, tuple)) else [callbacks] if callbacks else []
    return [*given, callback]


class _Enough(BaseException):
    """It is observed: Keras need not go on."""


def _stop() -> NoReturn:
    raise _Enough


def _callback(run: Run, keras: Any, watch: Watch, kind: str, stop: Callable[[], None]) -> Any:
    """The step that a batch begins with ends with the next batch. Once that is observed it is to `stop`."""
    base: Any = keras.callbacks.Callback

    class Steps(base):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self._begun: float | None = None
            self._batch = 0
            self._marker: Any = None

        def begin(self, batch: int, logs: Any = None) -> None:
            self._end_marker()
            now = time.perf_counter()
            if self._begun is not None and batch > self._batch:
                watch.step(now - self._begun, batch - self._batch, begins=self._batch == 0)
                self.stop_if_done()
                now = time.perf_counter()
            self._begun, self._batch = now, batch
            if watch.is_tracing:
                self._marker = run.step_marker(batch)

        def _end_marker(self) -> None:
            if self._marker:
                self._marker.__exit__(None, None, None)
                self._marker = None

        def stop_if_done(self) -> None:
            if watch.done:
                stop()

        def pass_ended(self, *_: Any) -> None:
            self._end_marker()
            self._begun = None
            watch.pause()
            self.stop_if_done()

    setattr(Steps, f"on_{kind}_batch_begin", Steps.begin)
    setattr(Steps, "on_epoch_begin" if kind == "train" else f"on_{kind}_begin", lambda *_, **__: watch.begins())
    # An epoch of training ends with its validation, before Keras says so.
    for moment in ("on_test_begin", "on_epoch_end") if kind == "train" else (f"on_{kind}_end",):
        setattr(Steps, moment, Steps.pass_ended)
    return Steps()
