"""Reading a trace of the runtime: which iterators ran, for how long, under which parent."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from typing import Any

from .processor import PYTHON
from .recorder import operation, stages_in
from .timeline import ELEMENTS, Piece, timeline

#: A call of an iterator: in a loop or `fit`, and under a loop over a dataset inside a tf.function.
ITERATOR = ("Iterator::", "ReduceIterator::")
GET_NEXT = "IteratorGetNext"
#: Who makes its elements in threads of its own: in a call to it nothing is done but waiting for them.
_ASYNCHRONOUS = re.compile(r"Parallel|MapAndBatch|Prefetch")
#: What is done for a stage, by the names of events: its function is called and carried out, in whatever thread, and
#: what it calls that may wait for other things than a core.
_CALLS = ("InstantiatedCapturedFunction::", "FunctionRun")
_EXECUTES = ("ExecutorState::Process", "ExecutorDoneCallback")
PYTHON_OPERATIONS = (":PyFunc", ":EagerPyFunc", ":PyFuncStateless")
_READS = ":ReadFile"
#: Kinds of events in which something is done for the function that is carried out.
_AT_WORK = ("executor", "python operation", "python", "files")
#: The profiler knows steps by this name. Others have other names, and this number.
STEP = "train"
_STEP_NUMBER = "step_num"
#: What only Keras writes of them: 3 calls them so, and 2 counts its epochs.
_OF_FIT, _EPOCH = "Profiled batch", "epoch_num"
#: What a mapped function makes while it runs is numbered on and on.
_MADE_INSIDE = re.compile(r"(FlatMap|(?<!Directed)Interleave)\w*\[")
_NUMBERED = re.compile(r":(?:tfl_)?\d+")
_BRANCH = re.compile(r"\[(\d+)\]$")
#: `decode/DecodeJpeg:DecodeJpeg`, in a mapped function. So many of a thread, and calls of functions, are looked at.
_OPERATION = re.compile(r"[\w./-]+:[A-Z]\w*")
_OPERATIONS, _CALLS_ASKED = 4_000, 2_000
#: What is of no use as a parameter of a stage.
NOISE = frozenset(("name", "shapes", "types", "id", "parent_id", "algorithm", "element_id"))
#: What the runtime says of a figure that it does not know (yet).
_UNKNOWN = "unavailable"
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
        self.operations: set[str] = set()
        """What its function was seen to carry out."""
        self.branch: int | None = None
        """Which of its parent's inputs it is, if that has several."""
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
            "branch": self.branch,
            "operations": sorted(self.operations),
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
    space: Any,
    stages: Collection[int],
    elements: int = ELEMENTS,
    label: Callable[[str], str] = str,
    look: Callable[[Any, Any], None] | None = None,
) -> dict[str, Any]:
    """The iterators of the pipeline that has these stages (the busiest one if none are given), parents first.

    `waits_us`: how long each GetNext took, `steps_us` the steps in which they did, if those are marked, and `wall_us`
    the time from the first to the last. `ends_us`: how long each call of its uppermost stage took, which is what a
    loop inside a tf.function waits for. `calls_known`: functions that were called were also seen at work. `timeline`:
    what ran when, for so many elements. `label` makes of the names of datasets those that `stages_in` can read. `look`
    is shown each line of a host, with its plane; then the operations of mapped functions are read, too. `waits_ps` and
    `steps_ps`: when all of these were. `is_fit`: Keras marked the steps.
    """
    reading = _Reading(label, look)
    for plane in space.planes:
        if plane.name.startswith("/host:CPU"):
            reading.add(plane)
    return reading.pipeline(frozenset(stages), elements)


