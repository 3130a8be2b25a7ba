"""Which calls of the source made the datasets of a profile.

By what a profile keeps of them: their classes as written, which of them takes from which, their parameters, and the
operations that their functions carry out. What it costs to take one for another adds up; the cheapest way counts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, permutations
from typing import Any, NamedTuple

from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import AUTOTUNE, Dataset, Join, Stage, tips
from tfdata_lint.source.module import Source
from tfdata_lint.verify.profile.host import Host, Written

#: As good as certain, and no match at all.
CERTAIN, NEVER = 0.5, 2.0
#: What is cheaper by less than this is no better.
MARGIN = 0.12
#: Pipelines of a file that are compared.
_PIPELINES = 256
#: One that the source does not have, or that did not run.
_MISSING = 1.0
#: One behind the last: it may be another pipeline with the same beginning.
_WRAPPED, _WRAPS = 0.5, 4
#: What stands where nothing is known.
_OPAQUE = 0.5
#: Inputs that are tried in every order.
_ORDERS = 4
#: What a call makes that makes several, its own inputs left out.
_READING = frozenset(
    ("flatmap", "tensorslice", "tensor", "interleave", "parallelinterleave", "legacyparallelinterleave")
)
_SOURCES = {
    "from_tensor_slices": {"tensorslice"}, "from_tensors": {"tensor"}, "range": {"range"},
    "from_generator": {"flatmap", "generator", "tensor"}, "list_files": {"tensorslice", "shuffle", "tensor", "flatmap"},
    "TFRecordDataset": _READING | {"tfrecord"}, "TextLineDataset": _READING | {"textline"},
    "FixedLengthRecordDataset": _READING | {"fixedlengthrecord"}, "CsvDataset": _READING | {"csv"},
    "counter": {"range", "map", "scan", "counter"}, "random": {"random"}, "load": {"load", "snapshot", "flatmap"},
}  # fmt: skip
#: One of these is among what such a call makes: what else it makes, other calls make, too.
_NEEDED = {
    "from_generator": {"generator"}, "TFRecordDataset": {"tfrecord"}, "TextLineDataset": {"textline"},
    "FixedLengthRecordDataset": {"fixedlengthrecord"}, "CsvDataset": {"csv"}, "load": {"load", "snapshot"},
}  # fmt: skip
#: What a call is called at runtime that is not called by its own name.
_KINDS = {
    "map": ("map", "parallelmap"), "batch": ("batch", "parallelbatch"), "filter": ("filter", "parallelfilter"),
    "interleave": ("interleave", "parallelinterleave"), "enumerate": ("zip",), "unbatch": ("unbatch", "flatmap"),
    "sample_from_datasets": ("directedinterleave",), "choose_from_datasets": ("directedinterleave",),
    "bucket_by_sequence_length": ("groupbywindow",), "ragged_batch": ("map", "parallelmap"),
    "sparse_batch": ("densetosparsebatch",), "cache": ("cache", "memorycache", "filecache"),
    "repeat": ("repeat", "foreverrepeat", "finiterepeat"), "take": ("take", "finitetake"),
    "skip": ("skip", "finiteskip"), "rejection_resample": ("filter",),
}  # fmt: skip
#: So many others are hardly in two programs by chance.
_COMMON = frozenset(("map", "batch", "prefetch", "shuffle", "repeat", "cache", "interleave", "flat_map", *_SOURCES))
_RARE = 2
#: What is before them does not run once they are full, or hold the rest of it.
_KEEPING = frozenset(("cache", "snapshot", "shuffle"))
#: With this count the runtime leaves them out.
_NO_COUNT = {"repeat": 1, "skip": 0, "take": -1}
#: They make no dataset, or one that does nothing.
_NOTHING = frozenset(
    ("with_options", "apply", "options", "assert_cardinality", "ignore_errors", "as_numpy_iterator", "cardinality")
)
_HELPERS = frozenset(("options", "assertcardinality", "ignoreerrors", "maxintraopparallelism", "model"))
#: Operations that are called otherwise, and that are folded away or go by no name of their own.
_CALLED = {"py_function": ["pyfunc"], "numpy_function": ["pyfunc"], "one_hot": ["onehot"]}
#: How far the function of a call has to do what was carried out.
AGREEING = 0.75
#: What takes so long that it is recorded.
_SLOW = frozenset(("read", "jpeg", "png", "pyfunc"))
#: None of what is written was seen, as where the runtime computes it once, or as it is too short to be recorded.
_UNSEEN_ALL = 0.3
_UNSEEN = frozenset(("cast", "constant", "stack", "function", "reshape", "squeeze", "shape", "range", "zeros", "ones"))
#: What is carried out whatever is written: for operators, slices, and what other operations consist of.
_ANYWHERE = re.compile(
    r":(const|cast|add|sub|mul|.*div|pow|neg|square|maximum|minimum|matmul|batchmatmul|stridedslice|slice|identity|noop"
    r"|pack|unpack|expanddims|squeeze|reshape|shape|range|concat|greater|less|equal|notequal|logical|select|floor|round"
    r"|(stateless)?if$|.*while|.*call|assert|rank|size|prod|fill|zeroslike|oneslike|tensorlist|transpose|rsqrt|sqrt|.*dataset)"
)
#: As the runtime calls it, and as the call does.
_PARAMETERS = (("batch_size", "batch_size"), ("cycle_length", "cycle_length"), ("buffer_size", "buffer_size"))


class Candidate(NamedTuple):
    """A pipeline of the source that may be the one of a profile."""

    cost: float
    source: Source
    stages: Mapping[int, Stage]
    """By the ids of datasets."""
    consumers: tuple[Consumer, ...]
    is_told: bool
    """More than its classes and their order is as in the profile, which other programs have, too."""


class _Match(NamedTuple):
    cost: float
    pairs: tuple[tuple[int, Stage], ...] = ()

    def __add__(self, other: Any) -> _Match:
        return _Match(self.cost + other.cost, self.pairs + other.pairs)


class _Node:
    """A dataset of the profile with those that it takes from."""

    def __init__(self, written: Written, row: Mapping[str, Any]) -> None:
        self.id = written.id
        self.kind = plain(written.kind)
        self.name = written.name
        self.word = re.sub(r"Dataset|V\d+$|^_", "", written.kind)
        self.inside = written.number is None
        """A function made it."""
        self.parameters: Mapping[str, Any] = row["parameters"]
        self.branch: int | None = row["branch"]
        self.operations = [name.lower().replace("_", "") for name in row["operations"]]
        """Of its function, as `decode/decodejpeg:decodejpeg`."""
        self.below: list[_Node] = []

    def all_below(self) -> Iterator[_Node]:
        yield self
        for node in self.below:
            yield from node.all_below()


def candidates(host: Host, graphs: Iterable[tuple[Source, PipelineGraph]]) -> list[Candidate]:
    """The pipelines of some files that may be the one of a profile, the likeliest first."""
    whole = tree(host)
    tops = list(islice(_wrapped(whole), _WRAPS))
    nodes = {node.id: node for node in whole.all_below()} if whole else {}
    found = []
    for source, graph in graphs:
        consumers = defaultdict(list)
        for consumer in graph.consumers:
            consumers[id(consumer.dataset)].append(consumer)
        for dataset in _ends(graph):
            matcher = _Matcher()
            matches = [
                match._replace(cost=match.cost + number * _WRAPPED)
                for number, top in enumerate(tops)
                if (match := matcher.best(top, dataset)).pairs
            ]
            if matches and (best := min(matches, key=_cost)).cost < NEVER:
                stages, at = dict(best.pairs), tuple(consumers.get(id(dataset), ()))
                found.append(Candidate(best.cost, source, stages, at, _is_told(nodes, stages)))
    return sorted(found, key=_cost)


def tree(host: Host) -> _Node | None:
    """The datasets of a profile as the program made them: none that the runtime added, fused ones apart."""
    rows = host.reading["nodes"]
    nodes = {one.id: _Node(one, rows[one.node]) for one in host.written}
    first: dict[int, _Node] = {}
    last: dict[int, _Node] = {}
    for one in host.written:
        if one.node in last:
            last[one.node].below.append(nodes[one.id])
        first.setdefault(one.node, nodes[one.id])
        last[one.node] = nodes[one.id]
    for number in first:
        parent = rows[number]["parent"]
        while parent is not None and parent not in last:
            parent = rows[parent]["parent"]
        if parent is not None:
            last[parent].below.append(first[number])
    for node in nodes.values():
        node.below.sort(key=lambda one: (-1 if one.branch is None else one.branch, one.id))
    return nodes[host.written[0].id] if host.written else None


def in_words(host: Host) -> str:
    """The chain of a profile's datasets, the source first; without what functions make."""
    top = tree(host)
    return _in_words(top) if top else ""


