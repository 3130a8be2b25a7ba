"""TFD606."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.python.environment import variables_set
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.device.initialized import may_be_too_late, too_late

_VARIABLES = ("TF_GPU_THREAD_MODE", "TF_GPU_THREAD_COUNT")


class GpuThreadModeTooLate(Rule):
    code = "TFD606"
    name = "gpu-thread-mode-too-late"
    group = "correctness"
    status = "preview"
    summary = "`TF_GPU_THREAD_MODE` is set after TensorFlow has initialized its devices"
    triggers = ("text:TF_GPU_THREAD_",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        found = variables_set(graph, *_VARIABLES) if may_be_too_late(graph, target) else ()
        settings = [(one.name, one.by) for one in found]
        for name, node, first in too_late(graph, settings):
            yield self.finding(
                span_of(node, graph.file),
                f"`{name}` is set too late, after `{ast.unparse(first.func)}`",
                cost="That call initializes the devices, and TensorFlow reads the variable only then: the setting has"
                " no effect",
                advice="Set it before TensorFlow is imported, or in the shell that starts the program",
                related=(Related(span_of(first, graph.file), "initializes the devices"),),
            )
