"""What the calls of a module turned out to call, for those who ask why one is in no pipeline."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.nouns.fold import choices_of
from tfdata_lint.pipeline.nouns.recursion import within
from tfdata_lint.pipeline.nouns.values import Alternatives, Value

#: Different values that one call is seen to call, at most.
_KEPT = 8


class Witness:
    """Takes notes of one run."""

    def __init__(self) -> None:
        self.called: dict[int, list[Value]] = {}
        """By the `id` of the call."""

    def sees(self, callee: Value, node: ast.Call) -> None:
        """Note what is called."""
        known = self.called.setdefault(id(node), [])
        for value in _each(callee):
            if len(known) < _KEPT or not any(type(value) is type(other) for other in known):
                known.append(value)


def _each(value: Value) -> list[Value]:
    return [one for one in within(value, choices_of) if not isinstance(one, Alternatives)]
