"""TFD108 parallel-trivial-map."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.mapped.uses import computes
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import by_place, is_batched, is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rules.base import Finding, Fix, Rule
from tfdata_lint.rules.overlap.parallel import is_number_of_cores


class ParallelTrivialMap(Rule):
    code = "TFD108"
    name = "parallel-trivial-map"
    group = "pedantic"
    summary = "`map` hands single elements to other threads only to rearrange their parts"
    triggers = ("map", "given:num_parallel_calls")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, "map"):
            if not all(_is_trivial(graph, stage) for stage in stages) or is_only_looked_at(graph, stages):
                continue
            stage = stages[0]
            assert stage.function is not None
            written = stage.arguments["num_parallel_calls"].written
            yield self.finding(
                stage.span,
                f"`{stage.function.name}` only rearranges its input: handing that to another thread costs more",
                cost=(
                    "TensorFlow hands over the elements one by one (measured: half the speed of a sequential `map`, or"
                    " less)"
                ),
                advice=f"Remove `num_parallel_calls={written}`, or call `map` after `batch`",
                confidence=stage.confidence,
                fix=Fix("display-only", "Remove `num_parallel_calls`", "the cost differs between machines"),
            )


def _is_trivial(graph: PipelineGraph, stage: Stage) -> bool:
    function = stage.function
    # Not where the number is not known.
    is_known = stage.parallelism is not ... or is_number_of_cores(stage)
    if function is None or stage.context.in_test or not stage.is_parallel or not is_known:
        return False
    # Arithmetic on a large image is work.
    if computes(function) or not function.is_stateless or stage.nested is not None:
        return False
    # On batches there is more to do, and what comes from elsewhere may be some; where a batch follows, the map belongs
    # behind it (TFD305).
    if any(is_batched(path) or path.is_open for path in paths(stage.inputs[0])):
        return False
    return not any(user.operation.batches for user in graph.users(stage))
