"""TFD601."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.graph import PipelineGraph, Stage, SymbolUse, upstream
from tfdata_lint.rules.base import Finding, Fix, Related, Rule

#: Calls of TensorFlow and Keras that take `data_format`: other libraries have that word too.
_LAYERS = re.compile(
    r"(Depthwise|Separable)?Conv(olution)?[1-3]D(Transpose)?"
    r"|(Global)?(Max|Average|Avg)Pool(ing)?[1-3]D|(UpSampling|ZeroPadding|Cropping|SpatialDropout)[1-3]D"
    r"|(separable_|depthwise_)?conv[1-3]d(_transpose|_v2)?|(max|avg|average)_pool(ing)?([1-3]d)?(_v2)?"
    r"|space_to_depth|depth_to_space"
)
#: A test of one of these decides about the layout: both are there, and this is the one for its device.
_CHOICE = re.compile(r"data_format|channel|layout|nchw|nhwc|gpu|cuda|tpu|backend", re.IGNORECASE)
_IMAGES = re.compile(r"tensorflow\.(image\.|io\.(decode_(jpeg|png|image|bmp|gif)|decode_and_crop_jpeg))")
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

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        layers = [use for use in graph.uses if _is_channels_first(use)]
        transposes = list(_transposing(graph))
        if not (layers or transposes) or _is_for_others(graph.tree):
            return
        chosen = _chosen(graph.tree)
        yield from self._layers([use for use in layers if id(use.node) not in chosen])
        yield from self._transposes([stage for call, stage in transposes if id(call) not in chosen])

    def _layers(self, uses: list[SymbolUse]) -> Iterator[Finding]:
        places: dict[str, list[SymbolUse]] = {}
        for use in uses:
            places.setdefault(f"{use.definition} {use.name}", []).append(use)
        # One finding for each function: a model has one layout, in every layer.
        for first, *others in places.values():
            call = f'`{_called(first)}` is given `data_format="{_layout(first)}"`'
            if first.name != "data_format=":
                call = '`set_image_data_format("channels_first")` is called'
            more = f", and so are {len(others)} more calls of this function" if others else ""
            yield self.finding(
                first.span,
                call + more,
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
        return _LAYERS.fullmatch(_called(use)) is not None
    return use.name.endswith(".set_image_data_format") and _layout(use) == "channels_first"


def _called(use: SymbolUse) -> str:
    """The last part of the name of the called function."""
    match use.call:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name
    return ""


def _layout(use: SymbolUse) -> str:
    match use.node, use.call:
        case ast.Constant(value=str() as value), _:
            return value
        case _, ast.Call(args=[ast.Constant(value=str() as value), *_]):
            return value
        case _, ast.Call(keywords=[ast.keyword(value=ast.Constant(value=str() as value)), *_]):
            return value
    return ""


def _is_for_others(tree: ast.Module | None) -> bool:
    """Other frameworks have the same names and want channels first."""
    names: set[str] = set()
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module or "")
    return any(name.partition(".")[0] in _OTHERS for name in names)


def _chosen(tree: ast.Module | None) -> set[int]:
    """The `id`s of all nodes in branches whose condition asks for the layout or the device."""
    found: set[int] = set()
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, (ast.If, ast.IfExp)) and _CHOICE.search(ast.unparse(node.test)):
            found.update(id(inner) for inner in ast.walk(node))
    return found


def _transposing(graph: PipelineGraph) -> Iterator[tuple[ast.Call, Stage]]:
    """The transposes of images to channels first, and the maps that they are in."""
    for stage in graph.stages:
        if stage.op != "map" or stage.function is None or "tensorflow.transpose" not in stage.function.operations:
            continue
        if stage.function.node is not None and _holds_images(stage):
            yield from ((call, stage) for call in _transposes_of(stage.function.node))


def _holds_images(stage: Stage) -> bool:
    """Does this map, or one before it, work on images?"""
    functions = [stage.function, *(origin.function for origin in upstream(stage.inputs[0]))]
    return any(_IMAGES.match(name) for function in functions if function for name in function.operations)


def _transposes_of(function: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or ast.unparse(node.func).rpartition(".")[2] != "transpose":
            continue
        given = [*node.args[1:2], *(keyword.value for keyword in node.keywords if keyword.arg == "perm")]
        if any(_numbers(argument) in _TO_CHANNELS_FIRST for argument in given):
            yield node


def _numbers(node: ast.expr) -> list[object]:
    if not isinstance(node, (ast.List, ast.Tuple)):
        return []
    return [item.value if isinstance(item, ast.Constant) else None for item in node.elts]
