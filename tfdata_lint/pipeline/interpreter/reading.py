"""Reading a module: its body, then the functions that may touch a dataset, then what can only be said at the end."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence as Seq
from typing import Any

from tfdata_lint.pipeline.interpreter import calls, expressions, functions, mapping, statements
from tfdata_lint.pipeline.interpreter.frames import Arguments, OutOfFuel, Scope
from tfdata_lint.pipeline.interpreter.functions import is_abstract
from tfdata_lint.pipeline.interpreter.run import ITERATING, Described, Run
from tfdata_lint.pipeline.mapped.record import NOBODY
from tfdata_lint.pipeline.nouns.consumers import PULLING, Consumer
from tfdata_lint.pipeline.nouns.graph import Limit
from tfdata_lint.pipeline.nouns.stages import Argument, PythonFunction, Stage, upstream
from tfdata_lint.pipeline.nouns.values import UNKNOWN, Class, Constant, Function, Value
from tfdata_lint.pipeline.nouns.work import OutOfWork
from tfdata_lint.pipeline.project.index import mentions_data

#: Most of what is evaluated, and who does it: looked up once.
_NAME, _CONSTANT = ast.Name, ast.Constant
_LIMITS: dict[type[BaseException], Limit] = {OutOfFuel: "steps", OutOfWork: "questions"}
_HANDLERS, _name = expressions.HANDLERS, expressions.name


class Interpreter(Run):
    """A run with its five steps."""

    def evaluate(self, node: ast.expr) -> Value:
        self.fuel -= 1
        if self.fuel < 0:
            raise OutOfFuel
        kind = type(node)
        if kind is _NAME:
            return _name(self, node)  # type: ignore[arg-type]
        if kind is _CONSTANT:
            return Constant(node.value)  # type: ignore[attr-defined]
        handler = _HANDLERS.get(kind)
        if handler is None:
            self.recorder.loses_track()
            return UNKNOWN
        if self.nesting > self.max_nesting:
            return self.too_deep(node)
        # Only running out of fuel leaves from within, and that ends the run.
        self.nesting += 1
        value = handler(self, node)
        self.nesting -= 1
        return value

    def too_deep(self, node: ast.expr) -> Value:
        """What is not looked at, which is told where it may hold a pipeline."""
        self.recorder.loses_track()
        if self.unit is self.main and mentions_data(self.index, node.lineno, node.end_lineno or node.lineno):
            self.graph.end(node.lineno, "nesting")
        return UNKNOWN

    def block(self, body: Seq[ast.stmt]) -> bool:
        return statements.block(self, body)

    def call(self, callee: Value, arguments: Arguments, node: ast.Call) -> Value:
        return calls.call_value(self, callee, arguments, node)

    def describe(self, argument: Argument, stage: Stage, parameter: str) -> Described:
        return mapping.describe(self, argument, stage, parameter)

    def describe_python(self, function: Value, node: ast.expr) -> PythonFunction:
        return mapping.describe_python(self, function, node)


def read_module(run: Run, tree: ast.Module) -> None:
    """The module's body, then the functions in which a dataset may be at work."""
    _bounded(run, lambda: run.block(tree.body))
    _bounded(run, lambda: _read_lambdas(run))
    for node, name, cls in run.index.definitions.functions:
        if name not in run.index.relevant:
            continue
        if run.fuel <= 0:
            run.graph.end(run.row, "steps")
            break
        _bounded(run, lambda: _read_alone(run, node, name, cls))  # noqa: B023
    if run.main.source.unparsed:
        run.graph.end(run.main.source.unparsed, "size")
        _let_go(run)
    _finish(run)


def _read_lambdas(run: Run) -> None:
    """Those of the module's body that are handed to code which is not seen."""
    for function in run.frame.defined:
        if isinstance(function.node, ast.Lambda) and id(function.node) not in run.touched:
            functions.call_alone(run, function, None)


def _bounded(run: Run, work: Callable[[], Any]) -> None:
    """Work that may be too much: what was seen until then is kept."""
    frame = run.frame
    try:
        work()
    except (OutOfFuel, OutOfWork, RecursionError) as error:
        run.graph.end(run.row, _LIMITS.get(type(error), "nesting"))
        _let_go(run)
    run.frame, run.recorder, run.active, run.nested_in, run.nesting = frame, NOBODY, [], None, 0
    run.go_to(run.main)


