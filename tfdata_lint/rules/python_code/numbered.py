"""Seeds of stateless draws that are numbers beside the elements."""

from __future__ import annotations

from typing import Any

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.mapped.uses import ARITHMETIC
from tfdata_lint.pipeline.nouns.fold import Fold
from tfdata_lint.pipeline.nouns.questions import HANDING_ON
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Argument, Effect, Given, MappedFunction, Stage, upstream
from tfdata_lint.pipeline.nouns.values import Constant, Expr, External, Sequence, Slice, Symbol, Value

_PICKING = ("item", "unpacked")


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
    paired = next((part for part in upstream(stage) if part.op in ("zip", "enumerate")), None)
    for effect in function.effects if paired is not None else ():
        for call in function.calls if effect.kind == "stateless_random" and not effect.seeded else ():
            seeds = _Seeds(stage)
            if call.node is effect.node and seeds.of(call.argument(known(call.name).seed, "seed")) and seeds.found:
                return effect, seeds.found, paired
    return None, [], None


class _Seeds(Fold[bool]):
    """Is a seed computed from constants, and numbers that come again in each iteration? They are in `found`."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self.stage = stage
        self.found: list[Stage] = []

    def expression(self, expr: Expr) -> bool:
        root, places = _picked(expr)
        match root:
            case Expr(by="parameter", of=(Given(count=count), int(number))):
                numbers = _numbers(self.stage.inputs[0], [number, *places] if count > 1 else places)
                self.found += filter(None, numbers)
                return None not in numbers
        is_plain = expr.by in ARITHMETIC or expr.by in _PICKING or known(expr.by).is_pure
        return is_plain and all(map(self.of, (*expr.of, *expr.named.values())))

    def value(self, value: Value | None) -> bool:
        match value:
            case Constant() | Symbol() | Slice():
                return True
            case Sequence(rest=None):
                return all(map(self.of, value.items))
            case External(symbol=symbol, given=given):
                return known(symbol).is_pure and all(map(self.of, given))
        return False

    def too_deep(self) -> bool:
        return False


def _picked(expr: Expr) -> tuple[Expr, list[Any]]:
    """What an expression is a part of, and where in it."""
    places: list[Any] = []
    while expr.by in _PICKING and isinstance(expr.of[0], Expr) and isinstance(expr.of[1], Constant):
        places.insert(0, expr.of[1].value)
        expr = expr.of[0]
    return expr, places


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
        case Stage(op="map", result=Expr(by="mapped", of=(_, result))) if not places:
            seeds = _Seeds(given)
            return [*seeds.found] if seeds.of(result) else [None]
    return [None]
