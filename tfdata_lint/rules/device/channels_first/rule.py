"""TFD601."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import canonical
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import mentions
from tfdata_lint.pipeline.nouns.results import literal_of
from tfdata_lint.pipeline.nouns.stages import Call, Stage, upstream
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Fix, Made, Related, Rule
from tfdata_lint.rules.device.channels_first.layouts import OF_JAX, Layout, is_alike, layouts
from tfdata_lint.rules.device.channels_first.moving import to_last

_IMAGES = r"tensorflow\.(image\.|io\.(decode_(jpeg|png|image|bmp|gif)|decode_and_crop_jpeg))"
_FOLDER = "image_dataset_from_directory"
#: Other frameworks have the same names and want channels first.
_OTHERS = {"equinox", "torch", "paddle", "mxnet", "mindspore", "oneflow"}
#: Words of code that computes in half precision.
_HALF = ("mixed_precision", "float16")
_TO_CHANNELS_FIRST = ([2, 0, 1], [0, 3, 1, 2])
_TO_CHANNELS_LAST = ([1, 2, 0], [0, 2, 3, 1])
#: The same by `moveaxis`, which counts from both ends.
_MOVES = {
    (-1, 0): [2, 0, 1], (2, 0): [2, 0, 1], (-1, -3): [2, 0, 1], (-1, 1): [0, 3, 1, 2], (3, 1): [0, 3, 1, 2],
    (0, -1): [1, 2, 0], (0, 2): [1, 2, 0], (-3, -1): [1, 2, 0], (1, -1): [0, 2, 3, 1], (1, 3): [0, 2, 3, 1],
}  # fmt: skip
_TRANSPOSING = ("tensorflow.transpose", "tensorflow.keras.ops.transpose", "tensorflow.keras.backend.permute_dimensions")

_COST = (
    "NVIDIA GPUs with tensor cores compute convolutions in channels-last order: the runtime transposes the tensors"
    " there and back, and a CPU often has no channels-first kernel at all"
)
_COST_OF_JAX = (
    "XLA computes convolutions in channels-last order on tensor cores, and transposes what it is given channels first;"
    " images are decoded channels last, and are transposed before as well"
)


class ChannelsFirst(Rule):
    code = "TFD601"
    name = "channels-first"
    group = "performance"
    summary = "Images are laid out channels first, which is slow on tensor cores"
    in_importers = True
    triggers = (
        "use:data_format= use:set_image_data_format call:transpose call:einsum call:moveaxis "
        "call:permute_dimensions text:channels_first text:NCHW text:NCDHW",
    )
    experiment = "transposes"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test:
            # A test tries both.
            return
        every = list(layouts(graph))
        if all(map(is_alike, every)):
            # The model may compute channels last, and give the result to them channels first.
            every = []
        found = list({layout.span: layout for layout in every}.values())
        transposes = list(_transposing(graph))
        if not graph.stages:
            # Convolutions of JAX alone are parts of libraries, which do as they are told.
            found = [layout for layout in found if layout.called != OF_JAX]
        if (found or transposes) and not _OTHERS & _packages(graph):
            # In float32 it costs where a GPU rounds it to TF32 only.
            is_half = mentions(graph, _HALF)
            keras = [layout for layout in every if layout.called != OF_JAX]
            yield from self._layers(found, target, is_half, to_last(graph, keras) if keras else None)
            yield from self._transposes(transposes, is_half)

    def _layers(self, found: list[Layout], target: Target, is_half: bool, fix: Made) -> Iterator[Finding]:
        places: dict[tuple[str, bool], list[Layout]] = {}
        for one in found:
            places.setdefault((one.definition, one.is_for_gpu), []).append(one)
        # One finding for each function: a model has one layout, in every layer.
        for first, *others in places.values():
            is_jax = first.called == OF_JAX
            call = f'`{first.called}` gets `{"dimension_numbers" if is_jax else "data_format"}="{first.text}"`'
            if first.is_global:
                call = '`set_image_data_format` gets `"channels_first"`'
            case = " where there is a GPU" if first.is_for_gpu else " by default" if first.is_default else ""
            more = (
                f", and so {'do' if len(others) > 1 else 'does'} {len(others)} more in this function" if others else ""
            )
            # Programs of TensorFlow 1 were written for the GPUs before tensor cores.
            is_advice = target.below(2, 0) or first.is_for_gpu or is_jax or not is_half
            yield self.finding(
                first.span,
                call + case + more,
                severity="advice" if is_advice else None,
                cost=_COST_OF_JAX if is_jax else _COST,
                advice='Use `"channels_last"` (`NHWC`) in the whole model and its input'
                + (", also on GPUs with tensor cores" if first.is_for_gpu else ""),
                confidence="likely",
                related=tuple(Related(other.span, "also channels first") for other in others),
                fix=None if is_jax else fix,
            )

    def _transposes(self, stages: list[Stage], is_half: bool) -> Iterator[Finding]:
        for stage in {stage.span: stage for stage in stages}.values():
            assert stage.function is not None
            yield self.finding(
                stage.span,
                f"`{stage.function.name}` moves the channels of images to the front",
                severity=None if is_half else "advice",
                cost=_COST,
                advice="Keep images channels last, as they were decoded, and build the model that way",
                confidence="likely",
                fix=Fix("display-only", "Remove the transpose", "every layer of the model must change with it"),
            )


def _transposing(graph: PipelineGraph) -> Iterator[Stage]:
    """The maps that transpose images to channels first, where no model of Hugging Face wants them so."""
    for stage in graph.stages:
        function = stage.function
        if stage.op != "map" or function is None or not _moves_to_front(function.calls):
            continue
        if function.node is not None and "pixel_values" in ast.unparse(function.node):
            continue
        if _holds_images(stage):
            yield stage


def _moves_to_front(calls: Iterable[Call]) -> bool:
    """Are the channels moved to the front, whatever tests in a function come out like, and not back again?"""
    orders = [(_order(call), call.sometimes) for call in calls]
    is_back = any(order in _TO_CHANNELS_LAST for order, _ in orders)
    return not is_back and any(order in _TO_CHANNELS_FIRST and not sometimes for order, sometimes in orders)


def _order(call: Call) -> Any:
    """The order that a call brings axes into; `...` where it is not known, or the call does something else."""
    name, equation = canonical(call.name), literal_of(call.argument(0, "equation"))
    if name == "tensorflow.einsum" and isinstance(equation, str):
        # `bhwc->bchw`
        before, _, behind = equation.replace(" ", "").partition("->")
        return [before.find(letter) for letter in behind]
    if name.endswith(".moveaxis"):
        return _MOVES.get((literal_of(call.argument(1, "source")), literal_of(call.argument(2, "destination"))), ...)
    return literal_of(call.argument(1, "perm")) if name in _TRANSPOSING else ...


def _holds_images(stage: Stage) -> bool:
    """Does this map, or one before it, work on images, or say so of what it is given?"""
    before = [*upstream(stage.inputs[0])]
    functions = [stage.function, *(origin.function for origin in before)]
    if any(re.match(_IMAGES, name) for function in functions if function for name in function.operations):
        return True
    node = stage.function.node if stage.function is not None else None
    is_named = node is not None and re.search(r"(?i)image|img", ast.unparse(node)) is not None
    return any(one.op == _FOLDER or (is_named and one.op.startswith("tfds.")) for one in before)


def _packages(graph: PipelineGraph) -> set[str]:
    """What a module imports from, wherever in it."""
    return {name.partition(".")[0] for _, name in syntax_of(graph.source).imports()}
