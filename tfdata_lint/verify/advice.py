"""What to do next, from what was observed: with a finding or without one.

Each function asks for one thing, and says nothing unless the figures that it rests on are there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from tfdata_lint.verify.figures import OVERHEAD, OWN
from tfdata_lint.verify.model import MODERATE, Buffer, Node, Place, Run
from tfdata_lint.verify.nodes import TAKEN, ancestors, descendants, taken_one_after_the_other
from tfdata_lint.verify.seen import FEWEST_CALLS, FEWEST_WAITS, PARALLEL, Seen, called, work
from tfdata_lint.verify.verdicts import Verdict

Kind = Literal[
    "fix",  # one that was measured to be faster
    "enough",  # nothing is to be done
    "busy-machine",  # other programs have the cores
    "refill",  # each epoch begins with filling a shuffle buffer
    "late-epoch",  # each epoch begins late
    "slow-input",  # one of those that an interleave reads
    "lock",  # Python's
    "waiting",  # its Python code waits
    "elsewhere",  # it waits for threads of a library
    "overhead",  # of calls of Python code
    "files",  # whole files are read, and waited for
    "vectorise",  # calling the function takes as long as what it does
    "cheaper",  # all cores are at work
    "parallel",  # one thread is at work, and cores are left
    "prefetch",
    "cache",  # the same is made in each epoch
    "memory",
    "first-element",
]

#: Advice for one pipeline.
MOST = 3
#: Shares that are worth a word, and that are not.
_MUCH, _HARDLY = 0.5, 0.05
#: So much of a core is as good as one.
_CORE = 0.7
#: Calling a function takes so long that one as short as this gains by being called for whole batches. One that makes
#: no more than so many bytes calls operations for as little.
_SHORT_US, _SHORT_OF_FEW_US, _FEW_BYTES = 50.0, 150.0, 4096
#: The work of filling a buffer explains a wait if it is so many times as long.
_EXPLAINS = (0.4, 4.0)
#: Handing shorter elements from thread to thread costs more than it gains.
_WORTH_A_THREAD_MS = 0.2
#: One input is slow if its elements take so many times as long as those of the others.
_SLOW = 4.0
_FIRST_S = 3.0
#: A first step that takes no longer than the others than this is as they are.
_LATE_MS = 1.0
_GIB = 2**30
_KERAS = ("fit", "evaluate", "predict")
_MAPS = ("Map", "ParallelMap", "MapAndBatch")
_FUNCTIONS = (*_MAPS, "Filter", "Generator")
_BY = {"time": "time", "processor": "processor time", "work": "work", "threads": "time of the threads"}
_AUTOTUNE = "num_parallel_calls=tf.data.AUTOTUNE"
_MAP_IN_PARALLEL = f"Pass `{_AUTOTUNE}` to the map, if the order of its calls does not matter"
#: What makes a stage work in several threads.
_IN_PARALLEL = {
    "Map": _MAP_IN_PARALLEL,
    "MapAndBatch": _MAP_IN_PARALLEL,
    "ParallelMap": f"Pass `{_AUTOTUNE}` to the map",
    "Interleave": (
        f"Pass `{_AUTOTUNE}` and a `cycle_length` to the interleave: without a `cycle_length` it reads fewer inputs at"
        " once"
    ),
    "FlatMap": f"Use `interleave` with `{_AUTOTUNE}` and a `cycle_length` (this changes the order of elements)",
    "TFRecord": f"Read several files at once: `interleave(tf.data.TFRecordDataset, {_AUTOTUNE})`",
    "Filter": f"Compute the filter's condition in a map with `{_AUTOTUNE}`: a filter uses only one thread",
    "Generator": f"Let the generator yield only names or indices, and do its work in a map with `{_AUTOTUNE}`",
}
#: Advice that a fix of the same call may have tried.
_TRIED: tuple[Kind, ...] = ("waiting", "overhead", "vectorise", "cheaper", "parallel", "prefetch")


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
    """What to do about a pipeline, what gains most first. Where a fix was measured, that is what counts."""
    pipeline = run.pipelines[number]
    if pipeline.bottleneck is None:
        return ()
    seen = Seen(run, pipeline, pipeline.bottleneck)
    if not seen.is_enough:
        return ()
    own = [verdict for verdict in verdicts if verdict.pipeline == number and verdict.comparison]
    fix = _fix(own)
    if enough := _enough(seen):
        return tuple(advice for advice in (fix or enough, _memory(seen)) if advice)
    measured = {verdict.place.key for verdict in own if verdict.outcome != "inconclusive"}
    found = [advice for ask in _order(seen) if (advice := ask(seen))]
    left = [one for one in found if not (one.place and one.kind in _TRIED and one.place.key in measured)]
    return tuple([fix, *left] if fix else left)[:MOST]


def _order(seen: Seen) -> Sequence[Callable[[Seen], Advice | None]]:
    """Where most of the waiting is at the beginning of epochs, that first, if the slowest stage has time left then."""
    passes, waited = seen.pipeline.passes, seen.pipeline.input
    late = passes.late if passes else 0.0
    share = waited.share if waited and waited.share is not None else 1.0
    is_late = passes is not None and passes.ms - seen.work_in_a_pass >= passes.late_ms
    first = (_late, _stage) if is_late and late >= _MUCH * share else (_stage, _late)
    if seen.found.untraced is not None:
        # A slower stage may not have been traced.
        return (_busy_machine, _late, _memory, _first_element)
    return (_busy_machine, *first, _prefetch, _cache, _memory, _first_element)


def _fix(verdicts: Sequence[Verdict]) -> Advice | None:
    faster = [
        (verdict, seen) for verdict in verdicts if verdict.outcome == "confirmed" and (seen := verdict.comparison)
    ]
    if not faster:
        return None
    best, seen = max(faster, key=lambda one: one[1].ratio)
    why = f"measured: {seen.ratio:.2f} times as fast, {seen.low:.2f} to {seen.high:.2f}"
    return Advice("fix", f"{best.fix} ({best.code})", why, best.place)


def _enough(seen: Seen) -> Advice | None:
    waited = seen.pipeline.input
    if seen.pipeline.limited_by != "consumer" or waited is None or waited.share is None:
        return None
    why = f"{waited.share:.1%} of the time is spent waiting for input"
    if waited.at_most is not None:
        why += f", at most {waited.at_most:.1%} according to untraced steps; {_count(waited.waits, 'wait')} traced"
    if waited.most >= MODERATE or waited.waits < FEWEST_WAITS:
        return Advice("enough", "Nothing certain: the input seems fast enough, but too little of it was observed", why)
    return Advice("enough", "Nothing: the input is fast enough, and the consumer's step takes the time", why)


def _busy_machine(seen: Seen) -> Advice | None:
    """Unless what is slow would be so without them."""
    if seen.used is None or seen.found.waits_for:
        return None
    if seen.others < max(_CORE, 0.2 * seen.cores) or seen.cores - seen.used - seen.others >= _CORE:
        return None
    what = "Measure again on an idle machine: other programs used cores that the input needs"
    why = f"they used {seen.others:.1f} of {seen.cores} cores, this program {seen.used:.1f}"
    return Advice("busy-machine", what, why)


# ── the beginning of an epoch ───────────────────────────────────────────────────────────────────────────────────────


def _late(seen: Seen) -> Advice | None:
    passes = seen.pipeline.passes
    if not passes or passes.late < MODERATE or passes.late_ms < _LATE_MS:
        return None
    why = f"an epoch takes {_time(passes.ms)}; its first step takes {_time(passes.late_ms)} longer than the others"
    by_keras = seen.pipeline.consumer in _KERAS
    one = "and pass `steps_per_epoch` to `fit`" if by_keras else "and use one iterator for all epochs"
    shuffle = _filled(seen, passes.late_ms)
    if shuffle is None:
        what = f"Append `repeat()` {one}, so that the next epoch is prepared during the current one"
        return Advice("late-epoch", what, why, seen.last)
    why += f", while the shuffle buffer refills with {_buffered(seen, shuffle):,} elements"
    what = f"Put `repeat()` directly after the shuffle {one}, so that the buffer stays full{_or_before(seen, shuffle)}"
    return Advice("refill", what, why, seen.place(shuffle))


def _first_element(seen: Seen) -> Advice | None:
    """In `fit` it is not known: a model is built in the first step."""
    first_s = seen.pipeline.first_element_s
    if seen.pipeline.consumer in (*_KERAS, "graph") or first_s < _FIRST_S:
        return None
    shuffle = _filled(seen, first_s * 1e3)
    if shuffle is None:
        return None
    what = f"To start sooner, use a smaller shuffle buffer{_or_before(seen, shuffle)}"
    size = f"{_buffered(seen, shuffle):,} elements"
    why = f"the first element took {first_s:.1f} s, while the shuffle buffer was filled with {size}"
    return Advice("first-element", what, why, seen.place(shuffle))


def _filled(seen: Seen, ms: float) -> int | None:
    """The shuffle whose buffer takes about so long to be filled, by the work that an element is.

    Or that has taken all elements of an epoch before it gives the first one.
    """
    for number, node in enumerate(seen.nodes):
        if not node.op.startswith("Shuffle"):
            continue
        if seen.child(number) is None and _holds_all(seen, number):
            return number
        slowest = max((_each_ms(seen, number, other) for other in descendants(number, seen.nodes)), default=0.0)
        if _EXPLAINS[0] * ms <= _buffered(seen, number) * slowest <= _EXPLAINS[1] * ms:
            return number
    return None


def _buffered(seen: Seen, shuffle: int) -> int:
    """Elements in its full buffer."""
    size = int(seen.nodes[shuffle].parameters.get("buffer_size") or 0)
    there = seen.in_a_pass(shuffle)
    return size if there is None else min(size, round(there))


def _holds_all(seen: Seen, shuffle: int) -> bool:
    there = seen.in_a_pass(shuffle)
    return there is not None and int(seen.nodes[shuffle].parameters.get("buffer_size") or 0) >= (1 - _HARDLY) * there


def _each_ms(seen: Seen, shuffle: int, number: int) -> float:
    """How long a node below a shuffle works for each of its elements, as far as it does so one after the other."""
    child, node = seen.child(shuffle), seen.nodes[number]
    return work(node) / (node.parallelism or 1) / child.calls if child and child.calls else 0.0


def _or_before(seen: Seen, shuffle: int) -> str:
    """Where a map does nearly all the work that fills the buffer, it may come later."""
    work = {number: _each_ms(seen, shuffle, number) for number in descendants(shuffle, seen.nodes)}
    most = max(work, key=work.__getitem__, default=None)
    if most is None or work[most] < (1 - _HARDLY) * sum(work.values()) or not _may_come_first(seen, shuffle, most):
        return ""
    return f"; or shuffle before {_map_of(seen, most)}, which makes filling it slow"


def _may_come_first(seen: Seen, shuffle: int, number: int) -> bool:
    """Shuffling what is mapped is the same as shuffling what comes of it; before a cache or a batch it is not."""
    above = ancestors(number, seen.nodes)
    between = [seen.nodes[other].op for other in above[: above.index(shuffle)]]
    return seen.nodes[number].op in _MAPS and all(op in ("Map", "ParallelMap", "Prefetch") for op in between)


# ── the stage that takes longest ────────────────────────────────────────────────────────────────────────────────────


def _stage(seen: Seen) -> Advice | None:
    return next((advice for ask in _STAGE if (advice := ask(seen))), None)


def _slow_input(seen: Seen) -> Advice | None:
    """One iterator of an interleave takes longer than all others together."""
    for node in seen.nodes:
        each, parent = node.slowest, node.parent
        if not each or parent is None or parent not in seen.found.path or "Interleave" not in seen.nodes[parent].op:
            continue
        others = node.calls - each.calls
        if min(each.calls, others) < FEWEST_CALLS or each.ms < _MUCH * node.total_ms:
            continue
        times = (each.ms / each.calls) / max((node.total_ms - each.ms) / others, 1e-6)
        if times >= _SLOW:
            why = f"one of {each.iterators} inputs takes {times:,.0f} times as long per element as the others"
            return Advice("slow-input", _out_of_turn(seen.nodes[parent]), why, seen.place(parent))
    return None


def _out_of_turn(interleave: Node) -> str:
    if interleave.parameters.get("deterministic") is False:
        return "Split the slow input, or move it to faster storage"
    parallel = "" if interleave.op.startswith("Parallel") else f"{_AUTOTUNE}, "
    return f"Do not wait for one slow input: `interleave(…, {parallel}deterministic=False)`"


def _lock(seen: Seen) -> Advice | None:
    if seen.found.waits_for != "lock" or seen.found.place is None:
        return None
    what = "Use TensorFlow operations, NumPy on whole batches, or several processes: more calls at once cannot help"
    waits = f"for {_waited(seen.node):.0%} of its time it waits for the interpreter lock"
    return Advice("lock", what, f"it computes in Python, one thread at a time: {waits}", seen.found.place)


def _elsewhere(seen: Seen) -> Advice | None:
    if seen.found.waits_for != "elsewhere" or seen.found.place is None:
        return None
    what = "Make its Python code cheaper, or give its library one thread for each call and run several calls at once"
    why = f"for {_waited(seen.node):.0%} of its time it waits for threads of its own that compute"
    return Advice("elsewhere", what, why, seen.found.place)


def _overhead(seen: Seen) -> Advice | None:
    """Of a call of Python code that does nearly nothing."""
    own, number, place = seen.node.own_code, seen.found.node, seen.found.place
    batched = any("Batch" in other.op for other in (seen.node, *seen.above(number)))
    if own is None or own[1] > OVERHEAD or place is None or seen.found.share < _MUCH or not batched:
        return None
    each = "Yield whole batches from the generator", "Call the Python function once for each batch"
    return Advice(
        "overhead",
        each[seen.node.op != "Generator"],
        f"its own code takes {own[1]:.0%} of a call; the rest is overhead",
        place,
    )


def _files(seen: Seen) -> Advice | None:
    if seen.found.waits_for != "files" or seen.found.place is None:
        return None
    what = "Store many examples in one file (TFRecord), or keep the files on a faster disk"
    return Advice("files", what, f"for {_waited(seen.node):.0%} of its time it reads whole files", seen.found.place)


def _python(seen: Seen) -> Advice | None:
    """Waiting needs no core, so that more may wait at once than there are cores, if there are threads for them."""
    node = seen.node
    if seen.found.waits_for != "python" or seen.found.place is None:
        return None
    why = f"for {_waited(node):.0%} of its time its Python code sleeps or waits, {_at_once(node)}"
    if node.op == "Generator":
        under = any("Interleave" in other.op for other in seen.above(seen.found.node))
        more = "with a larger `cycle_length`" if under else "each for a part of the data, in an `interleave`"
        return Advice("waiting", f"Run more generators at once, {more}", why, seen.found.place)
    threads = int(seen.nodes[0].parameters.get("threadpool_size") or 0)
    if node.op not in _MAPS or not threads:
        return None
    many = 4 * max(threads, node.parallelism or 1)
    what = f"Run more calls at once, in additional threads: `num_parallel_calls={many}`, and "
    what += f"`options.threading.private_threadpool_size = {many}` in the dataset's options"
    return Advice("waiting", what, f"{why}; the runtime has {_count(threads, 'thread')} for this", seen.found.place)


def _vectorise(seen: Seen) -> Advice | None:
    """Each call of a function takes some microseconds, whatever it does."""
    node, number = seen.node, seen.found.node
    batched = any("Batch" in other.op for other in (node, *seen.above(number)))
    calls = called(seen.nodes, number)
    if node.op not in _MAPS or not batched or not calls or not node.processor_ms:
        return None
    us = node.processor_ms / calls * 1e3
    size = seen.run.stage(node.stages[0]).element_bytes if node.stages else None
    is_small = size is not None and size <= _FEW_BYTES
    if us > (_SHORT_OF_FEW_US if is_small else _SHORT_US) or seen.found.share < _MUCH or seen.found.place is None:
        return None
    what = "Batch before the map, and let its function work on whole batches if it can"
    return Advice("vectorise", what, f"each call takes {us:.0f} µs, much of it overhead of the call", seen.found.place)


def _own_code(seen: Seen) -> Advice | None:
    """Of a generator that computes: neither batches nor threads are of use."""
    own = seen.node.own_code
    if seen.node.op != "Generator" or own is None or own[0] < OWN or seen.found.share < _MUCH:
        return None
    what = "Do less in the generator, or put `cache()` behind it if it returns the same in each epoch and fits into RAM"
    return Advice("cheaper", what, f"its own code takes {own[0]:.0%} of a call, in one thread", seen.found.place)


def _cheaper(seen: Seen) -> Advice | None:
    used, found = seen.used, seen.found
    parallel = seen.node.op.startswith(PARALLEL) and (seen.node.parallelism or 1) > 1
    if used is None or found.place is None or not (parallel or seen.all_cores_busy) or seen.node.op not in _FUNCTIONS:
        return None
    is_guess, by_cores = found.by == "work", found.by in ("processor", "work")
    if not seen.all_cores_busy and (not by_cores or used + seen.others < TAKEN * seen.cores):
        return None
    what = f"Make {_name(seen.node)} cheaper (decode less, use smaller images, fewer operations), or use more cores"
    why = f"{'about ' * is_guess}{used:.1f} of {seen.cores} cores are busy{', an estimate' * is_guess}"
    why += f", {found.share:.0%} of that in this stage" if by_cores else ""
    why += f", and other programs use {seen.others:.1f}" if seen.others >= 0.05 and not seen.all_cores_busy else ""
    # Cores that a step keeps busy may still be shared.
    more = "cannot help" if parallel and not is_guess else "help only where a core is free"
    return Advice("cheaper", what, f"{why}: more parallel calls {more}", found.place)


def _parallel(seen: Seen) -> Advice | None:
    """It works in one thread, or in fewer than there are cores."""
    node, used, found = seen.node, seen.used, seen.found
    what = _IN_PARALLEL.get(seen.nodes[taker := taken_one_after_the_other(seen.nodes, found.node)].op)
    if what is None or used is None or node.autotuned or (node.parallelism or 1) >= seen.cores:
        return None
    if found.place is None or found.share < _MUCH or seen.cores - used < _CORE:
        return None
    if node.op in ("Interleave", "FlatMap") and node.total_ms < _WORTH_A_THREAD_MS * node.calls:
        return None
    if seen.cores - used - seen.others < _CORE and not seen.fills_its_thread:
        return None
    why = f"it takes {found.share:.0%} of the {_BY[found.by]}, {_at_once(node)}"
    return Advice("parallel", what, f"{why}; of {seen.cores} cores the program uses {used:.1f}", seen.place(taker))


_STAGE = (_slow_input, _overhead, _lock, _files, _elsewhere, _python, _vectorise, _own_code, _cheaper, _parallel)


def _waited(node: Node) -> float:
    waited = sum(node.waiting_ms.values())
    return waited / (waited + (node.processor_ms or 0.0))


def _at_once(node: Node) -> str:
    return f"{node.parallelism} at a time" if (node.parallelism or 1) > 1 else "one at a time"


# ── around it ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _prefetch(seen: Seen) -> Advice | None:
    """What it would gain at most: input and step at the same time."""
    waited = seen.pipeline.input
    if seen.pipeline.prefetched or seen.pipeline.limited_by != "input" or waited is None or waited.share is None:
        return None
    gain = 1 / max(waited.share, 1 - waited.share)
    if gain < 1 + MODERATE or seen.all_cores_busy or seen.last is None:
        return None
    what = "Append `prefetch(tf.data.AUTOTUNE)`, which prepares the next element during the step"
    why = f"input and step take turns, {waited.share:.0%} and {1 - waited.share:.0%} of the time"
    return Advice("prefetch", what, f"{why}; overlapping them makes it at best {gain:.1f} times as fast", seen.last)


def _cache(seen: Seen) -> Advice | None:
    """What the bottleneck makes in each epoch, if its size is known and half of the runtime's memory is enough."""
    number, found = seen.found.node, seen.found
    count = seen.in_a_pass(number)
    if not count or found.place is None or found.share < _MUCH or any("Cache" in node.op for node in seen.nodes):
        return None
    first = _unshuffled(seen, number)
    each = seen.run.stage(seen.node.stages[-1]).element_bytes
    budget = int(seen.nodes[0].parameters.get("ram_budget_megabytes") or 0) * 2**20
    if not first or not each or count * each > budget / 2 or seen.draws(number):
        return None
    what = f"{first} `cache()` after {_name(seen.node)}, if it returns the same in each epoch (no augmentation)"
    why = f"its results are recomputed in each epoch, and would take {_size(count * each)}"
    return Advice("cache", what, why, found.place)


