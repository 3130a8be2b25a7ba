"""What to do next, from what was observed: with a finding or without one.

Each function asks for one thing, and says nothing unless the figures that it rests on are there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from tfdata_lint.verify.judge import Verdict
from tfdata_lint.verify.model import MODERATE, Buffer, Node, Pipeline, Place, Run
from tfdata_lint.verify.observe import TAKEN

Kind = Literal[
    "fix",  # a finding whose fix was measured to be faster
    "enough",  # nothing is to be done
    "busy-machine",  # other programs have the cores
    "refill",  # each pass begins with filling a shuffle buffer
    "pass",  # each pass begins late
    "slow-file",  # one of several that are read in turns
    "lock",  # Python's
    "python",  # its Python code waits
    "files",  # whole files are read, and waited for
    "vectorise",  # calling the function takes as long as the function
    "cheaper",  # all cores are at work, in parallel
    "parallel",  # one thread is at work, and cores are free
    "prefetch",
    "cache",  # what is made again in each pass
    "memory",
    "first-element",
]

#: Advice for one pipeline.
MOST = 3
#: A stage that was called less often says little.
_FEWEST_CALLS = 6
#: Fewer waits do not show that there are no others.
_FEWEST_WAITS = 4
#: Shares that are worth a word, and that are not.
_MUCH, _HARDLY = 0.5, 0.05
#: From so much of a core on, it is free or taken.
_CORE = 0.7
#: Calling a function takes so long that one as short as this gains by being called for whole batches.
_SHORT_US = 50.0
#: The work of filling a buffer explains a wait if it is so many times as long.
_EXPLAINS = (0.4, 4.0)
#: One file is slow if its elements take so many times as long as the others'.
_SLOW = 4.0
_FIRST_S = 3.0
_GIB = 2**30
_KERAS = ("fit", "evaluate", "predict")
#: Stages that take a function, and those that can work in parallel if they are told to.
_MAPS = ("Map", "ParallelMap", "MapAndBatch")
_PARALLEL = ("Parallel", "MapAndBatch")


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to do."""

    kind: Kind
    what: str
    """A sentence."""
    why: str
    """The figures that it rests on."""
    place: Place | None = None
    """The line to change."""


def advise(run: Run, number: int, verdicts: Sequence[Verdict] = ()) -> tuple[Advice, ...]:
    """What to do about a pipeline, what gains most first. What was measured and is no faster is not advised."""
    seen = _Seen(run, run.pipelines[number])
    if not seen.is_enough:
        return ()
    own = [verdict for verdict in verdicts if verdict.pipeline == number]
    fix = _fix(own)
    if enough := _enough(seen):
        return tuple(advice for advice in (fix, enough, _memory(seen)) if advice)
    tried = {verdict.place.key for verdict in own if verdict.outcome in ("refuted", "harmful") and verdict.comparison}
    fixed = {verdict.place.key for verdict in own if verdict.outcome == "confirmed" and verdict.comparison}
    found = [advice for ask in _order(seen) if (advice := ask(seen))]
    left = [one for one in found if not (one.place and one.kind in _TRIED and one.place.key in tried | fixed)]
    return tuple([fix, *left] if fix else left)[:MOST]


def _order(seen: _Seen) -> Sequence[Callable[[_Seen], Advice | None]]:
    """Where most of the waiting is at the beginning of passes, that first."""
    passes, waited = seen.pipeline.passes, seen.pipeline.input
    starts = passes.late if passes else 0.0
    share = waited.share if waited and waited.share is not None else 1.0
    first = (_late, _stage) if starts >= _MUCH * share else (_stage, _late)
    return (_busy_machine, *first, _prefetch, _cache, _memory, _first_element)


