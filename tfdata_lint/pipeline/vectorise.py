"""May a mapped function run on whole batches instead of single elements?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdata_lint.pipeline.graph import BatchSafety, Effect

if TYPE_CHECKING:
    from tfdata_lint.pipeline.mapped import Body


def batch_safety(body: Body, effects: tuple[Effect, ...], resolved: bool) -> tuple[BatchSafety, str]:
    """The verdict, and why not in a few words."""
    return "unknown", ""
