"""Where layers are told to have their channels first."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.knowledge.words import CHANNELS_FIRST, SET_LAYOUT
from tfdata_lint.pipeline.nouns.code import last_name, nodes_on, rows_with
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.project.eras import tests_around
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import Syntax, bound_value, syntax_of
from tfdata_lint.source.trees import walk

#: Calls of TensorFlow and Keras that take `data_format`: other libraries have that word too.
_LAYERS = (
    r"(Depthwise|Separable)?Conv(olution)?[1-3]D(Transpose)?"
    r"|(Global)?(Max|Average|Avg)Pool(ing)?[1-3]D|(UpSampling|ZeroPadding|Cropping|SpatialDropout)[1-3]D"
    r"|(separable_|depthwise_)?conv[1-3]d(_transpose|_v2)?|(max|avg|average)_pool(ing)?([1-3]d)?(_v2)?"
    r"|space_to_depth|depth_to_space"
)
#: A test of one of these decides about the layout: both are there, and this is the one for its device.
_CHOICE = r"(?i)data_format|channel|layout|nchw|nhwc|gpu|cuda|tpu|backend"
_OF_GPU = r"(?i)gpu|cuda"
#: Functions that hand the layout on to others.
_DEEPEST = 2


class Layout(NamedTuple):
    """A call that is told to have the channels first."""

    called: str
    text: str
    """What is said: `channels_first`, `NCHW`."""
    span: Span
    definition: str
    """The function that it is in, or what it sets for all."""
    is_global: bool = False
    is_for_gpu: bool = False
    """A test of whether there is a GPU decides it."""


def layouts(graph: PipelineGraph) -> Iterator[Layout]:
    """The calls of layers, and of functions that hand it on to layers, in the order of the source."""
    syntax = syntax_of(graph.source)
    for use in graph.uses:
        is_layout = last(use.name) == SET_LAYOUT and use.text == "channels_first"
        is_layer = use.name == "data_format=" and (_is_layer(use.called) or _hands_on(graph, use.called, 0))
        if (is_layout or is_layer) and not chosen(graph, use.node):
            yield Layout(use.called, use.text, use.span, _around(syntax, use.node, use.name), is_layout)
    for call, value in _calls(graph):
        said, is_for_gpu = _said(graph, syntax, value)
        if said and _is_layer(last_name(call)) and not chosen(graph, call):
            place = _around(syntax, call, "data_format=")
            yield Layout(last_name(call), said, span_of(value, graph.file), place, is_for_gpu=is_for_gpu)


def _around(syntax: Syntax, node: ast.AST, name: str) -> str:
    """The functions and classes that a node is in, and what is set there."""
    steps = [step for step in syntax.way(node) if isinstance(step, (ast.FunctionDef, ast.ClassDef, ast.Lambda))]
    return " ".join([*(str(step.lineno) for step in steps), name])


def chosen(graph: PipelineGraph, node: ast.AST) -> bool:
    """Does one of the conditions around ask for the layout or the device, or are they not seen?"""
    tests = tests_around(graph, node)
    return tests is None or any(re.search(_CHOICE, test) for test in tests)


def _is_layer(called: str) -> bool:
    return re.fullmatch(_LAYERS, called) is not None


def _calls(graph: PipelineGraph) -> Iterator[tuple[ast.Call, ast.expr]]:
    """The calls that are given a `data_format` that is not a literal."""
    rows = rows_with(graph.source.text, r"data_format\s*=")
    for node in nodes_on(graph.tree, rows) if graph.tree is not None and rows else ():
        if not isinstance(node, ast.Call):
            continue
        for keyword in node.keywords:
            if keyword.arg == "data_format" and isinstance(keyword.value, (ast.Name, ast.IfExp)):
                yield node, keyword.value


def _said(graph: PipelineGraph, syntax: Syntax, node: ast.expr) -> tuple[str, bool]:
    """The layout that an expression is, where it has the channels first, and whether that is so for GPUs alone."""
    match node:
        case ast.IfExp(test=test, body=ast.Constant(value=one), orelse=ast.Constant(value=other)):
            return (one, True) if one in CHANNELS_FIRST and _asks_for_gpu(test) and _is_last(other) else ("", False)
        case ast.Name(id=name):
            _, bindings = syntax.scopes.binds(name, node) or (None, [])
            values = [bound_value(syntax.way(binding)) for binding in bindings]
            if len(values) == 1 and isinstance(values[0], ast.IfExp):
                return _said(graph, syntax, values[0])
            texts = [value.value if isinstance(value, ast.Constant) else None for value in values]
            firsts = [(text, binding) for text, binding in zip(texts, bindings, strict=True) if text in CHANNELS_FIRST]
            if len(firsts) == 1 and len(texts) == 1 and not chosen(graph, bindings[0]):
                return str(texts[0]), False
            if len(firsts) == 1 and all(text in CHANNELS_FIRST or _is_last(text) for text in texts):
                tests = tests_around(graph, firsts[0][1]) or []
                return (str(firsts[0][0]), True) if any(map(_asks, tests)) else ("", False)
    return "", False


def _is_last(text: object) -> bool:
    return isinstance(text, str) and text in ("channels_last", "NHWC", "NDHWC")


def _asks_for_gpu(test: ast.expr) -> bool:
    return _asks(ast.unparse(test))


def _asks(test: str) -> bool:
    return re.search(_OF_GPU, test) is not None and not re.search(r"\bnot\b|==\s*0|is None", test)


def _hands_on(graph: PipelineGraph, called: str, depth: int) -> bool:
    """Is it a function of the file that hands its `data_format` on to a layer, as it is?"""
    nodes = walk(graph.tree) if graph.tree is not None and depth < _DEEPEST else ()
    defined = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == called]
    own = list(walk(defined[0])) if len(defined) == 1 else []
    if any(_is_it(part) and isinstance(part.ctx, ast.Store) for part in own if isinstance(part, ast.Name)):
        return False
    given = [part for part in own if isinstance(part, ast.Call) and any(_is_handed(word) for word in part.keywords)]
    return any(
        (_is_layer(last_name(call)) or _hands_on(graph, last_name(call), depth + 1)) and not chosen(graph, call)
        for call in given
    )


def _is_handed(keyword: ast.keyword) -> bool:
    return keyword.arg == "data_format" and _is_it(keyword.value)


def _is_it(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "data_format"