def _in_words(node: _Node) -> str:
    below = [_in_words(one) for one in node.below if not one.inside]
    return " → ".join(filter(None, (below[0] if len(below) == 1 else f"({', '.join(below)})" * bool(below), node.word)))


def _wrapped(top: _Node | None) -> Iterator[_Node]:
    while top is not None:
        yield top
        top = top.below[0] if len(top.below) == 1 else None


def _ends(graph: PipelineGraph) -> Iterator[Dataset]:
    """Whatever may be consumed: what is, and what nothing goes on from."""
    used = {id(tip) for stage in graph.stages for above in stage.inputs for tip in tips(above)}
    ends = [consumer.dataset for consumer in graph.consumers]
    ends += [stage for stage in graph.stages if id(stage) not in used and not stage.nested_in]
    yield from islice({id(end): end for end in ends}.values(), _PIPELINES)


class _Matcher:
    def __init__(self) -> None:
        self._known: dict[tuple[int, int], _Match] = {}

    def best(self, node: _Node, dataset: Dataset) -> _Match:
        """The cheapest way to take what a dataset of the profile stands for, and all below, for what the source has."""
        key = node.id, id(dataset)
        if key not in self._known:
            # A loop leads back here.
            self._known[key] = _Match(NEVER)
            self._known[key] = min(self._ways(node, dataset), key=_cost)
        return self._known[key]

    def _ways(self, node: _Node, dataset: Dataset) -> Iterator[_Match]:
        yield _Match(NEVER)
        if isinstance(dataset, Join):
            yield from (self.best(node, branch.dataset) for branch in dataset.branches)
            return
        if dataset.is_opaque:
            # What a function is called with is known to be what its stage takes.
            yield _Match(0.0 if node.inside and dataset.op == "parameter" else _OPAQUE)
        kinds = _SOURCES.get(dataset.op)
        below = list(node.all_below())
        if kinds and all(one.kind in kinds for one in below):
            lacks = _OPAQUE * _lacks(dataset, {one.kind for one in below})
            yield _Match(lacks + _differs(node, dataset), tuple((one.id, dataset) for one in below))
        if not kinds and node.kind in _KINDS.get(dataset.op, (plain(dataset.op),)):
            yield self._taken(node, dataset)
        if len(node.below) == 1:
            helps = node.kind in _HELPERS or (node.kind in ("map", "parallelmap") and dataset.op == "unbatch")
            yield _Match(0.1 if helps else _MISSING) + self.best(node.below[0], dataset)
        if dataset.inputs:
            count = _NO_COUNT.get(dataset.op)
            is_nothing = dataset.op in _NOTHING or (count is not None and dataset.literal("count") == count)
            yield _Match(0.0 if is_nothing else _MISSING) + self.best(node, dataset.inputs[0])

    def _taken(self, node: _Node, stage: Stage) -> _Match:
        """This dataset is made by that call."""
        own = _Match(_differs(node, stage), ((node.id, stage),))
        made = [one for one in node.below if one.inside]
        if node.inside:
            # So are its inputs; of them and of what its own function makes, only that has an index.
            made = [one for one in made if one.branch is not None and stage.nested is not None]
        inputs = [one for one in node.below if one not in made]
        if any(one.branch is not None for one in inputs):
            # What chooses among the inputs of a mixture is none of them.
            own = own + _all([one for one in inputs if one.branch is None], stage)
            inputs = [one for one in inputs if one.branch is not None]
        if stage.op == "enumerate":
            own, inputs = own + _all(inputs[:1], stage), inputs[1:]
        if not inputs and stage.inputs:
            # The rest of the chain is not known, unless it is why nothing of it ran: it was read to its end, or one
            # element of it is many here.
            is_known = made or _keeps(node, stage) or stage.op == "unbatch"
            return own + self._made(made, stage) + _Match(0.0 if is_known else _OPAQUE)
        return own + self._made(made, stage) + self._many(inputs, stage.inputs)

    def _made(self, nodes: Sequence[_Node], stage: Stage) -> _Match:
        """What its function makes."""
        if stage.nested is None:
            return _all(nodes, stage)
        match = _Match(0.0)
        for node in nodes:
            inner = self.best(node, stage.nested)
            other = 0.0 if all(tip.is_opaque for tip in tips(stage.nested)) else _OPAQUE
            match += inner if inner.pairs else _all([node], stage) + _Match(other)
        return match

    def _many(self, nodes: Sequence[_Node], datasets: Sequence[Dataset]) -> _Match:
        """Inputs in their order; some may not have run, being cached or read to their end."""
        if not nodes or not datasets:
            return _Match(_MISSING * len(nodes))
        if len(nodes) > len(datasets):
            return _Match(NEVER)
        if len(nodes) == len(datasets) or len(datasets) > _ORDERS:
            orders: Iterable[Sequence[Dataset]] = [datasets[: len(nodes)]]
        else:
            orders = permutations(datasets, len(nodes))
        return min((self._in_order(nodes, order) for order in orders), key=_cost)

    def _in_order(self, nodes: Sequence[_Node], datasets: Sequence[Dataset]) -> _Match:
        match = _Match(0.0)
        for node, dataset in zip(nodes, datasets, strict=True):
            match += self.best(node, dataset)
        return match


