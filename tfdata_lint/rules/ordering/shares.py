"""What each worker keeps for itself: by `shard`, by a filter on the number of the element, or by a slice of a list."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any

from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import is_for_workers
from tfdata_lint.pipeline.nouns.recursion import within
from tfdata_lint.pipeline.nouns.stages import Stage, tips
from tfdata_lint.pipeline.nouns.values import (
    Computed,
    Constant,
    Element,
    Expr,
    External,
    Sequence,
    Slice,
    Symbol,
    parts_of,
)

_WORKERS = re.compile(r"process_?(index|count|id)|rank|worker|replica|shard|world|host|hvd|pipeline", re.IGNORECASE)
_EQUAL = ("Eq", "equal")
_REMAINDERS = ("Mod", "floormod", "mod")


def shares(graph: PipelineGraph) -> list[Stage]:
    """The stages that share out elements among workers."""
    return [stage for stage in graph.stages if is_share(stage)]


def is_share(stage: Stage) -> bool:
    if stage.op != "shard":
        return stage.op == "filter" and _keeps_every_nth(stage)
    given = [argument.node for argument in stage.arguments.values() if argument.literal is not ...]
    is_told = any(tells_workers(node) for node in given) and stage.literal("num_shards") != 1
    return is_for_workers(stage) or is_told


def begin(share: Stage) -> Stage:
    """The first of the stages that share out: the `enumerate` before a filter."""
    return next(tips(share.inputs[0])) if share.op == "filter" else share


def _keeps_every_nth(stage: Stage) -> bool:
    """`ds.enumerate().filter(lambda i, x: i % workers == worker)`"""
    function = stage.function
    if function is None or function.node is None or begin(stage).op != "enumerate":
        return False
    match function.result:
        case Expr(by="mapped", of=(_, Expr(by=equal, of=(Expr(by=by, of=(number, count)), index)))) if (
            last(equal) in _EQUAL and last(by) in _REMAINDERS
        ):
            is_number = isinstance(number, Expr) and number.by == "parameter"
            return is_number and not isinstance(count, Constant) and tells_workers(function.node, count, index)
    return False


def is_part(value: Any) -> bool:
    """Is it the share that a worker has of a list: `files[rank::size]`, `np.array_split(files, size)[rank]`?"""
    match value:
        case Expr(by="item", of=(_, Slice(lower=lower, upper=upper, step=step)), node=node) if node is not None:
            bounds = (lower, step if upper is None else upper)
            is_open = not any(isinstance(bound, (Constant, type(None))) for bound in bounds)
            return is_open and tells_workers(node, lower, step)
        case Expr(by="item", of=(External(symbol=symbol), index), node=node) if node is not None:
            return last(symbol) in ("array_split", "split") and tells_workers(node, index)
    return False


def tells_workers(node: ast.AST, *values: Any) -> bool:
    """Do names in the code, or of what values come from, tell of workers?"""
    names = [part.symbol if isinstance(part, External) else part.name for part in _origins(values)]
    return any(map(_WORKERS.search, (ast.unparse(node), *names)))


def _origins(values: Iterable[Any]) -> Iterator[External | Symbol]:
    for value in values:
        for part in within(value, _held):
            if isinstance(part, (External, Symbol)):
                yield part


def _held(value: Any) -> Iterable[Any]:
    match value:
        case Computed(expr=expr) | Element(expr=expr):
            return () if expr is None else (expr,)
        case Expr():
            return value.of
        case External():
            return (*value.given, value.receiver)
        case Sequence():
            return parts_of(value)
    return ()
