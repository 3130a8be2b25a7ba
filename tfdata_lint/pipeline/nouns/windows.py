"""Windows of a dataset, and what is known of their lengths."""

from __future__ import annotations

from tfdata_lint.pipeline.nouns.lengths import bounds, has_length
from tfdata_lint.pipeline.nouns.results import Reading, size_of
from tfdata_lint.pipeline.nouns.stages import Given, Stage, tips, upstream
from tfdata_lint.pipeline.nouns.structure import UNKNOWN, VARIES, Nested, Structure, Tensor, leaves, settled, windows_of
from tfdata_lint.pipeline.nouns.values import Expr, Value


def windowed(stage: Stage, reading: Reading) -> Structure:
    """What `window` gives."""
    return windows_of(_input(stage, reading), _differing(stage, reading))


def rest(batch: Stage, reading: Reading) -> int | None:
    """How long batches are that are not full: those of windows may be known to differ."""
    match batch.inputs:
        case [Stage(op="parameter", result=window)] if batch.literal("drop_remainder", False) is False:
            given, size = reading.of(window), size_of(batch.literal("batch_size"))
            differing = given.differing if isinstance(given, Nested) else 0
            if size and (whole := _whole(window)) > size and whole % size:
                return VARIES
            return VARIES if differing and (size or differing) >= differing else None
    return None


def _whole(window: Value | None) -> int:
    """The length of all windows that a mapped function is given; 0 where they may differ or that is not known."""
    match window:
        case Expr(by="parameter", of=(Given() as given, 0)):
            windows = [tip for stage in given.stages for origin in stage.inputs for tip in tips(origin)]
            sizes = {_size_of_whole(stage) if isinstance(stage, Stage) else 0 for stage in windows}
            return sizes.pop() if len(sizes) == 1 else 0
    return 0


def _size_of_whole(window: Stage) -> int:
    size = window.literal("size")
    is_whole = window.op == "window" and window.literal("drop_remainder", False) is True
    return size if is_whole and isinstance(size, int) and not isinstance(size, bool) else 0


def some(stage: Stage, reading: Reading) -> Structure:
    """What `take` and `filter` leave: it may be without the last windows, which are those that are shorter."""
    element = _input(stage, reading)
    varies = any(isinstance(leaf, Tensor) and leaf.varies for leaf in leaves(element))
    return settled(element) if varies and any(one.op == "window" for one in upstream(*stage.inputs)) else element


def _input(stage: Stage, reading: Reading) -> Structure:
    return reading.structure_of(stage.inputs[0], reading) if stage.inputs else UNKNOWN


def _differing(window: Stage, reading: Reading) -> int:
    """The size from which on batches of each window differ in length; 0 where that is not known.

    The windows at the end are shorter where the elements have an end, unless they are dropped.
    """
    size, shift = window.literal("size"), window.literal("shift")
    is_whole = window.literal("drop_remainder", False) is not False
    if is_whole or window.literal("stride", 1) != 1 or not window.inputs:
        return 0
    given = window.inputs[0]
    if shift == 1 and has_length(given):
        # The last window has one element.
        return 2 if size is ... or (isinstance(size, int) and size > 1) else 0
    shift = size if shift is None else shift
    if not isinstance(size, int) or not isinstance(shift, int) or shift < 1:
        return 0
    if shift < size:
        return size if has_length(given) else 0
    count = bounds(given, reading).exact
    # The first window is whole, and the last one is not.
    return size if count is not None and count > shift and (count - 1) % shift + 1 < size else 0