def _is_told(nodes: Mapping[int, _Node], stages: Mapping[int, Stage]) -> bool:
    """Does a name, a function or a number agree, or are its stages rare? Behind a cache only the first two count."""
    pairs = [(nodes[number], stage) for number, stage in stages.items()]
    if any((node.name and node.name == stage.literal("name")) or agrees(node, stage) for node, stage in pairs):
        return True
    if any(not node.below and stage.op in _KEEPING for node, stage in pairs):
        return False
    is_rare = len({stage.op for _, stage in pairs} - _COMMON) >= _RARE
    return is_rare or any(literal == seen for node, stage in pairs for literal, seen in _numbers(node, stage))


def agrees(node: _Node, stage: Stage) -> bool:
    """Does the function of a call do what was carried out?"""
    return (agreement(node, stage) or 0.0) >= AGREEING


def _keeps(node: _Node, stage: Stage) -> bool:
    """Need nothing of what is before it have run? A buffer that is not filled again has all that was left."""
    held, size = node.parameters.get("buffered_elements"), node.parameters.get("buffer_size", 0)
    return stage.op in _KEEPING and (stage.op != "shuffle" or (held is not None and held < size))


def _lacks(source: Stage, kinds: Collection[str]) -> bool:
    """Is what this call makes in any case not among what the profile has?"""
    if source.op == "list_files" and source.literal("shuffle", True) not in (False, ...):
        return "shuffle" not in kinds
    needed = _NEEDED.get(source.op)
    return needed is not None and needed.isdisjoint(kinds)