def _let_go(run: Run) -> None:
    """What is not read may do anything with the datasets that have a name where reading ends."""
    frame = run.frame
    scope: Scope | None = frame.scope
    around = frame.conditions, frame.loops
    frame.conditions, frame.loops = (), ()
    seen: dict[int, int] = {}
    while scope is not None:
        for dataset in [dataset for value in scope.names.values() for dataset in run.datasets_in(value, seen)]:
            run.let_go(dataset)
        scope = scope.parent
    frame.conditions, frame.loops = around


def _read_alone(run: Run, node: ast.FunctionDef | ast.AsyncFunctionDef, name: str, cls: ast.ClassDef | None) -> None:
    """Interpret a function with parameters of which nothing is known."""
    if id(node) in run.touched and node.name.startswith("_") and not node.name.startswith("__"):
        return
    receiver: Value | None = None
    function: Value | None
    if cls is None:
        function = run.module.names.get(name)
        # Behind a decorator or a later definition of the same name it is still the same body.
        if not isinstance(function, Function) or function.node is not node:
            function = Function(node, run.module, name)
    else:
        owner = _find_class(run, name.rpartition(".")[0])
        if owner is None or owner.node is not cls:
            return
        receiver = functions.generic(run, _implementing(run, owner))
        found = owner.attributes.get(node.name)
        function = found if isinstance(found, Function) and found.node is node else None
        function = function or Function(node, owner.scope, name, owner=owner)
    functions.call_alone(run, function, receiver)


def _implementing(run: Run, cls: Class) -> Class:
    """A class, or the one of its module that says what its abstract methods do."""
    methods = {n for n, value in cls.attributes.items() if isinstance(value, Function) and is_abstract(value.node)}
    below = [value for value in run.module.names.values() if isinstance(value, Class) and cls in value.ancestors]
    is_only = bool(methods) and len(below) == 1 and below[0].attributes.keys() >= methods
    return below[0] if is_only else cls


def _find_class(run: Run, path: str) -> Class | None:
    """A class of the module by its qualified name."""
    found: Class | None = None
    for part in path.split("."):
        value = run.module.names.get(part) if found is None else found.attributes.get(part)
        if not isinstance(value, Class):
            return None
        found = value
    return found


def _finish(run: Run) -> None:
    """What can only be said at the end."""
    graph = run.graph
    _drop_guesses(run)
    graph.stages.sort(key=lambda stage: (stage.span.row, stage.span.column))
    nexts: dict[int, list[Consumer]] = {}
    for consumer in graph.consumers:
        if consumer.kind in PULLING and consumer.iterator is not None:
            nexts.setdefault(id(consumer.iterator), []).append(consumer)
    for consumer in graph.consumers:
        if consumer.kind in ITERATING and (pulled := nexts.get(known := id(consumer.iterator))):
            if not consumer.context.loops and not any(pull.loop for pull in pulled) and known not in run.handed:
                consumer.kind = "inspection"
    graph.consumers.sort(key=lambda consumer: (consumer.span.row, consumer.span.column))


def _drop_guesses(run: Run) -> None:
    """Where the module itself calls a function, its calls count, not the reading with unknown parameters."""
    called = {node for root, nodes in run.entered.items() for node in nodes if node != root}
    todo = [root for root in (0, *run.roots) if root not in called]
    reached = set(todo)
    kept = set(todo)
    while todo:
        for node in run.entered.get(todo.pop(), ()):
            if node not in reached:
                reached.add(node)
                todo.append(node)
    dropped = (run.roots & reached) - kept
    if not dropped:
        return
    graph = run.graph
    stages = [stage for stage in graph.stages if stage.context.root not in dropped]
    known = {id(stage) for stage in stages}
    # A mapped function is run once for all who map it: what it builds stays with any of them.
    nested = [inner for stage in stages if stage.nested is not None for inner in upstream(stage.nested)]
    while nested:
        inner = nested.pop()
        if id(inner) not in known:
            known.add(id(inner))
            stages.append(inner)
            if inner.nested is not None:
                nested.extend(upstream(inner.nested))
    graph.stages = stages
    graph.consumers = [consumer for consumer in graph.consumers if consumer.context.root not in dropped]
    for options in graph.options:
        # Whoever calls the function is seen to take what it returns.
        options.escapes &= options.root not in dropped
    graph.walks = [walk for walk in graph.walks if walk.context.root not in dropped]
    graph.discarded = [lost for lost in graph.discarded if lost.stage.context.root not in dropped]
