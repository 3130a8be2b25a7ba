"""One profile: its steps, its pipeline and what its stages did, as a `Run` of `verify.model`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from itertools import pairwise
from typing import Any

from tfdata_lint.verify.agent import accelerators, trace, xplane
from tfdata_lint.verify.agent.recorder import operation
from tfdata_lint.verify.agent.watch import summary
from tfdata_lint.verify.model import ConsumerKind, Environment, Pipeline, Place, Run, Stage, Target
from tfdata_lint.verify.observe import pipeline
from tfdata_lint.verify.profile.files import File, Unreadable
from tfdata_lint.verify.profile.steps import Events, Piece, Share, covered

#: Bytes of events that are read: about a million events.
READ = 32_000_000
#: Where threads at work take so much of the cores, stages are slow for want of them.
TAKEN = 0.7
#: Fewer steps tell little.
FEW = 5
_NAMED = re.compile(r"([A-Za-z]\w*):(\d+)")
_CLASS = re.compile(r"\w+Dataset(V\d+)?")
_INJECTED = "inject/"
#: Ids of datasets without a number: those that functions make, or that old releases do not number.
_UNNUMBERED = 1_000_000


@dataclass(frozen=True, slots=True)
class Written:
    """A dataset as the program made it, before rewrites."""

    id: int
    kind: str
    """Its class: `MapDataset`; of one with a name of its own, the operation that ran."""
    number: int | None
    """The how-manieth dataset of the process it was; None of one that a function made."""
    name: str
    """Given by the program."""
    node: int


@dataclass(frozen=True, slots=True)
class Host:
    """What one profile says."""

    name: str
    path: str
    reading: Mapping[str, Any]
    """As `verify.agent.watch.reading` has it."""
    written: tuple[Written, ...]
    """Parents first; of fused ones the last first."""
    steps: tuple[Piece, ...]
    is_marked: bool
    """The program says where its steps begin; else they are from element to element."""
    is_fit: bool
    """That program is Keras, in `fit`."""
    in_python: bool
    """Elements were taken in Python, as JAX does: nothing is known of the stages."""
    categories: tuple[Share, ...]
    threads: float
    cores: int
    bits: tuple[int, int]
    """ps of devices with 16 bits and with more."""
    began: float | None
    """Seconds since 1970."""
    outside: float
    """The share of the waiting that lies outside of marked steps."""
    loops_in_graph: bool
    """Elements are taken by a loop inside a tf.function."""
    is_cut: bool = False
    """Only its first seconds were read."""
    seconds: float = 0.0
    notes: tuple[str, ...] = field(default=())
    """What cannot be told, and how to get it."""

    @property
    def waits(self) -> int:
        count: int = self.reading["waits"]["count"]
        return count

    def run(
        self, places: Mapping[int, Place] | None = None, consumer: Place | None = None, kind: ConsumerKind = "for"
    ) -> Run:
        """With the places of datasets, by their ids, as far as they are known. `kind`: what the source says that the
        consumer is."""
        known = places or {}
        nested = self._nested()
        stages = {
            one.id: Stage(
                one.id, operation(one.kind), nested=tuple(nested.get(one.id, ())),
                frames=(known[one.id],) if one.id in known else (),
            )
            for one in reversed(self.written)
        }  # fmt: skip
        reading = self.reading
        step = reading["steps"]["median"]
        row = {
            "root": self.written[0].id if self.written else 0, "consumer": "fit" if self.is_fit else kind, "number": 0,
            "frames": (), "stages": tuple(stages), "ended": False, "elements": self.waits, "first_element_s": 0.0,
            "settled": False, "problem": "", "cores_used": min(self.threads, self.cores) if self.cores else None,
            "windows": [(reading["seconds"], self.waits)] if self.waits else (), "step_ms": step / 1e3,
            "step_source": "fit" if self.is_fit else "loop", "waits": {"count": 0, "share": None},
            "reading": reading,
        }  # fmt: skip
        if self.loops_in_graph and not self.is_marked and kind == "for":
            row["consumer"] = "graph"
        if consumer:
            row["frames"] = (vars_of(consumer),)
        began = datetime.fromtimestamp(self.began, timezone.utc).isoformat(timespec="seconds") if self.began else ""
        return Run(
            target=Target("profile", self.path), interpreter="", network="open", began=began, seconds=self.seconds,
            environment=Environment("", "", "", self.cores, _gpus(reading), "") if self.cores else None,
            stages=tuple(stages.values()), pipelines=(self._told(pipeline(row, stages)),),
        )  # fmt: skip

    def _nested(self) -> Mapping[int, list[int]]:
        """What functions make, by the dataset whose function it is."""
        rows = self.reading["nodes"]
        made: dict[int, list[int]] = defaultdict(list)
        for one in self.written:
            node = rows[one.node]
            while one.number is None and node["parent"] is not None:
                node = rows[node["parent"]]
                if node["stages"] and node["stages"][0] < _UNNUMBERED:
                    made[node["stages"][0]].append(one.id)
                    break
        return made

    def _told(self, seen: Pipeline) -> Pipeline:
        """Where hardly anything was taken, what took long may have been the beginning of something else."""
        if self.python_rule(seen) and self.threads >= TAKEN * self.cores:
            # So many at most: its code may have waited.
            seen = replace(seen, cores_used=None)
        return seen if self.waits or self.loops_in_graph else replace(seen, bottleneck=None, input=None)

    def python_rule(self, seen: Pipeline) -> str:
        """The rule about the Python code that is the bottleneck; empty if it is none."""
        if not seen.bottleneck:
            return ""
        number = seen.bottleneck.node
        called = any(name.endswith(trace.PYTHON_OPERATIONS) for name in self.reading["nodes"][number]["operations"])
        return "TFD201" if seen.nodes[number].op == "Generator" else "TFD202" if called else ""


def vars_of(place: Place) -> dict[str, Any]:
    return {name: getattr(place, name) for name in place.__slots__}


def _gpus(reading: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(device["name"] for device in reading["devices"])


def read(file: File) -> Host:
    """Raises `Unreadable`."""
    try:
        space = xplane.load(file.path, READ)
        events = Events()
        events.add_devices(space)
        host = _host(file, space, trace.read(space, (), label=_labelled, look=events), events)
    except OSError as error:
        raise Unreadable(f"{file.path}: cannot be read: {error.strerror}") from None
    except ImportError:
        raise Unreadable("reading profiles needs protobuf: pip install 'protobuf>=4'") from None
    except (xplane.Unreadable, ValueError, KeyError, ArithmeticError) as error:
        why = error if isinstance(error, xplane.Unreadable) else f"it is damaged ({type(error).__name__})"
        raise Unreadable(f"{file.path}: {why}") from error
    if not (host.written or host.waits or host.is_marked or host.reading["devices"]):
        raise Unreadable(f"{file.path}: {'; '.join(host.notes)}")
    return host


def _labelled(name: str) -> str:
    """So that `stages_in` reads the numbers of datasets; what the runtime adds is named after what it stands behind."""
    return name if name.startswith(_INJECTED) else _NAMED.sub(r"\1:tfl_\2", name)


def _host(file: File, space: Any, found: dict[str, Any], events: Events) -> Host:
    waits: list[Piece] = [(begin, end) for begin, end in found["waits_ps"]]
    in_python = not waits and not found["nodes"] and bool(events.python_waits)
    if in_python:
        waits = events.python_waits
        events.layers["input"] += waits
    marks: list[Piece] = [(begin, begin + length) for begin, length in found["steps_ps"]]
    is_marked = len(marks) > 3
    waits = events.whole(waits)
    steps = _cycles(marks) if is_marked else _cycles([(end, end) for _, end in waits])
    is_graph = events.loops_in_graph and not waits
    written = _written(found["nodes"], _LOOPS if is_graph else frozenset())
    reading = {
        "nodes": found["nodes"], "calls_known": found["calls_known"], "last": found["last"],
        "timeline": found["timeline"], "ends": summary(found["ends_us"]), **_times(waits, steps, events),
        "devices": accelerators.devices(space, events.seconds or 1.0), "exported": "",
    }  # fmt: skip
    cores = next((int(row["parameters"].get("cpu_budget") or 0) for row in found["nodes"]), 0)
    threads = events.threads_at_work
    reading["usage"] = {"used": threads, "idle": None, "cores": cores, "taken": TAKEN} if cores else None
    inside = covered(waits, marks[1:-1])
    whole = (
        sum(end - begin for begin, end in waits if marks and marks[1][0] <= begin < marks[-1][0]) if marks[3:] else 0
    )
    is_fit = is_marked and found["is_fit"]
    return Host(
        file.host, file.path, reading, written, tuple(steps), is_marked, is_fit, in_python,
        tuple(events.categories(steps)), threads, cores, (events.bits[0], events.bits[1]), _began(space),
        1 - inside / whole if whole else 0.0, is_graph, space.is_cut, events.seconds,
        tuple(_notes(reading, found, is_marked, in_python, is_graph)),
    )  # fmt: skip


def _cycles(marks: Sequence[Piece]) -> list[Piece]:
    """From the beginning of each step to that of the next; the first and the last may be cut."""
    begins = sorted(begin for begin, _ in marks)[1:] if len(marks) > 3 else sorted(begin for begin, _ in marks)
    return [(one, other) for one, other in pairwise(begins) if other > one]


def _times(waits: Sequence[Piece], steps: Sequence[Piece], events: Events) -> dict[str, Any]:
    """How long was waited, of how long."""
    if not steps:
        return {"seconds": events.seconds or 1e-9, "waits": summary([]), "steps": summary([])}
    begin, end = steps[0][0], steps[-1][1]
    inside = [(end - begin) / 1e6 for begin, end in waits if begin < steps[-1][1] and end > steps[0][0]]
    summed = {**summary(inside), "sum": covered(waits, [(begin, end)]) / 1e6}
    lengths = [(end - begin) / 1e6 for begin, end in steps]
    return {"seconds": events.seconds, "waits": summed, "steps": {**summary(lengths), "sum": (end - begin) / 1e6}}


def _written(rows: Sequence[dict[str, Any]], loops: Collection[str]) -> tuple[Written, ...]:
    """The datasets of the program that nodes stand for. Their rows get their ids. `loops` consume them."""
    found: dict[int, Written] = {}
    for node, row in enumerate(rows):
        name, op = row["name"], row["path"].rpartition("::")[2]
        row["stages"] = []
        if op == "Root" or name.startswith(_INJECTED) or op in _LIBRARY or (op in loops and not found):
            continue
        named = [(kind, int(number)) for kind, number in re.findall(r"(\w+):tfl_(\d+)", name)]
        # Of fused ones the last comes first; one without a number is known by where it stands.
        is_class = bool(_CLASS.fullmatch(name))
        for kind, number in reversed(named) if named else [(name if is_class else op, None)]:
            key = _UNNUMBERED + node if number is None else number
            own = "" if is_class or number is not None else name
            found.setdefault(key, Written(key, kind, number, own, node))
            row["stages"] = [key, *row["stages"]]
    return tuple(found.values())


#: What only the runtime makes, or a tf.function around a loop.
_LIBRARY = frozenset(
    ("Model", "Options", "MaxIntraOpParallelism", "PrivateThreadPool", "Finalize", "AutoShard", "AssertNext")
)
#: What a tf.function makes of a loop over a dataset.
_LOOPS = frozenset(("Scan", "TakeWhile"))


def _began(space: Any) -> float | None:
    """When it was recorded."""
    for plane in space.planes:
        names = {key: meta.name for key, meta in plane.stat_metadata.items()}
        for stat in plane.stats:
            if names.get(stat.metadata_id) == "profile_start_time":
                return int(trace.value(stat, names)) / 1e9
    return None


def _notes(
    reading: Mapping[str, Any], found: Mapping[str, Any], is_marked: bool, in_python: bool, is_graph: bool
) -> Iterator[str]:
    if not found["nodes"] and not in_python:
        yield (
            "it holds no event of tf.data: no dataset was consumed while it was recorded, or by a process that was not"
            " profiled"
        )
        return
    if in_python:
        yield (
            "the stages: a profiler of JAX records none. Run TensorFlow's at the same time:"
            " `tf.profiler.experimental.start(logdir)` beside `jax.profiler.trace(logdir)`"
        )
    if not is_marked and reading["steps"]["count"]:
        mark = 'tf.profiler.experimental.Trace("train", step_num=step, _r=1)'
        mark = 'jax.profiler.StepTraceAnnotation("train", step_num=step)' if in_python else mark
        yield (
            "where a step begins, so that steps are from element to element. Mark them:"
            f" `with {mark}:` around fetching and training"
        )
    if 0 < reading["steps"]["count"] < FEW:
        few = reading["steps"]["count"]
        yield f"much: only {few} whole steps were recorded. Record ten: `TensorBoard(logdir, profile_batch=(10, 19))`"
    if found["nodes"] and not reading["waits"]["count"] and not is_graph:
        yield (
            "which stage is slow: no two elements were taken while it was recorded. Record for longer, and after the"
            " first steps"
        )
    if found["nodes"] and not any(row["name"] for row in found["nodes"]):
        yield "which dataset is which: this release of TensorFlow does not name them in a profile"
