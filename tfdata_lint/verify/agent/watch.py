"""Observing one pipeline while it is consumed: warm up, measure untraced, trace, in steps of its consumer."""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from . import accelerators, trace
from .passes import Passes
from .run import Run

#: The last three windows must agree this well before measuring begins.
AGREEMENT = 0.10
WINDOWS = 5
FEWEST_TRACED = 6
#: Where passes are short, one of them has to do after so many others.
MOST_CUT_TRACES = 3
#: Such passes are traced from their beginning.
SHORT_PASS_S = 5.0
#: A short trace tells how long a long one may be.
PROBE_S = 0.05
MOST_EVENTS = 150_000
#: Reading a trace is our own time, not the code's.
READING_S = 60.0
#: A step of training takes longer.
COUNTING_S = 2e-4
#: What may end at any time is traced once after so many steps, for so long.
EARLY_STEPS, EARLY_S = 10, 0.2
PROFILER_S = 10.0


class Pace:
    """How long things take, all from the seconds that are planned for a pipeline; the later since its beginning.

    Where steps are so slow that too few are traced by then, it may take as long as it is allowed to.
    """

    def __init__(self, seconds: float, allowed: float) -> None:
        self.window = min(0.5, seconds / 40)
        self.trace = min(1.0, seconds / 5)
        self.warm_until = min(5.0, 0.3 * seconds)
        self.measured_until = 0.55 * seconds
        self.traced_until = 0.8 * max(seconds, allowed)


