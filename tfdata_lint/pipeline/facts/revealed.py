"""What `reveal_length(x)` and its like say in tests: one function from a value to a text for each fact."""

from __future__ import annotations

from collections.abc import Callable

from tfdata_lint.pipeline.facts.draw import Draws, drawn
from tfdata_lint.pipeline.nouns.lengths import length
from tfdata_lint.pipeline.nouns.stages import Dataset, Join, Stage
from tfdata_lint.pipeline.nouns.values import Value


def _length(value: Value) -> str:
    known = length(value) if isinstance(value, Dataset) else None
    return "unknown" if known is None else str(known)


def _draw(value: Value) -> str:
    """Of a value inside a mapped function what it hangs on; of a dataset what its last stage draws anew."""
    if isinstance(value, Join):
        return "unknown"
    found = (
        [effect.what for effect in drawn(value)]
        if isinstance(value, Stage)
        else [draw.what for draw in Draws().of(value)]
    )
    return ", ".join(sorted(found)) or "nothing"


TEXTS: dict[str, Callable[[Value], str]] = {
    "draw": _draw,
    "length": _length,
}