class _Seen:
    """A pipeline, and what several ask about it."""

    def __init__(self, run: Run, pipeline: Pipeline) -> None:
        self.run = run
        self.pipeline = pipeline
        self.nodes = pipeline.nodes
        self.found = pipeline.bottleneck
        self.node = pipeline.nodes[self.found.node] if self.found else None
        self.cores = run.environment.cores if run.environment else 0

    @property
    def is_enough(self) -> bool:
        """To say anything: not what was made beside the pipeline that the code consumes, or hardly ran."""
        consumed = self.pipeline.consumer != "waiting" or all(p.consumer == "waiting" for p in self.run.pipelines)
        return consumed and self.node is not None and self.node.calls >= _FEWEST_CALLS

    @property
    def all_cores_busy(self) -> bool:
        used = self.pipeline.cores_used
        return used is not None and self.cores > 0 and used >= TAKEN * self.cores

    @property
    def free_cores(self) -> float:
        """That nobody has; 0 if it is not known."""
        used, others = self.pipeline.cores_used, self.pipeline.cores_of_others
        return max(0.0, self.cores - used - (others or 0.0)) if used is not None else 0.0

    @property
    def fills_its_thread(self) -> bool:
        """The bottleneck works in one thread, and that has no time left."""
        wall_ms = self.pipeline.trace_seconds * 1e3
        return self.node is not None and (self.node.processor_ms or 0.0) >= TAKEN * wall_ms > 0

    def place(self, number: int) -> Place | None:
        """The call that makes a node: of several fused ones the first."""
        stages = self.nodes[number].stages
        return self.run.stage(stages[0]).place if stages else None

    def above(self, number: int) -> list[int]:
        found = []
        parent = self.nodes[number].parent
        while parent is not None:
            found.append(parent)
            parent = self.nodes[parent].parent
        return found

    def below(self, number: int) -> list[int]:
        """All that it takes elements from, nearest first."""
        return [other for other in range(len(self.nodes)) if number in self.above(other)]

    def child(self, number: int) -> Node | None:
        return next((node for node in self.nodes if node.parent == number), None)

    def elements(self, number: int) -> int:
        """How many a node was asked for: of a fused map and batch those in the batches."""
        child = self.child(number)
        return child.calls if child and self.nodes[number].op == "MapAndBatch" else self.nodes[number].calls

    def in_a_pass(self, number: int) -> float | None:
        """How many elements a node gives in a pass; None if none was seen."""
        passes = self.pipeline.passes
        calls = self.nodes[0].calls
        return passes.elements * self.nodes[number].calls / calls if passes and calls else None


def _fix(verdicts: Sequence[Verdict]) -> Advice | None:
    faster = [
        (verdict, seen)
        for verdict in verdicts
        if verdict.outcome == "confirmed" and (seen := verdict.comparison) and seen.decision == "faster"
    ]
    if not faster:
        return None
    best, seen = max(faster, key=lambda one: one[1].ratio)
    what = f"Make the fix of {best.code}: {best.fix}"
    return Advice(
        "fix", what, f"measured: {seen.ratio:.2f} times as fast ({seen.low:.2f} to {seen.high:.2f})", best.place
    )


def _enough(seen: _Seen) -> Advice | None:
    pipeline = seen.pipeline
    waited, passes = pipeline.input, pipeline.passes
    if pipeline.limited_by != "consumer" or waited is None or waited.share is None:
        return None
    if passes and passes.late >= MODERATE:
        return None
    why = f"{waited.share:.1%} of its time it waits for input"
    if waited.at_most is not None:
        why += f", and {waited.at_most:.1%} at most, as untraced steps tell; {_count(waited.waits, 'wait')} traced"
    if waited.most >= MODERATE or waited.waits < _FEWEST_WAITS:
        return Advice("enough", "Nothing for certain: the input seems fast enough, but little of it was seen", why)
    what = "Nothing: the input is fast enough, and what takes the time is the step of its consumer"
    return Advice("enough", what, why)


def _busy_machine(seen: _Seen) -> Advice | None:
    used, others = seen.pipeline.cores_used, seen.pipeline.cores_of_others
    if used is None or others is None or others < max(_CORE, 0.2 * seen.cores) or seen.free_cores >= _CORE:
        return None
    if seen.found and seen.found.waits_for:
        return None
    what = "Verify it again when the machine is quiet: other programs have cores that the input could use"
    return Advice("busy-machine", what, f"they had {others:.1f} of {seen.cores} cores, this program {used:.1f}")


