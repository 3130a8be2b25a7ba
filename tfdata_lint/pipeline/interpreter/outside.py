"""What is not seen: calls of it are recorded, and the datasets handed to it leave the pipeline."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.interpreter import containers, operators
from tfdata_lint.pipeline.interpreter.frames import Arguments
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.mapped.layers import is_layer, is_symbolic
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.options import Options
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Iterator
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    UNKNOWN,
    Constant,
    Element,
    Expr,
    External,
    Function,
    Instance,
    Mapping_,
    Method,
    Partial,
    Sequence,
    Symbol,
    Unknown,
    Value,
    kinds,
    snapshot,
)
from tfdata_lint.pipeline.project.index import attribute_span, span_of

#: They hold neither datasets nor options.
_HOLDS_NONE = kinds(Unknown, Element, Constant, Symbol, Method)
#: So many settings of one are told apart.
_MOST = 8
#: What an Estimator gives an input function that has such parameters, and nothing else.
_GIVEN = frozenset({"mode", "params", "config", "input_context"})
#: Who puts nothing into a container that it is given.
_HARMLESS = ("tensorflow.", "builtins.", "numpy.")


def record(run: Run, name: str, arguments: Arguments, node: ast.Call, receiver: Value | None = None) -> None:
    """Note a call in the mapped function that is being run."""
    if not run.recorder.on or _is_told_once(run, name):
        return
    operators.apply(run, *arguments.values)
    positional = [value for _, value in arguments.positional]
    keywords = {key: value for key, (_, value) in arguments.keywords.items()}
    function = arguments.get(0, "func") if known(name).effect == "py_function" else None
    python = run.describe_python(function, node) if function is not None else None
    span, facts = span_of(node, run.file), run.frame.facts
    run.recorder.calls(run.frame, name, node, span, positional, keywords, python, facts, receiver)


def _is_told_once(run: Run, name: str) -> bool:
    """`if first: logging.info(…)` where `nonlocal first` is a flag: meant for the tracing."""
    if known(name).effect != "logging":
        return False
    frame = run.frame
    return bool(frame.conditions or frame.guards) and bool(frame.scope.nonlocal_names | frame.scope.global_names)


def call_external(run: Run, name: str, arguments: Arguments, node: ast.Call, made: External | None = None) -> Value:
    """A call of something outside the project about which nothing more is known than its name, or how it was made."""
    record(run, name, arguments, node, made)
    hand_over(run, arguments, node, name)
    if run.recorder.on and any(isinstance(value, Element) for value in arguments.values):
        if made is None or arguments.is_open:
            return ELEMENT
        given = [snapshot(value) for _, value in arguments.positional]
        named = {key: snapshot(value) for key, (_, value) in arguments.keywords.items()}
        return run.element(Expr(name, (made, *given), named, node))
    if made is not None and any(map(is_symbolic, arguments.values)):
        return External(name, node, tuple(arguments.values), receiver=made)
    return UNKNOWN


def set_layer(run: Run, made: Value, given: Value) -> None:
    """Keep what a Keras layer or model is set to, if that may hold state: what it computes depends on it from then on.

    What is plain is read when the layer is traced.
    """
    if isinstance(made, External) and not isinstance(given, (Constant, Symbol)) and is_layer(made):
        made.further = (*made.further[:_MOST], given)
        # Functions that were read call another layer from now on.
        run.described.clear()


def hand_over(run: Run, arguments: Arguments, node: ast.Call, name: str = "", owner: str = "") -> None:
    """Datasets, options, layers and input functions leave for code that is not seen, or a method of what it made."""
    if known(owner or name).effect == "logging":
        return
    is_harmless = plain(owner or name).startswith(_HARMLESS)
    for value in arguments.values:
        if type(value) in _HOLDS_NONE:
            continue
        containers.escape(value)
        if isinstance(value, Iterator):
            run.handed.add(id(value))
        if isinstance(value, Options):
            # Whoever gets it may set it.
            value.settings.setdefault("deterministic", UNKNOWN)
        datasets = list(run.datasets_in(value))
        for dataset in datasets:
            run.consume("argument", dataset, node, call_span(node, run.file), target=name)
        if isinstance(value, (Sequence, Mapping_)) and not is_harmless:
            # Whoever gets it may put other things in, or the same in another order: `random.shuffle(names)`.
            if not datasets:
                containers.blur(value)
            elif isinstance(value, Mapping_):
                containers.mix(run, value, UNKNOWN)
            elif value.kind != "tuple":
                containers.shift(run, value)
    if arguments.keywords and "input_fn" in arguments.keywords:
        input_function(run, arguments.keywords["input_fn"][1], node, is_open=True)


def input_function(run: Run, function: Value, node: ast.Call, is_open: bool = False) -> None:
    """An Estimator calls its input function and consumes the dataset it returns; others may give it anything."""
    inner, first = function, 0
    bound = set[str]()
    while isinstance(inner, Partial):
        bound |= set(inner.keywords)
        first += len(inner.arguments)
        inner = inner.function
    if not isinstance(inner, Function):
        return
    spec = inner.node.args
    names = [one.arg for one in spec.args][first + (inner.receiver is not None) :]
    asked = [name for name in (*names, *[one.arg for one in spec.kwonlyargs]) if name in _GIVEN - bound]
    # What is left must have a default.
    is_open |= not bound.issuperset({*names[: max(len(names) - len(spec.defaults), 0)]} - _GIVEN)
    given: dict[str, tuple[ast.expr, Value]] = {name: (node, Unknown()) for name in asked}
    result = run.call(function, Arguments((), given, is_open), node)
    for dataset in run.datasets_in(result):
        run.consume("input_fn", dataset, node, call_span(node, run.file), target=last_name(node))


def call_span(node: ast.Call, file: str) -> Span:
    """From the called name to the closing parenthesis."""
    if isinstance(node.func, ast.Attribute):
        return attribute_span(node.func, file, node)
    return span_of(node, file)


def holds_steps(run: Run, made: Sequence) -> bool:
    """Does what a generator yields hold datasets, or is it nothing but functions, or objects of the project?"""
    if made.rest is not None:
        return all(isinstance(item, Instance) for item in (*made.items, made.rest))
    return bool(run.datasets_in(made)) or all(isinstance(item, (Function, Partial, Instance)) for item in made.items)
