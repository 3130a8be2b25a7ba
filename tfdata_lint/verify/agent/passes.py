"""How passes over a dataset begin."""

from __future__ import annotations

import statistics
from typing import Any

#: Less of a pass does not tell how long a step takes.
FEWEST_IN_A_PASS = 3


class Passes:
    """What the beginnings of passes cost, of those that were consumed to their end; the first one has other reasons."""

    def __init__(self) -> None:
        self._steps: list[tuple[float, int]] = []
        self._seen: list[tuple[float, float, int]] = []
        self._disturbed: tuple[float, int] | None = None
        """What a pass took, and its elements, that was not as the others."""
        self._is_disturbed = self._ended = False

    def step(self, seconds: float, elements: int, begins: bool) -> None:
        if begins:
            self._steps, self._is_disturbed = [], False
        if begins or self._steps:
            self._steps.append((seconds, elements))

    def pause(self) -> None:
        """One is over."""
        each = [seconds / elements for seconds, elements in self._steps]
        if len(each) > FEWEST_IN_A_PASS and not self._ended:
            late = (each[0] - statistics.median(each[1:])) * self._steps[0][1]
            whole, count = (sum(column) for column in zip(*self._steps, strict=True))
            if self._is_disturbed:
                self._disturbed = whole, int(count)
            else:
                self._seen.append((late, whole, int(count)))
        self._steps = []

    def drop(self) -> None:
        """This one is not as the others."""
        self._is_disturbed = True

    def end(self) -> None:
        """What follows is not the code's consumption."""
        self._steps = []
        self._ended = True

    def report(self) -> dict[str, Any] | None:
        if not self._seen and self._disturbed:
            whole, elements = self._disturbed
            return {"count": 0, "late_ms": 0.0, "ms": whole * 1e3, "elements": elements}
        if not self._seen:
            return None
        late, whole, elements = (statistics.median(column) for column in zip(*self._seen, strict=True))
        return {"count": len(self._seen), "late_ms": late * 1e3, "ms": whole * 1e3, "elements": int(elements)}
