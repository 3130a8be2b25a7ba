"""TFD502."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.words import TRACES
from tfdata_lint.pipeline.nouns.code import holds, last_name
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import counter
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.python.origins import argument
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule, guarded
from tfdata_lint.rules.profiling.traces import steps_of


class TraceWithoutStep(Rule):
    code = "TFD502"
    name = "trace-without-step"
    group = "performance"
    summary = "A profiled step lacks `step_num=` or `_r=1`, so there is no step analysis"
    unmeasured = "It is about what a profile shows, not about speed"
    triggers = ("use:Trace use:StepTraceAnnotation",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        steps = steps_of(graph)
        # A loop over `take` is one that looks at elements.
        stepping = {id(node) for consumer in graph.consumers for node in (consumer.loop, consumer.node) if steps}
        for step in steps:
            needed, call = TRACES[step.use.name], step.use.call
            assert call is not None
            missing = [name for name in needed if argument(graph, call, -1, name, graph.source) is None]
            # Without either it may be a label for something that is no step.
            is_label = len(missing) == len(needed) and id(step.loop) not in stepping
            if missing and not is_label:
                yield self._of(graph, step.use, missing, step.loop)
        told = {id(step.use) for step in steps}
        for use in (one for one in graph.uses if one.name in TRACES and id(one) not in told):
            needed = TRACES[use.name] if use.call is not None else ()
            given = {name: argument(graph, use.call, -1, name, graph.source) for name in needed if use.call}
            if list(given) == ["step_num", "_r"] and given["step_num"] is not None and given["_r"] is None:
                # What has a number is a step, whoever has the loop: the hook of a callback.
                yield self._of(graph, use, ["_r"], None)

    def _of(
        self, graph: PipelineGraph, use: SymbolUse, missing: list[str], loop: ast.For | ast.While | None
    ) -> Finding:
        number = counter(loop) if loop is not None and holds(loop, use.node) else ""
        text = {"step_num": f"`step_num={number or 'step'}`", "_r": "`_r=1`"}
        wanted = " and ".join(text[name] for name in missing)
        return self.finding(
            use.span,
            f"`{last_name(use.node)}` is called without {' and '.join(f'`{name}`' for name in missing)}",
            cost="The profiler cannot tell the steps apart, so the overview and the input-pipeline analysis stay empty"
            if "step_num" in missing
            else "The profiler does not recognize the event as a step, so there is no step analysis",
            advice=f"Pass {wanted}",
            fix=_fix(graph, use, loop, f"Add {wanted}", missing, number),
        )


@guarded
def _fix(
    graph: PipelineGraph, use: SymbolUse, loop: ast.For | ast.While | None, title: str, missing: list[str], number: str
) -> Fix:
    draft = Draft(graph)
    if "step_num" in missing and not (loop is not None and number and draft.counts(loop, number)):
        draft.refuse("there is no step counter")
    values = {"step_num": number, "_r": "1"}
    if use.call:
        draft.add_arguments(use.call, *(f"{name}={values[name]}" for name in missing))
    return draft.fix("safe", title)
