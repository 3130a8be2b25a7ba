"""Calls: what a call expression calls, and entering the functions and classes of the project."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tfdata_lint.pipeline.interpreter import libraries as library, mapping as recording, objects
from tfdata_lint.pipeline.interpreter.frames import Arguments, Frame, Scope
from tfdata_lint.pipeline.interpreter.inspection import is_test_name
from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.nouns.conditions import Condition
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Options, OptionsGroup, tips
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
    Symbol,
    Unknown,
    Value,
)
from tfdata_lint.pipeline.project.index import attribute_span, has_evidence, span_of

if TYPE_CHECKING:
    from tfdata_lint.pipeline.interpreter.run import Interpreter

#: Project functions entered one inside another at most.
MAX_DEPTH = 14


def evaluate_call(run: Interpreter, node: ast.Call) -> Value:
    """A call; a chain of method calls is walked, not recursed into, however long it is."""
    chain: list[ast.Call] = []
    while isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
        chain.append(node)
        node = node.func.value
    if isinstance(node.func, ast.Attribute) and not _is_dotted_name(run, node.func):
        receiver = run.evaluate(node.func.value)
        value = call(run, objects.get_attribute(run, receiver, node.func.attr, node.func), node)
    else:
        value = call(run, run.evaluate(node.func), node)
    for link in reversed(chain):
        run.spend()
        assert isinstance(link.func, ast.Attribute)
        value = call(run, objects.get_attribute(run, value, link.func.attr, link.func), link)
    return value


def _is_dotted_name(run: Interpreter, node: ast.Attribute) -> bool:
    """An attribute assigned in this scope: `self.make = make; self.make()`."""
    if not run.frame.dotted or not isinstance(node.value, ast.Name):
        return False
    return run.frame.scope.find(f"{node.value.id}.{node.attr}") is not None


def arguments_of(run: Interpreter, node: ast.Call) -> Arguments:
    """Evaluate the arguments of a call."""
    positional: list[tuple[ast.expr, Value]] = []
    keywords: dict[str, tuple[ast.expr, Value]] = {}
    is_open = False
    for part in node.args:
        value = run.evaluate(part)
        if not isinstance(part, ast.Starred):
            positional.append((part, value))
        elif isinstance(value, Sequence) and value.rest is None:
            positional.extend((part.value, item) for item in value.items)
        else:
            is_open = True
            if isinstance(value, Element):
                positional.append((part.value, ELEMENT))
            elif isinstance(value, Sequence) and value.rest is not None:
                positional.append((part.value, value.rest))
    for keyword in node.keywords:
        value = run.evaluate(keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = (keyword.value, value)
        elif isinstance(value, Mapping_) and value.rest is None:
            keywords.update({str(key): (keyword.value, item) for key, item in value.items.items()})
        else:
            is_open = True
    return Arguments(tuple(positional), keywords, is_open)


def call(run: Interpreter, callee: Value, node: ast.Call) -> Value:
    """Call a value with the arguments of a call expression."""
    if isinstance(callee, Unknown) and isinstance(node.func, ast.Name) and node.func.id == "reveal_pipeline":
        return _reveal(run, node)
    return call_value(run, callee, arguments_of(run, node), node)


def call_value(run: Interpreter, callee: Value, arguments: Arguments, node: ast.Call) -> Value:
    """Call a value with evaluated arguments."""
    match callee:
        case Symbol(name):
            return library.call_symbol(run, name, arguments, node)
        case Method():
            return library.call_method(run, callee, arguments, node)
        case Function():
            return call_function(run, callee, arguments, node)
        case Partial(function, given, keywords):
            merged = Arguments(
                (*((node.func, value) for value in given), *arguments.positional),
                {**{name: (node.func, value) for name, value in keywords.items()}, **arguments.keywords},
                arguments.is_open,
            )
            return call_value(run, function, merged, node)
        case Class():
            return instantiate(run, callee, arguments, node)
        case Instance():
            method = recording.function_of(callee)
            if method is not None:
                return call_function(run, method, arguments, node)
            return call_external(run, f"{_library_base(callee.cls)}()", arguments, node)
        case External(symbol=symbol):
            if symbol in library.FUNCTION_WRAPPERS and arguments.positional:
                return compiled(arguments.positional[0][1])
            return call_external(run, f"{symbol}()", arguments, node)
        case Alternatives(branches=branches):
            values = [call_value(run, branch.value, arguments, node) for branch in branches[:4]]
            if len(values) < len(branches):
                return UNKNOWN
            return run.choose(callee, values)
        case Options() | OptionsGroup():
            return UNKNOWN
    return call_external(run, "", arguments, node)


def _library_base(cls: Class) -> str:
    """The library class that a project class extends, or an empty string."""
    for base in cls.bases:
        if isinstance(base, Symbol):
            return operations.normalise(base.name)
        if isinstance(base, Class) and (name := _library_base(base)):
            return name
    return ""


def _reveal(run: Interpreter, node: ast.Call) -> Value:
    from tfdata_lint.pipeline.nouns.text import one_line

    value = run.evaluate(node.args[0]) if node.args else UNKNOWN
    dataset = run.dataset(value)
    run.reveals.append((node.lineno, one_line(dataset, facts=run.frame.facts) if dataset is not None else "nothing"))
    return value


def call_external(run: Interpreter, name: str, arguments: Arguments, node: ast.Call) -> Value:
    """A call of something outside the project about which nothing more is known than its name."""
    recording.record(run, name, arguments, node)
    hand_over(run, arguments, node, name)
    if run.recordings and any(isinstance(value, Element) for value in arguments.values):
        return ELEMENT
    return UNKNOWN


def hand_over(run: Interpreter, arguments: Arguments, node: ast.Call, name: str = "") -> None:
    """Datasets, options and input functions that leave for code that is not seen."""
    for value in arguments.values:
        if isinstance(value, (Unknown, Element, Constant, Symbol)):
            continue
        objects.escape(value)
        for dataset in run.datasets_in(value):
            run.consume("argument", dataset, node, call_span(node, run.file), target=name)
    if "input_fn" in arguments.keywords:
        input_function(run, arguments.keywords["input_fn"][1], node)


def input_function(run: Interpreter, function: Value, node: ast.Call) -> None:
    """An Estimator calls its input function and consumes the dataset it returns."""
    if not isinstance(function, (Function, Partial)):
        return
    result = call_value(run, function, Arguments((), {}, is_open=True), node)
    for dataset in run.datasets_in(result):
        run.consume("input_fn", dataset, node, call_span(node, run.file), target="input_fn")


def call_span(node: ast.Call, file: str) -> Span:
    """From the called name to the closing parenthesis."""
    if isinstance(node.func, ast.Attribute):
        return attribute_span(node.func, file, node)
    return span_of(node, file)


def decorate(run: Interpreter, function: Value, decorator: ast.expr) -> Value:
    """A function behind a decorator. One that is not seen is taken to return the function itself."""
    value = run.evaluate(decorator)
    if isinstance(function, Function):
        match value:
            case Symbol("builtins.staticmethod"):
                return replace(function, is_static=True)
            case Symbol("builtins.classmethod"):
                return replace(function, is_classmethod=True)
            case Symbol("builtins.property" | "functools.cached_property" | "abc.abstractproperty"):
                return replace(function, is_property=True)
            case Symbol(name) | External(symbol=name) if operations.without_compat(name) in library.FUNCTION_WRAPPERS:
                return compiled(function)
            case External(symbol=name) if operations.without_compat(name) in library.PYTHON_WRAPPERS:
                return Partial(Symbol(name), (function,), {})
    if isinstance(decorator, ast.Attribute) and decorator.attr in ("setter", "deleter"):
        # The property itself, whose getter is what a read calls.
        return run.evaluate(decorator.value)
    if isinstance(value, Function) and isinstance(function, Function):
        synthetic = ast.Call(func=decorator, args=[], keywords=[])
        ast.copy_location(synthetic, decorator)
        result = call_function(run, value, Arguments(((decorator, function),)), synthetic)
        return result if isinstance(result, (Function, Partial, Class, Instance)) else function
    return function


def compiled(function: Value) -> Value:
    """`tf.function(f)`."""
    return replace(function, in_tf_function=True) if isinstance(function, Function) else function


def call_function(run: Interpreter, function: Function, arguments: Arguments, node: ast.AST) -> Value:
    """Enter a function of the project and give back what it returns."""
    if not _is_of_interest(run, function, arguments) and isinstance(node, ast.Call):
        return call_external(run, function.name, arguments, node)
    run.enter(function)
    if function.node in run.active or len(run.active) >= MAX_DEPTH:
        if run.recordings:
            run.recordings[-1].body.complete = False
        for dataset in (d for value in arguments.values for d in run.datasets_in(value)):
            run.consume("argument", dataset, node, next(tips(dataset)).span)
        return UNKNOWN
    names = bind(run, function, arguments)
    key = None
    if not run.recordings and not run.frame.loops:
        key = _memo_key(run, function, names)
        if key in run.memo:
            known: Value = run.memo[key][1]
            return known
    result, _ = execute(run, function, names, standalone=False)
    if result == Constant(None) and _is_abstract(function.node):
        result = UNKNOWN
    if isinstance(result, (Unknown, External, Constant)) and not isinstance(function.node, ast.Lambda):
        if run.is_dataset_annotation(function.node.returns) and isinstance(node, ast.expr):
            result = run.origin("unresolved", node)
    if key is not None:
        # The names are kept too: the key holds their identities.
        run.memo[key] = (names, result)
    return result


def _is_of_interest(run: Interpreter, function: Function, arguments: Arguments) -> bool:
    """Could entering it tell anything about a pipeline? Most functions of other modules have no part in one."""
    unit = function.scope.module.unit
    if unit is None or unit is run.main or isinstance(function.node, ast.Lambda):
        return True
    if run.fuel_abroad <= 0:
        return False
    if run.recordings or (isinstance(function.receiver, Instance) and function.receiver.cls.scope.module is run.module):
        return True
    if function.name in unit.index.relevant or any(run.datasets_in(value) for value in arguments.values):
        return True
    # The constructor of a class that works on data says what it holds.
    receiver = function.receiver
    return function.name.endswith(".__init__") and isinstance(receiver, Instance) and _works_on_data(receiver.cls)


def _works_on_data(cls: Class) -> bool:
    """Is a class, or one that it extends, at work on datasets, or called like a mapped function?"""
    unit = cls.scope.module.unit
    if unit is None or "__call__" in cls.attributes:
        return True
    if any(name.startswith(f"{cls.name}.") for name in unit.index.relevant):
        return True
    return any(isinstance(base, Class) and _works_on_data(base) for base in cls.bases)


def _is_abstract(node: ast.AST) -> bool:
    """A method that says nothing itself: its subclasses do."""
    if isinstance(node, ast.Lambda):
        return False
    decorators = [ast.unparse(decorator) for decorator in getattr(node, "decorator_list", [])]
    return any("abstract" in decorator for decorator in decorators) or all(
        isinstance(part, ast.Pass) or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
        for part in getattr(node, "body", [])
    )


def _memo_key(run: Interpreter, function: Function, names: dict[str, Value]) -> Any:
    receiver = id(function.receiver) if function.receiver is not None else None
    values = tuple(value if isinstance(value, (Constant, Symbol)) else id(value) for value in names.values())
    try:
        hash(values)
    except TypeError:
        return None
    return (run.frame.root, id(function.node), id(function.scope), receiver, values)


def call_alone(run: Interpreter, function: Function, receiver: Value | None) -> None:
    """Interpret a function with unknown parameters."""
    if function.node in run.active:
        return
    if receiver is not None and not function.is_static:
        function = replace(function, receiver=receiver)
    key = ("alone", id(function.node), id(receiver))
    if key in run.memo:
        return
    run.memo[key] = (None, UNKNOWN)
    outer, recordings, nested_in = run.frame, run.recordings, run.nested_in
    root = id(function.node)
    run.roots.add(root)
    run.frame, run.recordings, run.nested_in = Frame(run.module, in_test=outer.in_test, root=root), [], None
    try:
        names = bind(run, function, Arguments(), alone=True)
        _, frame = execute(run, function, names, standalone=True)
    finally:
        run.frame, run.recordings, run.nested_in = outer, recordings, nested_in
    for inner in frame.defined:
        if id(inner.node) not in run.touched and inner.node not in run.active:
            call_alone(run, inner, None)


def bind(run: Interpreter, function: Function, arguments: Arguments, alone: bool = False) -> dict[str, Value]:
    """Parameters to values. What is not given has its default, or is unknown when the call is open or missing."""
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    names: dict[str, Value] = {}
    values = [value for _, value in arguments.positional]
    if function.receiver is not None and not function.is_static:
        values.insert(0, function.receiver)
    elif alone and function.owner is not None and not function.is_static and positional:
        values.insert(0, Unknown())
    for parameter, value in zip(positional, values, strict=False):
        names[parameter.arg] = value
    if spec.vararg is not None:
        rest = UNKNOWN if arguments.is_open or alone else None
        names[spec.vararg.arg] = Sequence("tuple", tuple(values[len(positional) :]), rest)
    extra: dict[Any, Value] = {}
    known = {parameter.arg for parameter in (*positional, *spec.kwonlyargs)}
    for name, (_, value) in arguments.keywords.items():
        if name in known:
            names[name] = value
        else:
            extra[name] = value
    if spec.kwarg is not None:
        names[spec.kwarg.arg] = Mapping_(extra, UNKNOWN if arguments.is_open or alone else None)
    defaults = dict(zip([p.arg for p in reversed(positional)], reversed(spec.defaults), strict=False))
    defaults.update({p.arg: d for p, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d is not None})
    evidence = _evidence(run, function)
    for parameter in (*positional, *spec.kwonlyargs):
        given = names.get(parameter.arg)
        if given is None and parameter.arg in defaults and not alone and not arguments.is_open:
            given = _default(run, function, defaults[parameter.arg])
        if given is None or isinstance(given, (Unknown, External)):
            if parameter.arg in evidence or run.is_dataset_annotation(parameter.annotation):
                given = _parameter(run, function, parameter, defaults.get(parameter.arg))
            elif not isinstance(given, External):
                given = Unknown()
        names[parameter.arg] = given
    return names


def _parameter(run: Interpreter, function: Function, parameter: ast.arg, default: ast.expr | None) -> Value:
    """A parameter that is a dataset, or None where that is its default."""
    outer = run.frame
    run.frame = Frame(outer.scope, function.name, in_test=outer.in_test, root=outer.root)
    stage = run.origin("parameter", parameter)
    run.frame = outer
    if not isinstance(default, ast.Constant) or default.value is not None:
        return stage
    missing = Condition(f"{parameter.arg} is None", True, f"{parameter.arg} is None@{run.identity(stage)}")
    return Alternatives((Branch((missing.negated,), stage), Branch((missing,), Constant(None))))


def _default(run: Interpreter, function: Function, node: ast.expr) -> Value:
    outer, unit = run.frame, run.unit
    run.frame = Frame(function.scope, facts=outer.facts, root=outer.root)
    run.go_to(function.scope.module.unit or unit)
    try:
        return run.evaluate(node)
    finally:
        run.frame = outer
        run.go_to(unit)


def execute(
    run: Interpreter,
    function: Function,
    names: dict[str, Value],
    *,
    standalone: bool,
    recording: recording.Recording | None = None,
) -> tuple[Value, Frame]:
    """Run a function's body with its parameters bound. What it returns, and the frame it left."""
    outer, nesting = run.frame, run.nesting
    frame = Frame(
        Scope(names, function.scope),
        function.name,
        function,
        facts=outer.facts,
        loops=() if standalone or recording else outer.loops,
        in_tf_function=function.in_tf_function or (outer.in_tf_function and not standalone and recording is None),
        in_strategy_scope=outer.in_strategy_scope and not standalone,
        in_test=outer.in_test or any(map(is_test_name, function.name.split("."))),
        expects_error=outer.expects_error and not standalone,
        standalone=standalone,
        root=outer.root,
        evidence=_evidence(run, function),
    )
    run.scopes.append(frame.scope)
    if recording is not None:
        recording.frame = frame
    if run.recordings:
        run.recordings[-1].created.add(id(frame.scope))
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
        _forget_attributes(run)
    if not standalone and recording is None and function.scope.module is run.module:
        for inner in frame.defined:
            if id(inner.node) not in run.touched and inner.node not in run.active and not run.recordings:
                run.touched.add(id(inner.node))
                call_alone(run, inner, None)
    return result, frame


