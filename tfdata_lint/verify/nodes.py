"""The iterators of a pipeline as nodes: which stages they are, where the time goes, what stands in buffers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tfdata_lint.verify.as_json import from_json
from tfdata_lint.verify.model import (
    Bottleneck,
    Buffer,
    Category,
    Measure,
    Node,
    Passes,
    Pipeline,
    Place,
    Rewrite,
    RunnerUp,
    Slowest,
    Stage,
    WaitsFor,
)

#: The children account for a node's time if they have this much of it.
ACCOUNTED = 0.5
#: All cores are taken if this part of them is; and one, by a stage that can use no more.
TAKEN = 0.85
#: What one thread at a time computes is this part of a core; and so many cores, or less, are not explained.
ONE, ELSEWHERE = 0.85, 0.25
#: The part of a runner-up that is worth a word.
LEAST = 0.01

_READERS = frozenset(
    ("TFRecord", "TextLine", "FixedLengthRecord", "CSV", "SqlDataset", "LMDB", "Generator", "Snapshot")
)
_AHEAD = ("Prefetch", "Parallel", "MapAndBatch", "Interleave")
#: They keep what they have made, for long after.
_BUFFERS = ("Shuffle", "Prefetch")
#: What such a buffer holds costs nothing to make.
_EASY = frozenset(
    (
        "Tensor",
        "TensorSlice",
        "Range",
        "Shuffle",
        "Prefetch",
        "Repeat",
        "Take",
        "Skip",
        "Shard",
        "Zip",
        "Options",
        "Cache",
    )
)
_AFTER_THE_LOOP = frozenset(("Scan", "TakeWhile"))


def nodes_of(reading: Mapping[str, Any], stages: Mapping[int, Stage]) -> tuple[Node, ...]:
    nodes: list[Node] = []
    rows = reading.get("nodes", ())
    seconds = reading.get("seconds", 0.0)
    had = _part_with_a_core(rows, reading)
    sleeping = _sleeping(rows, reading)
    for row in rows:
        op = row["path"].rpartition("::")[2]
        numbers = tuple(sorted(number for number in row["stages"] if number in stages))
        numbers = numbers or _untagged(op, row["parent"], nodes, stages)
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
                waiting_ms=_waiting(row["work"], sleeping),
                own_code=_own_code(row["work"]),
                share=row["total_ms"] / 1e3 / seconds,
                parallelism=parameters.pop("parallelism", None),
                autotuned=parameters.pop("autotune", False) is True,
                category=_category(op, above),
                parameters=parameters,
            )
        )
    return tuple(nodes)


def _untagged(op: str, parent: int | None, nodes: Sequence[Node], stages: Mapping[int, Stage]) -> tuple[int, ...]:
    """The stage of a node whose name carries none, as the runtime's `CSV`: what its parent takes elements from."""
    above = nodes[parent].stages[:1] if parent is not None else ()
    alike = [n for stage in above for n in stages[stage].inputs if n in stages and stages[n].op.lower() == op.lower()]
    return tuple(alike) if len(alike) == 1 else ()


def _part_with_a_core(rows: Sequence[Mapping[str, Any]], reading: Mapping[str, Any]) -> float | None:
    """Of the time in which the stages were at work: they may have waited for a core, too. None: who knows."""
    busy = sum(row["work"]["busy_ms"] for row in rows)
    usage = reading.get("usage")
    if not usage or not busy or not reading["calls_known"]:
        return None
    had: float = usage["used"] * reading["seconds"] * 1e3 / busy
    return min(1.0, had)


def _sleeping(rows: Sequence[Mapping[str, Any]], reading: Mapping[str, Any]) -> WaitsFor:
    """What Python code does that is called and does not compute.

    One thread at a time has Python's lock: where calls and the main thread compute as much as one can, the others wait
    for it. Where the process computes much that is neither theirs nor TensorFlow's, they wait for other threads.
    """
    usage = reading.get("usage") or {}
    ms = reading.get("seconds", 0.0) * 1e3
    if not ms or usage.get("main") is None:
        return "python"
    calls = sum(row["work"].get("called_ms", 0.0) for row in rows) / ms
    if calls >= ONE / 2 and calls + usage["main"] >= ONE:
        return "lock"
    executors = sum(row["work"]["busy_ms"] for row in rows) / ms
    elsewhere = usage["used"] - usage["main"] - executors
    waiting = sum(row["work"]["python_ms"] for row in rows) / ms
    return "elsewhere" if elsewhere >= max(ELSEWHERE, ACCOUNTED * waiting) else "python"


