"""Functions of TensorFlow that take one string, and are given a batch of them."""

from __future__ import annotations

from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.elements import inside
from tfdata_lint.pipeline.nouns.fold import expressions
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.structure import Tensor
from tfdata_lint.pipeline.nouns.values import Expr

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
_OF_BATCHES = {
    "parse_single_example": "tf.io.parse_example",
    "parse_single_sequence_example": "tf.io.parse_sequence_example",
}


class Misfit(NamedTuple):
    """A call that raises when the mapped function is traced."""

    expr: Expr
    called: str
    """As it is displayed: `tf.io.decode_jpeg`."""
    instead: str
    """What takes a batch; empty where nothing does."""


def of_a_batch(stage: Stage) -> Misfit | None:
    """The call in the function of a `map` that is given a batch of strings and takes one."""
    calls = [expr for expr in expressions(stage.result) if plain(expr.by) in _STRINGS]
    reading = inside(stage) if calls else None
    for expr in calls:
        assert reading is not None
        name = plain(expr.by)
        given = expr.of[0] if expr.of else expr.named.get(_STRINGS[name])
        tensor = reading.tensor(given)
        if isinstance(tensor, Tensor) and tensor.dtype == "string" and tensor.shape:
            return Misfit(expr, name.replace("tensorflow", "tf", 1), _OF_BATCHES.get(last(name), ""))
    return None
