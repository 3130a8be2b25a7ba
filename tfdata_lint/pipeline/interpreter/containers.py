"""Items: what the interpreter reads from tuples, lists, dicts and elements, and puts into them."""

from __future__ import annotations

import ast
from collections.abc import Sequence as Seq
from functools import reduce
from typing import Any

from tfdata_lint.pipeline.interpreter.folding import MAX_ITEMS
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.nouns.options import Options, OptionsGroup
from tfdata_lint.pipeline.nouns.recursion import recursive, within
from tfdata_lint.pipeline.nouns.stages import Dataset, Iterator, Join, Stage, tips
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    UNKNOWN,
    Alternatives,
    Computed,
    Constant,
    Element,
    Expr,
    External,
    Mapping_,
    Sequence,
    Slice,
    Value,
    either,
    expr_of,
    parts_of,
    snapshot,
)

#: So many items, as a power of two, are copied in one step.
_COPIED = 3
#: What is or may hold options.
_HOLDING_OPTIONS = frozenset({Options, OptionsGroup, Sequence, Mapping_, Alternatives})
#: What takes one item, the first or the last.
_SINGLE = (slice(None, 1, None), slice(0, 1, None), slice(-1, None, None))


def items(run: Run, iterable: Value) -> tuple[Value, ...] | None:
    """The items of a short literal sequence, to be walked one by one."""
    if isinstance(iterable, Mapping_) and iterable.rest is None:
        iterable = Sequence("tuple", tuple(Constant(key) for key, _ in iterable.held))
    if not isinstance(iterable, Sequence) or iterable.rest is not None:
        return None
    number = len(iterable.items)
    is_short = number <= run.limits.unrolled and number * run.passes <= run.limits.passes
    return iterable.items if is_short else None


def is_exact(iterable: Value) -> bool:
    """Are the items that are known all there are, and each for sure?"""
    return not isinstance(iterable, (Sequence, Mapping_)) or iterable.exact


def extend(run: Run, sequence: Sequence, items: Seq[Value], rest: Value | None = None) -> None:
    """Add to a list; in a loop of unknown length they are added any number of times."""
    run.changes += 1
    if sequence.since != run.here:
        blur(sequence)
    if run.frame.loops or rest is not None or len(sequence.items) + len(items) > MAX_ITEMS:
        for item in [*items, *([rest] if rest is not None else [])]:
            sequence.rest = item if sequence.rest is None else run.join([], sequence.rest, [], item)
    else:
        sequence.items = (*sequence.items, *items)


def put(run: Run, mapping: Mapping_, key: Value, value: Value) -> None:
    """Set an item of a dict; in a branch the earlier item stays an alternative."""
    if not isinstance(key, Constant) or isinstance(key.value, (list, dict, set)):
        blur(mapping)
        mapping.rest = value if mapping.rest is None else run.join([], mapping.rest, [], value)
        return
    old = mapping.items.get(key.value)
    conditions = run.frame.conditions
    if mapping.since != run.here:
        # A tensor may be another one now.
        mapping.exact &= isinstance(old, Element) and isinstance(value, Element)
        value = either(value, old) if mapping.exact and old is not None and not conditions else value
    if key.value in mapping.gone:
        mapping.gone = tuple([name for name in mapping.gone if name != key.value])
        mapping.exact &= mapping.since == run.here
    if old is not None and conditions:
        value = run.join(conditions, value, [conditions[-1].negated], old)
    mapping.items[key.value] = value


def blur(container: Sequence | Mapping_) -> None:
    """It is changed in a way that is not followed: no tensor in it is known any more."""
    container.exact = False
    if isinstance(container, Sequence):
        container.items = tuple([ELEMENT if isinstance(item, Element) else item for item in container.items])
    else:
        for key, item in container.items.items():
            if isinstance(item, Element):
                container.items[key] = ELEMENT


