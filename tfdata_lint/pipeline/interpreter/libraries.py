"""What is not of the project: functions of libraries and builtins."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from tfdata_lint.pipeline.interpreter import containers, datasets, functions, mapping, objects, operators, outside
from tfdata_lint.pipeline.interpreter.fields import copied, from_json, namespace
from tfdata_lint.pipeline.interpreter.folding import converted, is_of, zipped
from tfdata_lint.pipeline.interpreter.frames import Arguments
from tfdata_lint.pipeline.interpreter.methods import (
    CONSUMING,
    call_expr,
    call_external,
    call_method,
    chosen,
    consuming_method,
    made_of_each,
    reduced,
    takes_element,
)
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.interpreter.signatures import joined
from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.knowledge.operations import Operation
from tfdata_lint.pipeline.knowledge.rows import Known
from tfdata_lint.pipeline.mapped.record import callables_in, called_by, holds_element
from tfdata_lint.pipeline.nouns.loops import names_columns
from tfdata_lint.pipeline.nouns.options import Options, OptionsGroup
from tfdata_lint.pipeline.nouns.stages import Iterator, Stage
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    UNKNOWN,
    Class,
    Computed,
    Constant,
    Element,
    External,
    Instance,
    Mapping_,
    Method,
    Partial,
    Sequence,
    Super,
    Symbol,
    Unknown,
    Value,
    parts_of,
)
from tfdata_lint.pipeline.project.index import span_of

_INDIFFERENT = frozenset({"builtins.type", "builtins.id", "builtins.repr", "builtins.str"})
#: Builtins that ask nothing of what they are given, but for what it is.
_BLIND = frozenset(
    f"builtins.{name}" for name in ["callable", "getattr", "hasattr", "id", "isinstance", "issubclass", "super", "type"]
)

#: Builtins that make Python values of what they are given, while a function is traced.
_ASKING = frozenset(
    {"callable", "dir", "float", "hasattr", "int", "isinstance", "issubclass", "len", "range", "str", "type"}
)

#: Builtins of whose results it is kept what they are made of.
_MAKING = frozenset({"float", "int", "len", "max", "min", "round", "slice", "str"})


class _Callee(NamedTuple):
    """What is known of a function of a library by its name alone."""

    operation: Operation | None
    """Of tf.data."""
    meaning: _Handler | None
    """Of those whose result is more than an object."""
    method: str
    """The last part of its name, where that is a method which may consume a dataset."""
    applies: bool
    """It makes what `Dataset.apply` takes."""


@lru_cache(maxsize=8192)
def _callee(name: str) -> _Callee:
    row = known(name)
    cls, _, method = plain(name).rpartition(".")
    meaning = _unbound_method if operations.is_dataset_class(cls) else _MEANINGS.get(row.role)
    applies = operations.applicable(name) is not None
    return _Callee(operations.lookup(name), meaning, method if method in CONSUMING else "", applies)


class _Call(NamedTuple):
    """A call of a function of a library, or of a builtin."""

    name: str
    arguments: Arguments
    node: ast.Call

    @property
    def values(self) -> list[Value]:
        """Its positional arguments."""
        return [value for _, value in self.arguments.positional]

    @property
    def first(self) -> Value:
        return self.arguments.positional[0][1] if self.arguments.positional else UNKNOWN

    @property
    def short(self) -> str:
        return last(self.name)


_Handler: TypeAlias = Callable[[Run, _Call], Value | None]
"""It answers None where it knows no more of the arguments than of any call."""


def call_symbol(run: Run, name: str, arguments: Arguments, node: ast.Call) -> Value:
    """A call of a library's function or class by its full name."""
    if name.startswith("builtins."):
        return call_builtin(run, name, arguments, node)
    callee = _callee(name)
    recorder = run.recorder
    if callee.operation is not None:
        outside.record(run, name, arguments, node)
        if callee.operation.kind == "consumer":
            return datasets.consumer_symbol(run, callee.operation, arguments, node)
        return datasets.source_stage(run, callee.operation, name, arguments, node)
    if callee.meaning is not None:
        value = callee.meaning(run, _Call(name, arguments, node))
        if value is not None:
            return value
    if recorder.on:
        outside.record(run, name, arguments, node)
    if callee.method:
        consumed = consuming_method(run, UNKNOWN, callee.method, arguments, node)
        if consumed is not None:
            return consumed
    if not callee.applies:
        outside.hand_over(run, arguments, node, name)
    if not recorder.on:
        return call_external(name, arguments, node)
    given = _call_given_functions(run, name, arguments, node)
    if len(given) > 1 and known(name).role == "chooses":
        return chosen(run, given, [value for _, value in (*arguments.positional, *arguments.keywords.values())][:1])
    if takes_element(run, arguments):
        return run.element(call_expr(node, name, arguments))
    return call_external(name, arguments, node)


