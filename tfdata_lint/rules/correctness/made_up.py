"""Data of which nobody learns anything: random numbers, a handful, what stands in for data."""

from __future__ import annotations

from tfdata_lint.pipeline.nouns.paths import Path
from tfdata_lint.pipeline.nouns.purposes import words
from tfdata_lint.pipeline.nouns.questions import is_handful, is_made_up, is_toy
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.values import External, Sequence, Value

_MADE_UP = frozenset({
    "random", "zeros", "ones", "rand", "randn", "randint", "normal", "uniform", "arange", "fake", "dummy", "mock",
    "toy", "synthetic",
})  # fmt: skip


def is_no_data(path: Path) -> bool:
    """Does a path start from data that are made up, or from a handful of elements?"""
    if is_toy(path) or is_made_up(path) or is_handful(path):
        return True
    source = path.stages[0]
    given = source.arguments.values()
    names = (source.context.definition, *(stage.receiver for stage in path.stages), *(part.written for part in given))
    return bool(words(*names) & _MADE_UP) or any(_is_made_up(argument.value) for argument in given)


@recursive
def _is_made_up(value: Value) -> bool:
    match value:
        case External(symbol=symbol):
            return bool(words(symbol) & _MADE_UP)
        case Sequence(items=items):
            return any(map(_is_made_up, items))
    return False
