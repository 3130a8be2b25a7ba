"""What a run gives: the nouns that measurement, judgement and reports are built on.

A `Run` is one execution of one target. It holds every dataset that the code made (`Stage`, with its places in the
source) and the pipelines that were observed (`Pipeline`). A pipeline's `nodes` are what the runtime really executed,
after its rewrites; each node names the stages it comes from, so a finding meets the runtime by `(file, end_row,
end_column)` of a call, as `Run.stages_at` does. Rows count from 1, columns from 0 in UTF-8 bytes, as in `Span`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

#: Goes up when a field changes its meaning or is taken away, not when one is added.
SCHEMA = 1

TargetKind = Literal["script", "function", "notebook", "profile"]

#: Why there is nothing to judge by. `Run.detail` says it in words.
Reason = Literal[
    "",  # it was observed
    "no-interpreter",  # no Python there, or none with TensorFlow
    "unsupported",  # TensorFlow's internals are not as the recorder needs them
    "no-consumption",  # it ran to its end and consumed no dataset
    "user-error",  # it raised, or exited by itself
    "needs-data",  # it raised because a file, a network or a dataset is missing
    "timeout",
    "memory",
    "crashed",  # the process was ended by a signal
    "interrupted",
    "budget",  # the time for all, `--verify-budget`, was over
]

Stop = Literal["interrupted", "budget"]  # from outside

ConsumerKind = Literal[
    "for",  # a Python loop, `iter`, `next`, `as_numpy_iterator`
    "fit", "evaluate", "predict",
    "graph",  # `for x in ds` inside a tf.function, or `Dataset.reduce`
    "distribute",  # a loop over `experimental_distribute_dataset(ds)`
    "returned",  # by the target function; drained by us
    "waiting",  # made but not consumed before the run was stopped; drained by us
]  # fmt: skip

Rewrite = Literal[
    "",  # as written
    "fused",  # several stages in one node
    "injected",  # by the runtime; it comes from no stage
    "parallelised",  # written sequential, run in parallel
]

Category = Literal[
    "demanded read",  # a source is read when an element is asked for
    "advanced read",  # a source is read ahead: under a prefetch, an interleave, a parallel map
    "preprocessing",
    "enqueue",  # handing over to the consumer: the last prefetch, batches on their way
]

Band = Literal["high", "moderate", "low", "unknown"]

#: What keeps a stage from computing, for most of its time.
WaitsFor = Literal[
    "",  # nothing, as far as can be told
    "lock",  # Python's: other threads run Python code
    "python",  # its Python code sleeps, or waits: for a network, a disk, another process
    "elsewhere",  # its Python code waits for other threads that it computes in, such as those of NumPy
    "files",  # files are read
]

Measure = Literal[
    "time", "processor",  # all cores are taken
    "work",  # so it seems in a profile, which holds no processor time: waiting for a core is part of it
    "threads",  # all of those are taken that carry out mapped functions
]  # fmt: skip

#: Shares of the step, as in the profiler's input-pipeline analyzer.
HIGH, MODERATE = 0.20, 0.05
#: Nothing more is begun then.
STOPPED: dict[Stop, str] = {
    "interrupted": "it was interrupted",
    "budget": "the time limit (--verify-budget) was reached",
}


@dataclass(frozen=True, slots=True)
class Target:
    """What to execute: `script.py -- a b`, `module.py::function`, `notebook.ipynb`."""

    kind: TargetKind
    path: str
    arguments: tuple[str, ...] = ()
    """Of a script."""
    function: str = ""
    keywords: Mapping[str, Any] = field(default_factory=dict)
    """Of the function; JSON values."""
    module: str = ""
    """Its name, if a script runs as a part of its package, as with `python -m`."""

    def __str__(self) -> str:
        if self.kind == "function":
            given = ", ".join(f"{name}={value!r}" for name, value in self.keywords.items())
            return f"{self.path}::{self.function}({given})"
        return " ".join((self.path, *self.arguments))


@dataclass(frozen=True, slots=True)
class Place:
    """A call in the user's source. Only `file` and `row` are always known (0: not known)."""

    file: str
    row: int
    column: int = -1
    end_row: int = 0
    end_column: int = -1
    function: str = ""

    @property
    def key(self) -> tuple[str, int, int]:
        """Unique for each call of a chain, unlike where it begins."""
        return self.file, self.end_row, self.end_column

    def __str__(self) -> str:
        return f"{self.file}:{self.row}"


