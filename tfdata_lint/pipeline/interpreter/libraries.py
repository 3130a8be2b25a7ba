"""What is not of the project: functions of libraries, builtins, methods of lists, tensors, models."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tfdata_lint.pipeline.interpreter import calls, datasets, mapping as recording, objects
from tfdata_lint.pipeline.interpreter.frames import Arguments
from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.knowledge.kinds import ConsumerKind
from tfdata_lint.pipeline.knowledge.operations import Operation
from tfdata_lint.pipeline.mapped.effects import holds_element
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Iterator, Join, Stage
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    UNKNOWN,
    Alternatives,
    Branch,
    Class,
    Constant,
    Element,
    External,
    Function,
    Instance,
    Mapping_,
    Method,
    Partial,
    Sequence,
    Super,
    Symbol,
    Unknown,
    Value,
)
from tfdata_lint.pipeline.project.index import span_of

if TYPE_CHECKING:
    from tfdata_lint.pipeline.interpreter.run import Interpreter

#: What is static about a tensor: reading it gives no element.
STATIC_ATTRIBUTES = frozenset({"shape", "dtype", "ndim", "name", "rank", "get_shape", "device", "graph", "op"})
_SEEDERS = ("tensorflow.random.set_seed", "tensorflow.set_random_seed", "tensorflow.random.set_random_seed")
_KERAS_SEEDERS = (".utils.set_random_seed",)
FUNCTION_WRAPPERS = frozenset({"tensorflow.function", "tensorflow.contrib.eager.defun"})
PYTHON_WRAPPERS = frozenset({"tensorflow.py_function", "tensorflow.numpy_function"})
_DISTRIBUTE = frozenset(
    {"experimental_distribute_dataset", "distribute_datasets_from_function", "experimental_make_numpy_dataset",
     "experimental_distribute_datasets_from_function", "make_dataset_iterator", "make_input_fn_iterator"}
)  # fmt: skip
_MODEL_KINDS: Mapping[str, ConsumerKind] = {
    "fit": "fit", "fit_generator": "fit", "evaluate": "evaluate", "evaluate_generator": "evaluate",
    "predict": "predict", "predict_generator": "predict", "adapt": "adapt", "train_on_batch": "train_on_batch",
}  # fmt: skip


_SIX = {"six.iteritems": "items", "six.iterkeys": "keys", "six.itervalues": "values"}


def call_symbol(run: Interpreter, name: str, arguments: Arguments, node: ast.Call) -> Value:
    """A call of a library's function or class by its full name."""
    if name.startswith("builtins."):
        return call_builtin(run, name, arguments, node)
    operation = operations.lookup(name)
    if operation is not None:
        recording.record(run, name, arguments, node)
        if operation.kind == "consumer":
            return datasets.consumer_symbol(run, operation, arguments, node)
        return datasets.source_stage(run, operation, name, arguments, node)
    plain = operations.without_compat(name)
    if plain in ("tensorflow.data.Options", "tensorflow.data.experimental.Options"):
        return datasets.new_options(run, node)
    if plain in FUNCTION_WRAPPERS and arguments.positional:
        return calls.compiled(arguments.positional[0][1])
    if plain == "functools.partial" and arguments.positional:
        function, *given = (value for _, value in arguments.positional)
        keywords = {key: value for key, (_, value) in arguments.keywords.items()}
        return Partial(function, tuple(given), keywords)
    if plain in ("copy.copy", "copy.deepcopy") and arguments.positional:
        return arguments.positional[0][1]
    if plain.startswith("tensorflow.data.Dataset.") and arguments.positional:
        dataset = run.dataset(arguments.positional[0][1])
        if dataset is not None:
            rest = replace(arguments, positional=arguments.positional[1:])
            return call_method(run, Method(dataset, plain.rpartition(".")[2]), rest, node)
    if plain in _SEEDERS or (plain.endswith(_KERAS_SEEDERS) and "keras" in plain):
        run.graph.seeds.append(span_of(node, run.file))
    if name in objects.WRAPPERS:
        return _external(name, arguments, node)
    if name in _SIX and arguments.positional:
        return call_method(run, Method(arguments.positional[0][1], _SIX[name]), Arguments(), node)
    recording.record(run, name, arguments, node)
    consumed = _consuming_method(run, UNKNOWN, name.rpartition(".")[2], arguments, node) if "." in name else None
    if consumed is not None:
        return consumed
    if operations.applicable(name) is None:
        calls.hand_over(run, arguments, node, name)
    if run.recordings and plain.startswith("tensorflow."):
        recording.call_given_functions(run, plain, arguments, node)
    if _takes_element(run, arguments):
        return ELEMENT
    return _external(name, arguments, node)


