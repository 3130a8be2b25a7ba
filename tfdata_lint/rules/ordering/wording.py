"""What the messages of several rules share."""

from __future__ import annotations

from tfdata_lint.pipeline.graph import Path, Stage

_READABLE = 2


def when(path: Path, *stages: Stage) -> str:
    """` when training`, or nothing: of many conditions only those that the stages themselves stand under."""
    conditions = path.conditions
    if len(conditions) > _READABLE:
        own = {condition for stage in stages for condition in stage.context.conditions}
        conditions = tuple(condition for condition in conditions if condition in own)
    text = Path(path.stages, conditions[-_READABLE:]).when
    return f" {text}" if text else ""
