"""The steps of loops that the profiler is told of: `with Trace(…):`, also by another name, in a helper, by hand."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.words import PROFILES, STARTS, TRACES
from tfdata_lint.pipeline.nouns.code import calls_of, holds, last_name, nodes_on, rows_with, statements_in, whole
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import scope_of
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.index import symbol_uses
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of
from tfdata_lint.pipeline.python.origins import origins
from tfdata_lint.pipeline.python.runs import class_of, kin
from tfdata_lint.rules.device.eager_steps import called_elsewhere
from tfdata_lint.rules.device.steps import defined
from tfdata_lint.rules.profiling.profiles import stops_of
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import walk

_LOOPS = (ast.For, ast.While)
#: What enters a context by hand.
_ENTERING = ("__enter__", "enter_context")
_USING = (ast.With, ast.Attribute, ast.Call)
#: How many functions stand between a `Trace` and its loop.
_DEEP = 2


class Step(NamedTuple):
    """What is traced in the own body of a loop: not in a loop or function inside of it."""

    loop: ast.For | ast.While
    block: ast.expr | ast.stmt
    """A `with` statement, the call of a function that has one, or the statement that enters the context by hand."""
    use: SymbolUse
    """Where `Trace` is called."""
    stack: ast.With | None = None
    """Where it ends, if a stack enters it: `with ExitStack() as stack: stack.enter_context(Trace(…))`."""

    @property
    def place(self) -> ast.expr | ast.stmt:
        """Where the loop has it: the call of `Trace`, or of the helper that calls it."""
        if holds(self.loop, self.use.node):
            return self.use.node
        return self.block.items[0].context_expr if isinstance(self.block, ast.With) else self.block

    def covers(self, node: ast.AST) -> bool:
        """Does some code of the loop run while it is traced?"""
        if isinstance(self.block, (ast.With, ast.Call)):
            return holds(self.block, node)
        is_behind = getattr(node, "lineno", 0) >= getattr(self.block, "lineno", 0)
        return is_behind and (self.stack is None or holds(self.stack, node))


def steps_of(graph: PipelineGraph) -> list[Step]:
    """All of a module."""
    syntax = syntax_of(graph.source)
    uses = [use for use in graph.uses if use.name in TRACES and use.call is not None]
    found = [(block, use) for use in uses if use.call for block in _traced(graph, syntax, use.call, 0)]
    known = {id(block) for block, _ in found}
    blocks = [*found, *((block, use) for use in uses for block in _handed(graph, use) if id(block) not in known)]
    return [
        Step(loop, block, use, _stack(syntax, block))
        for block, use in blocks
        if (loop := _around(syntax, block)) is not None
    ]


def _stack(syntax: Syntax, block: ast.AST) -> ast.With | None:
    """The `with` of the stack that a statement enters a context by."""
    entered = (node.func for node in walk(block) if isinstance(node, ast.Call) and last_name(node) == "enter_context")
    stacks = {ast.unparse(func.value) for func in entered if isinstance(func, ast.Attribute)}
    around = (step for step in reversed(syntax.way(block)[:-1]) if isinstance(step, ast.With))
    named = ((step, item.optional_vars) for step in around for item in step.items)
    return next((step for step, name in named if name is not None and ast.unparse(name) in stacks), None)


def _around(syntax: Syntax, block: ast.AST) -> ast.For | ast.While | None:
    """The loop that it stands in, of the same function, and not one over hooks, each of which is asked for the step."""
    match block:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=hook)))):
            pass
        case _:
            hook = ""
    for step in reversed(syntax.way(block)[:-1]):
        is_over_hooks = isinstance(step, ast.For) and hook != "" and getattr(step.target, "id", "") == hook
        if isinstance(step, _LOOPS) and not is_over_hooks:
            return step
        if isinstance(step, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            break
    return None


def _handed(graph: PipelineGraph, use: SymbolUse) -> Iterator[ast.With]:
    """The `with` blocks for what a function makes that is handed on: `trace = lambda step: Trace("train")`."""
    for node in nodes_on(graph.tree, rows_with(graph.source.text, whole("with"))):
        if isinstance(node, ast.With):
            contexts = (item.context_expr for item in node.items)
            if any(place.node is use.call for context in contexts for place in origins(graph, context)):
                yield node


def _traced(graph: PipelineGraph, syntax: Syntax, context: ast.expr, depth: int) -> Iterator[ast.expr | ast.stmt]:
    """The code that a context is entered for, where it is made or goes to."""
    way = syntax.way(context)
    statement = next((step for step in reversed(way) if isinstance(step, ast.stmt)), None)
    scope = scope_of(syntax.tree, context)
    match statement:
        case ast.With():
            yield statement
            if _around(syntax, statement) is None:
                # It is around a step in a function, or around what a context manager yields to.
                yield from _decorated(graph, syntax, scope)
                for call in _calls(graph, syntax, scope) if depth < _DEEP else ():
                    is_entered = isinstance(syntax.way(call)[-2], ast.With)
                    yield from _traced(graph, syntax, call, depth + 1) if is_entered else (call,)
        case ast.Return():
            for call in _calls(graph, syntax, scope) if depth < _DEEP else ():
                yield from _traced(graph, syntax, call, depth + 1)
        case ast.stmt() if any(last_name(step) in _ENTERING for step in way if isinstance(step, ast.Call)):
            yield statement
            if _around(syntax, statement) is None:
                # A hook enters it, and another leaves it.
                found = (syntax.block(call) for call in _calls(graph, syntax, scope))
                yield from (block.statement for block in found if block is not None)
        case ast.Assign(targets=[ast.Name() | ast.Attribute() as target]):
            written = ast.unparse(target)
            for node in walk(scope) if depth <= _DEEP else ():
                if not isinstance(node, (ast.Name, ast.Attribute)) or not isinstance(node.ctx, ast.Load):
                    continue
                if ast.unparse(node) == written and isinstance(syntax.way(node)[-2], _USING):
                    yield from _traced(graph, syntax, node, _DEEP + 1)


def profiled(graph: PipelineGraph) -> Iterator[tuple[SymbolUse, list[ast.expr | ast.stmt]]]:
    """What runs while a profile does: what stands in its `with`, or between its start and stop in one function; and
    what a context manager or decorator that has it is around."""
    syntax = syntax_of(graph.source)
    for use in (one for one in graph.uses if one.name in (*PROFILES, *STARTS) and one.call is not None):
        scope = scope_of(syntax.tree, use.node)
        stops = [stop.node.lineno for stop in stops_of(graph) if scope_of(syntax.tree, stop.node) is scope]
        parts: list[ast.expr | ast.stmt] = []
        if use.name in PROFILES:
            parts += (block for block in _traced(graph, syntax, use.node, 0) if isinstance(block, ast.With))
        elif stops:
            own = statements_in(getattr(scope, "body", []))
            parts += (part for part in own if use.node.lineno < part.lineno < max(stops))
            if any(isinstance(node, ast.Yield) for part in parts for node in walk(part)):
                around = (syntax.way(call)[-2] for call in _calls(graph, syntax, scope))
                parts += (block for block in around if isinstance(block, ast.With))
        yield use, [*parts, *(_decorated(graph, syntax, scope) if parts else ())]


def steps_entered_elsewhere(graph: PipelineGraph) -> Iterator[Step]:
    """Those of loops that use a context manager of another module, which traces what it yields to."""
    syntax = syntax_of(graph.source)
    found = nodes_on(syntax.tree, rows_with(syntax.text, whole("with")))
    for block in (node for node in found if isinstance(node, ast.With)):
        loop, made = _around(syntax, block), block.items[0].context_expr
        if loop is None or not isinstance(made, ast.Call):
            continue
        source, function = called_elsewhere(graph, made.func)
        if source is None or function is None or not any(isinstance(node, ast.Yield) for node in walk(function)):
            continue
        yield from (
            Step(loop, block, use)
            for use in graph.once(_traces_of, source)
            if use.call is not None and holds(function, use.call) and use.span.file != graph.file
        )


def _traces_of(graph: PipelineGraph, source: Source) -> list[SymbolUse]:
    return [use for use in symbol_uses(source) if use.name in TRACES]


def _decorated(graph: PipelineGraph, syntax: Syntax, function: ast.AST) -> Iterator[ast.Call]:
    """The calls of what a decorator of the module puts this function around."""
    outer = next((step for step in syntax.way(function) if isinstance(step, ast.FunctionDef)), function)
    if not isinstance(outer, ast.FunctionDef) or outer is function:
        return
    for decorated in (node for node in walk(syntax.tree) if isinstance(node, ast.FunctionDef)):
        made = [one.func if isinstance(one, ast.Call) else one for one in decorated.decorator_list]
        place = next((at for at, one in enumerate(made) if isinstance(one, ast.Name) and one.id == outer.name), None)
        # Below a `tf.function` it runs while that is traced.
        if place is not None and not any(last_name(one) == "function" for one in made[:place]):
            yield from _calls_to(graph, syntax, decorated)


def _calls(graph: PipelineGraph, syntax: Syntax, function: ast.AST) -> list[ast.Call]:
    """The calls of a function, or method, that runs as Python."""
    if not isinstance(function, ast.FunctionDef) or any(
        last_name(decorator) == "function" for decorator in function.decorator_list
    ):
        return []
    return _calls_to(graph, syntax, function)


def _calls_to(graph: PipelineGraph, syntax: Syntax, function: ast.FunctionDef) -> list[ast.Call]:
    is_method = isinstance(syntax.way(function)[-2], ast.ClassDef)
    named = [
        call
        for call in calls_of(syntax.tree, function.name)
        if (defined(syntax.tree, call.func) is function and isinstance(call.func, ast.Attribute) >= is_method)
        or (isinstance(call.func, ast.Attribute) and _is_method_of(syntax, function, class_of(syntax, call.func.value)))
    ]
    others = (call for call, called in graph.once(_called_by_value) if called is function)
    return [*named, *(call for call in others if call not in named)]


def _called_by_value(graph: PipelineGraph) -> list[tuple[ast.Call, ast.AST]]:
    """The calls in loops of what a name was given: `run(batch)` of `run = traced if … else plain`, `run = Step()`."""
    syntax = syntax_of(graph.source)
    loops = (node for node in walk(syntax.tree) if isinstance(node, _LOOPS))
    calls = {node: node.func for loop in loops for node in walk(loop) if isinstance(node, ast.Call)}
    found: list[tuple[ast.Call, ast.AST]] = []
    for call, func in calls.items():
        for place in origins(graph, func) if isinstance(func, ast.Name) else ():
            made = place.node.func if isinstance(place.node, ast.Call) else place.node
            wrapped = place.node.args[:1] if last_name(made) == "partial" else [made]
            for one in (one.node for node in wrapped for one in origins(graph, node)):
                methods = one.body if isinstance(one, ast.ClassDef) else []
                found += [(call, part) for part in methods if getattr(part, "name", "") == "__call__"] or [(call, one)]
    return found


def _is_method_of(syntax: Syntax, function: ast.FunctionDef, cls: ast.ClassDef | None) -> bool:
    """Where the class of an object is not known: do only this class and its kin have a method of that name?"""
    if cls is not None:
        return any(function in one.body for one in syntax.once(kin, cls))
    owner = syntax.way(function)[-2]
    if not isinstance(owner, ast.ClassDef):
        return False
    methods = [part for one in syntax.once(kin, owner) for part in one.body]
    named = (part for part in methods if isinstance(part, ast.FunctionDef) and part.name == function.name)
    return syntax.text.count(f"def {function.name}(") == sum(1 for _ in named)
