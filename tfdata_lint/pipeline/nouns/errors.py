"""Who takes further elements of an iterator after an error: for them, what is in work by then makes a difference."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable

from tfdata_lint.pipeline.nouns.code import caught, holds, last_name
from tfdata_lint.pipeline.nouns.consumers import LEAVING, Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import walked
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import statements, walk

#: Of these, no error that a dataset raises is one; and what is raised where there are no more elements.
_OTHERS = {
    name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)
} - {"Exception", "BaseException"} | {"OutOfRangeError"}
_TAKING = ("get_next", "get_next_as_optional", "next", "__next__")
_SUPPRESSING = ("suppress", "raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp", "assertRaisesOpError")
#: Who runs code whose errors end nothing else.
_ALONE = re.compile(
    r"\b(?:ExitStack|AsyncExitStack|submit|gather|Thread|Timer|run_in_executor|create_task|exec|InteractiveInterpreter"
    r"|InteractiveConsole|__del__)\b"
)
_MAKING = ("contextmanager", "asynccontextmanager")
_DEFS = (ast.FunctionDef, ast.AsyncFunctionDef)
_TRIES = (ast.Try, ast.With) if not hasattr(ast, "TryStar") else (ast.Try, ast.With, ast.TryStar)


def may_go_on(graph: PipelineGraph, consumers: Iterable[Consumer]) -> bool:
    """May somebody take further elements of the same iterator after an error?

    A loop over a dataset makes an iterator of its own; one that is kept may be asked again.
    """
    return any(_may_go_on(graph, consumer) for consumer in consumers)


def _may_go_on(graph: PipelineGraph, consumer: Consumer) -> bool:
    if is_kept(graph, consumer):
        return graph.once(_reads_on) or graph.says("asked again")
    # Others may make an iterator that they keep.
    return consumer.kind in LEAVING and graph.says("asked again")


def asks_again(source: Source | None) -> bool:
    """Does a module take an element, catch what a dataset may raise there, and not leave the loop around it?"""
    nodes = statements(source.tree) if source is not None and source.tree is not None else ()
    tries = (node for node in nodes if isinstance(node, _TRIES))
    parts = (part for node in tries if _passes_over(node) for step in node.body for part in walk(step))
    return any(isinstance(part, ast.Call) and last_name(part) in _TAKING for part in parts)


def _passes_over(node: ast.AST) -> bool:
    if isinstance(node, ast.With):
        calls = [one for item in node.items if last_name(one := item.context_expr) == "suppress"]
        return any(not set(map(last_name, getattr(call, "args", ()))) <= _OTHERS for call in calls)
    handlers = (one for one in getattr(node, "handlers", ()) if not isinstance(one.body[-1], (ast.Raise, ast.Break)))
    return any(not caught(one) <= _OTHERS for one in handlers)


def _reads_on(graph: PipelineGraph) -> bool:
    """Does the module catch what a dataset may raise, more than its end, and go on?"""
    return catches(graph, _OTHERS)


def is_kept(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Is its iterator one that may be asked again? Not of `for x in ds.as_numpy_iterator()`, nor `next(iter(ds))`."""
    iterator = consumer.iterator
    if iterator is None or iterator.restarts:
        return False
    if consumer.node is not iterator.node and holds(consumer.node, iterator.node):
        return False
    walks = (walk.node for walk in graph.walks if walk.iterator is iterator)
    return not any(holds(walked(node), iterator.node) for node in walks)


def catches(graph: PipelineGraph, others: set[str]) -> bool:
    """Does the module catch, around what may take elements, more than some errors, and go on?"""
    pattern = r"\b(?:except|finally|suppress|raises|assertRaises\w*|with)\b"
    text = graph.source.text
    if _ALONE.search(text):
        return True
    if not re.search(pattern, text):
        return False
    own = set(re.findall(r"\b(?:def|class)\s+(\w+)", text))
    nodes = list(statements(graph.tree))
    # A parameter may be a function that takes some.
    own |= {
        part.arg for node in nodes if isinstance(node, _DEFS) for part in walk(node.args) if isinstance(part, ast.arg)
    }
    swallowed = _swallowing(nodes)
    tries = (node for node in nodes if isinstance(node, _TRIES))
    return any(_goes_on(node, swallowed, others) and _may_take(node.body, own) for node in tries)


def _swallowing(nodes: Iterable[ast.AST]) -> set[str]:
    """What a module has of its own that may swallow errors in a `with`, and what of Python does."""
    found = set(_SUPPRESSING)
    for node in nodes:
        match node:
            case ast.ClassDef(name=name, body=body):
                ends = [part for part in body if getattr(part, "name", "") in ("__exit__", "__aexit__")]
                results = [part.value for end in ends for part in walk(end) if isinstance(part, ast.Return)]
                if (node.bases and not ends) or any(_is_true(value) for value in results):
                    found.add(name)
            case ast.FunctionDef(name=name, decorator_list=decorators):
                is_made = any(last_name(decorator) in _MAKING for decorator in decorators)
                if not is_made or any(isinstance(part, ast.ExceptHandler) for part in walk(node)):
                    found.add(name)
    return found


def _is_true(value: ast.expr | None) -> bool:
    return value is not None and not (isinstance(value, ast.Constant) and not value.value)


def _goes_on(node: ast.AST, swallowing: set[str], others: set[str]) -> bool:
    """Does the code behind a statement run after an error in it?"""
    match node:
        case ast.With(items=items):
            # What is no call of a name may be anything.
            names = {last_name(one) if isinstance(one := item.context_expr, ast.Call) else "" for item in items}
            return bool(names & swallowing) or "" in names
        case ast.Try(handlers=handlers, finalbody=finalbody):
            ways_out = (part for step in finalbody for part in walk(step))
            return any(isinstance(part, (ast.Break, ast.Continue, ast.Return)) for part in ways_out) or any(
                not caught(handler) <= others and not isinstance(handler.body[-1], ast.Raise) for handler in handlers
            )
    return True


def _may_take(body: list[ast.stmt], own: set[str]) -> bool:
    for part in (part for step in body for part in walk(step)):
        if isinstance(part, (ast.For, ast.AsyncFor, ast.comprehension)):
            return True
        if isinstance(part, ast.Call) and ((name := last_name(part)) in _TAKING or name in own or not name):
            return True
    return False
