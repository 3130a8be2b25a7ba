"""The ways through a pipeline, and the questions that rules share."""

from __future__ import annotations

from collections.abc import Iterator as Iter
from dataclasses import dataclass

from tfdata_lint.pipeline.nouns.conditions import Condition, Facts
from tfdata_lint.pipeline.nouns.stages import Dataset, Join, Stage

#: Above this many ways through the conditions a pipeline is not enumerated further (`Paths.complete` is false).
MAX_PATHS = 64


@dataclass(frozen=True, slots=True)
class Path:
    """One way through the conditions, from a source to a dataset."""

    stages: tuple[Stage, ...]
    """Source first."""
    conditions: tuple[Condition, ...]

    @property
    def when(self) -> str:
        """`when training` or an empty string, for messages."""
        return "when " + " and ".join(map(str, self.conditions)) if self.conditions else ""

    @property
    def is_open(self) -> bool:
        """Its origin is not seen."""
        return bool(self.stages) and self.stages[0].is_opaque

    def find(self, *ops: str) -> Stage | None:
        """The stage nearest to the end with one of these operations."""
        return next((stage for stage in reversed(self.stages) if stage.op in ops), None)

    def after(self, stage: Stage) -> tuple[Stage, ...]:
        """The stages downstream of one."""
        return self.stages[self.stages.index(stage) + 1 :]

    def before(self, stage: Stage) -> tuple[Stage, ...]:
        """The stages upstream of one."""
        return self.stages[: self.stages.index(stage)]


@dataclass(frozen=True, slots=True)
class Paths:
    paths: tuple[Path, ...]
    complete: bool

    def __iter__(self) -> Iter[Path]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


def paths(dataset: Dataset, conditions: tuple[Condition, ...] = ()) -> Paths:
    """Every way through the conditions from a source to this dataset.

    Two tests with one key take the same arm. Each input of `zip`, `concatenate`, … gives its own paths.
    `conditions` are known to hold (those of a consumer, say).
    """
    found: list[Path] = []
    todo: list[tuple[Dataset, tuple[Stage, ...], tuple[Condition, ...], Facts]] = [(dataset, (), (), Facts(conditions))]
    while todo:
        node, tail, taken, facts = todo.pop()
        if isinstance(node, Join):
            for branch in reversed(node.branches):
                if not facts.allow(branch.conditions):
                    continue
                new = tuple(c for c in branch.conditions if facts.outcome(c) is None)
                todo.append((branch.dataset, tail, taken + new, facts.given(new) if new else facts))
            continue
        if not facts.allow(node.context.conditions):
            continue
        stages = (node, *tail)
        if not node.inputs:
            found.append(Path(stages, tuple(reversed(taken))))
            if len(found) >= MAX_PATHS:
                return Paths(tuple(found), complete=not todo)
        for origin in reversed(node.inputs):
            todo.append((origin, stages, taken, facts))
    return Paths(tuple(found), complete=True)
