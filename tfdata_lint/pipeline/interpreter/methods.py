"""Methods of what is not of the project: of lists, tensors, models and objects of libraries."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from tfdata_lint.pipeline.interpreter import containers, datasets, functions, objects, operators, outside
from tfdata_lint.pipeline.interpreter.frames import Arguments
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.interpreter.signatures import joined
from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.knowledge.kinds import ConsumerKind
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.mapped.record import holds_element
from tfdata_lint.pipeline.mapped.uses import is_tensor
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.fold import one_of
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Argument, Iterator, Join, Loop, Stage
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    UNKNOWN,
    Alternatives,
    Branch,
    Computed,
    Constant,
    Element,
    Expr,
    External,
    Function,
    Instance,
    Mapping_,
    Method,
    NoResult,
    Partial,
    Sequence,
    Symbol,
    Unknown,
    Value,
    expr_of,
    kinds,
    parts_of,
    snapshot,
)
from tfdata_lint.pipeline.project.evidence import is_evidence
from tfdata_lint.pipeline.project.index import span_of

#: Attributes of a table or an array that are its rows, or how many.
VIEWS = frozenset({"iloc", "loc", "shape", "values"})
#: What is static about a tensor: reading it gives no element.
STATIC_ATTRIBUTES = frozenset({"shape", "dtype", "ndim", "name", "rank", "get_shape", "device", "graph", "op"})
#: Methods that may consume a dataset, whatever they are called on.
CONSUMING = operations.MODEL_METHODS.keys() | operations.ESTIMATOR_METHODS.keys()
#: Arguments of `fit` that tell the method of a tuner from others that are called `search`.
_OF_SEARCHES = frozenset({"epochs", "validation_data", "steps_per_epoch", "callbacks"})
#: Methods of strategies of TensorFlow 1, whose result is read once.
_MAKING_ITERATORS = ("make_dataset_iterator", "make_input_fn_iterator")

#: Methods that make text, numbers or lists of them, whatever has them.
_PLAIN = frozenset(
    {
        "as_list",
        "decode",
        "encode",
        "format",
        "item",
        "lower",
        "numpy",
        "split",
        "splitlines",
        "strip",
        "tolist",
        "upper",
    }
)


def call_expr(node: ast.Call, name: str, arguments: Arguments, *receiver: Value) -> Expr:
    """The expression that a call is."""
    if arguments.is_open:
        return Expr("", (), node=node)
    given = [snapshot(value) for value in (*receiver, *[value for _, value in arguments.positional])]
    return Expr(name, tuple(given), {key: snapshot(value) for key, (_, value) in arguments.keywords.items()}, node)


def takes_element(run: Run, arguments: Arguments) -> bool:
    """Is something that depends on the element handed over, in a mapped function?"""
    if run.recorder.on:
        for value in arguments.values:
            if holds_element(value):
                return True
    return False


def call_external(name: str, arguments: Arguments, node: ast.Call, receiver: Value | None = None) -> External:
    keywords = {key: value for key, (_, value) in arguments.keywords.items()}
    made = External(name, node, tuple([value for _, value in arguments.positional]), keywords, receiver)
    if arguments.is_open:
        made.further = (UNKNOWN,)
    return made


def call_method(run: Run, method: Method, arguments: Arguments, node: ast.Call) -> Value:
    """A method of something that is not an object of the project."""
    receiver, name = method.receiver, method.name
    if isinstance(receiver, (Stage, Join)):
        result = datasets.dataset_method(run, receiver, name, arguments, node)
        if isinstance(result, Stage) and result.node is node and method.node is not node.func:
            result.detached = True
        return result
    is_open = name in operations.METHODS and isinstance(receiver, (Unknown, External, Instance))
    if is_open and run.index.tensorflow and is_evidence(node, run.index):
        origin = run.origin("unresolved", node.func.value if isinstance(node.func, ast.Attribute) else node)
        return datasets.dataset_method(run, origin, name, arguments, node)
    if name in CONSUMING:
        consumed = consuming_method(run, receiver, name, arguments, node)
        if consumed is not None:
            return consumed
    handler = _METHODS.get(type(receiver))
    given = handler(run, receiver, name, arguments, node) if handler is not None else None
    if given is not None:
        return given
    if run.recorder.on:
        outside.record(run, f"{'?' if _is_captured(run, node) else 'local'}.{name}", arguments, node)
    outside.hand_over(run, arguments, node, name)
    if name == "get" and arguments.get(1, "default") == Constant(None):
        return Alternatives((Branch((), Unknown()), Branch((), Constant(None))))
    if takes_element(run, arguments):
        return run.element(call_expr(node, f"{'?' if _is_captured(run, node) else 'local'}.{name}", arguments))
    if name in _PLAIN:
        return Computed(call_expr(node, f"plain.{name}", arguments))
    return (
        Computed(call_expr(node, f"array.{name}", arguments, receiver)) if isinstance(receiver, Computed) else UNKNOWN
    )


def _iterator_method(run: Run, iterator: Iterator, name: str, arguments: Arguments, node: ast.Call) -> Value:
    if name not in ("get_next", "next", "__next__", "get_next_as_optional"):
        return UNKNOWN
    span = outside.call_span(node, run.file)
    run.consume("next", iterator.dataset, node, span, iterator=iterator, target=name)
    return ELEMENT


def _external_method(run: Run, receiver: External, name: str, arguments: Arguments, node: ast.Call) -> Value:
    symbol = f"{receiver.symbol}().{name}"
    if (operation := operations.lookup_method(receiver.symbol, name)) is not None:
        return datasets.source_stage(run, operation, symbol, arguments, node)
    outside.record(run, symbol, arguments, node, receiver)
    outside.hand_over(run, arguments, node, name, symbol)
    if name == "add" and receiver.symbol.endswith(".Sequential"):
        _add_layer(run, receiver, arguments)
    if takes_element(run, arguments):
        return run.element(call_expr(node, symbol, arguments, receiver))
    made = call_external(symbol, arguments, node, receiver)
    if name == "compile":
        _compile(receiver, made)
    return made


def _compile(model: External | Instance, made: External) -> None:
    if all(made.call is not call.call for call in model.compiled):
        model.compiled = (*model.compiled, made)


def _instance_method(run: Run, receiver: Instance, name: str, arguments: Arguments, node: ast.Call) -> Value | None:
    """A builder of the project, which extends one of tfds, may give a dataset; a model is compiled."""
    symbol = f"{objects.library_base(receiver.cls)}().{name}"
    if name == "compile":
        _compile(receiver, call_external(symbol, arguments, node, receiver))
    if name != "as_dataset":
        return None
    return datasets.source_stage(run, operations.AS_DATASET, symbol, arguments, node)


def _constant_method(run: Run, receiver: Constant, name: str, arguments: Arguments, node: ast.Call) -> Value:
    outside.record(run, f"{type(receiver.value).__name__}.{name}", arguments, node)
    if any(map(holds_element, arguments.values)):
        return ELEMENT
    return Computed(call_expr(node, f"plain.{name}", arguments, receiver))


def _element_method(run: Run, element: Element, name: str, arguments: Arguments, node: ast.Call) -> Value:
    """A method of a tensor, or of an element that is a dict, some of which change it."""
    outside.record(run, f"Element.{name}", arguments, node, element)
    if name in ("keys", "items"):
        # The keys of an element that is a dict are known while it is traced.
        key = UNKNOWN if element.expr is None else Computed(expr_of("key", element, node=node))
        item = ELEMENT if element.expr is None else run.element(expr_of("item", element, key, node=node))
        return Sequence("list", (), key if name == "keys" else Sequence("tuple", (key, item)))
    if element.expr is None:
        return UNKNOWN if name in STATIC_ATTRIBUTES else ELEMENT
    values = [value for _, value in arguments.positional]
    expr = call_expr(node, f"Element.{name}", arguments, element)
    if name in STATIC_ATTRIBUTES:
        return Computed(expr)
    match name:
        case "set_shape":
            is_known = is_tensor(element)
            containers.alter(run, element, expr)
            if is_known:
                return NoResult(None, node)
        case "pop" if values:
            taken = run.element(expr_of("item", element, values[0], node=node))
            if len(values) > 1:
                taken = run.element(expr_of("either", taken, values[1], node=node))
            containers.alter(run, element, expr_of("without", element, values[0], node=node))
            return taken
        case "update" | "setdefault" | "clear" | "popitem":
            containers.alter(run, element, expr)
    return run.element(expr)


def consuming_method(run: Run, receiver: Value, name: str, arguments: Arguments, node: ast.Call) -> Value | None:
    """`model.fit(ds)` and the like, whatever the model is; `strategy.experimental_distribute_dataset(ds)`."""
    span = outside.call_span(node, run.file)
    operation = operations.MODEL_METHODS.get(name)
    kind = operation.consumer if operation is not None else ""
    if name == "search" and arguments.keywords.keys().isdisjoint(_OF_SEARCHES):
        # `tuner.search` hands on what `fit` takes; others search for other things.
        return None
    if operation is not None and kind and kind != "distribute":
        given, is_open = datasets.bind_operation(operation, arguments)
        maker = plain(receiver.symbol) if isinstance(receiver, External) else ""
        details = {
            "arguments": given, "open_arguments": is_open, "target": name, "made_by": maker, "model": receiver,
        }  # fmt: skip
        kinds: Mapping[str, ConsumerKind] = {operation.parameters[0]: kind, "validation_data": "validation"}
        found = False
        for parameter, what in kinds.items():
            dataset = containers.iterated(run, given[parameter].value) if parameter in given else None
            if dataset is not None:
                found = True
                run.consume(what, dataset, node, span, **details)
        first = given.get(operation.parameters[0])
        if first is not None and maker.startswith("tensorflow.keras."):
            _misused(run, name, first)
        if found:
            return UNKNOWN
    if name in operations.ESTIMATOR_METHODS and (function := arguments.get(0, "input_fn")) is not None:
        is_estimator = isinstance(receiver, External) and "stimator" in receiver.symbol
        # Or a function that says by its name what an Estimator takes.
        if is_estimator or (isinstance(function, Function) and "input_fn" in function.name):
            outside.input_function(run, function, node)
            return UNKNOWN
    if kind == "distribute" and arguments.positional:
        value = arguments.positional[0][1]
        if isinstance(value, Partial) or functions.function_of(value) is not None:
            value = run.call(value, Arguments((), {}, is_open=True), node)
        shared = run.datasets_in(value)
        for dataset in shared:
            shares = run.iterator(dataset, node, span, "distribute", name not in _MAKING_ITERATORS)
            run.consume("distribute", dataset, node, span, target=name, iterator=shares)
        return shares if len(shared) == 1 else UNKNOWN
    return None


def _misused(run: Run, name: str, argument: Argument) -> None:
    """Note what Keras does not take in the place of a dataset."""
    match argument.value:
        case Sequence() | Mapping_():
            parts = [run.dataset(part) for part in parts_of(argument.value)]
            dataset = parts[0] if parts and None not in parts else None
            if dataset is not None:
                run.misuse("list", name, dataset, argument.node)
        case Iterator(dataset=dataset, node=ast.Call() as node) if last_name(node) in ("iter", "as_numpy_iterator"):
            run.misuse("iterator", name, dataset, argument.node)


def _add_layer(run: Run, model: External, arguments: Arguments) -> None:
    """`Sequential.add`: what the model does depends on it."""
    layer = arguments.get(0, "layer")
    if layer is None or arguments.is_open:
        model.further = (UNKNOWN,)
        return
    run.changes += 1
    run.described.clear()
    layers = model.arguments[0] if model.arguments else model.keywords.get("layers")
    if isinstance(layers, Sequence):
        containers.extend(run, layers, [layer])
    elif layers is None:
        model.keywords["layers"] = Sequence("list", (layer,))


def _is_captured(run: Run, node: ast.Call) -> bool:
    """Is it a method of what comes from outside of the mapped function?"""
    return isinstance(node.func, ast.Attribute) and containers.is_outside(run, node.func.value)


def _sequence_method(run: Run, sequence: Sequence, name: str, arguments: Arguments, node: ast.Call) -> Value:
    values = [value for _, value in arguments.positional]
    if run.recorder.on and (_is_captured(run, node) or run.recorder.brings(sequence)):
        outside.record(run, f"{sequence.kind}.{name}", arguments, node)
        return UNKNOWN
    if name in ("insert", "pop", "remove", "clear", "sort", "reverse", "discard") or name.startswith("__"):
        return containers.move(run, sequence, name, values)
    match name:
        case "append" | "add" if values:
            containers.extend(run, sequence, values[:1])
        case "extend" | "update" if values and isinstance(values[0], Sequence):
            containers.extend(run, sequence, values[0].items, values[0].rest)
        case "extend" | "update" if values:
            containers.extend(run, sequence, (), containers.item_of(run, values[0]))
        case "copy":
            return sequence.copy(run.here)
    return UNKNOWN


def _mapping_method(run: Run, mapping: Mapping_, name: str, arguments: Arguments, node: ast.Call) -> Value:
    run.changes += name == "update"
    values = [value for _, value in arguments.positional]
    if run.recorder.on and name in ("get", "setdefault", "pop") and values and isinstance(values[0], Element):
        operators.noted(run, Computed(expr_of("item", containers.kept(mapping), values[0], node=node)), node)
    if (
        run.recorder.on
        and name in ("update", "setdefault", "pop", "clear")
        and (_is_captured(run, node) or run.recorder.brings(mapping))
    ):
        outside.record(run, f"dict.{name}", arguments, node)
        return UNKNOWN
    match name:
        case "items":
            pairs = tuple(Sequence("tuple", (Constant(key), value)) for key, value in mapping.held)
            if mapping.rest is not None:
                return Sequence(
                    "list", (), Sequence("tuple", (UNKNOWN, containers.values(run, mapping).rest or UNKNOWN))
                )
            return Sequence("list", pairs, exact=mapping.exact)
        case "values":
            return containers.values(run, mapping)
        case "keys":
            rest_key = UNKNOWN if mapping.rest is not None else None
            return Sequence("list", tuple(Constant(key) for key, _ in mapping.held), rest_key, exact=mapping.exact)
        case "get" | "pop" | "setdefault" if values and isinstance(values[0], Constant):
            found = containers.get_item(run, mapping, values[0])
            if name == "pop":
                containers.take_out(run, mapping, values[0])
            elif name == "setdefault" and values[0].value in mapping.gone and len(values) > 1:
                containers.put(run, mapping, values[0], values[1])
                return values[1]
            elif name == "setdefault":
                mapping.exact &= values[0].value in mapping.items
            is_gone = name == "get" and values[0].value in mapping.gone
            if not is_gone and (values[0].value in mapping.items or mapping.rest is not None):
                return found
            return values[1] if len(values) > 1 else Constant(None)
        case "copy":
            return mapping.copy(run.here)
        case "update":
            named = Mapping_({key: value for key, (_, value) in arguments.keywords.items()})
            for value in (*values, named, *((UNKNOWN,) if arguments.is_open else ())):
                containers.update(run, mapping, value)
        case "clear" | "popitem" | "setdefault" | "pop":
            mapping.exact = False
    return UNKNOWN


#: By what it is a method of; None where it is one as of any object.
_METHODS: Mapping[type, Callable[[Run, Any, str, Arguments, ast.Call], Value | None]] = {
    Iterator: _iterator_method,
    Sequence: _sequence_method,
    Mapping_: _mapping_method,
    External: _external_method,
    Instance: _instance_method,
    Element: _element_method,
    **dict.fromkeys(kinds(Constant), _constant_method),
}


@recursive
def chosen(run: Run, values: list[Value], tests: list[Value]) -> Value:
    """What one of several functions gives; of tuples each part."""
    rows = [value.items for value in values if isinstance(value, Sequence) and value.rest is None]
    if len(rows) == len(values) and len(set(map(len, rows))) == 1:
        return Sequence("tuple", tuple([chosen(run, list(column), tests) for column in zip(*rows, strict=True)]))
    made = one_of(values, tests)
    return run.element(made) if any(map(holds_element, values)) else Computed(made)


def reduced(run: Run, values: list[Value], node: ast.Call) -> Value | None:
    """`functools.reduce(function, datasets)`, `reduce(apply, steps, files)`: one call after the other."""
    if len(values) < 2:
        return None
    items = containers.items(run, values[1]) or (containers.item_of(run, values[1]),)
    are_steps = len(values) > 2 and all(isinstance(item, (Function, Partial, Symbol)) for item in items)
    if not are_steps and not any(run.datasets_in(value) for value in values[1:3]):
        return None
    first, *others = (*values[2:3], *items) if values[2:] or len(items) > 1 else (items[0], items[0])
    for item in others:
        first = run.call(values[0], Arguments(((node, first), (node, item))), node)
    return first


def made_of_each(run: Run, values: list[Value], node: ast.Call) -> Value | None:
    """The datasets that a function makes of each of several things, as a comprehension would."""
    if len(values) != 2 or run.recorder.on:
        return None
    function, iterable = values
    is_source = isinstance(function, Symbol) and operations.lookup(function.name) is not None
    if not is_source and functions.function_of(function) is None:
        return None
    items, loops = containers.items(run, iterable), run.frame.loops
    run.frame.loops = (*loops, Loop("comprehension", node, span_of(node, run.file)))
    run.repeating += items is None
    try:
        each = (containers.item_of(run, iterable),) if items is None else items
        made = tuple([run.call(function, Arguments(((node, item),)), node) for item in each])
    finally:
        run.frame.loops = loops
        run.repeating -= items is None
    if not any(map(run.datasets_in, made)):
        return None
    return Sequence("list", made) if items is not None else Sequence("list", (), joined(run, made))
