"""What the messages of several rules share."""

from __future__ import annotations

from collections.abc import Sequence

from tfdata_lint.pipeline.graph import Path

_READABLE = 2


def when(bad: Sequence[Path], known: Sequence[Path]) -> str:
    """` when training`: what the paths that a finding is about have in common; nothing when it is about all of them."""
    if not bad or len(bad) == len(known):
        return ""
    common = [condition for condition in bad[0].conditions if all(condition in path.conditions for path in bad[1:])]
    text = Path((), tuple(common[-_READABLE:])).when
    return f" {text}" if text else ""