def _takes_element(run: Interpreter, arguments: Arguments) -> bool:
    """Is something that depends on the element handed over, in a mapped function?"""
    return bool(run.recordings) and any(map(holds_element, arguments.values))


def _external(name: str, arguments: Arguments, node: ast.Call) -> External:
    keywords = {key: value for key, (_, value) in arguments.keywords.items()}
    return External(name, node, tuple(value for _, value in arguments.positional), keywords)


def call_builtin(run: Interpreter, name: str, arguments: Arguments, node: ast.Call) -> Value:
    """A builtin: the few that touch datasets or containers are understood."""
    values = [value for _, value in arguments.positional]
    first = values[0] if values else UNKNOWN
    span = span_of(node, run.file)
    dataset = run.dataset(first)
    match name.removeprefix("builtins."):
        case "iter" if dataset is not None:
            iterator = Iterator(dataset, span)
            run.consume("iter", dataset, node, span, iterator=iterator, target="iter")
            return iterator
        case "next":
            return _next(run, first, node, span)
        case "list" | "tuple" | "sorted" | "set" if dataset is not None:
            run.consume("list", dataset, node, span, target=name.removeprefix("builtins."))
            return UNKNOWN
        case "list" | "tuple" | "set" | "sorted" | "sum" | "max" | "min" | "dict" if isinstance(first, Iterator):
            # Everything is pulled in one go: nothing waits for the next element.
            run.reclassify(first, "list")
            return UNKNOWN
        case "sorted" if isinstance(first, Element):
            # A tensor cannot be sorted so: these are the keys of a dict.
            return Sequence("list", (), UNKNOWN)
        case "list" | "tuple" | "sorted" if isinstance(first, External):
            # `sorted(glob.glob(…))` is still that list of files.
            return first
        case "list" | "tuple" | "set" as kind:
            if not values:
                return Sequence(kind, ())
            if isinstance(first, Mapping_):
                return Sequence(kind, tuple(Constant(key) for key in first.items), first.rest)
            return Sequence(kind, first.items, first.rest) if isinstance(first, Sequence) else UNKNOWN
        case "sum" | "max" | "min" | "any" | "all" if dataset is not None:
            run.consume("list", dataset, node, span, target=name.removeprefix("builtins."))
            return UNKNOWN
        case "len":
            if dataset is not None:
                run.consume("len", dataset, node, span, target="len")
            elif isinstance(first, Sequence) and first.rest is None:
                return Constant(len(first.items))
            return UNKNOWN
        case "dict":
            entries: dict[Any, Value] = dict(first.items) if isinstance(first, Mapping_) else {}
            entries.update({key: value for key, (_, value) in arguments.keywords.items()})
            closed = not arguments.is_open and (not values or isinstance(first, Mapping_))
            return Mapping_(entries, None if closed else UNKNOWN)
        case "zip" | "enumerate" | "reversed":
            if dataset is None and all(isinstance(v, Sequence) and v.rest is None for v in values) and values:
                return _zipped(name, values)
            # The loop is noted as the consumer of the first one.
            for other in [found for value in values if (found := run.dataset(value)) is not None][1:]:
                run.consume("argument", other, node, span, target=name.removeprefix("builtins."))
            return _external(name, arguments, node)
        case "range" if len(values) == 1 and isinstance(first, Constant) and isinstance(first.value, int):
            recording.record(run, name, arguments, node)
            if 0 <= first.value <= 4:
                return Sequence("list", tuple(Constant(i) for i in range(first.value)))
            return UNKNOWN
        case "super":
            function = run.frame.function
            owner = function.owner if function is not None else None
            receiver = run.frame.scope.find("self") or run.frame.scope.find("cls")
            return Super(receiver, owner) if owner is not None and receiver is not None else UNKNOWN
        case "isinstance" if len(values) == 2:
            return _is_instance(run, first, values[1])
        case "getattr" if len(values) >= 2 and isinstance(values[1], Constant):
            return objects.get_attribute(run, first, str(values[1].value))
        case "bool" | "int" | "float" | "str" as kind if isinstance(first, Constant):
            return _convert(kind, first)
    recording.record(run, name, arguments, node)
    if name not in ("builtins.print", "builtins.type", "builtins.id", "builtins.repr", "builtins.str"):
        calls.hand_over(run, arguments, node, name)
    if run.recordings and any(map(holds_element, values)) and name != "builtins.len":
        return ELEMENT
    return UNKNOWN


def _convert(kind: str, value: Constant) -> Value:
    try:
        return Constant({"bool": bool, "int": int, "float": float, "str": str}[kind](value.value))
    except (TypeError, ValueError, OverflowError):
        return UNKNOWN