def _cost(match: Any) -> float:
    cost: float = match.cost
    return cost


def _all(nodes: Iterable[_Node], stage: Stage) -> _Match:
    return _Match(0.0, tuple((one.id, stage) for node in nodes for one in node.all_below()))


def _differs(node: _Node, stage: Stage) -> float:
    """What speaks against this call: its name, its parameters, the operations of its function."""
    cost = 0.0
    if node.name and stage.literal("name", "") not in (node.name, ...):
        cost += 1.0
    cost += sum(literal != seen for literal, seen in _numbers(node, stage))
    if node.kind in ("map", "parallelmap") and stage.op == "map" and stage.parallelism is not ...:
        # The class is the one that was written, whatever runs.
        cost += 0.6 * (stage.is_parallel != (node.kind == "parallelmap"))
        given, seen = stage.parallelism, node.parameters.get("parallelism")
        cost += 0.5 * (given not in (None, AUTOTUNE) and not node.parameters.get("autotune") and given != seen)
    return cost + _other_function(node, stage)


def _numbers(node: _Node, stage: Stage) -> Iterator[tuple[int, int]]:
    """As they are written in a call, and as they were."""
    for runtime, written in _PARAMETERS:
        literal, seen = stage.literal(written), node.parameters.get(runtime)
        if isinstance(literal, int) and literal >= 0 and isinstance(seen, int):
            yield literal, seen


