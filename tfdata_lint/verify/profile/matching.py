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

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
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
#: One behind the last: libraries wrap what they are given.
_WRAPPED, _WRAPS = 0.25, 4
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
#: With this count the runtime leaves them out.
_NO_COUNT = {"repeat": 1, "skip": 0, "take": -1}
#: They make no dataset, or one that does nothing.
_NOTHING = frozenset(
    ("with_options", "apply", "options", "assert_cardinality", "ignore_errors", "as_numpy_iterator", "cardinality")
)
_HELPERS = frozenset(("options", "assertcardinality", "ignoreerrors", "maxintraopparallelism", "model"))
#: Operations that are called otherwise, and that are folded away or go by no name of their own.
_CALLED = {"py_function": ["pyfunc"], "numpy_function": ["pyfunc"], "one_hot": ["onehot"]}
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
    consumers: tuple[Span, ...]
    """Where it is consumed."""


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
    tops = list(islice(_wrapped(tree(host)), _WRAPS))
    found = []
    for source, graph in graphs:
        consumers = defaultdict(list)
        for consumer in graph.consumers:
            consumers[id(consumer.dataset)].append(consumer.span)
        for dataset in _ends(graph):
            matcher = _Matcher()
            matches = [
                match._replace(cost=match.cost + number * _WRAPPED)
                for number, top in enumerate(tops)
                if (match := matcher.best(top, dataset)).pairs
            ]
            if matches and (best := min(matches, key=_cost)).cost < NEVER:
                found.append(Candidate(best.cost, source, dict(best.pairs), tuple(consumers.get(id(dataset), ()))))
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
            yield _Match(_OPAQUE)
        kinds = _SOURCES.get(dataset.op)
        below = list(node.all_below())
        if kinds and all(one.kind in kinds for one in below):
            yield _Match(_differs(node, dataset), tuple((one.id, dataset) for one in below))
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
        inputs = [one for one in node.below if not one.inside]
        made = [one for one in node.below if one.inside]
        if any(one.branch is not None for one in inputs):
            # What chooses among the inputs of a mixture is none of them.
            own = own + _all([one for one in inputs if one.branch is None], stage)
            inputs = [one for one in inputs if one.branch is not None]
        if stage.op == "enumerate":
            own, inputs = own + _all(inputs[:1], stage), inputs[1:]
        return own + self._made(made, stage) + self._many(inputs, stage.inputs)

    def _made(self, nodes: Sequence[_Node], stage: Stage) -> _Match:
        """What its function makes."""
        if stage.nested is None:
            return _all(nodes, stage)
        match = _Match(0.0)
        for node in nodes:
            inner = self.best(node, stage.nested)
            match += inner if inner.pairs else _all([node], stage)
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
        return min((self._together(nodes, order) for order in orders), key=_cost)

    def _together(self, nodes: Sequence[_Node], datasets: Sequence[Dataset]) -> _Match:
        match = _Match(0.0)
        for node, dataset in zip(nodes, datasets, strict=True):
            match += self.best(node, dataset)
        return match


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
    for runtime, written in _PARAMETERS:
        literal, seen = stage.literal(written), node.parameters.get(runtime)
        if isinstance(literal, int) and literal >= 0 and isinstance(seen, int) and literal != seen:
            cost += 1.0
    if node.kind in ("map", "parallelmap") and stage.op == "map" and stage.parallelism is not ...:
        # The class is the one that was written, whatever runs.
        cost += 0.6 * (stage.is_parallel != (node.kind == "parallelmap"))
        given, seen = stage.parallelism, node.parameters.get("parallelism")
        cost += 0.5 * (given not in (None, AUTOTUNE) and not node.parameters.get("autotune") and given != seen)
    return cost + _other_function(node, stage)


def _other_function(node: _Node, stage: Stage) -> float:
    agreeing = agreement(node, stage)
    if agreeing:
        return 0.3 * (1 - agreeing)
    return 0.0 if agreeing is None else 0.5 if _calls_python(stage) or any(_tells(node)) else _UNSEEN_ALL


def agreement(node: _Node, stage: Stage) -> float | None:
    """How far what the function of a call does is what was carried out, from 0 to 1; None where nothing tells."""
    function = stage.function
    if function is None or not node.operations:
        return None
    written = {tuple(words) for name in function.operations if (words := _called(name))}
    seen = list(_tells(node))
    parts = []
    if written:
        parts.append(sum(any(_is_of(name, words, all) for name in node.operations) for words in written) / len(written))
    if seen and function.resolved and not function.unknown:
        # What comes of operators and of other operations stands everywhere.
        # One decoder is not another.
        telling = [[word for word in words if word != "decode"] for words in written]
        explained = (any(_is_of(name, words, any) for words in telling) for name in seen)
        parts.append(sum(explained) / len(seen))
    return min(parts) if parts and not all(parts) else sum(parts) / len(parts) if parts else None


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