def _forget_attributes(run: Interpreter) -> None:
    """A called method may have written attributes: read them from their objects again."""
    names = run.frame.scope.names
    for key in [key for key in names if "." in key]:
        if isinstance(run.frame.scope.find(key.partition(".")[0]), Instance):
            del names[key]


def _returned(run: Interpreter, frame: Frame, ended: bool) -> Value:
    if frame.is_generator or isinstance(getattr(frame.function, "node", None), ast.AsyncFunctionDef):
        return UNKNOWN
    branches = list(frame.returns)
    if not ended and branches:
        branches.append(Branch(frame.conditions, Constant(None)))
    if not branches:
        return Constant(None) if not ended else UNKNOWN
    if len(branches) == 1:
        return branches[0].value
    if all(branch.value is branches[0].value or branch.value == branches[0].value for branch in branches):
        return branches[0].value
    shapes = [b.value for b in branches if isinstance(b.value, Sequence) and b.value.rest is None]
    if len(shapes) == len(branches) and len({len(shape.items) for shape in shapes}) == 1:
        # Tuples of one length: alternatives item by item, so that unpacking keeps them apart.
        template = Alternatives(tuple(branches))
        columns = zip(*(shape.items for shape in shapes), strict=True)
        return Sequence(shapes[0].kind, tuple(run.choose(template, list(column)) for column in columns))
    if all(isinstance(branch.value, (Element, Unknown)) for branch in branches):
        return ELEMENT if any(isinstance(branch.value, Element) for branch in branches) else UNKNOWN
    return Alternatives(tuple(branches))


