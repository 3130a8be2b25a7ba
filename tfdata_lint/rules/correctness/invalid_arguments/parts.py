"""Arguments that do not fit the elements, or what the operation makes of them: padding, features, file names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.pipeline.knowledge.names import displayed, last, plain
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Argument, Stage
from tfdata_lint.pipeline.nouns.structure import Dict_, Structure, Tensor, Tuple_, leaves
from tfdata_lint.pipeline.nouns.values import NOTHING, Constant, External, Mapping_, Sequence, Value
from tfdata_lint.pipeline.python.origins import origins

#: What TensorFlow makes of a number or text of Python.
_MADE = {int: "int32", float: "float32", str: "string", bool: "bool"}
_READERS = ("TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset")
#: The modules whose functions take a tensor first, unless they parse examples.
_TAKING = ("tensorflow.cast", "tensorflow.image.", "tensorflow.io.decode_", "tensorflow.reshape", "tensorflow.strings.")
_FEATURES = ("FixedLenFeature", "FixedLenSequenceFeature", "VarLenFeature", "RaggedFeature", "SparseFeature")
_PARSING = ("parse_single_example", "parse_example")


def wrong_part(graph: PipelineGraph, stage: Stage) -> tuple[str, str, str] | None:
    """What is wrong with the parts of an argument, why, and what to do."""
    if stage.op in ("padded_batch", "bucket_by_sequence_length"):
        return _badly_padded(stage)
    given = stage.arguments.get("filenames") if stage.op in _READERS else None
    if given is not None and (_is_pattern(given.value) or _is_written_pattern(graph, stage, given)):
        return (
            f"`{stage.op}` gets a pattern of file names: `{given.written}`",
            "It opens files of exactly this name: reading the first element raises a NotFoundError",
            f"Pass `tf.io.gfile.glob({given.written})`, or read the names that `tf.data.Dataset.list_files` gives",
        )
    given = stage.arguments.get("args") if stage.op == "from_generator" else None
    if given is not None and isinstance(given.value, Sequence) and NOTHING in given.value.items:
        return (
            "`from_generator` gets a None in `args`",
            "They become tensors, which None cannot (strings reach the generator as bytes)",
            "Pass `lambda: generator(…)` with the arguments inside, which leaves them as they are",
        )
    return None


@recursive
def _is_pattern(value: Value) -> bool:
    match value:
        case Constant(str(name)):
            return "*" in name
        case Sequence(items=(first, *_)):
            return _is_pattern(first)
        case External(symbol="os.path.join", arguments=(_, *_, name)):
            return _is_pattern(name)
    return False


def _is_written_pattern(graph: PipelineGraph, stage: Stage, given: Argument) -> bool:
    """`f"{folder}/*.tfrecord"`, `folder + "/*.tfrecord"`"""
    places = origins(graph, given.node) if stage.span.file == graph.file else []
    return bool(places) and all("*" in _last_text(place.node) for place in places)


def _last_text(node: ast.AST) -> str:
    match node:
        case ast.JoinedStr(values=[*_, ast.Constant(value=text)]) | ast.BinOp(right=ast.Constant(value=text)):
            return str(text)
    return ""


def _badly_padded(stage: Stage) -> tuple[str, str, str] | None:
    element = structure_of(stage.inputs[0])
    shapes = stage.arguments["padded_shapes"].value if "padded_shapes" in stage.arguments else None
    match element, shapes:
        case Tuple_(parts), Sequence(kind="tuple", items=ranks, rest=None, exact=True) if len(ranks) != len(parts):
            return (
                f"`{stage.op}` gets {len(ranks)} `padded_shapes` for {len(parts)} parts",
                "There must be one for each part of an element",
                "Give one for each",
            )
    other = next((leaf for leaf in leaves(element) if isinstance(leaf, Tensor) and leaf.kind != "dense"), None)
    if other is not None and other.kind in ("sparse", "ragged"):
        return (
            f"`{stage.op}` gets a {other.kind} tensor",
            "It pads dense tensors only: a TypeError",
            "Call `tf.sparse.to_dense` in a `map` before it"
            if other.kind == "sparse"
            else "Call `ragged_batch`, or `to_tensor` in a `map` before it",
        )
    given = stage.arguments.get("padding_values")
    for said, dtype in _paddings(element, given.value) if given is not None else ():
        made = _MADE.get(type(said), dtype)
        if made != dtype:
            return (
                f"`{stage.op}` gets {said!r} as one of the `padding_values`, for a part of dtype {dtype}",
                f"TensorFlow makes it {made}, and does not convert it: a TypeError",
                f"Write `tf.constant({said!r}, tf.{dtype})`",
            )
    return None


@recursive
def _paddings(element: Structure, value: Value) -> Iterator[tuple[object, str]]:
    """The numbers that parts are padded with, and the dtypes of those."""
    match element, value:
        case Tensor(dtype=dtype), Constant(said) if dtype and said is not None:
            yield said, dtype
        case ((Tuple_() | Dict_()), Constant()):
            for leaf in leaves(element):
                yield from _paddings(leaf, value)
        case Tuple_(items), Sequence(items=values, rest=None) if len(items) == len(values):
            for item, one in zip(items, values, strict=True):
                yield from _paddings(item, one)
        case Dict_(entries), Mapping_(rest=None, exact=True):
            held = dict(value.held)
            for key, part in entries:
                if key in held:
                    yield from _paddings(part, held[key])


def open_features(stage: Stage) -> Iterator[tuple[Span, str]]:
    """The calls, of a source or in a mapped function, that parse a `FixedLenFeature` without a size, and its name."""
    calls = stage.function.calls if stage.function is not None else ()
    parsed = [(call.span, call.argument(1, "features")) for call in calls if last(call.name) in _PARSING]
    if "features" in stage.arguments:
        parsed.append((stage.span, stage.arguments["features"].value))
    for span, spec in parsed:
        if isinstance(spec, Mapping_):
            yield from ((span, str(key)) for key, feature in spec.held[:1000] if _is_open(feature))


def undone(stage: Stage) -> Iterator[tuple[Span, str, str]]:
    """The calls in a mapped function that get the description of a feature, not what is parsed; what both are."""
    for call in stage.function.calls if stage.function is not None else ():
        given = call.argument(0, "") if plain(call.name).startswith(_TAKING) else None
        if isinstance(given, External) and last(given.symbol) in _FEATURES:
            yield call.span, displayed(call.name), displayed(given.symbol)


def _is_open(feature: Value) -> bool:
    if not isinstance(feature, External) or last(feature.symbol) != "FixedLenFeature":
        return False
    shape = feature.keywords.get("shape") or next(iter(feature.arguments), None)
    return isinstance(shape, Sequence) and shape.exact and NOTHING in shape.items
