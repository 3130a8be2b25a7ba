"""Cache files that each pass of a loop gives the same name, but puts other elements into."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from tfdata_lint.pipeline.nouns.code import given_to, holds, last_name, made_of, names
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.bindings import COMPREHENSIONS, FUNCTIONS
from tfdata_lint.pipeline.project.syntax import bound_value, default_of, syntax_of
from tfdata_lint.pipeline.python.runs import code_of
from tfdata_lint.source.trees import walk

#: Who removes the files between two passes.
_CLEARS = r"\b(?:remove|rmtree|unlink|rmdir|TemporaryDirectory|mkdtemp|chdir)\b"
#: These make the same path of the same parts.
_PATHS = frozenset({"join", "str", "format", "Path", "PurePath", "fspath", "joinpath", "with_suffix", "abspath"})
#: Calls on the way from a loop to a cache, and names of names.
_DEEPEST, _NAMES = 3, 6


class _Step(NamedTuple):
    """A loop, or a function on the way from it to a cache."""

    code: ast.AST
    given: dict[str, ast.expr]
    """What the call that leads there gives for the parameters."""
    changing: set[str]
    """The names that are others in each pass."""


_Way: TypeAlias = "tuple[_Step, ...]"


def changes_in_loop(graph: PipelineGraph, cache: Stage, is_known: bool) -> bool:
    """Does each pass of a loop put other data through a cache, whose file is known, or made of what stays the same?"""
    known = paths(cache, cache.context.conditions).paths
    loops = [loop.node for loop in reversed(cache.context.loops) if isinstance(loop.node, (ast.For, *COMPREHENSIONS))]
    if not loops or len(known) != 1 or known[0].is_open or cache.node is None:
        return False
    loop, given = loops[0], cache.arguments["filename"].node
    for way in _ways(graph, (_Step(loop, {}, made_of(loop, _targets(loop))),), cache.node):
        if any(re.search(_CLEARS, ast.unparse(step.code)) for step in way):
            continue
        if not is_known and not (isinstance(given, ast.expr) and _stays(graph, given, way, _NAMES)):
            continue
        sources = [argument.node for argument in known[0].stages[0].arguments.values()]
        return any(names(node) & step.changing for node in sources for step in way if holds(step.code, node))
    return False


def _targets(loop: ast.AST) -> set[str]:
    return names(*(part.target for part in (loop, *getattr(loop, "generators", ())) if hasattr(part, "target")))


def _ways(graph: PipelineGraph, way: _Way, cache: ast.AST) -> Iterator[_Way]:
    """The calls from a loop to a cache each of which is given something that changes."""
    last = way[-1]
    if holds(last.code, cache):
        yield way
        return
    for call in (part for part in walk(last.code) if isinstance(part, ast.Call) and len(way) <= _DEEPEST):
        if not names(*call.args, *call.keywords) & last.changing:
            continue
        code = code_of(graph, syntax_of(graph.source), call.func)
        if code is None or code.syntax.tree is not graph.tree or any(code.function is step.code for step in way):
            continue
        given = given_to(code.function, call)
        changing = {name for name, value in given.items() if names(value) & last.changing}
        yield from _ways(graph, (*way, _Step(code.function, given, made_of(code.function, changing))), cache)


def _stays(graph: PipelineGraph, node: ast.expr, way: _Way, left: int) -> bool:
    """Is a text the same in each pass: of what is bound outside of the loop, without calls that may give another?"""
    # Without a file a cache is in memory, and each has its own.
    is_none = isinstance(node, (ast.IfExp, ast.BoolOp)) or (isinstance(node, ast.Constant) and not node.value)
    if left < 1 or is_none:
        return False
    parts = list(walk(node))
    calls = [part for part in parts if isinstance(part, ast.Call)]
    return all(last_name(call) in _PATHS for call in calls) and all(
        _is_field_kept(graph, part, way)
        if isinstance(part, ast.Attribute)
        else not isinstance(part, ast.Name) or _is_name_kept(graph, part, way, left)
        for part in parts
    )


def _is_field_kept(graph: PipelineGraph, node: ast.Attribute, way: _Way) -> bool:
    """Does no code on the way set a field of this name?"""
    stores = list(syntax_of(graph.source).stores(node.attr))
    return not any(holds(step.code, store) for step in way for store in stores)


def _is_name_kept(graph: PipelineGraph, node: ast.Name, way: _Way, left: int) -> bool:
    syntax, last = syntax_of(graph.source), way[-1]
    scope, bound = syntax.scopes.binds(node.id, node) or (None, [])
    if scope is not last.code or not isinstance(scope, FUNCTIONS):
        return not any(holds(step.code, one) for step in way for one in bound)
    for one in bound:
        if isinstance(one, ast.arg):
            if one.arg in ("self", "cls"):
                continue
            given, there = last.given.get(one.arg, default_of(scope, one)), way[:-1]
        else:
            given, there = bound_value(syntax.way(one)), way
        if given is None or not _stays(graph, given, there, left - 1):
            return False
    return True