def _evidence(run: Interpreter, function: Function) -> frozenset[str]:
    """The names of a function on which it calls what only a tf.data.Dataset has."""
    if not run.index.tensorflow or isinstance(function.node, ast.Lambda):
        return frozenset()
    key = ("evidence", id(function.node))
    known = run.described.get(key)
    if known is not None:
        found: frozenset[str] = known
        return found
    node = function.node
    names: set[str] = set()
    if has_evidence(run.index, node.lineno, node.end_lineno or node.lineno):
        todo: list[ast.AST] = list(node.body)
        while todo:
            part = todo.pop()
            if isinstance(part, ast.stmt) and not has_evidence(run.index, part.lineno, part.end_lineno or part.lineno):
                continue
            if isinstance(part, ast.Call) and is_evidence(part):
                root = _chain_root(part)
                if root is not None:
                    names.add(root)
            todo.extend(ast.iter_child_nodes(part))
    run.described[key] = found = frozenset(names)
    return found


def is_evidence(node: ast.Call) -> bool:
    if not isinstance(node.func, ast.Attribute):
        return False
    method = node.func.attr
    return method in operations.EVIDENCE_METHODS or any(
        (method, keyword.arg) in operations.EVIDENCE_KEYWORDS for keyword in node.keywords
    )


def _chain_root(node: ast.Call) -> str | None:
    """The variable at the start of a chain of dataset methods."""
    expression: ast.expr = node
    while isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
        if expression.func.attr not in operations.METHODS:
            return None
        expression = expression.func.value
    return expression.id if isinstance(expression, ast.Name) else None


def instantiate(run: Interpreter, cls: Class, arguments: Arguments, node: ast.Call) -> Value:
    """`Class(…)`: a new object, after its `__init__`."""
    if objects.is_dataset_class(cls):
        return run.origin("unresolved", node)
    run.graph.called.add(cls.name)
    instance = Instance(cls)
    if run.recordings:
        run.recordings[-1].created.add(id(instance))
    for value in arguments.values:
        objects.escape(value)
    initialise = objects.class_attribute(cls, "__init__")
    if isinstance(initialise, Function):
        call_function(run, replace(initialise, receiver=instance), arguments, node)
    else:
        _dataclass_fields(run, instance, arguments)
    return instance


def _dataclass_fields(run: Interpreter, instance: Instance, arguments: Arguments) -> None:
    """Fields of a dataclass (or NamedTuple) in their order."""
    fields = [s for s in instance.cls.node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
    for position, statement in enumerate(fields):
        assert isinstance(statement.target, ast.Name)
        name = statement.target.id
        value = arguments.get(position, name)
        if value is not None:
            instance.attributes[name] = value
        elif run.is_dataset_annotation(statement.annotation):
            instance.attributes[name] = run.origin("unresolved", statement.target)
