"""TFD104."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.nouns.files import is_one_file, reader_in
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.questions import by_place, is_in_parallel, is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import Call, Stage
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded
from tfdata_lint.rules.overlap.parallel import why_cardinality_differs, why_unsafe

#: How many files to read at a time where their order does not matter (the figure was measured with it).
_INPUTS = 8
_MIXED = "records of several files are mixed, so their order changes"


class FlatMapOverFiles(Rule):
    code = "TFD104"
    name = "flat-map-over-files"
    group = "performance"
    summary = "`flat_map` reads files one after the other"
    triggers = ("flat_map",)
    related_comes = "after"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, "flat_map"):
            stage = next((stage for stage in stages if _reads_several_files(stage)), None)
            if stage is None or any(map(is_in_parallel, stages)) or is_only_looked_at(graph, stages):
                continue
            reader = reader_in(stage)
            with_what = (
                f" with `{reader.op}`" if reader else " with `tf.io.read_file`" * (_read_whole(stage) is not None)
            )
            yield self.finding(
                stage.span,
                f"`flat_map` reads its files one after the other{with_what}",
                cost=(
                    "While the pipeline waits for storage, it neither reads the next file nor processes records"
                    " (measured for `interleave` with a `cycle_length` of 8: 2.0 times slower than in parallel)"
                ),
                advice=(
                    "Use `interleave` with `num_parallel_calls=tf.data.AUTOTUNE`: `cycle_length=1` keeps the order, a"
                    " larger value reads that many files at once"
                ),
                # Splitting text costs more than reading it from a disk: 27 s, and 32 s with `interleave` (8 files).
                severity="advice" if reader is not None and reader.op == "TextLineDataset" else None,
                confidence=stage.confidence,
                related=(Related(reader.span, "opens each file"),) if reader and reader.span != stage.span else (),
                fix=_interleave(graph, stages, target, 1),
                alternatives=(_interleave(graph, stages, target, _INPUTS, _MIXED),),
            )

    def denies(self, graph: PipelineGraph, stage: Stage) -> bool:
        return stage.op == "flat_map" and is_in_parallel(stage)


@guarded
def _interleave(graph: PipelineGraph, stages: list[Stage], target: Target, inputs: int, why_mixed: str = "") -> Fix:
    reason = why_unsafe(graph, stages) or why_cardinality_differs(stages) or why_mixed
    draft = Draft(graph)
    draft.rename(stages[0], "interleave")
    autotune = draft.autotune(stages[0].node, target)
    draft.set_arguments(stages[0], cycle_length=str(inputs), num_parallel_calls=autotune)
    title = f"Use `interleave` with `cycle_length={inputs}` and `num_parallel_calls=tf.data.AUTOTUNE`"
    return draft.fix("unsafe" if reason else "safe", title, reason)


def _read_whole(stage: Stage) -> Call | None:
    """The call with which the function of a `flat_map` reads a file that its element names."""
    calls = stage.function.calls if stage.function is not None else ()
    return next((call for call in calls if known(call.name).cost == "read" and not call.sometimes), None)


def _reads_several_files(stage: Stage) -> bool:
    if stage.function is None or not (stage.function.reads_files or _read_whole(stage)):
        return False
    return not any(is_one_file(path) or _takes_one(path) for path in paths(stage, stage.context.conditions))


def _takes_one(path: Path) -> bool:
    return any(stage.op == "take" and stage.literal("count") == 1 for stage in path.stages)
