"""Assignment to names, attributes and items."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.pipeline.interpreter import containers, fields, objects, operators, setting
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Join, Stage
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    UNKNOWN,
    Alternatives,
    Computed,
    Constant,
    Element,
    Expr,
    External,
    Sequence,
    Slice,
    Unknown,
    Value,
    expr_of,
    parts_of,
)
from tfdata_lint.pipeline.project.evidence import Evidence
from tfdata_lint.pipeline.project.index import span_of


def assign(run: Run, target: ast.expr, value: Value, statement: ast.stmt) -> None:
    if isinstance(target, ast.Name):
        assign_name(run, target.id, value, target, statement)
        return
    match target:
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            operators.apply(run, value)
            for part, item in zip(targets, unpack(run, value, targets), strict=True):
                assign(run, part.value if isinstance(part, ast.Starred) else part, item, statement)
        case ast.Attribute():
            objects.assign_attribute(run, target, value, statement)
        case ast.Subscript():
            objects.assign_item(run, target, value, statement)


def assign_name(
    run: Run, name: str, value: Value, node: ast.expr | None = None, statement: ast.stmt | None = None
) -> None:
    frame = run.frame
    scope = frame.scope
    outside = name in scope.global_names or name in scope.nonlocal_names
    if outside and run.recorder.on:
        if isinstance(value, Constant) and isinstance(value.value, bool):
            # A flag that says that something was done once, at tracing.
            return
        if node is not None and setting.is_kept(run, node, value, statement):
            return
        span = span_of(node, run.file) if node is not None else Span(run.file, 0, 0, 0, 0)
        is_settled = node is not None and setting.settles(node, value, statement)
        run.recorder.changes(name, span, settles=is_settled)
        return
    if isinstance(value, (Stage, Join)) and isinstance(node, ast.Name) and run.unit is run.main:
        run.graph.bound.append((node, value))
    if frame.evidence and isinstance(value, (Unknown, External)) and _is_known(frame.evidence, name, node):
        value = run.origin("unresolved", node)
    elif isinstance(value, Unknown):
        value = value.anew()
    if outside:
        run.changes += 1
        if name in scope.global_names:
            scope = scope.module
        else:
            outer = scope.parent
            while outer is not None and name not in outer.names:
                outer = outer.parent
            scope = outer or scope
    scope.names[name] = value
    if frame.dotted:
        start, length = f"{name}.", len(name) + 1
        for key in [key for key in scope.names if key[:length] == start]:
            del scope.names[key]


def _is_known(evidence: Evidence, name: str, node: ast.expr | None) -> bool:
    return name in evidence or (node is not None and (name, node.lineno) in evidence)


@recursive
def unpack(run: Run, value: Value, targets: list[ast.expr]) -> list[Value]:
    """The items of a value for as many targets."""
    count, value = len(targets), fields.as_tuple(run, value)
    if isinstance(value, Stage) and value.op in operations.BY_SPLIT and _has_unknown_splits(value):
        # As many datasets as there are splits.
        return [value] * count
    starred = next((i for i, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
    if isinstance(value, Sequence):
        if value.rest is None and starred is None and len(value.items) == count:
            return list(value.items)
        if value.rest is None and starred is not None and len(value.items) >= count - 1:
            tail = count - starred - 1
            middle = value.items[starred : len(value.items) - tail]
            return [*value.items[:starred], Sequence("list", middle), *value.items[len(value.items) - tail :]]
        if value.rest is not None:
            first = value.items[:count] if starred is None else value.items[:starred]
            items = [*first, *[containers.several(run, parts_of(value)) for _ in range(count - len(first))]]
            if starred is not None:
                items[starred] = Sequence("list", (), containers.item_of(run, value))
            return items
    if isinstance(value, Alternatives):
        columns = [unpack(run, branch.value, targets) for branch in value.branches]
        return [run.choose(value, [column[i] for column in columns]) for i in range(count)]
    if isinstance(value, Element):
        if value.expr is None:
            return [ELEMENT] * count
        if starred is not None:
            return [run.element(expr_of("item", value, key, node=targets[i])) for i, key in _places(count, starred)]
        return [run.element(_unpacked(value, i, targets)) for i in range(count)]
    if isinstance(value, (Computed, External)) and starred is None:
        return [Computed(_unpacked(value, i, targets)) for i in range(count)]
    return [UNKNOWN] * count


def _places(count: int, starred: int) -> Iterator[tuple[int, Value]]:
    """What each of so many targets takes: `first, *rest, last` are the items 0, 1:-1 and -1."""
    for place in range(count):
        left = count - place
        if place == starred:
            yield place, Slice(Constant(place), Constant(1 - left) if left > 1 else None, None)
        else:
            yield place, Constant(place if place < starred else -left)


def _unpacked(value: Value, place: int, targets: list[ast.expr]) -> Expr:
    return expr_of("unpacked", value, Constant(place), Constant(len(targets)), node=targets[place])


def _has_unknown_splits(stage: Stage) -> bool:
    """Are the splits in a variable, and is nothing else asked for that would come with them, or in their place?"""
    return not stage.open_arguments and stage.literal("split", "") is ... and not stage.has("batch_size")