@dataclass(frozen=True, slots=True)
class Stage:
    """One dataset that the code made. A call may make several (`TFRecordDataset` makes four, at one place)."""

    id: int
    op: str
    """As the runtime calls it, without `Dataset` and version: `Map`, `ParallelMap`, `Batch`, `FromGenerator`."""
    inputs: tuple[int, ...] = ()
    frames: tuple[Place, ...] = ()
    """The user's calls that led to it, innermost first (4 at most): the first is the call itself."""
    nested: tuple[int, ...] = ()
    """Those that its mapped function makes, as under `interleave`."""
    spec: str = ""
    """Its elements, shortened."""
    element_bytes: int | None = None
    """The size of one, if its spec tells."""
    function_rows: Mapping[str, Any] = field(default_factory=dict)
    """File → rows of the user's code that its mapped function was traced from, and what that calls."""
    draws: bool = False
    """Its mapped function makes random numbers that are others in each epoch."""

    @property
    def place(self) -> Place | None:
        return self.frames[0] if self.frames else None


@dataclass(frozen=True, slots=True)
class Slowest:
    """Of several iterators of one dataset, such as the files of an interleave, the one that took longest."""

    iterators: int
    """How many there were."""
    calls: int
    ms: float


@dataclass(frozen=True, slots=True)
class Node:
    """One iterator that the runtime executed during the trace; those of one dataset count together."""

    path: str
    """From the root, versions and indices removed: `Root::Prefetch::MapAndBatch`."""
    op: str
    parent: int | None
    """Index into `Pipeline.nodes`."""
    stages: tuple[int, ...] = ()
    """Which stages it comes from, upstream first; none if injected."""
    rewrite: Rewrite = ""
    calls: int = 0
    total_ms: float = 0.0
    """Summed time of all its calls, also of parallel ones: may exceed the wall."""
    self_ms: float = 0.0
    """Without what is nested in the same thread."""
    share: float = 0.0
    """`total_ms` of the wall of the trace."""
    parallelism: int | None = None
    """As the runtime set it last; None where it has none."""
    autotuned: bool = False
    category: Category = "preprocessing"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Whatever else the runtime says of it: `buffer_size`, `cycle_length`, `batch_size`, `deterministic`, …"""
    processor_ms: float | None = None
    """Processor time of its own work, in all threads; None where that cannot be told."""
    waiting_ms: Mapping[WaitsFor, float] = field(default_factory=dict)
    """And what it waited for."""
    own_code: tuple[float, float] | None = None
    """The share of a call that the user's own Python code takes, at least and at most: the rest calls and converts."""
    slowest: Slowest | None = None
    """None if it was one iterator."""


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of untraced consumption."""

    seconds: float
    elements: int


@dataclass(frozen=True, slots=True)
class Step:
    """What the consumer does with an element, the wait for it included."""

    median_ms: float
    source: Literal["fit", "loop", "graph", "given"]
    """`given`: by `--step-ms`, simulated by sleeping."""
    mean_ms: float | None = None
    """Untraced, as the median is; None of a tf.function."""


@dataclass(frozen=True, slots=True)
class Input:
    """Is the pipeline fast enough? By the share of the step that waits for input, not by the 50 µs of the guide."""

    share: float | None
    """None when there is no step to compare with: the pipeline was drained."""
    get_next_median_us: float
    get_next_p95_us: float
    waits: int
    """How many calls of GetNext these figures are from."""
    source: Literal["trace", "windows"]
    at_most: float | None = None
    """Where few waits were traced: the share, and all by which untraced steps took longer than their median."""

    @property
    def most(self) -> float:
        """What is certain not to be exceeded, as far as can be told; 0 without a share."""
        return max(self.share or 0.0, self.at_most or 0.0)

    @property
    def band(self) -> Band:
        if self.share is None:
            return "unknown"
        return "high" if self.share >= HIGH else "moderate" if self.share >= MODERATE else "low"


@dataclass(frozen=True, slots=True)
class Passes:
    """Epochs, for example: medians of the passes over the dataset that were seen whole, the first one left out."""

    count: int
    """0 where all of them were disturbed, by a trace: then nothing is known of their first steps."""
    late_ms: float
    """How much longer the first step of a pass takes than the others."""
    ms: float
    elements: int

    @property
    def late(self) -> float:
        """As a share of the pass."""
        return max(0.0, self.late_ms / self.ms)


@dataclass(frozen=True, slots=True)
class Buffer:
    """Memory that a stage holds: elements it keeps × the size of one."""

    node: int
    kind: Literal["cache", "shuffle", "prefetch"]
    elements: int | None
    """Held when last seen, by a shuffle at most; None where TensorFlow does not say (before 2.20)."""
    capacity: int | None
    """How many it may hold; None if there is no limit (a cache)."""
    element_bytes: int | None
    """None when an element's size is not known (strings, unknown shapes)."""
    held_bytes: int | None


