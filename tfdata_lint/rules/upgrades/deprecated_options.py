"""TFD703."""

from __future__ import annotations

import re

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.renames import Renamed
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.rules.upgrades.renaming import Renaming, displayed

#: What to do where there is nothing like an old option.
_INSTEAD = {
    "experimental_optimization.map_vectorization": "Write `batch(…).map(…)` with a function for whole batches",
    "experimental_stats": "Use the TensorFlow profiler",
}
#: What options are called that are not seen to be made.
_NAMES = r"(?i)opt(?:ion)?s?"


class DeprecatedOptions(Renaming):
    code = "TFD703"
    name = "deprecated-options"
    summary = "An attribute of `tf.data.Options` that was renamed or removed"
    triggers = ("use:. use:ThreadingOptions",)
    kinds = ("attribute", "class")

    def counts(self, graph: PipelineGraph, use: SymbolUse, row: Renamed, target: Target, is_old: bool) -> bool:
        is_meant = re.search(_NAMES, use.of) is not None or self.is_seen(graph, use)
        return is_meant and super().counts(graph, use, row, target, is_old)

    def is_seen(self, graph: PipelineGraph, use: SymbolUse) -> bool:
        settings = (setting for options in graph.options for setting in options.written)
        return not use.name.startswith(".") or any(
            setting.span.row == use.node.lineno and setting.path.startswith(displayed(use)) for setting in settings
        )

    def cost(self, use: SymbolUse, row: Renamed, is_old: bool) -> str:
        if row.is_gone:
            return f"{row.version} and later do not have it: this raises an AttributeError"
        return super().cost(use, row, is_old)

    def advice(self, old: str, row: Renamed, target: Target) -> str:
        if row.new:
            return f"Write `{row.new}`"
        return _INSTEAD.get(old, "Remove it: TensorFlow now decides this itself")

    def why_unsafe(self, graph: PipelineGraph, use: SymbolUse, row: Renamed) -> str:
        if row.is_gone:
            return "today the code raises an AttributeError; after the fix the option takes effect"
        return "" if self.is_seen(graph, use) else "these may not be options of tf.data"
