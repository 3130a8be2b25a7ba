"""Mapped functions: run with elements for their parameters, noting what they do for `mapped.describe`."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tfdata_lint.pipeline.interpreter import calls, datasets, objects
from tfdata_lint.pipeline.interpreter.frames import BODY_FUEL, Arguments, Frame, OutOfFuel
from tfdata_lint.pipeline.mapped import effects as mapped
from tfdata_lint.pipeline.nouns.stages import Argument, Dataset, JoinBranch, MappedFunction, Stage, tips
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    UNKNOWN,
    Alternatives,
    Class,
    Constant,
    External,
    Function,
    Instance,
    Method,
    Partial,
    Sequence,
    Symbol,
    Unknown,
    Value,
)
from tfdata_lint.pipeline.project.index import span_of

if TYPE_CHECKING:
    from tfdata_lint.pipeline.interpreter.run import Interpreter

#: TensorFlow functions that call the functions given to them, with elements.
_HIGHER_ORDER = frozenset(
    {"cond", "case", "switch_case", "while_loop", "map_fn", "vectorized_map", "foldl", "foldr", "scan", "map_structure",
     "map_structure_with_path", "custom_gradient", "recompute_grad", "scalar_map"}
)  # fmt: skip


@dataclass(slots=True, eq=False)
class Recording:
    """A mapped function being run: what is seen goes into its `body`."""

    body: mapped.Body
    frame: Frame | None = None
    created: set[int] = field(default_factory=set)
    """Objects of the project, and scopes of functions, made while it runs: they are its own."""

    def note(self, frame: Frame, node: ast.expr, value: Value) -> None:
        if frame is not self.frame:
            if isinstance(value, External):
                self.body.helper_reads.append((node, value))
        elif not isinstance(value, Unknown):
            self.body.constants[id(node)] = value


def record(run: Interpreter, name: str, arguments: Arguments, node: ast.Call) -> None:
    """Note a call in the mapped function that is being run."""
    if not run.recordings or _is_told_once(run.frame, name):
        return
    recording = run.recordings[-1]
    recording.body.calls.append(
        mapped.Call(
            name,
            node,
            span_of(node, run.file),
            tuple(value for _, value in arguments.positional),
            {key: value for key, (_, value) in arguments.keywords.items()},
            helper=run.frame is not recording.frame,
        )
    )
    if run.frame is recording.frame:
        recording.body.names[id(node)] = name


def _is_told_once(frame: Frame, name: str) -> bool:
    """`if first: logging.info(…)` where `nonlocal first` is a flag: meant for the tracing."""
    shows = name == "builtins.print" or "logging." in name
    return (
        shows and bool(frame.conditions or frame.guards) and bool(frame.scope.nonlocal_names | frame.scope.global_names)
    )


def call_given_functions(run: Interpreter, name: str, arguments: Arguments, node: ast.Call) -> None:
    """Functions handed to tf.cond, tf.map_fn, … run as part of the mapped function."""
    if name.rpartition(".")[2] not in _HIGHER_ORDER:
        return
    if isinstance(arguments.get(0, "fn"), Unknown):
        run.recordings[-1].body.complete = False
    for value in arguments.values:
        candidates = [value, *(value.items if isinstance(value, Sequence) else ())]
        for function in candidates:
            if isinstance(function, (Function, Partial)):
                calls.call_value(run, function, _elements_for(function), node)


def _elements_for(function: Value) -> Arguments:
    """As many elements as a function has positional parameters that nothing fills yet."""
    given = 0
    keywords: Mapping[str, Value] = {}
    while isinstance(function, Partial):
        given += len(function.arguments)
        keywords = {**function.keywords, **keywords}
        function = function.function
    if not isinstance(function, Function):
        return Arguments(((_element(), ELEMENT),))
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    if function.receiver is not None and not function.is_static:
        positional = positional[1:]
    positional = [parameter for parameter in positional[given:] if parameter.arg not in keywords]
    required = len(positional) - len(spec.defaults) if spec.defaults else len(positional)
    count = max(required, 1) if positional else 0
    count += 1 if spec.vararg is not None and count == 0 else 0
    name = _element()
    return Arguments(tuple((name, ELEMENT) for _ in range(count)))


def mapped_function(run: Interpreter, argument: Argument, stage: Stage) -> tuple[MappedFunction, Dataset | None]:
    """Run the function given to a stage with elements, judge it, and keep the dataset it returns."""
    value = argument.value
    if isinstance(value, Alternatives):
        return _mapped_alternatives(run, argument, value, stage)
    windows = stage.inputs and any(tip.op == "window" for tip in tips(stage.inputs[0]))
    key = _described_key(value, bool(windows))
    known = run.described.get(key) if key is not None else None
    if known is not None:
        result: tuple[MappedFunction, Dataset | None] = known[1]
        return result
    result = _describe(run, value, argument.node, stage, bool(windows))
    if key is not None:
        run.described[key] = (value, result)
    return result


def _described_key(value: Value, windows: bool) -> Any:
    match value:
        case Function(node=node, scope=scope, receiver=receiver):
            return ("mapped", id(node), id(scope), id(receiver), windows)
        case Symbol(name):
            return ("mapped", name, windows)
    return ("mapped", id(value), windows)


def _describe(
    run: Interpreter, value: Value, node: ast.expr, stage: Stage, windows: bool
) -> tuple[MappedFunction, Dataset | None]:
    target = function_of(value)
    definition = target.node if target is not None else None
    name = _function_name(value, node, run)
    span = span_of(definition, run.file) if isinstance(definition, (ast.expr, ast.stmt)) else span_of(node, run.file)
    body = mapped.Body(definition, name, span)
    if definition is None and not isinstance(value, (Symbol, External, Instance, Partial, Class, Method)):
        body.complete = False
        return mapped.describe(body), None
    recording = Recording(body)
    run.recordings.append(recording)
    outer, outer_nested, fuel, nesting = run.frame, run.nested_in, run.fuel, run.nesting
    run.nested_in = stage
    run.fuel = min(fuel, BODY_FUEL)
    budget = run.fuel
    result: Value = UNKNOWN
    given = _elements_for(value if not isinstance(value, Instance) else (target or value))
    if windows and given.positional:
        window = run.origin("parameter", node)
        given = Arguments(tuple((argument, window) for argument, _ in given.positional))
    call_node = ast.Call(func=node, args=[], keywords=[])
    ast.copy_location(call_node, node)
    try:
        result = _run_body(run, value, target, given, call_node, recording)
    except OutOfFuel:
        body.complete = False
    finally:
        run.recordings.pop()
        run.frame, run.nested_in, run.nesting = outer, outer_nested, nesting
        run.fuel = fuel - (budget - max(run.fuel, 0))
    nested = run.dataset(result)
    return mapped.describe(body), nested


def _run_body(
    run: Interpreter, value: Value, target: Function | None, given: Arguments, node: ast.Call, recording: Recording
) -> Value:
    if isinstance(value, Function):
        if value.node in run.active:
            recording.body.complete = False
            return UNKNOWN
        run.enter(value)
        result, _ = calls.execute(run, value, calls.bind(run, value, given), standalone=False, recording=recording)
        return result
    recording.frame = run.frame
    if isinstance(value, Partial) and isinstance(value.function, Function):
        inner = value.function
        if inner.node in run.active:
            recording.body.complete = False
            return UNKNOWN
        run.enter(inner)
        merged = Arguments(
            (*((node.func, item) for item in value.arguments), *given.positional),
            {name: (node.func, item) for name, item in value.keywords.items()},
        )
        result, _ = calls.execute(run, inner, calls.bind(run, inner, merged), standalone=False, recording=recording)
        return result
    if isinstance(value, Instance) and target is not None and target.node not in run.active:
        result, _ = calls.execute(run, target, calls.bind(run, target, given), standalone=False, recording=recording)
        return result
    return calls.call_value(run, value, given, node)


def function_of(value: Value) -> Function | None:
    """The project function that is run when a value is called."""
    match value:
        case Function():
            return value
        case Partial(function=function):
            return function_of(function)
        case Instance(cls=cls):
            found = objects.class_attribute(cls, "__call__") or objects.class_attribute(cls, "call")
            return replace(found, receiver=value) if isinstance(found, Function) else None
    return None


def _element() -> ast.Name:
    """What stands for an element that nobody has written."""
    return ast.Name("element", ast.Load(), lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)


def _function_name(value: Value, node: ast.expr, run: Interpreter) -> str:
    match value:
        case Function(node=ast.Lambda()):
            return "lambda"
        case Function(name=name):
            return name.rpartition(".")[2]
        case Partial(function=function):
            return _function_name(function, node, run)
        case Instance(cls=cls):
            return cls.name
    return run.text(node)


def _mapped_alternatives(
    run: Interpreter, argument: Argument, value: Alternatives, stage: Stage
) -> tuple[MappedFunction, Dataset | None]:
    """One of several functions: what any of them does counts, what all of them are holds."""
    branches = [branch for branch in value.branches[:4] if branch.value != Constant(None)]
    parts = [mapped_function(run, Argument(argument.node, branch.value), stage) for branch in branches]
    if not parts:
        return MappedFunction(run.text(argument.node), None, None, resolved=False), None
    functions = [function for function, _ in parts]
    costs = {function.cost for function in functions}
    merged = MappedFunction(
        " or ".join(dict.fromkeys(function.name for function in functions)),
        functions[0].span,
        functions[0].node,
        resolved=all(function.resolved for function in functions) and len(value.branches) <= 4,
        effects=tuple(effect for function in functions for effect in function.effects),
        operations=tuple(name for function in functions for name in function.operations),
        cost=costs.pop() if len(costs) == 1 else "unknown",
        heavy=functions[0].heavy,
        batch_safety=functions[0].batch_safety if len(functions) == 1 else "unknown",
        reads_files=any(function.reads_files for function in functions),
    )
    nested = [
        JoinBranch(branch.conditions, inner)
        for branch, (_, inner) in zip(branches, parts, strict=True)
        if inner is not None
    ]
    if len(nested) > 1:
        return merged, datasets.join_of(tuple(nested))
    return merged, nested[0].dataset if nested else None