# ── the beginning of a pass ─────────────────────────────────────────────────────────────────────────────────────────


def _late(seen: _Seen) -> Advice | None:
    passes = seen.pipeline.passes
    if not passes or passes.late < MODERATE:
        return None
    # Which epochs of `fit` end by its own count of steps, which one left out is the last.
    count = passes.elements + (seen.pipeline.consumer in _KERAS)
    why = f"an epoch takes {_time(passes.ms)}; its first step takes {_time(passes.late_ms)} longer than the others"
    one = (
        f"and `steps_per_epoch={count}`" if seen.pipeline.consumer == "fit" else "and take all epochs from one iterator"
    )
    shuffle = _filled(seen, passes.late_ms)
    if shuffle is None:
        what = f"Append `repeat()` {one}: the next epoch is begun during the last"
        return Advice("pass", what, why, seen.place(_last(seen)))
    why += f", while the shuffle buffer is filled with {_buffered(seen, shuffle):,} elements again"
    what = f"Put `repeat()` right behind the shuffle {one}: its buffer stays full{_or_before(seen, shuffle)}"
    return Advice("refill", what, why, seen.place(shuffle))


def _first_element(seen: _Seen) -> Advice | None:
    """In `fit` it is not known: a model is built in the first step."""
    first_s = seen.pipeline.first_element_s
    if seen.pipeline.consumer in (*_KERAS, "graph") or first_s < _FIRST_S:
        return None
    shuffle = _filled(seen, first_s * 1e3)
    if shuffle is None:
        return None
    size = f"{_buffered(seen, shuffle):,} elements"
    why = f"the first element took {first_s:.1f} s, while the shuffle buffer was filled with {size}; each iterator does so"
    what = f"To begin sooner, make the shuffle buffer smaller{_or_before(seen, shuffle)}"
    return Advice("first-element", what, why, seen.place(shuffle))


def _or_before(seen: _Seen, shuffle: int) -> str:
    """Where a map does nearly all the work that fills the buffer, it can come later."""
    costly = _costly_below(seen, shuffle)
    at = seen.place(costly) if costly is not None else None
    return f"; or shuffle before the map of line {at.row}, which does most of the work" if at else ""


def _filled(seen: _Seen, ms: float) -> int | None:
    """The shuffle whose buffer takes about so long to be filled, by the work that an element is."""
    for number, node in enumerate(seen.nodes):
        size = _buffered(seen, number) if node.op.startswith("Shuffle") else 0
        slowest = max((_each_ms(seen, number, other) for other in seen.below(number)), default=0.0)
        if _EXPLAINS[0] * ms <= size * slowest <= _EXPLAINS[1] * ms:
            return number
    return None


def _buffered(seen: _Seen, number: int) -> int:
    """Elements in the full buffer of a shuffle."""
    size = int(seen.nodes[number].parameters.get("buffer_size") or 0)
    there = seen.in_a_pass(number)
    return size if there is None else min(size, round(there))


def _each_ms(seen: _Seen, shuffle: int, number: int) -> float:
    """How long a node below a shuffle works for each of its elements, as far as it does so one after the other."""
    child = seen.child(shuffle)
    if child is None or not child.calls:
        return 0.0
    return _work(seen.nodes[number]) / (seen.nodes[number].parallelism or 1) / child.calls


def _costly_below(seen: _Seen, shuffle: int) -> int | None:
    """The map below a shuffle that does nearly all the work there."""
    work = {number: _each_ms(seen, shuffle, number) for number in seen.below(shuffle)}
    most = max(work, key=work.__getitem__)
    is_map = seen.nodes[most].op in _MAPS and seen.place(most) is not None
    return most if is_map and work[most] >= (1 - _HARDLY) * sum(work.values()) else None


