"""Which files a module writes, with which compression and which features, and when their folder is gone."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from tfdata_lint.pipeline.facts.path import paths_given
from tfdata_lint.pipeline.nouns.code import last_name, nodes_on, rows_with, whole
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.switches import calls_named
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.origins import argument, origins
from tfdata_lint.pipeline.python.values import HOLE, texts_at, value_at
from tfdata_lint.source.module import Source

_TYPES = {"int64_list": "int64", "float_list": "float32", "bytes_list": "string"}


class Written(NamedTuple):
    """A file, as a pattern, that is written."""

    is_saved: bool
    """By `save`, for `load`."""
    path: str
    compression: object
    """`"GZIP"`, "" for none, `...` where that is not known."""
    span: Span


def written(graph: PipelineGraph) -> list[Written]:
    found: list[Written] = []
    scopes = syntax_of(graph.source).scopes
    nodes = nodes_on(graph.tree, rows_with(graph.source.text, whole("TFRecordWriter")))
    calls = [node for node in nodes if isinstance(node, ast.Call) and last_name(node) == "TFRecordWriter"]
    writers = [
        ("path", call, _compression(graph, call))
        for call in calls
        if scopes.full_name(call.func).startswith("tensorflow.")
    ]
    zipping = (call for _, call in calls_named(graph, "gzip.open") if _is_for_writing(graph, call))
    writers += [("filename", call, "GZIP") for call in zipping]
    for name, call, compression in writers:
        if (given := argument(graph, call, 0, name, graph.source)) is not None:
            found += [Written(False, pattern_of(path), compression, span_of(call, graph.file))
                      for path in texts_at(graph, *given)]  # fmt: skip
    for consumer in graph.consumers:
        if consumer.kind == "save" and "path" in consumer.arguments:
            paths = paths_given(graph, consumer.arguments["path"], consumer.span.file)
            compression = consumer.literal("compression") or ""
            found += [Written(True, pattern_of(path), compression, consumer.span) for path in paths]
    return found


def _is_for_writing(graph: PipelineGraph, call: ast.Call) -> bool:
    given = argument(graph, call, 1, "mode", graph.source)
    mode = value_at(graph, *given) if given is not None else "rb"
    return isinstance(mode, str) and mode[:1] in ("w", "a", "x")


def _compression(graph: PipelineGraph, call: ast.Call) -> object:
    """What a writer, or its options, are told to compress with."""
    is_writer = last_name(call) == "TFRecordWriter"
    given = argument(graph, call, 1 if is_writer else 0, "options" if is_writer else "compression_type", graph.source)
    if given is None:
        return ""
    found = {_said(graph, place.node, place.source) for place in origins(graph, *given)}
    return found.pop() if len(found) == 1 else ...


def _said(graph: PipelineGraph, node: ast.AST, source: Source) -> object:
    if isinstance(node, ast.Call) and last_name(node) == "TFRecordOptions":
        return _compression(graph, node)
    if isinstance(node, ast.Attribute) and node.attr in ("GZIP", "ZLIB", "NONE"):
        return "" if node.attr == "NONE" else node.attr
    return value_at(graph, node, source) or ""


def features(graph: PipelineGraph) -> dict[str, set[str]]:
    """The dtypes of the features that a module writes, by their names; "" where that is not known."""
    found: dict[str, set[str]] = {}
    for node in nodes_on(graph.tree, rows_with(graph.source.text, r"[Ff]eature")):
        for key, value in zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ():
            made = origins(graph, value)
            words = [
                one.node.keywords for one in made if isinstance(one.node, ast.Call) and last_name(one.node) == "Feature"
            ]
            if isinstance(key, ast.Constant) and words:
                types = {_TYPES.get(word[0].arg or "", "") if len(word) == 1 else "" for word in words}
                found.setdefault(str(key.value), set()).update(types)
    return found


def pattern_of(path: str) -> str:
    """What two paths share that name the same files: numbers and the like in a name become a `*`, a folder does not."""
    hole = f"{HOLE}[^{HOLE}]*{HOLE}"
    folder = found[0] if (found := re.match(hole, path)) else ""
    return folder + re.sub(hole, "*", path[len(folder) :])
