"""TFD308."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.length import bounds_of
from tfdata_lint.pipeline.mapped.written import READING, runs_python
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.files import RECORDS
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases, paths
from tfdata_lint.pipeline.nouns.questions import is_only_looked_at, is_toy
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.nouns.structure import WIDTHS, Tensor, bytes_in, leaves
from tfdata_lint.rules.base import Finding, Fix, Option, Related, Rule
from tfdata_lint.rules.ordering.enlarging import enlarged, of_tokens, unpacks

_DECODES = r"tensorflow\.(io|image)\.decode_(jpeg|png|image|bmp|webp|and_crop_jpeg)"
#: How many times as large as what it is given makes it worth to shuffle that instead.
_TIMES = 4
#: So many images of which it is not known how large they are.
_MANY = 64
#: Between the two these give the images on, one by one; a cache in memory holds them anyway.
_PASSED = ("map", "filter", "prefetch", "with_options", "ignore_errors", "enumerate", "repeat", "take", "skip", "zip")
#: These give images of about the size that they are given.
_KEEPING = frozenset(
    f"tensorflow.{name}"
    for name in (
        "add", "cast", "divide", "math.divide", "math.multiply", "math.subtract", "multiply", "subtract",
        "image.resize", "image.convert_image_dtype", "image.per_image_standardization", "image.random_flip_left_right",
        "image.random_flip_up_down", "image.random_brightness", "image.random_contrast", "one_hot",
    )
)  # fmt: skip
#: What they give is no larger than what they are given.
_CROPS = frozenset(
    f"tensorflow.image.{name}" for name in ("random_crop", "stateless_random_crop", "crop_to_bounding_box")
)


class ShuffleAfterHeavyMap(Rule):
    code = "TFD308"
    name = "shuffle-after-heavy-map"
    group = "performance"
    summary = "A shuffle buffer holds decoded images, or other elements that a map has made large"
    triggers = ("shuffle", "map")
    experiment = "memory"
    related_comes = "before"
    options = (Option("largest-buffer", 250, "The most memory that images in a buffer may take, in megabytes."),)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        shuffles = (stage for stage in graph.stages if stage.op == "shuffle" and not stage.context.in_test)
        most = self.option("largest-buffer") * 1_000_000
        for shuffle, stage, case in cases(shuffles, lambda shuffle, path: _decoding(graph, shuffle, path, most)):
            if stage.function is None or is_only_looked_at(graph, [shuffle]):
                continue
            size = min(_held(shuffle, path) for path in paths(shuffle)) * _bytes(graph, shuffle)
            given = shuffle.arguments.get("buffer_size")
            count = given.written if given is not None and given.literal is ... else shuffle.literal("buffer_size")
            written, name = f"shuffle({count})", stage.function.name
            decodes = _decodes(stage)
            made = (
                f"{'images that' if decodes else 'elements that'} `map({name})` has {'decoded' if decodes else 'made'}"
            )
            yield self.finding(
                shuffle.span,
                f"`{written}` buffers {made}{case}",
                severity=None if size else "advice",
                cost=(
                    f"When it is full they take {size / 1e9:.1f} GB or more" if size else "Their size is not seen here"
                )
                + f", and all of them are {'decoded' if decodes else 'made'} before the first batch (measured for 1,000"
                " images of 224 x 224: 645 MB instead of 22 MB, and 12 times as long)",
                advice="Shuffle file names or encoded records, before the `map`"
                if decodes
                else "Shuffle before the `map`, while the elements are still small",
                confidence="likely",
                related=(Related(stage.span, "decodes before the shuffle" if decodes else "makes it large"),),
                fix=Fix("display-only", "Move `shuffle` before the `map`", "the order changes"),
            )


def _decoding(graph: PipelineGraph, shuffle: Stage, path: Path, most: int) -> Stage | None:
    """The map that decodes what a shuffle holds, or makes it large, where that is more than so many bytes."""
    size, held = _bytes(graph, shuffle), _held(shuffle, path)
    # Of elements that are large enough even a few are too much, however many there are.
    is_counted = size and (held or _MANY * size <= most)
    if held * size <= most if is_counted else not _is_large(shuffle, path):
        return None
    passed: list[Stage] = []
    for stage in reversed(path.before(shuffle)):
        if stage.op not in _PASSED:
            break
        passed.append(stage)
    enlarging = next((stage for stage in passed if _enlarges(graph, stage, path)), None)
    found = next((stage for stage in passed if _decodes(stage)), enlarging)
    later = passed[: passed.index(found)] if found is not None else ()
    return found if size or all(map(_keeps_images, later)) else None


def _is_large(shuffle: Stage, path: Path) -> bool:
    """Does it hold many elements, all that there are for what is known, and nothing before has mixed them?"""
    size = shuffle.presumed("buffer_size", 0)
    is_many = not isinstance(size, int) or _held(shuffle, path) >= _MANY
    return (
        is_many
        and not any(stage.may_shuffle and not stage.is_opaque for stage in path.before(shuffle))
        and not is_toy(path)
    )


def _decodes(stage: Stage) -> bool:
    return stage.function is not None and any(re.fullmatch(_DECODES, name) for name in stage.function.operations)


def _keeps_images(stage: Stage) -> bool:
    """Is what it gives about as large as what it is given?"""
    if stage.op != "map":
        return True
    return stage.function is not None and stage.function.resolved and _KEEPING.issuperset(stage.function.operations)


def _enlarges(graph: PipelineGraph, stage: Stage, path: Path) -> bool:
    """Is what a map makes several times as large as what it is given: a name, a number, a small image?"""
    if stage.op != "map" or stage.function is None:
        return False
    # A record may be as large as what is made of it; a name is not.
    has_records = any(part.operation.reads in RECORDS for part in path.before(stage))
    if (found := enlarged(stage) or of_tokens(stage)) is not None:
        return found.after >= _TIMES * found.before
    made = [(_size(leaf), leaf.dtype) for leaf in leaves(structure_of(stage)) if isinstance(leaf, Tensor)]
    if unpacks(stage) and WIDTHS.get(max(made)[1], 1) >= _TIMES:
        return True
    reads = any(name.rpartition(".")[2] == "read_file" for name in stage.function.operations)
    if reads or runs_python(graph, stage.function, READING):
        return not has_records
    given = [leaf for origin in stage.inputs for leaf in leaves(structure_of(origin))]
    sizes = [bytes_in(leaf) or 0 for leaf in given]
    return bool(sizes) and all(sizes) and sum(sizes) * _TIMES <= _of(stage)


def _held(shuffle: Stage, path: Path) -> int:
    """How many elements it holds when it is full, as far as that is written."""
    size, given = shuffle.presumed("buffer_size"), bounds_of(shuffle.inputs[0])
    size = size if isinstance(size, int) else given.exact or 0
    return size if given.most is None else min(size, given.most)


def _bytes(graph: PipelineGraph, shuffle: Stage) -> int:
    """What an element has at least: where that is not known, what is cropped out of it behind the shuffle."""
    cropping = (
        user
        for user in graph.users(shuffle)
        if user.op == "map" and user.function is not None and user.function.resolved
        if _CROPS.issuperset(user.function.operations)
    )
    made = [found.after for stage in upstream(shuffle) if stage.op == "map" and (found := enlarged(stage)) is not None]
    return max([_of(shuffle), *made[:1]]) or max(map(_of, cropping), default=0)


def _of(stage: Stage) -> int:
    return sum(_size(leaf) for leaf in leaves(structure_of(stage)) if isinstance(leaf, Tensor))


def _size(tensor: Tensor) -> int:
    if not tensor.shape:
        return 0
    # How many channels there are is often left to the file.
    *sides, channels = tensor.shape
    if not all(side is not None and side > 0 for side in sides):
        return 0
    return WIDTHS.get(tensor.dtype, 1) * prod(side or 1 for side in sides) * max(channels or 1, 1)