def _other_function(node: _Node, stage: Stage) -> float:
    parts = _parts(node, stage)
    if (agreeing := _together(parts)) is None:
        return 0.0
    if agreeing:
        return 0.3 * (1 - agreeing) if (1.0 if parts[1] is None else parts[1]) >= AGREEING else _OPAQUE
    return 0.5 if _calls_python(stage) or any(_tells(node)) else _UNSEEN_ALL


def agreement(node: _Node, stage: Stage) -> float | None:
    """How far what the function of a call does is what was carried out, from 0 to 1; None where nothing tells."""
    return _together(_parts(node, stage))


def _together(parts: Iterable[float | None]) -> float | None:
    known = [part for part in parts if part is not None]
    return min(known) if known and not all(known) else sum(known) / len(known) if known else None


def _parts(node: _Node, stage: Stage) -> tuple[float | None, float | None]:
    """How much of what is written in the function of a call was carried out, and how much of that is written there."""
    function = stage.function
    if function is None or not node.operations:
        return None, None
    written = {tuple(words) for name in function.operations if (words := _called(name))}
    seen = list(_tells(node))
    unseen = [words for words in written if not any(_is_of(name, words, all) for name in node.operations)]
    if any(_SLOW.intersection(words) for words in unseen):
        return 0.0, None
    explained = None
    if seen and function.resolved and not function.unknown:
        # What comes of operators and of other operations stands everywhere.
        # One decoder is not another.
        telling = [[word for word in words if word != "decode"] for words in written]
        explained = sum(any(_is_of(name, words, any) for words in telling) for name in seen) / len(seen)
    return (1 - len(unseen) / len(written) if written else None), explained


def _called(name: str) -> list[str]:
    """The words that an operation goes by; none where nothing of this name is carried out."""
    last = name.rpartition(".")[2]
    if not name.startswith("tensorflow.") or ".data." in name or not last.islower() or last in _UNSEEN:
        return []
    return _CALLED.get(last) or [word for word in last.split("_") if word != "reduce"]


def _is_of(name: str, words: Collection[str], how: Callable[[Iterable[bool]], bool]) -> bool:
    """Are all of an operation's words in a name, or any? What draws without a state is another operation."""
    return how(word in name for word in words) and ("stateless" in name) == ("stateless" in words)


def _tells(node: _Node) -> Iterator[str]:
    return (name for name in node.operations if not _ANYWHERE.search(name))


def _calls_python(stage: Stage) -> bool:
    return bool(stage.function and any(_called(name) == ["pyfunc"] for name in stage.function.operations))


def plain(kind: str) -> str:
    """`ParallelMapDatasetV2` and `_ParallelMapDataset` are `parallelmap`, `padded_batch` is `paddedbatch`."""
    return re.sub(r"dataset|v\d+$|_", "", kind.lower()) or kind.lower()
