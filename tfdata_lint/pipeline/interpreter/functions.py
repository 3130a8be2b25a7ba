"""Entering the functions of the project: parameters, bodies, results."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from tfdata_lint.pipeline.interpreter import declared, outside
from tfdata_lint.pipeline.interpreter.frames import Arguments, Frame, Scope
from tfdata_lint.pipeline.interpreter.inspection import is_test
from tfdata_lint.pipeline.interpreter.run import Result, Run
from tfdata_lint.pipeline.interpreter.signatures import signature_of, told_of
from tfdata_lint.pipeline.mapped.record import NOBODY
from tfdata_lint.pipeline.nouns import structure
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.conditions import Condition
from tfdata_lint.pipeline.nouns.fold import either
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Iterator, tips
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    UNKNOWN,
    Alternatives,
    Branch,
    Class,
    Computed,
    Constant,
    Element,
    External,
    Function,
    Instance,
    Mapping_,
    Parameter,
    Partial,
    Sequence,
    Symbol,
    Unknown,
    Value,
    parts_of,
    same,
)
from tfdata_lint.pipeline.project.index import makes_model

T = TypeVar("T")

#: Annotations that are no dataset, as most are.
_PLAIN = frozenset(
    {"Any", "Array", "None", "Tensor", "bool", "bytes", "dict", "float", "int", "list", "ndarray", "str", "tuple"}
)
#: Arguments of `tf.function` that change nothing about what the function takes and computes.
_INDIFFERENT = frozenset({"func", "autograph", "reduce_retracing", "experimental_relax_shapes"})


def compiled(function: Value, positional: int = 1, keywords: Collection[str] = ()) -> Value:
    """`tf.function(f)`, given what else it is called with: an input signature fixes the shapes, say."""
    if not isinstance(function, Function):
        return function
    made = function.marked("in_tf_function")
    made.is_wrapped |= positional > 1 or not _INDIFFERENT.issuperset(keywords)
    return made


def call_function(run: Run, function: Function, arguments: Arguments, node: ast.AST) -> Value:
    """Enter a function of the project and give back what it returns."""
    is_entered = _is_of_interest(run, function, arguments) and not _lacks_arguments(run, function, arguments)
    if not is_entered and isinstance(node, ast.Call):
        return outside.call_external(run, function.name, arguments, node)
    run.enter(function)
    if function.node in run.active or len(run.active) >= run.limits.depth:
        run.recorder.loses_track()
        for dataset in (d for value in arguments.values for d in run.datasets_in(value)):
            run.consume("argument", dataset, node, next(tips(dataset)).span)
        return UNKNOWN
    names = bind(run, function, arguments)
    if run.recorder.on:
        return _entered(run, function, names, node)
    shape = _shape_of(run, function, names)
    known = run.pure.get(shape)
    if known is not None:
        run.enter_all(known.entered)
        return known.result
    key = run.frame.root, shape
    given = tuple(names.values())
    known = run.results.get(key) if not run.frame.loops else None
    if known is not None and given == known.given:
        # Each call makes a container of its own.
        return known.result.copy(run.here) if isinstance(known.result, (Sequence, Mapping_)) else known.result
    trace, entered = run.trace(), len(run.trail)
    value = _entered(run, function, names, node)
    result = Result(given, value, frozenset(run.trail[entered:]))
    # What has an identity, or stands under conditions, is correlated with what its caller tests.
    if run.trace() == trace and (isinstance(value, (Constant, Symbol, Element)) or value is UNKNOWN):
        run.pure[shape] = result
    elif not run.frame.loops and Iterator not in map(type, (value, *parts_of(value))):  # Each call makes its own.
        run.results[key] = result
    return value


def _lacks_arguments(run: Run, function: Function, arguments: Arguments) -> bool:
    """Is a plain function called with too few arguments, which raises?"""
    is_plain = function.owner is None and function.receiver is None
    if not is_plain or arguments.is_open or getattr(function.node, "decorator_list", True):
        return False
    signature = signature_of(run, function)
    left = [parameter.arg for parameter in signature.positional[len(arguments.positional) :]]
    return any(name not in signature.defaults and name not in arguments.keywords for name in left)


def _entered(run: Run, function: Function, names: dict[str, Value], node: ast.AST) -> Value:
    if function.is_wrapped:
        # What is around it may give it other tensors, and make other ones of what it gives.
        names = {name: ELEMENT if isinstance(value, Element) else value for name, value in names.items()}
    result, _ = execute(run, function, names, standalone=False)
    if function.is_wrapped and isinstance(result, Element):
        result = ELEMENT
    if result == Constant(None) and is_abstract(function.node):
        result = UNKNOWN
    if isinstance(result, (Unknown, External, Constant)) and not isinstance(function.node, ast.Lambda):
        if isinstance(node, ast.expr) and _is_dataset(run, function, function.node.returns):
            return run.origin("unresolved", node)
    if function.is_wrapped:
        # What is around it may make other elements of what it gives.
        for tip in (tip for dataset in run.datasets_in(result) for tip in tips(dataset)):
            tip.structure = structure.UNKNOWN
    return result


def _is_of_interest(run: Run, function: Function, arguments: Arguments) -> bool:
    """Could entering it tell anything about a pipeline? Most functions of other modules have no part in one."""
    unit = function.scope.module.unit
    if unit is None or unit is run.main or isinstance(function.node, ast.Lambda):
        return True
    receiver = function.receiver
    if run.fuel_abroad <= 0:
        if any(map(run.datasets_in, arguments.values)):
            run.graph.end(run.row, "steps elsewhere")
        return False
    if run.filling or run.recorder.on or (isinstance(receiver, Instance) and receiver.cls.scope.module is run.module):
        return True
    if function.name in unit.index.relevant or any(map(run.datasets_in, arguments.values)):
        return True
    # What gets datasets may be asked what it is made of.
    if _reads_table(function.node) or ("fit(" in run.main.source.text and makes_model(unit.source, function.node)):
        return True
    # The constructor of a class that works on data says what it holds.
    return function.name.endswith(".__init__") and isinstance(receiver, Instance) and _works_on_data(receiver.cls)


def _reads_table(node: ast.AST) -> bool:
    """`def get(name): return TABLE[name]`"""
    body = getattr(node, "body", None)
    last = body[-1] if isinstance(body, list) else None
    value = last.value if isinstance(last, ast.Return) else None
    while isinstance(value, ast.Call):
        match value.func:
            case ast.Attribute(attr="get", value=ast.Name(id=table)):
                return table.isupper()
        value = value.func
    return isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and value.value.id.isupper()


def _works_on_data(cls: Class) -> bool:
    """Is a class, or one that it extends, at work on datasets, or called like a mapped function?"""
    return any(map(_is_at_work, cls.lineage))


def _is_at_work(cls: Class) -> bool:
    unit = cls.scope.module.unit
    if unit is None or "__call__" in cls.attributes:
        return True
    return any(name.startswith(f"{cls.name}.") for name in unit.index.relevant)


def is_abstract(node: ast.AST) -> bool:
    """A method that says nothing itself: its subclasses do."""
    if isinstance(node, ast.Lambda):
        return False
    decorators = [ast.unparse(decorator) for decorator in getattr(node, "decorator_list", [])]
    return any("abstract" in decorator for decorator in decorators) or all(
        isinstance(part, (ast.Pass, ast.Raise)) or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
        for part in getattr(node, "body", [])
    )


def _shape_of(run: Run, function: Function, names: dict[str, Value]) -> tuple[Any, ...]:
    """Equal for calls that give the same, unless they leave traces or see more than what their arguments look like."""
    shapes = [_shape(run, value) for value in names.values()]
    # What an object holds may have changed.
    written = run.writes if Instance in map(type, shapes) else 0
    # By name: what is given by keyword comes before the defaults.
    return function.node, function.scope, function.receiver, written, *names, *shapes


def _shape(run: Run, value: Value) -> Any:
    """What a function can see of a value that nothing was asked of before: a number where that holds other values."""
    if isinstance(value, Constant):
        return type(value.value), value.value
    if isinstance(value, (Unknown, External)):
        if id(value) in run.identities:
            return value
        return Unknown if isinstance(value, Unknown) else _number(value, run)
    return _number(value, run) if isinstance(value, (Sequence, Mapping_)) and len(value.items) < 8 else value


@recursive
def _number(value: External | Sequence | Mapping_, run: Run) -> int:
    shape: list[Any]
    if isinstance(value, External):
        shape = [
            value.symbol,
            *value.keywords,
            *[_shape(run, item) for item in (*value.arguments, *value.keywords.values())],
        ]
    else:
        items = value.items if isinstance(value, Sequence) else value.items.values()
        kind = value.kind if isinstance(value, Sequence) else ("dict", *value.items)
        shape = [kind, *[_shape(run, item) for item in items], None if value.rest is None else _shape(run, value.rest)]
    return run.shapes.setdefault(tuple(shape), len(run.shapes))


def call_alone(run: Run, function: Function, receiver: Value | None) -> None:
    """Interpret a function with unknown parameters."""
    if function.node in run.active:
        return
    if receiver is not None and not function.is_static:
        function = function.bound(receiver)
    key = id(function.node), id(receiver)
    if key in run.alone:
        return
    run.alone[key] = receiver  # The object is kept too: the key holds its identity.
    outer, recorder, nested_in = run.frame, run.recorder, run.nested_in
    root = id(function.node)
    run.roots.add(root)
    run.frame, run.recorder, run.nested_in = Frame(run.module, in_test=outer.in_test, root=root), NOBODY, None
    try:
        names = bind(run, function, Arguments(), alone=True)
        _, frame = execute(run, function, names, standalone=True)
    finally:
        run.frame, run.recorder, run.nested_in = outer, recorder, nested_in
    for inner in frame.defined:
        if id(inner.node) not in run.touched and inner.node not in run.active:
            call_alone(run, inner, None)


def generic(run: Run, cls: Class, place: object = None) -> Instance:
    """The object that stands for `self` when a method is read on its own, or for a parameter of its class."""
    instance = run.generics.get((cls, place))
    if instance is None:
        instance = run.generics[cls, place] = Instance(cls)
        initialise = cls.attribute("__init__")
        if isinstance(initialise, Function) and initialise.node not in run.active:
            instance.filling = True
            call_alone(run, initialise, instance)
            instance.filling = False
            declared.open_filled(cls, instance)
        elif place is not None and declared.is_dataclass(cls):
            instance.attributes.update(declared.presumed(cls))
    return instance


def bind(run: Run, function: Function, arguments: Arguments, alone: bool = False) -> dict[str, Value]:
    """Parameters to values. What is not given has its default, or is unknown when the call is open or missing."""
    spec, signature = function.node.args, signature_of(run, function)
    names: dict[str, Value] = {}
    values = [value for _, value in arguments.positional]
    if function.receiver is not None and not function.is_static:
        values.insert(0, function.receiver)
    elif alone and function.owner is not None and not function.is_static and signature.positional:
        values.insert(0, Unknown())
    for parameter, value in zip(signature.positional, values, strict=False):
        names[parameter.arg] = value
    is_open = arguments.is_open or alone
    if spec.vararg is not None:
        rest = tuple(values[len(signature.positional) :])
        names[spec.vararg.arg] = Sequence("tuple", rest, UNKNOWN if is_open else None)
    extra: dict[Any, Value] = {}
    for name, (_, value) in arguments.keywords.items():
        (names if name in signature.names else extra)[name] = value
    if spec.kwarg is not None:
        names[spec.kwarg.arg] = Mapping_(extra, UNKNOWN if is_open else None, since=run.here)
    told = told_of(run, function) if alone else {}
    for parameter in signature.named:
        given = names.get(parameter.arg)
        if given is not None and not isinstance(given, (Unknown, External)):
            continue
        default = signature.defaults.get(parameter.arg)
        if given is None and default is not None and not is_open and not signature.is_configured:
            run.recorder.misses(default, given := _default(run, function, default))
        elif given is None and parameter.arg in told:
            given = told[parameter.arg]
        elif given is None and default is not None and (alone or signature.is_configured):
            given = _not_given(run, function, default)
        if given is None or isinstance(given, (Unknown, External)):
            if parameter.arg in signature.evidence or _is_dataset(run, function, parameter.annotation):
                given = _parameter(run, function, parameter, default)
            elif given is None and (cls := _class_of(run, function, parameter.annotation)) is not None:
                given = generic(run, cls, parameter)
            elif not isinstance(given, External):
                given = given.anew() if given is not None else Unknown()
        names[parameter.arg] = given
    return names


def _not_given(run: Run, function: Function, default: ast.expr) -> Value | None:
    value = _default(run, function, default) if isinstance(default, (ast.Constant, ast.Name)) else UNKNOWN
    return Parameter(value) if isinstance(value, Constant) else None


def _parameter(run: Run, function: Function, parameter: ast.arg, default: ast.expr | None) -> Value:
    """A parameter that is a dataset, or None where that is its default."""
    outer = run.frame
    run.frame = Frame(outer.scope, function.name, in_test=outer.in_test, root=outer.root)
    stage = run.origin("parameter", parameter)
    run.frame = outer
    if not isinstance(default, ast.Constant) or default.value is not None:
        return stage
    missing = Condition(f"{parameter.arg} is None", True, f"{parameter.arg} is None@{run.identity(stage)}")
    return Alternatives((Branch((missing.negated,), stage), Branch((missing,), Constant(None))))


def _is_dataset(run: Run, function: Function, annotation: ast.expr | None) -> bool:
    """Is a parameter or result annotated as one, in the words of the module that the function is from?"""
    if annotation is None or last_name(annotation) in _PLAIN:
        return False
    if function.scope.module.unit is run.unit:
        return run.is_dataset_annotation(annotation)
    return _there(run, function, lambda: run.is_dataset_annotation(annotation))


def _class_of(run: Run, function: Function, annotation: ast.expr | None) -> Class | None:
    """The class of the project that a parameter is annotated with, if that is at work on datasets or holds settings."""
    if not isinstance(annotation, (ast.Name, ast.Attribute)) or last_name(annotation) in _PLAIN:
        return None
    cls = _there(run, function, lambda: run.evaluate(annotation))
    return cls if isinstance(cls, Class) and (_works_on_data(cls) or declared.is_dataclass(cls)) else None


def _default(run: Run, function: Function, node: ast.expr) -> Value:
    return _there(run, function, lambda: run.evaluate(node))


def _there(run: Run, function: Function, ask: Callable[[], T]) -> T:
    """Ask where a function was defined."""
    outer, unit, recorder = run.frame, run.unit, run.recorder
    run.frame = Frame(function.scope, facts=outer.facts, root=outer.root)
    if not recorder.owns(function.scope):
        # It was made where the function was.
        run.recorder = NOBODY
    run.go_to(function.scope.module.unit or unit)
    try:
        return ask()
    finally:
        run.frame, run.recorder = outer, recorder
        run.go_to(unit)


def execute(
    run: Run, function: Function, names: dict[str, Value], *, standalone: bool, mapped: bool = False
) -> tuple[Value, Frame]:
    """Run a function's body, called, alone or as a mapped one. What it returns, and the frame it left."""
    outer, nesting = run.frame, run.nesting
    frame = Frame(
        Scope(names, function.scope),
        function.name,
        function,
        facts=outer.facts,
        loops=() if standalone or mapped else outer.loops,
        in_tf_function=function.in_tf_function or (outer.in_tf_function and not standalone and not mapped),
        in_strategy_scope=outer.in_strategy_scope and not standalone,
        in_test=outer.in_test or is_test(function),
        expects_error=outer.expects_error and not standalone,
        standalone=standalone,
        root=outer.root,
        begun=None if function.is_wrapped else run.here,
        evidence=signature_of(run, function).evidence,
    )
    run.graph.keep(frame.scope)
    if mapped:
        run.recorder.frame = frame
    run.recorder.made(frame.scope)
    if run.recorder.on:
        run.recorder.body.functions.append(function.node)
        if function.owner is not None:
            path = (function.scope.module.unit or run.unit).path
            run.recorder.body.methods.add((path, function.owner.name, function.name.rpartition(".")[2]))
    if id(function.node) in run.disguised:
        run.recorder.loses_track()
    run.spend(20)
    writes, unit, fuel = run.writes, run.unit, run.fuel
    run.go_to(function.scope.module.unit or unit)
    run.frame, run.nesting = frame, 0
    run.active.append(function.node)
    try:
        if isinstance(function.node, ast.Lambda):
            result = run.evaluate(function.node.body)
        else:
            ended = run.block(function.node.body)
            result = _returned(run, frame, ended)
    finally:
        run.active.pop()
        run.frame, run.nesting = outer, nesting
        if unit is run.main and run.unit is not unit:
            run.fuel_abroad -= fuel - run.fuel
        run.go_to(unit)
    if run.writes != writes and outer.dotted:
        forget_attributes(run)
    if not standalone and not mapped and function.scope.module is run.module:
        for inner in frame.defined:
            if id(inner.node) not in run.touched and inner.node not in run.active and not run.recorder.on:
                run.touched.add(id(inner.node))
                call_alone(run, inner, None)
    return result, frame


