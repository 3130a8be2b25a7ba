"""Reading a trace of the runtime: which iterators ran, for how long, under which parent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

from .processor import PYTHON
from .recorder import operation, stages_in
from .timeline import ELEMENTS, Piece, timeline

#: A call of an iterator: in a loop or `fit`, and under a loop over a dataset inside a tf.function.
_ITERATOR = ("Iterator::", "ReduceIterator::")
_GET_NEXT = "IteratorGetNext"
_GPU = "/device:GPU"
_ANYTHING, _COPIES = re.compile(""), re.compile("MemcpyH2D")
#: In the first line of what is known of a kernel is its name, in the second one the operation that it is part of.
_TRANSPOSES = re.compile(r"(?i)\A.*(transpose|SwapDimension|ShuffleInTensor3|nchwToNhwc|nhwcToNchw)|:Transpose\Z")
#: `nchwToNhwcKernel` of cuDNN, `Conv2D-0-TransposeNHWCToNCHW-LayoutOptimizer` of TensorFlow.
_CONVERSIONS = re.compile(r"(?i)NCD?HWToND?HWC|ND?HWCToNCD?HW")
#: Who makes its elements in threads of its own: in a call to it nothing is done but waiting for them.
_ASYNCHRONOUS = re.compile(r"Parallel|MapAndBatch|Prefetch")
#: What is done for a stage, by the names of events: its function is called and carried out, in whatever thread, and
#: what it calls that may wait for other things than a core.
_CALLS = ("InstantiatedCapturedFunction::", "FunctionRun")
_EXECUTES = ("ExecutorState::Process", "ExecutorDoneCallback")
_PYTHON_OPERATIONS = (":PyFunc", ":EagerPyFunc", ":PyFuncStateless")
_READS = ":ReadFile"
#: Kinds of events in which something is done for the function that is carried out.
_AT_WORK = ("executor", "python operation", "python", "files")
#: The profiler knows steps by this name.
STEP = "train"
#: What is of no use as a parameter of a stage.
_NOISE = frozenset(("name", "shapes", "types", "id", "parent_id", "algorithm", "element_id"))
#: What the runtime says of a figure that it does not know (yet).
_UNKNOWN = "unavailable"
#: Enough for a reader, and not more than a browser can show.
MAX_EXPORTED = 200_000
#: The parameters of an iterator are read every so many calls.
_CLOSELY = 50
#: Functions that call functions, at most.
_DEEPEST = 20


class Work:
    """What was done for a stage: milliseconds of all threads together."""

    def __init__(self) -> None:
        self.busy_ms = 0.0
        """At work, or waiting for a core."""
        self.python_ms = 0.0
        """In Python code that did not compute: it slept, or waited for something."""
        self.lock_ms = self.files_ms = 0.0
        """Waiting for Python's lock; in operations that read whole files."""
        self.called_ms = self.own_ms = self.own_processor_ms = 0.0
        """Of that in Python code that was busy, and in the user's own of it, by the clock and of the processor."""

    def add(self, other: Work) -> None:
        for name, ms in vars(other).items():
            setattr(self, name, getattr(self, name) + ms)


class _Group:
    """The iterators of one dataset in one place of the tree: an interleave has many, and an epoch has new ones."""

    def __init__(self, path: str, name: str) -> None:
        self.path = path
        self.name = name
        self.parent_id: Any = None
        self.parent: _Group | None = None
        self.calls = 0
        self.total_ms = 0.0
        self.self_ms = 0.0
        self.work = Work()
        self.parameters: dict[str, Any] = {}
        self.iterators: dict[int, list[float]] = {}  # calls and time
        self.spans: list[Piece] = []
        self.pieces: list[Piece] = []
        """When something was done for it."""
        # Since 2.20 the root repeats the name of the dataset below it.
        self.stages = [] if path == "Root" else stages_in(name)

    @property
    def is_own(self) -> bool:
        """Not what AutoGraph puts behind a dataset that a tf.function loops over."""
        return bool(self.stages) and self.path.rpartition("::")[2] not in ("Scan", "TakeWhile")

    def as_row(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "name": self.name,
            "stages": self.stages,
            "calls": self.calls,
            "total_ms": self.total_ms,
            "self_ms": self.self_ms,
            "work": vars(self.work),
            "parameters": self.parameters,
            "slowest": self._slowest(),
        }

    def _slowest(self) -> dict[str, Any] | None:
        if len(self.iterators) < 2:
            return None
        calls, ms = max(self.iterators.values(), key=lambda each: each[1])
        return {"iterators": len(self.iterators), "calls": int(calls), "ms": ms}


