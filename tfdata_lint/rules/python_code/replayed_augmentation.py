"""TFD207 replayed-augmentation."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import calls_of
from tfdata_lint.pipeline.nouns.consumers import LEAVING, Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import inside, paths
from tfdata_lint.pipeline.nouns.questions import may_reorder, outermost
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.python_code.numbered import numbered, other_seeds

#: Arguments that make a source or mixture give another order in each iteration.
_REORDERING = ("shuffle_files", "rerandomize_each_iteration")
_COST = (
    "With a seed, every new iterator repeats the same draws in the same order, and the elements come in the same order"
    " (measured: identical inputs in 3 epochs of `fit`)"
)
_COST_OF_PARALLEL = (
    "With a seed, every new iterator repeats the same draws; parallel calls race for them (measured: with 2 calls 43 %"
    " of the inputs are those of the epoch before, with 16 calls 4 to 15 %)"
)
_ADVICE = (
    "Draw from a `tf.random.Generator` created outside the function, use Keras random layers, or train from one"
    " iterator over `repeat()` with `steps_per_epoch`"
)
_COST_OF_NUMBERS = (
    "Every pass begins with the same numbers, and the elements come in the same order (measured: identical"
    " inputs in 2 epochs of `fit`, with an unseeded `Dataset.random()`, too)"
)


class ReplayedAugmentation(Rule):
    code = "TFD207"
    name = "replayed-augmentation"
    group = "correctness"
    summary = "Seeded augmentation repeats the same draws in every epoch"
    triggers = ("effect:random effect:stateless_random",)
    experiment = "iterators"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            # Tests replay on purpose.
            if stage.function is None or stage.context.in_test:
                continue
            effect = next((e for e in stage.function.effects if e.kind == "random" and (e.seeded or graph.seeds)), None)
            outer = met = outermost(stage)
            numbers: list[Stage] = []
            if effect is None:
                effect, numbers, paired = numbered(stage, stage.function)
                # What is put together stays together, wherever it is shuffled later.
                met = paired or outer
            if effect is None or _may_reorder_anew(graph, met, numbers):
                # The draws come again by position: in each epoch for other elements.
                continue
            # Numbers given out before a `repeat` come again in each pass, also of one iterator.
            consumers = (c for c in graph.reached(outer) if _restarts(c, outer) or (numbers and _repeats(c, outer)))
            if any(source.op == "random" and source.literal("seed") is None for source in numbers):
                # A graph makes such a source anew, with other numbers (measured).
                consumers = (c for c in consumers if not c.context.in_tf_function)
            consumer = next(consumers, None)
            if consumer is None:
                continue
            again = "creates a new iterator for every epoch" if _restarts(consumer, outer) else "takes several passes"
            related = [Related(consumer.span, again)]
            if numbers:
                related.append(Related(numbers[0].span, "gives the same numbers to each iterator"))
            elif not effect.seeded:
                related.append(Related(graph.seeds[0], "the global seed"))
            seed = "its seed" if effect.seeded else "the global seed"
            why = f"the numbers of `{numbers[0].op}`, which are its seeds" if numbers else seed
            races = outer.is_parallel and not numbers
            drawn = "repeats its draws" if races else "draws the same values"
            yield self.finding(
                effect.span,
                f"`{effect.what}` {drawn} in every epoch, because of {why}",
                severity="warning" if races else None,
                cost=_COST_OF_NUMBERS if numbers else _COST_OF_PARALLEL if races else _COST,
                advice=other_seeds(target) if numbers else _ADVICE,
                confidence="likely",
                related=tuple(related),
            )


def _restarts(consumer: Consumer, stage: Stage) -> bool:
    """Does it make an iterator per epoch over what this stage gives, with nothing between that makes it one?"""
    if consumer.context.in_test:
        return False
    if consumer.kind == "fit":
        again = _fits_several_epochs(consumer)
    else:
        again = consumer.kind in ("for", "iter", "as_numpy_iterator", "as_numpy") and _is_in_epoch_loop(consumer, stage)
    if not again:
        return False
    # One iterator over `repeat` draws on; what a cache keeps is another rule's (TFD302).
    return any(
        stage in path.stages and path.find("repeat", "shuffle_and_repeat", "cache", "snapshot") is None
        for path in paths(consumer.dataset, consumer.context.conditions)
    )


def _repeats(consumer: Consumer, stage: Stage) -> bool:
    """Does it take several passes over what this stage gives from one iterator?"""
    if consumer.context.in_test or consumer.kind in LEAVING:
        return False
    return any(
        part.op == "repeat" and part.presumed("count") not in (0, 1)
        for path in paths(consumer.dataset, consumer.context.conditions)
        if stage in path.stages
        for part in path.after(stage)
    )


def _fits_several_epochs(consumer: Consumer) -> bool:
    epochs = consumer.presumed("epochs", 1)
    # With steps_per_epoch Keras goes on with one iterator.
    return epochs not in (0, 1, None) and consumer.literal("steps_per_epoch") is None


def _is_in_epoch_loop(consumer: Consumer, stage: Stage) -> bool:
    """In a loop that counts, and that the dataset is made outside of."""
    made_in = {id(loop.node) for loop in stage.context.loops}
    around = [loop for loop in consumer.context.loops if loop.node is not consumer.node]
    return any(_counts(loop.node) and id(loop.node) not in made_in for loop in around)


def _counts(loop: ast.AST) -> bool:
    """`for epoch in range(n)`, also under tqdm, or `while`; a loop over several datasets does not."""
    match loop:
        case ast.While():
            return True
        case ast.For(iter=walked):
            return any(next(calls_of(walked, name), None) for name in ("range", "trange", "count"))
    return False


def _may_reorder_anew(graph: PipelineGraph, stage: Stage, numbers: Collection[Stage]) -> bool:
    """May elements come to a stage in another order in each iteration? Draws of `sample_from_datasets` are repeated."""
    before = list(upstream(stage))[1:]
    parts = [*before, *(part for one in (stage, *before) for part in inside(one))]
    known = set(map(id, numbers))
    return any(
        id(part) not in known and (_reorders_anew(part) or (part.is_parallel and may_reorder(graph, part)))
        for part in parts
    )


def _reorders_anew(stage: Stage) -> bool:
    if stage.is_opaque or stage.op in ("from_generator", "random"):
        return True
    if any(stage.has(name) and stage.literal(name) is not False for name in _REORDERING):
        return True
    return stage.may_shuffle and stage.literal("reshuffle_each_iteration") is not False