def _work(node: Node) -> float:
    if node.processor_ms is None:
        return 0.0 if node.op.startswith(_PARALLEL) else node.self_ms
    return node.processor_ms + sum(node.waiting_ms.values())


def _last(seen: _Seen) -> int:
    """The node of the last stage that the code made."""
    return next((number for number, node in enumerate(seen.nodes) if node.stages), 0)


# ── the stage that takes longest ────────────────────────────────────────────────────────────────────────────────────


def _stage(seen: _Seen) -> Advice | None:
    return next((advice for ask in _STAGE if (advice := ask(seen))), None)


def _waiting(seen: _Seen) -> Advice | None:
    """What keeps it from computing."""
    assert seen.found and seen.node
    node, at = seen.node, seen.found.place
    waited = sum(node.waiting_ms.values())
    if not seen.found.waits_for or not waited or at is None:
        return None
    part = waited / (waited + (node.processor_ms or 0.0))
    if seen.found.waits_for == "lock":
        what = "Write it with TensorFlow's operations, or call it for whole batches: more parallel calls cannot help"
        why = f"for {part:.0%} of its time it waits for Python's lock, which only one thread has at a time"
        return Advice("lock", what, why, at)
    if seen.found.waits_for == "files":
        what = "Put many examples into one file (TFRecord), or keep the files on a faster disk"
        return Advice("files", what, f"for {part:.0%} of its time it reads whole files", at)
    why = f"for {part:.0%} of its time its Python code sleeps or waits, {_at_once(node)}"
    if node.op == "Generator":
        under = next((seen.nodes[n] for n in seen.above(seen.found.node) if "Interleave" in seen.nodes[n].op), None)
        more = "Run more generators at once: a larger `cycle_length` of the interleave"
        one = "Run several generators at once: `interleave(…, num_parallel_calls=tf.data.AUTOTUNE)` over parts of the data"
        return Advice("python", more if under else one, why, at)
    if node.op not in _MAPS:
        return None
    many = 4 * max(seen.cores, node.parallelism or 1)
    threads = int(seen.nodes[0].parameters.get("threadpool_size") or 0)
    pool = f", and as many threads: `options.threading.private_threadpool_size = {many}`" if threads < many else ""
    if threads:
        why += f"; the runtime has {_count(threads, 'thread')} for them"
    return Advice("python", f"Let more calls wait at once: `num_parallel_calls={many}`{pool}", why, at)


def _vectorise(seen: _Seen) -> Advice | None:
    """Each call of a function costs some microseconds, whatever it does."""
    assert seen.found and seen.node
    node, at = seen.node, seen.found.place
    calls = seen.elements(seen.found.node)
    batched = node.op == "MapAndBatch" or any("Batch" in seen.nodes[n].op for n in seen.above(seen.found.node))
    if node.op not in _MAPS or not batched or not calls or not node.processor_ms or at is None:
        return None
    us = node.processor_ms / calls * 1e3
    if us > _SHORT_US or seen.found.share < _MUCH:
        return None
    what = "Batch before the map and let its function work on whole batches, if it can"
    return Advice(
        "vectorise", what, f"a call takes {us:.0f} µs, much of which is the calling; there were {calls:,}", at
    )


def _cheaper(seen: _Seen) -> Advice | None:
    assert seen.found and seen.node
    used, others = seen.pipeline.cores_used or 0.0, seen.pipeline.cores_of_others or 0.0
    parallel = seen.node.op.startswith(_PARALLEL) and (seen.node.parallelism or 1) > 1
    taken = seen.all_cores_busy or (seen.found.by == "processor" and used + others >= TAKEN * seen.cores)
    if not taken or not (parallel or seen.all_cores_busy) or seen.found.place is None:
        return None
    what = f"Make {_name(seen.node)} cheaper (less to decode, smaller pictures, fewer operations), or use more cores"
    why = f"{used:.1f} of {seen.cores} cores are at work"
    why += f", and other programs have {others:.1f}" if others >= _CORE / 2 and not seen.all_cores_busy else ""
    if seen.found.by == "processor":
        why += f", {seen.found.share:.0%} of that in this stage"
    return Advice("cheaper", what, f"{why}: more parallel calls cannot help", seen.found.place)


