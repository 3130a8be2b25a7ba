"""ACME001."""

from __future__ import annotations

from collections.abc import Iterator

from libcst import Call, matchers

from tfdata_lint import Draft, Finding, Fix, Option, PipelineGraph, Rule, Stage, Target, guarded

_LITERAL = matchers.Call(args=[matchers.Arg(value=matchers.Integer()), matchers.ZeroOrMore()])


class UnevenBatch(Rule):
    code = "ACME001"
    name = "uneven-batch"
    group = "advice"
    summary = "A batch size is no multiple of eight"
    options = (Option("multiple", 8, "What batch sizes shall be a multiple of."),)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        multiple = self.option("multiple")
        for stage in graph.stages:
            if stage.op != "batch" or stage.node is None or stage.span.file != graph.file:
                continue
            call = graph.cst(stage)
            if not matchers.matches(call, _LITERAL):
                continue
            size = call.args[0].value
            if int(size.value) % multiple == 0:
                continue
            even = -(-int(size.value) // multiple) * multiple
            yield self.finding(
                stage.span,
                f"batches of {size.value} elements are no multiple of {multiple}",
                cost="Tensor cores compute in blocks, and fill the last one up",
                advice=f"Use {even}",
                fix=_fix(graph, stage, call, even),
            )


@guarded
def _fix(graph: PipelineGraph, stage: Stage, call: Call, even: int) -> Fix:
    draft = Draft(graph)
    draft.replace_by(stage.node, call.with_deep_changes(call.args[0].value, value=str(even)))
    return draft.fix("unsafe", f"Use {even}", "the model sees other batches")
