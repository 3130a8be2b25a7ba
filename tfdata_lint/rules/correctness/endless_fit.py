"""TFD405 endless-fit."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.length import makes_no_step, steps_of
from tfdata_lint.pipeline.mapped.generators import is_live
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.consumers import STEPS, Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import reaches_the_end
from tfdata_lint.pipeline.nouns.paths import Path, paths, when
from tfdata_lint.pipeline.nouns.questions import endless_stage
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.values import Function
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Related, Rule

_NAMES_OF_STEPS = frozenset(STEPS.values())
#: Loops, and what they may go through beside a dataset: an iterator over all of it.
_LOOPS = ("for", "walk")
_MAKING = ("as_numpy", "as_numpy_iterator", "iter")
_BLOCKS = (ast.If, ast.With, ast.Try)
#: Keras 3 came with TensorFlow 2.16.
_KERAS = ("fit", "evaluate", "predict")


class EndlessFit(Rule):
    code = "TFD405"
    name = "endless-fit"
    group = "correctness"
    summary = "An infinite dataset is read to its end"
    triggers = (
        "to:fit to:validation to:evaluate to:predict to:adapt to:for to:walk to:comprehension to:list to:len to:reduce",
        "endless",
    )
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in graph.consumers:
            missing = _reads_to_the_end(graph, consumer, target)
            if missing is None or _ends_program(graph, consumer):
                continue
            known = tuple(paths(consumer.dataset, consumer.context.conditions))
            bad = [path for path in known if endless_stage(path) is not None and not _may_end(path)]
            repeat = endless_stage(bad[0]) if bad else None
            if consumer.kind in _LOOPS and any(is_live(graph, stage) for path in bad for stage in path.stages):
                # It serves whoever asks, until somebody stops it.
                continue
            # What asks for the length of a dataset knows whether it is infinite.
            if repeat is None or any("cardinality" in condition.text for condition in repeat.context.conditions):
                continue
            cost, advice = _explain(consumer, missing, _end_of(repeat))
            if consumer.kind in _KERAS and target.below(2, 16):
                cost += "; Keras 2 raises a ValueError instead where it knows that"
            yield self.finding(
                consumer.span,
                f"{_reader(consumer)} never ends: `{repeat.op}` makes this dataset infinite{when(bad, known)}",
                cost=cost,
                advice=advice,
                # What decides may never be so.
                severity=None if len(bad) == len(known) else "warning",
                # What a loop body calls may stop it.
                confidence="likely" if consumer.kind in _LOOPS else repeat.confidence,
                related=(Related(repeat.span, "infinite from here on"),),
            )


def _reads_to_the_end(graph: PipelineGraph, consumer: Consumer, target: Target) -> str | None:
    """The argument that is missing (empty where there is none); None when something else makes an end."""
    if consumer.kind in STEPS:
        if _misspells_steps(consumer.node):
            # The call raises a TypeError.
            return None
        name = STEPS[consumer.kind]
        # Keras 3 takes none for no limit.
        is_none = consumer.literal(name) is None or (target.at_least(2, 16) and makes_no_step(graph, consumer))
        return name if is_none else None
    match consumer.kind:
        case "list" | "len" | "reduce":
            return ""
        case "comprehension":
            # A generator expression, which runs as far as somebody asks.
            return None if isinstance(consumer.node, ast.GeneratorExp) else ""
        case "walk" if last_name(getattr(consumer.node, "iter", None)) not in _MAKING:
            # Something else may end before.
            return None
        case "for" | "walk":
            return "" if reaches_the_end(consumer.node) else None
    return None


def _ends_program(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Is it a loop that nothing follows in the program, for somebody to stop? It trains as long as one lets it."""
    if consumer.kind not in _LOOPS or consumer.span.file != graph.file:
        return False
    way = syntax_of(graph.source).way(consumer.node)
    for place, step in enumerate(way):
        if isinstance(step, ast.FunctionDef) and _is_called_last(graph, step):
            way = way[place:]
            break
    return bool(way) and all(
        isinstance(outer, (*_BLOCKS, ast.Module, ast.ClassDef, ast.FunctionDef)) and outer.body[-1] is inner
        for outer, inner in pairwise(way)
    )


def _is_called_last(graph: PipelineGraph, function: ast.FunctionDef) -> bool:
    """Is the call of a function the last thing that the program does: `if __name__ == "__main__": main()`?"""
    last: ast.AST = graph.tree.body[-1]
    while isinstance(last, _BLOCKS):
        last = last.body[-1]
    return isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and last_name(last.value) == function.name


def _misspells_steps(call: ast.AST) -> bool:
    """Is it given `step_per_epoch`, or another name of steps that no method of Keras has?"""
    named = (keyword.arg or "" for keyword in call.keywords) if isinstance(call, ast.Call) else ()
    return any("step" in name and name not in _NAMES_OF_STEPS for name in named)


def _reader(consumer: Consumer) -> str:
    match consumer.kind:
        case "for" | "walk":
            return "This loop"
        case "comprehension":
            return "This comprehension"
        case "validation":
            return "The validation of `fit`"
        case kind if kind in STEPS:
            return f"`{consumer.target or kind}`"
    return f"`{consumer.target or consumer.kind}`"


def _may_end(path: Path) -> bool:
    # Does it need something to be None that need never be: what is not known may be given, or set, later on?
    return any(test.holds and test.text.endswith(" is None") for test in path.conditions) or _runs_dry(path)


def _runs_dry(path: Path) -> bool:
    """Has each pass the same Python iterator, `return self`? `repeat` ends when a pass finds nothing."""
    given = path.stages[0].arguments.get("generator")
    function = given.value.node if given is not None and isinstance(given.value, Function) else None
    body = function.body if isinstance(function, ast.FunctionDef) else []
    is_kept = any(stage.op == "cache" for stage in path.stages)
    return not is_kept and bool(body) and isinstance(last := body[-1], ast.Return) and _is_self(last.value)


def _is_self(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Name) and value.id == "self"


def _end_of(endless: Stage) -> str:
    """What gives it an end."""
    if endless.operation.endless.startswith("num_"):
        return f"pass `{endless.operation.endless}=1`"
    return "remove `repeat()`" if endless.inputs else f"remove `{endless.op}`"


def _explain(consumer: Consumer, missing: str, end: str) -> tuple[str, str]:
    if consumer.kind == "len":
        return "Calling `len` of an infinite dataset raises a TypeError", "Ask for the length before `repeat()`"
    if consumer.kind in ("list", "comprehension"):
        return "The call runs until the memory is full", f"Limit the dataset with `take(n)`, or {end}"
    if missing:
        what = (
            "The validation" if consumer.kind == "validation" else "The first epoch" if consumer.kind == "fit" else "It"
        )
        if steps_of(consumer) == 0:
            return f"{what} never ends: Keras 3 takes 0 steps for no limit (measured)", f"Pass steps, or {end}"
        return f"{what} never ends", f"Pass `{missing}`, or {end}"
    return "The code after this call never runs", f"Limit the dataset with `take(n)`, or {end}"
