"""What the messages of rules in several groups share."""

from __future__ import annotations

from collections.abc import Sequence

from tfdata_lint.pipeline.nouns.paths import Path
from tfdata_lint.pipeline.nouns.stages import Stage

_READABLE = 2


def when(bad: Sequence[Path], known: Sequence[Path], *stages: Stage) -> str:
    """` when training`: what the paths that a finding is about have in common; nothing when it is about all of them.

    Of many conditions only those that `stages` themselves stand under are told, if any.
    """
    if not bad or len(bad) == len(known):
        return ""
    common = [condition for condition in bad[0].conditions if all(condition in path.conditions for path in bad[1:])]
    if len(common) > _READABLE:
        own = {condition for stage in stages for condition in stage.context.conditions}
        common = [condition for condition in common if condition in own] or common
    text = Path((), tuple(common[-_READABLE:])).when
    return f" {text}" if text else ""
