"""TFD807."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import reaches_the_end
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.questions import consumed, endless_stage
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.values import Symbol
from tfdata_lint.rules.base import Finding, Related, Rule

_READERS = {
    "fit": "`fit`", "validation": "`validation_data`", "evaluate": "`evaluate`", "for": "the loop", "walk": "the loop",
}  # fmt: skip
_STEPS = {"fit": "steps_per_epoch", "validation": "validation_steps", "evaluate": "steps"}


class ServiceDuplicates(Rule):
    code = "TFD807"
    name = "service-duplicates"
    group = "correctness"
    summary = "Each worker of the tf.data service sends all elements, so an epoch contains them several times"
    triggers = ("distribute", "to:fit to:validation to:evaluate to:for to:walk")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in consumed(graph, *_READERS):
            if consumer.literal(_STEPS.get(consumer.kind, "")) is not None:
                continue
            if consumer.loop is not None and not reaches_the_end(consumer.loop):
                continue
            known = paths(consumer.dataset, consumer.context.conditions)
            if not known.always(lambda path: _given_whole(path) is not None):
                continue
            stage = _given_whole(known.paths[0])
            if stage is None:
                continue
            yield self.finding(
                stage.span,
                f"Each worker of the tf.data service sends all elements to {_READERS[consumer.kind]}",
                cost="An epoch contains every element once per worker (measured: 16 elements from 8 with two workers)",
                advice="Use `tf.data.experimental.service.ShardingPolicy.DYNAMIC`, which sends each element once",
                is_guess=True,
                related=(Related(consumer.span, "read to its end here"),),
            )


def _given_whole(path: Path) -> Stage | None:
    """The stage by which each worker of the service gives all of a finite dataset."""
    stage = path.find("distribute")
    if stage is None or path.is_open or endless_stage(path) is not None:
        return None
    if any(part.is_endless is not False or part.op in ("shard", "take") for part in path.stages):
        return None
    mode = stage.arguments.get("processing_mode")
    is_off = mode is not None and isinstance(mode.value, Symbol) and mode.value.name.endswith("ShardingPolicy.OFF")
    return stage if is_off or stage.literal("processing_mode") == "parallel_epochs" else None