def _seed(run: Run, call: _Call) -> None:
    run.graph.seeds.append(span_of(call.node, run.file))


def _partial(run: Run, call: _Call) -> Value | None:
    if not call.values:
        return None
    named = {key: value for key, (_, value) in call.arguments.keywords.items()}
    return Partial(call.values[0], tuple(call.values[1:]), named, call.arguments.is_open)


def _module(run: Run, call: _Call) -> Value | None:
    """`importlib.import_module("package.module")`."""
    match call.values:
        case [Constant(str(name))] if not name.startswith("."):
            return Symbol(name) if name else None
        case [Constant(str(name)), Constant(str(package))] if name.startswith("."):
            # Of more dots each goes up by one.
            inner = name.lstrip(".")
            above = package.split(".")[: len(package.split(".")) - (len(name) - len(inner) - 1)]
            return Symbol(".".join((*above, inner)))
    return None


def _view(run: Run, call: _Call) -> Value | None:
    """`six.iteritems(x)`."""
    method = Method(call.first, known(call.name).role)
    return call_method(run, method, Arguments(), call.node) if call.values else None


def _unbound_method(run: Run, call: _Call) -> Value | None:
    """`tf.data.Dataset.map(ds, f)`."""
    dataset = run.dataset(call.first)
    if dataset is None:
        return None
    given = call.arguments
    rest = Arguments(given.positional[1:], given.keywords, given.is_open)
    return call_method(run, Method(dataset, last(call.name)), rest, call.node)


_MEANINGS: Mapping[str, _Handler] = {
    "options": lambda run, call: datasets.new_options(run, call.node),
    "walks": lambda run, call: call_external(call.name, call.arguments, call.node),  # `tqdm(ds)`
    "seeds": _seed,
    "compiles": lambda run, call: (
        functions.compiled(call.first, len(call.values), call.arguments.keywords) if call.values else None
    ),
    "partial": _partial,
    "mapping": lambda run, call: _dict(run, call),
    "module": _module,
    "part": lambda run, call: datasets.part(run, call.first, call_external(call.name, call.arguments, call.node)),
    "copies": lambda run, call: copied(run, call.arguments),
    "reads": lambda run, call: from_json(run, call.arguments, call.node),
    "holds": lambda run, call: namespace(run, call.arguments, call.node),
    "reduces": lambda run, call: reduced(run, call.values, call.node),
    **dict.fromkeys(("items", "keys", "values"), _view),
}


def _call_given_functions(run: Run, name: str, arguments: Arguments, node: ast.Call) -> list[Value]:
    """Functions handed to tf.cond, tf.map_fn, … run as part of the mapped function. What they give.

    Whatever else is handed one may call it, too.
    """
    row = known(name)
    results: list[Value] = []
    if row.effect == "py_function":
        return results
    given = call_external(name, arguments, node)
    called = called_by(name, given.arguments, given.keywords) if row.calls else chain(*map(callables_in, given.given))
    for function in called:
        if isinstance(function, Unknown) and row.calls:
            run.recorder.loses_track()
        elif functions.function_of(function) is not None:
            results.append(run.call(function, _without_elements(function, row), node))
    return results


