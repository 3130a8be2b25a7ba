"""Which of the features that a mapped function parses are read, there and behind it. What is not seen reads all."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tfdata_lint.pipeline.nouns.code import FUNCTIONS, last_name, names, way
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Parsed, Stage
from tfdata_lint.pipeline.nouns.values import Function
from tfdata_lint.source.trees import children, walk

_OUTLINES = frozenset({"locals", "vars", "eval", "exec"})
#: Operations that hand elements on as they are, by what their row says that they give.
_KEEPING = frozenset({"same", "batch", "padded", "ragged", "rebatch", "unbatch"})
_MAPPING = frozenset({"mapped", "mapped_batch"})
#: They look at no element.
_COUNTING = frozenset({"cardinality", "len"})


def parses(stages: Iterable[Stage]) -> Iterator[tuple[Parsed, list[Stage]]]:
    """Each call that parses examples, once, and the stages whose functions make it."""
    found: dict[int, tuple[Parsed, list[Stage]]] = {}
    for stage in stages:
        for parsed in stage.function.parsed if stage.function is not None else ():
            found.setdefault(id(parsed.node), (parsed, []))[1].append(stage)
    yield from found.values()


class Unread(NamedTuple):
    """The features that nobody reads."""

    names: list[str]
    worked_on: list[str]
    """Those of them that get another value first: a decoded image."""
    travel: bool
    """They are in the elements behind the map; else they end in the function that parses them."""
    mentioned: bool
    """Some of them are mentioned all the same: to take them out, or to pad them."""


def unread(graph: PipelineGraph, parsed: Parsed, stages: Iterable[Stage]) -> Unread:
    """Of the features that a call parses those that nobody reads; the stages are all that map its function."""
    nothing = Unread([], [], travel=False, mentioned=False)
    steps = way(graph.tree, parsed.node) if graph.tree is not None else []
    function = next((step for step in steps if isinstance(step, FUNCTIONS)), None)
    uses = _uses_of(function, parsed.node, steps) if function is not None else None
    if uses is None:
        return nothing
    if uses.leaves is not None:
        for stage in stages:
            if not _maps(stage, function) or not _read_behind(graph, stage, uses.leaves, uses, set()):
                return nothing
    read = uses.closed()
    found = [name for name in parsed.features if name not in read]
    if found and uses.leaves is not None and graph.is_imported:
        return nothing
    worked_on = {key for key, _ in uses.into}
    return Unread(
        found,
        [name for name in found if name in worked_on],
        travel=uses.leaves is not None,
        mentioned=not uses.changed.isdisjoint(found),
    )


class _Uses:
    """What is read of a dict of features."""

    __slots__ = ("changed", "into", "leaves", "read")

    def __init__(
        self,
        read: set[str] | None = None,
        into: list[tuple[str, str]] | None = None,
        changed: set[str] | None = None,
        leaves: int | None = None,
    ) -> None:
        self.read: set[str] = set() if read is None else read
        self.into: list[tuple[str, str]] = [] if into is None else into
        """What is read only to make the value of a key: that key and what is read."""
        self.changed: set[str] = set() if changed is None else changed
        """The keys that are set or taken out."""
        self.leaves = leaves
        """A function returns the dict: as this part of a tuple; -1 where it is all that is returned."""

    def add(self, other: _Uses) -> None:
        """What is read further on."""
        self.read |= other.read
        self.into += other.into
        self.changed |= other.changed

    def closed(self) -> set[str]:
        """All that is read, also for the sake of what is read."""
        found, before = set(self.read), -1
        while len(found) != before:
            before = len(found)
            found |= {name for key, name in self.into if key in found}
        return found


def _uses_of(function: ast.AST, made: ast.AST, steps: list[ast.AST]) -> _Uses | None:
    """What a function reads of a dict that an expression in it makes; None where it may read anything."""
    match steps[1]:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is made:
            return _uses_under(name, function, made)
        case ast.Subscript(slice=ast.Constant(value=str(key)), ctx=ast.Load()):
            return _Uses({key})
    uses = _Uses()
    return uses if _Scope(function, "").hands_on(made, uses) else None


def _uses_under(name: str, scope: ast.AST, made: ast.AST | None = None, stores: int = 1) -> _Uses | None:
    """What is read of a dict under a name that is assigned so often in a scope; None where it may be anything.

    In the expression that makes it the name stands for something else.
    """
    if _OUTLINES & names(scope):
        return None
    uses, reader = _Uses(), _Scope(scope, name)
    before = {id(node) for node in walk(made)} if made is not None else set()
    for node in walk(scope):
        match node:
            case ast.Name(id=found, ctx=ast.Store()) if found == name:
                stores -= 1
            case ast.Name(id=found) if found == name and id(node) not in before:
                if not reader.is_seen(node, uses):
                    return None
            case ast.Global(names=declared) | ast.Nonlocal(names=declared) if name in declared:
                return None
            case ast.ExceptHandler(name=found) | ast.MatchAs(name=found) if found == name:
                return None
    return uses if stores == 0 else None


class _Scope:
    """A function or loop in which a name stands for a dict of features."""

    def __init__(self, node: ast.AST, name: str) -> None:
        self.node = node
        self.name = name
        self.parents = {id(child): parent for parent in walk(node) for child in children(parent)}

    def is_seen(self, node: ast.Name, uses: _Uses) -> bool:
        """Note what one mention of the name reads; False where that may be anything."""
        parent = self.parents[id(node)]
        match parent:
            case ast.Subscript(value=value, slice=ast.Constant(value=str(key)), ctx=context) if value is node:
                if isinstance(context, ast.Load):
                    self._note(parent, key, uses)
                else:
                    uses.changed.add(key)
                return True
            case ast.Attribute(value=value, attr="get" | "pop" as method) if value is node:
                match call := self.parents[id(parent)]:
                    case ast.Call(func=func, args=[ast.Constant(value=str(key)), *_]) if func is parent:
                        if method == "pop":
                            uses.changed.add(key)
                        if not isinstance(self.parents[id(call)], ast.Expr):
                            self._note(call, key, uses)
                        return True
        return self.hands_on(node, uses)

    def _note(self, node: ast.AST, key: str, uses: _Uses) -> None:
        """A value is read: for itself, or to make that of a key of the same dict."""
        while isinstance(node, ast.expr) and node is not self.node:
            node = self.parents[id(node)]
        match node:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=held), slice=ast.Constant(value=str(made)))]):
                if held == self.name:
                    uses.into.append((made, key))
                    return
        uses.read.add(key)

    def hands_on(self, node: ast.AST, uses: _Uses) -> bool:
        """Is a dict all that is returned, or a part of a tuple that is?"""
        place, parent = -1, self.parents[id(node)]
        if isinstance(parent, ast.Tuple):
            place = next(index for index, part in enumerate(parent.elts) if part is node)
            node, parent = parent, self.parents[id(parent)]
        if isinstance(parent, ast.Lambda):
            is_result = parent is self.node
        else:
            is_result = isinstance(parent, ast.Return) and self._function_around(parent) is self.node
        if not is_result or uses.leaves not in (None, place):
            return False
        uses.leaves = place
        return True

    def _function_around(self, node: ast.AST) -> ast.AST | None:
        while not isinstance(node, FUNCTIONS) and node is not self.node:
            node = self.parents[id(node)]
        return node


# ---- behind the map ----------------------------------------------------------------------------------------------


def _maps(stage: Stage, function: ast.AST | None) -> bool:
    """Is what a function returns what a stage makes of an element?"""
    mapped = stage.function
    if stage.operation.gives not in _MAPPING or mapped is None or mapped.is_wrapped:
        return False
    if mapped.node is function:
        return _function(stage) is not None
    match mapped.node, function:
        case ast.Lambda(body=ast.Call() as call), ast.FunctionDef(name=name, decorator_list=[]):
            return last_name(call) == name
    return False


def _function(stage: Stage) -> Function | None:
    """The one function that a stage calls with each element."""
    for name in ("map_func", "predicate"):
        argument = stage.arguments.get(name)
        if argument is not None:
            match argument.value:
                case Function(node=node, is_wrapped=False) as function if stage.function is not None:
                    return function if node is stage.function.node else None
            return None
    return None


def _read_behind(graph: PipelineGraph, stage: Stage, place: int, uses: _Uses, seen: set[int]) -> bool:
    """Note what is read of the features in the elements of a stage; False where not all readers are seen."""
    if id(stage) in seen:
        return True
    seen.add(id(stage))
    users, consumers = graph.users(stage), graph.consumers_of(stage)
    if (not users and not consumers) or stage.nested_in is not None or stage.context.in_test:
        return False
    return all(_reads_on(graph, user, place, uses, seen) for user in users) and all(
        _consumes(graph, consumer, place, uses) for consumer in consumers
    )


def _reads_on(graph: PipelineGraph, stage: Stage, place: int, uses: _Uses, seen: set[int]) -> bool:
    """The same of a stage behind it."""
    rule = stage.operation.gives
    if stage.cls is not None or len(stage.inputs) != 1 or (rule not in _KEEPING and rule not in _MAPPING):
        return False
    if rule == "padded":
        uses.changed |= set(_texts(stage))
    if not stage.operation.functions:
        return _read_behind(graph, stage, place, uses, seen)
    inner = _uses_in_function(stage, place)
    if inner is None:
        return False
    uses.add(inner)
    if rule in _KEEPING:
        return _read_behind(graph, stage, place, uses, seen)
    return inner.leaves is None or _read_behind(graph, stage, inner.leaves, uses, seen)


def _texts(stage: Stage) -> Iterator[str]:
    """All literal texts that a stage is given."""
    for node in (node for argument in stage.arguments.values() for node in walk(argument.node)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _uses_in_function(stage: Stage, place: int) -> _Uses | None:
    """What the function of a stage reads of the part of the element that holds the features."""
    function = _function(stage)
    if function is None:
        return None
    spec = function.node.args
    parameters = [*spec.posonlyargs, *spec.args]
    if function.receiver is not None and not function.is_static:
        parameters = parameters[1:]
    if spec.vararg or spec.kwarg or (place == -1 and len(parameters) != 1) or place >= len(parameters):
        return None
    return _uses_under(parameters[max(place, 0)].arg, function.node, stores=0)


def _consumes(graph: PipelineGraph, consumer: Consumer, place: int, uses: _Uses) -> bool:
    """Note what a loop reads; False where that is not seen."""
    loop = consumer.node
    if consumer.kind in _COUNTING:
        return True
    if consumer.kind != "for" or not isinstance(loop, ast.For):
        return False
    target: ast.expr = loop.target
    match loop.iter, target:
        case ast.Call(func=ast.Name(id="enumerate"), args=[_, *_]), ast.Tuple(elts=[_, counted]):
            target = counted
        case ast.Call(func=ast.Name()), _:
            return False
    if place >= 0:
        if not isinstance(target, ast.Tuple) or place >= len(target.elts):
            return False
        target = target.elts[place]
    if not isinstance(target, ast.Name) or _is_read_outside(graph, loop, target.id):
        return False
    inner = _uses_under(target.id, loop)
    if inner is None or inner.leaves is not None:
        return False
    uses.add(inner)
    return True


def _is_read_outside(graph: PipelineGraph, loop: ast.For, name: str) -> bool:
    """Is the last element of a loop read behind it, or might it be?"""
    assert graph.tree is not None
    scope = next((step for step in way(graph.tree, loop) if isinstance(step, (*FUNCTIONS, ast.Module))), graph.tree)
    own = {id(node) for node in walk(loop)}
    return any(isinstance(node, ast.Name) and node.id == name and id(node) not in own for node in walk(scope))
