"""From what the agent said to the nouns of `model`: where the time goes, and whether it matters."""

from __future__ import annotations

import json
import os
import shutil
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tfdata_lint.verify.model import (
    MODERATE,
    Bottleneck,
    Buffer,
    Category,
    Device,
    Environment,
    Input,
    Measure,
    Node,
    Output,
    Passes,
    Pipeline,
    Place,
    Reason,
    Rewrite,
    Run,
    RunnerUp,
    Slowest,
    Stage,
    Step,
    Timeline,
    WaitsFor,
    Window,
    from_json,
)
from tfdata_lint.verify.plan import Plan

#: What `--trace-out` ends in for a profile of TensorFlow.
PROFILE = ".xplane.pb"
#: The children account for a node's time if they have this much of it.
ACCOUNTED = 0.5
#: All cores are taken if this part of them is; and one, by a stage that can use no more.
TAKEN = 0.85
#: Paths that are listed.
LISTED = 1000
#: The part of a runner-up that is worth a word.
LEAST = 0.01

_READERS = frozenset(
    ("TFRecord", "TextLine", "FixedLengthRecord", "CSV", "SqlDataset", "LMDB", "Generator", "Snapshot")
)
_AHEAD = ("Prefetch", "Parallel", "MapAndBatch", "Interleave")
_WAITS: tuple[WaitsFor, ...] = ("lock", "python", "files")
_AFTER_THE_LOOP = frozenset(("Scan", "TakeWhile"))


class Said:
    """The messages of a run, sorted."""

    def __init__(self) -> None:
        self.network: Any = "blocked"
        self.environment: Environment | None = None
        self.stages: dict[int, Stage] = {}
        self.pipelines: list[dict[str, Any]] = []
        self.synthetic: list[str] = []
        self.changes: Mapping[str, Sequence[str]] = {}
        self.in_copies: tuple[Sequence[str], Sequence[str]] = (), ()
        self.ended = False
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
            case "synthetic":
                self.synthetic.append(message["what"])
            case "changes":
                self.changes = message
            case "end":
                place = message["place"]
                self.end(message["reason"], message["detail"], from_json(Place, place) if place else None)

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
        data="synthetic" if said.synthetic else "real",
        synthetic=tuple(said.synthetic),
        copied=plan.copies,
        written=_changed(plan, said.in_copies[0], said.changes.get("written", ())),
        deleted=_changed(plan, said.in_copies[1], said.changes.get("deleted", ())),
        downloaded=tuple(said.changes.get("downloaded", ())),
        stages=tuple(said.stages.values()),
        pipelines=pipelines,
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


def profiled(reading: Mapping[str, Any]) -> Pipeline:
    """The busiest pipeline of a profile that was made elsewhere: its stages have no places."""
    waits, steps = reading["waits"], reading["steps"]
    step_us = steps["median"] or (reading["seconds"] * 1e6 / waits["count"] if waits["count"] else 0.0)
    nothing = {"count": 0, "share": None}
    return pipeline(
        {
            "root": 0, "consumer": "fit", "number": 0, "frames": (), "stages": (), "ended": False,
            "elements": waits["count"], "first_element_s": 0.0, "settled": False, "problem": "", "cores_used": None,
            "windows": [(reading["seconds"], waits["count"])] if waits["count"] else (),
            "step_ms": step_us / 1e3, "step_source": "fit", "waits": nothing, "reading": reading,
        },
        {},
    )  # fmt: skip


def pipeline(row: Mapping[str, Any], stages: Mapping[int, Stage]) -> Pipeline:
    """One pipeline, from what was seen of it."""
    reading = row["reading"]
    nodes = _nodes(reading, stages)
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
        stages=tuple(row["stages"]),
        ended=row["ended"],
        elements=row["elements"],
        first_element_s=row["first_element_s"],
        settled=row["settled"],
        windows=windows,
        elements_per_s=_rate(windows, reading),
        passes=passes,
        step=step,
        input=waited,
        limited_by=_limited_by(waited),
        nodes=nodes,
        bottleneck=_bottleneck(nodes, frozenset(row["stages"]), stages, reading),
        categories=_categories(nodes),
        prefetched=_prefetched(nodes, frozenset(row["stages"]), stages),
        buffers=tuple(_buffers(nodes, stages)),
        cores_used=row["cores_used"],
        cores_of_others=_cores_of_others(reading.get("usage")),
        devices=tuple(from_json(Device, device) for device in reading.get("devices", ())),
        trace_seconds=reading.get("seconds", 0.0),
        timeline=timeline(reading),
        problem=row["problem"],
    )


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


