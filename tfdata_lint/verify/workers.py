"""Several workers, each with a verdict file or a profile of its own: who waits for input, and for what."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tfdata_lint.verify.model import Band, Pipeline
from tfdata_lint.verify.observe import PROFILE
from tfdata_lint.verify.profile.files import Unreadable
from tfdata_lint.verify.profile.host import Host
from tfdata_lint.verify.report.words import near
from tfdata_lint.verify.verdicts import SCHEMA, from_json

#: A worker is behind if its step takes this many times the median of all.
BEHIND = 1.10


@dataclass(frozen=True, slots=True)
class Worker:
    """The main pipeline of one worker."""

    name: str
    share: float | None
    """Of the step, that is spent waiting for input."""
    band: Band
    step_ms: float | None
    get_next_median_us: float | None
    get_next_p95_us: float | None
    elements_per_s: float | None
    bottleneck: str


def read(paths: Sequence[str], hosts: Iterable[Host] = ()) -> list[Worker]:
    """The workers of verdict files and profiles, the one that waits most first. Raises `Unreadable` and OSError."""
    workers = [_worker(name, path) for path, name in _names(list(paths)).items()]
    workers += [_from(host.name, host.run().pipelines[0]) for host in hosts]
    return sorted(workers, key=lambda worker: -1.0 if worker.share is None else worker.share, reverse=True)


def table(workers: Sequence[Worker]) -> Iterator[str]:
    """As text."""
    rows = [("worker", "input", "step", "GetNext", "p95", "elements/s", "bottleneck")]
    rows += [
        (
            worker.name,
            _figure(worker.share, "{:.1%}"),
            _figure(worker.step_ms, "{:,.1f} ms"),
            _figure(worker.get_next_median_us, "{:,.0f} µs"),
            _figure(worker.get_next_p95_us, "{:,.0f} µs"),
            _figure(worker.elements_per_s, "{:,.0f}"),
            worker.bottleneck,
        )
        for worker in workers
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        first, *figures = (
            cell.rjust(width) if 0 < n < 6 else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join((first, *figures)).rstrip()
    yield from _remark(workers)


def _remark(workers: Sequence[Worker]) -> Iterator[str]:
    steps = sorted(worker.step_ms for worker in workers if worker.step_ms is not None)
    if len(steps) < 2:
        return
    median = steps[(len(steps) - 1) // 2]
    yield f"steps: {steps[0]:,.1f} to {steps[-1]:,.1f} ms, {steps[-1] / max(steps[0], 1e-9):.2f} times as long"
    if behind := [worker.name for worker in workers if (worker.step_ms or 0) > BEHIND * median]:
        yield f"slower than the others: {', '.join(behind)}; in synchronous training all workers wait for them"


def _worker(name: str, path: str) -> Worker:
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        if data["schema"] != SCHEMA:
            raise Unreadable(f"{path}: schema {data['schema']}, and this version reads {SCHEMA}")
        pipelines = from_json(data).run.pipelines
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise Unreadable(f"{path} is neither a --verify-json file nor a profile (*{PROFILE})") from error
    seen = [pipeline for pipeline in pipelines if pipeline.nodes]
    if not seen:
        return Worker(name, None, "unknown", None, None, None, None, "no pipeline was observed")
    return _from(name, max(seen, key=lambda pipeline: (pipeline.consumer != "waiting", pipeline.elements)))


def _from(name: str, pipeline: Pipeline) -> Worker:
    waits, step = pipeline.input, pipeline.step
    return Worker(
        name,
        waits.share if waits else None,
        waits.band if waits else "unknown",
        step.median_ms if step else None,
        waits.get_next_median_us if waits else None,
        waits.get_next_p95_us if waits else None,
        pipeline.elements_per_s,
        _bottleneck(pipeline),
    )


def _bottleneck(pipeline: Pipeline) -> str:
    found = pipeline.bottleneck
    if found is None:
        return ""
    op = pipeline.nodes[found.node].op
    op = op if found.untraced is None else f"perhaps {op}"
    return f"{op} at {near(found.place)}" if found.place else op


def _names(paths: list[str]) -> dict[str, str]:
    """Names as short as they can be and still be told apart."""
    short = {path: os.path.basename(path).removesuffix(PROFILE).removesuffix(".json") for path in paths}
    return short if len(set(short.values())) == len(short) else {path: path for path in paths}


def _figure(value: float | None, form: str) -> str:
    return "–" if value is None else form.format(value)
