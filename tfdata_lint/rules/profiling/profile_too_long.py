"""TFD503."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.rules.base import Finding, Rule
from tfdata_lint.rules.profiling.profiles import profiled_steps

#: As many steps as the guides advise.
_MOST = 10


class ProfileTooLong(Rule):
    code = "TFD503"
    name = "profile-too-long"
    group = "advice"
    summary = "A profile of more than ten steps"
    triggers = ("use:profile_batch= use:start",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test:
            return
        for profiled in profiled_steps(graph):
            if profiled.steps > _MOST:
                yield self.finding(
                    profiled.use.span,
                    f"{profiled.steps} steps are profiled, from {profiled.first} to {profiled.last}",
                    cost="A profile grows with its steps (measured on a small model: 0.25 MB for 10, 2.6 MB for 100),"
                    " is kept in memory until it ends, and the tools take long to read it",
                    advice=f"Profile {_MOST} steps, such as {profiled.first} to {profiled.first + _MOST - 1}",
                )
