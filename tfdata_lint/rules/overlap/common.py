"""Questions that several rules of this group ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Consumer, Effect, Stage, upstream
from tfdata_lint.pipeline.nouns.values import Constant, External, Mapping_, Sequence, Value

#: Options that, when False, leave a pipeline without the rewrites that TensorFlow makes by itself.
REWRITES = ("autotune.enabled", "experimental_optimization.apply_default_optimizations")

#: What these read is whole files of records; `list_files` reads names.
_RECORDS = ("records", "text", "bytes", "csv")
_WILDCARDS = "*?["
_FEW = 16
_ARRAYS = ("array", "asarray", "constant", "convert_to_tensor")

#: After these the elements are single again.
_SPLITS = ("unbatch", "flat_map", "interleave", "parallel_interleave")


def by_place(stages: Iterable[Stage], *ops: str) -> list[list[Stage]]:
    """The stages with these operations; those of one place in several calling contexts together."""
    groups: dict[Span, list[Stage]] = {}
    for stage in stages:
        if stage.op in ops:
            groups.setdefault(stage.span, []).append(stage)
    return list(groups.values())


def is_only_looked_at(graph: PipelineGraph, stages: Iterable[Stage]) -> bool:
    """Do these stages feed nothing but a look at a few elements?"""
    # What `next` pulls from is a consumer of its own.
    consumers = [consumer for stage in stages for consumer in graph.reached(stage) if consumer.kind != "next"]
    return bool(consumers) and all(map(_only_looks, consumers))


def _only_looks(consumer: Consumer) -> bool:
    if consumer.kind == "inspection":
        return True
    ways = paths(consumer.dataset, consumer.context.conditions)
    return ways.complete and len(ways) > 0 and all(map(is_few, ways))


def is_few(path: Path) -> bool:
    """Does a `take` let only a literal handful of elements through, none of which becomes many afterwards?"""
    for stage in reversed(path.stages):
        if stage.op in _SPLITS or stage.operation.reads:
            return False
        count = stage.literal("count") if stage.op == "take" else None
        if isinstance(count, int) and 0 <= count <= _FEW:
            return True
    return False


def is_in_parallel(stage: Stage) -> bool:
    """Is it part of the function of a stage that is parallel itself?"""
    outer = stage.nested_in
    while outer is not None:
        if outer.op == "parallel_interleave" or outer.is_parallel:
            return True
        outer = outer.nested_in
    return False


def is_batched(path: Path) -> bool:
    """Are the elements at the end of a path batches?"""
    for stage in reversed(path.stages):
        if stage.op in _SPLITS:
            # What an unbatch leaves is single; a nested pipeline may give batches, unless it takes a window.
            inner = list(upstream(stage.nested)) if stage.nested is not None else []
            return any(map(_batches, inner)) and not any(part.is_opaque for part in inner)
        if _batches(stage):
            return True
    return False


def _batches(stage: Stage) -> bool:
    if stage.inputs or "batch_size" not in stage.arguments:
        return stage.operation.batches
    return stage.literal("batch_size") is not None


def is_toy(stage: Stage) -> bool:
    """Does everything upstream come from a range or from a literal of a few elements?"""
    found = paths(stage)
    return found.complete and all(_is_toy_source(path.stages[0]) for path in found)


def _is_toy_source(source: Stage) -> bool:
    if source.op in ("range", "from_tensors"):
        return True
    argument = source.arguments.get("tensors")
    return argument is not None and _is_literal(argument.value)


def _is_literal(value: Value) -> bool:
    """A literal of a few elements, a dict or tuple of some, or an array made from one."""
    match value:
        case Constant():
            return True
        case Sequence(items=items, rest=None):
            return 0 < len(items) <= _FEW and all(map(_is_literal, items))
        case Mapping_(items=columns, rest=None):
            return all(map(_is_literal, columns.values()))
        case External(symbol=symbol, arguments=[values, *_]):
            return symbol.rpartition(".")[2] in _ARRAYS and not isinstance(values, Constant) and _is_literal(values)
    return False


def is_one_file(path: Path) -> bool:
    """Does a path start from a single file name?"""
    source = path.stages[0]
    if source.op == "from_tensors":
        return True
    argument = source.arguments.get("file_pattern") or source.arguments.get("tensors")
    match argument.value if argument else None:
        case Constant(str(pattern)):
            return source.op != "list_files" or not any(character in pattern for character in _WILDCARDS)
        case Sequence(items=[_], rest=None):
            return source.op != "list_files"
    return False


def reader_of(stage: Stage) -> Stage | None:
    """The stage that reads files in the pipeline that its function returns."""
    if stage.nested is None:
        return None
    return next((inner for inner in upstream(stage.nested) if inner.operation.reads in _RECORDS), None)


def why_unsafe(graph: PipelineGraph, stages: Iterable[Stage]) -> str:
    """Why running the function of a stage in parallel changes more than the time it takes, in one of its contexts.

    Empty when it does not.
    """
    return next((reason for stage in stages if (reason := _why_unsafe(graph, stage))), "")


def _why_unsafe(graph: PipelineGraph, stage: Stage) -> str:
    for part in (stage, *_nested(stage)):
        if part.is_opaque or (part.operation.functions and (part.function is None or not part.function.resolved)):
            return "what the function does is not fully known"
        if part.op == "from_generator":
            return "several Python generators run at the same time"
        if part is not stage and part.operation.shuffles and part.literal("shuffle", True) is not False:
            return f"the `{part.op}` in its function draws at another time, so a seeded run gives another order"
        effects = part.function.effects if part.function is not None else ()
        if effect := next((effect for effect in effects if effect.kind in _REASONS), None):
            return _REASONS[effect.kind].format(what=effect.what)
    if may_reorder(graph, stage):
        return "`deterministic` is or may be switched off, which only counts in parallel: the order of elements changes"
    return ""


def _nested(stage: Stage) -> Iterator[Stage]:
    """The stages of the pipeline that a function returns, and those of theirs."""
    if stage.nested is not None:
        for inner in upstream(stage.nested):
            yield inner
            yield from _nested(inner)


_REASONS: dict[str, str] = {
    "random": "the draws of `{what}` land on other elements, so a seeded run gives other data",
    "generator": "the draws of `{what}` land on other elements, so a seeded run gives other data",
    "random_layer": "the draws of `{what}` land on other elements, so a seeded run gives other data",
    "py_function": "Python state behind `{what}` gets lost in several threads (measured: 100 increments left 50)",
    "variable_read": "`{what}` may change while several elements are in work",
    "variable_assign": "`{what}` happens in another order",
    "tf_print": "`{what}` writes its lines in another order",
    "stateful_layer": "`{what}` may hold variables that several elements change at once",
}


def may_reorder(graph: PipelineGraph, stage: Stage) -> bool:
    """Is `deterministic` switched off for a stage, or might it be?"""
    if stage.literal("deterministic") not in (None, True) or any(
        graph.option(stage, option) not in (None, True) for option in ("deterministic", "experimental_deterministic")
    ):
        return True
    return stage.nested_in is not None and may_reorder(graph, stage.nested_in)


def stateful_effect(stage: Stage) -> Effect | None:
    """Why TensorFlow never parallelises a stage by itself, if that is known."""
    return stage.function.stateful if stage.function is not None else None
