"""Seeds of stateless draws that are numbers beside the elements."""

from __future__ import annotations

from typing import Any

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.parts import UNSEEN, Parts
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.nouns.fold import expressions, part_of
from tfdata_lint.pipeline.nouns.questions import HANDING_ON
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Argument, Effect, MappedFunction, Stage, upstream
from tfdata_lint.pipeline.nouns.values import Constant, Expr, Sequence, Value


def other_seeds(target: Target) -> str:
    """Advice: where seeds come from that are others for each element, and in each epoch."""
    generator = "make_seeds` of a `tf.random.Generator` created outside the function"
    if target.below(2, 12):
        return f"Call `{generator}"
    return (
        "Zip the dataset with `tf.data.Dataset.random(rerandomize_each_iteration=True).batch(2)`, whose elements are"
        f" seeds, or call `{generator}"
    )


def numbered(stage: Stage, function: MappedFunction) -> tuple[Effect | None, list[Stage], Stage | None]:
    """A stateless draw, what gives the numbers of its seed, and the stage that puts those beside the elements."""
    paired = next((part for part in upstream(stage) if part.op in ("zip", "enumerate", "from_tensor_slices")), None)
    for effect in function.effects if paired is not None else ():
        for call in function.calls if effect.kind == "stateless_random" and not effect.seeded else ():
            numbers = (
                _computed_from(stage, call.argument(known(call.name).seed, "seed")) if call.node is effect.node else []
            )
            if numbers and None not in numbers:
                return effect, [number for number in numbers if number is not None], paired
    return None, [], None


def _computed_from(stage: Stage, seed: Value | None) -> list[Stage | None]:
    """The sources of the parts of the elements, and of nothing else, that a seed is computed from."""
    places = Parts().of(seed)
    if UNSEEN in places or any("." in part.by and not known(part.by).is_pure for part in expressions(seed)):
        return [None]
    return [number for place in sorted(places, key=str) for number in _numbers(stage.inputs[0], list(place))]


@recursive
def _numbers(given: Value, places: list[Any]) -> list[Stage | None]:
    """The sources of a part of the elements that count or draw the same in each iteration; None for others."""
    match given:
        case Sequence(items=items, rest=None) if places and places[0] in range(len(items)):
            return _numbers(items[places[0]], places[1:])
        case Sequence(items=items, rest=None) if not places:
            return [number for item in items for number in _numbers(item, places)]
        case Stage(op="zip", arguments={"datasets": Argument(value=Sequence() as datasets)}):
            return _numbers(datasets, places)
        case Stage(op="zip", inputs=inputs):
            return _numbers(Sequence("tuple", inputs), places)
        case Stage(op="enumerate", inputs=[inner]) if places:
            return [given] if places[0] == 0 else _numbers(inner, places[1:])
        case Stage(op="counter" | "range" | "random"):
            return [None if given.literal("rerandomize_each_iteration") not in (None, False) else given]
        case Stage(op=op, inputs=[inner]) if op == "batch" or op in HANDING_ON:
            return _numbers(inner, places)
        case Stage(op="map", result=Expr(by="mapped", of=(_, result))):
            for place in places:
                result = part_of(result, Constant(place))
            return _computed_from(given, result)
    return [None]