class _Wait:
    def __init__(self, begin_ps: int, us: float) -> None:
        self.begin_ps = begin_ps
        self.us = us
        self.root: _Group | None = None

    @property
    def span(self) -> Piece:
        return self.begin_ps, self.begin_ps + int(self.us * 1e6)


def read(
    space: Any, stages: Collection[int], elements: int = ELEMENTS, label: Callable[[str], str] = str
) -> dict[str, Any]:
    """The iterators of the pipeline that has these stages (the busiest one if none are given), parents first.

    `waits_us`: how long each GetNext took, `steps_us` the steps in which they did, if those are marked, and `wall_us`
    the time from the first to the last. `ends_us`: how long each call of its uppermost stage took, which is what a loop
    inside a tf.function waits for. `calls_known`: functions that were called were also seen at work. `timeline`: what
    ran when, for so many elements. `label` makes of the names of datasets those that `stages_in` can read.
    """
    reading = _Reading(label)
    for plane in space.planes:
        if plane.name.startswith("/host:CPU"):
            reading.add(plane)
    return reading.pipeline(frozenset(stages), elements)


class _Span:
    """An event, while what is nested in it on its thread is read."""

    __slots__ = ("call", "end", "event", "inside", "kind", "ms", "of", "since")

    def __init__(self, event: Any, kind: str, outer: _Span | None) -> None:
        self.event = event
        self.kind = kind
        self.since = event.offset_ps
        """What is nested has ended."""
        self.end = event.offset_ps + event.duration_ps
        self.ms = event.duration_ps / 1e9
        """Without what is nested."""
        self.of: Any = None
        """The group of an iterator, the wait of a GetNext; of what produces elements the group that it takes from; of
        an operation that calls Python code the span of that."""
        self.call: int = outer.call if outer and outer.kind not in ("iterator", "python") else 0
        """The function that is carried out, by the number of this call of it."""
        self.inside: _Span | None = outer if outer is None or outer.kind in ("iterator", "next") else outer.inside
        """The nearest iterator or GetNext around it."""


