"""What a mapped function costs for each element."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.knowledge.functions import RANKS, known
from tfdata_lint.pipeline.knowledge.kinds import Cost
from tfdata_lint.pipeline.mapped.record import Body, Call


def cost(body: Body, calls: list[Call], resolved: bool) -> tuple[Cost, str]:
    """How much, and the most expensive call (the first of several equals) where it is much."""
    works = [(known(call.name).cost, call.name) for call in calls]
    heavy = [(RANKS[work], name) for work, name in works if work in RANKS]
    if heavy:
        return "heavy", min(heavy, key=lambda found: found[0])[1]
    if not resolved:
        return "unknown", ""
    return "trivial" if all(work == "trivial" for work, _ in works) and not _has_loop(body) else "light", ""


def _has_loop(body: Body) -> bool:
    """Loops and matrix products are work even without a call."""
    if body.node is None:
        return False
    return any(isinstance(part, (ast.For, ast.While, ast.MatMult)) for part in ast.walk(body.node))
