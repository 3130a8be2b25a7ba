"""A run by hand, and experiments whose outcome is given: what verdicts and reports are tested on."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.rules.base import Edit, Finding, Fix, Related
from tfdata_lint.verify.equality import Equality
from tfdata_lint.verify.experiments import Draws, Experiments, Share, Size
from tfdata_lint.verify.held import Gone
from tfdata_lint.verify.measure import Comparison, Interval, Pace
from tfdata_lint.verify.model import (
    Bottleneck,
    Environment,
    Input,
    Node,
    Pipeline,
    Place,
    Run,
    Stage,
    Step,
    Target,
)
from tfdata_lint.verify.plan import Interpreter, Limits, Plan

CODE = "dataset = make()\ndataset = dataset.map(decode)\ndataset = dataset.batch(8)\ndataset.shard(2, 0)\n"
MAP, BATCH, SHARD = (2, 18, 29), (3, 18, 26), (4, 8, 19)
"""Row, first and last column of the calls in it."""

SAME = Equality("identical", 64)


def comparison(ratio: float, low: float, high: float) -> Comparison:
    before = Pace(100.0, 8.0, 2.0)
    after = Pace(100.0 * ratio, max(0.0, 10 / ratio - 2), 2.0)
    return Comparison(ratio, low, high, Interval(ratio, low, high).decision, 3, 8, before, after, 12.0, 2.0)


FASTER, SLOWER = comparison(2.0, 1.8, 2.2), comparison(0.5, 0.4, 0.6)
NO_FASTER, UNCLEAR = comparison(1.0, 0.98, 1.02), comparison(1.1, 0.9, 1.3)


def script(folder: Path) -> Path:
    path = folder / "input.py"
    path.write_text(CODE)
    return path


def run(path: Path, **changes: Any) -> Run:
    """Of the code above: `map` is what takes the time, and the runtime has appended a prefetch."""
    file = os.path.realpath(path)

    def stage(number: int, op: str, at: tuple[int, int, int], inputs: tuple[int, ...]) -> Stage:
        row, start, end = at
        return Stage(number, op, inputs, (Place(file, row, start, row, end),))

    nodes = (
        Node("Root", "Root", None),
        Node("Root::Prefetch", "Prefetch", 0, (), "injected", 10, 80.0, 1.0, 0.8),
        Node("Root::Prefetch::Batch", "Batch", 1, (3,), "", 10, 90.0, 2.0, 0.9),
        Node("Root::Prefetch::Batch::Map", "Map", 2, (2,), "", 80, 88.0, 88.0, 0.88),
    )
    pipeline = Pipeline(
        3, "for", frames=(Place(file, 3),), stages=(2, 3), elements=100, elements_per_s=100.0, step=Step(10.0, "loop"),
        input=Input(0.8, 8000.0, 9000.0, 100, "windows"), limited_by="input", nodes=nodes, prefetched="runtime",
        bottleneck=Bottleneck(3, (0, 1, 2, 3), 2, Place(file, 2)),
        categories={"enqueue": 0.02, "preprocessing": 0.98},
    )  # fmt: skip
    whole = Run(
        Target("script", str(path)), "python", environment=Environment("3.11", "2.21.0", "3.15", 2, (), "Linux"),
        stages=(stage(2, "Map", MAP, ()), stage(3, "Batch", BATCH, (2,)), stage(4, "Shard", SHARD, (3,))),
        pipelines=(pipeline,), seconds=8.0, peak_memory=500 * 2**20,
    )  # fmt: skip
    return replace(whole, **changes)


def with_pipeline(of: Run, **changes: Any) -> Run:
    return replace(of, pipelines=(replace(of.pipelines[0], **changes), *of.pipelines[1:]))


def finding(
    code: str, path: Path, at: tuple[int, int, int] = MAP, fix: str | None = ", f", related: tuple[Related, ...] = ()
) -> Finding:
    """One whose fix inserts a text in front of the closing parenthesis."""
    row, _, end = at
    edit = Edit(Span(str(path), row, end - 1, row, end - 1), fix or "")
    return Finding(
        code, "a-rule", "warning", "proven", "`map` could be faster", "It costs", "Do it", span(path, at), related,
        Fix("safe", "Use `more`", "", (edit,)) if fix else None,
    )  # fmt: skip


def span(path: Path, at: tuple[int, int, int]) -> Span:
    row, start, end = at
    return Span(str(path), row, start, row, end)


class Given(Experiments):
    """Outcomes in turn, and what was asked for."""

    def __init__(self, run: Run, *outcomes: Any, left_out: Comparison | BaseException | None = None) -> None:
        super().__init__(Plan(run.target, Interpreter("python", ""), Limits()), run)
        self._left_out_gives = left_out or Gone("unsupported", "nobody says")
        self._outcomes: Iterator[Any] = iter(outcomes)
        self.texts: list[Mapping[str, str]] = []
        self.asked: list[tuple[Any, ...]] = []

    def speed(
        self, pipeline: Pipeline, texts: Mapping[str, str], filling_s: float = 0.0, **_: bool
    ) -> tuple[Equality, Comparison | None]:
        self.texts.append(texts)
        same, seen = self._next()
        return same, seen

    def steps(self, pipeline: Pipeline, texts: Mapping[str, str]) -> tuple[list[float], list[float]]:
        return self._next()

    def without(self, pipeline: Pipeline, stage: int, *, whole: bool) -> Comparison:
        self.asked.append((stage, whole))
        if isinstance(self._left_out_gives, BaseException):
            raise self._left_out_gives
        return self._left_out_gives

    def size(self, pipeline: Pipeline, texts: Mapping[str, str], span: Span, most: int) -> Size | None:
        return self._next()

    def epochs_equal(self, pipeline: Pipeline, span: Span | None = None) -> Share:
        self.asked.append((pipeline, span))
        return self._next()

    def partners_equal(self, pipeline: Pipeline, span: Span) -> Share | None:
        return self._next()

    def draws(self, pipeline: Pipeline, image: Span, mask: Span | None) -> Draws | None:
        self.asked.append((image, mask))
        return self._next()

    def iterators_equal(self, pipeline: Pipeline) -> Share:
        return self._next()

    def processes_equal(self, pipeline: Pipeline) -> Share:
        return self._next()

    def leak(self, pipeline: Pipeline, spans: Sequence[Span]) -> Share | None:
        self.asked.append((pipeline, *spans))
        return self._next()

    def _next(self) -> Any:
        outcome = next(self._outcomes)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome
