"""Which files a module writes, and with which compression."""

from __future__ import annotations

import ast
from collections.abc import Hashable

from tfdata_lint.pipeline.nouns.code import last_name, nodes_on, rows_with, whole
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Argument
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import Syntax, bound_value


def pattern(syntax: Syntax, given: Argument | None) -> Hashable:
    """The same, or the text of an f-string, of which others may fill in something else."""
    return _pattern_of(syntax, given.node) if given is not None else None


def _pattern_of(syntax: Syntax, node: ast.expr) -> Hashable:
    return ast.unparse(node) if isinstance(node, ast.JoinedStr) else _key_of(syntax, node)


def key(syntax: Syntax, given: Argument | None) -> Hashable:
    """What two paths have in common that are one: the text, or what binds the name; None where that is not known."""
    return _key_of(syntax, given.node) if given is not None else None


def _key_of(syntax: Syntax, node: ast.expr) -> Hashable:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.List(elts=[inner]):
            return _key_of(syntax, inner)
        case ast.Name(id=name):
            _, bound = syntax.scopes.binds(name, node) or (None, [])
            if len(bound) != 1:
                return None
            value = bound_value(syntax.way(bound[0]))
            return value.value if isinstance(value, ast.Constant) else id(bound[0])
    return None


def written(graph: PipelineGraph, syntax: Syntax) -> dict[tuple[bool, Hashable], dict[object, Span]]:
    """The compressions that files are written with, `...` where that is not known, and where; by path."""
    found: dict[tuple[bool, Hashable], dict[object, Span]] = {}
    for node in nodes_on(syntax.tree, rows_with(graph.source.text, whole("TFRecordWriter"))):
        if isinstance(node, ast.Call) and last_name(node) == "TFRecordWriter":
            given = [*node.args, *(k.value for k in node.keywords if k.arg in ("path", "filename"))]
            path = _pattern_of(syntax, given[0]) if given else None
            if path is not None and syntax.scopes.full_name(node.func).startswith("tensorflow."):
                found.setdefault((False, path), {}).setdefault(_compression(syntax, node), span_of(node, graph.file))
    for consumer in graph.consumers:
        if consumer.kind == "save" and (path := pattern(syntax, consumer.arguments.get("path"))) is not None:
            compression = consumer.literal("compression") or ""
            found.setdefault((True, path), {}).setdefault(compression, consumer.span)
    return found


def _compression(syntax: Syntax, writer: ast.Call) -> object:
    """What a writer compresses with: "GZIP", "" for nothing, `...` where that is not known."""
    named = [k.value for k in writer.keywords if k.arg in ("options", "compression_type")]
    if any(k.arg is None for k in writer.keywords):
        return ...
    return _named([*writer.args[1:2], *named], syntax)


def _named(given: list[ast.expr], syntax: Syntax) -> object:
    match given:
        case [] | [ast.Constant(value=None)]:
            return ""
        case [ast.Constant(value=str(text))]:
            return text
        case [ast.Attribute(attr="GZIP" | "ZLIB" as text)]:
            return text
        case [ast.Call() as options] if last_name(options) == "TFRecordOptions":
            return _named(
                [*options.args[:1], *(k.value for k in options.keywords if k.arg == "compression_type")], syntax
            )
        case [ast.Name(id=name) as node]:
            _, bound = syntax.scopes.binds(name, node) or (None, [])
            value = bound_value(syntax.way(bound[0])) if len(bound) == 1 else None
            return _named([value], syntax) if value is not None and not isinstance(value, ast.Name) else ...
    return ...
