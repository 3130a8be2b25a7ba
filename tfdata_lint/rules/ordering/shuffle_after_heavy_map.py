"""TFD308."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases
from tfdata_lint.pipeline.nouns.questions import is_only_looked_at, length
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rules.base import Finding, Fix, Related, Rule

#: Between the two these give the images on, one by one.
_PASSED = ("map", "filter", "prefetch", "with_options", "ignore_errors", "enumerate", "repeat", "take", "skip", "zip")
#: Bytes up to which nobody minds: a quarter of a gigabyte.
_LITTLE = 250_000_000


class ShuffleAfterHeavyMap(Rule):
    code = "TFD308"
    name = "shuffle-after-heavy-map"
    group = "performance"
    summary = "A shuffle buffer holds decoded images"
    experiment = "memory"
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        held: dict[int, int] = {}

        def decoding(shuffle: Stage, path: Path) -> Stage | None:
            stage, size = _images(path.before(shuffle))
            held[id(stage)] = size * _held(shuffle, path)
            return stage if held[id(stage)] > _LITTLE else None

        shuffles = (stage for stage in graph.stages if stage.op == "shuffle" and not stage.context.in_test)
        for shuffle, stage, case in cases(shuffles, decoding):
            if stage.function is None or is_only_looked_at(graph, [shuffle]):
                continue
            written, name = f"shuffle({shuffle.literal('buffer_size')})", stage.function.name
            yield self.finding(
                shuffle.span,
                f"`{written}` holds images that the `map` of `{name}` has decoded{case}",
                cost=f"When it is full they take {held[id(stage)] / 1e9:.1f} GB or more, and all of them are decoded"
                " before the first batch (measured for 1,000 images of 224 x 224: 645 MB instead of 22 MB, and 12 times"
                " as long)",
                advice="Shuffle file names or encoded records, before the `map`",
                confidence="likely",
                related=(Related(stage.span, "decodes before the shuffle"),),
                fix=Fix("display-only", "Move `shuffle` before the `map`", "the order changes"),
            )


def _held(shuffle: Stage, path: Path) -> int:
    """How many elements it holds when it is full, as far as that is written."""
    size = shuffle.literal("buffer_size")
    if not isinstance(size, int):
        return 0
    limits = [length(origin) for origin in shuffle.inputs]
    limits += [stage.literal("count") for stage in path.before(shuffle) if stage.op == "take"]
    return min(size, *(limit for limit in limits if isinstance(limit, int) and limit >= 0), size)


def _images(stages: Sequence[Stage]) -> tuple[Stage | None, int]:
    """The map that decodes images which are elements in the end, and the bytes that one of them has at least."""
    decoding: Stage | None = None
    pixels, channels, width = 0, 0, 1
    for stage in stages:
        function = stage.function
        if stage.op != "map":
            if stage.op not in _PASSED:
                # Batches, or what a cache in memory holds anyway.
                decoding, pixels = None, 0
            continue
        if function is None or not function.resolved or function.pixels is None:
            decoding, pixels = None, 0
        elif function.channels:
            decoding, pixels, channels = stage, function.pixels, function.channels
        elif function.pixels:
            pixels = function.pixels
        if function is not None:
            width = function.number_bytes or (1 if "tensorflow.cast" in function.operations else width)
    return decoding, pixels * channels * width
