"""TFD440."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.draw import drawn
from tfdata_lint.pipeline.mapped.paired import paired_draw
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import is_few, is_only_looked_at, is_toy, may_reorder
from tfdata_lint.pipeline.nouns.stages import Effect, Stage
from tfdata_lint.rules.base import Finding, Related, Rule

#: With this TensorFlow runs such functions one after the other (measured).
_ONE_BY_ONE = "op_determinism"
_APART = (
    "The order of the calls decides which element gets which draw, so an image and its mask may differ (measured: 150"
    " of 200 pairs have the same draw)"
)
_TOGETHER = (
    "Calls take the draws of one another, so an image and its mask may differ (measured: 6 % of the pairs with two"
    " Keras layers and 2 calls, 0.1 % with `tf.image` and 8)"
)
_ADVICE = (
    "Use stateless random operations, with a seed for each element: zip the dataset with `tf.data.Dataset.counter` or"
    " `tf.data.Dataset.random`"
)


class RacingDraws(Rule):
    code = "TFD440"
    name = "racing-draws"
    group = "advice"
    summary = "Parallel calls share one random state, so a seeded run does not repeat"
    unmeasured = "Whether calls come out of order is a matter of chance"
    triggers = ("effect:random effect:generator effect:random_layer effect:py_function", "given:num_parallel_calls")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test or _ONE_BY_ONE in graph.source.text:
            return
        for stage in graph.stages:
            if not _is_racing(graph, stage):
                continue
            pair, effect = paired_draw(graph, stage), _draw(stage)
            if pair is not None:
                how = "Zipped parallel maps draw" if pair.is_zipped else "Parallel calls draw twice"
                message = f"{how} from `{pair.effect.what}` with the same seed"
                cost = _APART if pair.is_zipped else _TOGETHER
                related = Related(pair.other, "draws with the same seed")
            elif effect is not None and _is_seeded(graph, stage, effect):
                message = f"Parallel calls draw from `{effect.what}` in a different order in each run"
                cost = (
                    "Elements get other random values in every run, even with a seed: `deterministic=True` fixes only"
                    " the order of the elements"
                )
                related = Related(effect.span, "drawn here")
            else:
                continue
            yield self.finding(stage.span, message, cost=cost, advice=_ADVICE, confidence="likely", related=(related,))


def _is_racing(graph: PipelineGraph, stage: Stage) -> bool:
    """Do parallel calls of a function race for its draws?"""
    if stage.op not in ("map", "interleave") or stage.parallelism in (None, 0, 1, ...) or stage.context.in_test:
        return False
    if next(drawn(stage), None) is None:
        return False
    if may_reorder(graph, stage):
        # Who gives up the order of the elements does not count on runs that repeat.
        return False
    known = paths(stage, stage.context.conditions)
    return not known.always(lambda path: is_toy(path) or is_few(path)) and not is_only_looked_at(graph, [stage])


def _draw(stage: Stage) -> Effect | None:
    return next((effect for effect in drawn(stage) if not (effect.is_guess or effect.sometimes)), None)


def _is_seeded(graph: PipelineGraph, stage: Stage, effect: Effect) -> bool:
    """Does somebody want the same draws in each run?"""
    if effect.python is not None:
        return (
            effect.python.is_seeded or re.search(r"\brandom\.seed\(|\bset_random_seed\(", graph.source.text) is not None
        )
    calls = stage.function.calls if stage.function is not None else ()
    is_from_seed = any(call.node is effect.node and "from_seed()" in call.name for call in calls)
    return bool(graph.seeds) or is_from_seed or (effect.seeded and effect.kind == "random")
