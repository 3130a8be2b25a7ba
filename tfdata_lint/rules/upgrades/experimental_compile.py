"""TFD706."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge import renames
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.eras import chooses_version, may_need_older
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule


class ExperimentalCompile(Rule):
    code = "TFD706"
    name = "experimental-compile"
    group = "upgrade"
    summary = "`experimental_compile` of `tf.function` is `jit_compile` since TensorFlow 2.5"
    triggers = ("use:function(experimental_compile=) use:function(experimental_relax_shapes=)",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        uses = [
            (use, old) for use in graph.uses for old in renames.ARGUMENTS if use.name == f"tensorflow.function({old}=)"
        ]
        if not uses or (not target.is_declared and may_need_older(graph)):
            return
        for use, old in uses:
            new, since, _ = renames.ARGUMENTS[old]
            if target.below(*since) or chooses_version(graph, use.node):
                continue
            yield self.finding(
                use.span,
                f"`{old}` is the old name of `{new}`",
                cost="`tf.function` logs a deprecation warning, and will drop the old name some day",
                advice=f"Write `{new}` (TensorFlow {since[0]}.{since[1]} and later)",
                fix=_fix(graph, use, old, new),
            )


def _fix(graph: PipelineGraph, use: SymbolUse, old: str, new: str) -> Fix:
    draft = Draft(graph)
    if use.call is not None:
        draft.rename_keyword(use.call, old, new)
    return draft.fix("safe", f"Replace with `{new}`")
