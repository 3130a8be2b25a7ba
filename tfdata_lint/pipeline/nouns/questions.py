"""The questions that rules share, asked of a recovered pipeline: one answer each."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tfdata_lint.pipeline.nouns.consumers import PULLING, Consumer
from tfdata_lint.pipeline.nouns.counts import length
from tfdata_lint.pipeline.nouns.files import RECORDS, reader_in
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.lengths import ARRAYS
from tfdata_lint.pipeline.nouns.loops import ends_early
from tfdata_lint.pipeline.nouns.paths import Path, inside, paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.purposes import LOOKS
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.nouns.values import Constant, External, Mapping_, Sequence, Value
from tfdata_lint.pipeline.nouns.work import step

CACHES = ("cache", "snapshot")
MIXTURES = ("sample_from_datasets", "choose_from_datasets")
SHUFFLES = ("shuffle", "shuffle_and_repeat")

#: These hand on elements as they are, be it others or fewer of them.
HANDING_ON = frozenset({
    "assert_cardinality", "cache", "concatenate", "filter", "ignore_errors", "prefetch", "repeat", "shard", "shuffle",
    "shuffle_and_repeat", "skip", "snapshot", "split_dataset", "take", "with_options",
})  # fmt: skip

#: Those of them that hand on the elements of one dataset, whatever they hold.
AS_THEY_ARE = frozenset({"cache", "prefetch", "repeat", "shard", "shuffle", "skip", "take", "with_options"})

#: After these the elements are single again, unless a nested pipeline makes batches of them.
SPLITTING = ("unbatch", "flat_map", "interleave", "parallel_interleave")
_JOINING = ("window", "sliding_window_batch", "scan")
_FEW = 16
#: Sources of a handful, as a rule.
_TOYS = ("range", "from_tensors")
_MADE_UP = (*_TOYS, "counter", "random")
_GATHERED = ("OrderedDict", "SparseTensor")
#: Stages after which a dataset may end, whatever it was before.
_ENDING = frozenset({"take_while", "choose_from_datasets", "assert_cardinality"})
#: They go over a dataset once each time that they are reached.
_SINGLE_PASSES = ("for", "comprehension", "list", "reduce", "evaluate", "predict", "as_numpy_iterator", "iter")


# ── what the elements at the end of a path are ──────────────────────────────────────────────────────────────────────


def batching(path: Path) -> Stage | None:
    """The stage that made the elements at the end of a path batches; None where they are single."""
    for stage in reversed(path.stages):
        if stage.op in SPLITTING:
            # What an unbatch leaves is single; a nested pipeline may give batches, unless it takes a window.
            inner = list(upstream(stage.nested)) if stage.nested is not None else []
            gives_batches = any(map(_batches, inner)) and not any(part.is_opaque for part in inner)
            return stage if gives_batches else None
        if _batches(stage):
            return stage
    return None


def is_batched(path: Path) -> bool:
    """Are the elements at the end of a path batches?"""
    return batching(path) is not None


def _batches(stage: Stage) -> bool:
    if stage.inputs or "batch_size" not in stage.arguments:
        return stage.operation.batches
    return stage.literal("batch_size") is not None


def joins_neighbours(stages: Iterable[Stage]) -> bool:
    """Is something made of several elements that follow one another: windows, sequences of the rows of a batch?"""
    is_batched = False
    for stage in stages:
        if stage.op in _JOINING:
            return True
        is_batched = (is_batched or stage.operation.batches) and stage.op not in SPLITTING
        if is_batched and stage.op == "map" and stage.function is not None and stage.function.rows == "joined":
            return True
        if stage.op in SHUFFLES:
            return False
    return False


def is_shuffled(path: Path) -> bool:
    """Are the elements at the end of a path in a random order, or might they be?"""
    if path.is_open or path.stages[0].op in ("from_generator", "random"):
        return True
    # Keras utilities and CSV readers do so by themselves; `list_files` shuffles only the names.
    return any(stage.op in MIXTURES or (stage.may_shuffle and stage.op != "list_files") for stage in path.stages)


def reshuffles(stage: Stage) -> bool:
    """Does it put elements in another order in each iteration, with a seed as without?"""
    if not stage.operation.shuffles or stage.open_arguments:
        return False
    # Keras shuffles only the training part of `subset="both"`, and the two are not told apart here.
    if stage.literal("subset") == "both" or stage.literal("buffer_size") == 1:
        return False
    return stage.literal("reshuffle_each_iteration") in (None, True) and stage.literal("shuffle", True) is True


def is_made_up(path: Path) -> bool:
    """Does a path start from numbers that are counted or drawn, or from one element?

    A function of those is the data, not what is done to it.
    """
    return path.stages[0].op in _MADE_UP


def is_toy(path: Path) -> bool:
    """Does a path start from a range, or from a few elements in memory? What never ends drives real pipelines."""
    source = path.stages[0]
    # Of the names of files nothing follows for what is in them.
    if any(stage.operation.reads in RECORDS or reader_in(stage) is not None for stage in path.stages):
        return False
    argument = source.arguments.get("tensors")
    if source.op in _TOYS or (argument is not None and _is_literal(argument.value)):
        return True
    rows = length(source) if source.op == "from_tensor_slices" else None
    return rows is not None and 0 < rows <= _FEW


@recursive
def _is_literal(value: Value) -> bool:
    """A literal of a few elements, a dict or tuple of some, or an array made from one."""
    match value:
        case Constant():
            return True
        case Sequence(items=items, rest=None):
            return 0 < len(items) <= _FEW and all(map(_is_literal, items))
        case Mapping_(items=columns, rest=None):
            return all(map(_is_literal, columns.values()))
        case External(symbol=symbol, arguments=[values, *_]) if symbol.rpartition(".")[2] in ARRAYS:
            return not isinstance(values, Constant) and _is_literal(values)
        case External(symbol=symbol, arguments=values, keywords=named) if symbol.rpartition(".")[2] in _GATHERED:
            return all(map(_is_literal, (*values, *named.values())))
    return False


def is_few(path: Path) -> bool:
    """Does a `take` let only a literal handful of elements through, none of which becomes many afterwards?"""
    for stage in reversed(path.stages):
        if stage.op in SPLITTING or stage.operation.reads:
            return False
        if takes_few(stage):
            return True
    return False


def is_handful(path: Path) -> bool:
    """Does a path start from a literal of a few elements, none of which becomes many afterwards?"""
    given = path.stages[0].arguments.get("tensors")
    if given is None or not _is_literal(given.value):
        return False
    repeats = (stage.literal("count") for stage in path.stages if stage.op == "repeat")
    multiplies = any(stage.op in SPLITTING or stage.operation.reads for stage in path.stages)
    return not multiplies and not any(count in (None, -1, ...) for count in repeats)


def takes_few(stage: Stage) -> bool:
    """Is it a `take` of a literal handful?"""
    count = stage.literal("count") if stage.op == "take" else None
    return isinstance(count, int) and 0 <= count <= _FEW


# ── who reads it ────────────────────────────────────────────────────────────────────────────────────────────────────


def is_only_looked_at(graph: PipelineGraph, stages: Iterable[Stage]) -> bool:
    """Do these stages feed nothing but a look at a few elements?"""
    answers = {_is_looked_at(graph, stage) for stage in stages}
    return True in answers and False not in answers


def _is_looked_at(graph: PipelineGraph, stage: Stage) -> bool | None:
    """Does it feed nothing but looks? None when it feeds nothing at all. Asked once for all rules."""
    known = graph.once(_looked_at)
    if id(stage) not in known:
        looks = graph.once(_looks)
        consumers = [consumer for consumer in graph.reached(stage) if not consumer.is_beside]
        known[id(stage)] = (
            all(id(consumer) in looks for consumer in consumers) if consumers else _ends_in_few(graph, stage)
        )
    return known[id(stage)]


def _ends_in_few(graph: PipelineGraph, stage: Stage) -> bool | None:
    """Is a `take` of a handful all that is made of it, for whoever consumes that unseen? None when it is not."""
    ends = [last for last in (stage, *graph.downstream(stage)) if not graph.users(last)]
    return all(map(takes_few, ends)) or None


def _looked_at(graph: PipelineGraph) -> dict[int, bool | None]:
    """The stages of which that is known, by `id`."""
    return {}


def _looks(graph: PipelineGraph) -> set[int]:
    """The consumers that look at a few elements, by `id`."""
    return {
        id(consumer)
        for consumer in graph.consumers
        if consumer.kind == "inspection" or _takes_few(consumer) or _takes_one(consumer)
    }


def _takes_one(consumer: Consumer) -> bool:
    """Is it a loop that its first pass ends?"""
    return isinstance(consumer.node, ast.For) and consumer.kind == "for" and ends_early(consumer.node)


def _takes_few(consumer: Consumer) -> bool:
    if not any(map(takes_few, upstream(consumer.dataset))):
        return False
    return paths(consumer.dataset, consumer.context.conditions).always(is_few)


def is_barely_read(graph: PipelineGraph, stage: Stage) -> bool:
    """Does everybody who reads it take a few elements at most?"""
    consumers = graph.reached(stage)
    return bool(consumers) and all(paths(consumer.dataset).always(is_few) for consumer in consumers)


def mentions(graph: PipelineGraph, words: Iterable[str]) -> bool:
    """Does the text of a file have one of these words, whatever the case?"""
    text = graph.once(in_small_letters)
    return any(word in text for word in words)


def in_small_letters(graph: PipelineGraph) -> str:
    return graph.source.text.lower()


def is_read_once(graph: PipelineGraph, stage: Stage) -> bool:
    """Do those who read it, all of them seen, read it a single time for each time that it is made?"""
    if any(user.op == "repeat" for user in graph.downstream(stage)):
        return False
    # What `next` pulls from is a consumer of its own.
    readers = [consumer for consumer in graph.reached(stage) if consumer.kind not in PULLING]
    return len(readers) == 1 and _reads_once(readers[0], stage)


def _reads_once(consumer: Consumer, stage: Stage) -> bool:
    if consumer.kind == "input_fn":
        # The function is called, and the dataset made, for each reading.
        return True
    here, there = consumer.context, stage.context
    if here.root != there.root or [loop.node for loop in here.loops] != [loop.node for loop in there.loops]:
        return False
    return consumer.kind in _SINGLE_PASSES or (consumer.kind == "fit" and consumer.presumed("epochs", 1) in (1, None))


def is_cached(graph: PipelineGraph, stage: Stage) -> bool:
    """Does a cache behind it keep the results, for everyone who reads them?"""
    ways = [
        path.after(stage)
        for consumer in graph.reached(stage)
        for path in paths(consumer.dataset, consumer.context.conditions)
        if stage in path.stages
    ]
    return bool(ways) and all(any(later.op in CACHES for later in way) for way in ways)


def is_only_reader(origin: Stage, stage: Stage, path: Path, graph: PipelineGraph) -> bool:
    """Does everything that a stage gives go to the other one, on this path, and nowhere else?"""
    for link in path.stages[path.stages.index(origin) : path.stages.index(stage)]:
        if len({user.span for user in graph.users(link)}) != 1:
            return False
        # What is kept in an attribute is read where that is read.
        if any(consumer.kind not in LOOKS and consumer.kind != "stored" for consumer in graph.consumers_of(link)):
            return False
    return True


# ── where it stands ─────────────────────────────────────────────────────────────────────────────────────────────────


def by_place(stages: Iterable[Stage], *ops: str) -> list[list[Stage]]:
    """The stages with these operations; those of one place in several calling contexts together."""
    groups: dict[Span, list[Stage]] = {}
    for stage in stages:
        if stage.op in ops:
            groups.setdefault(stage.span, []).append(stage)
    return list(groups.values())


def consumed(graph: PipelineGraph, *kinds: str) -> Iterator[Consumer]:
    """The consumers of these kinds, outside of tests."""
    return (one for one in graph.consumers if one.kind in kinds and not one.context.in_test)


def readers_by_place(graph: PipelineGraph, *kinds: str) -> list[list[Consumer]]:
    """The consumers of these kinds; those of one place, in several calls or passes of a loop, together."""
    groups: dict[Span, list[Consumer]] = {}
    for consumer in graph.consumers:
        if consumer.kind in kinds:
            groups.setdefault(consumer.span, []).append(consumer)
    return list(groups.values())


def follows(stage: Stage, origin: Stage) -> bool:
    """Does it come directly after the other one, under the same conditions, so that the two can be swapped?"""
    here, there = stage.context, origin.context
    is_same_place = (here.definition, here.conditions) == (there.definition, there.conditions)
    return bool(stage.inputs) and stage.inputs[0] is origin and is_same_place


def runs_wherever(stage: Stage, origin: Stage) -> bool:
    """Does it run wherever the other one does: in the same function, under no condition of its own?"""
    here, there = stage.context, origin.context
    own = {*here.conditions, *here.guards} - {*there.conditions, *there.guards}
    return here.definition == there.definition and not own


def around(stage: Stage) -> Iterator[Stage]:
    """A stage, and those in whose functions it stands, outermost last."""
    inner: Stage | None = stage
    while inner is not None:
        yield inner
        inner = inner.nested_in


def outermost(stage: Stage) -> Stage:
    """The stage of the pipeline proper: itself, or the `interleave` in whose function it stands."""
    *_, outer = around(stage)
    return outer


# ── how it runs ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_in_parallel(stage: Stage) -> bool:
    """Is it part of the function of a stage that is parallel itself?"""
    _, *outer = around(stage)
    return any(other.op == "parallel_interleave" or other.is_parallel for other in outer)


def may_reorder(graph: PipelineGraph, stage: Stage) -> bool:
    """Is `deterministic` switched off for a stage, or might it be? Where it leaves to, any file of the project may."""
    return any(
        part.literal("deterministic") not in (None, True)
        or graph.option(part, "deterministic") not in (None, True)
        or graph.option(part, "experimental_deterministic") not in (None, True)
        for part in around(stage)
    ) or (leaves(graph, outermost(stage)) and graph.says("deterministic"))


def leaves(graph: PipelineGraph, stage: Stage) -> bool:
    """May code that is not seen go on from what it gives?"""
    consumers = graph.reached(stage)
    if any(consumer.kind in ("argument", "stored", "yield") for consumer in consumers):
        return True
    is_known_by_name = not stage.context.definition or not consumers
    return (is_known_by_name or any(consumer.kind == "return" for consumer in consumers)) and graph.is_imported


def may_ignore_errors(graph: PipelineGraph, stage: Stage) -> bool:
    """Does `ignore_errors` come behind a stage, or may it: in a function that gives its dataset, in another file?"""
    if any(later.op == "ignore_errors" for later in graph.downstream(stage)):
        return True
    ignoring = (part for other in graph.stages if other.op == "ignore_errors" for part in upstream(other))
    if any(inner.span == stage.span for part in ignoring for inner in inside(part)):
        return True
    return leaves(graph, stage) and graph.says("ignore_errors")


def may_be_endless(stage: Stage) -> bool:
    """May what a stage is given never end?"""
    above = (part for origin in stage.inputs for part in upstream(origin))
    return any(part.is_opaque or part.is_endless is not False for part in above)


def endless_stage(path: Path) -> Stage | None:
    """The stage that makes the dataset infinite on this path."""
    for stage in reversed(path.stages):
        if stage.is_endless:
            return stage
        if stage.op in _ENDING or (stage.op == "take" and not _takes_all(stage)):
            return None
        if stage.op == "zip" and not _all_endless(stage, path):
            return None
        if stage.op == "sample_from_datasets" and stage.literal("stop_on_empty_dataset", False) is not False:
            return None
    return None


def _takes_all(stage: Stage) -> bool:
    """Does a `take` take all? By a -1 that is written there: one that a name has by default stands for a number."""
    count = stage.arguments.get("count")
    return count is not None and count.literal == -1 and isinstance(count.node, (ast.UnaryOp, ast.Constant))


def _all_endless(stage: Stage, path: Path) -> bool:
    """`zip` ends with the shortest of its inputs."""
    step()
    if stage.open_arguments or len(stage.inputs) < 2:
        return False
    if any(inner.op == "zip" for origin in stage.inputs for inner in upstream(origin)):
        # Zips of zips: the ways through them multiply.
        return False
    return all(
        any(endless_stage(other) is not None for other in paths(origin, path.conditions)) for origin in stage.inputs
    )


def is_for_workers(shard: Stage) -> bool:
    """Does a `shard` share out among workers? Not a split of the data by two literals, and not a single share."""
    shards, index = shard.literal("num_shards"), shard.literal("index")
    return shards != 1 and (shards is ... or index is ...)
