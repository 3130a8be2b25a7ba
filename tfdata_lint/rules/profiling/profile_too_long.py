"""TFD503."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.profiling.profiles import MOST, profiled_epochs, profiled_steps

_COST = (
    "A profile grows with its steps (measured on a small model: 0.25 MB for 10, 2.6 MB for 100), stays in memory"
    " until it ends, and takes the tools long to read"
)


class ProfileTooLong(Rule):
    code = "TFD503"
    name = "profile-too-long"
    group = "advice"
    summary = "A profile of more than ten steps"
    unmeasured = "It is about what a profile shows, not about speed"
    triggers = ("text:profile_batch use:start use:start_trace use:Profile use:trace",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test:
            return
        for profiled in profiled_steps(graph):
            if profiled.steps > MOST:
                yield self.finding(
                    profiled.use.span,
                    f"{profiled.steps} steps are profiled, from {profiled.first} to {profiled.last}",
                    cost=_COST,
                    advice=f"Profile {MOST} steps, such as {profiled.first} to {profiled.first + MOST - 1}",
                )
        for epoch in profiled_epochs(graph):
            yield self.finding(
                epoch.use.span,
                f"{epoch.steps} steps are profiled" if epoch.steps else "A pass through a whole dataset is profiled",
                cost=_COST,
                advice=f"Profile {MOST} steps, such as those from `if step == 10` to `if step == 20`, or with"
                " `profile_batch=(10, 20)` of the TensorBoard callback",
                confidence="likely",
                related=(Related(epoch.consumer.span, "goes through the dataset"),),
            )