def kept(container: Value) -> Value:
    """A list or dict for an expression, of which no more than the kind stays where it is changed elsewhere."""
    if isinstance(container, Mapping_) and not container.exact:
        return Mapping_({}, UNKNOWN)
    if isinstance(container, Sequence) and not container.exact:
        return Sequence(container.kind, (), UNKNOWN)
    return container


def take_out(run: Run, mapping: Mapping_, key: Constant) -> None:
    """An item is removed; what it was is still known to those who ask."""
    if mapping.since == run.here and key.value in mapping.items and mapping.spread is None:
        mapping.gone = (*mapping.gone, key.value)
    else:
        mapping.exact = False


def delete(run: Run, container: Value, key: Value, node: ast.AST) -> None:
    """`del container[key]`."""
    if isinstance(container, Mapping_) and isinstance(key, Constant):
        take_out(run, container, key)
    elif isinstance(container, (Mapping_, Sequence)):
        blur(container)
    elif isinstance(container, Element):
        alter(run, container, expr_of("without", container, key, node=node))


def alter(run: Run, element: Element, expr: Expr) -> None:
    """An element is changed in place: an item is set, or the shape."""
    root: object = element.expr
    while isinstance(root, Expr) and root.by in ("set", "without", "either"):
        root = root.of[0]
    if not isinstance(root, Expr) or root.by in ("item", "unpacked", "attribute"):
        run.recorder.body.entangled = True
    if element.expr is not None:
        element.expr = expr if element.since == run.here else Expr("either", (element.expr, expr))


def spread(run: Run, mapping: Mapping_, value: Value) -> None:
    """`{**value}`: what it holds is in it, too."""
    if isinstance(value, Mapping_):
        run.fuel -= len(value.items) >> _COPIED
        mapping.exact &= value.exact and not value.gone and not (value.spread is not None and mapping.items)
        mapping.spread = mapping.spread or value.spread
        mapping.items.update(value.items)
        mapping.rest = mapping.rest or value.rest
        return
    if isinstance(value, Element) and not mapping.items and mapping.spread is None:
        mapping.spread = snapshot(value)
    else:
        mapping.exact = False
    mapping.rest = UNKNOWN


def paired(value: Value | None) -> dict[Any, Value] | None:
    """What a list of pairs holds, whose first parts are known."""
    if not isinstance(value, Sequence) or value.rest is not None or not value.exact:
        return None
    items: dict[Any, Value] = {}
    for pair in value.items:
        match pair:
            case Sequence(items=(Constant(key), item)):
                items[key] = item
            case _:
                return None
    return items


def is_outside(run: Run, node: ast.expr) -> bool:
    """Does an expression start at a name from outside of the function being run, or of the mapped one it is part of?"""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    if not isinstance(node, ast.Name):
        return False
    own = run.frame.scope
    if node.id in own.names and node.id not in own.global_names and node.id not in own.nonlocal_names:
        return False
    scope = own.parent
    while scope is not None and node.id not in scope.names:
        scope = scope.parent
    # What a function called by the mapped one has made is new for each element.
    return scope is None or not run.recorder.owns(scope)


@recursive
def get_item(run: Run, container: Value, key: Value, node: ast.Subscript | None = None) -> Value:
    """`container[key]`; the node where it is written so."""
    if isinstance(key, Computed) and isinstance(container, (Sequence, Mapping_)):
        return Computed(expr_of("item", container, key, node=node))
    if isinstance(container, Element):
        return run.element(expr_of("item", container, key, node=node)) if container.expr is not None else ELEMENT
    if isinstance(container, (Computed, External)):
        return Computed(expr_of("item", container, key, node=node))
    if isinstance(container, Mapping_):
        if isinstance(key, Constant):
            try:
                if key.value in container.items:
                    return container.items[key.value]
            except TypeError:
                return UNKNOWN
            if container.spread is not None and container.exact:
                return run.element(Expr("item", (container.spread, key), node=node))
            return container.rest or UNKNOWN
        return _one_of(run, container)
    if isinstance(container, Sequence):
        if node is not None and isinstance(node.slice, ast.Slice):
            return _cut(run, container, key)
        is_in_place = container.exact and container.rest is None
        if is_in_place and isinstance(key, Constant) and isinstance(key.value, int):
            items = container.items
            return items[key.value] if -len(items) <= key.value < len(items) else UNKNOWN
        return _one_of(run, container)
    if isinstance(container, Alternatives):
        if run.dataset(container) is not None:
            return UNKNOWN
        return run.choose(container, [get_item(run, branch.value, key, node) for branch in container.branches])
    return UNKNOWN