def _waiting(work: Mapping[str, float], sleeping: WaitsFor) -> dict[WaitsFor, float]:
    waiting: dict[WaitsFor, float] = {what: work[f"{what}_ms"] for what in ("lock", "files")}
    waiting[sleeping] = waiting.get(sleeping, 0.0) + work["python_ms"]
    return {what: ms for what, ms in waiting.items() if ms}


def _own_code(work: Mapping[str, float]) -> tuple[float, float] | None:
    """By the clock and by the processor: of two threads that wait for each other either may be wrong."""
    whole = sum(work[f"{what}_ms"] for what in ("busy", "lock", "python", "files"))
    busy = work["busy_ms"]
    if not work.get("own_ms") or not busy:
        return None
    shares = sorted((min(1.0, work["own_ms"] / whole), min(1.0, work["own_processor_ms"] / busy)))
    return shares[0], shares[1]


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


def categories_of(nodes: Sequence[Node]) -> dict[Category, float]:
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


def taken_one_after_the_other(nodes: Sequence[Node], reader: int) -> int:
    """The interleave that takes from a reader of records, else the node itself."""
    above = ancestors(reader, nodes) if nodes[reader].op == "TFRecord" else []
    return next((other for other in above[:2] if nodes[other].op == "Interleave"), reader)


def bottleneck_of(
    nodes: Sequence[Node], own: frozenset[int], stages: Mapping[int, Stage], reading: Mapping[str, Any]
) -> Bottleneck | None:
    if not nodes:
        return None
    number = _slowest(nodes, own)
    # The step of a loop inside a tf.function is a stage, too, but not of the input.
    mine = [n for n, node in enumerate(nodes) if own.intersection(node.stages) or (not own and node.stages)]
    by, shares = _scarce(nodes, mine, reading, number)
    most = max(shares, key=shares.__getitem__, default=number)
    if _waits_mostly(nodes[number]) or (most != number and _fills(nodes[number], reading["seconds"] * 1e3)):
        by = "time"
    if by == "time":
        shares = shares_of_time(nodes)
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


def untraced(nodes: Sequence[Node], stages: Mapping[int, Stage]) -> int | None:
    """A node that gave from its buffer, while hardly anything that fills it was at work: at a pass's end, for example.

    None if that is easy work.
    """
    for number, node in enumerate(nodes):
        filled = sum(nodes[child].calls for child in children(nodes, number))
        if node.op.startswith(_BUFFERS) and filled < ACCOUNTED * node.calls:
            before, left = set(node.stages), list(node.stages)
            while left:
                below = set(stages[left.pop()].inputs).intersection(stages) - before
                before |= below
                left += below
            if any(stages[one].op not in _EASY for one in before):
                return number
    return None


def _slowest(nodes: Sequence[Node], own: frozenset[int]) -> int:
    """Descend to the child that takes longest while the children account for the parent's time.

    What the runtime has put there is passed by, and so is the loop of a tf.function, and a prefetch, which only hands
    on.
    """
    number = 0
    while below := children(nodes, number):
        node = nodes[number]
        accounted = sum(nodes[child].total_ms for child in below) >= ACCOUNTED * node.total_ms
        if not accounted and node.op != "Prefetch" and (own.intersection(node.stages) or not own):
            break
        number = max(below, key=lambda child: nodes[child].total_ms)
    return number


