"""TFD707."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.eras import (
    chooses_version,
    needs_tensorflow_1,
    needs_tensorflow_2,
    seems_tensorflow_2,
    tells_versions_apart,
)
from tfdata_lint.rewriting.calls import Argument, OldCall
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule, guarded
from tfdata_lint.rules.upgrades.removed_symbol.imports import import_anew
from tfdata_lint.rules.upgrades.removed_symbol.symbols import CALLED, Gone, Removed, removed_uses
from tfdata_lint.rules.upgrades.removed_symbol.words import CASTS, advice, cost, message, old, shown

_BROKEN = "today the code raises an error"
_REASON = "today the code raises an error, and TensorFlow 2 may compute something else than TensorFlow 1 did"


class RemovedSymbol(Rule):
    code = "TFD707"
    name = "removed-symbol"
    group = "correctness"
    summary = "A module with a pipeline uses a name or an argument that TensorFlow no longer has"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if target.below(2, 0) or not any(stage.span.file == graph.file for stage in graph.stages):
            return
        # Where nobody says what the code is for, it may well be for TensorFlow 1.
        is_for_2 = _is_told(target) or needs_tensorflow_2(graph.source)
        is_new = is_for_2 or seems_tensorflow_2(graph.source)
        if not is_new and "tensorflow_datasets" not in graph.source.text:
            return
        uses = [gone for gone in removed_uses(graph) if is_new or gone.removed.of == "tfds"]
        uses = [gone for gone in uses if not chooses_version(graph, gone.statement or gone.use.node)]
        of_1 = [gone for gone in uses if gone.removed.since == (2, 0)]
        is_one_slip = len({gone.removed.old for gone in of_1}) <= 1
        if not uses or not (is_for_2 or is_one_slip) or tells_versions_apart(graph):
            return
        if needs_tensorflow_1(graph.source):
            # Its names fail one after the other, and what is to be done is done to all of it.
            if _is_told(target) and of_1:
                yield self._program(of_1[0].use, target)
            return
        seen: set[str] = set()
        for gone in uses:
            removed = gone.removed
            if target.below(*removed.since) or (removed.of == "keras" and graph.says("legacy")):
                continue
            # What nothing takes the place of is said once.
            is_one = removed.new or removed.argument or gone.statement or removed.since == (2, 0)
            if is_one or removed.old not in seen:
                yield self._gone(graph, gone, target)
            seen.add(removed.old)

    def _program(self, use: SymbolUse, target: Target) -> Finding:
        origin = target.origin.removeprefix("assumed: ")
        said = f"{origin} says {target}, which has" if target.is_declared else f"{origin}, where there is"
        return self.finding(
            use.span,
            f"This is TensorFlow 1 code, but {said} no `{old(use)}`",
            cost="The program stops with an error at the first name that TensorFlow 2 does not have",
            advice="Port it (`tf_upgrade_v2` renames what it can), import `tensorflow.compat.v1`, or declare "
            "TensorFlow 1 for its folder",
            is_guess=True,
        )

    def _gone(self, graph: PipelineGraph, gone: Gone, target: Target) -> Finding:
        use, removed = gone.use, gone.removed
        # Whether `tf_keras` takes the place of Keras 3, a variable of the environment may say.
        is_sure = (
            (target.is_declared or (target.oldest or (1, 0)) >= removed.since)
            and not removed.of
            and removed.argument != "decay"
        )
        return self.finding(
            use.span,
            message(use, removed),
            cost=cost(gone),
            advice=advice(use, removed),
            severity=None if is_sure else "warning",
            confidence="proven" if is_sure else "likely",
            fix=_fix(graph, gone),
        )


def _is_told(target: Target) -> bool:
    """Does the project say that it is for TensorFlow 2, if only by a lower bound?"""
    return target.is_declared or (target.oldest or (1, 0)) >= (2, 0)


@guarded
def _fix(graph: PipelineGraph, gone: Gone) -> Fix | None:
    draft, use, removed = Draft(graph), gone.use, gone.removed
    if isinstance(gone.statement, ast.ImportFrom):
        is_there = import_anew(draft, gone.statement)
        return draft.fix("unsafe", "Import it from where it is today", _BROKEN) if is_there else None
    if removed.argument not in ("", CALLED) and use.call is not None:
        draft.rename_keyword(use.call, removed.argument, removed.new)
        return draft.fix("unsafe", f"Pass `{removed.new}`", _BROKEN) if removed.new else None
    if removed.old in CASTS:
        _cast(draft, use, use.written.partition(".")[0], CASTS[removed.old])
        return draft.fix("unsafe", "Cast with `tf.cast`", _REASON)
    if not removed.new or not isinstance(use.node, ast.Attribute):
        return None
    if not _keeps_arguments(use, removed):
        draft.refuse("its arguments now have other names or another order")
    elif not gone.home:
        draft.rename_attribute(use.node, use.node.attr, last(removed.new))
    elif draft.can_edit(use.node):
        new = _written(draft, gone)
        if use.call is None:
            draft.replace(use.node, new)
        else:
            OldCall(draft, use.call).rename(new)
    return draft.fix("unsafe", f"Replace with `{shown(removed.new)}`", _REASON if removed.since == (2, 0) else _BROKEN)


def _written(draft: Draft, gone: Gone) -> str:
    """The new name, by what its home is called there."""
    root, new = gone.use.written.partition(".")[0], gone.removed.new
    full = new if new.startswith((f"{gone.home}.", "tensorflow_datasets.")) else f"tensorflow.{new}"
    if full.startswith(f"{gone.home}."):
        return f"{root}{full.removeprefix(gone.home)}"
    return f"{draft.tensorflow(gone.use.node)}.{new}"


def _keeps_arguments(use: SymbolUse, removed: Removed) -> bool:
    """Does what it is given mean the same to the new function?"""
    if removed.positional is None and not removed.gone:
        return True
    if use.call is None or use.positional is None or use.keywords & {None, *removed.gone}:
        return False
    return removed.positional is None or use.positional <= removed.positional


def _cast(draft: Draft, use: SymbolUse, tensorflow: str, dtype: str) -> None:
    if use.call is None or not draft.can_edit(use.call):
        draft.refuse("the name is used without a call")
        return
    old = OldCall(draft, use.call)
    if given := old.bound("x name="):
        is_named = any(keyword.arg == "x" for keyword in use.call.keywords)
        cast = Argument("dtype" if is_named else "", text=f"{tensorflow}.{dtype}")
        others = [Argument("name", given["name"])] if "name" in given else []
        old.write((f"{tensorflow}.cast", [Argument(old=given["x"]), cast, *others]))
