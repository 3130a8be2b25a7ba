"""TFD601."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.knowledge.words import SET_LAYOUT
from tfdata_lint.pipeline.nouns.code import calls_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.eras import tests_around
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Fix, Related, Rule

#: Calls of TensorFlow and Keras that take `data_format`: other libraries have that word too.
_LAYERS = (
    r"(Depthwise|Separable)?Conv(olution)?[1-3]D(Transpose)?"
    r"|(Global)?(Max|Average|Avg)Pool(ing)?[1-3]D|(UpSampling|ZeroPadding|Cropping|SpatialDropout)[1-3]D"
    r"|(separable_|depthwise_)?conv[1-3]d(_transpose|_v2)?|(max|avg|average)_pool(ing)?([1-3]d)?(_v2)?"
    r"|space_to_depth|depth_to_space"
)
#: A test of one of these decides about the layout: both are there, and this is the one for its device.
_CHOICE = r"(?i)data_format|channel|layout|nchw|nhwc|gpu|cuda|tpu|backend"
_IMAGES = r"tensorflow\.(image\.|io\.(decode_(jpeg|png|image|bmp|gif)|decode_and_crop_jpeg))"
#: Other frameworks have the same names and want channels first.
_OTHERS = {"torch", "paddle", "mxnet", "mindspore", "oneflow"}
_TO_CHANNELS_FIRST = ([2, 0, 1], [0, 3, 1, 2])

_COST = (
    "NVIDIA GPUs with tensor cores compute convolutions in channels-last order: the runtime transposes the tensors"
    " there and back, and a CPU often has no channels-first kernel at all"
)


class ChannelsFirst(Rule):
    code = "TFD601"
    name = "channels-first"
    group = "performance"
    summary = "Images are laid out channels first, which tensor cores do not want"
    triggers = ("use:data_format= use:set_image_data_format call:transpose",)
    experiment = "transposes"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test:
            # A test tries both.
            return
        layers = [use for use in graph.uses if _is_channels_first(use) and not _chosen(tests_around(graph, use.node))]
        transposes = list(_transposing(graph))
        if (layers or transposes) and not _OTHERS & _packages(graph):
            yield from self._layers(layers, target)
            yield from self._transposes(transposes)

    def _layers(self, uses: list[SymbolUse], target: Target) -> Iterator[Finding]:
        places: dict[str, list[SymbolUse]] = {}
        for use in uses:
            places.setdefault(f"{use.definition} {use.name}", []).append(use)
        # One finding for each function: a model has one layout, in every layer.
        for first, *others in places.values():
            call = f'`{first.called}` is given `data_format="{first.text}"`'
            if first.name != "data_format=":
                call = '`set_image_data_format("channels_first")` is called'
            more = f", and so are {len(others)} more calls of this function" if others else ""
            yield self.finding(
                first.span,
                call + more,
                # Programs of TensorFlow 1 were written for the GPUs before tensor cores.
                severity="advice" if target.below(2, 0) else None,
                cost=_COST,
                advice='Use `"channels_last"` (`NHWC`) in the whole model and its input',
                confidence="likely",
                related=tuple(Related(other.span, "also channels first") for other in others),
                fix=Fix("display-only", "Use channels last", "every layer and the input must change together"),
            )

    def _transposes(self, stages: list[Stage]) -> Iterator[Finding]:
        for stage in {stage.span: stage for stage in stages}.values():
            assert stage.function is not None
            yield self.finding(
                stage.span,
                f"`{stage.function.name}` moves the channels of images to the front",
                cost=_COST,
                advice="Leave images as they were decoded (channels last) and build the model that way",
                confidence="likely",
                fix=Fix("display-only", "Drop the transpose", "every layer of the model must change with it"),
            )


def _is_channels_first(use: SymbolUse) -> bool:
    if use.name == "data_format=":
        return re.fullmatch(_LAYERS, use.called) is not None
    return last(use.name) == SET_LAYOUT and use.text == "channels_first"


def _chosen(tests: list[str] | None) -> bool:
    """Does one of the conditions around ask for the layout or the device, or are they not seen?"""
    return tests is None or any(re.search(_CHOICE, test) for test in tests)


def _transposing(graph: PipelineGraph) -> Iterator[Stage]:
    """The maps that transpose images to channels first."""
    for stage in graph.stages:
        function = stage.function
        if stage.op != "map" or function is None or "tensorflow.transpose" not in function.operations:
            continue
        for call in calls_of(function.node, "transpose") if function.node and _holds_images(stage) else ():
            if _literals(call, 1, "perm") in _TO_CHANNELS_FIRST and not _chosen(tests_around(graph, call)):
                yield stage


def _holds_images(stage: Stage) -> bool:
    """Does this map, or one before it, work on images?"""
    functions = [stage.function, *(origin.function for origin in upstream(stage.inputs[0]))]
    return any(re.match(_IMAGES, name) for function in functions if function for name in function.operations)


def _literals(call: ast.Call, position: int, keyword: str) -> list[Any]:
    """What a call is given for a list of literals, positionally or by keyword; empty when it is no such list."""
    given = [*call.args[position : position + 1], *(other.value for other in call.keywords if other.arg == keyword)]
    match given:
        case [ast.List(elts=elements) | ast.Tuple(elts=elements)]:
            return [element.value if isinstance(element, ast.Constant) else ... for element in elements]
    return []


def _packages(graph: PipelineGraph) -> set[str]:
    """What a module imports from, wherever in it."""
    return {name.partition(".")[0] for _, name in syntax_of(graph.source).imports()}
