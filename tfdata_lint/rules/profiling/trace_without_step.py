"""TFD502."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule
from tfdata_lint.rules.profiling.trace import traced_blocks, traces_of


class TraceWithoutStep(Rule):
    code = "TFD502"
    name = "trace-without-step"
    group = "performance"
    summary = "A profiled step lacks `step_num=` or `_r=1`, so there is no step analysis"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        traces = traces_of(graph)
        if not traces:
            return
        stepping = _stepping_loops(graph)
        for loop in _loops(graph):
            for _, use in traced_blocks(loop, traces):
                assert use.call is not None
                given = {keyword.arg for keyword in use.call.keywords}
                missing = [name for name in ("step_num", "_r") if name not in given]
                # `**kwargs` may bring both; without either it may be a label for something that is no step.
                if not missing or None in given or (len(missing) == 2 and id(loop) not in stepping):
                    continue
                counter = _counter(loop)
                text = {"step_num": f"`step_num={counter or 'step'}`", "_r": "`_r=1`"}
                wanted = " and ".join(text[name] for name in missing)
                yield self.finding(
                    use.span,
                    f"`Trace` is called without {' and '.join(f'`{name}`' for name in missing)}",
                    cost="The profiler cannot tell the steps apart, and the overview and the input-pipeline analysis"
                    " stay empty"
                    if "step_num" in missing
                    else "The profiler does not take the event for a step, and there is no step analysis",
                    advice=f"Pass {wanted}",
                    fix=_fix(graph, use.call, f"Add {wanted}", missing, counter),
                )


def _stepping_loops(graph: PipelineGraph) -> set[int]:
    """The `id`s of the loops that take an element of a dataset in each turn."""
    loops = {id(consumer.node) for consumer in graph.consumers if consumer.kind == "for"}
    for consumer in graph.consumers:
        if consumer.kind == "next" and consumer.context.loops:
            loops.add(id(consumer.context.loops[-1].node))
    return loops


def _loops(graph: PipelineGraph) -> Iterator[ast.For | ast.While]:
    if graph.tree is not None:
        yield from (node for node in ast.walk(graph.tree) if isinstance(node, (ast.For, ast.While)))


def _fix(graph: PipelineGraph, call: ast.Call, title: str, missing: list[str], counter: str) -> Fix:
    draft = Draft(graph)
    if "step_num" in missing and not counter:
        draft.refuse("no counter of the steps is at hand")
    values = {"step_num": counter, "_r": "1"}
    if draft.can_edit(call):
        draft.add_arguments(call, *(f"{name}={values[name]}" for name in missing))
    return draft.fix("safe", title)


def _counter(loop: ast.For | ast.While) -> str:
    """The name that counts the turns of the loop, if it has one."""
    match loop:
        case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"))):
            return name
        case ast.For(target=ast.Tuple(elts=[ast.Name(id=name), *_]), iter=ast.Call(func=ast.Name(id="enumerate"))):
            return name
    counters = [name for statement in loop.body if (name := _incremented(statement))]
    return counters[0] if len(counters) == 1 else ""


def _incremented(statement: ast.stmt) -> str:
    """`step` of `step += 1`."""
    match statement:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.Constant(value=1)):
            return name
    return ""
