"""TFD412 augmentation-in-evaluation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.draw import Draw, Draws, choice
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.fold import expressions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.purposes import Purpose, purpose_of, words
from tfdata_lint.pipeline.nouns.questions import in_small_letters, mentions
from tfdata_lint.pipeline.nouns.stages import Effect, MappedFunction, Stage
from tfdata_lint.pipeline.nouns.values import Value
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.ordering.cache_after_random import named_purpose
from tfdata_lint.source.trees import walk

#: What only makes more of few images. Crops and noise may be the task: patches, super-resolution, denoising.
_FAMILIES = ("flip", "rotat", "brightness", "contrast", "saturation", "hue", "zoom", "shear", "translation", "rot90")
_LIBRARIES = ("albumentations.", "imgaug.", "torchvision.")
_DRAWING = ("random", "stateless_random", "random_layer")
#: Draws are wanted in evaluation, too: several views of one image, or the mean over several draws.
_DELIBERATE = frozenset({
    "tta", "ttas", "mc", "views", "view", "simclr", "contrastive", "byol", "moco", "simsiam", "swav", "ssl",
    "selfsupervised", "self", "supervised", "pretrain", "pretraining", "pretext", "rotnet", "robustness", "corruption",
    "corrupt", "denoise", "denoising", "noisy", "sr", "superresolution", "plot", "show", "visualize",
})  # fmt: skip
_VIEWS = ("contrastive", "unsupervised", "simclr", "sim_clr", "simsiam", "byol", "barlow", "swav")
_SELF_SUPERVISED = r"self.?supervised"


class AugmentationInEvaluation(Rule):
    code = "TFD412"
    name = "augmentation-in-evaluation"
    group = "correctness"
    experiment = "scores"
    summary = "Random flips and colors reach the evaluation: its score is partly chance"
    triggers = (
        "effect:random effect:stateless_random effect:random_layer effect:generator effect:py_function",
        "to:validation to:evaluate to:predict to:input_fn to:for to:walk to:comprehension to:return",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in graph.consumers:
            purpose = purpose_of(graph, consumer) or _by_name(consumer)
            if purpose is None or purpose.kind != "evaluation" or consumer.context.in_test:
                continue
            for path in paths(consumer.dataset, consumer.context.conditions):
                stage = _augmenting(path)
                if stage is None or not _trains(graph, stage):
                    continue
                if graph.once(_learns_from_views):
                    return
                yield self._report(stage, consumer, purpose)

    def _report(self, stage: Stage, consumer: Consumer, purpose: Purpose) -> Finding:
        effect = _augmentation(stage)
        assert effect is not None
        return self.finding(
            stage.span,
            f"The random `{effect.what}` also reaches {purpose.why}",
            severity="warning",
            cost="Each evaluation scores different images, so early stopping and the choice of the best model"
            " depend on chance",
            advice="Augment only the training data",
            confidence="likely",
            related=(
                Related(consumer.span, "scored here" if purpose.is_certain else "returned here"),
                Related(effect.span, "drawn here"),
            ),
        )


def _by_name(consumer: Consumer) -> Purpose | None:
    """What a function that returns a dataset is for, by its name: one of `train` and `test`, say."""
    name = consumer.context.definition.rpartition(".")[2]
    kind = named_purpose(name) if consumer.kind == "return" else None
    return None if kind is None else Purpose(kind, False, f"what `{name}` returns")


def _augmenting(path: Path) -> Stage | None:
    """The stage that augments what a path gives, if that is not what is evaluated."""
    if any(words(stage.receiver, stage.context.definition) & _DELIBERATE for stage in path.stages):
        return None
    return next((stage for stage in path.stages if _augmentation(stage)), None)


def _augmentation(stage: Stage) -> Effect | None:
    """What a mapped function draws for each image, whatever the outcome of tests in it."""
    function = stage.function
    if stage.op != "map" or function is None or words(function.name) & (_DELIBERATE | {"or"}):
        return None
    augmenting = {id(draw.node) for name, draw in _decided(function.result) if _is_of_family(name)}
    return next(
        (effect for effect in function.effects if _is_augmentation(effect, id(effect.node) in augmenting)), None
    )


def _decided(value: Value | None) -> Iterator[tuple[str, Draw]]:
    """Operations in a value that a draw decides: whether they run, or how. Their names, and the draw."""
    draws = Draws()
    for expr in expressions(value):
        tests, choices = choice(expr)
        for draw in draws.among(*(tests or (*expr.of[1:], *expr.named.values()))):
            yield from ((last(part.by), draw) for part in (expressions(*choices) if choices else (expr,)))


def _is_augmentation(effect: Effect, decides: bool) -> bool:
    """Is it one, or a draw that decides one? In Python the code around a draw says so."""
    is_fixed = effect.kind == "stateless_random" and effect.seeded
    if effect.python is not None and effect.python.draws and not effect.sometimes:
        called = (part.func for node in effect.python.nodes for part in walk(node) if isinstance(part, ast.Call))
        return effect.python.draws.startswith(_LIBRARIES) or any(_is_of_family(last_name(call)) for call in called)
    if is_fixed or effect.sometimes:
        return False
    if effect.kind not in _DRAWING:
        return decides and effect.kind == "generator"
    return effect.kind == "random_layer" or decides or _is_of_family(effect.what.rpartition(".")[2])


def _is_of_family(name: str) -> bool:
    return any(family in name.lower() for family in _FAMILIES)


def _trains(graph: PipelineGraph, stage: Stage) -> bool:
    """Does the same place, or the same function, augment what is trained on?"""
    alike = (other for other in graph.stages if other.span == stage.span or _is_same_function(stage, other))
    consumers = (consumer for other in alike for consumer in graph.reached(other))
    purposes = (purpose_of(graph, consumer) or _by_name(consumer) for consumer in consumers)
    return any(purpose is not None and purpose.kind == "training" for purpose in purposes)


def _is_same_function(one: Stage, other: Stage) -> bool:
    """Also two that call the same random layer."""
    if one.function is None or other.function is None or one.function.node is None:
        return False
    return one.function.node is other.function.node or bool(_layers(one.function) & _layers(other.function))


def _layers(function: MappedFunction) -> set[int]:
    drawing = {id(effect.node) for effect in function.effects if effect.kind == "random_layer"}
    return {id(call.receiver) for call in function.calls if id(call.node) in drawing and call.receiver is not None}


def _learns_from_views(graph: PipelineGraph) -> bool:
    """Is a file about learning without labels, where what is drawn for each image is the task?"""
    return mentions(graph, _VIEWS) or re.search(_SELF_SUPERVISED, graph.once(in_small_letters)) is not None