class Watch:
    """One pipeline and its consumer. `step` is called once per element or batch of elements that was consumed."""

    #: Nobody makes it go on: what is seen early has to do if it ends.
    may_end = False

    def __init__(self, run: Run, dataset: Any, consumer: str, frames: list[dict[str, Any]], number: int) -> None:
        self._run = run
        self._number = number
        self._pace = Pace(run.job["pace"], run.job["seconds"])
        self.dataset = dataset
        self.root = run.recorder.number(dataset)
        self.consumer = consumer
        self.frames = frames
        self._taken_at: dict[tuple[str, int], dict[str, Any]] = {}
        self.done = False
        self._phase = "first"
        self._elements = 0
        self._began = time.perf_counter()
        self._first_s = 0.0
        self._settled = False
        self._open = [0.0, 0]
        self._windows: list[tuple[float, int]] = []
        self._steps: list[float] = []
        self._passes = Passes()
        self._whole_passes = 0
        self._waits: list[float] = []
        self._early: list[tuple[float, float]] = []
        self._drained = self._repeats = False
        self._taken: int | None = None
        self._traced = 0
        self._trace_s = PROBE_S
        self._cut_traces = self._early_tries = 0
        self._pass_began = self._pass_s = 0.0
        self._is_whole = self._is_next = False
        """A trace began with its pass, or the next one is to."""
        self._processor_s = self._wall = 0.0
        self._cores: float | None = None
        self._trace: tuple[Any, float, dict[str, Any]] | None = None
        self._spare: tuple[Any, float, dict[str, Any]] | None = None
        """A short trace, until there is a better one."""
        self._reading: dict[str, Any] = {}
        self._problem = ""
        self._step_source = {"for": "loop", "distribute": "loop"}.get(consumer, consumer)

    @property
    def elements(self) -> int:
        return self._elements

    @property
    def only_waits(self) -> bool:
        """Its consumer does hardly anything with what it takes: it counts, for example."""
        steps = self._steps if self.consumer == "for" and len(self._waits) == len(self._steps) else []
        return bool(steps) and (sum(steps) - sum(self._waits)) / len(steps) < COUNTING_S

    @property
    def is_tracing(self) -> bool:
        return self._phase in ("trace", "early")

    def taken_at(self, place: Callable[[int], list[dict[str, Any]]]) -> None:
        """Where the code takes elements, as far as the first ones tell: that may not be where it made the iterator."""
        if self._elements < EARLY_STEPS:
            self._taken_at |= {(one["file"], one["row"]): one for one in place(1)}

    def goes_on_with(self, dataset: Any) -> None:
        """The code consumes at the same place again, another dataset perhaps."""
        self.dataset = dataset
        self.root = self._run.recorder.number(dataset)

    def repeats(self) -> None:
        """The code has ended; from now on its consumer does the same again and again."""
        self._repeats = True
        self._taken = self._elements
        self._began = time.perf_counter()

    def drained(self, step_ms: float) -> None:
        """From now on nobody but us consumes, with steps of our own or none."""
        self._drained = True
        self._began = time.perf_counter()
        if step_ms:
            self._step_source = "given"
        else:
            self._make_do()
        if self._elements:
            self._taken = self._elements
            self._passes.end()
            self._problem = "it ended before it was fully observed; the rest was observed by reading it to the end"
            if self._windows and self._phase == "measure":
                self._begin_trace()

    def step(self, seconds: float, elements: int = 1, wait: float | None = None, begins: bool = False) -> None:
        """A step of the consumer has ended; `wait` is the part of it that it waited for the pipeline, if known.

        It `begins` a pass over the dataset.
        """
        self._elements += elements
        if self.done:
            return
        if self._phase == "first":
            self._first_s = wait if wait is not None else seconds
            # Until here a model was built, perhaps: the time for observing begins now.
            self._run.observing(self)
            self._began = time.perf_counter()
            self._enter("warm")
            return
        if self._phase == "warm" and wait is not None and not self._drained:
            self._early.append((seconds / elements, wait))
        if self._phase == "measure" and (not self._drained or self._step_source == "given"):
            self._steps.append(seconds / elements)
            if wait is not None:
                self._waits.append(wait)
        self._passes.step(seconds, elements, begins)
        if self.is_tracing:
            self._passes.drop()
            self._traced += elements
            if self._phase == "early":
                self._end_early_trace()
            else:
                self._end_trace_if_enough()
            return
        tries = MOST_CUT_TRACES if self.may_end and not self._spare else 0
        if self._phase == "warm" and self._early_tries < tries and self._elements > EARLY_STEPS:
            self._begin_early_trace()
            return
        self._open[0] += seconds
        self._open[1] += elements
        if self._open[0] >= self._pace.window:
            self._windows.append((self._open[0], int(self._open[1])))
            self._open = [0.0, 0]
            self._move_on()

    def begins(self) -> None:
        """A pass is about to take its first element. Of the end of one, buffers may be all that was traced."""
        self._pass_began = time.perf_counter()
        if self._is_next and not self.is_tracing and self._pass_s <= SHORT_PASS_S:
            if self._phase == "measure":
                self._begin_trace()
            elif self._phase == "warm" and self.may_end:
                self._begin_early_trace()
            self._is_whole, self._is_next = self.is_tracing, False

    def pause(self) -> None:
        """The pass over the dataset has ended; another one may follow."""
        if self.done:
            return
        self._passes.pause()
        self._pass_s = time.perf_counter() - self._pass_began
        if not self._drained:
            self._whole_passes += not self._repeats
            self._run.passed(self)
        if self._phase == "early":
            self._end_early_trace(at_once=True)
        # A code's next pass comes after who knows what; ours comes at once.
        if self._phase == "trace" and not (self._drained or self._repeats):
            self._end_trace_if_enough(at_once=True)
            # Where that was all to see the code goes no further: no other pass is known to follow.
            self._whole_passes -= self.done

    def end(self) -> None:
        """Nobody consumes any more, and nobody is to: what is known by now has to do."""
        if self.done:
            return
        if self.is_tracing:
            self._keep(self._run.tracer.stop())
        self._trace = self._trace or self._spare
        self._make_do()
        if not self._trace:
            unknown = "it ended before it could be traced: `tfdata_lint.profile(dataset)` reads it and shows its stages"
            self._problem = self._problem or unknown
        self._passes.pause()
        self._finish()

    def give_up(self, problem: str) -> None:
        """Observe no more of it."""
        self._problem = problem
        self._finish()

    def _make_do(self) -> None:
        """With the steps before it was measured, if there are no others: of those the first ones are slower."""
        if not self._steps:
            settled = self._early[len(self._early) // 2 :]
            self._steps, self._waits = [step for step, _ in settled], [wait for _, wait in settled]
            self._step_source = self._step_source if settled else ""

    def _keep(self, space: Any) -> None:
        self._trace = space, self._run.tracer.seconds, self._run.tracer.usage

    def _read(self) -> dict[str, Any]:
        """What was traced. It takes seconds, in which nobody is to wait for us."""
        if self._trace:
            self._reading = reading(self._run, *self._trace, self._run.recorder.stages_of(self.root))
            self._trace = None
        return self._reading

    def report(self) -> dict[str, Any]:
        """What was seen so far."""
        step = statistics.median(self._steps) * 1e3 if self._steps else None
        return {
            "root": self.root,
            "consumer": self.consumer,
            "number": self._number,
            "frames": self.frames,
            "taken_at": list(self._taken_at.values()),
            "stages": self._run.recorder.stages_of(self.root),
            "ended": not self.done,
            "elements": self._elements,
            "taken": self._taken,
            "first_element_s": self._first_s,
            "drained": self._drained and self._step_source != "given",
            "repeated": self._repeats,
            "settled": self._settled,
            "windows": self._windows if self._phase in ("measure", "trace", "done") else [],
            "step_ms": step,
            "step_mean_ms": statistics.fmean(self._steps) * 1e3 if self._steps else None,
            "step_source": self._step_source,
            "waits": {**summary([w * 1e6 for w in self._waits]), "share": _share(self._waits, self._steps)},
            "passes": self._passes.report(),
            "whole_passes": self._whole_passes,
            "cores_used": self._cores,
            "reading": self._read(),
            "problem": self._problem,
        }

    def _move_on(self) -> None:
        spent = time.perf_counter() - self._began
        if self._phase == "warm":
            self._settled = _agree([count / seconds for seconds, count in self._windows[-3:]])
            if self._settled or spent > self._pace.warm_until:
                self._windows.clear()
                self._processor_s, self._wall = _processor_time(), time.perf_counter()
                self._enter("measure")
        elif self._phase == "measure" and (len(self._windows) >= WINDOWS or spent > self._pace.measured_until):
            self._cores = (_processor_time() - self._processor_s) / (time.perf_counter() - self._wall)
            self._begin_trace()

    def _begin_trace(self) -> None:
        # The profiler takes its time to start and stop, which is not the pipeline's.
        self._run.phase("a pipeline is traced", self._run.job["seconds"] / 2 + PROFILER_S)
        try:
            self._run.tracer.start()
        except Exception as error:
            self._problem = f"it could not be traced: {error}"
            self._finish()
            return
        self._traced, self._is_whole = 0, False
        self._enter("trace")

    def _begin_early_trace(self) -> None:
        self._early_tries += 1
        with suppress(Exception):
            self._run.tracer.start()
            self._traced, self._is_whole = 0, False
            self._enter("early")

    def _end_early_trace(self, *, at_once: bool = False) -> None:
        tracer = self._run.tracer
        is_enough = self._traced >= FEWEST_TRACED
        if not at_once and not (is_enough and tracer.running_s >= EARLY_S):
            return
        self._enter("warm")
        self._is_next = not self._is_whole
        with suppress(Exception):
            space = tracer.stop()
            if is_enough:
                self._spare = space, tracer.seconds, tracer.usage

    def _end_trace_if_enough(self, at_once: bool = False) -> None:
        tracer = self._run.tracer
        enough = self._traced >= FEWEST_TRACED and tracer.running_s >= self._trace_s
        late = time.perf_counter() - self._began > self._pace.traced_until
        if not (enough or at_once or late):
            return
        space = tracer.stop()
        is_part = not self._is_whole and self._pass_s <= SHORT_PASS_S
        too_little = (is_part or tracer.seconds < self._pace.trace / 4) and self._cut_traces < MOST_CUT_TRACES
        if at_once and (self._traced < FEWEST_TRACED or too_little):
            self._cut_traces += 1
            self._is_next = True
            if self._traced >= FEWEST_TRACED and (self._is_whole or not self._spare):
                self._spare = space, tracer.seconds, tracer.usage
            self._enter("measure")
            return
        if not at_once and not late and tracer.seconds < self._pace.trace:
            # This was the probe. Where it has caught half of what can be read, it is enough.
            self._trace_s = min(self._pace.trace, MOST_EVENTS / max(1, trace.count(space)) * tracer.seconds)
            if self._trace_s > 2 * tracer.seconds:
                self._begin_trace()
                return
        self._keep(space)
        self._finish()

    def _enter(self, phase: str) -> None:
        self._phase = phase
        self._open = [0.0, 0]

    def _finish(self) -> None:
        self._phase = "done"
        self.done = True


def reading(run: Run, space: Any, seconds: float, usage: dict[str, Any], stages: Sequence[int]) -> dict[str, Any]:
    """A trace of so many seconds as it is reported."""
    run.phase("a trace is read", READING_S)
    return {
        **summed_up(trace.read(space, stages, label=run.recorder.label_in(space)), seconds),
        "devices": accelerators.devices(space, seconds),
        "usage": usage,
        "exported": run.export(space),
    }


def summed_up(read: dict[str, Any], seconds: float) -> dict[str, Any]:
    """What `trace.read` has read of so many seconds, with times summed up."""
    return {
        "nodes": read["nodes"],
        "calls_known": read["calls_known"],
        "last": read["last"],
        "timeline": read["timeline"],
        "seconds": seconds,
        "waits": summary(read["waits_us"]),
        "steps": summary(read["steps_us"]),
        "ends": summary(read["ends_us"]),
    }


def drop(references: list[Any]) -> None:
    """Delete what is in a list, elsewhere: deleting an iterator may wait for the thread that tunes it, for seconds."""
    threading.Thread(target=references.clear, daemon=True).start()


def summary(values: Sequence[float]) -> dict[str, Any]:
    ordered = sorted(values)
    if not ordered:
        return {"count": 0, "sum": 0.0, "median": 0.0, "p95": 0.0}
    return {
        "count": len(ordered),
        "sum": sum(ordered),
        "median": statistics.median(ordered),
        "p95": ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))],
    }