# ── nodes ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _nodes(reading: Mapping[str, Any], stages: Mapping[int, Stage]) -> tuple[Node, ...]:
    nodes: list[Node] = []
    rows = reading.get("nodes", ())
    seconds = reading.get("seconds", 0.0)
    had = _part_with_a_core(rows, reading)
    for row in rows:
        op = row["path"].rpartition("::")[2]
        numbers = tuple(sorted(number for number in row["stages"] if number in stages))
        parameters = dict(row["parameters"])
        above = _above(row["parent"], nodes)
        nodes.append(
            Node(
                path=row["path"],
                op=op,
                parent=row["parent"],
                stages=numbers,
                rewrite=_rewrite(op, row["name"], [stages[number] for number in numbers]),
                calls=row["calls"],
                total_ms=row["total_ms"],
                self_ms=row["self_ms"],
                processor_ms=None if had is None else had * row["work"]["busy_ms"],
                slowest=from_json(Slowest, row["slowest"]) if row.get("slowest") else None,
                waiting_ms={what: ms for what in _WAITS if (ms := row["work"][f"{what}_ms"])},
                share=row["total_ms"] / 1e3 / seconds,
                parallelism=parameters.pop("parallelism", None),
                autotuned=parameters.pop("autotune", False) is True,
                category=_category(op, above),
                parameters=parameters,
            )
        )
    return tuple(nodes)


def _part_with_a_core(rows: Sequence[Mapping[str, Any]], reading: Mapping[str, Any]) -> float | None:
    """Of the time in which the stages were at work: they may have waited for a core, too. None: who knows."""
    busy = sum(row["work"]["busy_ms"] for row in rows)
    usage = reading.get("usage")
    if not usage or not busy or not reading["calls_known"]:
        return None
    had: float = usage["used"] * reading["seconds"] * 1e3 / busy
    return min(1.0, had)


def _above(parent: int | None, nodes: Sequence[Node]) -> list[str]:
    return [] if parent is None else [nodes[number].op for number in (parent, *ancestors(parent, nodes))]


def ancestors(number: int, nodes: Sequence[Node]) -> list[int]:
    """Its parent, the parent's, and so on to the root."""
    above = []
    parent = nodes[number].parent
    while parent is not None:
        above.append(parent)
        parent = nodes[parent].parent
    return above


def _rewrite(op: str, name: str, stages: Sequence[Stage]) -> Rewrite:
    if name.startswith("inject/"):
        return "injected"
    if len(stages) > 1 or name.startswith("fused("):
        return "fused"
    if op.startswith("Parallel") and stages and not stages[0].op.startswith("Parallel"):
        return "parallelised"
    return ""


def _category(op: str, above: Sequence[str]) -> Category:
    if op in ("Root", "Prefetch") and set(above) <= {"Root"}:
        return "enqueue"
    if op not in _READERS:
        return "preprocessing"
    return "advanced read" if any(outer.startswith(_AHEAD) for outer in above) else "demanded read"


def _categories(nodes: Sequence[Node]) -> dict[Category, float]:
    spent: dict[Category, float] = {}
    for node in nodes:
        if node.op != "Prefetch":
            spent[node.category] = spent.get(node.category, 0.0) + max(0.0, node.self_ms)
    whole = sum(spent.values())
    return {category: time / whole for category, time in spent.items()} if whole else {}


def children(nodes: Sequence[Node], parent: int) -> list[int]:
    return [number for number, node in enumerate(nodes) if node.parent == parent]


def descendants(number: int, nodes: Sequence[Node]) -> list[int]:
    """All that a node takes elements from, parents first."""
    return [other for other in range(len(nodes)) if number in ancestors(other, nodes)]


def _bottleneck(
    nodes: Sequence[Node], own: frozenset[int], stages: Mapping[int, Stage], reading: Mapping[str, Any]
) -> Bottleneck | None:
    if not nodes:
        return None
    number = _slowest(nodes, own)
    # The step of a loop inside a tf.function is a stage, too, but not of the input.
    mine = [n for n, node in enumerate(nodes) if own.intersection(node.stages) or (not own and node.stages)]
    by, shares = _scarce(nodes, mine, reading)
    most = max(shares, key=shares.__getitem__, default=number)
    if _waits_for(nodes[number]) or (most != number and _fills(nodes[number], reading["seconds"] * 1e3)):
        by = "time"
    if by == "time":
        shares = _shares(nodes)
    else:
        number = most
    stage, place, called_at = _whence(nodes[number], stages)
    others = [n for n in mine if nodes[n].op != "Prefetch" and _whence(nodes[n], stages)[1] not in (None, place)]
    second = max((other for other in others if shares.get(other, 0.0) >= LEAST), key=shares.__getitem__, default=None)
    return Bottleneck(
        number,
        (*reversed(ancestors(number, nodes)), number),
        stage,
        place,
        called_at,
        shares[number],
        by,
        _waits_for(nodes[number]),
        None if second is None else RunnerUp(second, *_whence(nodes[second], stages), shares[second]),
    )


