"""What the steps of a profile consist of: the categories of TensorFlow's profiler, in its order."""

from __future__ import annotations

import re
import statistics
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

#: Begin and end, in ps.
Piece = tuple[int, int]

#: What of a step is counted as what: of things at the same time the first one. The rest is "all others".
CATEGORIES = (
    "device compute", "device to device", "output", "input", "kernel launch", "compilation", "host compute",
)  # fmt: skip
OTHERS = "all others"
#: Events in which a thread does nothing but wait for others, or which only frame what happens.
_WAITING = re.compile(
    r"IteratorGetNext|Iterator::(.*(Prefetch|Parallel\w*|MapAndBatch)(\[\d+\])?|Root)$|Profiled batch|train$|\$"
    r"|PjitFunction|.*(Produce|wait for completion|Await|BlockUntilReady)$"
)
_ON_HOST = (
    ("input", re.compile(r"IteratorGetNext.*::DoCompute|.*(MemcpyH2D|InfeedEnqueue)")),
    ("kernel launch", re.compile(r"(cuda|hip|cu)Launch|LaunchKernel")),
    ("compilation", re.compile(r"(?i).*(xla|mlir|pjrt|backend|tfrt|hlo).*compile")),
)
_ON_DEVICE = (
    ("device to device", re.compile(r"(?i).*(memcpyd2d|memcpyp2p|nccl|all-?reduce|all-?gather|collective)")),
    ("output", re.compile(r"(?i).*(memcpyd2h|outfeed)")),
    ("input", re.compile(r"(?i).*(memcpyh2d|infeed)")),
)
_DEVICE = re.compile(r"/device:(GPU|TPU):\d+")
_DEVICE_LINES = re.compile(r"Stream|XLA Ops")
_16_BITS = re.compile(r"(?i).*(bf16|fp16|f16|half|h\d+gemm|\dh\d*_)")
#: What Python calls to take an element, and for any other operation that is run eagerly.
_EAGERLY = "TFE_Py_FastPathExecute_C"
#: JAX takes elements in Python, and TensorFlow's events are in a recorder of their own.
_PYTHON_NEXT = re.compile(r"\$(dataset_ops|iterator_ops)\.py:\d+ (__next__|_next_internal)$")
_WORK = ("", _EAGERLY)
_OF_DATA = "tf_data_"
#: Events of a thread that are looked at for what it does.
_MOST = 300_000


class Share(NamedTuple):
    """A category of the steps: milliseconds of a step, and the share of all of them."""

    name: str
    share: float
    mean_ms: float
    deviation_ms: float
    least_ms: float
    most_ms: float


