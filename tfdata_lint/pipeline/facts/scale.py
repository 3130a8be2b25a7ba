"""What the numbers of an element mean: pixels in which range, classes in which form. Several rules ask."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from tfdata_lint.pipeline.knowledge.names import canonical, last, plain
from tfdata_lint.pipeline.mapped.layers import layers_of
from tfdata_lint.pipeline.mapped.uses import MOST
from tfdata_lint.pipeline.nouns.fold import Fold, expressions
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.results import dtype_said
from tfdata_lint.pipeline.nouns.stages import Dataset, Given, Join, Stage, tips
from tfdata_lint.pipeline.nouns.values import (
    Alternatives,
    Constant,
    Expr,
    External,
    Mapping_,
    Sequence,
    Slice,
    Symbol,
    Value,
    parts_of,
    snapshot,
)
from tfdata_lint.pipeline.nouns.work import step

Meaning: TypeAlias = "str | tuple[Meaning, ...] | dict[object, Meaning]"
"""A word for a tensor, empty where nothing is known; several of them for a tuple or a dict."""

BYTES = "bytes"
"""Pixels, integers from 0 to 255."""
RAW = "raw"
"""Pixels, floats from 0 to 255."""
UNIT = "unit"
"""Pixels, floats that a division has brought near 1."""
TWICE = "twice"
"""Pixels that were divided once more."""
INDICES = "indices"
"""Classes by number, one for each example."""
ONE_HOT = "one_hot"
"""Classes as vectors with a single 1."""

COLUMN = "column"
"""0 or 1 in a column, as floats."""

PIXELS = (BYTES, RAW, UNIT)
_DECODERS = frozenset(
    {f"tensorflow.{home}.decode_{kind}" for home in ("io", "image") for kind in ("bmp", "gif", "image", "jpeg", "png")}
    | {"tensorflow.io.decode_and_crop_jpeg", "tensorflow.image.decode_and_crop_jpeg"}
)
#: These move pixels, or leave some out, and do not change them.
MOVING = frozenset(
    {"central_crop", "crop_to_bounding_box", "flip_left_right", "flip_up_down", "pad_to_bounding_box", "random_crop",
     "random_flip_left_right", "random_flip_up_down", "resize_with_crop_or_pad", "rot90", "stateless_random_crop",
     "stateless_random_flip_left_right", "stateless_random_flip_up_down", "transpose"}
)  # fmt: skip
_RESHAPING = frozenset(
    {
        "ascontiguousarray",
        "copy",
        "cv2.cvtColor",
        "cv2.resize",
        "ensure_shape",
        "expand_dims",
        "identity",
        "reshape",
        "squeeze",
        "image.random_crop",
    }
)
#: They make one array of several.
_TOGETHER = frozenset({"array", "asarray", "concatenate", "stack", "vstack"})
#: Images that Python reads, and methods that leave them bytes.
_READ = re.compile(
    r"PIL\.Image\.open(?:\(\)\.(?:resize|convert|crop|rotate|transpose))*|cv2\.imread|imageio\.(?:v[23]\.)?imread"
)
_LOAD = re.compile(r"tensorflow\.keras\.(?:utils|preprocessing\.image)\.load_img")
#: They change colours, and not from which to which number these go.
_COLOURS = ("image.adjust_", "image.random_", "image.rgb_to_grayscale", "image.grayscale_to_rgb")
#: Of tfds and Keras: an image of bytes, and its class.
_CLASSIFIED = frozenset(
    {"beans", "cars196", "cassava", "cats_vs_dogs", "cifar10", "cifar100", "cmaterdb", "colorectal_histology", "emnist",
     "eurosat", "fashion_mnist", "food101", "horses_or_humans", "imagenette", "imagewang", "kmnist", "malaria", "mnist",
     "oxford_flowers102", "oxford_iiit_pet", "rock_paper_scissors", "stanford_dogs", "stl10", "svhn_cropped",
     "tf_flowers", "uc_merced"}
)  # fmt: skip
_EXAMPLE = (BYTES, INDICES)
_OF_KERAS = "tensorflow.keras.datasets."
_LAYERS = frozenset({
    "CenterCrop", "RandomCrop", "RandomFlip", "RandomRotation", "RandomTranslation", "RandomZoom", "Resizing",
})  # fmt: skip
#: Functions that are operators.
_OPERATORS = {"add": "Add", "divide": "Div", "multiply": "Mult", "subtract": "Sub", "truediv": "Div"}
#: Where their method stands.
_SIZING = {"image.resize": 2, "image.resize_with_pad": 3}
#: They make arrays that are filled later, with images where they have so many dimensions.
_BUFFERS, _OF_IMAGES = ("numpy.empty", "numpy.zeros"), 3
_ONE_HOT = frozenset({"tensorflow.one_hot", "tensorflow.keras.utils.to_categorical"})
_ARRANGING = ("either", "item", "mapped", "parameter", "set", "unpacked")
#: Stages whose elements are those that they are given, alone or in batches.
_HANDING_ON = frozenset({"same", "some", "batch", "rebatch", "unbatch"})
_LABELS = {"int": INDICES, "categorical": ONE_HOT, "binary": COLUMN}
#: By which pixels are divided, and what is left of 255 at most.
NEAR_BYTE = (127, 256)
_NEAR_ONE = 4
_BYTE = 255


def meaning_of(dataset: Dataset) -> Meaning:
    """What the numbers of the elements of a dataset mean, on all ways to it."""
    if isinstance(dataset, Join):
        return _alike([meaning_of(tip) for tip in tips(dataset)])
    known: Meaning | None = dataset.known.get(meaning_of)
    if known is None:
        # Until it is known; a loop may lead back here.
        dataset.known[meaning_of] = ""
        try:
            known = _of_stage(dataset)
            known = "" if _is_deep(known) else known
        except RecursionError:
            known = ""
        dataset.known[meaning_of] = known
        dataset.spend(1)
    return known


def part(meaning: Meaning, key: object) -> Meaning:
    """What one of the parts means."""
    if isinstance(meaning, dict):
        return meaning.get(key, "")
    if isinstance(meaning, tuple) and isinstance(key, int) and -len(meaning) <= key < len(meaning):
        return meaning[key]
    return ""


def _of_stage(stage: Stage) -> Meaning:
    gives = stage.operation.gives
    if stage.cls is not None:
        return ""
    if gives in ("mapped", "mapped_batch"):
        return Meanings().of(stage.result)
    if gives in _HANDING_ON and len(stage.inputs) == 1:
        return meaning_of(stage.inputs[0])
    if gives == "zip" and _is_flat(stage):
        return tuple(map(meaning_of, stage.inputs))
    if gives == "slices":
        return Meanings().of(stage.result)
    if gives == "tfds":
        name = stage.literal("name", "")
        is_known = isinstance(name, str) and re.split("[:/]", name)[0] in _CLASSIFIED
        if stage.has("decoders"):
            return ""
        if stage.literal("as_supervised", False) is True:
            return _EXAMPLE if is_known else ""
        # What its feature `Image` decodes.
        is_dict = stage.literal("as_supervised", False) is False
        return ({"image": BYTES, "label": INDICES} if is_known else {"image": BYTES}) if is_dict else ""
    if gives in ("images", "labelled_texts"):
        example = {"nearest": BYTES, ...: ""}.get(stage.literal("interpolation", "bilinear"), RAW)
        return _from_folder(stage, example if gives == "images" else "")
    return ""


def _is_flat(zipped: Stage) -> bool:
    """Are its inputs given one after the other, or as one tuple of them?"""
    argument = zipped.arguments.get("datasets")
    if zipped.open_arguments or argument is None:
        return False
    value = argument.value
    return not isinstance(value, Mapping_) and (
        not isinstance(value, Sequence) or (value.kind == "tuple" and len(value.items) == len(zipped.inputs))
    )


def _from_folder(stage: Stage, example: str) -> Meaning:
    mode, labels = stage.literal("label_mode", "int"), stage.arguments.get("labels")
    if stage.open_arguments or mode is ...:
        return ""
    if mode is None or (labels is not None and labels.literal is None):
        return example
    return example, _LABELS.get(mode, "")


def _alike(meanings: list[Meaning]) -> Meaning:
    """What holds of all."""
    first, *others = meanings or [""]
    if all(other == first for other in others):
        return first
    if isinstance(first, tuple) and all(isinstance(other, tuple) and len(other) == len(first) for other in others):
        return tuple([_alike([part(meaning, key) for meaning in meanings]) for key in range(len(first))])
    if isinstance(first, dict) and all(isinstance(other, dict) for other in others):
        return {key: _alike([part(meaning, key) for meaning in meanings]) for key in first}
    return ""


def _is_deep(meaning: Meaning, left: int = 6) -> bool:
    """Is it nested as no element is? To compare two of those may take without end."""
    step()
    parts = meaning.values() if isinstance(meaning, dict) else meaning if isinstance(meaning, tuple) else ()
    return any(not left or _is_deep(part, left - 1) for part in parts)


class Meanings(Fold[Meaning]):
    """What the numbers of a value mean, in a mapped function or as the source of a dataset."""

    def expression(self, expr: Expr) -> Meaning:
        name = canonical(expr.by)
        by = _OPERATORS.get(last(name), "") if name.startswith(("tensorflow.", "numpy.")) else expr.by
        match expr:
            case Expr(by="mapped", of=(_, inner)):
                return self.of(inner)
            case Expr(by="parameter", of=(Given() as given, int(number))):
                return _alike([_argument(stage, given.count, number) for stage in given.stages])
            case Expr(by="either", of=values):
                return _alike([self.of(value) for value in values])
            case Expr(by="item" | "unpacked", of=(base, Constant(key), *_)):
                return part(self.of(base), key)
            case Expr(by="item", of=(base, Slice() | Sequence())):
                # Some of them, or with another axis.
                meaning = self.of(base)
                return meaning if isinstance(meaning, str) else ""
            case Expr(by="set", of=(base, Constant(key), value)):
                held = self.of(base)
                return {**(held if isinstance(held, dict) else {}), key: self.of(value)}
            case Expr(of=(left, right)) if by in _OPERATORS.values():
                turned = self._computed(by, self.of(right), left) if by in ("Mult", "Add") else ""
                return self._computed(by, self.of(left), right) or turned
        return self._called(name, expr)

    def value(self, value: Value | None) -> Meaning:
        match value:
            case External(symbol=symbol) if canonical(symbol) in _ONE_HOT:
                return ONE_HOT
            case External(symbol=symbol) if plain(symbol).startswith(_OF_KERAS) and symbol.endswith(".load_data"):
                return (_EXAMPLE, _EXAMPLE) if symbol.split(".")[-2] in _CLASSIFIED else ""
            case External(symbol=symbol, receiver=receiver) if _reads_image(symbol):
                return BYTES if receiver is None else self.of(receiver)
            case External(symbol=symbol, arguments=given, receiver=receiver, further=()):
                # `np.asarray(images, "float32")` outside of a mapped function, and a method of what that gives.
                name = canonical(symbol) if receiver is None else f"array.{last(symbol)}"
                operands = given if receiver is None else (receiver, *given)
                return self._called(name, Expr(name, tuple(map(snapshot, operands)), value.keywords))
            case Alternatives():
                return _alike([self.of(one) for one in parts_of(value)])
            case Sequence(kind="tuple", items=items, rest=None, exact=True):
                found = tuple([self.of(item) for item in items])
                return "" if _is_deep(found) else found
            case Mapping_(rest=rest, exact=True, spread=spread) if rest is None or spread is not None:
                whole = self.of(spread) if spread is not None else {}
                held = {**whole, **{key: self.of(item) for key, item in value.held}} if isinstance(whole, dict) else ""
                return "" if _is_deep(held) else held
        return ""

    def _computed(self, by: str, meaning: Meaning, other: Any) -> Meaning:
        """A number is what pixels are divided by, or multiplied with."""
        if not isinstance(other, Constant) or not isinstance(other.value, (int, float)) or not other.value:
            return ""
        if by in ("Add", "Sub"):
            return UNIT if meaning == UNIT and abs(other.value) <= 1 else ""
        return _scaled(meaning, 1 / other.value if by == "Div" else other.value)

    def _put_together(self, value: Value) -> Meaning:
        """What an array of a list of arrays means."""
        return _alike(list(map(self.of, parts_of(value)))) if isinstance(value, Sequence) else self.of(value)

    def _called(self, name: str, expr: Expr) -> Meaning:
        if name in _DECODERS:
            return BYTES if not {"dtype"} & expr.named.keys() and len(expr.of) < 3 else ""
        if name == "tensorflow.io.decode_raw":
            return (
                BYTES if dtype_said(expr.of[1] if len(expr.of) > 1 else expr.named.get("out_type")) == "uint8" else ""
            )
        if name in _BUFFERS:
            shape, dtype = (*expr.of, None)[0], dtype_said(expr.of[1] if len(expr.of) > 1 else expr.named.get("dtype"))
            # `(count, *image.shape)` has several more.
            is_of_images = isinstance(shape, Sequence) and (shape.rest is not None or len(shape.items) >= _OF_IMAGES)
            return BYTES if is_of_images and dtype == "uint8" else ""
        if name in _ONE_HOT:
            # `axis` and other values for the 1.
            return ONE_HOT if len(expr.of) < 3 and not {"on_value", "off_value", "axis"} & expr.named.keys() else ""
        function = name.removeprefix("tensorflow.").removeprefix("numpy.").removeprefix("array.")
        layer = last(name.removesuffix("()")) if name.endswith("()") else ""
        given = expr.of[1:] if layer else expr.of
        meaning = self._put_together(given[0]) if given and function in _TOGETHER else self.of(given[0] if given else 0)
        if layer == "Sequential" and isinstance(expr.of[0], External) and (layers := layers_of(expr.of[0])) and given:
            made = given[0]
            for one in layers:
                made = Expr(f"{one.symbol}()" if isinstance(one, External) else "", (one, made))
            return self.of(made)
        if layer == "Rescaling" and (meaning == "" or meaning in PIXELS):
            return _rescaled(meaning, expr.of[0])
        if not isinstance(meaning, str) or not meaning:
            return ""
        dtype = dtype_said(given[1] if len(given) > 1 else expr.named.get("dtype"))
        if function in ("float32", "float64"):
            return _cast(meaning, function)
        if last(function) == "img_to_array":
            return _cast(meaning, "float32" if "dtype" not in expr.named else "")
        if function in ("asarray", "array") and len(given) == 1 and "dtype" not in expr.named:
            return meaning
        if function in ("cast", "astype", "keras.ops.cast", "asarray", "array"):
            return _cast(meaning, dtype)
        if meaning not in PIXELS:
            return meaning if function in ("identity", "stop_gradient") else ""
        if function == "image.convert_image_dtype":
            return (UNIT if meaning == BYTES else meaning) if "float" in dtype else ""
        if function in _SIZING or layer == "Resizing":
            return _resized(meaning, expr)
        is_moved = function in _RESHAPING or function in _TOGETHER or layer in _LAYERS or function.startswith(_COLOURS)
        return meaning if is_moved or function.removeprefix("image.") in MOVING else ""


def begins(stage: Stage, meaning: str, *operations: str) -> Span | None:
    """Where a mapped function makes such numbers of others, by one of these operations if any are named."""
    fold, function = Meanings(), stage.function
    made = {} if function is None else {id(call.node): call.span for call in function.calls}
    made |= {} if function is None else {id(one.expr.node): one.span for one in function.operators}
    for expr in expressions(stage.result, most=MOST):
        if expr.by in _ARRANGING or id(expr.node) not in made or fold.of(expr) != meaning:
            continue
        if canonical(expr.by) in operations if operations else all(fold.of(part) != meaning for part in expr.of):
            return made[id(expr.node)]
    return None


def _reads_image(symbol: str) -> bool:
    """Does a function of Python read an image, or move the pixels of one that it has read?"""
    return _READ.fullmatch(symbol) is not None or _LOAD.fullmatch(canonical(symbol)) is not None


def image_in(meaning: Meaning) -> Meaning:
    """What the first part means, or one of a dict that is pixels."""
    if isinstance(meaning, tuple):
        return image_in(meaning[0]) if meaning else ""
    if isinstance(meaning, dict):
        return next((held for held in meaning.values() if held in PIXELS), "")
    return meaning


def _argument(stage: Stage, count: int, number: int) -> Meaning:
    """What one argument of a mapped function means."""
    element = meaning_of(stage.inputs[0]) if stage.op == "map" and stage.inputs else ""
    if isinstance(element, tuple):
        return element[number] if len(element) == count else ""
    return element if count == 1 else ""


def _cast(meaning: str, dtype: str) -> str:
    if meaning in (BYTES, RAW):
        return RAW if "float" in dtype else BYTES if "int" in dtype and meaning == BYTES else ""
    return meaning if dtype and (meaning != UNIT or "float" in dtype) else ""


def _resized(meaning: str, expr: Expr) -> str:
    """Floats, unless a method is given that leaves them bytes."""
    place = _SIZING.get(canonical(expr.by).removeprefix("tensorflow."))
    if meaning != BYTES:
        return meaning
    if place is None:
        # Of a layer, whatever its method is (measured).
        return RAW
    method = expr.of[place] if len(expr.of) > place else expr.named.get("method", Constant("bilinear"))
    name = method.value if isinstance(method, Constant) else last(method.name) if isinstance(method, Symbol) else ""
    if not isinstance(name, str) or not name:
        return ""
    return BYTES if name.lower() == "nearest" or name == "NEAREST_NEIGHBOR" else RAW


def is_byte(number: float) -> bool:
    """Is it 255, as far as a factor of 1 / 255 says so?"""
    return round(number, 3) == _BYTE


def _scaled(meaning: Meaning, factor: float) -> Meaning:
    if not factor:
        return ""
    if not meaning and is_byte(1 / factor):
        # Nothing but pixels is divided by that.
        return UNIT
    if meaning in (BYTES, RAW) and NEAR_BYTE[0] <= 1 / factor <= NEAR_BYTE[1]:
        return UNIT
    if meaning == UNIT and is_byte(1 / factor):
        return TWICE
    if meaning == UNIT and abs(factor) <= _NEAR_ONE:
        return UNIT if 1 / abs(factor) <= _NEAR_ONE else ""
    return RAW if meaning == UNIT and factor == _BYTE else ""


def _rescaled(meaning: Meaning, layer: Any) -> Meaning:
    match layer:
        case External(arguments=(Constant(float() | int() as scale), *_)) if scale:
            return _scaled(meaning, scale)
        case External(keywords={"scale": Constant(float() | int() as scale)}) if scale:
            return _scaled(meaning, scale)
    return ""