def _zipped(name: str, values: list[Value]) -> Value:
    columns = [value.items for value in values if isinstance(value, Sequence)]
    if name.endswith("enumerate"):
        return Sequence("list", tuple(Sequence("tuple", (Constant(i), v)) for i, v in enumerate(columns[0])))
    if name.endswith("reversed"):
        return Sequence("list", tuple(reversed(columns[0])))
    return Sequence("list", tuple(Sequence("tuple", tuple(row)) for row in zip(*columns, strict=False)))


def _is_instance(run: Interpreter, value: Value, cls: Value) -> Value:
    if isinstance(value, (Stage, Join)) and isinstance(cls, Symbol):
        return Constant(True) if operations.normalise(cls.name) in datasets.DATASET_CLASSES else UNKNOWN
    if isinstance(value, Instance) and isinstance(cls, Class):
        todo = [value.cls]
        while todo:
            current = todo.pop()
            if current is cls:
                return Constant(True)
            todo.extend(base for base in current.bases if isinstance(base, Class))
    return UNKNOWN


def _next(run: Interpreter, value: Value, node: ast.Call, span: Span) -> Value:
    if isinstance(value, Iterator):
        consumer = run.consume("next", value.dataset, node, span, iterator=value, target="next")
        inner = node.args[0] if node.args else None
        if not consumer.context.loops and isinstance(inner, ast.Call):
            # next(iter(ds)) once: somebody looks at the first element.
            run.reclassify(value, "inspection")
        return ELEMENT
    return ELEMENT if isinstance(value, Element) else UNKNOWN


def call_method(run: Interpreter, method: Method, arguments: Arguments, node: ast.Call) -> Value:
    """A method of something that is not an object of the project."""
    receiver, name = method.receiver, method.name
    if isinstance(receiver, (Stage, Join)):
        return datasets.dataset_method(run, receiver, name, arguments, node)
    if isinstance(receiver, (Unknown, External, Instance)) and _is_evidence_call(run, node, name):
        origin = run.origin("unresolved", node.func.value if isinstance(node.func, ast.Attribute) else node)
        return datasets.dataset_method(run, origin, name, arguments, node)
    consumed = _consuming_method(run, receiver, name, arguments, node)
    if consumed is not None:
        return consumed
    match receiver:
        case Iterator():
            return _iterator_method(run, receiver, name, node)
        case Sequence():
            return _sequence_method(run, receiver, name, arguments, node)
        case Mapping_():
            return _mapping_method(run, receiver, name, arguments, node)
        case External(symbol=symbol):
            operation = _tfds_method(symbol, name)
            if operation is not None:
                return datasets.source_stage(run, operation, f"{symbol}().{name}", arguments, node)
            recording.record(run, f"{symbol}().{name}", arguments, node)
            calls.hand_over(run, arguments, node, name)
            if name == "add" and symbol.endswith(".Sequential") and arguments.positional:
                _add_layer(run, receiver, arguments.positional[0][1])
            if _takes_element(run, arguments):
                return ELEMENT
            return _external(f"{symbol}().{name}", arguments, node)
        case Element():
            recording.record(run, f"Element.{name}", arguments, node)
            # The keys of an element that is a dict are known while it is traced.
            if name in ("keys", "items"):
                return Sequence("list", (), UNKNOWN if name == "keys" else Sequence("tuple", (UNKNOWN, ELEMENT)))
            return UNKNOWN if name in STATIC_ATTRIBUTES else ELEMENT
        case Constant(value):
            recording.record(run, f"{type(value).__name__}.{name}", arguments, node)
            return ELEMENT if any(map(holds_element, arguments.values)) else UNKNOWN
    outside = isinstance(node.func, ast.Attribute) and objects.is_outside(run, node.func.value)
    recording.record(run, f"{'?' if outside else 'local'}.{name}", arguments, node)
    calls.hand_over(run, arguments, node, name)
    if name == "get" and arguments.get(1, "default") == Constant(None):
        return Alternatives((Branch((), Unknown()), Branch((), Constant(None))))
    if _takes_element(run, arguments):
        return ELEMENT
    return UNKNOWN


def _tfds_method(symbol: str, name: str) -> Operation | None:
    """`tfds.builder(…).as_dataset(…)`, also through the builder classes of tfds."""
    if name == "as_dataset" and symbol.startswith("tensorflow_datasets."):
        return operations.AS_DATASET
    return None


def _is_evidence_call(run: Interpreter, node: ast.Call, name: str) -> bool:
    return run.index.tensorflow and name in operations.METHODS and calls.is_evidence(node)


