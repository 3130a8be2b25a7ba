"""Functions of TensorFlow that take one string, and are given a batch of them."""

from __future__ import annotations

from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.elements import inside
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.stages import Call, Stage
from tfdata_lint.pipeline.nouns.structure import Tensor
from tfdata_lint.pipeline.nouns.values import Constant, Element, Expr, Value

#: By what they call their string. Measured: each raises ValueError when it is traced with a string of rank 1.
_PARAMETERS = {
    "serialized": ("tensorflow.io.parse_single_example", "tensorflow.io.parse_single_sequence_example",
                   "tensorflow.parse_single_example", "tensorflow.parse_single_sequence_example"),
    "contents": ("tensorflow.io.decode_and_crop_jpeg", "tensorflow.io.decode_bmp", "tensorflow.io.decode_gif",
                 "tensorflow.io.decode_image", "tensorflow.io.decode_jpeg", "tensorflow.io.decode_png",
                 "tensorflow.image.decode_image", "tensorflow.image.decode_jpeg", "tensorflow.image.decode_png",
                 "tensorflow.audio.decode_wav"),
    "filename": ("tensorflow.io.read_file", "tensorflow.read_file"),
}  # fmt: skip
_STRINGS = {name: parameter for parameter, names in _PARAMETERS.items() for name in names}
#: These leave elements as they are.
_KEEPING = ("prefetch", "shuffle", "cache", "repeat", "take", "skip", "with_options")
_OF_BATCHES = {
    "parse_single_example": "tf.io.parse_example",
    "parse_single_sequence_example": "tf.io.parse_sequence_example",
}


_LATER = "The first batch raises an InvalidArgumentError"


class Misfit(NamedTuple):
    """A call that raises when the mapped function is traced."""

    call: Call
    called: str
    """As it is displayed: `tf.io.decode_jpeg`."""
    instead: str
    """What takes a batch; empty where nothing does."""
    cost: str


def of_a_batch(stage: Stage) -> Misfit | None:
    """The call in the function of a `map` that is given a batch of strings and takes one."""
    function = stage.function
    calls = [call for call in function.calls if plain(call.name) in _STRINGS] if function is not None else []
    reading = inside(stage) if calls else None
    for call in calls:
        assert reading is not None
        name = plain(call.name)
        given = call.argument(0, _STRINGS[name])
        tensor = reading.tensor(given)
        is_batch = isinstance(tensor, Tensor) and tensor.dtype == "string" and bool(tensor.shape)
        if is_batch or (_is_as_given(given) and _are_batches(stage)):
            raised = "Tracing the function raises a ValueError" if is_batch else _LATER
            return Misfit(call, name.replace("tensorflow", "tf", 1), _OF_BATCHES.get(last(name), ""), raised)
    return None


def _is_as_given(value: Value | None) -> bool:
    """Is it a part of the element, and nothing that was made of it?"""
    match value.expr if isinstance(value, Element) else value:
        case Expr(by="parameter"):
            return True
        case Expr(by="item", of=(Expr(by="parameter"), Constant(str()))):
            return True
    return False


def _are_batches(stage: Stage) -> bool:
    """Are its elements what a `batch` before it has made, whatever their shape was?"""
    known = paths(stage.inputs[0])
    return known.always(lambda path: _last_op(path) in ("batch", "padded_batch"))


def _last_op(path: Path) -> str:
    return next((stage.op for stage in reversed(path.stages) if stage.op not in _KEEPING), "")