class _Reading:
    def __init__(self, label: Callable[[str], str]) -> None:
        self._label = label
        self._groups: dict[tuple[str, str], _Group] = {}
        self._by_number: dict[Any, _Group] = {}
        self._by_id: dict[tuple[int, int], _Group] = {}
        self._waits: list[_Wait] = []
        self._steps: list[tuple[int, int]] = []
        """Begin and length of the steps that are marked."""
        self._id, self._of_python = -1, [-1, -1, -1]
        """Keys of what events say."""
        self._work: dict[int, Work] = {}
        self._pieces: dict[int, list[Piece]] = {}
        self._callers: dict[int, _Span | int] = {}
        """Of each call of a function by its number: where it was called, or by which one."""

    def add(self, plane: Any) -> None:
        wanted = {key: (kind, m.name) for key, m in plane.event_metadata.items() if (kind := _kind(m.name))}
        marker = next((key for key, m in plane.event_metadata.items() if m.name == STEP), None)
        names = {key: value.name for key, value in plane.stat_metadata.items()}
        keys = {name: key for key, name in names.items()}
        self._id, *self._of_python = (keys.get(n, -1) for n in ("id", "busy_us", "own_us", "own_processor_us"))
        for line in plane.lines:
            events = [event for event in line.events if event.metadata_id in wanted]
            self._steps += [(e.offset_ps, e.duration_ps) for e in line.events if e.metadata_id == marker]
            events.sort(key=lambda event: (event.offset_ps, -event.duration_ps))
            # What is still running on this thread, outermost first.
            running: list[_Span] = []
            for event in events:
                while running and running[-1].end <= event.offset_ps:
                    self._leave(running.pop())
                kind, name = wanted[event.metadata_id]
                span = _Span(event, kind, running[-1] if running else None)
                self._enter(span, name, names, running[-1] if running else None)
                running.append(span)
            while running:
                self._leave(running.pop())

    def _enter(self, span: _Span, name: str, names: dict[int, str], outer: _Span | None) -> None:
        if span.kind == "next":
            span.of = _Wait(span.event.offset_ps, span.ms * 1e3)
            self._waits.append(span.of)
        elif span.kind == "iterator":
            span.of = group = self._group(span.event, name, names)
            group.calls += 1
            group.total_ms += span.ms
            each = group.iterators.setdefault(_number(span.event, self._id), [0, 0.0])
            each[0] += 1
            each[1] += span.ms
            group.self_ms += span.ms
            group.spans.append((span.event.offset_ps, span.end))
            around = span.inside
            if around and around.kind == "iterator":
                around.of.self_ms -= span.ms
            elif around and around.of.root is None:
                around.of.root = group
            if outer and outer.kind == "produce" and outer.of is None:
                outer.of = group
        elif span.kind in ("call", "executor"):
            number = _number(span.event, self._id)
            if span.kind == "call" and outer and number != span.call:
                self._callers.setdefault(number, span.call or outer)
            span.call = number
        elif span.kind == "python" and outer:
            outer.of = span
        if outer:
            outer.ms -= span.event.duration_ps / 1e9
            if outer.kind != "python operation":
                self._worked(outer, span.event.offset_ps)
            outer.since = span.end

    def _worked(self, span: _Span, until: int) -> None:
        """Nothing was nested in it since the last time."""
        if until <= span.since:
            return
        if span.kind == "iterator":
            span.of.pieces.append((span.since, until))
        elif span.call and span.kind in _AT_WORK:
            self._pieces.setdefault(span.call, []).append((span.since, until))

    def _leave(self, span: _Span) -> None:
        """All of it is known: what was done in it, and for whom."""
        if span.kind != "python operation" or not span.of:
            self._worked(span, span.end)
        if span.kind == "iterator":
            span.of.work.busy_ms += span.ms
            return
        if not span.call or span.kind not in _AT_WORK:
            return
        work = self._work.setdefault(span.call, Work())
        if span.kind == "executor":
            work.busy_ms += span.ms
        elif span.kind == "files":
            work.files_ms += span.ms
        elif span.kind == "python":
            called, own, of_processor = (_number(span.event, key) / 1e3 for key in self._of_python)
            busy = min(span.ms, called)
            work.busy_ms += busy
            work.called_ms += busy
            work.python_ms += span.ms - busy
            work.own_ms += own
            work.own_processor_ms += of_processor
        elif span.of:
            work.lock_ms += span.ms
        else:
            # A profile that was made elsewhere: of the Python code nothing is known.
            work.busy_ms += span.ms

    def _attribute_work(self) -> None:
        """To the iterators whose functions were called."""
        for group in self._groups.values():
            if _ASYNCHRONOUS.search(group.path.rpartition("::")[2]):
                group.work.busy_ms = 0.0
                group.pieces.clear()
        for call, work in self._work.items():
            caller: Any = call
            for _ in range(_DEEPEST):
                if not isinstance(caller, int):
                    break
                caller = self._callers.get(caller)
            if caller is None or isinstance(caller, int) or caller.of is None:
                continue
            owner = caller.of if caller.kind == "iterator" else caller.of.parent
            if owner is not None:
                owner.work.add(work)
                owner.pieces += self._pieces.get(call, ())

    def _group(self, event: Any, name: str, names: dict[int, str]) -> _Group:
        """The group of an iterator. There may be millions of events, so most of them are not looked at closely."""
        number = _number(event, self._id)
        group = self._by_id.get((number, event.metadata_id))
        if group is not None and group.calls % _CLOSELY:
            return group
        stats = {names[stat.metadata_id]: _value(stat, names) for stat in event.stats}
        label = self._label(str(stats.get("name", "")))
        if group is None:
            kind, *parts = name.split("::")
            path = "::".join(operation(part) for part in parts)
            group = self._groups.setdefault((kind + path, label), _Group(path, label))
            self._by_id[number, event.metadata_id] = self._by_number[stats.get("id")] = group
        if group.parent_id is None:
            group.parent_id = stats.get("parent_id")
        known = ((key, value) for key, value in stats.items() if key not in _NOISE and value != _UNKNOWN)
        group.parameters.update(known)
        return group

    def pipeline(self, stages: frozenset[int], elements: int) -> dict[str, Any]:
        self._find_parents()
        self._attribute_work()
        tops = {id(group): _top(group) for group in self._groups.values()}
        chosen = self._choose(tops, stages)
        mine = sorted((g for g in self._groups.values() if tops[id(g)] is chosen), key=_depth)
        index = {id(group): number for number, group in enumerate(mine)}
        waits = [wait for wait in self._waits if wait.root and tops[id(wait.root)] is chosen]
        # As the profiler does: the first step finds what was prepared while tracing began, the last is cut.
        steps = sorted(self._steps)[1:-1]
        if steps:
            begin, end = steps[0][0], sum(steps[-1])
            waits = [wait for wait in waits if begin <= wait.begin_ps < end]
        last = next((g for g in mine if (stages.intersection(g.stages) if stages else g.is_own)), None)
        # A loop inside a tf.function waits for its last stage; what is above that is the loop.
        spans = [wait.span for wait in waits] or (last.spans if last else [])
        above = set() if waits or last is None else {id(group) for group in _up(last)}
        rows = [
            (number, group.path.rpartition("::")[2], group.pieces)
            for number, group in enumerate(mine)
            if group.path != "Root" and id(group) not in above
        ]
        return {
            "nodes": [{**group.as_row(), "parent": index.get(id(group.parent))} for group in mine],
            "calls_known": not self._callers or bool(self._work),
            "waits_us": [wait.us for wait in waits],
            "steps_us": [length / 1e6 for _, length in steps],
            "wall_us": _wall(waits),
            "last": max(last.stages) if last else 0,
            "ends_us": [(end - begin) / 1e6 for begin, end in last.spans] if last else [],
            "timeline": timeline(spans, rows, elements),
        }

    def _find_parents(self) -> None:
        by_path: dict[str, _Group] = {}
        for group in self._groups.values():
            by_path.setdefault(group.path, group)
        for group in self._groups.values():
            group.parent = self._by_number.get(group.parent_id)
            path = group.path
            # The parent of a short-lived reader may not have been called during the trace.
            while group.parent is None and "::" in path:
                path = path.rpartition("::")[0]
                group.parent = by_path.get(path)
            if group.parent is group:
                group.parent = None

    def _choose(self, tops: dict[int, _Group], stages: frozenset[int]) -> _Group | None:
        """The tree that has most of these stages; among equals the busiest."""
        inside: dict[int, set[int]] = {}
        for group in self._groups.values():
            inside.setdefault(id(tops[id(group)]), set()).update(stages.intersection(group.stages))
        return max(
            (top for top in tops.values() if inside[id(top)] or not stages),
            key=lambda top: (len(inside[id(top)]), top.total_ms),
            default=None,
        )


