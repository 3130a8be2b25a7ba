"""Mapped functions: run once with elements for their parameters, for a record of what they do."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from tfdata_lint.pipeline.interpreter import containers, functions
from tfdata_lint.pipeline.interpreter.folding import join_of
from tfdata_lint.pipeline.interpreter.frames import Arguments, OutOfFuel
from tfdata_lint.pipeline.interpreter.run import Described, Run
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.mapped import effects
from tfdata_lint.pipeline.mapped.record import Body, Recorder
from tfdata_lint.pipeline.nouns.consumers import Walk
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.loops import reaches_the_end, yields_forever
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Argument, Given, JoinBranch, MappedFunction, PythonFunction, Stage, tips
from tfdata_lint.pipeline.nouns.structure import arguments_of
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    UNKNOWN,
    Alternatives,
    Branch,
    Class,
    Constant,
    Expr,
    External,
    Function,
    Instance,
    Method,
    Partial,
    Symbol,
    Value,
    same,
    snapshot,
)
from tfdata_lint.pipeline.project.index import span_of

#: What stands for an element that nobody has written.
_ELEMENT = ast.Name("element", ast.Load(), lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)


#: The last argument of these functions is a dataset: of groups, of stored elements.
_OF_DATASETS = ("reduce_func", "reader_func")
_LAST = -1
_OF_ELEMENTS = ("filter", "flat_map", "interleave", "map")
_FLOWS = frozenset({"flow", "flow_from_directory", "flow_from_dataframe"})


def describe(run: Run, argument: Argument, stage: Stage, parameter: str) -> Described:
    """What a function given to a stage does, and what it returns."""
    value = argument.value
    if isinstance(value, Alternatives):
        return _alternatives(run, argument, value, stage, parameter)
    windows, width = _windows(stage, parameter), _width(stage, value)
    if value is UNKNOWN:
        # One value stands for all that is not known; what is written tells them apart.
        return _describe(run, value, argument.node, stage, windows, width)
    key = _key(value, windows), width
    if key not in run.described:
        # The value is kept too: the key holds its identity.
        run.described[key] = value, _describe(run, value, argument.node, stage, windows, width)
    described = run.described[key][1]
    if described.given is not None and windows != _LAST and parameter == stage.operation.functions[0]:
        described.given.stages.append(stage)
    return described if _is_the_same(described) else described._replace(result=UNKNOWN)


def _is_the_same(described: Described) -> bool:
    """Do the names of outside stand for what they stood for when the function was read?"""
    return all(same(scope.find(name), value) for scope, name, value in described.captured)


def _windows(stage: Stage, parameter: str) -> int | None:
    """From which one on the arguments of a function are datasets."""
    if parameter in _OF_DATASETS:
        return _LAST
    return 0 if stage.inputs and any(tip.op == "window" for tip in tips(stage.inputs[0])) else None


def _width(stage: Stage, value: Value) -> int | None:
    """How many arguments the parts of an element are for a function that takes any number; else None."""
    target = functions.function_of(value)
    if stage.op not in _OF_ELEMENTS or target is None or target.node.args.vararg is None or not stage.inputs:
        return None
    parts = arguments_of(structure_of(stage.inputs[0]))
    return None if parts is None else len(parts)


def _key(value: Value, windows: int | None) -> Any:
    match value:
        case Function(node=node, scope=scope, receiver=receiver, is_wrapped=is_wrapped):
            return id(node), id(scope), id(receiver), is_wrapped, windows
        case Symbol(name):
            return name, windows
    return id(value), windows


def _describe(
    run: Run, value: Value, node: ast.expr, stage: Stage, windows: int | None, width: int | None
) -> Described:
    target = functions.function_of(value)
    definition = target.node if target is not None else None
    span = span_of(definition, run.file) if isinstance(definition, (ast.expr, ast.stmt)) else span_of(node, run.file)
    body = Body(definition, _name(value, node, run), span)
    body.is_wrapped = target is not None and target.is_wrapped
    if definition is None and not isinstance(value, (Symbol, External, Instance, Partial, Class, Method)):
        body.complete = False
        return Described(effects.describe(body), None)
    given = _params(value if not isinstance(value, Instance) else (target or value), width)
    run.graph.keep(given)
    result = _recorded(run, body, value, target, node, stage, windows, given)
    nested = run.dataset(result)
    is_followed = body.complete and not body.is_wrapped
    body.result = Expr("mapped", (given, snapshot(result) if is_followed else UNKNOWN))
    return Described(effects.describe(body), nested, body.result, given, tuple(body.captured))


def describe_python(run: Run, value: Value, node: ast.expr) -> PythonFunction:
    """What a function does that runs as Python. The graph stays as it is: nothing of it is part of a pipeline."""
    target = functions.function_of(value)
    if target is None:
        return PythonFunction((), "", False)
    key = _key(value, None)
    if key not in run.described_python:
        body = Body(target.node, target.name, None)
        graph = run.graph
        lists: list[list[Any]] = [
            graph.stages, graph.consumers, graph.walks, graph.discarded, graph.options, graph.seeds, run.reveals,
            run.trail,
        ]  # fmt: skip
        marks = list(map(len, lists))
        touched, entered, called = (
            set(run.touched),
            {root: set(of) for root, of in run.entered.items()},
            set(graph.called),
        )
        result = _recorded(run, body, value, target, node, run.nested_in, None, _params(value))
        drained = [
            containers.walked(run, result),
            *(walk.iterator for walk in graph.walks[marks[2] :] if _drains(walk)),
        ]
        for found, mark in zip(lists, marks, strict=True):
            del found[mark:]
        run.touched, run.entered, graph.called = touched, entered, called
        outer = (iterator for iterator in drained if iterator is not None and id(iterator) not in body.own)
        run.described_python[key] = (
            value,
            effects.describe_python(body)._replace(
                drains=next(outer, None),
                is_endless=_is_endless(target.node, body) or _flows(result),
                result=snapshot(result) if body.complete and not target.is_wrapped else None,
            ),
        )
    return run.described_python[key][1]


def _is_endless(node: ast.AST, body: Body) -> bool:
    """Is it a generator without an end, or a lambda that does nothing but to call one?"""
    return any(map(yields_forever, body.functions[:2] if isinstance(node, ast.Lambda) else [node]))


def _flows(value: Value) -> bool:
    """Is it what an `ImageDataGenerator` of Keras gives: batches without end?"""
    return isinstance(value, External) and last(value.symbol) in _FLOWS and "ImageDataGenerator" in value.symbol


def _drains(walk: Walk) -> bool:
    return not isinstance(walk.node, ast.For) or reaches_the_end(walk.node, may_yield=True)


def _recorded(
    run: Run,
    body: Body,
    value: Value,
    target: Function | None,
    node: ast.expr,
    stage: Stage | None,
    windows: int | None,
    parts: Given | None = None,
) -> Value:
    """What a function returns for elements, or the `parts` of them; what it does is in the record of it."""
    outer = run.frame, run.recorder, run.nested_in, run.nesting, run.fuel
    run.recorder, run.nested_in = Recorder(body, run.frame.facts, run.repeating), stage
    run.fuel = budget = min(run.fuel, run.limits.mapped)
    given = elements_for(value if not isinstance(value, Instance) else (target or value))
    if parts is not None:
        made = [Expr("parameter", (parts, number)) for number in range(parts.count)]
        values: list[Value] = [run.element(expr) for expr in made]
        if windows is not None:
            values[windows:] = [_window(run, node, expr) for expr in made[windows:]]
        given = Arguments(tuple([(_ELEMENT, element) for element in values]))
    call = ast.Call(func=node, args=[], keywords=[])
    ast.copy_location(call, node)
    result: Value = UNKNOWN
    try:
        result = _run_body(run, value, target, given, call)
    except OutOfFuel:
        body.complete = False
    finally:
        used = budget - max(run.fuel, 0)
        run.frame, run.recorder, run.nested_in, run.nesting, run.fuel = outer
        run.fuel -= used
    return result


def _window(run: Run, node: ast.expr, expr: Expr) -> Stage:
    """One of the datasets that `window` makes."""
    window = run.origin("parameter", node)
    window.result = expr
    run.recorder.made(window)
    return window


def _run_body(run: Run, value: Value, target: Function | None, given: Arguments, node: ast.Call) -> Value:
    """Run the function itself where it is one of the project, below whatever partial or object it is called by."""
    function, arguments = target, given
    if isinstance(value, Partial):
        run.recorder.body.bound = (*value.arguments, *value.keywords.values())
        function = value.function if isinstance(value.function, Function) else None
        arguments = Arguments(
            (*((node.func, item) for item in value.arguments), *given.positional),
            {name: (node.func, item) for name, item in value.keywords.items()},
        )
    if function is None or (isinstance(value, Instance) and function.node in run.active):
        run.recorder.frame = run.frame
        return run.call(value, given, node)
    if function.node in run.active:
        run.recorder.frame = run.frame
        run.recorder.loses_track()
        return UNKNOWN
    if not isinstance(value, Instance):
        run.enter(function)
    names = functions.bind(run, function, arguments)
    return functions.execute(run, function, names, standalone=False, mapped=True)[0]


def elements_for(function: Value) -> Arguments:
    """As many elements as a function has positional parameters that nothing fills yet."""
    return Arguments(((_ELEMENT, ELEMENT),) * _params(function).count)


def _params(function: Value, width: int | None = None) -> Given:
    """The elements for a function: how many it takes, and whether that is all; what is said to come for `*args`."""
    given = 0
    keywords: Mapping[str, Value] = {}
    while isinstance(function, Partial):
        given += len(function.arguments)
        keywords = {**function.keywords, **keywords}
        function = function.function
    if not isinstance(function, Function):
        return Given(1, True)
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    if function.receiver is not None and not function.is_static:
        positional = positional[1:]
    positional = [parameter for parameter in positional[given:] if parameter.arg not in keywords]
    # One at least, if it can be given any.
    required = max(len(positional) - len(spec.defaults), 1)
    count = required if positional or spec.vararg is not None else 0
    named = [parameter.arg for parameter in positional]
    if spec.vararg is not None and width is not None:
        count = max(count, width)
        named += [f"*{spec.vararg.arg}[{number}]" for number in range(count - len(named))]
    is_open = (spec.vararg is not None and width is None) or spec.kwarg is not None
    names = () if is_open else tuple(named[:count])
    return Given(count, width is not None or not (spec.vararg or spec.defaults), names)


@recursive
def _name(value: Value, node: ast.expr, run: Run) -> str:
    match value:
        case Function(node=ast.Lambda()):
            return "lambda"
        case Function(name=name):
            return name.rpartition(".")[2]
        case Partial(function=function):
            return _name(function, node, run)
        case Instance(cls=cls):
            return cls.name
    return run.text(node)


def together(functions: list[MappedFunction]) -> MappedFunction:
    """The first function of a stage, with what all of them do."""
    first, *others = functions
    if not others:
        return first
    return first._replace(
        resolved=all(function.resolved for function in functions),
        effects=tuple(effect for function in functions for effect in function.effects),
        operations=tuple(name for function in functions for name in function.operations),
        unknown=next((function.unknown for function in functions if function.unknown), ""),
        unseen=next((function.unseen for function in functions if function.unseen), ""),
        methods=frozenset(method for function in functions for method in function.methods),
        reads_files=any(function.reads_files for function in functions),
        calls=tuple(call for function in functions for call in function.calls),
        operators=tuple(operator for function in functions for operator in function.operators),
        functions=tuple(code for function in functions for code in function.functions),
    )


def _alternatives(run: Run, argument: Argument, value: Alternatives, stage: Stage, parameter: str) -> Described:
    """One of several functions: what any of them does counts, what all of them are holds."""
    run.spend()
    branches = [branch for branch in value.branches[: run.limits.branches] if branch.value != Constant(None)]
    parts = [describe(run, Argument(argument.node, branch.value), stage, parameter) for branch in branches]
    if not parts:
        return Described(MappedFunction(run.text(argument.node), None, None, resolved=False), None)
    described = [part.function for part in parts]
    costs = {function.cost for function in described}
    merged = together(described)
    merged = merged._replace(
        name=" or ".join(dict.fromkeys(function.name for function in described)),
        resolved=merged.resolved and len(value.branches) <= run.limits.branches,
        cost=costs.pop() if len(costs) == 1 else "unknown",
        batch_safety=described[0].batch_safety if len(described) == 1 else "unknown",
        batch_reason="",
        rows="unknown",
        is_wrapped=any(function.is_wrapped for function in described),
        parsed=tuple(parsed for function in described for parsed in function.parsed),
        calls=(),
        operators=(),
        result=None,
    )
    pairs = zip(branches, parts, strict=True)
    nested = [JoinBranch(branch.conditions, part.nested) for branch, part in pairs if part.nested is not None]
    is_whole = len(parts) == len(value.branches) and all(part.result is not None for part in parts)
    result = Alternatives(tuple([Branch((), part.result or UNKNOWN) for part in parts])) if is_whole else UNKNOWN
    if len(nested) > 1:
        return Described(merged, join_of(tuple(nested)), result)
    return Described(merged, nested[0].dataset if nested else None, result)
