"""TFD705."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.eras import chooses_version, may_need_older
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.signatures import write_signature
from tfdata_lint.rules.base import Finding, Fix, Rule


class GeneratorSignature(Rule):
    code = "TFD705"
    name = "generator-signature"
    group = "upgrade"
    summary = "`output_types` and `output_shapes` of `from_generator` are `output_signature` since TensorFlow 2.4"
    triggers = ("from_generator", "given:output_types")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        stages = [stage for stage in graph.stages if stage.op == "from_generator" and "output_types" in stage.arguments]
        if not stages or target.below(2, 4) or (not target.is_declared and may_need_older(graph)):
            return
        found: set[Span] = set()
        for stage in stages:
            is_told = "output_signature" in stage.arguments or stage.open_arguments
            if (
                is_told
                or stage.literal("output_types") is None
                or stage.span in found
                or stage.node is None
                or chooses_version(graph, stage.node)
            ):
                continue
            found.add(stage.span)
            both = " and `output_shapes`" if "output_shapes" in stage.arguments else ""
            yield self.finding(
                stage.span,
                f"`output_types`{both} {'are' if both else 'is'} deprecated",
                cost="`from_generator` logs a deprecation warning, and cannot say what is sparse or ragged this way",
                advice="Pass `output_signature`, with a `tf.TensorSpec` for each part (TensorFlow 2.4 and later)",
                confidence=stage.confidence,
                fix=_fix(graph, stage),
            )


def _fix(graph: PipelineGraph, stage: Stage) -> Fix:
    draft = Draft(graph)
    write_signature(draft, stage)
    return draft.fix("safe", "Pass `output_signature`")
