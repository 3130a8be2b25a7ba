"""TFD505."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import displayed
from tfdata_lint.pipeline.knowledge.words import PROFILES, STARTS
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Rule
from tfdata_lint.rules.profiling.profiles import starts_of, stops_of

_STOP = dict(zip(STARTS, ("stop", "stop_trace"), strict=True))
_ADVICE = {
    start: f"Use `with {displayed(profile)}(logdir):` around what is profiled"
    for start, profile in zip(STARTS, PROFILES, strict=True)
}


class UnbalancedProfiler(Rule):
    code = "TFD505"
    name = "unbalanced-profiler"
    group = "correctness"
    summary = "`tf.profiler.experimental.start` without `stop`"
    triggers = ("use:start use:start_trace",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        starts = starts_of(graph)
        if not starts or graph.is_test:
            return
        # Who imports this may stop it.
        for start in () if _may_stop(graph) or graph.is_imported else starts:
            yield self.finding(
                start.span,
                "The profiler is started, and nothing in this file stops it",
                cost=f"Only `{_STOP[start.name]}` writes the profile: without it there is none",
                advice=_ADVICE[start.name],
            )


def _may_stop(graph: PipelineGraph) -> bool:
    """Is there anything in the module that may stop a profile?"""
    return bool(stops_of(graph)) or re.search(r"\.stop(?:_trace)?\b", syntax_of(graph.source).text) is not None