def _cut(run: Run, sequence: Sequence, part: Value) -> Sequence:
    """`sequence[lower:upper:step]`."""
    bounds = _bounds(part)
    if bounds is not None and sequence.rest is None and sequence.exact:
        return Sequence(sequence.kind, sequence.items[bounds])
    one = _one_of(run, sequence)
    if bounds in _SINGLE:
        return Sequence(sequence.kind, (one,), exact=False)
    return Sequence(sequence.kind, (), one)


def _bounds(part: Value) -> slice | None:
    """What is written between the brackets, where these are numbers."""
    if not isinstance(part, Slice):
        return None
    written = [Constant(None) if bound is None else bound for bound in (part.lower, part.upper, part.step)]
    numbers = [bound.value for bound in written if isinstance(bound, Constant)]
    fits = len(numbers) == len(written) and all(number is None or type(number) is int for number in numbers)
    return slice(*numbers) if fits and numbers[2] != 0 else None


def _one_of(run: Run, container: Sequence | Mapping_) -> Value:
    values = list(parts_of(container))
    return reduce(lambda one, other: run.join([], one, [], other), values) if values else UNKNOWN


@recursive
def iterated(run: Run, value: Value) -> Dataset | None:
    """The dataset that a `for` over this value walks: itself, or inside enumerate, zip, tqdm."""
    if isinstance(value, External) and known(value.symbol).role == "walks":
        for argument in value.arguments:
            if (dataset := iterated(run, argument)) is not None:
                return dataset
        return None
    return run.dataset(value)


@recursive
def walked(run: Run, value: Value) -> Iterator | None:
    """The iterator that a `for` over this value walks: itself, or inside enumerate, zip, tqdm."""
    if isinstance(value, Iterator):
        return None if value.restarts else value
    if id(value) in run.once:
        return run.once[id(value)][1]
    if isinstance(value, External) and known(value.symbol).role == "walks" and value.arguments:
        return walked(run, value.arguments[0])
    return None


@recursive
def item_of(run: Run, value: Value) -> Value:
    """What the loop variable of a `for` over this value holds."""
    match value:
        case Stage() | Join():
            if any(tip.op == "window" for tip in tips(value)):
                return run.origin("parameter", None)
            return ELEMENT
        case Element() | Iterator():
            return ELEMENT
        case Computed():
            return Computed(expr_of("item", value, UNKNOWN))
        case Sequence():
            return _one_of(run, value)
        case External(symbol="builtins.enumerate", arguments=(first, *_)):
            return Sequence("tuple", (UNKNOWN, item_of(run, first)))
        case External(symbol="builtins.zip", arguments=arguments):
            return Sequence("tuple", tuple(item_of(run, argument) for argument in arguments))
        case External(symbol=symbol, arguments=(first, *_)) if known(symbol).role == "walks":
            return item_of(run, first)
        case External():
            return Computed(expr_of("item", value, UNKNOWN))
        case Alternatives(branches=branches):
            return run.choose(value, [item_of(run, branch.value) for branch in branches])
    return UNKNOWN


def escape(value: Value) -> None:
    """Options that are returned, stored or handed on may be applied elsewhere."""
    for part in within(value, parts_of) if type(value) in _HOLDING_OPTIONS else ():
        if isinstance(part, Options):
            part.escapes = True
        elif isinstance(part, OptionsGroup):
            part.options.escapes = True