def _parallel(seen: _Seen) -> Advice | None:
    """It is at work in one thread, or in fewer than there are cores."""
    assert seen.found and seen.node
    node, at = seen.node, seen.found.place
    if at is None or node.autotuned or (node.parallelism or 1) >= seen.cores:
        return None
    unused = seen.cores - (seen.pipeline.cores_used or seen.cores)
    if seen.free_cores < _CORE and not (seen.fills_its_thread and unused >= _CORE):
        return None
    what = _IN_PARALLEL.get(node.op)
    if what is None or seen.found.share < _MUCH:
        return None
    why = f"it takes {seen.found.share:.0%} of the {_BY[seen.found.by]}, {_at_once(node)}"
    return Advice("parallel", what, f"{why}; this program uses {seen.cores - unused:.1f} of {seen.cores} cores", at)


_BY = {"time": "time", "processor": "processor time", "threads": "time of the threads"}
_STAGE = (_slow_file, _waiting, _vectorise, _cheaper, _parallel)
_AUTOTUNE = "`num_parallel_calls=tf.data.AUTOTUNE`"
#: What makes a stage work in several threads.
_IN_PARALLEL = {
    "Map": f"Give the map {_AUTOTUNE}, if it does not matter in which order its function is called",
    "ParallelMap": f"Give the map {_AUTOTUNE}",
    "MapAndBatch": f"Give the map {_AUTOTUNE}, if it does not matter in which order its function is called",
    "Interleave": f"Give the interleave {_AUTOTUNE}",
    "ParallelInterleave": f"Give the interleave {_AUTOTUNE}, and a larger `cycle_length`",
    "Filter": f"Compute what it asks for in a map before it, with {_AUTOTUNE}: a filter works in one thread only",
    "Generator": f"Let the generator yield no more than names or indices, and do the work in a map with {_AUTOTUNE}",
    "TFRecord": f"Read several files at once, under `interleave(…, {_AUTOTUNE[1:]}",
    "FlatMap": f"Make it an `interleave` with {_AUTOTUNE}",
    "Batch": f"Give the batch {_AUTOTUNE}",
}
#: Advice that a fix may have tried already.
_TRIED: tuple[Kind, ...] = ("vectorise", "parallel", "prefetch", "python", "cheaper")


def _slow_file(seen: _Seen) -> Advice | None:
    """One iterator of an interleave takes longer than all others together."""
    assert seen.found
    for number, node in enumerate(seen.nodes):
        above = seen.above(number)
        each = node.slowest
        if not each or not above or "Interleave" not in seen.nodes[above[0]].op or above[0] not in seen.found.path:
            continue
        others = node.calls - each.calls
        if each.calls < _FEWEST_CALLS or others < _FEWEST_CALLS or each.ms < _MUCH * node.total_ms:
            continue
        times = each.ms / each.calls / max((node.total_ms - each.ms) / others, 1e-6)
        if times < _SLOW:
            continue
        interleave = seen.nodes[above[0]]
        why = f"one of {each.iterators} inputs takes {times:,.0f} times as long for an element as the others do"
        return Advice("slow-file", _not_in_turns(interleave), why, seen.place(above[0]))
    return None


def _not_in_turns(interleave: Node) -> str:
    if not interleave.op.startswith("Parallel"):
        return f"Let the other inputs go on while one is slow: `interleave(…, {_AUTOTUNE[1:-1]}, deterministic=False)`"
    if interleave.parameters.get("deterministic") is not False:
        return "Let the other inputs go on while one is slow: `interleave(…, deterministic=False)`"
    return "Split the slow input, or store it where it is read faster"


