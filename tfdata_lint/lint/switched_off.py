"""What stands in a way that only an option opens which is off by default, and which the project switches on nowhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tfdata_lint.lint.unused import is_packaged
from tfdata_lint.pipeline.nouns.code import FUNCTIONS, last_name, nodes_on, rows_with, whole
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.purposes import TEST_WORDS, words
from tfdata_lint.pipeline.project.command_line import is_option, name_of, options_in
from tfdata_lint.pipeline.project.syntax import syntax_there
from tfdata_lint.pipeline.python.agreed import is_renamed
from tfdata_lint.pipeline.python.origins import Place, origins
from tfdata_lint.source.module import Source

#: Calls from a place up to the branch that leads to it, each dear to find; and steps from an option to its default.
_DEEPEST, _STEPS = 1, 20
_OFF: tuple[Any, ...] = (None, 0, -1, "", "none", "None", "off", "no", "false", "False", [], {})
#: Of an option that says what a program is run for, or on, none is the usual way.
_USUAL = TEST_WORDS | {
    "convert", "data", "dataset", "dir", "eval", "evaluate", "export", "file", "files", "folder", "input", "mode",
    "only", "path", "paths", "pattern", "train", "training",
}  # fmt: skip
#: What configurations are called.
_HOLDING = frozenset({"args", "cfg", "conf", "config", "configs", "environ", "flags", "hparams", "options", "params"})


def option_off(graph: PipelineGraph, span: Span) -> str:
    """The option without which nothing runs a place, where it is off by default; empty where something else may."""
    source, at = graph.source_of(span.file), (span.row, span.column)
    nodes = nodes_on(source.tree, [span.row]) if source is not None and source.tree is not None else ()
    around = [node for node in nodes if isinstance(node, (ast.expr, ast.stmt)) and (node.lineno, node.col_offset) <= at]
    around = [node for node in around if at < (node.end_lineno or 0, node.end_col_offset or 0)]
    return graph.once(_leading_to, around[-1], source, _DEEPEST) if around else ""


def _leading_to(graph: PipelineGraph, node: ast.AST, source: Source, left: int) -> str:
    way = syntax_there(source, graph.source).way(node)[::-1]
    tests = (one for inner, step in pairwise(way) for one in _tests(inner, step))
    found = [_asked(graph, test, source, holds, left) for test, holds in tests]
    if not any(found) and left:
        found = [_naming(graph, step, source, left - 1) for step in way if isinstance(step, FUNCTIONS[:2])]
    return next(filter(None, found), "")


def _tests(inner: ast.AST, step: ast.AST) -> Iterator[tuple[ast.expr, bool]]:
    """The tests on which a part of a step depends, each with the outcome that leads there."""
    match step:
        case ast.If(test=test, body=body) if inner is not test:
            yield test, inner in body
        case ast.IfExp(test=test, body=value) if inner is not test:
            yield test, inner is value


def _naming(graph: PipelineGraph, definition: Any, source: Source, left: int) -> str:
    """The option without which nothing names a function; empty where something may that is not seen."""
    option, name = "", definition.name
    for there in _users(graph, name, source) if name[:2] != "__" else ():
        syntax = syntax_there(there, graph.source)
        for node in nodes_on(syntax.tree, rows_with(there.text, whole(name))):
            is_read = isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
            if is_read and last_name(node) == name and definition not in syntax.way(node):
                option = graph.once(_leading_to, node, there, left)
                if not option:
                    return ""
        if is_renamed(there, name):
            return ""
    return option


def _users(graph: PipelineGraph, name: str, source: Source) -> Iterator[Source]:
    """A module and those that may name what it has by this name, first those that are most likely known."""
    yield source
    yield from graph.importers(source)
    yield from (graph.source, *graph.having(name))


def _asked(graph: PipelineGraph, test: ast.AST, source: Source, holds: bool, left: int) -> str:
    """The option that must be on for a test to come out so; empty where there is none, or it may be on."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _asked(graph, inner, source, not holds, left)
        case ast.BoolOp(op=op, values=values):
            found = [_asked(graph, value, source, holds, left) for value in values]
            return max(found) if isinstance(op, ast.And) is holds or all(found) else ""
        case ast.Compare(left=asked, ops=[op], comparators=[other]):
            limit = _value(other)
            if isinstance(op, (ast.NotEq, ast.IsNot) if holds else (ast.Eq, ast.Is)):
                return _off(graph, asked, source, left, (limit,))
            # What is off is not above 0, nor a text that says something; of several numbers each may be the usual one.
            is_text = isinstance(op, ast.Eq) and isinstance(limit, (bool, str)) and limit not in _OFF
            holds = holds and (is_text or (isinstance(op, ast.Gt) and limit == 0))
            return _off(graph, asked, source, left, _OFF) if holds else ""
    return _off(graph, test, source, left, _OFF) if holds else ""


def _off(graph: PipelineGraph, asked: Any, source: Source, left: int, off: tuple[Any, ...]) -> str:
    """The name of what a test asks, where all that this may be is off."""
    name = _key(asked) or last_name(asked)
    if not words(name).isdisjoint(_USUAL):
        return ""
    places = origins(graph, asked, source, _STEPS)
    places = places or [*_defined(graph, "" if isinstance(asked, ast.Name) else name, source)]
    for node, there in places:
        value = _value(node)
        if value is ... and left and node is not asked and off is _OFF:
            name = _asked(graph, node, there, True, left - 1)
        elif value not in _OFF or value not in off:
            return ""
        way = syntax_there(there, graph.source).way(node)
        option = next((name_of(step, there) for step in way if isinstance(step, ast.Call) and is_option(step)), "")
        # Others call the functions of a package, with what they like.
        is_given = value is not ... and not option and way and is_packaged(graph, there.path)
        if not name or is_given or graph.switches_on(option or name):
            return ""
    return name if places and not graph.switches_on(name) else ""


def _defined(graph: PipelineGraph, name: str, source: Source) -> Iterator[Place]:
    """What an option of this name is by default, or a key of a configuration, whoever handed that on to here."""
    for there in dict.fromkeys((source, graph.source)) if name else ():
        yield from (Place(default, there) for default in options_in(there).get(name, ()))
        rows = rows_with(there.text, rf"\.get\(\s*['\"]{name}['\"]")
        for node in nodes_on(syntax_there(there, graph.source).tree, rows):
            if isinstance(node, ast.Call) and _key(node) == name:
                yield Place(node, there)


def _key(node: ast.AST) -> str:
    """`x` of `params["x"]` and `params.get("x", 0)`."""
    match node:
        case (
            ast.Subscript(value=base, slice=ast.Constant(value=str() as key))
            | ast.Call(func=ast.Attribute(value=base, attr="get"), args=[ast.Constant(value=str() as key), *_])
        ):
            return key if words(last_name(base)) & _HOLDING and key.isidentifier() else ""
    return ""


def _value(node: Any) -> Any:
    """The literal that is written, or that a key has by default; `...` for what else there is."""
    if isinstance(node, ast.Call) and _key(node):
        return _value(node.args[1]) if node.args[1:] else None
    try:
        return ast.literal_eval(node) if isinstance(node, ast.expr) else ...
    except (ValueError, TypeError):
        return ...