def _without_elements(function: Value, row: Known) -> Arguments:
    """What a library gives a function: elements, or nothing."""
    return Arguments() if row.role == "chooses" else mapping.elements_for(function)


def call_builtin(run: Run, name: str, arguments: Arguments, node: ast.Call) -> Value:
    """A builtin: the few that touch datasets or containers are understood."""
    call = _Call(name, arguments, node)
    short, recorder = call.short, run.recorder
    handler = _BUILTINS.get(short)
    if recorder.on:
        if name not in _BLIND:
            operators.apply(run, *arguments.values)
        _call_given_functions(run, name, arguments, node)
    result = handler(run, call) if handler is not None else None
    if result is not None:
        return result
    outside.record(run, name, arguments, node)
    if name not in _INDIFFERENT:
        outside.hand_over(run, arguments, node, name)
    if recorder.on and any(map(holds_element, call.values)):
        return run.element(call_expr(node, name, arguments))
    if short in _MAKING:
        return Computed(call_expr(node, name, arguments))
    for _, value in arguments.positional:
        if isinstance(value, Computed) or (recorder.on and isinstance(value, External)):
            return Computed(call_expr(node, name, arguments))
    return UNKNOWN


def _iter(run: Run, call: _Call) -> Value | None:
    first = operators.opened(run, call.first, call.node)
    source = containers.pulled(run, first)
    if source is first:
        span = span_of(call.node, run.file)
        return source if not source.restarts else run.iterator(source.dataset, call.node, span, source.form)
    dataset = run.dataset(first) if source is None else source.dataset
    left = None if source is None or source.restarts else source
    return None if dataset is None else datasets.made_iterator(run, dataset, call.node, left)


def _next(run: Run, call: _Call) -> Value:
    value = containers.pulled(run, call.first)
    if value is None:
        if isinstance(call.first, Stage):
            run.misuse("item", "next", call.first, call.node)
        if run.recorder.on and call.node.args and containers.is_outside(run, call.node.args[0]):
            outside.record(run, call.name, call.arguments, call.node)
        return ELEMENT if isinstance(call.first, Element) else UNKNOWN
    span = span_of(call.node, run.file)
    consumer = run.consume("next", value.dataset, call.node, span, iterator=value, target="next")
    inner = call.node.args[0] if call.node.args else None
    if not consumer.context.loops and isinstance(inner, ast.Call):
        # next(iter(ds)) once: somebody looks at the first element.
        run.reclassify(value, "inspection")
    return ELEMENT


def _drained(run: Run, call: _Call) -> Value | None:
    """Everything is pulled in one go: nothing waits for the next element."""
    iterator = containers.walked(run, call.first)
    if iterator is not None and call.short not in ("any", "all"):
        run.walk(iterator, call.node, span_of(call.node, run.file))
    if (pulled := containers.pulled(run, call.first)) is not None:
        run.reclassify(pulled, "list")
    elif (dataset := containers.iterated(run, call.first)) is not None:
        run.consume("list", dataset, call.node, span_of(call.node, run.file), target=call.short)
    else:
        return None
    return UNKNOWN


def _collected(run: Run, call: _Call) -> Value | None:
    """`list(x)`, `tuple(x)`, `set(x)`."""
    drained = _drained(run, call)
    if drained is not None:
        return drained
    match call.first:
        case External() as made if call.short != "set":
            # `list(glob.glob(…))` is still that list of files.
            return made
        case Mapping_(rest=rest, exact=exact) as mapping:
            rest = None if rest is None else UNKNOWN
            return Sequence(call.short, tuple(Constant(key) for key, _ in mapping.held), rest, exact=exact)
        case Sequence(items=items, rest=rest, exact=exact):
            return Sequence(call.short, items, rest, run.here, exact)
        case Element() | Computed():
            return Computed(call_expr(call.node, call.name, call.arguments))
    return UNKNOWN if call.values else Sequence(call.short, ())


