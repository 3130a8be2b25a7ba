"""TFD505."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.profiles import may_stop, return_between, starts_of
from tfdata_lint.rules.base import Finding, Related, Rule

_ADVICE = "Use `with tf.profiler.experimental.Profile(logdir):` around what is profiled"


class UnbalancedProfiler(Rule):
    code = "TFD505"
    name = "unbalanced-profiler"
    group = "correctness"
    summary = "`tf.profiler.experimental.start` without `stop`"
    triggers = ("use:start",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        starts = starts_of(graph)
        if not starts or graph.is_test:
            return
        stops = may_stop(graph)
        for start in starts:
            left = return_between(graph, start) if stops else None
            # Who imports this may stop it.
            if not stops and not graph.is_imported:
                yield self.finding(
                    start.span,
                    "The profiler is started, and nothing in this file stops it",
                    cost="Only `stop` writes the profile: without it there is none",
                    advice=_ADVICE,
                )
            elif left is not None:
                yield self.finding(
                    start.span,
                    "The function can be left before the profiler is stopped",
                    cost="Then no profile is written, and the next `start` raises an AlreadyExistsError",
                    advice=_ADVICE,
                    related=(Related(left, "left here"),),
                )
