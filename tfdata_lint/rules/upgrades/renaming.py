"""What the rules about names that are called otherwise today share: the names themselves are one table."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.renames import ROWS, Kind, Renamed
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.eras import chooses_version, may_need_older
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule, guarded


class Renaming(Rule):
    """A name of the table is used. What is overridden is what one rule says, or judges, in another way."""

    group = "upgrade"
    kinds: ClassVar[tuple[Kind, ...]]
    """It is about the names of these kinds."""
    message: ClassVar[str] = "`{}` is the old name of `{}`"
    why: ClassVar[str] = "It is only an alias since {}"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        found = [(use, row) for use in graph.uses if (row := ROWS.get(use.name)) and row.kind in self.kinds]
        is_old = target.below(2, 0) or (bool(found) and not target.is_declared and may_need_older(graph))
        places: set[Span] = set()
        for use, known in found:
            row, place = self.today(use, known, target), _place(graph, use, known)
            if not self.counts(graph, use, row, target, is_old) or chooses_version(graph, use.node) or place in places:
                continue
            places.add(place)
            old = displayed(use)
            is_gone = (row.is_gone or ".contrib." in use.name) and not target.below(2, 0)
            yield self.finding(
                place,
                f"`{old}` was removed" if is_gone else self.message.format(old, row.new),
                severity="advice" if is_old else None,
                cost=self.cost(use, row, is_old),
                advice=self.advice(old, row, target),
                confidence="proven" if self.is_seen(graph, use) else "likely",
                fix=self.fix(graph, use, row, target),
            )

    def today(self, use: SymbolUse, row: Renamed, target: Target) -> Renamed:
        """What the name is for the target."""
        return row

    def counts(self, graph: PipelineGraph, use: SymbolUse, row: Renamed, target: Target, is_old: bool) -> bool:
        """Does the new name stand for it there?"""
        return not is_old and not target.lacks(*row.since)

    def is_seen(self, graph: PipelineGraph, use: SymbolUse) -> bool:
        """Is it certainly this name?"""
        return True

    def cost(self, use: SymbolUse, row: Renamed, is_old: bool) -> str:
        return self.why.format(row.version)

    def advice(self, old: str, row: Renamed, target: Target) -> str:
        return f"Write `{row.new}` ({row.version} and later)"

    def why_unsafe(self, graph: PipelineGraph, use: SymbolUse, row: Renamed) -> str:
        """Why another name may have another effect."""
        return ""

    @guarded
    def fix(self, graph: PipelineGraph, use: SymbolUse, row: Renamed, target: Target) -> Fix:
        draft, old = Draft(graph), displayed(use)
        if not row.new:
            return draft.fix("display-only", "Remove it", "the intended meaning is unknown")
        if row.kind == "attribute":
            draft.rename_attribute(use.node, old, row.new)
        elif row.kind != "argument":
            draft.leave_experimental(use.node)
        elif use.call is not None:
            draft.rename_keyword(use.call, old, row.new)
        reason = self.why_unsafe(graph, use, row) or why_new(row, target)
        return draft.fix("unsafe" if reason else "safe", f"Replace with `{row.new}`", reason)


def _place(graph: PipelineGraph, use: SymbolUse, row: Renamed) -> Span:
    """Where it is used; of what the fix imports anew, the import."""
    bound = syntax_of(graph.source).scopes.binds(use.written, use.node) if row.kind in ("constant", "class") else None
    imports = [binding for binding in bound[1] if isinstance(binding, ast.ImportFrom)] if bound else []
    return span_of(imports[0], graph.file) if len(imports) == 1 else use.span


def why_new(row: Renamed, target: Target) -> str:
    """Why a TensorFlow that the code may still run on may lack a name."""
    if not target.may_lack(*row.since):
        return ""
    return "TensorFlow before {}.{} lacks the new name, and no file says which one there is".format(*row.since)


def displayed(use: SymbolUse) -> str:
    """The name as one writes it."""
    return use.name.partition("(")[2].rstrip("=)") or use.name.removeprefix(".").replace("tensorflow.", "tf.", 1)
