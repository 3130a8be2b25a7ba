"""TFD401 discarded-result."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.pipeline.graph import PipelineGraph, Stage
from tfdata_lint.rules.base import Finding, Fix, Rule
from tfdata_lint.target import Target


class DiscardedResult(Rule):
    """A transformation is called as a statement."""

    code = "TFD401"
    name = "discarded-result"
    group = "correctness"
    summary = "The result of a transformation is thrown away, so it has no effect"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for discarded in graph.discarded:
            stage = discarded.stage
            if stage.operation.kind != "transformation":
                continue
            lost = "the options are not applied" if stage.op == "with_options" else "the stage is not in the pipeline"
            name = stage.receiver
            yield self.finding(
                discarded.span,
                f"The result of `{name + '.' if name else ''}{stage.op}` is thrown away",
                cost=f"Datasets are immutable, so the call changes nothing: {lost}",
                advice=f"Assign the result back to `{name}`" if name else "Use the result",
                confidence=stage.confidence,
                fix=_fix(stage),
            )


def _fix(stage: Stage) -> Fix | None:
    if not stage.receiver:
        return None
    return Fix(
        "unsafe",
        f"Assign the result back to `{stage.receiver}`",
        "the transformation takes effect, which is what the code means but not what it did",
    )
