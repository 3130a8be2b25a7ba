"""What the parts of a run may ask of it and tell it. `session` is one; they know no more of it than this."""

from __future__ import annotations

import importlib
from typing import Any, NoReturn

from . import trace
from .commands import Commands
from .recorder import Recorder
from .tracer import Tracer
from .wire import Wire


class Run:
    job: dict[str, Any]
    commands: Commands
    wire: Wire
    recorder: Recorder
    tracer: Tracer

    @property
    def holds(self) -> bool:
        """Is this a run to answer questions, and not to observe?"""
        raise NotImplementedError

    def phase(self, name: str, seconds: float) -> None:
        """What it is at now, and how long that may take."""

    def reached(self, consumer: str, dataset: Any) -> int:
        """A pipeline is about to be consumed: which of its kind it is. This may be where the run is to be held."""
        raise NotImplementedError

    def consumed(self, dataset: Any) -> None:
        """This one does not wait any more."""

    def observing(self, watch: Any) -> None:
        """A pipeline begins to be consumed."""

    def passed(self, watch: Any) -> None:
        """The code has consumed everything. It gets its time again, but only once for each place."""

    def observed(self, watch: Any = None) -> None:
        """One pipeline outlasted its observation: the code has shown what it does, and may go no further."""

    def observed_beside(self) -> None:
        """What the runtime consumes by itself was observed, and told."""

    def observe_from_beside(self, dataset: Any, frames: list[dict[str, Any]]) -> Any:
        """The thread that observes what the runtime consumes by itself; None while the run only looks for a place."""

    def tell_pipeline(self, report: dict[str, Any]) -> None:
        """What was seen of one."""

    def step_marker(self, number: int) -> Any:
        """What the profiler knows the steps of a training by; Keras 3 sets none."""
        marker = importlib.import_module("tensorflow").profiler.experimental.Trace(trace.STEP, step_num=number, _r=1)
        marker.__enter__()
        return marker

    def export(self, space: Any) -> str:
        """The trace for the eyes, if it is wanted: the path without its ending."""
        raise NotImplementedError

    def leave(self, reason: str = "", detail: str = "", place: dict[str, Any] | None = None) -> NoReturn:
        """Tell the end and go at once: neither the code's `finally` nor its exit handlers are wanted any more."""
        raise NotImplementedError
