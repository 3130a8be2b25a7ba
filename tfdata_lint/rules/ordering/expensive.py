"""How messages of several rules name an expensive map."""

from __future__ import annotations

from tfdata_lint.pipeline.nouns.stages import MappedFunction


def expensive(function: MappedFunction) -> str:
    """Return `map(f)` where `f` itself is the expensive operation, else the function and the operation it calls."""
    if function.name == function.heavy:
        return f"`map({function.name})`"
    return f"`map({function.name})` (calls `{function.heavy}`)"