def _scarce(
    nodes: Sequence[Node], mine: Sequence[int], reading: Mapping[str, Any], slowest: int
) -> tuple[Measure, dict[int, float]]:
    """What stages compete for, and the share that each of mine has of it: cores, or threads of the runtime, or neither.

    When all cores or threads are taken, a stage takes long because others have them.
    """
    used = {number: ms for number in mine if (ms := nodes[number].processor_ms)}
    usage = reading.get("usage")
    if not usage or not used:
        return "time", {}
    cores, idle = usage["cores"], usage["idle"]
    of_cores: Measure = "work" if "taken" in usage else "processor"
    if usage["used"] >= usage.get("taken", TAKEN) * cores or (idle is not None and idle <= (1 - TAKEN) * cores):
        return of_cores, _parts(used)
    if "taken" in usage and _hardly_works(nodes, slowest):
        return of_cores, _parts(used)
    held = {number: ms + sum(nodes[number].waiting_ms.values()) for number, ms in used.items()}
    threads = nodes[0].parameters.get("threadpool_size", 0)
    if threads <= 0:
        threads = cores
    if sum(held.values()) >= TAKEN * threads * reading["seconds"] * 1e3:
        return "threads", _parts(held)
    return "time", {}


def _hardly_works(nodes: Sequence[Node], number: int) -> bool:
    """Its threads lacked a core, or something to do, for most of the time for which others waited for it."""
    node = nodes[number]
    waited_for = node.total_ms - sum(nodes[child].total_ms for child in children(nodes, number))
    works = (node.processor_ms or 0.0) + sum(node.waiting_ms.values())
    return node.op.startswith(("Parallel", "MapAndBatch")) and works < ACCOUNTED * waited_for


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


def _waits_mostly(node: Node) -> bool:
    """Return whether waiting explains its time: where all cores are taken, everything waits a little."""
    return bool(_waits_for(node)) and sum(node.waiting_ms.values()) >= ACCOUNTED * node.self_ms


def shares_of_time(nodes: Sequence[Node]) -> dict[int, float]:
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


def shares_of(pipeline: Pipeline) -> tuple[Measure, dict[int, float]]:
    """Of each node the share that its bottleneck was decided by, and what it is a share of."""
    by = pipeline.bottleneck.by if pipeline.bottleneck else "time"
    nodes = pipeline.nodes
    if by == "time":
        return by, shares_of_time(nodes)
    own = set(pipeline.stages)
    used = {n: node.processor_ms or 0.0 for n, node in enumerate(nodes) if own.intersection(node.stages)}
    if by == "threads":
        used = {number: ms + sum(nodes[number].waiting_ms.values()) for number, ms in used.items()}
    return by, _parts(used) if any(used.values()) else {}


def _whence(node: Node, stages: Mapping[int, Stage]) -> tuple[int | None, Place | None, Place | None]:
    """A node's stage, the call that makes it, and where the function is called in which that stands."""
    if not node.stages:
        return None, None, None
    frames = stages[node.stages[0]].frames
    inside = len(frames) > 1 and frames[0].function not in ("", "<module>")
    return node.stages[0], frames[0] if frames else None, frames[1] if inside else None


def prefetched_by(nodes: Sequence[Node], own: frozenset[int], stages: Mapping[int, Stage]) -> Any:
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


def buffers_of(nodes: Sequence[Node], stages: Mapping[int, Stage], passes: Passes | None = None) -> Iterator[Buffer]:
    for number, node in enumerate(nodes):
        given = node.parameters
        if node.op == "Prefetch":
            buffered, capacity, kind = given.get("buffered_elements"), given.get("buffer_limit"), "prefetch"
        elif node.op.startswith("Shuffle"):
            # Its memory is what it had at most: a pass ends with an empty buffer.
            most = given.get("most_elements", given.get("buffered_elements"))
            buffered, capacity, kind = most, given.get("buffer_size"), "shuffle"
        elif node.op == "MemoryCache":
            # It is asked in each epoch, and keeps what it was given in the first one.
            below = (nodes[other] for other in descendants(number, nodes) if "MemoryCache" not in nodes[other].op)
            given_once = next((part.calls for part in below), 0) or node.calls
            each = node.slowest
            longest = max(each.calls, node.calls // each.iterators) if each else node.calls
            buffered, capacity, kind = min(node.calls, given_once, longest), None, "cache"
            if passes and nodes[0].calls:
                # Of a whole pass; the last call of each finds that it is over.
                buffered = round((passes.elements + 1) * node.calls / nodes[0].calls)
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
