"""From what the agent said to the nouns of `model`: the run and its pipelines, and whether the input matters."""

from __future__ import annotations

import json
import os
import shutil
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tfdata_lint.verify.as_json import from_json
from tfdata_lint.verify.model import (
    MODERATE,
    Bottleneck,
    Device,
    Environment,
    Input,
    Node,
    Output,
    Passes,
    Pipeline,
    Place,
    Reason,
    Run,
    Stage,
    Step,
    Timeline,
    Window,
)
from tfdata_lint.verify.nodes import bottleneck_of, buffers_of, categories_of, nodes_of, prefetched_by, untraced
from tfdata_lint.verify.plan import Plan

#: What `--trace-out` ends in for a profile of TensorFlow.
PROFILE = ".xplane.pb"
#: Paths that are listed.
LISTED = 1000


class Said:
    """The messages of a run, sorted."""

    def __init__(self) -> None:
        self.network: Any = "blocked"
        self.environment: Environment | None = None
        self.stages: dict[int, Stage] = {}
        self.pipelines: list[dict[str, Any]] = []
        self.changes: Mapping[str, Sequence[str]] = {}
        self.in_copies: tuple[Sequence[str], Sequence[str]] = (), ()
        self.ended = self.profiled = False
        self.reason: Reason = ""
        self.detail = ""
        self.place: Place | None = None

    def add(self, message: Mapping[str, Any]) -> None:
        match message["event"]:
            case "start":
                self.network = message["network"]
            case "environment":
                self.environment = from_json(Environment, message)
            case "stages":
                self.stages |= {stage["id"]: from_json(Stage, stage) for stage in message["stages"]}
            case "pipeline":
                self.pipelines.append(dict(message))
            case "changes":
                self.changes = message
            case "end":
                place = message["place"]
                self.end(message["reason"], message["detail"], from_json(Place, place) if place else None)
                self.profiled = message.get("profiled", False)

    def end(self, reason: Reason, detail: str, place: Place | None = None) -> None:
        self.ended = True
        self.reason, self.detail, self.place = reason, detail, place

    def changed(self, written: Sequence[str], deleted: Sequence[str]) -> None:
        """In copies of folders."""
        self.in_copies = written, deleted

    def export(self, path: str) -> None:
        """One Chrome trace of all pipelines, a process each, with the stages' names and places.

        Or, for the tools of TensorFlow, the profile of the first pipeline as it is.
        """
        if path.endswith(PROFILE):
            profiles = (row["reading"].get("exported") for row in self.pipelines)
            if first := next(filter(None, profiles), ""):
                shutil.copyfile(first + PROFILE, path)
            return
        events = [event for number, row in enumerate(self.pipelines) for event in self._events(number, row)]
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"traceEvents": events, "displayTimeUnit": "ms"}, file)

    def _events(self, number: int, row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        exported = row["reading"].get("exported")
        if not exported:
            return
        last = self.stages[row["root"]]
        name = f"pipeline {number + 1}: {last.place or last.op}"
        yield {"ph": "M", "name": "process_name", "pid": number, "args": {"name": name}}
        with open(exported + ".json", encoding="utf-8") as file:
            events = json.load(file)
        for event in events:
            stages = [self.stages[i] for i in event.pop("stages") if i in self.stages]
            places = [str(stage.place) for stage in stages if stage.place]
            yield {**event, "pid": number, "args": {"source": ", ".join(dict.fromkeys(places)), **event["args"]}}


def run_from(plan: Plan, said: Said, output: Output, seconds: float, peak_memory: int) -> Run:
    """The run."""
    pipelines = tuple(pipeline(row, said.stages) for row in said.pipelines)
    reason, detail = said.reason, said.detail
    if not reason and not any(p.nodes for p in pipelines):
        reason = "no-consumption"
        nothing = "it consumed no dataset" if said.environment else "it did not import TensorFlow"
        detail = detail or next((p.problem for p in pipelines if p.problem), nothing)
    return Run(
        target=plan.target,
        interpreter=plan.interpreter.path,
        reason=reason,
        detail=detail,
        place=said.place,
        environment=said.environment,
        network=said.network,
        copied=plan.copies,
        written=_changed(plan, said.in_copies[0], said.changes.get("written", ())),
        deleted=_changed(plan, said.in_copies[1], said.changes.get("deleted", ())),
        downloaded=tuple(said.changes.get("downloaded", ())),
        stages=tuple(said.stages.values()),
        pipelines=pipelines,
        profiled=said.profiled,
        output=output,
        seconds=seconds,
        peak_memory=peak_memory,
    )


def _changed(plan: Plan, in_copies: Sequence[str], heard: Sequence[str]) -> tuple[str, ...]:
    """What was heard of in a copy is known better from there. A folder goes without saying if what is in it is said."""
    folders = tuple(folder.rstrip(os.sep) + os.sep for folder in plan.copies)
    paths = sorted({*in_copies, *(path for path in heard if not path.startswith(folders))})
    above = {os.path.dirname(path.rstrip(os.sep)) for path in paths}
    return tuple(path for path in paths if path.rstrip(os.sep) not in above)[:LISTED]


def pipeline(row: Mapping[str, Any], stages: Mapping[int, Stage]) -> Pipeline:
    """One pipeline, from what was seen of it."""
    reading = row["reading"]
    nodes = nodes_of(reading, stages)
    windows = tuple(Window(seconds, elements) for seconds, elements in row["windows"])
    step = None
    if row["step_ms"] and row["step_source"]:
        step = Step(row["step_ms"], row["step_source"], row.get("step_mean_ms"))
    passes = from_json(Passes, row["passes"]) if row.get("passes") else None
    waited = _input(row, step, passes)
    return Pipeline(
        root=row["root"],
        consumer=row["consumer"],
        number=row["number"],
        frames=tuple(from_json(Place, frame) for frame in row["frames"]),
        taken_at=tuple(from_json(Place, frame) for frame in row.get("taken_at", ())),
        stages=tuple(row["stages"]),
        ended=row["ended"],
        elements=row["elements"],
        taken=row.get("taken"),
        first_element_s=row["first_element_s"],
        drained=row.get("drained", False),
        repeated=row.get("repeated", False),
        settled=row["settled"],
        windows=windows,
        elements_per_s=_rate(windows, reading),
        passes=passes,
        whole_passes=row.get("whole_passes", 0),
        step=step,
        input=waited,
        limited_by=_limited_by(waited),
        nodes=nodes,
        bottleneck=_with_doubts(bottleneck_of(nodes, frozenset(row["stages"]), stages, reading), nodes, stages, passes),
        categories=categories_of(nodes),
        prefetched=prefetched_by(nodes, frozenset(row["stages"]), stages),
        buffers=tuple(buffers_of(nodes, stages, passes)),
        cores_used=row["cores_used"],
        cores_of_others=_cores_of_others(reading.get("usage")),
        devices=tuple(from_json(Device, device) for device in reading.get("devices", ())),
        trace_seconds=reading.get("seconds", 0.0),
        timeline=timeline(reading),
        problem=row["problem"],
    )


def _with_doubts(
    found: Bottleneck | None, nodes: Sequence[Node], stages: Mapping[int, Stage], passes: Passes | None
) -> Bottleneck | None:
    """Unless filling a buffer takes hardly any time of an epoch, whatever was seen of it."""
    is_known = passes is not None and passes.count > 0 and passes.late < MODERATE
    return found if found is None or is_known else replace(found, untraced=untraced(nodes, stages))


def _cores_of_others(usage: Mapping[str, Any] | None) -> float | None:
    if not usage or usage["idle"] is None:
        return None
    used: float = usage["cores"] - usage["idle"] - usage["used"]
    return max(0.0, used)


def timeline(said: Mapping[str, Any]) -> Timeline | None:
    """What ran when, if enough was seen."""
    seen = said.get("timeline")
    return from_json(Timeline, seen) if seen else None


def _rate(windows: Sequence[Window], reading: Mapping[str, Any]) -> float | None:
    if windows:
        return statistics.median(window.elements / window.seconds for window in windows)
    calls = reading.get("ends", {}).get("count", 0)
    return calls / reading["seconds"] if calls else None


def _limited_by(waited: Input | None) -> Any:
    if waited is None or waited.share is None:
        return "unknown"
    return "input" if waited.share >= MODERATE else "consumer"


def _input(row: Mapping[str, Any], step: Step | None, passes: Passes | None) -> Input | None:
    """A loop's own waits, untraced; what happens inside `fit` and a tf.function only the trace has."""
    waits, reading = row["waits"], row["reading"]
    if waits["count"]:
        return Input(waits["share"], waits["median"], waits["p95"], waits["count"], "windows")
    if not reading:
        return None
    inside = reading["ends"] if row["consumer"] == "graph" else reading["waits"]
    if not inside["count"]:
        return None
    drained = row["consumer"] in ("returned", "waiting") or bool(row["problem"])
    whole = reading["steps"]["sum"] or reading["seconds"] * 1e6
    share = None if drained else min(1.0, inside["sum"] / whole)
    if share is not None and passes:
        # A trace ends where a pass does: it has no first step of another one.
        share = passes.late + (1 - passes.late) * share
    at_most = None
    if share is not None and step and step.mean_ms:
        # What a step computes hardly varies; what it waits for does, and not all of that was traced.
        late = passes.late if passes else 0.0
        at_most = min(1.0, share + max(0.0, 1 - step.median_ms / step.mean_ms - late))
    return Input(share, inside["median"], inside["p95"], inside["count"], "trace", at_most)
