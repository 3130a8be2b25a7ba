"""TFD440."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import is_few, is_only_looked_at, is_toy, may_reorder
from tfdata_lint.pipeline.nouns.stages import Effect, Stage, upstream
from tfdata_lint.rules.base import Finding, Related, Rule

_DRAWS = ("random", "generator")
#: With this TensorFlow runs such functions one after the other (measured).
_ONE_BY_ONE = "op_determinism"
_ADVICE = (
    "Use stateless random operations, with a seed for each element: zip the dataset with `tf.data.Dataset.counter` or"
    " `tf.data.Dataset.random`"
)


class RacingDraws(Rule):
    code = "TFD440"
    name = "racing-draws"
    group = "advice"
    summary = "Parallel calls share one random state, so a seeded run does not repeat"
    triggers = ("effect:random effect:generator", "given:num_parallel_calls")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test or _ONE_BY_ONE in graph.source.text:
            return
        racing = [(stage, effect) for stage in graph.stages if (effect := _racing(graph, stage)) is not None]
        found: set[Span] = set()
        for stage, effect in racing:
            mate = _mate(graph, stage, effect, racing)
            if stage.span in found or (mate is None and not graph.seeds):
                continue
            found.add(stage.span)
            if mate is not None:
                message = f"Zipped parallel maps draw from `{effect.what}` with the same seed"
                cost = (
                    "The order of the calls decides which element gets which draw, so an image and its mask may"
                    " differ (measured: 150 of 200 pairs have the same draw)"
                )
                related = Related(mate.span, "draws with the same seed")
            else:
                message = f"Parallel calls draw from `{effect.what}` in a different order in each run"
                cost = (
                    "Elements get other random values in every run, even with a seed: `deterministic=True` fixes only"
                    " the order of the elements"
                )
                related = Related(effect.span, "drawn here")
            yield self.finding(stage.span, message, cost=cost, advice=_ADVICE, confidence="likely", related=(related,))


def _racing(graph: PipelineGraph, stage: Stage) -> Effect | None:
    """The draw that parallel calls of a function race for."""
    if stage.op != "map" or stage.function is None or stage.parallelism in (None, 0, 1, ...) or stage.context.in_test:
        return None
    if may_reorder(graph, stage):
        # Who gives up the order of the elements does not count on runs that repeat.
        return None
    known = paths(stage, stage.context.conditions)
    if known.always(lambda path: is_toy(path) or is_few(path)) or is_only_looked_at(graph, [stage]):
        return None
    return next((e for e in stage.function.effects if e.kind in _DRAWS and not (e.is_guess or e.sometimes)), None)


def _mate(graph: PipelineGraph, stage: Stage, effect: Effect, racing: list[tuple[Stage, Effect]]) -> Stage | None:
    """The other parallel map that draws the same with a seed, and that a zip puts beside this one."""
    if effect.kind != "random" or not effect.seeded:
        return None
    for user in (other for other in graph.downstream(stage) if other.op == "zip"):
        sides = [list(upstream(origin)) for origin in user.inputs]
        for mate, other in racing:
            is_alike = mate is not stage and other.what == effect.what and other.seeded
            if is_alike and any(mate in side and stage not in side for side in sides):
                return mate
    return None
