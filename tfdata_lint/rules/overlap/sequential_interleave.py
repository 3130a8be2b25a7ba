"""TFD103."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.mapped.read_outside import set_elsewhere
from tfdata_lint.pipeline.nouns.files import is_one_file, reader_in
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import by_place, is_in_parallel, is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import AUTOTUNE, Stage, upstream
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule, guarded
from tfdata_lint.rules.overlap.parallel import calls_of, is_passed_in, why_inputs_differ, why_unsafe

_TITLE = "Add `num_parallel_calls=tf.data.AUTOTUNE`"
#: How many inputs to keep open where the code does not say (the figure was measured with it).
_INPUTS = 8


class SequentialInterleave(Rule):
    code = "TFD103"
    name = "sequential-interleave"
    group = "performance"
    summary = "`interleave` takes from one input at a time"
    triggers = ("interleave",)
    done_by_runtime = "parallel"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, "interleave"):
            # A place that is reached in several ways must be sequential in all of them.
            if not all(map(_is_sequential, stages)) or is_only_looked_at(graph, stages):
                continue
            if not all(paths(stage.inputs[0]).always(is_one_file) for stage in stages):
                yield self._finding(graph, stages, target)

    def denies(self, graph: PipelineGraph, stage: Stage) -> bool:
        return stage.op == "interleave" and not _is_sequential(stage)

    def _finding(self, graph: PipelineGraph, stages: list[Stage], target: Target) -> Finding:
        stage = stages[0]
        reader = reader_in(stage)
        is_text = reader is not None and reader.op == "TextLineDataset" and not _works(stage)
        return self.finding(
            stage.span,
            f"`interleave` {_written(stage)} from one input at a time",
            cost=(
                "The inputs take turns and are never read at the same time; TensorFlow does not parallelize this by"
                " itself (measured with a `cycle_length` of 8: 2.0 times slower on two cores)"
            ),
            advice=_TITLE + _cycle(stage),
            # Splitting text costs more than reading it from a disk: 1.1 and 0.8 times as fast (20 files of 580 lines).
            severity="advice" if is_text or is_passed_in(graph, stage) or not _is_work(stage) else None,
            confidence=stage.confidence,
            fix=_fix(graph, stages, target),
        )


def _cycle(stage: Stage) -> str:
    """What the calls need to have anything to do at once."""
    length = stage.literal("cycle_length")
    if length == 1:
        return ", with a larger `cycle_length`"
    return ", with a `cycle_length`" if length in (None, AUTOTUNE) else ""


def _is_sequential(stage: Stage) -> bool:
    return calls_of(stage) in (None, 1) and not is_in_parallel(stage) and _has_work(stage)


def _written(stage: Stage) -> str:
    calls = calls_of(stage)
    return f"with `num_parallel_calls={calls}` takes" if calls else "without `num_parallel_calls` takes"


def _has_work(stage: Stage) -> bool:
    """Is there anything that could overlap? Repeating an element in memory is not."""
    return stage.nested is None or _is_python(stage) or _is_work(stage)


def _is_work(stage: Stage) -> bool:
    """Do the nested pipelines read or compute, or does the function that opens them?"""
    function = stage.function
    if stage.nested is None or (function is not None and (function.reads_files or function.cost == "heavy")):
        return True
    return _works(stage) or any(
        inner.is_opaque or inner.operation.reads or inner.op in ("from_generator", "load")
        for inner in upstream(stage.nested)
    )


def _is_python(stage: Stage) -> bool:
    return stage.function is not None and stage.function.has("py_function") is not None


def _works(stage: Stage) -> bool:
    """Does a function work on the elements of the nested pipelines?"""
    inner = upstream(stage.nested) if stage.nested is not None else ()
    return any(part.function is not None and part.function.cost != "trivial" for part in inner)


@guarded
def _fix(graph: PipelineGraph, stages: list[Stage], target: Target) -> Fix:
    lengths = [stage.literal("cycle_length") for stage in stages]
    draft = Draft(graph)
    autotune = draft.autotune(stages[0].node, target)
    if any(length in (None, AUTOTUNE, 1) for length in lengths):
        draft.set_arguments(stages[0], cycle_length=str(_INPUTS), num_parallel_calls=autotune)
        return draft.fix(
            "unsafe",
            f"{_TITLE} and `cycle_length={_INPUTS}`",
            "a parallel `interleave` has another default `cycle_length`, so the order of the elements changes",
        )
    draft.set_arguments(stages[0], num_parallel_calls=autotune)
    reason = why_unsafe(graph, stages) or why_inputs_differ(graph, stages)
    if ... in lengths or set_elsewhere(graph, stages[0], "cycle_length"):
        reason = "the value of `cycle_length` is not known, and a parallel `interleave` has another default"
    return draft.fix("unsafe" if reason else "safe", _TITLE, reason)
