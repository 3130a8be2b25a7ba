"""TFD504."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.rules.base import Finding, Rule
from tfdata_lint.rules.profiling.profiles import profiled_steps


class ProfileWarmUp(Rule):
    code = "TFD504"
    name = "profile-warm-up"
    group = "advice"
    summary = "A profile begins with the first step, which traces functions"
    unmeasured = "It is about what a profile shows, not about speed"
    triggers = ("use:profile_batch= use:start use:start_trace",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test:
            return
        for profiled in profiled_steps(graph):
            if profiled.is_first:
                yield self.finding(
                    profiled.use.span,
                    "The profile begins with the first step",
                    cost=(
                        "The first step traces functions and fills buffers (measured: 1402 ms, where the next steps"
                        " take 32 ms), which hides what an ordinary step waits for"
                    ),
                    advice="Start a few steps later, after the pipeline has warmed up",
                )
