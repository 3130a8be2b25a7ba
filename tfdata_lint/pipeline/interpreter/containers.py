"""Items: what the interpreter reads from tuples, lists, dicts and elements, and puts into them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence as Seq
from typing import Any

from tfdata_lint.pipeline.interpreter.folding import MAX_ITEMS
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.interpreter.signatures import in_any_case, joined
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.operations import BY_SPLIT
from tfdata_lint.pipeline.nouns.options import Options, OptionsGroup
from tfdata_lint.pipeline.nouns.recursion import recursive, within
from tfdata_lint.pipeline.nouns.stages import Dataset, Iterator, Join, Stage, tips
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    UNKNOWN,
    Alternatives,
    Class,
    Computed,
    Constant,
    Element,
    Expr,
    External,
    Function,
    Mapping_,
    Sequence,
    Slice,
    Symbol,
    Value,
    expr_of,
    parts_of,
    snapshot,
)

#: So many items, as a power of two, are copied in one step.
_COPIED = 3
#: What the code of a project defines: those in a table are told apart by their names.
_DEFINED = (Function, Class, Symbol)
#: Methods of a list that move its items.
_MOVING = ("insert", "pop", "reverse", "clear")
#: Containers inside one another that are looked through for what is at one place.
_NESTED = 3
#: What is or may hold options.
_HOLDING_OPTIONS = frozenset({Options, OptionsGroup, Sequence, Mapping_, Alternatives})
#: What takes one item, the first or the last.
_SINGLE = (slice(None, 1, None), slice(0, 1, None), slice(-1, None, None))


def items(run: Run, iterable: Value, are_columns: bool = False) -> tuple[Value, ...] | None:
    """The items of a short literal sequence, to be walked one by one."""
    if isinstance(iterable, Mapping_) and iterable.rest is None:
        iterable = Sequence("tuple", tuple(Constant(key) for key, _ in iterable.held))
    if not isinstance(iterable, Sequence) or iterable.rest is not None:
        return None
    number = len(iterable.items)
    is_short = (
        number <= (run.limits.columns if are_columns else run.limits.unrolled)
        and number * run.passes <= run.limits.passes
    )
    return iterable.items if is_short else None


def several(run: Run, values: Iterable[Value], depth: int = 0) -> Value:
    """One of several values, nobody knows which.

    Of a dataset among them nothing can be said, and it can be compared with none: it is one from elsewhere.
    """
    known = list({id(value): value for value in values}.values())
    found = {id(one): one for value in known for dataset in run.datasets_in(value) for one in _choice(dataset)}
    if not found:
        # Of an iterator it counts which one it is: what is taken from it is gone.
        return UNKNOWN if any(isinstance(value, Iterator) for value in known) else joined(run, known)
    run.spend(len(found))
    first = known[0]
    if len(known) == 1 and isinstance(first, Stage) and first.op in BY_SPLIT and first.literal("split") is None:
        # All that one call gives: `tfds.load("mnist")["train"]`.
        return first
    if depth < _NESTED and isinstance(first, Sequence) and all(_is_alike(first, value) for value in known):
        columns = zip(*[value.items for value in known if isinstance(value, Sequence)], strict=True)
        return Sequence(first.kind, tuple([several(run, column, depth + 1) for column in columns]))
    if depth < _NESTED and isinstance(first, Mapping_) and all(_is_alike(first, value) for value in known):
        held = [value.items for value in known if isinstance(value, Mapping_)]
        return Mapping_({key: several(run, [items[key] for items in held], depth + 1) for key in first.items})
    for one in found.values():
        if (run.frame.root, id(one)) not in run.gone:
            run.let_go(one)
    if any(isinstance(value, (Sequence, Mapping_)) for value in known):
        return UNKNOWN
    origin = run.origin("unresolved", None)
    origin.one_of = tuple(found.values())
    origin.span = next(tips(origin.one_of[0])).span
    return origin


def _choice(dataset: Dataset) -> tuple[Dataset, ...]:
    return dataset.one_of if isinstance(dataset, Stage) and dataset.one_of else (dataset,)


def _is_alike(one: Value, other: Value) -> bool:
    """Are both containers with as many items, under the same keys?"""
    if isinstance(one, Mapping_):
        return isinstance(other, Mapping_) and one.rest is other.rest is None and one.items.keys() == other.items.keys()
    if not isinstance(one, Sequence) or not isinstance(other, Sequence):
        return False
    return one.rest is other.rest is None and len(one.items) == len(other.items)


def is_exact(iterable: Value) -> bool:
    """Are the items that are known all there are, and each for sure?"""
    return not isinstance(iterable, (Sequence, Mapping_)) or iterable.exact


def values(run: Run, mapping: Mapping_) -> Sequence:
    """`mapping.values()`, which are in no order that is known where there are further ones."""
    held = [value for _, value in mapping.held]
    if mapping.rest is not None:
        return Sequence("list", (), joined(run, [*held, mapping.rest]))
    return Sequence("list", tuple(held), exact=mapping.exact)


def extend(run: Run, sequence: Sequence, items: Seq[Value], rest: Value | None = None) -> None:
    """Add to a list; what is added any number of times stands for any further ones."""
    run.changes += 1
    is_placed = sequence.exact or sequence.rest is not None
    if sequence.since != run.here:
        blur(sequence)
    is_repeated = sequence.since is None or sequence.since[1] != run.repeating or sequence.rest is not None
    if is_repeated or rest is not None or len(sequence.items) + len(items) > MAX_ITEMS:
        if not is_placed:
            # Some may be missing: none has a place any more.
            items, sequence.items = (*sequence.items, *items), ()
        for item in [*items, *([rest] if rest is not None else [])]:
            sequence.rest = item if sequence.rest is None else run.join([], sequence.rest, [], item)
    else:
        sequence.items = (*sequence.items, *items)


def put(run: Run, mapping: Mapping_, key: Value, value: Value) -> None:
    """Set an item of a dict; in a branch the earlier item stays an alternative."""
    if not isinstance(key, Constant) or isinstance(key.value, (list, dict, set)):
        is_of_keys = mapping.rest is None and isinstance(key, Computed) and key.expr.by == "key" and mapping.exact
        if not is_of_keys or mapping.since != (run.here[0], run.here[1] - 1):  # Else a loop puts one for each key.
            mix(run, mapping, value)
        mapping.rest = value if mapping.rest is None else run.join([], mapping.rest, [], value)
        return
    old = mapping.items.get(key.value)
    if mapping.since != run.here:
        # A tensor may be another one now.
        mapping.exact &= isinstance(old, Element) and isinstance(value, Element)
    if key.value in mapping.gone:
        mapping.gone = tuple([name for name in mapping.gone if name != key.value])
        # It comes last then.
        mapping.items[key.value] = mapping.items.pop(key.value)
        mapping.exact &= mapping.since == run.here
    mapping.items[key.value] = value if old is None else replaced(run, mapping, old, value)


def replaced(run: Run, container: Sequence | Mapping_, old: Value, value: Value) -> Value:
    """An item that is set anew where that is not always done, or done any number of times."""
    conditions = run.frame.conditions
    is_module = run.frame.function is None and not conditions and not run.repeating
    if container.since == run.here or is_module:
        return value
    if conditions and container.since is not None and container.since[1] == run.repeating:
        return run.join(conditions, value, [conditions[-1].negated], old)
    return several(run, (value, old))


def store(run: Run, container: Value, key: Value, value: Value) -> bool:
    """`container[key] = value`. False where it is not a container that is seen."""
    if isinstance(container, Alternatives):
        stored = [store(run, branch.value, UNKNOWN, value) for branch in container.branches]
        return any(stored)
    if not isinstance(container, (Sequence, Mapping_)):
        return False
    run.changes += 1
    if isinstance(container, Mapping_):
        put(run, container, key, value)
        return True
    items, is_sure = list(container.items), container.exact and container.since == run.here
    bounds = _bounds(key)
    if isinstance(key, Constant) and isinstance(key.value, int) and _has(container, key.value):
        old = items[key.value]
        if not is_sure:
            blur(container)
        items[key.value] = replaced(run, container, old, value)
        container.items = tuple(items)
    elif (
        bounds is not None
        and bounds.step in (None, 1)
        and is_sure
        and isinstance(value, Sequence)
        and value.exact
        and container.rest is value.rest is None
    ):
        items[bounds] = value.items
        container.items = tuple(items)
    elif isinstance(key, Slice):
        shift(run, container, *(parts_of(value) or (value,)))
    else:
        mix(run, container, value)
    return True


def mix(run: Run, container: Value, value: Value) -> None:
    """Something is stored in it under a key that is not known: each item may be that."""
    if not isinstance(container, (Sequence, Mapping_)):
        return
    run.changes += 1
    if isinstance(container, Mapping_):
        blur(container)
        for key, old in container.items.items():
            if not isinstance(old, _DEFINED):
                container.items[key] = several(run, (old, value))
        return
    container.items = tuple([several(run, (old, value)) for old in container.items])
    if container.rest is not None:
        container.rest = joined(run, (container.rest, value))


def update(run: Run, mapping: Mapping_, value: Value) -> None:
    """`mapping.update(value)`, `mapping |= value`."""
    held = dict(value.held) if isinstance(value, Mapping_) else paired(value)
    for key, item in (held or {}).items():
        put(run, mapping, Constant(key), item)
    if isinstance(value, Mapping_):
        mapping.exact &= value.exact
    rest = value.rest if isinstance(value, Mapping_) else UNKNOWN if held is None else None
    if rest is not None:
        put(run, mapping, UNKNOWN, rest)


def move(run: Run, sequence: Sequence, name: str, values: Seq[Value]) -> Value:
    """`sequence.pop()`, `sequence.insert(0, value)`: a method that moves items, and what it gives."""
    items = list(sequence.items)
    given = [value.value if isinstance(value, Constant) else value for value in values[:1]] + list(values[1:])
    is_sure = sequence.exact and sequence.since == run.here and sequence.rest is None
    if name in _MOVING and sequence.kind == "list" and is_sure:
        try:
            taken = getattr(items, name)(*given)
        except (TypeError, IndexError):
            pass
        else:
            run.changes += 1
            sequence.items = tuple(items)
            return taken or UNKNOWN
    taken = several(run, parts_of(sequence)) if name == "pop" else UNKNOWN
    shift(run, sequence, *values[1:])
    return taken


def shift(run: Run, sequence: Sequence, *added: Value) -> None:
    """Items are moved, removed or put in between: each may be at any place, or nowhere."""
    run.changes += 1
    blur(sequence)
    if added or run.datasets_in(sequence):
        sequence.items, sequence.rest = (), several(run, (*parts_of(sequence), *added))


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
    elif isinstance(container, Mapping_):
        blur(container)
    elif isinstance(container, Sequence):
        shift(run, container)
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
    value = in_any_case(run, value)
    if isinstance(value, Mapping_):
        run.fuel -= len(value.items) >> _COPIED
        if value.rest is not None and mapping.items:
            mix(run, mapping, value.rest)
        mapping.exact &= value.exact and not value.gone and not (value.spread is not None and mapping.items)
        mapping.spread = mapping.spread or value.spread
        mapping.items.update(value.items)
        mapping.rest = mapping.rest or value.rest
        return
    if isinstance(value, Element) and not mapping.items and mapping.spread is None:
        mapping.spread = snapshot(value)
    else:
        mix(run, mapping, UNKNOWN)
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
        if not any(isinstance(one, Function) for one in parts_of(container)):
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
            return UNKNOWN if container.rest is None else several(run, (container.rest,))
        return several(run, parts_of(container))
    if isinstance(container, Sequence):
        if node is not None and isinstance(node.slice, ast.Slice):
            return _cut(run, container, key)
        if isinstance(key, Constant) and isinstance(key.value, int):
            if _has(container, key.value):
                return container.items[key.value]
            if container.exact and container.rest is None:
                return UNKNOWN
        return several(run, parts_of(container))
    if isinstance(container, Alternatives):
        if run.dataset(container) is not None:
            return UNKNOWN
        return run.choose(container, [get_item(run, branch.value, key, node) for branch in container.branches])
    return UNKNOWN


def _has(sequence: Sequence, place: int) -> bool:
    """Is it known what is at this place? What is added later to a list stands behind the items."""
    if sequence.rest is None:
        return sequence.exact and -len(sequence.items) <= place < len(sequence.items)
    return 0 <= place < len(sequence.items)


def _cut(run: Run, sequence: Sequence, part: Value) -> Sequence:
    """`sequence[lower:upper:step]`."""
    bounds = _bounds(part)
    if bounds is not None and sequence.rest is None and sequence.exact:
        return Sequence(sequence.kind, sequence.items[bounds], since=run.here)
    if bounds in _SINGLE:
        return Sequence(sequence.kind, (several(run, parts_of(sequence)),), exact=False)
    return Sequence(sequence.kind, (), rest := joined(run, parts_of(sequence)), exact=rest is not None)


def _bounds(part: Value) -> slice | None:
    """What is written between the brackets, where these are numbers."""
    if not isinstance(part, Slice):
        return None
    written = [Constant(None) if bound is None else bound for bound in (part.lower, part.upper, part.step)]
    numbers = [bound.value for bound in written if isinstance(bound, Constant)]
    fits = len(numbers) == len(written) and all(number is None or type(number) is int for number in numbers)
    return slice(*numbers) if fits and numbers[2] != 0 else None


@recursive
def iterated(run: Run, value: Value) -> Dataset | None:
    """The dataset that a `for` over this value walks: itself, or inside enumerate, zip, tqdm."""
    if isinstance(value, External) and known(value.symbol).role == "walks":
        for argument in value.arguments:
            if (dataset := iterated(run, argument)) is not None:
                return dataset
        return None
    return run.dataset(value)


def walked(run: Run, value: Value) -> Iterator | None:
    """The iterator that a `for` over this value walks, if nothing is left of it then."""
    iterator = pulled(run, value)
    return None if iterator is None or iterator.restarts else iterator


@recursive
def pulled(run: Run, value: Value) -> Iterator | None:
    """What a `for` over this value takes its elements from: an iterator, also inside enumerate, zip, tqdm."""
    if isinstance(value, Iterator):
        return value
    if id(value) in run.once:
        return run.once[id(value)][1]
    parts: Seq[Value] = ()
    if isinstance(value, External) and known(value.symbol).role == "walks":
        parts = value.arguments
    elif isinstance(value, Alternatives):
        parts = [branch.value for branch in value.branches]
    return next((found for part in parts if (found := pulled(run, part)) is not None), None)


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
            # Each of them in its turn.
            return joined(run, parts_of(value))
        case External(symbol="builtins.enumerate", arguments=(first, *_)):
            return Sequence("tuple", (UNKNOWN, item_of(run, first)))
        case External(symbol="builtins.zip", arguments=arguments):
            return Sequence("tuple", tuple(item_of(run, argument) for argument in arguments))
        case External(symbol="builtins.map" | "builtins.filter"):
            return Computed(expr_of("item", value, UNKNOWN))
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