def _share(waits: Sequence[float], steps: Sequence[float]) -> float | None:
    return min(1.0, sum(waits) / sum(steps)) if waits and sum(steps) else None


def _agree(rates: Sequence[float]) -> bool:
    return len(rates) == 3 and max(rates) <= (1 + AGREEMENT) * min(rates)


def _processor_time() -> float:
    times = os.times()
    return times.user + times.system


class FromBeside(threading.Thread):
    """Observes what the runtime consumes by itself, in a tf.function: only traces can tell."""

    def __init__(self, run: Run, dataset: Any, frames: list[dict[str, Any]], number: int) -> None:
        super().__init__(daemon=True)
        self.dataset = dataset
        self.frames = frames
        self.cancelled = False
        self._run = run
        self._number = number
        self._cancel = threading.Event()
        self._pace = Pace(run.job["pace"], run.job["seconds"])

    def run(self) -> None:
        run, stages = self._run, self._stages()
        self._cancel.wait(4 * self._pace.window)
        while not self._cancel.is_set():
            run.tracer.start()
            self._cancel.wait(self._pace.trace)
            space = run.tracer.stop()
            seen = reading(run, space, run.tracer.seconds, run.tracer.usage, stages)
            if not self._cancel.is_set() and seen["ends"]["count"] >= FEWEST_TRACED:
                run.tell_pipeline(self._report(seen))
                run.observed_beside()
                return

    def cancel(self) -> None:
        """The runtime has consumed everything before it was observed."""
        self.cancelled = True
        self._cancel.set()
        if self.is_alive():
            self.join()

    def _stages(self) -> list[int]:
        recorder = self._run.recorder
        return [] if self.dataset is None else recorder.stages_of(recorder.number(self.dataset))

    def _report(self, seen: dict[str, Any]) -> dict[str, Any]:
        """The last stage is known, or it is the first that the trace has."""
        recorder = self._run.recorder
        root = seen["last"] if self.dataset is None else recorder.number(self.dataset)
        return {
            "root": root,
            "consumer": "graph",
            "number": self._number,
            "frames": self.frames,
            "stages": recorder.stages_of(root),
            "ended": False,
            "elements": seen["ends"]["count"],
            "first_element_s": 0.0,
            "settled": False,
            "windows": [],
            "step_ms": seen["seconds"] * 1e3 / seen["ends"]["count"],
            "step_source": "graph",
            "waits": {**summary([]), "share": None},
            "cores_used": None,
            "reading": seen,
            "problem": "",
        }
