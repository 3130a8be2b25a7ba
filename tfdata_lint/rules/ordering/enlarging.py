"""Mapped functions that make elements larger and do little else."""

from __future__ import annotations

from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.functions import RANKS, known
from tfdata_lint.pipeline.knowledge.names import displayed, plain
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage
from tfdata_lint.pipeline.nouns.structure import bytes_in, leaves, values_in

_RESIZING = frozenset(
    f"tensorflow.image.{name}"
    for name in (
        "resize", "resize_bicubic", "resize_bilinear", "resize_images", "resize_nearest_neighbor", "resize_area",
        "resize_with_crop_or_pad", "resize_with_pad", "resize_image_with_crop_or_pad", "resize_image_with_pad",
    )
)  # fmt: skip
_ENLARGING = _RESIZING | {
    f"tensorflow.{name}" for name in ("broadcast_to", "image.pad_to_bounding_box", "one_hot", "pad", "repeat", "tile")
}
#: They copy what they are given.
_COPYING = frozenset({"tensorflow.broadcast_to", "tensorflow.repeat", "tensorflow.tile"})
#: Times as many values, and values in all, from which on an element is called large.
_TIMES, _VALUES = 4, 1000


class Enlarged(NamedTuple):
    """What a function makes of an element, in bytes."""

    by: str
    """What makes it larger, as the field writes it."""
    before: int
    after: int


class _Size(NamedTuple):
    values: int
    bytes_: int


def enlarged(stage: Stage) -> Enlarged | None:
    """How much larger the function of a stage makes elements, where it does the same in every epoch and costs little.

    Resizing is no little work; whether it is little beside what comes before is for those who ask.
    """
    function = stage.function
    if function is None or not function.resolved or function.effects:
        return None
    names = [plain(name) for name in function.operations]
    by = next((name for name in names if name in _ENLARGING), None)
    if by is None or not stage.inputs or any(known(name).cost in RANKS and name not in _RESIZING for name in names):
        return None
    given, made = _size(stage.inputs[0]), _size(stage)
    if given is None or made is None or made.values < _VALUES:
        return None
    if made.values < _TIMES * given.values or made.bytes_ < _TIMES * given.bytes_:
        return None
    return Enlarged(displayed(by), given.bytes_, made.bytes_)


def may_enlarge(stage: Stage) -> bool:
    """Does the function of a stage make elements larger, or copy parts of elements of unknown size?"""
    if enlarged(stage) is not None:
        return True
    names = () if stage.function is None else map(plain, stage.function.operations)
    return any(name in _COPYING for name in names) and None in map(_size, (*stage.inputs, stage))


def _size(dataset: Dataset) -> _Size | None:
    """How large elements are; None where that is not known."""
    values = size = 0
    for leaf in leaves(structure_of(dataset)):
        count, width = values_in(leaf), bytes_in(leaf)
        if count is None or width is None:
            return None
        values += count
        size += width
    return _Size(values, size)
