"""TFD701."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.pipeline.graph import PipelineGraph
from tfdata_lint.rules.base import Finding, Fix, Rule
from tfdata_lint.rules.legacy import choosing_code, is_tensorflow_1
from tfdata_lint.target import Target


class DeprecatedAutotune(Rule):
    code = "TFD701"
    name = "deprecated-autotune"
    group = "upgrade"
    summary = "`tf.data.experimental.AUTOTUNE` is `tf.data.AUTOTUNE` since TensorFlow 2.4"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        uses = [use for use in graph.uses if use.name == "tensorflow.data.experimental.AUTOTUNE"]
        if not uses or target.below(2, 4) or (target.version is None and is_tensorflow_1(graph)):
            return
        choosing = choosing_code(graph)
        for use in uses:
            if id(use.node) in choosing:
                continue
            yield self.finding(
                use.span,
                "`tf.data.experimental.AUTOTUNE` is the old name of `tf.data.AUTOTUNE`",
                cost="The experimental name is kept as an alias only, and experimental names go away without notice",
                advice="Write `tf.data.AUTOTUNE` (TensorFlow 2.4 and later)",
                fix=Fix("safe", "Replace with `tf.data.AUTOTUNE`"),
            )
