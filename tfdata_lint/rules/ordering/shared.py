"""What several rules about order share."""

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


def follows(stage: Stage, origin: Stage) -> bool:
    """Does it come directly after the other one, under the same conditions, so that the two can be swapped?"""
    same_place = (stage.context.definition, stage.context.conditions) == (
        origin.context.definition,
        origin.context.conditions,
    )
    return bool(stage.inputs) and stage.inputs[0] is origin and same_place