class _Span:
    """An event, while what is nested in it on its thread is read."""

    __slots__ = ("begin", "call", "end", "event", "inside", "kind", "ms", "of", "since")

    def __init__(self, event: Any, begin: int, kind: str, outer: _Span | None) -> None:
        self.event = event
        self.kind = kind
        self.begin = self.since = begin
        """`since`: what is nested has ended."""
        self.end = begin + event.duration_ps
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
    def __init__(self, label: Callable[[str], str], look: Callable[[Any, Any], None] | None) -> None:
        self._label = label
        self._look = look or _nothing
        self._with_operations = look is not None
        self._groups: dict[tuple[str, str], _Group] = {}
        self._by_number: dict[Any, _Group] = {}
        self._by_id: dict[tuple[int, int], _Group] = {}
        self._waits: list[_Wait] = []
        self._steps: list[tuple[int, int]] = []
        """Begin and length of the steps that are marked."""
        self._is_fit = False
        self._id, self._of_python = -1, [-1, -1, -1]
        """Keys of what events say."""
        self._work: dict[int, Work] = {}
        self._pieces: dict[int, list[Piece]] = {}
        self._operations: dict[int, set[str]] = {}
        """Of calls of functions, by their numbers."""
        self._callers: dict[int, _Span | int] = {}
        """Of each call of a function by its number: where it was called, or by which one."""

    def add(self, plane: Any) -> None:
        wanted = {key: (kind, m.name) for key, m in plane.event_metadata.items() if (kind := _kind(m.name))}
        names = {key: value.name for key, value in plane.stat_metadata.items()}
        number = next((key for key, name in names.items() if name == _STEP_NUMBER), -1)
        markers = dict.fromkeys(wanted, False) | {k: True for k, m in plane.event_metadata.items() if m.name == STEP}
        asked = plane.event_metadata.items() if self._with_operations else ()
        operations = {key: m.name for key, m in asked if _OPERATION.match(m.name)}
        others = operations.keys() - wanted.keys()
        keys = {name: key for key, name in names.items()}
        self._id, *self._of_python = (keys.get(n, -1) for n in ("id", "busy_us", "own_us", "own_processor_us"))
        for line in plane.lines:
            self._look(plane, line)
            base = line.timestamp_ns * 1000
            events = [event for event in line.events if event.metadata_id in wanted]
            if number >= 0 or True in markers.values():
                self._steps += _marked(line, markers, number)
                known = {plane.event_metadata[kind].name for kind, marks in markers.items() if marks}
                self._is_fit |= _OF_FIT in known or (STEP in known and _EPOCH in keys)
            events += islice((event for event in line.events if event.metadata_id in others), _OPERATIONS)
            events.sort(key=lambda event: (event.offset_ps, -event.duration_ps))
            # What is still running on this thread, outermost first.
            running: list[_Span] = []
            for event in events:
                begin = base + event.offset_ps
                while running and running[-1].end <= begin:
                    self._leave(running.pop())
                if event.metadata_id in operations:
                    self._note(operations[event.metadata_id], running)
                if event.metadata_id in others:
                    continue
                kind, name = wanted[event.metadata_id]
                span = _Span(event, begin, kind, running[-1] if running else None)
                self._enter(span, name, names, running[-1] if running else None)
                running.append(span)
            while running:
                self._leave(running.pop())

    def _note(self, name: str, running: list[_Span]) -> None:
        """That a function carries out an operation."""
        call = running[-1].call if running else 0
        if call and (call in self._operations or len(self._operations) < _CALLS_ASKED):
            self._operations.setdefault(call, set()).add(name)

    def _enter(self, span: _Span, name: str, names: dict[int, str], outer: _Span | None) -> None:
        if span.kind == "next":
            span.of = _Wait(span.begin, span.ms * 1e3)
            self._waits.append(span.of)
        elif span.kind == "iterator":
            span.of = group = self._group(span.event, name, names)
            group.calls += 1
            group.total_ms += span.ms
            each = group.iterators.setdefault(_number(span.event, self._id), [0, 0.0])
            each[0] += 1
            each[1] += span.ms
            group.self_ms += span.ms
            group.spans.append((span.begin, span.end))
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
                self._worked(outer, span.begin)
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
                owner.operations |= self._operations.get(call, set())
                owner.pieces += self._pieces.get(call, ())

    def _group(self, event: Any, name: str, names: dict[int, str]) -> _Group:
        """The group of an iterator. There may be millions of events, so most of them are not looked at closely."""
        number = _number(event, self._id)
        group = self._by_id.get((number, event.metadata_id))
        if group is not None and group.calls % _CLOSELY:
            return group
        stats = {names[stat.metadata_id]: value(stat, names) for stat in event.stats}
        label = self._label(str(stats.get("name", "")))
        if group is None:
            kind, *parts = name.split("::")
            path = "::".join(operation(part) for part in parts)
            if any(_MADE_INSIDE.search(part) for part in parts[:-1]):
                label = _NUMBERED.sub("", label)
            group = self._groups.setdefault((kind + path, label), _Group(path, label))
            if len(parts) > 1 and (branch := _BRANCH.search(parts[-2])):
                group.branch = int(branch[1])
            self._by_id[number, event.metadata_id] = self._by_number[stats.get("id")] = group
        if group.parent_id is None:
            group.parent_id = stats.get("parent_id")
        known = ((key, value) for key, value in stats.items() if key not in NOISE and value != _UNKNOWN)
        group.parameters.update(known)
        if isinstance(held := stats.get("buffered_elements"), int):
            group.parameters["most_elements"] = max(held, group.parameters.get("most_elements", 0))
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
            "waits_ps": sorted(wait.span for wait in self._waits if wait.root and tops[id(wait.root)] is chosen),
            "steps_ps": sorted(self._steps),
            "is_fit": self._is_fit,
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


def count(space: Any) -> int:
    """How many events a trace has."""
    return sum(len(line.events) for plane in space.planes for line in plane.lines)


def _kind(name: str) -> str:
    """What an event tells of, if anything."""
    if name.startswith(ITERATOR):
        return "iterator"
    if name.startswith(GET_NEXT):
        return "next" if name.endswith("::DoCompute") else ""
    if name.startswith(_CALLS):
        return "call"
    if name in _EXECUTES:
        return "executor"
    if name.endswith("Produce"):
        return "produce"
    if name.endswith(PYTHON_OPERATIONS):
        return "python operation"
    if name.endswith(_READS):
        return "files"
    return "python" if name == PYTHON else ""


def _nothing(plane: Any, line: Any) -> None:
    """Nobody wants to see it."""


def _marked(line: Any, markers: dict[int, bool], number: int) -> Iterator[Piece]:
    """Begin and length of the steps on a thread. All events of a name have the same figures: one of each is asked."""
    for event in line.events:
        kind = event.metadata_id
        if kind not in markers:
            markers[kind] = any(stat.metadata_id == number for stat in event.stats)
        if markers[kind]:
            yield line.timestamp_ns * 1000 + event.offset_ps, event.duration_ps


def _number(event: Any, key: int) -> int:
    """What an event says under this key. It is asked for all of them."""
    for stat in event.stats:
        if stat.metadata_id == key:
            return int(stat.int64_value or stat.uint64_value)
    return 0


def value(stat: Any, names: dict[int, str]) -> Any:
    """What an event says, with the texts that it refers to."""
    kind = stat.WhichOneof("value")
    said: Any = getattr(stat, kind) if kind else ""
    if kind == "ref_value":
        said = names.get(said, "")
    return {"true": True, "false": False}.get(said, said) if isinstance(said, str) else said


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
