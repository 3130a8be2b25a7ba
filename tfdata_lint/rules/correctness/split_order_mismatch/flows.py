"""What becomes of what is read from datasets: the names it is kept under, and where two of them meet."""

from __future__ import annotations

import ast
from collections import Counter
from itertools import combinations
from typing import NamedTuple

from tfdata_lint.pipeline.nouns.code import calls_of, given_to, holds, last_name, names, way
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Argument
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.source.trees import walk

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_KEEPING = frozenset({"append", "extend"})
#: Calls that take what belongs together row by row, beside scores by the end of their names.
_ROW_BY_ROW = frozenset({
    "zip", "fit", "equal", "update_state", "from_predictions", "confusion_matrix", "classification_report",
    "train_test_split", "multilabel_confusion_matrix", "crosstab",
})  # fmt: skip
#: Calls that put columns beside one another.
_SIDE_BY_SIDE = frozenset({"DataFrame", "column_stack"})
_COUNTING = frozenset({"len", "unique", "bincount", "shape", "Counter"})
_REDUCING = frozenset({"mean", "sum", "std", "var", "max", "min", "median", "reduce_mean", "reduce_sum", "reduce_max"})
_SIZES = frozenset({"shape", "size", "ndim", "dtype"})
_SCORES = ("_score", "_error", "_curve", "_coef")


def meeting(graph: PipelineGraph, one: Consumer, other: Consumer) -> tuple[Span, Span] | None:
    """The two reads whose results are put together row by row, in one function, or where the functions are called."""
    if one.node is other.node:
        for first, second in combinations(_calls_for(graph, one.node), 2):
            # Two calls of the function that reads it.
            if _get_one(graph, one.node, first, second):
                if _meet_in(graph, _scope(graph.tree, first), first, second):
                    return span_of(first, graph.file), span_of(second, graph.file)
        return None
    is_met = any(
        scope is there and node is not reader and _meet_in(graph, scope, node, reader)
        for scope, node in graph.once(_places, one.node)
        for there, reader in graph.once(_places, other.node)
    )
    return (one.span, other.span) if is_met else None


def _meet_in(graph: PipelineGraph, scope: ast.AST, one: ast.AST, other: ast.AST) -> bool:
    first, second = graph.once(_kept, scope, one), graph.once(_kept, scope, other)
    return _meet(graph, scope, _Rows(first - second, one), _Rows(second - first, other))