@dataclass(frozen=True, slots=True)
class Device:
    """An accelerator while the pipeline was traced, by shares of that time."""

    name: str
    busy: float
    copying: float
    """Data of the host were copied to it."""
    transposing: float = 0.0
    """It transposed tensors."""
    converting: float = 0.0
    """It did so between channels first and channels last, for certain: the runtime or cuDNN say so."""


@dataclass(frozen=True, slots=True)
class RunnerUp:
    """The stage with the next largest share: where the time would go then."""

    node: int
    stage: int | None
    place: Place | None
    called_at: Place | None
    share: float


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """Where the time goes: found by descending from the root while the children account for half of the parent.

    Where all cores or threads are taken, and the stage that this leads to neither waits for anything else nor fills all
    those that it could use, it is the stage that uses them most.
    """

    node: int
    path: tuple[int, ...]
    """Nodes from the root to it: the critical path."""
    stage: int | None
    """The stage it stands for: of several fused ones the first. None if the runtime put the node there."""
    place: Place | None
    """The call that makes it."""
    called_at: Place | None = None
    """Where the function is called in which that call stands, if it stands in one."""
    share: float = 0.0
    """Its own part of the time, the processor time, or the time of threads that the pipeline takes."""
    by: Measure = "time"
    """What the shares are of."""
    waits_for: WaitsFor = ""
    runner_up: RunnerUp | None = None
    untraced: int | None = None
    """A node that gave from its buffer while it was traced: what fills that may be slower."""


@dataclass(frozen=True, slots=True)
class Row:
    """When a stage was at work, or when the consumer waited or took its step."""

    op: str
    """Empty of the consumer."""
    what: Literal["work", "wait", "step"]
    lanes: tuple[tuple[int, ...], ...]
    """Of what was done at once: begin, end, begin, end, … in ticks."""
    node: int | None = None
    """Index into `Pipeline.nodes`; None of the consumer, and in a comparison."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """What ran when, while the consumer took a few elements."""

    elements: int
    ticks: int
    """How long that took."""
    tick_ms: float
    rows: tuple[Row, ...]
    """Those that could be seen: the consumer's last, of the stages parents first."""

    @property
    def ms(self) -> float:
        return self.ticks * self.tick_ms


@dataclass(frozen=True, slots=True)
class Pipeline:
    """One consumed dataset, observed."""

    root: int
    """The id of its last stage."""
    consumer: ConsumerKind
    number: int = 0
    """Which one of its kind of consumer: with that, the same in every run of the target, and of a fixed target."""
    frames: tuple[Place, ...] = ()
    """Where it is consumed, innermost first."""
    taken_at: tuple[Place, ...] = ()
    """Where `next` takes its elements, which may be elsewhere than where its iterator is made."""
    stages: tuple[int, ...] = ()
    """The ids of all its stages, upstream first; those in mapped functions included."""
    ended: bool = False
    """It ended by itself before it was fully observed; fields without figures keep their defaults."""
    elements: int = 0
    """How many were consumed in all."""
    taken: int | None = None
    """And by the code itself, if it was over before it was observed."""
    first_element_s: float = 0.0
    """From asking for an iterator to the first element."""
    drained: bool = False
    """Its figures are of consuming it as fast as it goes, by us: nobody does, or who did ended before."""
    repeated: bool = False
    """It ended, and Keras did the same again and again for us."""
    settled: bool = False
    """Three windows agreed within 10 % before it was measured."""
    windows: tuple[Window, ...] = ()
    elements_per_s: float | None = None
    """Median of the windows: untraced."""
    passes: Passes | None = None
    whole_passes: int = 0
    """How often the code itself read it to its end."""
    step: Step | None = None
    input: Input | None = None
    limited_by: Literal["input", "consumer", "unknown"] = "unknown"
    nodes: tuple[Node, ...] = ()
    """Parents before children; the first is the root."""
    bottleneck: Bottleneck | None = None
    categories: Mapping[Category, float] = field(default_factory=dict)
    """Shares of the time spent in iterators, waiting of prefetches left out; they sum to 1."""
    prefetched: Literal["", "code", "runtime"] = ""
    """Is there a buffer between the pipeline and its consumer, and who put it there."""
    buffers: tuple[Buffer, ...] = ()
    cores_used: float | None = None
    """Processor time of the process / wall, in the untraced windows."""
    cores_of_others: float | None = None
    """What other programs had while it was traced; None where no system tells."""
    devices: tuple[Device, ...] = ()
    trace_seconds: float = 0.0
    timeline: Timeline | None = None
    problem: str = ""
    """What could not be observed, in words."""

    @property
    def key(self) -> tuple[ConsumerKind, int]:
        """Where a run can be held to ask more about this pipeline."""
        return self.consumer, self.number


