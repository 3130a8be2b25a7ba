"""TFD701."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.eras import chooses_version, may_need_older
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule


class DeprecatedAutotune(Rule):
    code = "TFD701"
    name = "deprecated-autotune"
    group = "upgrade"
    summary = "`tf.data.experimental.AUTOTUNE` is `tf.data.AUTOTUNE` since TensorFlow 2.4"
    triggers = ("use:AUTOTUNE",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        uses = [use for use in graph.uses if use.name == "tensorflow.data.experimental.AUTOTUNE"]
        if not uses or target.below(2, 4) or (not target.is_declared and may_need_older(graph)):
            return
        for use in uses:
            if chooses_version(graph, use.node):
                continue
            yield self.finding(
                use.span,
                "`tf.data.experimental.AUTOTUNE` is the old name of `tf.data.AUTOTUNE`",
                cost="The experimental name is kept as an alias only, and experimental names go away without notice",
                advice="Write `tf.data.AUTOTUNE` (TensorFlow 2.4 and later)",
                fix=_fix(graph, use),
            )


def _fix(graph: PipelineGraph, use: SymbolUse) -> Fix:
    draft = Draft(graph)
    draft.leave_experimental(use.node)
    return draft.fix("safe", "Replace with `tf.data.AUTOTUNE`")