def _places(graph: PipelineGraph, node: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    """Where a dataset is read, with the function around, and the one call of that where it returns what is kept."""
    calls = _calls_for(graph, node)
    return [(_scope(graph.tree, place), place) for place in (node, *(calls if len(calls) == 1 else ()))]


def _calls_for(graph: PipelineGraph, node: ast.AST) -> list[ast.Call]:
    """The calls of the function that reads a dataset, where it returns what is kept."""
    scope = _scope(graph.tree, node)
    if not isinstance(scope, ast.FunctionDef):
        return []
    kept = graph.once(_kept, scope, node)
    returns = [part.value for part in walk(scope) if isinstance(part, ast.Return) and part.value is not None]
    is_returned = any(holds(value, node) or not kept.isdisjoint(names(value)) for value in returns)
    return list(calls_of(graph.tree, scope.name)) if is_returned else []


def _get_one(graph: PipelineGraph, node: ast.AST, one: ast.Call, other: ast.Call) -> bool:
    """Do two calls in one scope give the function the same for the parameter that it reads?"""
    function = _scope(graph.tree, node)
    if _scope(graph.tree, one) is not _scope(graph.tree, other) or not isinstance(function, ast.FunctionDef):
        return False
    walked = [part.iter for part in (node, *getattr(node, "generators", ())) if hasattr(part, "iter")]
    read = names(*(walked or [node]))
    pairs = [given_to(function, call).items() for call in (one, other)]
    first, second = ({name: ast.unparse(given) for name, given in pair if name in read} for pair in pairs)
    return first == second != {}


def meets(graph: PipelineGraph, consumer: Consumer, argument: Argument) -> bool:
    """Is what a consumer keeps put together row by row with the arrays that its dataset is made of?"""
    scope = _scope(graph.tree, consumer.node)
    arrays = names(argument.node) - graph.once(_imported)
    values, given = graph.once(_values, scope), graph.once(_parameters, scope)
    # A name with two values may have had another one.
    steady = {name for name in arrays if values[name] + (name in given) == 1}
    kept = graph.once(_kept, scope, consumer.node)
    return _meet(graph, scope, _Rows(kept - arrays, consumer.node), _Rows(steady))


class _Rows(NamedTuple):
    """Names of what is read, and the expression that reads it, where it stands in another one."""

    names: set[str]
    node: ast.AST | None = None

    def are_in(self, side: _Side) -> bool:
        return not self.names.isdisjoint(side.names) or (self.node is not None and holds(side.node, self.node))


class _Side(NamedTuple):
    """One of the expressions that are put together, with its names."""

    node: ast.expr
    names: tuple[str, ...]


def _meet(graph: PipelineGraph, scope: ast.AST, first: _Rows, second: _Rows) -> bool:
    """Is one side of something of the first kind and another one of the second?"""
    for sides in graph.once(_joints, scope):
        kinds = [(first.are_in(side), second.are_in(side)) for side in sides]
        if (True, False) in kinds and (False, True) in kinds:
            return True
    return False


def _scope(tree: ast.AST, node: ast.AST) -> ast.AST:
    return next((step for step in way(tree, node) if isinstance(step, _DEFINITIONS)), tree)


def _imported(graph: PipelineGraph) -> set[str]:
    nodes = walk(graph.tree)
    return {alias.asname or alias.name.partition(".")[0] for alias in nodes if isinstance(alias, ast.alias)}


def _parameters(graph: PipelineGraph, scope: ast.AST) -> set[str]:
    return {part.arg for part in walk(scope) if isinstance(part, ast.arg)}


def _kept(graph: PipelineGraph, scope: ast.AST, reader: ast.AST) -> set[str]:
    """The names of what is kept of the elements, and of what is made of that; not those that have other values, too."""
    known = _collected(reader) | _walked(reader) if isinstance(reader, (ast.For, ast.AsyncFor)) else set()
    if not known:
        statement = next((step for step in way(scope, reader) if isinstance(step, ast.stmt)), None)
        known = _assigned(statement) if isinstance(statement, ast.Assign) else set()
    assignments, values = graph.once(_assignments, scope), graph.once(_values, scope)
    while True:
        new = {name for used, made in assignments if not used.isdisjoint(known) for name in made} - known
        if not new:
            return {name for name in known if values[name] == 1}
        known |= new


def _assignments(graph: PipelineGraph, scope: ast.AST) -> list[tuple[set[str], set[str]]]:
    """The names that each assignment reads, and those that it assigns."""
    return [(names(node.value), _assigned(node)) for node in walk(scope) if isinstance(node, ast.Assign)]


def _values(graph: PipelineGraph, scope: ast.AST) -> Counter[str]:
    """How many values each name gets, beside the empty ones that are filled, and what is made of its own value."""
    found: Counter[str] = Counter()
    for node in walk(scope):
        match node:
            case ast.Assign(targets=targets, value=value) if not _is_empty(value):
                parts = (part for target in targets for part in walk(target))
                stored = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
                found.update(stored - names(value))
            case ast.For() | ast.AsyncFor():
                found.update(_collected(node) | names(node.target))
            case ast.With(items=items):
                found.update(names(*(item.optional_vars for item in items if item.optional_vars is not None)))
    return found


def _is_empty(value: ast.expr) -> bool:
    """`[]`, `list()`, `np.array([])`."""
    match value:
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return not elements
        case ast.Call(args=[]):
            return last_name(value) == "list"
        case ast.Call(args=[inner, *_]):
            return last_name(value) in ("array", "empty", "zeros", "constant") and _is_empty(inner)
    return False


def _assigned(statement: ast.Assign) -> set[str]:
    return {target.id for target in statement.targets if isinstance(target, ast.Name)}


def _collected(loop: ast.For | ast.AsyncFor) -> set[str]:
    """The lists and arrays that a loop adds to: `labels.append(y)`, `labels += list(y)`, `a = concat([a, y])`."""
    found: set[str] = set()
    for node in (part for statement in loop.body for part in walk(statement)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attribute)) if attribute in _KEEPING:
                found.add(name)
            case ast.AugAssign(target=ast.Name(id=name), value=value) if not isinstance(value, ast.Constant):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in names(value):
                found.add(name)
    return found


def _walked(loop: ast.For | ast.AsyncFor) -> set[str]:
    """What a loop calls the parts of an element, without the number of it."""
    match loop.iter, loop.target:
        case ast.Call(func=ast.Name(id="enumerate")), ast.Tuple(elts=[_, element]):
            return set(names(element))
    return set(names(loop.target))


def _joints(graph: PipelineGraph, scope: ast.AST) -> list[list[_Side]]:
    """What is put together row by row in a scope: the sides of each such place."""
    joints = [[side for side in _sides(node) if not _is_size(side)] for node in walk(scope)]
    return [[_Side(side, tuple(names(side))) for side in sides] for sides in joints if len(sides) > 1]


def _sides(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name() | ast.Attribute() as table)], value=column):
            # `table["score"] = scores`, by row.
            return [table, column]
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
            return [left, right]
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return [left, right]
        case ast.Call(args=[ast.Dict(values=columns) | ast.List(elts=columns) | ast.Tuple(elts=columns), *_]) if (
            last_name(node) in _SIDE_BY_SIDE
        ):
            return list(columns)
        case ast.Call(args=args, keywords=keywords) if last_name(node) in (*_ROW_BY_ROW, *_SIDE_BY_SIDE) or last_name(
            node
        ).endswith(_SCORES):
            return [*args, *(keyword.value for keyword in keywords)]
    return []


def _is_size(node: ast.expr) -> bool:
    """`len(labels)`, `labels.shape`, `labels.mean()`: not the rows themselves."""
    for part in walk(node):
        match part:
            case ast.Call(args=args, keywords=keywords):
                name = last_name(part)
                is_of_all = name in _REDUCING and len(args) < 2 and not any(given.arg == "axis" for given in keywords)
                if is_of_all or name in _COUNTING:
                    return True
            case ast.Attribute(attr=attribute) if attribute in _SIZES:
                return True
    return False
