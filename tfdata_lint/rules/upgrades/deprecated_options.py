"""TFD703."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.renames import OPTIONS, THREADING_OPTIONS, Renamed
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.eras import chooses_version, may_need_older
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule

_CLASS = Renamed("tf.data.ThreadingOptions", (2, 6))
#: What to do where there is nothing like an old option.
_INSTEAD = {
    "experimental_optimization.map_vectorization": "Write `batch(…).map(…)` with a function for whole batches",
    "experimental_stats": "Use the TensorFlow profiler",
}
#: What options are called that are not seen to be made.
_NAMES = r"(?i)opt(?:ion)?s?"


class DeprecatedOptions(Rule):
    code = "TFD703"
    name = "deprecated-options"
    group = "upgrade"
    summary = "An attribute of `tf.data.Options` that is called otherwise today, or gone"
    triggers = ("use:. use:ThreadingOptions",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        uses = [(use, today) for use in graph.uses if (today := _today(use)) and not target.below(*today.since)]
        if not uses or (not target.is_declared and may_need_older(graph)):
            return
        for use, today in uses:
            is_seen = _is_seen(graph, use)
            if not (is_seen or re.search(_NAMES, use.of)) or chooses_version(graph, use.node):
                continue
            old = "tf.data.experimental.ThreadingOptions" if today is _CLASS else use.name[1:]
            since = "TensorFlow {}.{}".format(*today.since)
            yield self.finding(
                use.span,
                f"`{old}` was removed" if today.is_gone else f"`{old}` is the old name of `{today.name}`",
                cost=f"{since} no longer has it: this raises an AttributeError"
                if today.is_gone
                else f"It is an alias only since {since}, and experimental names go away without notice",
                advice=f"Write `{today.name}`"
                if today.name
                else _INSTEAD.get(old, "Remove it: the runtime decides that by itself"),
                confidence="proven" if is_seen else "likely",
                fix=_fix(graph, use, today, is_seen),
            )


def _today(use: SymbolUse) -> Renamed | None:
    return _CLASS if use.name == THREADING_OPTIONS else OPTIONS.get(use.name[1:])


def _is_seen(graph: PipelineGraph, use: SymbolUse) -> bool:
    """Is it certainly an attribute of `tf.data.Options`?"""
    settings = (setting for options in graph.options for setting in options.written)
    return use.name == THREADING_OPTIONS or any(
        setting.span.row == use.node.lineno and setting.path.startswith(use.name[1:]) for setting in settings
    )


def _fix(graph: PipelineGraph, use: SymbolUse, today: Renamed, is_seen: bool) -> Fix:
    draft = Draft(graph)
    if not today.name:
        return draft.fix("display-only", "Remove it", "what was meant by it is for you to say")
    title = f"Replace with `{today.name}`"
    if today is _CLASS:
        draft.leave_experimental(use.node)
        return draft.fix("safe", title)
    draft.rename_attribute(use.node, use.name[1:], today.name)
    if today.is_gone:
        return draft.fix("unsafe", title, "as it is it raises an AttributeError, and afterwards it has an effect")
    if not is_seen:
        return draft.fix("unsafe", title, "it is not seen that these are options of tf.data")
    return draft.fix("safe", title)
