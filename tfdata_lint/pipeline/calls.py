"""Calls: of project functions (entered), of dataset operations (stages), of everything else (what it makes)."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tfdata_lint.pipeline import mapped, objects, operations
from tfdata_lint.pipeline.frames import Arguments, Frame, Method, Scope, Super
from tfdata_lint.pipeline.graph import (
    Argument,
    ConsumerKind,
    Dataset,
    Join,
    JoinBranch,
    MappedFunction,
    Span,
    Stage,
    tips,
)
from tfdata_lint.pipeline.index import attribute_span, has_evidence, span_of
from tfdata_lint.pipeline.operations import Operation
from tfdata_lint.pipeline.values import (
    ELEMENT,
    UNKNOWN,
    Alternatives,
    Branch,
    Class,
    Condition,
    Constant,
    Element,
    External,
    Function,
    Instance,
    Iterator,
    Mapping_,
    Options,
    OptionsGroup,
    Partial,
    Sequence,
    Symbol,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from tfdata_lint.pipeline.interpreter import Interpreter

#: Project functions entered one inside another at most.
MAX_DEPTH = 14

DATASET_CLASSES = frozenset({"tensorflow.data.Dataset", "tensorflow.data.TFRecordDataset", "tensorflow.Dataset"})
#: What is static about a tensor: reading it gives no element.
STATIC_ATTRIBUTES = frozenset({"shape", "dtype", "ndim", "name", "rank", "get_shape", "device", "graph", "op"})

_SEEDERS = ("tensorflow.random.set_seed", "tensorflow.set_random_seed", "tensorflow.random.set_random_seed")
_KERAS_SEEDERS = (".utils.set_random_seed",)
_FUNCTION_WRAPPERS = frozenset({"tensorflow.function", "tensorflow.contrib.eager.defun"})
#: TensorFlow functions that call the functions given to them, with elements.
_HIGHER_ORDER = frozenset(
    {"cond", "case", "switch_case", "while_loop", "map_fn", "vectorized_map", "foldl", "foldr", "scan", "map_structure",
     "map_structure_with_path", "custom_gradient", "recompute_grad", "scalar_map"}
)  # fmt: skip
_DISTRIBUTE = frozenset(
    {"experimental_distribute_dataset", "distribute_datasets_from_function", "experimental_make_numpy_dataset",
     "experimental_distribute_datasets_from_function", "make_dataset_iterator", "make_input_fn_iterator"}
)  # fmt: skip
_MODEL_KINDS: Mapping[str, ConsumerKind] = {
    "fit": "fit", "fit_generator": "fit", "evaluate": "evaluate", "evaluate_generator": "evaluate",
    "predict": "predict", "predict_generator": "predict", "adapt": "adapt", "train_on_batch": "train_on_batch",
}  # fmt: skip


@dataclass(slots=True, eq=False)
class Recording:
    """A mapped function being run: what is seen goes into its `body`."""

    body: mapped.Body
    frame: Frame | None = None
    created: set[int] = field(default_factory=set)
    """Objects of the project made while it runs: they are its own."""

    def note(self, frame: Frame, node: ast.expr, value: Value) -> None:
        if frame is self.frame and not isinstance(value, Unknown):
            self.body.constants[id(node)] = value


# ---- the call expression ------------------------------------------------------------------------------------------


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
            return call_symbol(run, name, arguments, node)
        case Method():
            return call_method(run, callee, arguments, node)
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
            method = function_of(callee)
            if method is not None:
                return call_function(run, method, arguments, node)
            return call_external(run, f"{_library_base(callee.cls)}()", arguments, node)
        case External(symbol=symbol):
            if symbol in _FUNCTION_WRAPPERS and arguments.positional:
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
    from tfdata_lint.pipeline.text import one_line

    value = run.evaluate(node.args[0]) if node.args else UNKNOWN
    dataset = run.dataset(value)
    run.reveals.append((node.lineno, one_line(dataset, facts=run.frame.facts) if dataset is not None else "nothing"))
    return value


def record(run: Interpreter, name: str, arguments: Arguments, node: ast.Call) -> None:
    """Note a call in the mapped function that is being run."""
    if not run.recordings:
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


def call_external(run: Interpreter, name: str, arguments: Arguments, node: ast.Call) -> Value:
    """A call of something outside the project about which nothing more is known than its name."""
    record(run, name, arguments, node)
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
        _input_function(run, arguments.keywords["input_fn"][1], node)


def _input_function(run: Interpreter, function: Value, node: ast.Call) -> None:
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


# ---- project functions --------------------------------------------------------------------------------------------


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
            case Symbol(name) | External(symbol=name) if _normal(name) in _FUNCTION_WRAPPERS:
                return compiled(function)
            case External(symbol=name) if _normal(name) in ("tensorflow.py_function", "tensorflow.numpy_function"):
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
    run.touched.add(id(function.node))
    run.graph.called.add(function.name)
    if function.node in run.active or len(run.active) >= MAX_DEPTH:
        if run.recordings:
            run.recordings[-1].body.complete = False
        for dataset in (d for value in arguments.values for d in run.datasets_in(value)):
            run.consume("argument", dataset, node, next(tips(dataset)).span)
        return UNKNOWN
    names = bind(run, function, arguments)
    key = None
    if not run.recordings and not run.frame.loops:
        key = _memo_key(function, names)
        if key in run.memo:
            known: Value = run.memo[key][1]
            return known
    result, _ = execute(run, function, names, standalone=False)
    if isinstance(result, (Unknown, External, Constant)) and not isinstance(function.node, ast.Lambda):
        if run.is_dataset_annotation(function.node.returns) and isinstance(node, ast.expr):
            result = run.origin("unresolved", node)
    if key is not None:
        # The names are kept too: the key holds their identities.
        run.memo[key] = (names, result)
    return result


def _memo_key(function: Function, names: dict[str, Value]) -> Any:
    receiver = id(function.receiver) if function.receiver is not None else None
    values = tuple(value if isinstance(value, (Constant, Symbol)) else id(value) for value in names.values())
    try:
        hash(values)
    except TypeError:
        return None
    return (id(function.node), id(function.scope), receiver, values)


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
    run.frame, run.recordings, run.nested_in = Frame(run.module, in_test=outer.in_test), [], None
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
    run.frame = Frame(outer.scope, function.name, in_test=outer.in_test)
    stage = run.origin("parameter", parameter)
    run.frame = outer
    if not isinstance(default, ast.Constant) or default.value is not None:
        return stage
    missing = Condition(f"{parameter.arg} is None", True, f"{parameter.arg} is None@{run.identity(stage)}")
    return Alternatives((Branch((missing.negated,), stage), Branch((missing,), Constant(None))))


def _default(run: Interpreter, function: Function, node: ast.expr) -> Value:
    outer = run.frame
    run.frame = Frame(function.scope, facts=outer.facts)
    try:
        return run.evaluate(node)
    finally:
        run.frame = outer


def execute(
    run: Interpreter,
    function: Function,
    names: dict[str, Value],
    *,
    standalone: bool,
    recording: Recording | None = None,
) -> tuple[Value, Frame]:
    """Run a function's body with its parameters bound. What it returns, and the frame it left."""
    from tfdata_lint.pipeline.interpreter import is_test_name

    outer, nesting = run.frame, run.nesting
    frame = Frame(
        Scope(names, function.scope),
        function.name,
        function,
        facts=outer.facts,
        loops=() if standalone or recording else outer.loops,
        in_tf_function=function.in_tf_function or (outer.in_tf_function and not standalone and recording is None),
        in_strategy_scope=outer.in_strategy_scope and not standalone,
        in_test=outer.in_test or is_test_name(function.name.rpartition(".")[2]) or is_test_name(function.name),
        expects_error=outer.expects_error and not standalone,
        standalone=standalone,
        evidence=_evidence(run, function),
    )
    if recording is not None:
        recording.frame = frame
    writes = run.writes
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
    if run.writes != writes and outer.dotted:
        _forget_attributes(run)
    if not standalone and recording is None:
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
            if isinstance(part, ast.Call) and _is_evidence(part):
                root = _chain_root(part)
                if root is not None:
                    names.add(root)
            todo.extend(ast.iter_child_nodes(part))
    run.described[key] = found = frozenset(names)
    return found


