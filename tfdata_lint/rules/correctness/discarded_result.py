"""TFD401 discarded-result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.consumers import Discarded
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.questions import is_handful, is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import Stage, tips
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, Severity, guarded

#: Without these the elements are the same.
_ONLY_FASTER = ("prefetch", "cache")


class DiscardedResult(Rule):
    """A transformation is called as a statement."""

    code = "TFD401"
    name = "discarded-result"
    group = "correctness"
    summary = "The result of a transformation is thrown away, so it has no effect"
    triggers = ("discarded",)
    experiment = "consumption"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for discarded in graph.discarded:
            stage = discarded.stage
            if stage.operation.kind != "transformation":
                continue
            # A test may only want to see that the function can be traced.
            if stage.context.in_test and stage.operation.functions:
                continue
            before = [tip for origin in stage.inputs for tip in tips(origin)]
            if discarded.given:
                if graph.is_test or stage.context.in_test:
                    continue
                yield self._of_function(graph, discarded)
                continue
            lost = "the options are not applied" if stage.op == "with_options" else "the stage is not in the pipeline"
            name = discarded.receiver
            yield self.finding(
                discarded.span,
                f"The result of `{name + '.' if name else ''}{discarded.called}` is thrown away",
                cost=f"Datasets are immutable, so the call changes nothing: {lost}",
                advice=f"Assign the result back to `{name}`" if name else "Use the result",
                severity=_severity(graph, stage, before),
                confidence=stage.confidence,
                fix=_fix(graph, discarded),
            )

    def _of_function(self, graph: PipelineGraph, discarded: Discarded) -> Finding:
        name, function = discarded.given, discarded.function
        return self.finding(
            discarded.span,
            f"The dataset that `{function}` returns is thrown away",
            cost=f"Datasets are immutable, so the call changes nothing: `{name}` stays as it was",
            advice=f"Assign the result: `{name} = {function}({name}, …)`",
            severity="warning",
            confidence="likely",
            related=(Related(discarded.stage.span, "the last stage that is lost"),),
            fix=_fix(graph, discarded),
        )


def _is_one(path: Path) -> bool:
    """Is it one element, or a few, which nothing makes faster?"""
    return is_handful(path) or [stage.op for stage in path.stages] == ["from_tensors"]


def _severity(graph: PipelineGraph, stage: Stage, before: Sequence[Stage]) -> Severity | None:
    if stage.op in _ONLY_FASTER:
        return "advice" if all(paths(tip).always(_is_one) for tip in before) else "warning"
    # A loop that stops by itself has its few elements all the same.
    return "warning" if stage.op == "take" and is_only_looked_at(graph, before) else None


@guarded
def _fix(graph: PipelineGraph, discarded: Discarded) -> Fix | None:
    node, receiver = discarded.node, discarded.receiver
    if not receiver or node is None:
        return None
    draft = Draft(graph)
    if receiver.isidentifier() and not draft.is_local(receiver, node):
        draft.refuse(f"`{receiver}` belongs to another function")
    if draft.can_edit(node):
        start = draft.syntax.offset(discarded.span.row, discarded.span.column)
        draft.put(start, start, f"{receiver} = ")
    return draft.fix(
        "unsafe",
        f"Assign the result back to `{receiver}`",
        "the call now takes effect",
    )
