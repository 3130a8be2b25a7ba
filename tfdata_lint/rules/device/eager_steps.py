"""The steps that a loop over elements makes operation by operation: training, or calling a model of Keras."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.code import (
    calls_of,
    last_name,
    made_of,
    names,
    nodes_on,
    own_nodes,
    rows_with,
    way,
    whole,
)
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import ends_early
from tfdata_lint.pipeline.project.switches import remark_at
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of, syntax_there
from tfdata_lint.pipeline.python.origins import Place, origins
from tfdata_lint.pipeline.python.runs import Code, code_of, loop_around
from tfdata_lint.pipeline.python.uses import uses
from tfdata_lint.rules.device.steps import (
    RUNNERS,
    callee,
    calls_in_every_pass,
    defined,
    is_never_eager,
    parts_of,
    takes_element,
    values_of,
)
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import walk

#: What changes the variables of a model.
_UPDATES = frozenset({"apply_gradients", "minimize", "assign_sub"})
#: What works with values of Python, which a graph does not have.
_OF_PYTHON = frozenset({"numpy", "item", "tolist", "append", "print", "float"})
_ARRAYS = frozenset({"np", "numpy", "random"})
#: Decorators that fill in arguments, and leave what a function does as it is.
_DECORATORS = frozenset(
    {"gin.configurable", "hydra.main", "click.command", "click.option", "click.argument", "staticmethod", "classmethod"}
)
#: These give a function the name of another one.
_NAMING = frozenset({"wraps", "update_wrapper"})
#: How deep functions that a step calls are followed.
_DEEP = 3

#: What makes models whose call is no `tf.function`, as that of a model that `load_model` has read may be.
_MODELS = re.compile(
    r"tensorflow\.keras\.(?:(?:models\.)?(?:Sequential|Model)|models\.clone_model|applications\.(?:\w+\.)?[A-Z]\w+)"
)
#: A decorator that is commented out.
_TAKEN_OUT = re.compile(r"#\s*@(?:tf\.)?function\b")
_EAGER_FILE = re.compile(r"(?i)(?<![a-z-])eager(?:_|\d*\.)")
#: A loop that does this is watched by a person.
_SHOWING = frozenset({"show", "imshow", "plot", "display", "savefig"})


@dataclass(frozen=True)
class Step:
    """One training step as a loop makes it, which no `tf.function` is around."""

    tape: ast.With | ast.Call
    """The `GradientTape`, or the call of `minimize` that has one."""
    function: ast.FunctionDef | None
    """The function that the loop calls for it; None where it stands in the loop."""
    is_plain: bool
    """All that it does a graph can do, too."""
    source: Source
    """The module that it stands in."""
    call: ast.expr | ast.stmt
    """What the loop calls for it; the step itself where that stands in the loop."""


def is_eager(graph: PipelineGraph, loop: ast.AST) -> bool:
    """Does a loop run as Python, all of it, with nothing around the functions that it stands in?"""
    if is_never_eager(graph.source.text) or not isinstance(loop, (ast.For, ast.While)) or ends_early(loop):
        return False
    around = syntax_of(graph.source).way(loop)
    functions = [step for step in around if isinstance(step, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return all(is_plain_function(graph, graph.source, function) for function in functions)


def eager_step(graph: PipelineGraph, loop: ast.AST) -> Step | None:
    """The training step that runs operation by operation in every pass of a loop."""
    may_train, is_updated = _may_train(graph.source.text), _updates(loop) or _is_updated_after(graph, loop)
    tape = _tape_in(graph.source, loop) if may_train else None
    if tape is not None:
        return Step(tape, None, _is_plain(loop), graph.source, tape) if is_updated else None
    if may_train and (step := next(_steps_called(graph, graph.source, loop, 0, is_updated), None)):
        return step
    return next(_steps_elsewhere(graph, loop), None) or next(_steps_built(graph, loop), None)


def _may_train(text: str) -> bool:
    return "GradientTape" in text or ".minimize(" in text


def _is_updated_after(graph: PipelineGraph, loop: ast.AST) -> bool:
    """Is a loop one that adds gradients up, which each pass of the loop around it applies?"""
    syntax = syntax_of(graph.source)
    outer = loop_around(syntax, loop)
    calls = (call for call in _own_calls(outer) if last_name(call) in _UPDATES) if outer is not None else ()
    return any(call.lineno > getattr(loop, "end_lineno", 0) and loop_around(syntax, call) is outer for call in calls)


def calls_a_graph(graph: PipelineGraph, step: Step) -> bool:
    """Is the model of a step a `tf.function` already, so that only the rest runs operation by operation?"""
    given = step.function.args.args if step.function is not None else ()
    hints = {one.arg: one.annotation for one in given if one.annotation is not None}
    made = (part for part in walk(step.tape) if isinstance(part, ast.Call))
    called = [function for call in made for function in _run_by(graph, step.source, call.func, hints)]
    return any(last_name(decorator) == "function" for function in called for decorator in function.decorator_list)


def _run_by(
    graph: PipelineGraph, source: Source, called: ast.expr, hints: Mapping[str, ast.expr]
) -> Iterator[ast.FunctionDef]:
    """The function that a call runs, or the method `call` of the models that it may run."""
    tree = source.tree
    if tree is None:
        return
    if (function := defined(tree, called)) is not None:
        yield function
    made = [value.func for value in values_of(tree, ast.unparse(called)) if isinstance(value, ast.Call)]
    made += [kind for name, kind in hints.items() if isinstance(called, ast.Name) and called.id == name]
    for kind in made:
        _, model = class_of(graph, source, kind)
        for node in model.body if model is not None else ():
            if isinstance(node, ast.FunctionDef) and node.name in ("call", "__call__"):
                yield node


def class_of(graph: PipelineGraph, source: Source, called: ast.expr) -> tuple[Source, ast.ClassDef | None]:
    """The class of the project that a call makes an object of, and its module."""
    full = syntax_of(source).scopes.full_name(called)
    there, name = graph.locate(full) if full else (None, "")
    home, name = (there, name) if there is not None else (source, last_name(called))
    return home, graph.once(_classes, home).get(name)


def _classes(graph: PipelineGraph, source: Source) -> dict[str, ast.ClassDef]:
    """The classes at the top of a module, the first of each name."""
    body = reversed(source.tree.body) if source.tree is not None else ()
    return {node.name: node for node in body if isinstance(node, ast.ClassDef)}


def is_meant(step: Step) -> bool:
    """Does the name of the file say that it is eager on purpose, or a `@tf.function` that is commented out above it?"""
    if step.function is not None:
        first = min([step.function.lineno, *(node.lineno for node in step.function.decorator_list)])
        if _TAKEN_OUT.search(remark_at(step.source.lines, first)):
            return True
    return _EAGER_FILE.search(os.path.basename(step.source.path)) is not None


def eager_call(graph: PipelineGraph, loop: ast.AST) -> ast.Call | None:
    """The call of a Keras model for what a loop got, in every pass of one that trains nothing and runs to its end."""
    parts = list(parts_of(loop))
    if any(_is_tape(node) or isinstance(node, ast.Break) or last_name(node) in _SHOWING for node in parts):
        return None
    for call in calls_in_every_pass(loop):
        if takes_element(loop, call) and _is_keras_model(graph, call.func):
            return call
    return None


def _is_keras_model(graph: PipelineGraph, node: ast.expr) -> bool:
    """Is it a model of Keras for sure, whose call nobody has made a `tf.function`?"""
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return False
    found = syntax_of(graph.source).scopes.binds(node.id, node) if isinstance(node, ast.Name) else None
    if found is not None and not all(isinstance(binding, ast.Name) for binding in found[1]):
        # It is a parameter, say.
        return False
    return graph.once(_holds_models, graph.tree, ast.unparse(node))


def _holds_models(graph: PipelineGraph, tree: ast.Module, written: str) -> bool:
    """Is all that is assigned to a name a model of Keras, with the call that it was made with?"""
    scopes, made = syntax_of(graph.source).scopes, values_of(tree, written)
    if not made or any(values_of(tree, f"{written}.{name}") for name in ("call", "__call__")):
        return False
    return all(
        isinstance(value, ast.Call) and _MODELS.fullmatch(plain(scopes.full_name(value.func))) is not None
        for value in made
    )


def _steps_called(graph: PipelineGraph, source: Source, code: ast.AST, depth: int, is_updated: bool) -> Iterator[Step]:
    """The functions that code calls, in every pass where it is a loop, and that train."""
    for call in _own_calls(code):
        for function in _run_for(graph, source, callee(call)):
            if is_plain_function(graph, source, function):
                for step in _steps_in(graph, source, function, depth, is_updated):
                    yield replace(step, call=call)


def _run_for(graph: PipelineGraph, source: Source, called: ast.expr) -> list[ast.FunctionDef]:
    """The one function of a module that a call runs, or the methods of the classes that it makes objects of."""
    tree = source.tree
    function = defined(tree, called) if tree is not None else None
    found = [function] if function is not None else []
    if tree is None or found or not ast.unparse(called).startswith("self."):
        return found
    around, classes = way(tree, called), graph.once(_classes, source)
    for cls in classes.values():
        line = [cls]
        for one in line:
            line += [base for name in map(last_name, one.bases) if (base := classes.get(name)) and base not in line]
        if any(one in around for one in line) and next(calls_of(tree, cls.name), None) is not None:
            body = (part for one in line for part in one.body if isinstance(part, ast.FunctionDef))
            found += [part for part in body if part.name == last_name(called)][:1]
    return list(dict.fromkeys(found))


def _steps_in(
    graph: PipelineGraph, source: Source, function: ast.FunctionDef, depth: int, is_updated: bool = False
) -> Iterator[Step]:
    """`is_updated`: who calls it changes the variables, by the gradients that it returns, say."""
    tape = _tape_in(source, function)
    if tape is not None and (is_updated or _updates(function) or _hands_on(graph, source, function)):
        yield Step(tape, function, _is_plain(function), source, tape)
    elif tape is None and depth < _DEEP:
        yield from _steps_called(graph, source, function, depth + 1, _updates(function))


def _hands_on(graph: PipelineGraph, source: Source, code: ast.AST) -> bool:
    """Does a function that it gives its tape or gradients to change the variables?"""
    items = (item for part in parts_of(code) if isinstance(part, ast.With) and _is_tape(part) for item in part.items)
    known = made_of(code, {name for item in items for name in names(*filter(None, [item.optional_vars]))})
    calls = (call for call in _own_calls(code) if names(*call.args) & known)
    return any(map(_updates, (one for call in calls for one in _run_for(graph, source, call.func))))


def _steps_elsewhere(graph: PipelineGraph, loop: ast.AST) -> Iterator[Step]:
    """The functions of other modules, and methods of objects, that a loop calls, and that train."""
    for call in _own_calls(loop):
        source, function = called_elsewhere(graph, callee(call))
        if source is None or source.tree is None or function is None or "GradientTape" not in source.text:
            continue
        is_called_here = _is_only_called(graph.tree, graph.source.text, function.name)
        if not is_never_eager(source.text) and is_called_here and is_plain_function(graph, source, function):
            for step in _steps_in(graph, source, function, 0):
                yield replace(step, call=call)


def _steps_built(graph: PipelineGraph, loop: ast.AST) -> Iterator[Step]:
    """The functions that a builder of the project returns as they are: `step = make_step(model)`."""
    for call in _own_calls(loop):
        called = callee(call)
        # What a builder gives has a name of its own; most calls in a loop are methods.
        is_held = isinstance(called, ast.Name) or ast.unparse(called).startswith("self.")
        match origins(graph, called) if is_held else ():
            case [Place(ast.FunctionDef(decorator_list=decorators) as function, source)]:
                syntax = syntax_there(source, graph.source)
                uses_of = uses(syntax, function.name, function)
                is_built = any(use.kind == "returned" for use in uses_of)
                is_plain = all(use.kind in ("returned", "called") for use in uses_of)
                if is_built and is_plain and all(map(runs_it_as_it_is, decorators)) and not is_never_eager(source.text):
                    for step in _steps_in(graph, source, function, 0):
                        yield replace(step, call=call)


def called_elsewhere(graph: PipelineGraph, called: ast.expr) -> tuple[Source | None, ast.FunctionDef | None]:
    """The function of another module, or the method of an object that the module makes, and where it stands."""
    full = syntax_of(graph.source).scopes.full_name(called)
    source, rest = graph.locate(full) if full else (None, "")
    owner: ast.AST | None = source.tree if source is not None else None
    made = values_of(graph.tree, ast.unparse(called.value)) if isinstance(called, ast.Attribute) and not full else []
    match made:
        case [ast.Call(func=kind)]:
            source, owner = class_of(graph, graph.source, kind)
            rest = last_name(called)
    body = owner.body if isinstance(owner, (ast.Module, ast.ClassDef)) else ()
    return source, next((part for part in body if isinstance(part, ast.FunctionDef) and part.name == rest), None)


def _own_calls(code: ast.AST) -> Iterator[ast.Call]:
    return (node for node in parts_of(code) if isinstance(node, ast.Call))


def _tape_in(source: Source, code: ast.AST) -> ast.With | ast.Call | None:
    for node in parts_of(code):
        if isinstance(node, ast.With) and _is_tape(node):
            return node
        match node:
            case ast.Call(func=ast.Attribute(attr="minimize") as func, args=[loss, *_]):
                # What an optimizer gets; `scipy.optimize.minimize` calls its function with an argument.
                if not syntax_of(source).scopes.full_name(func) and _gives_a_loss(source, loss):
                    return node
    return None


def _gives_a_loss(source: Source, node: ast.expr) -> bool:
    """Is it a function without parameters, and without a decorator?"""
    found = syntax_of(source).scopes.binds(node.id, node) if isinstance(node, ast.Name) else (None, [node])
    match found:
        case (_, [ast.FunctionDef(decorator_list=[]) | ast.Lambda() as function]):
            return not ast.unparse(function.args)
    return False


def _is_tape(node: ast.AST) -> bool:
    return isinstance(node, ast.With) and any(last_name(item.context_expr) == "GradientTape" for item in node.items)


def _updates(code: ast.AST) -> bool:
    return any(last_name(call) in _UPDATES for call in _own_calls(code))


def _is_plain(code: ast.AST) -> bool:
    if any(last_name(call) in _OF_PYTHON for call in _own_calls(code)):
        return False
    return not any(isinstance(node, ast.Name) and node.id in _ARRAYS for node in parts_of(code))


def runs_it_as_it_is(decorator: ast.expr) -> bool:
    return ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator) in _DECORATORS


def is_plain_function(graph: PipelineGraph, source: Source, function: ast.AST) -> bool:
    """Is a function what its `def` says: nothing is around it but plain functions, and nobody may put more there?"""
    if not isinstance(function, ast.FunctionDef) or source.tree is None:
        return False
    for decorator in function.decorator_list:
        around = _wrapper_of(graph, syntax_of(source), decorator)
        if not runs_it_as_it_is(decorator) and (around is None or "raph" in ast.unparse(around.function)):
            return False
    return _is_only_called(source.tree, source.text, function.name)


def _wrapper_of(graph: PipelineGraph, syntax: Syntax, decorator: ast.expr) -> Code | None:
    """The function that a decorator of the project puts in place of another, if all that it does is to call that."""
    code = code_of(graph, syntax, decorator.func if isinstance(decorator, ast.Call) else decorator)
    maker = code.function if code is not None and not code.function.decorator_list else None
    if maker is not None and isinstance(decorator, ast.Call):
        maker = _given_by(maker)
    wrapper = _given_by(maker) if maker is not None else None
    if code is None or maker is None or wrapper is None or not maker.args.args:
        return None
    found = uses(code.syntax, maker.args.args[0].arg, maker.body[0])
    is_called = all(use.kind == "called" or last_name(use.by) in _NAMING for use in found)
    is_bare = all(last_name(one) in _NAMING for one in wrapper.decorator_list)
    return Code(code.syntax, wrapper) if is_called and is_bare else None


def _given_by(function: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.FunctionDef | None:
    """The function that is defined in one and that it returns as it is."""
    inner = {part.name: part for part in function.body if isinstance(part, ast.FunctionDef)}
    match [node.value for node in own_nodes(function.body) if isinstance(node, ast.Return)]:
        case [ast.Name(id=name)]:
            return inner.get(name)
    return None


@lru_cache(maxsize=8)
def _is_only_called(tree: ast.Module, text: str, function: str) -> bool:
    """Is nothing done with what has this name but to call it?"""
    near = list(nodes_on(tree, rows_with(text, whole(function))))
    called: set[int] = set()
    handed: set[int] = set()
    for node in near:
        match node:
            case ast.Call(func=func, args=[first, *_]) if last_name(func) in RUNNERS:
                called |= {id(func), id(first)}
            case ast.Call(func=func):
                called.add(id(func))
        match node:
            case ast.Call(args=args, keywords=keywords):
                handed |= {id(argument) for argument in (*args, *(keyword.value for keyword in keywords))}
            case ast.Assign(targets=targets, value=value):
                handed |= {id(value), *map(id, targets)}
    for node in near:
        match node:
            case ast.Name(id=name) if name == function and id(node) not in called:
                return False
            case ast.Attribute(attr=name) if name == function and id(node) in handed - called:
                return False
    return True
