"""Mapped functions that make elements larger and do little else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tfdata_lint.pipeline.facts.length import amount_of
from tfdata_lint.pipeline.knowledge.functions import RANKS, known
from tfdata_lint.pipeline.knowledge.names import displayed, plain
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.recursion import within
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage, upstream
from tfdata_lint.pipeline.nouns.structure import bytes_in, leaves, values_in
from tfdata_lint.pipeline.nouns.values import Constant, Expr, Sequence, Slice, Symbol, Value, parts_of

_RESIZING = frozenset(
    f"tensorflow.image.{name}"
    for name in (
        "resize", "resize_bicubic", "resize_bilinear", "resize_images", "resize_nearest_neighbor", "resize_area",
        "resize_with_crop_or_pad", "resize_with_pad", "resize_image_with_crop_or_pad", "resize_image_with_pad",
    )
)  # fmt: skip
_ENLARGING = _RESIZING | frozenset(
    f"tensorflow.{name}"
    for name in (
        "broadcast_to", "concat", "gather", "image.grayscale_to_rgb", "image.pad_to_bounding_box", "linalg.diag",
        "nn.embedding_lookup", "one_hot", "pad", "repeat", "signal.frame", "stack", "tile",
    )
)  # fmt: skip
_FRAME = "tensorflow.signal.frame"
#: They copy what they are given.
#: Types of one byte.
_BYTES_ALONE = (".uint8", ".int8")
_COPYING = frozenset({"tensorflow.broadcast_to", "tensorflow.repeat", "tensorflow.tile"})
#: Times as many values and bytes, and values in all, from which on an element is called large.
_TIMES, _BYTES, _VALUES = 2.5, 4, 1000
#: Rules of `knowledge` by which each number of the first argument gives one.
_KEEPING = ("same", "typed")
#: Frames that overlap so much repeat each value as often, whatever their number.
_OVERLAP = 50
#: Bytes of a value of a frame.
_FLOAT = 4
#: Bytes of a token, and as many tokens as there are few classes.
_NUMBER, _TOKENS = 8, 5000


#: Each byte of what they are given is a value of what they give.
_UNPACKING = frozenset(f"tensorflow.{name}" for name in ("io.decode_raw", "decode_raw", "strings.bytes_split"))
#: They leave no value of a tensor out.
_WHOLE = _UNPACKING | frozenset(
    f"tensorflow.{name}"
    for name in (
        "add", "cast", "divide", "ensure_shape", "equal", "expand_dims", "image.convert_image_dtype",
        "image.per_image_standardization", "image.random_brightness", "image.random_contrast",
        "image.random_flip_left_right", "image.random_flip_up_down", "io.FixedLenFeature", "io.VarLenFeature",
        "io.parse_single_example", "io.parse_tensor", "math.divide", "math.multiply", "math.subtract", "multiply",
        "one_hot", "reshape", "squeeze", "strings.to_number", "subtract", "transpose",
    )
)  # fmt: skip


class Enlarged(NamedTuple):
    """What a function makes of an element, in bytes."""

    by: str
    """What makes it larger, as the field writes it."""
    before: int
    after: int
    what: str = "An element"


class _Size(NamedTuple):
    values: int
    bytes_: int


def enlarged(stage: Stage) -> Enlarged | None:
    """How much larger the function of a stage makes elements, where it does the same in every epoch and costs little.

    Resizing is no little work; whether it is little beside what comes before is for those who ask.
    """
    by = _cheaply(stage)
    if by is None:
        return None
    given, made = _size(stage.inputs[0]), _size(stage)
    if given is None or made is None:
        # Of tokens whose number is not known each becomes so many.
        decodes = any("decode" in name for one in upstream(stage) for name in _names(one))
        return None if decodes else of_tokens(stage)
    if made.values < _VALUES:
        return None
    if made.values < _TIMES * given.values or made.bytes_ < _BYTES * given.bytes_:
        return None
    return Enlarged(displayed(by), given.bytes_, made.bytes_)


def _cheaply(stage: Stage) -> str | None:
    """By what a function makes elements larger, where it does little else."""
    function, names = stage.function, _names(stage)
    if function is None or not function.resolved or function.effects or not stage.inputs:
        return None
    is_costly = any(known(name).cost in RANKS and name not in _RESIZING for name in names)
    return None if is_costly else next((name for name in names if name in _ENLARGING), None)


def of_frames(stage: Stage) -> Enlarged | None:
    """How much larger frames are than what each of them adds to the one before, where they overlap very much."""
    if _cheaply(stage) is None:
        return None
    for one in within(stage.result, _cut):
        if isinstance(one, Expr) and one.by == _FRAME:
            given = {**dict(zip(known(_FRAME).parameters, one.of, strict=False)), **one.named}
            sizes = [amount_of(given.get(name)) for name in ("frame_length", "frame_step")]
            length, hop = [int(size.times) if size is not None and size.of is None else 0 for size in sizes]
            if hop and length >= _OVERLAP * hop:
                return Enlarged(displayed(_FRAME), _FLOAT * hop, _FLOAT * length, "A frame")
    return None


def of_tokens(stage: Stage) -> Enlarged | None:
    """How much larger a row of `tf.one_hot` is than the token that it is made of, where both are known."""
    made = [one for one in within(stage.result, _made) if isinstance(one, Expr) and one.by == "tensorflow.one_hot"]
    depths = [amount_of(one.named.get("depth", one.of[1] if len(one.of) > 1 else None)) for one in made]
    width = max([int(depth.times) for depth in depths if depth is not None and depth.of is None], default=0)
    return Enlarged("tf.one_hot", _NUMBER, 4 * width) if width >= _TOKENS else None


def unpacks(stage: Stage) -> bool:
    """Does a function make a wider number of each byte of a string, and leave none of them out?"""
    function, names = stage.function, set(_names(stage))
    if function is None or not function.resolved or not names & _UNPACKING or not names <= _WHOLE:
        return False
    found = list(within(stage.result, _all_of))
    raw = [one for one in found if isinstance(one, Expr) and one.by in _UNPACKING and "raw" in one.by]
    types = [one.named.get("out_type", one.of[1] if len(one.of) > 1 else None) for one in raw]
    is_cut = any(isinstance(one, Slice) and any((one.lower, one.upper, one.step)) for one in found)
    return not is_cut and all(isinstance(one, Symbol) and one.name.endswith(_BYTES_ALONE) for one in types)


def _all_of(value: Value) -> Iterable[Value]:
    """What a value is made of, arguments and bounds included."""
    match value:
        case Expr(of=parts, named=named):
            return [*parts, *named.values()]
        case Slice(lower=lower, upper=upper, step=step):
            return [part for part in (lower, upper, step) if part is not None]
    return parts_of(value)


def _made(value: Value) -> Iterable[Value]:
    """What a function gives, part by part."""
    match value:
        case Expr(by="mapped", of=(_, made)):
            return [made]
        case Expr(by="tensorflow.reduce_max" | "tensorflow.reduce_sum", of=(made, *_)):
            # Of several tokens: the most of each number, which are as many.
            return [made] if value.named.get("axis") in (Constant(0), Constant(1), Constant(-2)) else []
        case Expr(by=by, of=(made, *_)) if known(by).gives in _KEEPING:
            return [made]
    return parts_of(value)


def _cut(value: Value) -> Iterable[Value]:
    """The same, also as elements of their own, without the first or last columns."""
    match value:
        case Stage(op="from_tensor_slices", result=made) if made is not None:
            return [made]
        case Expr(by="item", of=(made, Slice())):
            return [made]
        case Expr(by="item", of=(made, Sequence(items=keys))) if all(isinstance(key, Slice) for key in keys):
            return [made]
    return _made(value)


def may_enlarge(stage: Stage) -> bool:
    """Does the function of a stage make elements larger, or copy parts of elements of unknown size?"""
    if enlarged(stage) is not None:
        return True
    return any(name in _COPYING for name in _names(stage)) and None in map(_size, (*stage.inputs, stage))


def _names(stage: Stage) -> list[str]:
    return [] if stage.function is None else [plain(name) for name in stage.function.operations]


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
