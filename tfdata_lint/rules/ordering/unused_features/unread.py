"""Which of the features that a mapped function parses are read, there and behind it: by the expressions of functions,
of which those count that somebody reads. What is not seen reads all."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from tfdata_lint.pipeline.nouns.code import last_name, names, rows_with
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import MappedFunction, Parsed, Stage
from tfdata_lint.pipeline.nouns.values import (
    Alternatives,
    Computed,
    Constant,
    Element,
    Expr,
    External,
    Function,
    Instance,
    Mapping_,
    Sequence,
    Slice,
    Symbol,
    Unknown,
    Value,
    parts_of,
)
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_there
from tfdata_lint.pipeline.python.runs import code_of, syntax_at
from tfdata_lint.pipeline.python.uses import use_of, uses
from tfdata_lint.source.trees import walk

#: Where in an element something is: `("image",)`, `(0, "ids")`; () is all of it.
Place: TypeAlias = tuple[Any, ...]
_ALL: frozenset[Place] = frozenset({()})

#: Operations that hand elements on as they are, by what their row says that they give.
_KEEPING = frozenset({"same", "batch", "padded", "ragged", "rebatch", "unbatch"})
_MAPPING = frozenset({"mapped", "mapped_batch"})
#: The method of a model that Keras hands an element to, by what goes through the dataset.
_STEPS = {"fit": "train_step", "evaluate": "test_step", "validation": "test_step", "predict": "predict_step"}
#: Of these a model of TensorFlow Recommenders makes its `compute_loss`.
_RECOMMENDING, _OF_TFRS = ("train_step", "test_step"), "tensorflow_recommenders."
#: They look at no element.
_COUNTING = frozenset({"cardinality", "len"})
#: Functions that are called for what they do.
_DOING = r"(?i)$|.*(assert|print|py_function|numpy_function|summary|write|check|verify).*"
_BY_NAME = frozenset({"bucket_by_sequence_length", "get", "padded_batch", "pop"})
_TESTS = (ast.If, ast.While, ast.IfExp, ast.Assert, ast.Match, ast.BoolOp)
#: Decorators that leave what a function reads as it is.
_TRACING = frozenset({"function", "jit", "staticmethod"})
#: Calls that what a loop takes is followed through.
_DEEPEST = 3
#: Values that hold nothing.
_PLAIN = (Constant, Symbol, Slice)


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


def unread(graph: PipelineGraph, parsed: Parsed, stages: Iterable[Stage]) -> Unread:
    """Of the features that a call parses those that nobody reads; the stages are all that map its function."""
    read, given, touched = set[Any](), set[Any](), set[Any]()
    for stage in stages:
        if stage.function is None:
            continue
        whole = _result(stage)
        wanted = [(whole, place) for place in _wanted(graph, stage, {})]
        read |= _features(parsed, [*wanted, *_done(stage.function)], stage.function)
        given |= _features(parsed, [(whole, ())])
        touched |= _features(parsed, _computed(stage.function))
    found = [name for name in parsed.features if not {name, ...} & read]
    travel = any({name, ...} & given for name in found)
    # Elsewhere somebody may read more of what the function gives.
    if travel and (graph.is_imported or graph.is_shared(parsed.span.file)):
        found = []
    return Unread(found, [name for name in found if name in touched], travel)


def _features(
    parsed: Parsed, starts: Iterable[tuple[Value | None, Place]], function: MappedFunction | None = None
) -> set[Any]:
    """What is read of the parsed features to make these; `...` where it may be all."""
    reader = _Reader(function, parsed.node)
    reader.read(starts)
    if reader.is_vague and function is not None:
        reader.read(_computed(function))
    read = {place[parsed.depth] if len(place) > parsed.depth else ... for place in reader.found}
    return read | ({...} if reader.is_open else set())


class _Reader:
    """What parts of values read: of what a call made, or of the parameters of the function."""

    def __init__(self, function: MappedFunction | None, made: ast.AST | None = None) -> None:
        self.made = made
        self.names = _names_of(function, made)
        """Under which the function has it; none where that is not seen."""
        self.found: set[Place] = set()
        self.is_open = False
        """There is something that may read anything."""
        self.is_vague = False
        """There is something that is made of whatever was computed before."""

    def read(self, starts: Iterable[tuple[Any, Place]]) -> None:
        todo, seen = list(starts), set[tuple[int, Place]]()
        while todo:
            value, place = todo.pop()
            if isinstance(value, (Element, Computed)) and value.expr is not None:
                value = value.expr
            if (id(value), place) not in seen:
                seen.add((id(value), place))
                todo += self._behind(value, place)

    def _behind(self, value: Any, place: Place) -> list[tuple[Any, Place]]:
        """What is read for the sake of a part of a value."""
        match value:
            case Expr(node=node) if node is not None and node is self.made:
                self.found.add(place)
                return []
            case Expr(by="parameter", of=(given, number)):
                if self.made is None:
                    self.is_open |= not given.exact
                    self.found.add((number, *place) if given.count > 1 else place)
                return []
            case Expr(by="item" | "Element.get" | "unpacked", of=(base, Constant(key), *_)):
                return [(base, (key, *place))]
            case Expr(by="set", of=(base, Constant(key), made)) if place:
                return [(made, place[1:]) if place[0] == key else (base, place)]
            case Expr(by="without", of=(base, Constant())):
                return [(base, place)]
            case Expr(by="either", of=parts):
                return [(part, place) for part in parts]
            case Expr(of=parts, named=named):
                return [(part, ()) for part in (*parts, *named.values())]
            case Alternatives(branches=branches):
                return [(branch.value, place) for branch in branches]
            case Sequence(items=items, rest=None) if place and place[0] in range(len(items)):
                return [(items[place[0]], place[1:])]
            case Mapping_(items=items, spread=spread) if place and (place[0] in items or spread is not None):
                return [(items[place[0]], place[1:]) if place[0] in items else (spread, place)]
            case Sequence() | Mapping_():
                self.is_open |= value.rest is not None and getattr(value, "spread", None) is None
                return [(part, ()) for part in (*parts_of(value), getattr(value, "spread", None)) if part is not None]
            case External(receiver=receiver, given=given):
                return [(part, ()) for part in (*given, *([receiver] if receiver is not None else []))]
        # What a function inside reads was computed before, unless it reads the whole of it.
        is_inner = isinstance(value, Function) and self.names and not names(value.node) & self.names
        self.is_vague |= isinstance(value, Unknown) or bool(is_inner)
        self.is_open |= value is not None and not is_inner and not isinstance(value, (*_PLAIN, Unknown))
        return []


def _names_of(function: MappedFunction | None, made: ast.AST | None) -> set[str]:
    """The names under which a function has what is asked about; none where it hands that on as a whole."""
    parts = list(walk(function.node)) if function is not None and function.node is not None else []
    found = {part.arg for part in parts if isinstance(part, ast.arg)} if made is None else set[str]()
    for part in parts if made is not None else ():
        if isinstance(part, ast.Assign) and part.value is made:
            found |= names(*part.targets)
    read = [
        part for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id in found
    ]
    held = {id(part.value) for part in parts if isinstance(part, (ast.Subscript, ast.Attribute))}
    return found if all(id(part) in held for part in read) else set()


def _result(stage: Stage) -> Value:
    match stage.result:
        case Expr(by="mapped", of=(_, Value() as made)) if stage.function and not stage.function.is_wrapped:
            return made
    # Whoever is around it may read anything.
    return Element()


def _computed(function: MappedFunction) -> list[tuple[Any, Place]]:
    """All that it computes with."""
    given = [part for call in function.calls for part in (*call.arguments, call.receiver)]
    return [(part, ()) for part in (*given, *(one.expr for one in function.operators))]


def _done(function: MappedFunction) -> list[tuple[Any, Place]]:
    """What it reads besides what it gives: all where it tests something, for what is tested is in no expression."""
    tests = any(_tests(part, code) for code in function.functions for part in walk(code))
    is_seen = bool(function.functions) and function.resolved
    if tests or not is_seen or any(call.sometimes for call in function.calls):
        return _computed(function)
    doing = [call for call in function.calls if re.match(_DOING, call.name.rpartition(".")[2])]
    return [(part, ()) for call in doing for part in call.arguments]


def _tests(part: ast.AST, code: ast.AST) -> bool:
    """Does it test something, or go through what the function itself has, in which any of it may be?"""
    if isinstance(part, (ast.For, ast.comprehension)):
        own = {one.arg for one in walk(code) if isinstance(one, ast.arg)} | _stored(code)
        return bool(getattr(part, "ifs", ())) or bool(names(part.iter) & own)
    return isinstance(part, _TESTS)


def _stored(code: ast.AST) -> set[str]:
    return {one.id for one in walk(code) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


# ---- behind the map ----------------------------------------------------------------------------------------------


def _wanted(graph: PipelineGraph, stage: Stage, seen: dict[int, frozenset[Place]]) -> frozenset[Place]:
    """What is read of the elements behind a stage."""
    if id(stage) not in seen:
        seen[id(stage)] = _ALL
        users, consumers = graph.users(stage), graph.consumers_of(stage)
        if (users or consumers) and stage.nested_in is None and not stage.context.in_test:
            ways = [_read_by(graph, user, seen) for user in users]
            seen[id(stage)] = frozenset().union(*ways, *(_consumed(graph, consumer) for consumer in consumers))
    return seen[id(stage)]


def _read_by(graph: PipelineGraph, stage: Stage, seen: dict[int, frozenset[Place]]) -> frozenset[Place]:
    """What a stage reads of its input, and what those do that come behind it."""
    gives = stage.operation.gives
    if stage.cls is not None or len(stage.inputs) != 1 or (gives not in _KEEPING and gives not in _MAPPING):
        return _ALL
    behind = _wanted(graph, stage, seen)
    if not stage.operation.functions or stage.function is None:
        return _ALL if stage.operation.functions else behind
    reader = _Reader(stage.function)
    made = _result(stage)
    asked = [(made, place) for place in behind] if gives in _MAPPING else [(made, ())]
    reader.read([*asked, *_done(stage.function)])
    if reader.is_vague:
        reader.read(_computed(stage.function))
    return _ALL if reader.is_open else frozenset(reader.found) | (behind if gives in _KEEPING else frozenset())


def _consumed(graph: PipelineGraph, consumer: Consumer) -> frozenset[Place]:
    """What a loop reads; who is not seen reads all."""
    if consumer.kind in _COUNTING:
        return frozenset()
    syntax, loop = syntax_at(graph, consumer.span.file), consumer.node
    if syntax is None or not syntax.way(loop):
        return _ALL
    if isinstance(loop, ast.Call) and consumer.kind in ("as_numpy_iterator", "as_numpy"):
        loop = use_of(syntax, loop).by
    function = _step_of(consumer)
    if function is not None and isinstance(step := function.node, ast.FunctionDef):
        there = syntax_there(function.scope.module.unit.source, graph.source)
        if there.way(step) and len(step.args.args) - len(step.args.defaults) == 2:
            return frozenset(_named(graph, there, step.args.args[1].arg, step.body[0], (), _DEEPEST))
    if not isinstance(loop, ast.For):
        return _ALL
    match loop.iter, loop.target:
        case ast.Call(func=ast.Name(id="enumerate"), args=[_, *_]), ast.Tuple(elts=[_, target]):
            return frozenset(_places(graph, syntax, target, ()))
        case ast.Call(func=ast.Name()), _:
            return _ALL
    return frozenset(_places(graph, syntax, loop.target, ()))


def _step_of(consumer: Consumer) -> Function | None:
    """The step that the class of a model says itself."""
    model, name = consumer.model, _STEPS.get(consumer.kind, "")
    found = model.cls.attribute(name) if isinstance(model, Instance) else None
    if found is None and name in _RECOMMENDING and isinstance(model, Instance):
        bases = [base.name for base in model.cls.ancestors if isinstance(base, Symbol)]
        found = model.cls.attribute("compute_loss") if any(base.startswith(_OF_TFRS) for base in bases) else None
    return found if isinstance(found, Function) else None


def _places(graph: PipelineGraph, syntax: Syntax, target: ast.expr, place: Place) -> Iterator[Place]:
    """What is read of a part of an element under the names that a loop gives it."""
    match target:
        case ast.Tuple(elts=parts) if not any(isinstance(part, ast.Starred) for part in parts):
            for number, part in enumerate(parts):
                yield from _places(graph, syntax, part, (*place, number))
        case ast.Name(id=name):
            yield from _named(graph, syntax, name, target, place, _DEEPEST)
        case _:
            yield place


def _named(graph: PipelineGraph, syntax: Syntax, name: str, node: ast.AST, place: Place, left: int) -> Iterator[Place]:
    """What is read of what a name stands for, also by the functions of the project that it is given to."""
    for use in uses(syntax, name, node):
        match use.by:
            case ast.Subscript(slice=ast.Constant(value=key)) if use.kind == "item":
                yield (*place, key)
            case ast.Call(args=[ast.Constant(value=key), *_]) if use.what in ("get", "pop"):
                yield (*place, key)
            case ast.Call() as call if (
                use.kind == "passed" and left and (taken := _taken(graph, syntax, call, use.what))
            ):
                there, parameter, body = taken
                yield from _named(graph, there, parameter, body, place, left - 1)
            case _ if use.kind != "set":
                yield place


def _taken(graph: PipelineGraph, syntax: Syntax, call: ast.Call, what: str) -> tuple[Syntax, str, ast.AST] | None:
    """The parameter of a function of the project, and its body, for an argument by its number or name."""
    called = call.func
    if isinstance(called, ast.Name) and called.id == "self":
        # A model is called by its `call`.
        called = ast.Attribute(called, "call")
    code = code_of(graph, syntax, called)
    if code is None or any(isinstance(part, ast.Starred) for part in call.args):
        return None
    function = code.function
    # A method of the same name may be that of a class below.
    if len(rows_with(code.syntax.text, rf"\bdef {function.name}\(")) > 1:
        return None
    if not all(last_name(decorator) in _TRACING for decorator in function.decorator_list):
        return None
    parameters = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    is_method = isinstance(called, ast.Attribute) and parameters[:1] == ["self"]
    place = int(what) + is_method if what.isdigit() else -1
    name = parameters[place] if 0 <= place < len(parameters) else what
    given = {*parameters, *(one.arg for one in function.args.kwonlyargs)}
    return (code.syntax, name, function.body[0]) if name in given else None


def mentions(tree: ast.AST, name: str) -> Iterator[ast.AST]:
    """Where a feature is set, taken out or padded by its name."""
    for part in walk(tree):
        is_set = isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load)
        if is_set or (isinstance(part, ast.Call) and last_name(part) in _BY_NAME):
            parts = walk(part.slice) if isinstance(part, ast.Subscript) else walk(part)
            if any(isinstance(inner, ast.Constant) and inner.value == name for inner in parts):
                yield part
