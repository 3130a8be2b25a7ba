"""TFD208 late-bound-lambda."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import late_bound, outlives
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Loop, Stage
from tfdata_lint.rules.base import Finding, Related, Rule

#: Who gets it then may read it, or not.
_GONE = ("stored", "argument", "return", "yield")


class _Late(NamedTuple):
    """A function that runs as Python when elements are read, and where it is given away."""

    node: Any
    given_to: str
    span: Span


class LateBoundLambda(Rule):
    """A function that runs when the elements are read takes a variable of the loop that it was made in."""

    code = "TFD208"
    name = "late-bound-lambda"
    group = "correctness"
    summary = "A loop variable is read when the dataset is, so that all datasets of the loop see its last value"
    triggers = ("loop", "from_generator effect:py_function")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        # A loop over a literal is several stages, of which not all need be read.
        worst: dict[Span, Finding] = {}
        for stage in graph.stages:
            if stage.node is None or stage.context.in_test:
                continue
            for function in _run_as_python(stage):
                for loop in stage.context.loops:
                    found = late_bound(loop.node, function.node)
                    if not found or not outlives(loop.node, stage.node) or _is_read_in(graph, stage, loop):
                        continue
                    finding = self._finding(graph, stage, function, found, loop)
                    if finding.span not in worst or finding.severity == "error":
                        worst[finding.span] = finding
        yield from worst.values()

    def _finding(self, graph: PipelineGraph, stage: Stage, function: _Late, found: list[str], loop: Loop) -> Finding:
        names = " and ".join(f"`{name}`" for name in found)
        reads = [consumer for consumer in graph.reached(stage) if consumer.kind not in _GONE]
        is_read = any(loop.node not in [other.node for other in consumer.context.loops] for consumer in reads)
        bind = f"`args=({', '.join(found)},)`" if stage.op == "from_generator" else "its inputs"
        return self.finding(
            function.span,
            f"The function given to `{function.given_to}` reads {names} when the elements are read, after the loop",
            cost="Python looks a variable up when a function runs, not when it is made: each dataset of the loop gives "
            "what belongs to the last pass (measured: 3 of 3)",
            advice=f"Bind it: as a default (`lambda {found[0]}={found[0]}: …`), with `functools.partial`, or through "
            + bind,
            severity=None if is_read else "warning",
            confidence="proven" if is_read and stage.confidence == "proven" else "likely",
            related=(Related(loop.span, "the loop that changes it"),),
        )


def _run_as_python(stage: Stage) -> Iterator[_Late]:
    if stage.op == "from_generator" and stage.generator is not None:
        yield _Late(stage.generator, "from_generator", stage.span)
    for effect in stage.function.effects if stage.function is not None else ():
        if effect.kind == "py_function" and effect.wrapped is not None:
            yield _Late(effect.wrapped, effect.what, effect.span)


def _is_read_in(graph: PipelineGraph, stage: Stage, loop: Loop) -> bool:
    """Is it read in the pass that it is made in, or may it be?"""
    reached = [consumer for consumer in graph.reached(stage) if consumer.kind != "stored"]
    return any(loop.node in [other.node for other in consumer.context.loops] for consumer in reached)