class Events:
    """What a profile says beside its input. It is shown each line of the host, and asked about the devices."""

    def __init__(self) -> None:
        self.begin = self.end = 0
        """Of all of the host's events, in ps."""
        self.at_work = 0.0
        """Threads that do something at a time, on average; one that waits for a core counts."""
        self.python_waits: list[Piece] = []
        self.loops_in_graph = False
        """A tf.function loops over a dataset."""
        self.bits = [0, 0]
        """ps of devices with 16 and with more bits."""
        self.layers: dict[str, list[Piece]] = defaultdict(list)
        self._calls: list[Piece] = []
        self._busy: list[tuple[int, int, int]] = []
        self._kinds: dict[int, dict[int, str]] = {}

    def __call__(self, plane: Any, line: Any) -> None:
        """Look at a thread."""
        kinds = self._kinds.setdefault(id(plane), {key: _kind(m.name) for key, m in plane.event_metadata.items()})
        self.loops_in_graph |= any(m.name.startswith("ReduceIterator::") for m in plane.event_metadata.values())
        base = line.timestamp_ns * 1000
        events = sorted((base + e.offset_ps, -e.duration_ps, kinds.get(e.metadata_id, "")) for e in line.events[:_MOST])
        if not events:
            return
        begin, end = events[0][0], max(at - length for at, length, _ in events)
        self.begin, self.end = min(self.begin or begin, begin), max(self.end, end)
        self._busy.append((begin, end, _at_work(events)))
        for name in ("input", "kernel launch", "compilation"):
            self.layers[name] += [(at, at - length) for at, length, kind in events if kind == name]
        self.python_waits += _outermost((at, at - length) for at, length, kind in events if kind == "python next")
        if not line.name.startswith(_OF_DATA):
            self.layers["host compute"] += _outermost((at, at - length) for at, length, kind in events if kind in _WORK)
            self._calls += [(at, at - length) for at, length, kind in events if kind == _EAGERLY]

    def whole(self, waits: Iterable[Piece]) -> list[Piece]:
        """With what Python's call takes around them, as `--verify` times them."""
        calls = sorted(self._calls)
        found = []
        for begin, end in waits:
            around = calls[max(0, bisect_right(calls, (begin, end)) - 1)] if calls else (begin, end)
            found.append(around if around[0] <= begin and end <= around[1] else (begin, end))
        self.layers["input"] += found
        return found

    def add_devices(self, space: Any) -> None:
        """What the accelerators did."""
        for plane in space.planes:
            if not _DEVICE.match(plane.name):
                continue
            names = {key: meta.name for key, meta in plane.event_metadata.items()}
            for line in plane.lines:
                if _DEVICE_LINES.match(line.name):
                    self._add_stream(line, names)

    def _add_stream(self, line: Any, names: Mapping[int, str]) -> None:
        for event in line.events:
            name = names.get(event.metadata_id, "")
            begin = line.timestamp_ns * 1000 + event.offset_ps
            what = next((what for what, known in _ON_DEVICE if known.match(name)), "device compute")
            self.layers[what].append((begin, begin + event.duration_ps))
            if what == "device compute":
                self.bits[not _16_BITS.match(name)] += event.duration_ps

    @property
    def seconds(self) -> float:
        return (self.end - self.begin) / 1e12

    @property
    def threads_at_work(self) -> float:
        """On average of the time; of a thread with too many events, as in the part that was looked at."""
        whole = max(1, self.end - self.begin)
        # A part that was cut off is taken to go on as it was.
        return sum(busy / max(1, end - begin) * min(1.0, (end - begin) / whole) for begin, end, busy in self._busy)

    def categories(self, steps: Sequence[Piece]) -> list[Share]:
        """Of steps, by begin and end."""
        spent: list[tuple[str, list[float]]] = []
        union: list[Piece] = []
        before = [0] * len(steps)
        for name in CATEGORIES:
            union = merged([*union, *self.layers.get(name, ())])
            covered = _covered(union, steps)
            spent.append((name, [(one - other) / 1e9 for one, other in zip(covered, before, strict=True)]))
            before = covered
        lengths = [(end - begin) / 1e9 for begin, end in steps]
        spent.append((OTHERS, [length - one / 1e9 for length, one in zip(lengths, before, strict=True)]))
        whole = sum(lengths) or 1.0
        return [
            Share(name, sum(ms) / whole, statistics.fmean(ms), statistics.pstdev(ms), min(ms), max(ms))
            for name, ms in spent
            if ms
        ]


def _kind(name: str) -> str:
    if name == _EAGERLY:
        return name
    if _PYTHON_NEXT.match(name):
        return "python next"
    found = next((what for what, known in _ON_HOST if known.match(name)), "")
    return found or ("waiting" if _WAITING.match(name) else "")


def _at_work(events: Sequence[tuple[int, int, str]]) -> int:
    """The ps of a thread's events in which it does not wait, each moment once."""
    busy = 0
    running: list[tuple[int, bool]] = []
    for begin, length, kind in events:
        while running and running[-1][0] <= begin:
            running.pop()
        works, end = kind in (*_WORK, "compilation"), begin - length
        if works:
            busy -= length
        if running and running[-1][1]:
            busy -= min(end, running[-1][0]) - begin
        running.append((end, works))
    return busy


def _outermost(pieces: Iterable[Piece]) -> list[Piece]:
    """Of pieces in order those that are not inside of others."""
    found: list[Piece] = []
    for begin, end in pieces:
        if not found or begin >= found[-1][1]:
            found.append((begin, end))
    return found


def merged(pieces: Iterable[Piece]) -> list[Piece]:
    """The same time without overlaps, in order."""
    found: list[Piece] = []
    for begin, end in sorted(pieces):
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((begin, end))
    return found


def _covered(pieces: Sequence[Piece], steps: Sequence[Piece]) -> list[int]:
    """How much of each step lies in these, which are in order and do not overlap."""
    begins = [begin for begin, _ in pieces]
    sums = [0, *accumulate(end - begin for begin, end in pieces)]
    before = [_before(at, pieces, begins, sums) for step in steps for at in step]
    return [end - begin for begin, end in zip(before[::2], before[1::2], strict=True)]


def _before(at: int, pieces: Sequence[Piece], begins: Sequence[int], sums: Sequence[int]) -> int:
    number = bisect_right(begins, at)
    return sums[number] - max(0, pieces[number - 1][1] - at) if number else 0


def covered(pieces: Iterable[Piece], times: Sequence[Piece]) -> int:
    """How much of some times lies in these. All at once: a profile may have a hundred thousand of both."""
    return sum(_covered(merged(pieces), times))
