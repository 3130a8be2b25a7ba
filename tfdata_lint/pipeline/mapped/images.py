"""How large the images are that a mapped function makes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import prod

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.mapped.record import Call
from tfdata_lint.pipeline.nouns.values import Constant, Sequence, Symbol, Value

_DECODED = re.compile(r"tensorflow\.(io|image)\.decode_(jpeg|png|image|bmp|webp)")
#: Functions that are told the height and width of what they give, and where.
_SIZED = {"resize": (1, "size"), "resize_images": (1, "size"), "random_crop": (1, "size")}
_CHANNELS = (1, 3, 4)
_FLOATS = (Symbol("tensorflow.float32"), Constant("float32"))
#: The same, in two arguments, by the place of the first.
_SIZED_APART = {"resize_with_pad": 1, "resize_with_crop_or_pad": 1, "resize_image_with_pad": 1,
                "resize_image_with_crop_or_pad": 1, "pad_to_bounding_box": 3, "crop_to_bounding_box": 3}  # fmt: skip
#: What leaves the size of an image as it is, by what is known of it on batches.
_KEEPING = frozenset({"same", "scalars", "cast", "rounded", "operands", "image_dtype", "image", "rescaling"})
#: The same, and functions for paths and labels, by name.
_BESIDE = re.compile(
    r"Element\.set_shape|tensorflow\.(ensure_shape|shape|image\..*flip.*|image\.random_(bri|hue|con|sat).*|strings\..*"
    r"|random\.(uniform|normal)|one_hot|argmax|math\.argmax|io\.read_file|io\.parse_.*|io\..*Feature|print)|.*\.preprocess_input|builtins\..*"
)
_SHRINKING = ("central_crop", "rgb_to_grayscale")


def channels_of(calls: Iterable[Call]) -> int:
    """The channels of the images that it decodes, as far as one can tell; 0 where it decodes none."""
    decoding = [call for call in calls if _DECODED.fullmatch(plain(call.name))]
    if not decoding:
        return 0
    return 1 if any(call.argument(1, "channels") == Constant(1) for call in decoding) else 3


def pixels_of(calls: Iterable[Call]) -> int | None:
    """Height times width of the images that it gives; 0 where it leaves them as large as they were, None if unseen."""
    pixels: int | None = 0
    for call in calls:
        name = plain(call.name)
        if last(name) in _SIZED and name.startswith("tensorflow."):
            pixels = _product(call.argument(*_SIZED[last(name)]))
        elif last(name) in _SIZED_APART:
            place = _SIZED_APART[last(name)]
            sides = (call.argument(place, "target_height"), call.argument(place + 1, "target_width"))
            pixels = _product(Sequence("list", tuple(side or Constant(None) for side in sides)))
        elif _DECODED.fullmatch(name):
            pixels = 0
        elif last(name) in _SHRINKING or not (known(name).batches in _KEEPING or _BESIDE.fullmatch(name)):
            pixels = None
    return pixels


def number_bytes_of(calls: Iterable[Call]) -> int:
    """The bytes of a number in the images that it resizes, at least; 0 where it resizes none."""
    size = 0
    for call in calls:
        if last(call.name) in ("resize", "resize_images"):
            # Floats, unless it takes the nearest pixel.
            size = 4 if len(call.positional) < 3 and "method" not in call.keywords else 1
        elif last(call.name) in ("cast", "saturate_cast", "convert_image_dtype") and size:
            size = size if call.argument(1, "dtype") in _FLOATS else 1
    return size


def _product(size: Value | None) -> int | None:
    """Of the axes in a shape, but for channels at its end."""
    if not isinstance(size, Sequence) or size.rest is not None or len(size.items) < 2:
        return None
    axes: list[int] = [axis.value for axis in size.items if axis != Constant(None) and isinstance(axis, Constant)]
    if len(axes) < len(size.items) or not all(isinstance(axis, int) and axis > 0 for axis in axes):
        return None
    return prod(axes[:-1] if len(axes) > 2 and axes[-1] in _CHANNELS else axes)