@dataclass(frozen=True, slots=True)
class Environment:
    """Where it ran."""

    python: str
    tensorflow: str
    keras: str
    cores: int
    gpus: tuple[str, ...]
    platform: str


@dataclass(frozen=True, slots=True)
class Output:
    """What the program printed: its beginning and end, and how much it was."""

    head: str = ""
    tail: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """One execution of one target, and everything that was seen."""

    target: Target
    interpreter: str
    reason: Reason = ""
    """Empty when at least one pipeline was observed. With a reason, `pipelines` may still hold some."""
    detail: str = ""
    place: Place | None = None
    """Where the user's code raised or hung, if it did."""
    environment: Environment | None = None
    network: Literal["blocked", "blocked in Python", "open"] = "blocked"
    """`blocked in Python`: sockets of Python code only; TensorFlow's own file systems could still connect."""
    copied: tuple[str, ...] = ()
    """Folders of which each execution had a copy of its own: nothing that was written or deleted there is so."""
    written: tuple[str, ...] = ()
    """Paths, in a temporary folder relative ones: all in the copies, and elsewhere those that Python code wrote."""
    deleted: tuple[str, ...] = ()
    downloaded: tuple[str, ...] = ()
    """Addresses, as far as Python's own library was used."""
    stages: tuple[Stage, ...] = ()
    pipelines: tuple[Pipeline, ...] = ()
    profiled: bool = False
    """Did the code start a profile of its own?"""
    output: Output = Output()
    began: str = ""
    """When, in UTC: `2025-01-31T12:00:00+00:00`."""
    load: float | None = None
    """Processes that wanted a core, on average of the minute before; None where no system tells."""
    seconds: float = 0.0
    peak_memory: int = 0
    """Bytes resident, all processes of the run together."""
    schema: int = SCHEMA

    def stage(self, number: int) -> Stage:
        return next(stage for stage in self.stages if stage.id == number)

    def stages_at(self, file: str, end_row: int, end_column: int) -> Iterator[Stage]:
        """The datasets that the call which ends there made; `file` as `os.path.realpath` gives it."""
        return (stage for stage in self.stages if stage.place and stage.place.key == (file, end_row, end_column))

    def stages_tracing(self, file: str, first: int, last: int) -> Iterator[Stage]:
        """Those with code from these rows in their mapped functions; not those around them."""
        found = {s.id: s for s in self.stages if any(first <= row <= last for row in s.function_rows.get(file, ()))}
        return (stage for stage in found.values() if not found.keys() & set(stage.nested))

    def above(self, numbers: Iterable[int], but: Collection[int] = ()) -> set[int]:
        """These stages and all that they take elements from, as far as one of those left out."""
        inputs = {stage.id: stage.inputs for stage in self.stages}
        found, left = set[int](), list(numbers)
        while left:
            if (number := left.pop()) not in found and number not in but:
                found.add(number)
                left += inputs.get(number, ())
        return found

    @property
    def stopped_at(self) -> tuple[ConsumerKind, int] | None:
        """The pipeline that outlasted its observation, at which the code went no further."""
        seen = (p.key for p in reversed(self.pipelines) if not p.ended and not p.problem)
        return next((key for key in seen if key[0] not in ("returned", "waiting")), None)