def devices(space: Any, seconds: float) -> list[dict[str, Any]]:
    """Of each GPU the shares of so many seconds in which it did anything, and certain things."""
    return [
        {
            "name": plane.name.partition("/device:")[2].partition(" ")[0],
            "busy": _covered(spans, _ANYTHING) / seconds,
            "copying": _covered(spans, _COPIES) / seconds,
            "transposing": _covered(spans, _TRANSPOSES) / seconds,
            "converting": _covered(spans, _CONVERSIONS) / seconds,
        }
        for plane in space.planes
        if plane.name.startswith(_GPU)
        for spans in [_device_spans(plane)]
    ]


def _device_spans(plane: Any) -> list[tuple[int, int, str]]:
    """Begin and length in ps of what ran on a device, in order, with what it was."""
    names = {key: value.name for key, value in plane.stat_metadata.items()}
    return sorted(
        (
            line.timestamp_ns * 1000 + event.offset_ps,
            event.duration_ps,
            f"{plane.event_metadata[event.metadata_id].name}\n{_operation_of(event, names)}",
        )
        for line in plane.lines
        # Other lines repeat what is in the streams.
        if line.name.startswith("Stream")
        for event in line.events
    )


def _operation_of(event: Any, names: dict[int, str]) -> str:
    """`model/conv1/Conv2D:Conv2D`, where the profiler knows it."""
    return next((str(_value(stat, names)) for stat in event.stats if names[stat.metadata_id] == "tf_op"), "")


