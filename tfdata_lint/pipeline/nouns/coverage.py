"""How much of the text of a module stands in recovered pipelines, and why the rest does not."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from tfdata_lint.pipeline.nouns.places import Span

Reason = Literal["unknown receiver", "not reached", "limit", "skipped"]

REASONS: Mapping[Reason, str] = MappingProxyType(
    {
        "unknown receiver": "what it is called on is not known",
        "not reached": "in code that nothing here runs",
        "limit": "behind a limit of the analysis",
        "skipped": "in a file that the byte search skips",
    }
)
"""Why a call stands in no pipeline."""


class LostCall(NamedTuple):
    """A call of a dataset operation that stands in no pipeline."""

    operation: str
    span: Span
    reason: Reason
    is_certain: bool
    """It is one of tf.data for sure; else it has the name of one, and may be something else."""


class Coverage(NamedTuple):
    """The calls of dataset operations in one module."""

    seen: int
    """How many stand in pipelines."""
    lost: tuple[LostCall, ...] = ()

    @property
    def certain(self) -> list[LostCall]:
        return [lost for lost in self.lost if lost.is_certain]

    @property
    def calls(self) -> int:
        """All that are certain."""
        return self.seen + len(self.certain)
