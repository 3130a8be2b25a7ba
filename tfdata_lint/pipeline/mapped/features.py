"""The features that a mapped function parses."""

from __future__ import annotations

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.mapped.record import Call
from tfdata_lint.pipeline.nouns.stages import Parsed
from tfdata_lint.pipeline.nouns.values import Mapping_

#: Where the specifications of features are given; of sequences what is parsed is a tuple of dicts, as these are.
_SPECIFICATIONS = {"parsed": ("features",), "parsed_sequence": ("context_features", "sequence_features")}


def parsed_by(call: Call) -> Parsed | None:
    """The features that a call parses, where all of them are known."""
    row = known(call.name)
    words = _SPECIFICATIONS.get(row.gives, ())
    given = [call.argument(row.parameters.index(word), word) for word in words]
    found: list[object] = []
    for features in given:
        match features:
            case Mapping_(rest=None, exact=True, spread=None):
                found += [name for name, _ in features.held]
            case None if len(words) > 1:
                continue
            case _:
                return None
    names = tuple([name for name in found if isinstance(name, str)])
    return Parsed(call.node, call.span, names, len(words) - 1) if found and len(names) == len(found) else None
