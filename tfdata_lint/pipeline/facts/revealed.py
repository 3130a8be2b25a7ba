"""What `reveal_length(x)` and its like say in tests: one function from a value to a text for each fact."""

from __future__ import annotations

from collections.abc import Callable

from tfdata_lint.pipeline.nouns.lengths import length
from tfdata_lint.pipeline.nouns.stages import Dataset
from tfdata_lint.pipeline.nouns.values import Value


def _length(value: Value) -> str:
    known = length(value) if isinstance(value, Dataset) else None
    return "unknown" if known is None else str(known)


TEXTS: dict[str, Callable[[Value], str]] = {
    "length": _length,
}