def _is_evidence(node: ast.Call) -> bool:
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


# ---- library functions --------------------------------------------------------------------------------------------


def _normal(name: str) -> str:
    for prefix in ("tensorflow.compat.v1.", "tensorflow.compat.v2."):
        if name.startswith(prefix):
            return "tensorflow." + name[len(prefix) :]
    return name


def call_symbol(run: Interpreter, name: str, arguments: Arguments, node: ast.Call) -> Value:
    """A call of a library's function or class by its full name."""
    if name.startswith("builtins."):
        return call_builtin(run, name, arguments, node)
    operation = operations.lookup(name)
    if operation is not None:
        record(run, name, arguments, node)
        if operation.kind == "consumer":
            return _consumer_symbol(run, operation, arguments, node)
        return source_stage(run, operation, name, arguments, node)
    plain = _normal(name)
    if plain in ("tensorflow.data.Options", "tensorflow.data.experimental.Options"):
        return new_options(run, node)
    if plain in _FUNCTION_WRAPPERS and arguments.positional:
        return compiled(arguments.positional[0][1])
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
    record(run, name, arguments, node)
    if operations.applicable(name) is None:
        hand_over(run, arguments, node, name)
    if run.recordings and plain.startswith("tensorflow."):
        _call_given_functions(run, plain, arguments, node)
        if any(_holds_element(value) for value in arguments.values):
            return ELEMENT
    elif run.recordings and any(_holds_element(value) for value in arguments.values):
        return ELEMENT
    return _external(name, arguments, node)


