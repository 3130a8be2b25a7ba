"""TFD421 unequal-shapes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.contents import keeps_proportions
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.fold import expressions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases, paths
from tfdata_lint.pipeline.nouns.questions import AS_THEY_ARE, is_barely_read
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage, tips
from tfdata_lint.pipeline.nouns.structure import Tensor, leaves
from tfdata_lint.pipeline.nouns.values import Constant, Expr, External, Mapping_, Sequence, Value
from tfdata_lint.rules.base import Finding, Related, Rule

#: What makes photos: masks and tiles of one size are PNGs.
_PHOTOS = ("decode_jpeg", "decode_image")
#: What else makes sizes that differ.
_OTHERS = ("decode_png", "decode_bmp", "decode_raw", "decode_wav", "split")
_IMAGES = ("decoded images", "sizes", "Resize, crop or pad the images")
_RECORDINGS = ("decoded recordings", "lengths", "Pass `desired_samples` to `decode_wav`, cut or pad the recordings")
_WORDS = ("the words of texts", "lengths", "Call `padded_batch` or `ragged_batch` instead, or cut them")
#: Their images have many sizes.
_PHOTO_SETS = frozenset({
    "caltech101", "cars196", "cats_vs_dogs", "coco", "food101", "imagenet2012", "imagenette", "imagewang",
    "oxford_flowers102", "oxford_iiit_pet", "places365_small", "stanford_dogs", "sun397", "tf_flowers", "voc",
})  # fmt: skip
_SIZING = r"(?i)resiz|crop|pad|shape|slice|stack|gather|keras|^(?!tensorflow\.)"
#: Words of code whose images may have been brought to one size before, or have it anyway.
_EQUAL = (
    r"(?i)mnist|cifar|celeb|svhn|stl10|resized|cropped|preprocessed|aligned|normali[sz]ed|patch|tile|crop|thumbnail"
    r"|\d{2,4} ?x ?\d{2,4}|shape\([^()]*\d\d"
    # A model whose input has one size was trained with such images.
    r"|\b(?:Input|InputLayer|input_shape) ?[=(] ?(?:(?:input_)?shape ?= ?)?[(\[](?! ?None)"
)


class UnequalShapes(Rule):
    code = "TFD421"
    name = "unequal-shapes"
    group = "correctness"
    summary = "Images, recordings or lists of different sizes are put into one tensor"
    triggers = (
        "batch from_tensor_slices",
        "call:decode_jpeg call:decode_image call:decode_wav call:split call:resize tfds.load"
        " from_tensors from_tensor_slices window",
    )
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        yield from self._of_lists(graph)
        batches = (stage for stage in graph.stages if stage.op == "batch" and not stage.context.in_test)
        for batch, origin, case in cases(batches, lambda stage, path: _origin(path.until(stage))):
            if batch.presumed("batch_size") == 1 or is_barely_read(graph, batch):
                continue
            # Who brings them to one size on another way knows what sizes they have on this one.
            is_meant = any(_origin(path.until(batch)) is None for path in paths(batch))
            keeps = not origin.inputs or any(_keeps(expr) for expr in expressions(origin.result))
            if (
                not _cuts_windows(origin)
                and not keeps
                and (is_meant or (not _uneven(origin) and graph.once(_says_equal)))
            ):
                continue
            if _cuts_windows(origin):
                yield self._of_windows(batch, origin, case)
                continue
            what, size, how = _uneven(origin) or _IMAGES
            yield self.finding(
                batch.span,
                f"`batch` gets {what}, which may have different {size}{case}",
                cost=f"The first batch with two {size} raises an InvalidArgumentError: cannot add tensor to the batch",
                advice=f"{how} first; if all have one size, declare it with `tf.ensure_shape`",
                # Of five that maintainers read, all had one size for reasons outside of the file.
                severity="warning" if keeps or _uneven(origin) else "advice",
                confidence="likely",
                related=(Related(origin.span, f"makes {what} of any size"),),
            )

    def _of_lists(self, graph: PipelineGraph) -> Iterator[Finding]:
        for stage in graph.stages:
            given = stage.arguments.get("tensors") if stage.op == "from_tensor_slices" else None
            if given is not None and not stage.context.in_test and _is_unequal(given.value):
                yield self.finding(
                    stage.span,
                    "`from_tensor_slices` gets lists of unequal length: `texts_to_sequences` makes one for each text",
                    cost="They cannot become one tensor: a ValueError about a non-rectangular sequence",
                    advice="Pad them with `pad_sequences`, or pass `tf.ragged.constant(…)` of them",
                    is_guess=True,
                )

    def _of_windows(self, batch: Stage, origin: Stage, case: str) -> Finding:
        return self.finding(
            batch.span,
            f"`batch` gets windows of different lengths: the last ones are shorter{case}",
            cost="The first batch with two lengths raises an InvalidArgumentError: cannot add tensor to the batch",
            advice="Pass `drop_remainder=True` to `window` and to the `batch` of each window",
            is_guess=True,
            related=(Related(origin.span, "makes windows of several lengths"),),
        )


@recursive
def _is_unequal(value: Value) -> bool:
    """Is it, or holds it as one of several parts, the lists that a tokenizer of Keras gives?"""
    match value:
        case External(symbol=symbol):
            return symbol.endswith("Tokenizer().texts_to_sequences")
        case Sequence(kind="tuple", items=items):
            return any(map(_is_unequal, items))
        case Mapping_():
            return any(_is_unequal(item) for _, item in value.held)
    return False


def _says_equal(graph: PipelineGraph) -> bool:
    return re.search(_EQUAL, graph.source.text) is not None


def _cuts_windows(origin: Stage) -> bool:
    return any(tip.op == "window" for given in origin.inputs for tip in tips(given))


def _origin(path: Path) -> Stage | None:
    """The stage whose function makes tensors of different sizes, which are so still at the end of a path."""
    if path.stages and _is_of_photos(path):
        return path.stages[0]
    if not path.stages or not _varies(path.stages[-1]):
        return None
    made = next((stage for stage in reversed(path.stages) if not any(map(_varies, stage.inputs))), None)
    if made is None or any(_keeps(expr) for expr in expressions(made.result)):
        return made
    # What is in records was made for this: it may have one size.
    if path.stages[0].operation.reads == "records" or path.stages[0].op.startswith("tfds."):
        return None
    return made if _cuts_windows(made) or _decodes_photos(made) or _uneven(made) else None


def _is_of_photos(path: Path) -> bool:
    """Are its elements photos of tensorflow_datasets that nothing brings to one size?"""
    name = str(path.stages[0].literal("name")) if path.stages[0].op == "tfds.load" else ""
    if re.split(r"[/:]", name)[0] not in _PHOTO_SETS or path.is_open or path.stages[0].open_arguments:
        return False
    for stage in path.stages[1:]:
        function = stage.function
        if stage.op == "map" and function is not None and function.resolved:
            if any(
                re.search(_SIZING, name) for name in (*function.operations, *(call.name for call in function.calls))
            ):
                return False
        elif stage.op not in AS_THEY_ARE:
            return False
    return True


def _keeps(expr: Expr) -> bool:
    size = expr.named.get("size", next(iter(expr.of[1:2]), None))
    return last(expr.by) == "resize" and keeps_proportions(expr.named, size)


def _varies(dataset: Dataset) -> bool:
    parts = leaves(structure_of(dataset))
    return any(isinstance(leaf, Tensor) and leaf.varies and leaf.kind == "dense" for leaf in parts)


def _decodes_photos(stage: Stage) -> bool:
    """Is it clear that what has another size in each element are photos?"""
    names = {last(expr.by) for expr in expressions(stage.result)}
    return not names.isdisjoint(_PHOTOS) and not any(name in _OTHERS or name.startswith("parse_") for name in names)


def _uneven(stage: Stage) -> tuple[str, str, str] | None:
    """What a function makes that is hardly ever equal: what it is, what differs, and what to do."""
    made = list(expressions(stage.result))
    if any(last(expr.by) == "decode_wav" for expr in made):
        return _RECORDINGS
    is_text = any(
        isinstance(leaf, Tensor) and leaf.varies and leaf.dtype == "string" for leaf in leaves(structure_of(stage))
    )
    return _WORDS if is_text and any(_is_of_words(expr) for expr in made) else None


def _is_of_words(expr: Expr) -> bool:
    """Is a text split at its blanks? What stands between commas may be as many in each row."""
    at = expr.named.get("sep", next(iter(expr.of[1:2]), Constant(" ")))
    return plain(expr.by) == "tensorflow.strings.split" and at in (Constant(" "), Constant(None))
