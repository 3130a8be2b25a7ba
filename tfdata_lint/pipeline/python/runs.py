"""How often a place runs: in which loops, be it of its own function or of one that calls that."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from tfdata_lint.pipeline.nouns.code import holds, is_generator, last_name, nodes_on, rows_with, whole
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.bindings import COMPREHENSIONS, FUNCTIONS
from tfdata_lint.pipeline.project.syntax import Syntax, bound_value, syntax_of, syntax_there
from tfdata_lint.pipeline.python.origins import Place, origins
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import walk

Defined: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_LOOPS = (ast.For, ast.AsyncFor, ast.While, *COMPREHENSIONS)
#: These call a function that they are given for each item of something.
APPLYING = frozenset({
    "apply", "applymap", "imap", "imap_unordered", "map", "parallel_apply", "progress_apply", "progress_map", "starmap",
})  # fmt: skip
#: These call it once, now or later.
_STARTING = frozenset({"apply_async", "delayed", "partial", "remote", "submit"})
#: Calls that lead from a place to the loop around them.
_DEEPEST = 3


class Pass(NamedTuple):
    """A loop in each pass of which a place may run."""

    loop: ast.AST
    """A `for`, a `while`, a comprehension, or the call that is given a function to call for each item."""
    place: ast.AST
    """What stands in the loop: the place itself, or the call that leads there."""
    calls: tuple[ast.Call, ...] = ()
    """All calls on the way, outermost first."""


class Code(NamedTuple):
    """A function of the project, where it is written."""

    syntax: Syntax
    function: Defined


def syntax_at(graph: PipelineGraph, file: str) -> Syntax | None:
    """The text of the module that a part of a graph stands in."""
    source = graph.source_of(file)
    return syntax_there(source, graph.source) if source is not None and source.tree is not None else None


def loop_around(syntax: Syntax, node: ast.AST) -> ast.AST | None:
    """The innermost loop of its own function in which a node runs anew in each pass."""
    for inner, step in pairwise(reversed(syntax.way(node))):
        if isinstance(step, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            return None
        if isinstance(step, _LOOPS) and inner is not _once(step):
            return step
    return None


def _once(loop: ast.AST) -> ast.AST | None:
    """What of a loop runs before its first pass."""
    return getattr(loop, "iter", None) or next((part.iter for part in getattr(loop, "generators", ())), None)


def passes_of(syntax: Syntax, node: ast.AST, calls: tuple[ast.Call, ...] = ()) -> Iterator[Pass]:
    """The loops of a module in which a place runs, of its own function or else of each that calls it."""
    loop = loop_around(syntax, node)
    function = syntax.scopes.scope_of(node)
    if loop is not None:
        yield Pass(loop, node, calls)
    elif isinstance(function, FUNCTIONS) and len(calls) < _DEEPEST:
        for mention in mentions_of(syntax, function):
            *_, around, parent = syntax.way(mention)[:-1]
            if isinstance(around, ast.Call) and last_name(parent) == "partial" and last_name(around) in APPLYING:
                # `map(partial(f, model), items)`
                yield Pass(around, around, (around, *calls))
            elif isinstance(parent, ast.Call) and (parent.func is mention or last_name(parent) in _STARTING):
                yield from passes_of(syntax, parent, (parent, *calls))
            elif isinstance(parent, ast.Call) and last_name(parent) in APPLYING:
                yield Pass(parent, parent, (parent, *calls))


def mentions_of(syntax: Syntax, function: Defined) -> Iterator[ast.expr]:
    """Where a function of a module is named in it, or a method by an object that may have it."""
    cls = syntax.way(function)[-2]
    if function.name == "__call__" and isinstance(cls, ast.ClassDef):
        read = (node for node in syntax.once(_names_read) if node.id != cls.name)
        yield from (node for node in read if class_of(syntax, node) is cls)
    for node in nodes_on(syntax.tree, rows_with(syntax.text, whole(function.name))):
        if isinstance(node, (ast.Name, ast.Attribute)) and last_name(node) == function.name:
            if isinstance(node, ast.Name):
                found = syntax.scopes.binds(node.id, node)
                if found is not None and found[1] == [function] and not isinstance(cls, ast.ClassDef):
                    yield node
            elif isinstance(cls, ast.ClassDef):
                of = class_of(syntax, node.value)
                if of is None or cls in syntax.once(kin, of):
                    yield node


def _names_read(syntax: Syntax) -> list[ast.Name]:
    return [node for node in walk(syntax.tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]


def class_of(syntax: Syntax, receiver: ast.expr) -> ast.ClassDef | None:
    """The class of the module that something is, or an object of: `self` in its methods, `x = Class(…)`."""
    if isinstance(receiver, ast.Call) and isinstance(receiver.func, ast.Name):
        found = syntax.scopes.binds(receiver.func.id, receiver)
        match found:
            case (_, [ast.ClassDef() as cls]):
                return cls
    if isinstance(receiver, ast.Name) and (bound := syntax.scopes.binds(receiver.id, receiver)) is not None:
        match bound[1]:
            case [ast.arg() as argument] if argument.arg == "self":
                return next((step for step in reversed(syntax.way(argument)) if isinstance(step, ast.ClassDef)), None)
            case [ast.ClassDef() as cls]:
                return cls
            case [node]:
                value = bound_value(syntax.way(node))
                return class_of(syntax, value) if isinstance(value, ast.Call) else None
    return None


def kin(syntax: Syntax, cls: ast.ClassDef) -> list[ast.ClassDef]:
    """A class, then those of the module that it extends, then those that extend it, which `self` may be one of."""
    bases = syntax.once(_bases)
    found = [cls]
    for one in found:
        found += [base for base in bases.get(one, ()) if base not in found]
    extending = [one for one, those in bases.items() if cls in those]
    for one in extending:
        extending += [other for other, those in bases.items() if one in those and other not in extending]
    return list(dict.fromkeys([*found, *extending]))


def _bases(syntax: Syntax) -> dict[ast.ClassDef, list[ast.ClassDef]]:
    """The classes of a module that others extend."""
    found: dict[ast.ClassDef, list[ast.ClassDef]] = {}
    for cls in nodes_on(syntax.tree, rows_with(syntax.text, r"\bclass\s+\w+\s*\(")):
        names = cls.bases if isinstance(cls, ast.ClassDef) else []
        bound = (syntax.scopes.binds(base.id, base) for base in names if isinstance(base, ast.Name))
        bases = [one[1][0] for one in bound if one is not None and len(one[1]) == 1]
        if isinstance(cls, ast.ClassDef):
            found[cls] = [base for base in bases if isinstance(base, ast.ClassDef)]
    return found


def code_of(graph: PipelineGraph, syntax: Syntax, called: ast.expr) -> Code | None:
    """The function of the project that is called: of the module itself, a method, or one of another module."""
    if isinstance(called, ast.Attribute) and (cls := class_of(syntax, called.value)) is not None:
        codes = (_member(syntax, one, called.attr) for one in syntax.once(kin, cls))
        return next((code for code in codes if code is not None and not _says_nothing(code.function)), None)
    if isinstance(called, ast.Name) and (found := syntax.scopes.binds(called.id, called)) is not None:
        match found[1]:
            case [ast.FunctionDef() as function]:
                return Code(syntax, function)
    full = syntax.scopes.full_name(called)
    source, rest = graph.locate(full) if "." in full else (None, "")
    if source is None or source.tree is None:
        return None
    there = syntax_there(source, graph.source)
    return _member(there, there.tree, rest)


def _says_nothing(function: Defined) -> bool:
    """Do the classes below say what a method does?"""
    return all(isinstance(part, (ast.Expr, ast.Pass, ast.Raise)) for part in function.body) and not any(
        isinstance(part, ast.Call) for one in function.body if isinstance(one, ast.Expr) for part in walk(one)
    )


def _member(syntax: Syntax, owner: ast.Module | ast.ClassDef, name: str) -> Code | None:
    found = [step for step in owner.body if isinstance(step, FUNCTIONS) and step.name == name]
    return Code(syntax, found[0]) if len(found) == 1 else None


def code_in(graph: PipelineGraph, syntax: Syntax, code: ast.AST) -> Iterator[tuple[Syntax, ast.AST]]:
    """Some code, and the functions of the project that run in it."""
    todo: list[tuple[Syntax, ast.AST]] = [(syntax, code)]
    entered = {id(code)}
    while todo:
        there, part = todo.pop()
        yield there, part
        for found in graph.once(_run_in, there, part):
            if id(found.function) not in entered:
                entered.add(id(found.function))
                todo.append(found)


def _run_in(graph: PipelineGraph, syntax: Syntax, part: ast.AST) -> list[Code]:
    """The functions of the project that some code calls, and the properties that it asks."""
    found: list[Code] = []
    for node in walk(part):
        # An attribute may be a property.
        called = node.func if isinstance(node, ast.Call) else node if isinstance(node, ast.Attribute) else None
        code = graph.once(code_of, syntax, called) if called is not None else None
        if code is not None and (called is not node or is_property(code.function)):
            found.append(code)
    return found


def is_property(function: ast.AST) -> bool:
    return any("property" in last_name(decorator) for decorator in getattr(function, "decorator_list", ()))


def place_in(graph: PipelineGraph, loop: ast.AST, node: ast.AST) -> tuple[ast.AST, ast.AST] | None:
    """What of a loop of the module, which is known to run it, leads to a place, and the code that this stands in: the
    loop itself and the place, or a call in the loop and the function that runs for it."""
    if holds(loop, node):
        return node, loop
    syntax = syntax_of(graph.source)
    calls = (part for part in walk(loop) if isinstance(part, (ast.Call, ast.Attribute)) and syntax.way(loop))
    # The innermost of those that have it as an argument.
    found = [
        (call, part) for call in calls for _, part in code_in(graph, syntax, call) if graph.once(_holds, part, node)
    ]
    return found[-1] if found else _method_in(syntax, loop, node)


def _method_in(syntax: Syntax, loop: ast.AST, node: ast.AST) -> tuple[ast.AST, ast.AST] | None:
    """The one call in a loop of a method with a place, where only its name says so: `self.loader.get_batch()`."""
    function = syntax.scopes.scope_of(node) if syntax.way(node) else None
    if not isinstance(function, FUNCTIONS) or not isinstance(syntax.way(function)[-2], ast.ClassDef):
        return None
    named = [part for part in walk(loop) if isinstance(part, ast.Attribute) and part.attr == function.name]
    calls = [part for part in walk(loop) if isinstance(part, ast.Call) and part.func in named]
    is_one = len(calls) == len(named) == 1 and class_of(syntax, named[0].value) is None
    return (calls[0], function) if is_one else None


def _holds(graph: PipelineGraph, part: ast.AST, node: ast.AST) -> bool:
    return holds(part, node)


def generators_called(graph: PipelineGraph, call: ast.Call, source: Source | None) -> list[Place]:
    """The generator functions of the project that a call may run; none where it may run anything else."""
    found = origins(graph, call.func, source)
    generators = [one for one in found if isinstance(one.node, ast.FunctionDef) and is_generator(one.node)]
    return generators if len(generators) == len(found) else []


def constructor(graph: PipelineGraph, node: ast.AST) -> list[ast.stmt]:
    """The statements that make the object whose method a node stands in, which do not run that method."""
    syntax = syntax_of(graph.source)
    way = syntax.way(node)
    function = syntax.function_of(way)
    cls = way[way.index(function) - 1] if isinstance(function, ast.FunctionDef) else None
    if not isinstance(cls, ast.ClassDef) or not isinstance(function, ast.FunctionDef):
        return []
    for made in (step for step in cls.body if isinstance(step, ast.FunctionDef) and step.name == "__init__"):
        run = (part for _, code in code_in(graph, syntax, made) for part in walk(code))
        if made is not function and not any(last_name(part) == function.name for part in run):
            return made.body
    return []