def _holds_element(value: Value, depth: int = 0) -> bool:
    match value:
        case Element():
            return True
        case Sequence(items=items, rest=rest) if depth < 4:
            return any(_holds_element(item, depth + 1) for item in items) or rest is ELEMENT
        case Mapping_(items=entries) if depth < 4:
            return any(_holds_element(item, depth + 1) for item in entries.values())
    return False


def _external(name: str, arguments: Arguments, node: ast.Call) -> External:
    keywords = {key: value for key, (_, value) in arguments.keywords.items()}
    return External(name, node, tuple(value for _, value in arguments.positional), keywords)


def _call_given_functions(run: Interpreter, name: str, arguments: Arguments, node: ast.Call) -> None:
    """Functions handed to tf.cond, tf.map_fn, … run as part of the mapped function."""
    if name.rpartition(".")[2] not in _HIGHER_ORDER:
        return
    if isinstance(arguments.get(0, "fn"), Unknown):
        run.recordings[-1].body.complete = False
    for value in arguments.values:
        candidates = [value, *(value.items if isinstance(value, Sequence) else ())]
        for function in candidates:
            if isinstance(function, (Function, Partial)):
                call_value(run, function, _elements_for(function), node)


def _elements_for(function: Value) -> Arguments:
    """As many elements as a function has positional parameters that nothing fills yet."""
    given = 0
    keywords: Mapping[str, Value] = {}
    while isinstance(function, Partial):
        given += len(function.arguments)
        keywords = {**function.keywords, **keywords}
        function = function.function
    if not isinstance(function, Function):
        return Arguments(((ast.Name("element", ast.Load()), ELEMENT),))
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    if function.receiver is not None and not function.is_static:
        positional = positional[1:]
    positional = [parameter for parameter in positional[given:] if parameter.arg not in keywords]
    required = len(positional) - len(spec.defaults) if spec.defaults else len(positional)
    count = max(required, 1) if positional else 0
    count += 1 if spec.vararg is not None and count == 0 else 0
    name = ast.Name("element", ast.Load())
    return Arguments(tuple((name, ELEMENT) for _ in range(count)))


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
            return _external(name, arguments, node)
        case "range" if len(values) == 1 and isinstance(first, Constant) and isinstance(first.value, int):
            record(run, name, arguments, node)
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
        case "setattr" | "map" | "filter":
            pass
        case "bool" | "int" | "float" | "str" as kind if isinstance(first, Constant):
            return _convert(kind, first)
        case "min" | "max" if len(values) > 1 and all(isinstance(v, Constant) for v in values):
            return UNKNOWN
    record(run, name, arguments, node)
    if name not in ("builtins.print", "builtins.type", "builtins.id", "builtins.repr", "builtins.str"):
        hand_over(run, arguments, node, name)
    if run.recordings and any(_holds_element(value) for value in values) and name != "builtins.len":
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
        return Constant(True) if operations.normalise(cls.name) in DATASET_CLASSES else UNKNOWN
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


def _consumer_symbol(run: Interpreter, operation: Operation, arguments: Arguments, node: ast.Call) -> Value:
    """`tfds.as_numpy(ds)`, `tf.compat.v1.data.make_one_shot_iterator(ds)`, …"""
    if "input_fn" in operation.parameters and (function := arguments.get(0, "input_fn")) is not None:
        _input_function(run, function, node)
        return UNKNOWN
    datasets = [d for value in arguments.values for d in run.datasets_in(value)]
    kind = _consumer_kind(operation.name)
    span = call_span(node, run.file)
    result: Value = UNKNOWN
    for dataset in datasets:
        iterator = Iterator(dataset, span)
        run.consume(kind, dataset, node, span, iterator=iterator, target=operation.name)
        result = iterator
    return result


