"""Where layers are told to have their channels first."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.words import CHANNELS_FIRST, SET_LAYOUT
from tfdata_lint.pipeline.nouns.code import holds, last_name, nodes_on, rows_with
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.project.command_line import is_option
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import bound_value, syntax_of, syntax_there
from tfdata_lint.pipeline.python.origins import Place, argument, decided, origins
from tfdata_lint.pipeline.python.values import value_at, values_at

#: Calls of TensorFlow and Keras that take `data_format`: other libraries have that word too.
_LAYERS = (
    r"(Depthwise|Separable)?Conv(olution)?[1-3]D(Transpose)?"
    r"|(Global)?(Max|Average|Avg)Pool(ing)?[1-3]D|(UpSampling|ZeroPadding|Cropping|SpatialDropout)[1-3]D"
    r"|(separable_|depthwise_)?conv[1-3]d(_transpose|_v2)?|(max|avg|average)_pool(ing)?([1-3]d)?(_v2)?"
    r"|space_to_depth|depth_to_space"
)
#: The convolution of JAX, which is told `("NCHW", "OIHW", "NCHW")`.
OF_JAX = "conv_general_dilated"
#: They average, pad, cut or drop along axes that they are told, which no layout makes slower.
_ALIKE = r"Global\w+|(ZeroPadding|Cropping|SpatialDropout)[1-3]D"
#: A test of one of these decides about the layout: both are there, and this is the one for its device.
_CHOICE = r"(?i)data_format|channel|layout|nchw|nhwc|gpu|cuda|tpu|backend"
_OF_GPU = r"(?i)gpu|cuda"
#: Where layers have it by position.
_POSITIONS = ((r"(Depthwise|Separable)?Conv[1-3]D", 4), (r"(Max|Average)Pool(ing)?[1-3]D", 3), (r"Global.*", 0))


class Layout(NamedTuple):
    """A call that is told to have the channels first."""

    called: str
    text: str
    """What is said: `channels_first`, `NCHW`."""
    span: Span
    call: ast.Call
    literal: Place
    definition: str
    """The function that it is in, or what it sets for all."""
    is_global: bool = False
    is_for_gpu: bool = False
    """A test of whether there is a GPU decides it."""
    is_default: bool = False
    """It is the default of an option, which whoever starts the program may change."""


def layouts(graph: PipelineGraph) -> Iterator[Layout]:
    """Where the layout of layers, and that of all of Keras, is said to have the channels first."""
    rows = rows_with(graph.source.text, r"data_format", r"\*\*\w", SET_LAYOUT, "Conv", "Pool", OF_JAX)
    for call in nodes_on(graph.tree, rows):
        if not isinstance(call, ast.Call):
            continue
        called = _called(graph, call)
        is_global = called == SET_LAYOUT
        if called == OF_JAX:
            given = argument(graph, call, 6, "dimension_numbers", graph.source)
            yield from _said(graph, call, called, given, False) if given is not None else ()
        elif is_global or is_layer(called):
            places = (position for name, position in _POSITIONS if re.fullmatch(name, called))
            given = argument(graph, call, 0 if is_global else next(places, -1), "data_format", graph.source)
            if given is not None and not _chosen(graph, Place(call, graph.source), may_ask=True):
                yield from _said(graph, call, called, given, is_global)


def _called(graph: PipelineGraph, call: ast.Call) -> str:
    """The last name of a layer or function that a call is one of, or makes a `partial` of, also by `getattr`."""
    func = call.args[0] if last_name(call) == "partial" and call.args else call.func
    name = last_name(func)
    if isinstance(func, ast.Call) and name == "getattr" and len(func.args) > 1:
        name = str(values_at(graph, func.args[1])[0])
    full = syntax_of(graph.source).scopes.full_name(call.func) if name == SET_LAYOUT else ""
    return name if name != SET_LAYOUT or full.startswith(("tensorflow.", "keras.", "tf_keras.")) else ""


def _said(graph: PipelineGraph, call: ast.Call, called: str, given: Place, is_global: bool) -> Iterator[Layout]:
    """Where it is written that a layer gets channels first, if that is so in any case, or wherever there is a GPU."""
    places = origins(graph, given.node, given.source)
    values = [value_at(graph, place.node, place.source) for place in places]
    # Of `("NCHW", "OIHW", "NCHW")` it is that of the images.
    values = [value[0] if isinstance(value, tuple) and value else value for value in values]
    texts = [value if isinstance(value, str) else None for value in values]
    is_mixed = not set(texts) <= CHANNELS_FIRST
    for place, text in zip(places, texts, strict=True):
        if text not in CHANNELS_FIRST or (is_global and text != "channels_first"):
            continue
        is_for_gpu = any(_asks(*test) for test in _tests(graph, place))
        # What is not known is what somebody may ask for instead.
        if is_mixed and not (is_for_gpu and all(one in (None, *CHANNELS_FIRST) or _is_last(one) for one in texts)):
            continue
        if not is_mixed and _chosen(graph, place, may_ask=holds(call, place.node)):
            continue
        # A name beside the layers is what they are given there; what is set far from them is to be changed there.
        # So is a table of all layouts.
        shown = given if _is_name_of(graph, given, place) or _is_in_table(graph, place) else place
        way = syntax_there(shown.source, graph.source).way(shown.node)
        around = [step for step in way[-3:-1] if not isinstance(step, ast.keyword)]
        is_default = any(map(is_option, way))
        is_called = around and isinstance(around[-1], ast.Call) and not is_global and not is_default
        name = last_name(around[-1]) if is_called and last_name(around[-1]) not in ("dict", "partial") else called
        where = _around(way, SET_LAYOUT if is_global else "data_format=")
        span = span_of(shown.node, shown.source.path)
        is_for_gpu = is_mixed or _chosen(graph, Place(call, graph.source))
        yield Layout(name, str(text), span, call, place, where, is_global, is_for_gpu, is_default)


def _is_name_of(graph: PipelineGraph, given: Place, place: Place) -> bool:
    """Is it a name that the same file binds to what is written at a place?"""
    syntax = syntax_there(given.source, graph.source)
    name = given.node
    _, bindings = (syntax.scopes.binds(name.id, name) if isinstance(name, ast.Name) else None) or (None, [])
    return any(bound is not None and holds(bound, place.node) for bound in map(bound_value, map(syntax.way, bindings)))


def _is_in_table(graph: PipelineGraph, place: Place) -> bool:
    """Does it stand in a dict that says channels last, too?"""
    table = syntax_there(place.source, graph.source).way(place.node)[-2:-1]
    return any(isinstance(one, ast.Dict) and any(_is_last(getattr(v, "value", 0)) for v in one.values) for one in table)


def _around(way: list[ast.AST], name: str) -> str:
    """The functions and classes that a node is in, and what is set there."""
    steps = [step for step in way if isinstance(step, (ast.FunctionDef, ast.ClassDef, ast.Lambda))]
    return " ".join([*(str(step.lineno) for step in steps), name])


def _tests(graph: PipelineGraph, place: Place) -> list[tuple[str, bool]]:
    """The open conditions around a piece of code, as written, and whether it stands where they do not hold."""
    way = syntax_there(place.source, graph.source).way(place.node)
    found = []
    for step in (step for step in way if isinstance(step, (ast.If, ast.IfExp))):
        others = step.orelse if isinstance(step, ast.If) else [step.orelse]
        if isinstance(step, ast.If) or decided(graph, step.test, place.source) is None:
            found.append((ast.unparse(step.test), any(holds(part, place.node) for part in others)))
    return found


def _chosen(graph: PipelineGraph, place: Place, may_ask: bool = False) -> bool:
    """Does one of the conditions around ask for the layout or the device, or are they not seen?

    `may_ask`: one that asks whether there is a GPU, and holds, does not count.
    """
    is_seen = bool(syntax_there(place.source, graph.source).way(place.node))
    tests = [test for test in _tests(graph, place) if re.search(_CHOICE, test[0])]
    return not is_seen or any(not (may_ask and _asks(*test)) for test in tests)


def is_layer(called: str) -> bool:
    return re.fullmatch(_LAYERS, called) is not None


def is_alike(layout: Layout) -> bool:
    """Is only this layer told so, and does it compute the same way in every layout?

    What comes from a name or a setting says how the model is laid out.
    """
    return re.fullmatch(_ALIKE, layout.called) is not None and holds(layout.call, layout.literal.node)


def _is_last(text: object) -> bool:
    return isinstance(text, str) and text in ("channels_last", "NHWC", "NDHWC")


def _asks(test: str, is_else: bool) -> bool:
    """Is this where there is a GPU?"""
    is_denied = re.search(r"\bnot\b|==\s*0|is None", test) is not None
    return re.search(_OF_GPU, test) is not None and is_denied == is_else