# ── around it ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _prefetch(seen: _Seen) -> Advice | None:
    """What it would gain at most: input and step at the same time."""
    pipeline, waited = seen.pipeline, seen.pipeline.input
    if pipeline.prefetched or pipeline.limited_by != "input" or waited is None or waited.share is None:
        return None
    gain = 1 / max(waited.share, 1 - waited.share)
    place = seen.place(_last(seen))
    if gain < 1 + MODERATE or place is None or seen.all_cores_busy:
        return None
    what = "Append `prefetch(tf.data.AUTOTUNE)`: the next element is made during the step"
    why = f"input and step take turns, {waited.share:.0%} and {1 - waited.share:.0%} of the time"
    return Advice("prefetch", what, f"{why}: at once they may be {gain:.1f} times as fast", place)


def _cache(seen: _Seen) -> Advice | None:
    """What the bottleneck makes in each pass, if its size is known."""
    assert seen.found and seen.node
    number = seen.found.node
    count = seen.in_a_pass(number)
    if not count or seen.found.place is None or seen.pipeline.limited_by == "consumer":
        return None
    shuffled = any(seen.nodes[n].op.startswith("Shuffle") for n in seen.below(number))
    if shuffled or any(node.op.startswith("Cache") for node in seen.nodes) or seen.found.share < _MUCH:
        return None
    stage = seen.run.stage(seen.node.stages[-1])
    budget = int(seen.nodes[0].parameters.get("ram_budget_megabytes") or 0)
    if not stage.element_bytes or not budget:
        return None
    size = count * stage.element_bytes
    if size > 2**20 * budget / 2:
        return None
    what = f"Put `cache()` behind {_name(seen.node)}, if that gives the same in each epoch: no augmentation"
    why = f"it does the same work in each epoch, and what it makes in one would take {_size(size)} of memory"
    return Advice("cache", what, why, seen.found.place)


def _memory(seen: _Seen) -> Advice | None:
    """Of the largest buffer, when it is full."""
    sizes = {}
    for buffer in seen.pipeline.buffers:
        count = seen.in_a_pass(buffer.node) if buffer.kind == "cache" else buffer.capacity
        if count and buffer.element_bytes and seen.place(buffer.node):
            sizes[buffer] = count * buffer.element_bytes
    largest = max(sizes, key=sizes.__getitem__, default=None)
    if largest is None or sizes[largest] < _GIB:
        return None
    each = f"{_size(largest.element_bytes or 0)} each"
    place = seen.place(largest.node)
    if largest.kind == "cache":
        what = "Cache what is smaller: before pictures are decoded or enlarged, or in a file"
        return Advice("memory", what, f"the cache takes {_size(sizes[largest])} after a pass", place)
    why = f"the {largest.kind} buffer takes {_size(sizes[largest])} when it is full: {largest.capacity:,} elements of {each}"
    what = "Make the buffer smaller"
    if largest.kind == "shuffle":
        what += _or_where_smaller(seen, largest)
    return Advice("memory", what, why, place)


def _or_where_smaller(seen: _Seen, shuffle: Buffer) -> str:
    """The last map in front of which elements are a tenth of the size."""
    for number in seen.below(shuffle.node):
        child = seen.child(number)
        size = seen.run.stage(child.stages[-1]).element_bytes if child and child.stages else None
        at = seen.place(number)
        if seen.nodes[number].op in _MAPS and at and size and 10 * size <= (shuffle.element_bytes or 0):
            return f"; or shuffle before the map of line {at.row}, where an element has {_size(size)}"
    return ""


def _name(node: Node) -> str:
    return "the map" if node.op in _MAPS else f"`{node.op}`"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _at_once(node: Node) -> str:
    if not node.parallelism or node.parallelism == 1:
        return "one call at a time"
    return f"{node.parallelism} calls at a time"


def _time(ms: float) -> str:
    return f"{ms / 1e3:,.1f} s" if ms >= 1e3 else f"{ms:,.0f} ms"


def _size(count: float) -> str:
    if count >= _GIB:
        return f"{count / _GIB:,.1f} GB"
    return f"{count / 2**20:,.1f} MB" if count >= 2**20 else f"{count / 2**10:,.1f} kB"