def _consumer_kind(name: str) -> ConsumerKind:
    match name:
        case "as_numpy" | "tfds.as_numpy":
            return "as_numpy"
        case "make_one_shot_iterator" | "make_initializable_iterator":
            return "make_iterator"
        case "as_numpy_iterator" | "reduce" | "save" | "get_single_element" | "cardinality":
            return name
        case (
            "element_spec"
            | "options"
            | "get_structure"
            | "fingerprint"
            | "as_dataframe"
            | "show_examples"
            | "benchmark"
        ):
            return "inspection"
    return "argument"


def new_options(run: Interpreter, node: ast.Call) -> Options:
    options = Options(span_of(node, run.file))
    run.graph.options.append(options)
    return options


# ---- dataset operations -------------------------------------------------------------------------------------------


def source_stage(run: Interpreter, operation: Operation, name: str, arguments: Arguments, node: ast.Call) -> Value:
    """A source, or a static combination such as `Dataset.zip`."""
    given, is_open = bind_operation(operation, arguments)
    inputs = [d for parameter in operation.datasets if parameter in given
              for d in run.datasets_in(given[parameter].value)]  # fmt: skip
    if not inputs and operation.datasets:
        spread = [value for _, value in arguments.positional]
        inputs = [d for value in spread for d in run.datasets_in(value)]
    if not inputs and operation.datasets:
        # zip(datasets) of what is not seen.
        inputs = [run.origin("unresolved", node)]
    elif operation.name == "zip":
        inputs = [d for _, value in arguments.positional for d in run.datasets_in(value)] or inputs
    if operation.reads and not inputs:
        # A reader given a dataset of file names.
        inputs = [d for _, value in arguments.positional[:1] for d in run.datasets_in(value)]
    stage = new_stage(run, operation, node, tuple(inputs), given, is_open)
    stage.symbol = name
    return _result_of_source(run, stage, arguments)


def _result_of_source(run: Interpreter, stage: Stage, arguments: Arguments) -> Value:
    """Some sources return several datasets, or a dataset and more."""
    value: Value = stage
    if stage.op in ("tfds.load", "tfds.as_dataset", "tfds.builder.as_dataset"):
        split = stage.arguments.get("split")
        if split is None or split.literal is None:
            value = stage if stage.open_arguments else Mapping_({}, stage)
        elif isinstance(split.value, Sequence):
            value = Sequence(split.value.kind, tuple(stage for _ in split.value.items))
        if stage.literal("with_info", False) is True:
            return Sequence("tuple", (value, UNKNOWN))
        if stage.literal("with_info", False) is ... and not stage.open_arguments:
            return Alternatives((Branch((), value), Branch((), UNKNOWN)))
        return value
    if stage.op == "split_dataset" or stage.literal("subset") == "both":
        return Sequence("tuple", (stage, stage))
    return value


def bind_operation(operation: Operation, arguments: Arguments) -> tuple[dict[str, Argument], bool]:
    """Arguments by the parameter names of an operation."""
    given: dict[str, Argument] = {}
    positional = arguments.positional[:1] if operation.variadic else arguments.positional
    for parameter, (node, value) in zip(operation.parameters, positional, strict=False):
        given[parameter] = Argument(node, value)
    for name, (node, value) in arguments.keywords.items():
        given[name] = Argument(node, value)
    return given, arguments.is_open


def new_stage(
    run: Interpreter,
    operation: Operation,
    node: ast.Call,
    inputs: tuple[Dataset, ...],
    given: dict[str, Argument],
    is_open: bool,
) -> Stage:
    stage = Stage(operation.name, operation, call_span(node, run.file), node, inputs, given, is_open)
    stage.context = run.frame.context()
    stage.nested_in = run.nested_in
    stage.options = _merged_options(inputs)
    if any(tip.confidence == "likely" for dataset in inputs for tip in tips(dataset)):
        stage.confidence = "likely"
    run.graph.stages.append(stage)
    for parameter in operation.functions:
        if parameter in given and not (operation.name == "from_generator" or operation.name == "apply"):
            stage.function, stage.nested = mapped_function(run, given[parameter], stage)
            break
    return stage


