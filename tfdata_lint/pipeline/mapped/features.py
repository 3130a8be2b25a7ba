"""The features that a mapped function parses."""

from __future__ import annotations

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.mapped.record import Call
from tfdata_lint.pipeline.nouns.stages import Parsed
from tfdata_lint.pipeline.nouns.values import Mapping_


def parsed_by(call: Call) -> Parsed | None:
    """The features that a call parses, where all of them are known."""
    row = known(call.name)
    if row.gives != "parsed":
        return None
    features = call.argument(row.parameters.index("features"), "features")
    if not isinstance(features, Mapping_) or features.rest or not features.exact or features.spread:
        return None
    found = tuple([name for name, _ in features.held])
    return Parsed(call.node, call.span, found) if all(isinstance(name, str) for name in found) else None