def _unshuffled(seen: Seen, number: int) -> str | None:
    """What is to be done for a cache behind a stage to hold no order: words that go before it, or None."""
    shuffles = [other for other in (number, *descendants(number, seen.nodes)) if "Shuffle" in seen.nodes[other].op]
    if not shuffles:
        return "Put"
    above = ancestors(shuffles[0], seen.nodes)
    if len(shuffles) > 1 or number not in above or seen.nodes[number].op not in _MAPS:
        return None
    if any(seen.nodes[other].op not in (*_MAPS[:2], "Prefetch") for other in above[: above.index(number)]):
        return None
    if seen.place(shuffles[0]) in [seen.place(other) for other in descendants(shuffles[0], seen.nodes)]:
        return "Pass `shuffle=False` to `list_files`, shuffle behind the cache instead, and put"
    return "Shuffle after the map instead of before it, and between them put"


def _memory(seen: Seen) -> Advice | None:
    """Of the largest buffer, when it is full."""
    sizes: dict[Buffer, float] = {}
    for buffer in seen.pipeline.buffers:
        count = seen.in_a_pass(buffer.node) if buffer.kind == "cache" else buffer.capacity
        if count and buffer.element_bytes and seen.place(buffer.node):
            sizes[buffer] = count * buffer.element_bytes
    largest = max(sizes, key=sizes.__getitem__, default=None)
    if largest is None or sizes[largest] < _GIB:
        return None
    place = seen.place(largest.node)
    if largest.kind == "cache":
        what = "Cache before elements grow (before decoding images or casting to floats), or in a file"
        return Advice("memory", what, f"the cache takes {_size(sizes[largest])} after an epoch", place)
    each = f"{largest.capacity:,} elements of {_size(largest.element_bytes or 0)}"
    what = f"Use a smaller {largest.kind} buffer{_or_where_smaller(seen, largest)}"
    return Advice("memory", what, f"the full buffer takes {_size(sizes[largest])}: {each}", place)


def _or_where_smaller(seen: Seen, buffer: Buffer) -> str:
    """Before a map that makes elements ten times as large."""
    for number in descendants(buffer.node, seen.nodes) if buffer.kind == "shuffle" else ():
        child = seen.child(number)
        size = seen.run.stage(child.stages[-1]).element_bytes if child and child.stages else None
        if size and _may_come_first(seen, buffer.node, number) and 10 * size <= (buffer.element_bytes or 0):
            return f"; or shuffle before {_map_of(seen, number)}, where an element has {_size(size)}"
    return ""


# ── words ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _name(node: Node) -> str:
    return "the map" if node.op in _MAPS else f"`{node.op}`"


def _map_of(seen: Seen, number: int) -> str:
    place = seen.place(number)
    return f"the map on line {place.row}" if place else "the map"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _time(ms: float) -> str:
    return f"{ms / 1e3:,.1f} s" if ms >= 1e3 else f"{ms:,.0f} ms"


def _size(count: float) -> str:
    for unit, name in ((_GIB, "GB"), (2**20, "MB"), (2**10, "kB")):
        if count >= unit:
            return f"{count / unit:,.1f} {name}"
    return f"{count:,.0f} bytes"
