"""What `reveal_length(x)` and its like say in tests: one function from a value to a text for each fact."""

from __future__ import annotations

from collections.abc import Callable

from tfdata_lint.pipeline.facts.length import amount_of, said
from tfdata_lint.pipeline.nouns.stages import Join, Stage
from tfdata_lint.pipeline.nouns.values import Value


def _length(value: Value) -> str:
    if isinstance(value, (Stage, Join)):
        return said(value) or "unknown"
    number = amount_of(value)
    if number is None:
        return "unknown"
    return f"{number.times:g}" + ("" if number.of is None else " of a length")


TEXTS: dict[str, Callable[[Value], str]] = {
    "length": _length,
}