def _covered(spans: list[tuple[int, int, str]], kind: re.Pattern[str]) -> float:
    """Seconds in which at least one of this kind ran."""
    covered = until = 0
    for begin, length, what in spans:
        if kind.search(what):
            covered += max(0, begin + length - max(begin, until))
            until = max(until, begin + length)
    return covered / 1e12


def count(space: Any) -> int:
    """How many events a trace has."""
    return sum(len(line.events) for plane in space.planes for line in plane.lines)


def _kind(name: str) -> str:
    """What an event tells of, if anything."""
    if name.startswith(_ITERATOR):
        return "iterator"
    if name.startswith(_GET_NEXT):
        return "next" if name.endswith("::DoCompute") else ""
    if name.startswith(_CALLS):
        return "call"
    if name in _EXECUTES:
        return "executor"
    if name.endswith("Produce"):
        return "produce"
    if name.endswith(_PYTHON_OPERATIONS):
        return "python operation"
    if name.endswith(_READS):
        return "files"
    return "python" if name == PYTHON else ""


def _number(event: Any, key: int) -> int:
    """What an event says under this key. It is asked for all of them."""
    for stat in event.stats:
        if stat.metadata_id == key:
            return int(stat.int64_value or stat.uint64_value)
    return 0


def _matters(name: str) -> bool:
    return name.startswith(_ITERATOR) or (name.startswith(_GET_NEXT) and name.endswith("::DoCompute"))


def _value(stat: Any, names: dict[int, str]) -> Any:
    kind = stat.WhichOneof("value")
    value = getattr(stat, kind)
    if kind == "ref_value":
        value = names.get(value, "")
    return {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value


def _up(group: _Group) -> Iterator[_Group]:
    while group.parent is not None:
        group = group.parent
        yield group


def _top(group: _Group) -> _Group:
    return [group, *_up(group)][-1]


def _wall(waits: list[_Wait]) -> float:
    begin = min((wait.begin_ps / 1e6 for wait in waits), default=0.0)
    return max((wait.begin_ps / 1e6 + wait.us for wait in waits), default=0.0) - begin


def _depth(group: _Group) -> int:
    return len(list(_up(group)))


def export(space: Any, path: str) -> None:
    """The trace in Chrome's format, which Perfetto reads too, with the names of the stages."""
    exported: list[dict[str, Any]] = []
    for plane in space.planes:
        names = {key: value.name for key, value in plane.stat_metadata.items()}
        events = {key: value.name for key, value in plane.event_metadata.items()}
        for thread, line in enumerate(plane.lines):
            for event in line.events:
                name = events[event.metadata_id]
                if not (_matters(name) or name == STEP):
                    continue
                stats = {names[s.metadata_id]: _value(s, names) for s in event.stats}
                row = {
                    # `Iterator::Root::Prefetch::Map` is a Map; where it stands can be seen.
                    "name": operation(name.split("::")[-1]) if name.startswith(_ITERATOR) else name.split("::")[0],
                    "ph": "X",
                    "tid": thread,
                    "ts": line.timestamp_ns / 1e3 + event.offset_ps / 1e6,
                    "dur": event.duration_ps / 1e6,
                    "stages": stages_in(str(stats.pop("name", ""))),
                    "args": {key: value for key, value in stats.items() if key not in _NOISE},
                }
                exported.append(row)
    exported.sort(key=lambda event: event["ts"])
    with open(path, "w", encoding="utf-8") as file:
        json.dump(exported[:MAX_EXPORTED], file)