def _sorted(run: Run, call: _Call) -> Value | None:
    drained = _drained(run, call)
    if drained is not None:
        return drained
    if isinstance(call.first, Element):
        # A tensor cannot be sorted so: these are the keys of a dict.
        return Sequence("list", (), UNKNOWN)
    if isinstance(call.first, Sequence):
        return Sequence("list", (), joined(run, parts_of(call.first)), run.here)
    return call.first if isinstance(call.first, External) else None


def _extreme(run: Run, call: _Call) -> Value | None:
    """`max(1, workers)`."""
    numbers = [value.value for value in call.values if isinstance(value, Constant) and type(value.value) is int]
    if len(numbers) < 2 or len(numbers) < len(call.values):
        return _drained(run, call)
    return Constant(max(numbers) if call.short == "max" else min(numbers))


def _length(run: Run, call: _Call) -> Value:
    dataset = run.dataset(call.first)
    if dataset is not None:
        run.consume("len", dataset, call.node, span_of(call.node, run.file), target="len")
        return Computed(call_expr(call.node, call.name, call.arguments))
    if isinstance(call.first, (Sequence, Mapping_)) and call.first.rest is None and call.first.exact:
        return Constant(len(call.first.items if isinstance(call.first, Sequence) else call.first.held))
    if isinstance(call.first, (Element, Computed, External)):
        return Computed(call_expr(call.node, call.name, call.arguments))
    return UNKNOWN


def _dict(run: Run, call: _Call) -> Value:
    """`dict(…)`, `OrderedDict(…)`, also of pairs whose keys are known."""
    if isinstance(call.first, Iterator):
        run.reclassify(call.first, "list")
        return UNKNOWN
    result = Mapping_({}, since=run.here)
    held = containers.paired(call.first)
    if held is not None:
        result.items.update(held)
    elif call.values:
        containers.spread(run, result, call.first)
    result.items.update({key: value for key, (_, value) in call.arguments.keywords.items()})
    closed = not call.arguments.is_open and (not call.values or held is not None or isinstance(call.first, Mapping_))
    result.rest = None if closed else UNKNOWN
    result.exact &= not call.arguments.is_open
    return result


def _walked(run: Run, call: _Call) -> Value:
    """`zip`, `enumerate`, `reversed`."""
    # What it walks itself goes on where it is.
    is_new = not any(containers.walked(run, value) for value in call.values)
    start = call.arguments.get(1, "start") if call.short == "enumerate" else None
    columns = call.values[:1] if start is not None else call.values
    if columns and all(isinstance(value, Sequence) and value.rest is None for value in columns):
        return zipped(call.short, columns, start, call.arguments.is_open)
    if call.short == "zip" and (named := datasets.columns(run, call.values)):
        return zipped("zip", named)
    # The loop is noted as the consumer of the first one.
    for other in [found for value in call.values if (found := run.dataset(value)) is not None][1:]:
        run.consume("argument", other, call.node, span_of(call.node, run.file), target=call.short)
    result = call_external(call.name, call.arguments, call.node)
    if is_new and (dataset := containers.iterated(run, result)) is not None:
        run.gives_once(result, dataset, call.node)
    return result


def _mapped(run: Run, call: _Call) -> Value | None:
    """`map(f, ds)`, `filter(f, ds)`; `map(read, files)` where datasets are made so."""
    for value in call.values[1:]:
        iterator, dataset = containers.pulled(run, value), containers.iterated(run, value)
        if iterator is None and dataset is None:
            continue
        outside.record(run, call.name, call.arguments, call.node)
        others = tuple(pair for pair in call.arguments.positional if pair[1] is not value)
        outside.hand_over(run, Arguments(others, call.arguments.keywords, call.arguments.is_open), call.node, call.name)
        result = call_external(call.name, call.arguments, call.node)
        if iterator is not None and not iterator.restarts:
            run.once[id(result)] = result, iterator
        elif iterator is not None:
            run.gives_once(result, iterator.dataset, call.node, iterator.form)
        elif dataset is not None:
            run.gives_once(result, dataset, call.node)
        return result
    return made_of_each(run, call.values, call.node) if call.short == "map" else None