def _merged_options(inputs: tuple[Dataset, ...]) -> Mapping[str, Value]:
    merged: dict[str, Value] = {}
    for dataset in inputs:
        settings = [tip.options for tip in tips(dataset)]
        for key in {key for options in settings for key in options}:
            values = [options.get(key) for options in settings]
            first = values[0]
            merged[key] = first if first is not None and all(value == first for value in values) else UNKNOWN
    return merged


def call_method(run: Interpreter, method: Method, arguments: Arguments, node: ast.Call) -> Value:
    """A method of something that is not an object of the project."""
    receiver, name = method.receiver, method.name
    if isinstance(receiver, (Stage, Join)):
        return dataset_method(run, receiver, name, arguments, node)
    if isinstance(receiver, (Unknown, External, Instance)) and _is_evidence_call(run, node, name):
        origin = run.origin("unresolved", node.func.value if isinstance(node.func, ast.Attribute) else node)
        return dataset_method(run, origin, name, arguments, node)
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
                return source_stage(run, operation, f"{symbol}().{name}", arguments, node)
            record(run, f"{symbol}().{name}", arguments, node)
            hand_over(run, arguments, node, name)
            if run.recordings and any(_holds_element(value) for value in arguments.values):
                return ELEMENT
            return _external(f"{symbol}().{name}", arguments, node)
        case Element():
            record(run, f"Element.{name}", arguments, node)
            return UNKNOWN if name in STATIC_ATTRIBUTES else ELEMENT
        case Constant(value):
            record(run, f"{type(value).__name__}.{name}", arguments, node)
            return ELEMENT if any(_holds_element(value) for value in arguments.values) else UNKNOWN
    outside = isinstance(node.func, ast.Attribute) and objects.is_outside(run, node.func.value)
    record(run, f"{'?' if outside else 'local'}.{name}", arguments, node)
    hand_over(run, arguments, node, name)
    if name == "get" and arguments.get(1, "default") == Constant(None):
        return Alternatives((Branch((), Unknown()), Branch((), Constant(None))))
    if run.recordings and any(_holds_element(value) for value in arguments.values):
        return ELEMENT
    return UNKNOWN


def _tfds_method(symbol: str, name: str) -> Operation | None:
    """`tfds.builder(…).as_dataset(…)`, also through the builder classes of tfds."""
    if name == "as_dataset" and symbol.startswith("tensorflow_datasets."):
        return operations.AS_DATASET
    return None


def _is_evidence_call(run: Interpreter, node: ast.Call, name: str) -> bool:
    return run.index.tensorflow and name in operations.METHODS and _is_evidence(node)


def _consuming_method(
    run: Interpreter, receiver: Value, name: str, arguments: Arguments, node: ast.Call
) -> Value | None:
    """`model.fit(ds)` and the like, whatever the model is; `strategy.experimental_distribute_dataset(ds)`."""
    span = call_span(node, run.file)
    if name in _MODEL_KINDS and name in operations.MODEL_METHODS:
        given, is_open = bind_operation(operations.MODEL_METHODS[name], arguments)
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
        return UNKNOWN if found else None
    if name in _DISTRIBUTE and arguments.positional:
        value = arguments.positional[0][1]
        if isinstance(value, (Function, Partial)):
            value = call_value(run, value, Arguments((), {}, is_open=True), node)
        for dataset in run.datasets_in(value):
            run.consume("distribute", dataset, node, span, target=name)
        return UNKNOWN
    return None


def _iterator_method(run: Interpreter, iterator: Iterator, name: str, node: ast.Call) -> Value:
    if name in ("get_next", "next", "__next__", "get_next_as_optional"):
        run.consume("next", iterator.dataset, node, call_span(node, run.file), iterator=iterator, target=name)
        return ELEMENT
    return UNKNOWN


def _sequence_method(run: Interpreter, sequence: Sequence, name: str, arguments: Arguments, node: ast.Call) -> Value:
    values = [value for _, value in arguments.positional]
    outside = isinstance(node.func, ast.Attribute) and objects.is_outside(run, node.func.value)
    if run.recordings and outside:
        record(run, f"{sequence.kind}.{name}", arguments, node)
        return UNKNOWN
    match name:
        case "append" | "add" if values:
            run.extend(sequence, values[:1])
        case "extend" | "update" if values and isinstance(values[0], Sequence):
            run.extend(sequence, values[0].items, values[0].rest)
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
        record(run, f"dict.{name}", arguments, node)
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


