"""Why a training step that runs eagerly cannot become a `tf.function` as it stands."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.pipeline.knowledge.names import displayed, plain
from tfdata_lint.pipeline.nouns.code import last_name, names
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of
from tfdata_lint.rules.device.eager_steps import Step, class_of
from tfdata_lint.rules.device.steps import defined, parts_of, values_of
from tfdata_lint.source.module import Source

#: What a step asks of a model or an optimizer, and of nothing else.
_OF_TRAINED = frozenset({"apply_gradients", "minimize", "trainable_variables", "trainable_weights"})
#: Methods by which Python objects keep what they are given.
_KEEPING = frozenset({"add", "append", "appendleft", "extend", "insert", "put", "setdefault", "update"})
#: Methods that tensors of a graph do not have.
_EAGER = frozenset({"item", "numpy", "tolist"})
#: What makes variables when it is called.
_MAKING = re.compile(
    r"tensorflow\.(?:Variable|random\.Generator\.\w+|keras\.(?:\w+\.)*(?:layers|metrics|optimizers)\.(?:\w+\.)*[A-Z]\w+"
    r"|keras\.(?:\w+\.)*Sequential)"
)
#: So many functions that a step calls are looked at.
_MOST = 30


def why_not(graph: PipelineGraph, step: Step) -> str:
    """Why making the function of a step a `tf.function` may raise, and what to do; empty where nothing is seen."""
    if step.function is None:
        return ""
    if changing := _changing_model(step.source, step.function):
        return (
            f"{changing}, and a `tf.function` is made for the first one: wrap the step once for each, before the loop"
        )
    for source, function in _reached(graph, step.source, step.function, set()):
        if kept := _kept(source, function):
            return f"`{kept}` keeps tensors in Python, where a graph leaves some that nobody can read: return them"
        if made := _made(source, function):
            return f"`{made}` makes variables, which a `tf.function` may do once: make it outside"
        if any(isinstance(node, ast.Call) and last_name(node) in _EAGER for node in parts_of(function)):
            return f"`{function.name}` works with values of Python: call it outside"
    return ""


def drawn(graph: PipelineGraph, step: Step) -> str:
    """What a step draws with Python or NumPy, which a graph does once, when it is traced; empty where it does not."""
    reached = _reached(graph, step.source, step.function, set()) if step.function is not None else ()
    calls = (
        (source, part) for source, function in reached for part in parts_of(function) if isinstance(part, ast.Call)
    )
    full = ((syntax_of(source).scopes.full_name(call.func), call) for source, call in calls)
    return next((ast.unparse(call.func) for name, call in full if name.startswith(("numpy.random.", "random."))), "")


def _changing_model(source: Source, function: ast.FunctionDef) -> str:
    """What says that the step may get a further model or optimizer: a parameter, or a name that a loop sets anew."""
    given = function.args
    parameters = {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)} - {"self", "cls"}
    held = {name: name for name in parameters}
    trained: list[ast.expr] = []
    for node in parts_of(function):
        match node:
            case ast.Assign(targets=targets, value=ast.Attribute() | ast.Subscript() | ast.Tuple() as value):
                for name in sorted(names(value) & parameters):
                    held |= dict.fromkeys(names(*targets), name)
            case ast.Attribute(value=value, attr=attr) if attr in _OF_TRAINED:
                trained.append(value)
            case ast.Call(func=func, keywords=keywords) if any(word.arg == "training" for word in keywords):
                trained.append(func)
    for root in map(_root, reversed(trained)):
        if root is not None and root.id in held:
            return f"`{held[root.id]}` is a parameter"
        if root is not None and _is_set_in_a_loop(syntax_of(source), root, function):
            return f"`{root.id}` is made anew in a loop"
    return ""


def _is_set_in_a_loop(syntax: Syntax, name: ast.Name, function: ast.FunctionDef) -> bool:
    """Does a loop that the function is not part of bind a name that it reads?"""
    found, around = syntax.scopes.binds(name.id, name), syntax.way(function)
    steps = (step for binding in (found[1] if found is not None else ()) for step in syntax.way(binding))
    return any(isinstance(step, (ast.For, ast.While)) and step not in around for step in steps)


def _root(node: ast.expr) -> ast.Name | None:
    """`history` of `history["loss"].values`; None where it does not start at a name."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node if isinstance(node, ast.Name) else None


def _reached(
    graph: PipelineGraph, source: Source, function: ast.FunctionDef, seen: set[int]
) -> Iterator[tuple[Source, ast.FunctionDef]]:
    """A function, and those of the project that it calls, each once."""
    seen.add(id(function))
    yield source, function
    for call in parts_of(function):
        for there, called in _called(graph, source, call.func) if isinstance(call, ast.Call) else ():
            if id(called) not in seen and len(seen) < _MOST:
                yield from _reached(graph, there, called, seen)


def _called(graph: PipelineGraph, source: Source, called: ast.expr) -> Iterator[tuple[Source, ast.FunctionDef]]:
    """The functions of the project that a call may run; methods by the class of their object, or their name alone."""
    full = syntax_of(source).scopes.full_name(called)
    there, written = graph.locate(full) if full else (source, ast.unparse(called))
    if there is None or there.tree is None:
        return
    owner, _, method = written.rpartition(".")
    if (function := defined(there.tree, ast.Name(method))) is not None:
        yield there, function
        return
    for name, methods in ((written, ("call", "__call__")), (owner, (method,))):
        for made in values_of(there.tree, name):
            home, cls = class_of(graph, there, made.func) if isinstance(made, ast.Call) else (there, None)
            for node in cls.body if cls is not None else ():
                if isinstance(node, ast.FunctionDef) and node.name in methods:
                    yield home, node


def _kept(source: Source, function: ast.FunctionDef) -> str:
    """What outlives a call of a function and is set by it, as written."""
    own = {node.id for node in parts_of(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in parts_of(function):
        match node:
            case ast.Global(names=[name, *_]) | ast.Nonlocal(names=[name, *_]):
                return name
            case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()) as target:
                pass
            case ast.Call(func=ast.Attribute(attr=attr) as target) if attr in _KEEPING:
                if syntax_of(source).scopes.full_name(target):
                    continue
            case _:
                continue
        if (root := _root(target)) is None or root.id not in own:
            return ast.unparse(target)
    return ""


def _made(source: Source, function: ast.FunctionDef) -> str:
    """What makes variables in a function, by its name."""
    scopes = syntax_of(source).scopes
    calls = (plain(scopes.full_name(node.func)) for node in parts_of(function) if isinstance(node, ast.Call))
    return next((displayed(name) for name in calls if _MAKING.fullmatch(name)), "")
