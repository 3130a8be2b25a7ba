"""Which calls of dataset operations a run has put into pipelines, and why not the others."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from tfdata_lint.pipeline.interpreter.outside import call_span
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.interpreter.witness import Witness
from tfdata_lint.pipeline.knowledge import operations, telling, words
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.coverage import OF_THE_CODE, Coverage, LostCall, Reason
from tfdata_lint.pipeline.nouns.stages import Join, Stage
from tfdata_lint.pipeline.nouns.values import (
    Class,
    External,
    Function,
    Method,
    Symbol,
    Unknown,
    Value,
)
from tfdata_lint.pipeline.project.bindings import FUNCTIONS
from tfdata_lint.pipeline.project.calls import OperationCall, operation_calls
from tfdata_lint.pipeline.project.index import Index
from tfdata_lint.pipeline.project.modules import LIBRARIES
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import children, walk

#: A reason, and what it is about.
_Why: TypeAlias = tuple[Reason, str]

_UNKNOWN: _Why = ("unknown receiver", "")
#: What gives things by names that are known at run time only.
_DYNAMIC = frozenset({
    "builtins.getattr", "builtins.eval", "builtins.__import__", "builtins.globals", "builtins.vars",
    "builtins.locals", "importlib.import_module",
})  # fmt: skip
#: Names that are followed from one to the next, at most.
_DEPTH = 12


def covered(run: Run, witness: Witness) -> Coverage:
    """How many calls stand in pipelines, and why not the others."""
    made = {id(stage.node) for stage in run.graph.stages} | {id(consumer.node) for consumer in run.graph.consumers}
    seen, lost = 0, []
    causes = _Causes(run, witness)
    for call in operation_calls(run.main.source, run.index):
        values = witness.called.get(id(call.node), [])
        if id(call.node) in made or any(map(_is_operation, values)):
            seen += 1
        elif not call.is_certain and call.operation not in telling.PLAIN:
            continue
        elif not values or not all(_is_other(value, call) for value in values):
            lost.append(_lost(run.main.source, call, *causes.of(call.node)))
    return _coverage(seen, lost)


def skipped(source: Source, index: Index) -> Coverage:
    """The same for a module that is not read: there are calls all the same."""
    calls = [call for call in operation_calls(source, index) if call.is_certain]
    return _coverage(0, [_lost(source, call, "skipped") for call in calls])


def _lost(source: Source, call: OperationCall, reason: Reason, of: str = "") -> LostCall:
    return LostCall(call.operation, call_span(call.node, source.path), reason, of, call.is_certain)


def _coverage(seen: int, lost: list[LostCall]) -> Coverage:
    return Coverage(seen, tuple(sorted(lost, key=lambda call: (call.span.row, call.span.column))))


def _is_operation(value: Value) -> bool:
    match value:
        case Method(receiver=Stage() | Join()):
            return True
        case Symbol(name):
            return operations.lookup(name) is not None or operations.is_dataset_class(name.rpartition(".")[0])
    return False


def _is_other(value: Value, call: OperationCall) -> bool:
    """Has it only the name of an operation?"""
    match value:
        case Method(receiver=Unknown()) | Unknown():
            return False
        case External() | Method(receiver=External()) | Symbol():
            return not call.is_certain
    return True


class _Causes:
    """Looks for the reason why what stands before the dot is not known to be a dataset."""

    def __init__(self, run: Run, witness: Witness) -> None:
        self._run, self._witness = run, witness
        self._syntax = syntax_of(run.main.source)
        self._asked: set[int] = set()

    def of(self, call: ast.Call) -> _Why:
        self._asked.clear()
        if id(call) in self._witness.called:
            return self._origin(_receiver(call))
        unread = self._unread(call)
        if unread[0] == "not entered" and isinstance(call.func, ast.Attribute):
            # If it were entered, no more would be known of what comes from outside.
            origin = self._origin(_receiver(call))
            return origin if origin[0] in OF_THE_CODE else unread
        return unread

    def _unread(self, call: ast.Call) -> _Why:
        ending = self._run.graph.ending
        if ending is not None and ending.limit not in ("steps elsewhere", "modules"):
            return "limit", ending.limit
        functions = [step for step in self._syntax.way(call) if isinstance(step, (*FUNCTIONS, ast.Lambda))]
        if functions and id(functions[-1]) not in self._run.touched | self._run.roots:
            return "not entered", getattr(functions[-1], "name", "lambda")
        return "unreachable", ""

    def _origin(self, node: ast.AST, depth: int = 0) -> _Why:
        if id(node) in self._asked or depth > _DEPTH:
            return _UNKNOWN
        self._asked.add(id(node))
        match node:
            case ast.Call():
                return self._result(node, depth)
            case ast.Name():
                return self._name(node, depth)
            case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
                return self._attribute(node, attribute, depth)
            case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Await(value=inner):
                return self._origin(inner, depth + 1)
            case ast.Starred(value=inner) | ast.NamedExpr(value=inner):
                return self._origin(inner, depth + 1)
            case ast.IfExp(body=yes, orelse=no):
                return self._one_of([yes, no], depth)
        return "unknown receiver", type(node).__name__.lower()

    def _one_of(self, nodes: Sequence[ast.AST], depth: int) -> _Why:
        """The reason for several: one that is not of the code, if there is such a one."""
        found = [self._origin(node, depth + 1) for node in nodes]
        ours = next((why for why in found if why[0] not in OF_THE_CODE), None)
        return ours or next(iter(found), _UNKNOWN)

    def _result(self, call: ast.Call, depth: int) -> _Why:
        for value in self._witness.called.get(id(call), []):
            match value:
                case Symbol(name) | External(symbol=name) | Method(receiver=External(symbol=name)):
                    return self._symbol(name)
                case Function():
                    return self._returned(value, depth)
                case Class(name=name) if value.attribute("__getattr__") is not None:
                    return "dynamic", f"{name}.__getattr__"
                case Class(name=name):
                    return "unknown receiver", f"{name}()"
        match call.func:
            case ast.Attribute(value=ast.Name(id="self")):
                return self._origin(call.func, depth + 1)
        return self._origin(_receiver(call), depth + 1)

    def _symbol(self, name: str) -> _Why:
        maker = name.partition("(")[0]
        if maker in _DYNAMIC:
            return "dynamic", last(maker)
        root = name.lstrip(".").partition(".")[0]
        if root == "importlib":
            return "dynamic", name
        if root == "builtins":
            return "unknown receiver", last(maker)
        if root in words.LIBRARIES:
            # What TensorFlow gives is ours to know.
            return "unknown receiver", name
        place = None if root in LIBRARIES else self._run.project.locate(name, self._run.main.path)
        if place is None:
            return "library", name
        module = self._run.project.module(place.path)
        if module is not None and place.rest and not module.stars and place.rest[0] not in module.bindings:
            return "undefined", name
        return self._elsewhere(name)

    def _elsewhere(self, name: str) -> _Why:
        """In another module of the project, which may not have been read to its end."""
        ending = self._run.graph.ending
        if ending is not None and ending.limit in ("steps elsewhere", "modules"):
            return "limit", ending.limit
        return "unknown receiver", name

    def _returned(self, function: Function, depth: int) -> _Why:
        if function.owner is not None and function.owner.attribute("__getattr__") is not None:
            return "dynamic", f"{function.owner.name}.__getattr__"
        if function.scope.module is not self._run.module:
            return self._elsewhere(f"{function.name}()")
        if isinstance(function.node, ast.Lambda):
            return self._origin(function.node.body, depth + 1)
        results = [part.value for part in _own(function.node) if isinstance(part, ast.Return) and part.value]
        return self._one_of(results, depth) if results else ("unknown receiver", f"{function.name}()")

    def _name(self, node: ast.Name, depth: int) -> _Why:
        found = self._syntax.scopes.binds(node.id, node)
        if found is None:
            return "undefined", node.id
        scope, bindings = found
        # `ds = ds.batch(8)` does not say what it was before.
        statement = self._assignment(node)
        others = [each for each in bindings if statement is None or self._assignment(each) is not statement]
        if not others:
            return "undefined", node.id
        before = [each for each in others if getattr(each, "lineno", 0) <= node.lineno] or others
        match max(before, key=lambda binding: getattr(binding, "lineno", 0)):
            case ast.arg() as parameter:
                return self._argument(scope, parameter, depth)
            case ast.Import() | ast.ImportFrom() if node.id in self._run.index.imports:
                return self._symbol(self._run.index.imports[node.id].name)
            case ast.Name() as name:
                return self._assigned(name, depth)
        return "unknown receiver", node.id

    def _assignment(self, node: ast.AST) -> ast.AST | None:
        statements = (step for step in reversed(self._syntax.way(node)) if isinstance(step, ast.stmt))
        statement = next(statements, None)
        return statement if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)) else None

    def _assigned(self, name: ast.Name, depth: int) -> _Why:
        for step in reversed(self._syntax.way(name)[:-1]):
            match step:
                case ast.Assign(value=value) | ast.NamedExpr(value=value) | ast.AugAssign(value=value):
                    return self._origin(value, depth + 1)
                case ast.AnnAssign(value=ast.expr() as value) | ast.withitem(context_expr=value):
                    return self._origin(value, depth + 1)
                case ast.For(iter=value) | ast.comprehension(iter=value) | ast.AsyncFor(iter=value):
                    return self._origin(value, depth + 1)
                case ast.stmt():
                    break
        return "unknown receiver", name.id

    def _argument(self, function: ast.AST, parameter: ast.arg, depth: int) -> _Why:
        if parameter.arg in ("self", "cls"):
            return "unknown receiver", parameter.arg
        calls = self._witness.callers.get(id(function), [])
        given = [value for call in calls if (value := _given(function, parameter, call)) is not None]
        return self._one_of(given, depth) if given else ("argument", parameter.arg)

    def _attribute(self, node: ast.AST, attribute: str, depth: int) -> _Why:
        way = self._syntax.way(node)
        cls = next((step for step in reversed(way) if isinstance(step, ast.ClassDef)), None)
        values = [] if cls is None else [value for value in _set_to(cls, attribute) if not _is_none(value)]
        if values:
            return self._one_of(values, depth)
        methods = () if cls is None else [part.name for part in cls.body if isinstance(part, FUNCTIONS)]
        if cls is not None and not cls.bases and attribute not in methods:
            return "argument", f"self.{attribute}"
        return "unknown receiver", f"self.{attribute}"


def _receiver(call: ast.Call) -> ast.expr:
    """What stands before the dot."""
    return call.func.value if isinstance(call.func, ast.Attribute) else call.func


def _set_to(cls: ast.ClassDef, attribute: str) -> Iterator[ast.expr]:
    """What the methods of a class set an attribute to."""
    for part in walk(cls):
        match part:
            case ast.Assign(targets=targets, value=value):
                if any(_sets(target, attribute) for target in targets):
                    yield value
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                if _sets(target, attribute):
                    yield value


def _sets(target: ast.AST, attribute: str) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == attribute for part in walk(target))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function, without those of functions in it."""
    todo = list(children(function))
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            todo.extend(children(node))


def _given(function: ast.AST, parameter: ast.arg, call: ast.Call) -> ast.expr | None:
    """What a call gives to a parameter."""
    for keyword in call.keywords:
        if keyword.arg == parameter.arg:
            return keyword.value
    if not isinstance(function, (*FUNCTIONS, ast.Lambda)):
        return None
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    if parameter.arg not in names:
        return None
    place = names.index(parameter.arg) - (names[0] in ("self", "cls"))
    return call.args[place] if 0 <= place < len(call.args) else None
