"""Calls: what a call expression calls, and with what."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.interpreter import (
    containers,
    datasets,
    fields,
    functions,
    libraries,
    methods,
    objects,
    operators,
    outside,
)
from tfdata_lint.pipeline.interpreter.frames import Arguments
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.interpreter.signatures import in_any_case
from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.mapped.layers import all_applied, applied
from tfdata_lint.pipeline.nouns.options import Options, OptionsGroup
from tfdata_lint.pipeline.nouns.stages import Join
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    UNKNOWN,
    Alternatives,
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
    Symbol,
    Unknown,
    Value,
)
from tfdata_lint.pipeline.project.evidence import is_evidence
from tfdata_lint.pipeline.project.index import has_evidence

#: Decorators that change nothing about what a function is given and gives.
_KEEPING = frozenset(
    {"functools.wraps", "abc.abstractmethod", "typing.overload", "typing.override", "typing.no_type_check"}
)


def evaluate_call(run: Run, node: ast.Call) -> Value:
    """A call; a chain of method calls is walked, not recursed into, however long it is."""
    chain: list[ast.Call] = []
    while isinstance(func := node.func, ast.Attribute) and isinstance(func.value, ast.Call):
        chain.append(node)
        node = func.value
    if isinstance(func, ast.Attribute) and not (run.frame.dotted and _is_dotted_name(run, func)):
        value = run.evaluate(func.value)
        chain.append(node)
    else:
        value = call(run, run.evaluate(func), node)
    while chain:
        link = chain.pop()
        if link is not node:
            run.spend()
        func = link.func
        assert isinstance(func, ast.Attribute)
        if chain and isinstance(value, (Unknown, External)) and _is_step(link) and _is_known_by(run, chain):
            value = run.origin("unresolved", func.value)
        value = call(run, objects.get_attribute(run, value, func.attr, func), link)
    if run.recorder.on:
        run.recorder.reads(run.frame, node, value)
    return value


def _is_step(link: ast.Call) -> bool:
    """Is it named like a method that gives a dataset?"""
    method = operations.METHODS.get(link.func.attr) if isinstance(link.func, ast.Attribute) else None
    return method is not None and method.kind != "consumer"


def _is_known_by(run: Run, chain: list[ast.Call]) -> bool:
    """Does a call further on in a chain of such methods, the last of which comes first, say that it is of a dataset?"""
    if not run.index.tensorflow or not has_evidence(run.index, chain[0].lineno, chain[0].end_lineno or 0):
        return False
    for link in reversed(chain):
        if is_evidence(link, run.index):
            return True
        if not _is_step(link):
            return False
    return False


def _is_dotted_name(run: Run, node: ast.Attribute) -> bool:
    """An attribute assigned in this scope: `self.make = make; self.make()`."""
    return isinstance(node.value, ast.Name) and run.frame.scope.find(f"{node.value.id}.{node.attr}") is not None


def arguments_of(run: Run, node: ast.Call) -> Arguments:
    """Evaluate the arguments of a call."""
    positional: list[tuple[ast.expr, Value]] = []
    keywords: dict[str, tuple[ast.expr, Value]] = {}
    is_open = False
    for part in node.args:
        value = run.evaluate(part)
        if not isinstance(part, ast.Starred):
            positional.append((part, value))
            continue
        operators.apply(run, value)
        if isinstance(value, Sequence) and value.rest is None:
            positional.extend((part.value, item) for item in value.items)
        else:
            is_open = True
            run.recorder.misses(part.value, UNKNOWN)
            if isinstance(value, Element):
                positional.append((part.value, ELEMENT))
            elif isinstance(value, Sequence) and value.rest is not None:
                positional.append((part.value, value.rest))
    for keyword in node.keywords:
        value = run.evaluate(keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = (keyword.value, value)
            continue
        value = in_any_case(run, value)
        is_known = isinstance(value, Mapping_) and value.rest is None
        if isinstance(value, Mapping_) and (is_known or value.exact):
            keywords.update({str(key): (keyword.value, item) for key, item in value.held})
        is_open |= not is_known or not containers.is_exact(value)
        if not is_known:
            run.recorder.misses(keyword.value, UNKNOWN)
    return Arguments(tuple(positional), keywords, is_open)


def call(run: Run, callee: Value, node: ast.Call) -> Value:
    """Call a value with the arguments of a call expression."""
    if run.watch is not None and run.unit is run.main:
        run.watch(callee, node)
    if run.reveal is not None and isinstance(callee, Unknown) and getattr(node.func, "id", "").startswith("reveal_"):
        return run.reveal(run, node)
    return call_value(run, callee, arguments_of(run, node), node)


def call_value(run: Run, callee: Value, arguments: Arguments, node: ast.Call) -> Value:
    """Call a value with evaluated arguments."""
    if isinstance(callee, Symbol):
        return libraries.call_symbol(run, callee.name, arguments, node)
    if isinstance(callee, Method):
        return methods.call_method(run, callee, arguments, node)
    if isinstance(callee, Function):
        return functions.call_function(run, callee, arguments, node)
    if isinstance(callee, Unknown):
        return outside.call_external(run, "", arguments, node)
    match callee:
        case Partial(function=function, arguments=given, keywords=keywords):
            merged = Arguments(
                (*((node.func, value) for value in given), *arguments.positional),
                {**{name: (node.func, value) for name, value in keywords.items()}, **arguments.keywords},
                arguments.is_open,
            )
            return call_value(run, function, merged, node)
        case Class():
            return instantiate(run, callee, arguments, node)
        case Instance():
            method = functions.function_of(callee)
            if method is not None:
                return functions.call_function(run, method, arguments, node)
            return outside.call_external(run, f"{objects.library_base(callee.cls)}()", arguments, node)
        case External(symbol=symbol):
            if known(symbol).role == "compiles" and arguments.positional:
                return functions.compiled(arguments.positional[0][1], len(callee.arguments), callee.keywords)
            # In mapped functions it is what the elements are.
            if not run.recorder.on or any(map(run.datasets_in, arguments.values)):
                if isinstance(made := fields.made_class(run, callee), Class):
                    return instantiate(run, made, arguments, node)
            if (own := applied(callee)) is not None:
                return call_value(run, own, arguments, node)
            for inner in all_applied(callee):
                call_value(run, inner, Arguments(arguments.positional[:1], {}), node)
            return outside.call_external(run, f"{symbol}()", arguments, node, callee)
        case Alternatives(branches=branches):
            run.spend()
            callable_ones = tuple([branch for branch in branches if not isinstance(branch.value, Constant)])
            if 0 < len(callable_ones) < len(branches):
                # Nobody calls None: where this runs, it is another one.
                is_one = len(callable_ones) == 1
                left = callable_ones[0].value if is_one else Alternatives(callable_ones, callee.loop, callee.size)
                return call_value(run, left, arguments, node)
            if is_step := _is_one_of_many_steps(run, callee, arguments):
                # What has been done to it is not known.
                opaque = [(part, containers.several(run, [value, UNKNOWN])) for part, value in arguments.positional]
                arguments = Arguments(tuple(opaque), arguments.keywords, arguments.is_open)
            values = [call_value(run, branch.value, arguments, node) for branch in branches[: run.limits.branches]]
            if len(values) == len(branches):
                made = run.choose(callee, values)
                return containers.several(run, [made, UNKNOWN]) if is_step else made
            run.recorder.loses_track()
            return UNKNOWN
        case OptionsGroup(options, "merge"):
            return datasets.merged(run, options, arguments, node)
        case Options() | OptionsGroup():
            return UNKNOWN
    return outside.call_external(run, "", arguments, node)


def _is_one_of_many_steps(run: Run, callee: Alternatives, arguments: Arguments) -> bool:
    """Is it called again and again with what it gave, `for name in names: ds = STEPS[name](ds)`, each time another one
    that is not known? Which step comes after which is not known then."""
    is_known = any(
        branch.conditions or not isinstance(branch.value, (Function, Partial, Alternatives))
        for branch in callee.branches
    )
    given = [found for value in arguments.values if (found := run.dataset(value)) is not None]
    return not is_known and bool(given) and (run.passes > 1 or any(isinstance(one, Join) for one in given))


def decorate(run: Run, function: Value, decorator: ast.expr) -> Value:
    """A function or class behind a decorator. One that is not seen is taken to return that itself."""
    value = run.evaluate(decorator)
    if isinstance(function, Function):
        match value:
            case Symbol("builtins.staticmethod"):
                return function.marked("is_static")
            case Symbol("builtins.classmethod"):
                return function.marked("is_classmethod")
            case Symbol("builtins.property" | "functools.cached_property" | "abc.abstractproperty"):
                return function.marked("is_property")
            case Symbol(name) if known(name).role == "compiles":
                return functions.compiled(function)
            case External(symbol=name) if known(name).role == "compiles":
                return functions.compiled(function, len(value.arguments), value.keywords)
            case External(symbol=name) if known(name).effect == "py_function":
                return Partial(Symbol(name), (function,), {})
            case Symbol(name) | External(symbol=name) if plain(name) in _KEEPING or known(name).role == "copies":
                return function
    if isinstance(decorator, ast.Attribute) and decorator.attr in ("setter", "deleter"):
        # The property itself, whose getter is what a read calls.
        return run.evaluate(decorator.value)
    if isinstance(value, (Function, Partial, Class, Instance)) and isinstance(function, (Function, Class)):
        synthetic = ast.Call(func=decorator, args=[], keywords=[])
        ast.copy_location(synthetic, decorator)
        result = call_value(run, value, Arguments(((decorator, function),)), synthetic)
        if isinstance(function, Class):
            return result if isinstance(result, Class) else function
        is_object = isinstance(result, Instance)
        if isinstance(result, (Function, Partial, Class)) or (is_object and functions.function_of(result) is not None):
            return result
    if not isinstance(function, Function):
        return function
    maker = run.evaluate(decorator.func) if isinstance(decorator, ast.Call) and value is UNKNOWN else None
    if isinstance(maker, Function) or (isinstance(value, Function) and "py_func" in ast.unparse(value.node)):
        # The project's own, of which too much was asked: it may hand the function to `numpy_function`.
        return UNKNOWN
    run.disguised.add(id(function.node))
    return function.marked("is_wrapped")


def instantiate(run: Run, cls: Class, arguments: Arguments, node: ast.Call) -> Value:
    """`Class(…)`: a new object, after its `__init__`."""
    if objects.is_dataset_class(cls):
        origin = run.origin("unresolved", node)
        origin.cls = cls
        return origin
    run.graph.called.add(cls.name)
    instance = Instance(cls)
    run.recorder.made(instance)
    for value in arguments.values:
        containers.escape(value)
    initialise = cls.attribute("__init__")
    if cls.attribute("__new__") is not None or operators.has_metaclass(cls):
        run.recorder.loses_track()
    if isinstance(initialise, Function):
        functions.call_function(run, initialise.bound(instance), arguments, node)
    else:
        fields.fill(run, instance, arguments)
        after = cls.attribute("__post_init__")
        if isinstance(after, Function):
            functions.call_function(run, after.bound(instance), Arguments(), node)
    return instance