def _consuming_method(
    run: Interpreter, receiver: Value, name: str, arguments: Arguments, node: ast.Call
) -> Value | None:
    """`model.fit(ds)` and the like, whatever the model is; `strategy.experimental_distribute_dataset(ds)`."""
    span = calls.call_span(node, run.file)
    if name in _MODEL_KINDS and name in operations.MODEL_METHODS:
        given, is_open = datasets.bind_operation(operations.MODEL_METHODS[name], arguments)
        first = operations.MODEL_METHODS[name].parameters[0]
        found = False
        for parameter, kind in ((first, _MODEL_KINDS[name]), ("validation_data", "validation")):
            dataset = objects.iterated(run, given[parameter].value) if parameter in given else None
            if dataset is not None:
                found = True
                run.consume(
                    kind,
                    dataset, node, span, arguments=given, open_arguments=is_open, target=name,
                )  # fmt: skip
        if found:
            return UNKNOWN
    if name in operations.ESTIMATOR_METHODS and (function := arguments.get(0, "input_fn")) is not None:
        if _is_estimator(receiver) or _is_input_function(function):
            calls.input_function(run, function, node)
            return UNKNOWN
    if name in _DISTRIBUTE and arguments.positional:
        value = arguments.positional[0][1]
        if isinstance(value, (Function, Partial)):
            value = calls.call_value(run, value, Arguments((), {}, is_open=True), node)
        for dataset in run.datasets_in(value):
            run.consume("distribute", dataset, node, span, target=name)
        return UNKNOWN
    return None


def _is_estimator(value: Value) -> bool:
    return isinstance(value, External) and "stimator" in value.symbol


def _is_input_function(value: Value) -> bool:
    """A function that says by its name what an Estimator takes."""
    return isinstance(value, Function) and "input_fn" in value.name


def _add_layer(run: Interpreter, model: External, layer: Value) -> None:
    """`Sequential.add`: what the model does depends on it."""
    layers = model.arguments[0] if model.arguments else model.keywords.get("layers")
    if isinstance(layers, Sequence):
        run.extend(layers, [layer])
    elif layers is None:
        model.keywords["layers"] = Sequence("list", (layer,))


def _iterator_method(run: Interpreter, iterator: Iterator, name: str, node: ast.Call) -> Value:
    if name in ("get_next", "next", "__next__", "get_next_as_optional"):
        run.consume("next", iterator.dataset, node, calls.call_span(node, run.file), iterator=iterator, target=name)
        return ELEMENT
    return UNKNOWN


def _sequence_method(run: Interpreter, sequence: Sequence, name: str, arguments: Arguments, node: ast.Call) -> Value:
    values = [value for _, value in arguments.positional]
    outside = isinstance(node.func, ast.Attribute) and objects.is_outside(run, node.func.value)
    if run.recordings and outside:
        recording.record(run, f"{sequence.kind}.{name}", arguments, node)
        return UNKNOWN
    match name:
        case "append" | "add" if values:
            run.extend(sequence, values[:1])
        case "extend" | "update" if values and isinstance(values[0], Sequence):
            run.extend(sequence, values[0].items, values[0].rest)
        case "extend" | "update" if values:
            run.extend(sequence, (), objects.item_of(run, values[0]))
        case "insert" if len(values) > 1:
            sequence.items, sequence.rest = (), objects.item_of(run, Sequence("list", (*sequence.items, values[1])))
        case "pop":
            return objects.item_of(run, sequence)
        case "copy":
            return Sequence(sequence.kind, sequence.items, sequence.rest)
    return UNKNOWN


def _mapping_method(run: Interpreter, mapping: Mapping_, name: str, arguments: Arguments, node: ast.Call) -> Value:
    values = [value for _, value in arguments.positional]
    outside = isinstance(node.func, ast.Attribute) and objects.is_outside(run, node.func.value)
    if run.recordings and outside and name in ("update", "setdefault", "pop", "clear"):
        recording.record(run, f"dict.{name}", arguments, node)
        return UNKNOWN
    match name:
        case "items":
            pairs = tuple(Sequence("tuple", (Constant(key), value)) for key, value in mapping.items.items())
            rest = Sequence("tuple", (UNKNOWN, mapping.rest)) if mapping.rest is not None else None
            return Sequence("list", pairs, rest)
        case "values":
            return Sequence("list", tuple(mapping.items.values()), mapping.rest)
        case "keys":
            rest_key = UNKNOWN if mapping.rest is not None else None
            return Sequence("list", tuple(Constant(key) for key in mapping.items), rest_key)
        case "get" | "pop" | "setdefault" if values and isinstance(values[0], Constant):
            found = objects.get_item(run, mapping, values[0], False)
            if not isinstance(found, Unknown) or mapping.rest is not None:
                return found
            return values[1] if len(values) > 1 else Constant(None)
        case "copy":
            return Mapping_(dict(mapping.items), mapping.rest)
        case "update" if values and isinstance(values[0], Mapping_):
            for key, value in values[0].items.items():
                objects.put(run, mapping, Constant(key), value)
    return UNKNOWN
