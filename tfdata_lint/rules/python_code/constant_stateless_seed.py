"""TFD206 constant-stateless-seed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.mapped.uses import ARITHMETIC, MIXING, Made
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.purposes import is_only_evaluated
from tfdata_lint.pipeline.nouns.questions import is_made_up, is_only_looked_at, outermost
from tfdata_lint.pipeline.nouns.stages import Call, Effect, MappedFunction, Stage
from tfdata_lint.pipeline.nouns.values import Expr
from tfdata_lint.rules.base import Finding, Rule
from tfdata_lint.rules.python_code.numbered import other_seeds

_COMPARING = frozenset({"Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn", "Compare"})
_DECIDING = _COMPARING | {"BitAnd", "BitOr", "BitXor"}
_MIXING_CALLS = frozenset({
    "add", "subtract", "multiply", "less", "less_equal", "greater", "greater_equal", "logical_and",
    "logical_or", "where", "cond", "case", "switch_case", "slice", "roll",
})  # fmt: skip
#: They change shapes and types, or bound what they are given.
_HANDING_ON = frozenset({
    "item", "unpacked", "reshape", "cast", "expand_dims", "squeeze", "maximum", "minimum", "clip_by_value", "tile",
    "broadcast_to", "stack", "unstack", "abs", "floor", "round", "sqrt", "identity", "convert_to_tensor", "split",
})  # fmt: skip


class ConstantStatelessSeed(Rule):
    code = "TFD206"
    name = "constant-stateless-seed"
    group = "correctness"
    summary = "A stateless random operation with a constant seed draws the same values for every element"
    triggers = ("effect:stateless_random",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            if stage.function is None or stage.operation.kind != "transformation" or stage.context.in_test:
                continue
            effects = [effect for effect in stage.function.effects if effect.kind == "stateless_random"]
            for effect in effects:
                if not effect.seeded or not _augments(stage, stage.function, effect):
                    continue
                outer = outermost(stage)
                if is_only_looked_at(graph, [outer]) or is_only_evaluated(graph, outer):
                    continue
                yield self.finding(
                    effect.span,
                    f"`{effect.what}` uses one seed for all elements",
                    cost=(
                        "A stateless operation draws the same values for the same seed, so all elements get the same"
                        " ones (measured: 1 distinct value over 200 elements)"
                    ),
                    advice=other_seeds(target),
                    confidence=stage.confidence,
                )


def _augments(stage: Stage, function: MappedFunction, effect: Effect) -> bool:
    """Does it change what is read, rather than make up data or a projection that is to be the same for all?"""
    if effect.what.startswith("tf.image."):
        return True
    ways = paths(stage.inputs[0]) if stage.inputs else ()
    return not any(is_made_up(path) for path in ways) and _is_mixed_in(function, effect)


def _is_mixed_in(function: MappedFunction, effect: Effect) -> bool:
    """Is a drawn number added to something, multiplied with it, compared, or given to an operation on images?

    What a matrix product takes is a projection, which is to be the same for all.
    """
    made = _HandedOn(effect)
    mixed = [
        operator.expr.by in MIXING or operator.expr.by in _DECIDING
        for operator in function.operators
        if operator.expr.by in ARITHMETIC | _COMPARING and any(map(made.of, operator.expr.of))
    ]
    mixed += [
        _mixes(call)
        for call in function.calls
        if last(call.name) not in _HANDING_ON and any(map(made.of, call.arguments))
    ]
    return bool(mixed) and all(mixed)


def _mixes(call: Call) -> bool:
    return last(call.name) in _MIXING_CALLS or ".image." in call.name


class _HandedOn(Made):
    """Is a value what is drawn, perhaps in another shape or type, or a part of it?"""

    def expression(self, expr: Expr) -> frozenset[Any]:
        is_handed_on = last(expr.by) in _HANDING_ON or expr.by in ARITHMETIC | _COMPARING
        return super().expression(expr) if is_handed_on or self.is_it(expr) else frozenset()