def _slowest(nodes: Sequence[Node], own: frozenset[int]) -> int:
    """Descend to the child that takes longest while the children account for the parent's time.

    What the runtime has put there is passed by, and so is the loop of a tf.function.
    """
    number = 0
    while below := children(nodes, number):
        node = nodes[number]
        accounted = sum(nodes[child].total_ms for child in below) >= ACCOUNTED * node.total_ms
        if not accounted and (own.intersection(node.stages) or not own):
            break
        number = max(below, key=lambda child: nodes[child].total_ms)
    return number


def _scarce(nodes: Sequence[Node], mine: Sequence[int], reading: Mapping[str, Any]) -> tuple[Measure, dict[int, float]]:
    """What stages compete for, and the share that each of mine has of it: cores, or threads of the runtime, or neither.

    When all cores or threads are taken, a stage takes long because others have them.
    """
    used = {number: ms for number in mine if (ms := nodes[number].processor_ms)}
    usage = reading.get("usage")
    if not usage or not used:
        return "time", {}
    cores, idle = usage["cores"], usage["idle"]
    if usage["used"] >= TAKEN * cores or (idle is not None and idle <= (1 - TAKEN) * cores):
        return "processor", _parts(used)
    held = {number: ms + sum(nodes[number].waiting_ms.values()) for number, ms in used.items()}
    threads = nodes[0].parameters.get("threadpool_size", 0)
    if threads <= 0:
        threads = cores
    if sum(held.values()) >= TAKEN * threads * reading["seconds"] * 1e3:
        return "threads", _parts(held)
    return "time", {}


def _parts(of: Mapping[int, float]) -> dict[int, float]:
    whole = sum(of.values())
    return {number: part / whole for number, part in of.items()}


def _fills(node: Node, wall_ms: float) -> bool:
    """All cores that it can use: one, if it is sequential. Whatever others need, it is not slow because of them."""
    return (node.processor_ms or 0.0) >= TAKEN * wall_ms * (node.parallelism or 1)


def _waits_for(node: Node) -> WaitsFor:
    most = max(node.waiting_ms, key=node.waiting_ms.__getitem__, default="")
    waited = sum(node.waiting_ms.values())
    return most if waited > (node.processor_ms or 0.0) else ""  # type: ignore[return-value]


def _shares(nodes: Sequence[Node]) -> dict[int, float]:
    """Of each node its own part of the time: a parent's is divided as its children take it, from the root down."""
    whole: dict[int, float] = {0: 1.0}
    own: dict[int, float] = {}
    for number, node in enumerate(nodes):
        below = children(nodes, number)
        taken = sum(nodes[child].total_ms for child in below)
        each = whole.get(number, 0.0) / max(node.total_ms, taken, 1e-9)
        whole |= {child: each * nodes[child].total_ms for child in below}
        own[number] = whole.get(number, 0.0) - each * taken
    return own


def _whence(node: Node, stages: Mapping[int, Stage]) -> tuple[int | None, Place | None, Place | None]:
    """A node's stage, the call that makes it, and where the function is called in which that stands."""
    if not node.stages:
        return None, None, None
    frames = stages[node.stages[0]].frames
    inside = len(frames) > 1 and frames[0].function not in ("", "<module>")
    return node.stages[0], frames[0] if frames else None, frames[1] if inside else None


def _prefetched(nodes: Sequence[Node], own: frozenset[int], stages: Mapping[int, Stage]) -> Any:
    """Who runs ahead of the consumer. What follows a loop inside a tf.function does not."""
    last = next((number for number, node in enumerate(nodes) if own.intersection(node.stages)), None)
    if last is None:
        return ""
    node = nodes[last]
    above = _above(node.parent, nodes)
    if above[:1] == ["Prefetch"] and not _AFTER_THE_LOOP.intersection(above):
        return "runtime"
    if node.op == "Prefetch":
        return "code"
    if not node.op.startswith(("Parallel", "MapAndBatch")):
        return ""
    return "code" if any(stages[number].op.startswith("Parallel") for number in node.stages) else "runtime"


def _buffers(nodes: Sequence[Node], stages: Mapping[int, Stage]) -> Iterator[Buffer]:
    for number, node in enumerate(nodes):
        given = node.parameters
        if node.op == "Prefetch":
            buffered, capacity, kind = given.get("buffered_elements"), given.get("buffer_limit"), "prefetch"
        elif node.op.startswith("Shuffle"):
            buffered, capacity, kind = given.get("buffered_elements"), given.get("buffer_size"), "shuffle"
        elif node.op.startswith("Cache"):
            buffered, capacity, kind = node.calls, None, "cache"
        else:
            continue
        size = _element_bytes(nodes, number, stages)
        yield Buffer(number, kind, buffered, capacity, size, buffered * size if buffered and size else None)  # type: ignore[arg-type]


def _element_bytes(nodes: Sequence[Node], number: int, stages: Mapping[int, Stage]) -> int | None:
    """The size of what comes out of a node: of its last stage, or for an injected one of the node below."""
    while not nodes[number].stages:
        below = children(nodes, number)
        if not below:
            return None
        number = below[0]
    return stages[nodes[number].stages[-1]].element_bytes