def _range(run: Run, call: _Call) -> Value | None:
    bounds = [value.value for value in call.values if isinstance(value, Constant) and type(value.value) is int]
    if not bounds or len(bounds) < len(call.values) or bounds[2:] == [0]:
        return None
    outside.record(run, call.name, call.arguments, call.node)
    run.graph.ranges[id(call.node)] = len(numbers := range(*bounds))
    # A number that is written is one of passes, as a rule, or of columns; one that is computed is one of items.
    few = run.limits.unrolled if any(isinstance(node, ast.Call) for node, _ in call.arguments.positional) else 4
    are_columns = run.recorder.on or any(names_columns(loop.node) for loop in run.frame.loops[-1:])
    is_short = len(numbers) <= (run.limits.columns if are_columns else few)
    if is_short:
        return Sequence("list", tuple(map(Constant, numbers)))
    return Computed(call_expr(call.node, call.name, call.arguments))


def _super(run: Run, call: _Call) -> Value:
    owner = run.frame.function.owner if run.frame.function is not None else None
    receiver = run.frame.scope.find("self") or run.frame.scope.find("cls")
    return Super(receiver, owner) if owner is not None and receiver is not None else UNKNOWN


def _getattr(run: Run, call: _Call) -> Value | None:
    match call.values:
        case [value, Constant(name), *_]:
            found = objects.get_attribute(run, value, str(name))
            run.recorder.reads(run.frame, call.node, found)
            return found
    return None


def _setattr(run: Run, call: _Call) -> Value | None:
    match call.values:
        case [(Options() | OptionsGroup()) as options, Constant(str(name)), value]:
            objects.set_option(run, options, name, value, span_of(call.node, run.file))
            return Constant(None)
        case [Options() as options, *_]:
            options.settings["deterministic"] = UNKNOWN
        case [(Instance() | Class()) as owner, key, value] if not run.recorder.on:
            objects.set_attribute(run, owner, key, value, call.node)
            return Constant(None)
    return None


def _held(run: Run, call: _Call) -> Value | None:
    """`vars(x)`, `globals()`."""
    if call.short == "globals":
        return objects.held(run, run.frame.scope.module.names)
    return objects.held(run, call.first.attributes) if isinstance(call.first, (Instance, Class)) else None


def _is_instance(run: Run, call: _Call) -> Value | None:
    if len(call.values) != 2:
        return None
    if (outcome := is_of(*call.values)) is not None:
        return Constant(outcome)
    outside.record(run, call.name, call.arguments, call.node)
    return UNKNOWN


def _type(run: Run, call: _Call) -> Value | None:
    """Of a tuple or a list; a name that is compared with others."""
    if len(call.values) == 1 and isinstance(value := call.values[0], Sequence):
        return Symbol(f"builtins.{value.kind}")
    return None


_BUILTINS: Mapping[str, _Handler] = {
    "iter": _iter,
    "next": _next,
    **dict.fromkeys(("list", "tuple", "set"), _collected),
    "sorted": _sorted,
    **dict.fromkeys(("sum", "any", "all"), _drained),
    **dict.fromkeys(("max", "min"), _extreme),
    "len": _length,
    "dict": _dict,
    **dict.fromkeys(("zip", "enumerate", "reversed"), _walked),
    **dict.fromkeys(("map", "filter"), _mapped),
    "range": _range,
    "super": _super,
    "isinstance": _is_instance,
    "type": _type,
    "getattr": _getattr,
    "setattr": _setattr,
    **dict.fromkeys(("vars", "globals"), _held),
    **dict.fromkeys(("bool", "int", "float", "str"), lambda run, call: converted(call.short, call.first)),
}