def forget_attributes(run: Run) -> None:
    """A called method may have written attributes: read them from their objects again."""
    for names in (run.frame.scope.names, *run.frame.saved):
        for key in [key for key in names if "." in key]:
            if isinstance(run.frame.scope.find(key.partition(".")[0]), Instance):
                del names[key]


def _returned(run: Run, frame: Frame, ended: bool) -> Value:
    if (made := frame.yields) is not None or isinstance(getattr(frame.function, "node", None), ast.AsyncFunctionDef):
        return made if made is not None and outside.holds_steps(run, made) else UNKNOWN
    branches = list(frame.returns)
    if not ended and branches:
        branches.append(Branch(frame.conditions, Constant(None)))
    if not branches:
        return Constant(None) if not ended else UNKNOWN
    if all(same(branch.value, branches[0].value) for branch in branches):
        return branches[0].value
    shapes = [b.value for b in branches if isinstance(b.value, Sequence) and b.value.rest is None]
    if len(shapes) == len(branches) and len({len(shape.items) for shape in shapes}) == 1:
        # Tuples of one length: alternatives item by item, so that unpacking keeps them apart.
        template = Alternatives(tuple(branches))
        columns = zip(*(shape.items for shape in shapes), strict=True)
        exact = all(shape.exact and shape.kind == shapes[0].kind for shape in shapes)
        items = tuple(run.choose(template, list(column)) for column in columns)
        return Sequence(shapes[0].kind, items, exact=exact)
    kinds = {type(branch.value) for branch in branches}
    if kinds <= {Element, Unknown, Computed}:
        tests = run.tests_in(condition for branch in branches for condition in branch.conditions)
        return either([branch.value for branch in branches], tests) if Element in kinds else UNKNOWN
    return Alternatives(tuple(branches))


@recursive
def function_of(value: Value) -> Function | None:
    """The project function that is run when a value is called."""
    match value:
        case Function():
            return value
        case Partial(function=function):
            return function_of(function)
        case Instance(cls=cls):
            found = cls.attribute("__call__") or cls.attribute("call")
            return found.bound(value) if isinstance(found, Function) else None
    return None