def dataset_method(run: Interpreter, dataset: Dataset, name: str, arguments: Arguments, node: ast.Call) -> Value:
    """A method called on a dataset."""
    operation = operations.METHODS.get(name)
    if operation is None:
        # A method of a subclass: nothing is known of what it returns.
        hand_over(run, arguments, node, name)
        run.consume("argument", dataset, node, call_span(node, run.file), target=name)
        return UNKNOWN
    if operation.kind == "consumer":
        return _consumer_method(run, operation, dataset, arguments, node)
    if name == "apply":
        return _apply(run, dataset, arguments, node)
    given, is_open = bind_operation(operation, arguments)
    others = [d for parameter in operation.datasets if parameter in given
              for d in run.datasets_in(given[parameter].value)]  # fmt: skip
    stage = new_stage(run, operation, node, (dataset, *others), given, is_open)
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, (ast.Name, ast.Attribute)):
        stage.receiver = run.text(node.func.value)
    if name == "with_options" and "options" in given:
        _apply_options(given["options"].value, stage)
    return stage


def _apply_options(value: Value, stage: Stage) -> None:
    match value:
        case Options():
            value.applied += 1
            stage.options = {**stage.options, **value.settings}
        case Alternatives(branches=branches):
            for branch in branches:
                if isinstance(branch.value, Options):
                    branch.value.applied += 1
                    unsure = dict.fromkeys(branch.value.settings, UNKNOWN)
                    stage.options = {**unsure, **stage.options}


def _apply(run: Interpreter, dataset: Dataset, arguments: Arguments, node: ast.Call) -> Value:
    """`ds.apply(f)`: a function of the project is entered, an applicable of tf.data is a stage of its own."""
    function = arguments.get(0, "transformation_func")
    if isinstance(function, External) and (operation := operations.applicable(function.symbol)) is not None:
        call_node = function.call
        given = {
            parameter: Argument(argument, value)
            for parameter, argument, value in zip(
                operation.parameters, call_node.args, function.arguments, strict=False
            )
        }
        for keyword in call_node.keywords:
            if keyword.arg is not None and keyword.arg in function.keywords:
                given[keyword.arg] = Argument(keyword.value, function.keywords[keyword.arg])
        stage = new_stage(run, operation, node, (dataset,), given, False)
        stage.symbol = function.symbol
        stage.span = call_span(call_node, run.file)
        return stage
    if isinstance(function, (Function, Partial, Alternatives, Class, Instance)):
        result = call_value(run, function, Arguments(((node, dataset),)), node)
        if run.dataset(result) is not None:
            return result
    if isinstance(function, Symbol) and (operation := operations.applicable(function.name)) is not None:
        return new_stage(run, operation, node, (dataset,), {}, False)
    run.consume("argument", dataset, node, call_span(node, run.file), target="apply")
    return run.origin("unresolved", node)


def _consumer_method(
    run: Interpreter, operation: Operation, dataset: Dataset, arguments: Arguments, node: ast.Call
) -> Value:
    span = call_span(node, run.file)
    given, is_open = bind_operation(operation, arguments)
    if operation.name == "options":
        options = new_options(run, node)
        options.of_dataset = True
        return options
    kind = _consumer_kind(operation.name)
    iterator = Iterator(dataset, span)
    run.consume(
        kind, dataset, node, span, arguments=given, open_arguments=is_open, target=operation.name, iterator=iterator
    )
    if kind in ("as_numpy_iterator", "make_iterator"):
        return iterator
    return ELEMENT if kind in ("reduce", "get_single_element") else UNKNOWN


# ---- mapped functions ---------------------------------------------------------------------------------------------


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
    from tfdata_lint.pipeline.interpreter import BODY_FUEL, OutOfFuel

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
        run.touched.add(id(value.node))
        run.graph.called.add(value.name)
        result, _ = execute(run, value, bind(run, value, given), standalone=False, recording=recording)
        return result
    recording.frame = run.frame
    if isinstance(value, Partial) and isinstance(value.function, Function):
        inner = value.function
        if inner.node in run.active:
            recording.body.complete = False
            return UNKNOWN
        run.touched.add(id(inner.node))
        merged = Arguments(
            (*((node.func, item) for item in value.arguments), *given.positional),
            {name: (node.func, item) for name, item in value.keywords.items()},
        )
        result, _ = execute(run, inner, bind(run, inner, merged), standalone=False, recording=recording)
        return result
    if isinstance(value, Instance) and target is not None and target.node not in run.active:
        result, _ = execute(run, target, bind(run, target, given), standalone=False, recording=recording)
        return result
    return call_value(run, value, given, node)


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
        return merged, Join(tuple(nested))
    return merged, nested[0].dataset if nested else None
