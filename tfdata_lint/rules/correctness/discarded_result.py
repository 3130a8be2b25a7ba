"""TFD401 discarded-result."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import last_name, names
from tfdata_lint.pipeline.nouns.consumers import Discarded
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.purposes import LOOKS
from tfdata_lint.pipeline.nouns.questions import is_handful, is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage, tips, upstream
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of
from tfdata_lint.pipeline.python.runs import loop_around
from tfdata_lint.pipeline.python.uses import is_read, mentions
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, Severity, guarded
from tfdata_lint.source.trees import walk

#: Without these the elements are the same.
_ONLY_FASTER = ("prefetch", "cache")
#: These give a part of the elements, or a look at them.
_PARTS = ("take", "skip", "shard", "filter", "enumerate", "take_while")

#: What puts things into a random order, or draws which one comes next.
_MIXING = frozenset({"choice", "choices", "integers", "permutation", "permuted", "randint", "randrange", "sample",
                     "shuffle"})  # fmt: skip


class DiscardedResult(Rule):
    code = "TFD401"
    name = "discarded-result"
    group = "correctness"
    summary = "The result of a transformation is thrown away, so it has no effect"
    triggers = ("discarded bound",)
    experiment = "consumption"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for discarded in graph.discarded:
            stage = discarded.stage
            if stage.operation.kind != "transformation":
                continue
            # A test may only want to see that the function can be traced.
            if stage.context.in_test and stage.operation.functions:
                continue
            if _is_mixed_before(graph, [stage]):
                continue
            before = [tip for origin in stage.inputs for tip in tips(origin)]
            if discarded.given:
                if graph.is_test or stage.context.in_test:
                    continue
                yield self._of_function(graph, discarded)
                continue
            lost = "the options are not applied" if stage.op == "with_options" else "the stage is not in the pipeline"
            name = discarded.receiver
            yield self.finding(
                discarded.span,
                f"The result of `{name + '.' if name else ''}{discarded.called}` is thrown away",
                cost=f"Datasets are immutable, so the call changes nothing: {lost}",
                advice=f"Assign the result back to `{name}`" if name else "Use the result",
                severity=_severity(graph, stage, before),
                confidence=stage.confidence,
                fix=_fix(graph, discarded),
            )

        if not graph.is_test:
            yield from self._bound(graph)

    def _bound(self, graph: PipelineGraph) -> Iterator[Finding]:
        """Names of datasets that nobody reads, where the pipeline goes on without them."""
        syntax = syntax_of(graph.source)
        targets: dict[int, tuple[ast.Name, list[Dataset]]] = {}
        for target, made in graph.bound:
            if all(id(tip) in graph.once(_known) for tip in tips(made)):
                targets.setdefault(id(target), (target, []))[1].append(made)
        for target, datasets in targets.values():
            found = [_goes_on(graph, tip) for made in datasets for tip in tips(made)]
            chains = [chain for chain in found if chain]
            if len(chains) < len(found) or not syntax.way(target) or not _is_lost(graph, syntax, target):
                continue
            first, name = chains[0][-1], target.id
            if _is_made_again(graph, syntax, target, chains) or all(_is_mixed_before(graph, one) for one in chains):
                continue
            if first.receiver == name and not _is_known_otherwise(syntax, target):
                # What it was made of is not read either: a part of the data that is left for later.
                continue
            if first.receiver != name and first.op in _PARTS:
                continue
            is_own = first.receiver == name and all(stage.confidence == "proven" for stage in chains[0])
            is_slower = all(stage.op in _ONLY_FASTER for chain in chains for stage in chain)
            statement = syntax.block(target)
            # A part that nothing takes may be left over.
            is_kept = _is_only_kept(graph, first)
            is_sure = is_own and not is_slower and first.op not in _PARTS and not is_kept
            severity: Severity | None = None if is_sure else "warning"
            if graph.source.cells and isinstance(syntax.scopes.scope_of(target), ast.Module):
                # Somebody may look at it, or go on with it, in a cell that is not kept.
                severity = "advice"
            yield self.finding(
                span_of(statement.statement if statement is not None else target, graph.file),
                f"The dataset that is bound to `{name}` here is never read",
                cost="Datasets are immutable, so the pipeline goes on without "
                + " and ".join(dict.fromkeys(f"`{stage.op}`" for stage in reversed(chains[0])))
                + (", unless that is done where the attribute is read" if is_kept else ""),
                advice=f"Return `{name}`, or use it where the dataset is consumed",
                severity=severity,
                confidence="proven" if is_own and not is_kept else "likely",
            )

    def _of_function(self, graph: PipelineGraph, discarded: Discarded) -> Finding:
        name, function = discarded.given, discarded.function
        return self.finding(
            discarded.span,
            f"The dataset that `{function}` returns is thrown away",
            cost=f"Datasets are immutable, so the call changes nothing: `{name}` stays as it was",
            advice=f"Assign the result: `{name} = {function}({name}, …)`",
            is_guess=True,
            related=(Related(discarded.stage.span, "the last stage that is lost"),),
            fix=_fix(graph, discarded),
        )


def _goes_on(graph: PipelineGraph, last: Stage) -> list[Stage]:
    """The stages, last first, that nobody goes on from, behind a dataset that others read; else none."""
    chain: list[Stage] = []
    for stage in upstream(last):
        if any(consumer.kind not in LOOKS for consumer in graph.reached(stage)) or stage.op == "parameter":
            return chain
        if stage.operation.kind != "transformation" or len(stage.inputs) != 1 or stage.context.in_test:
            return []
        chain.append(stage)
    return []


def _is_only_kept(graph: PipelineGraph, first: Stage) -> bool:
    """Does an object keep what a lost stage was made of, for methods that may do the same to it?"""
    before = (tip for origin in first.inputs for tip in tips(origin))
    readers = [reader for tip in before for reader in graph.reached(tip) if reader.kind not in LOOKS]
    return bool(readers) and all(reader.kind == "stored" for reader in readers)


def _is_made_again(graph: PipelineGraph, syntax: Syntax, target: ast.Name, chains: list[list[Stage]]) -> bool:
    """Is the name bound by another statement, too, to a dataset that has all that is lost here?"""
    lost, scope = {stage.op for chain in chains for stage in chain}, syntax.scopes.scope_of(target)
    others = [(other, made) for other, made in graph.bound if other.id == target.id and syntax.way(other)]
    others = [pair for pair in others if syntax.way(pair[0])[-2] is not syntax.way(target)[-2]]
    again = [made for other, made in others if syntax.scopes.scope_of(other) is scope]
    tries = [made for made in again if lost <= {stage.op for stage in upstream(*tips(made))}]
    # What it is made of itself is no other try.
    before = {stage.span for stage in upstream(*(chain[0] for chain in chains))} if tries else set()
    return any(lost <= {part.op for part in upstream(*tips(made)) if part.span not in before} for made in tries)


def _is_mixed_before(graph: PipelineGraph, lost: Sequence[Stage]) -> bool:
    """Is only a shuffle lost, behind a generator whose order is random anyway?"""
    is_shuffle = all(stage.op == "shuffle" for stage in lost)
    return is_shuffle and paths(lost[0]).always(lambda way: _gives_random_order(graph, way.stages[0]))


def _gives_random_order(graph: PipelineGraph, stage: Stage) -> bool:
    """Does a Python generator shuffle or draw what it gives: itself, by a helper, or by its class (`on_epoch_end`)?"""
    functions = stage.python.nodes if stage.python is not None else ()
    syntax, stages = syntax_of(graph.source), {id(one.node) for one in graph.stages}
    classes = [step for node in functions for step in syntax.way(node) if isinstance(step, ast.ClassDef)]
    calls = (part for node in (*functions, *classes) for part in walk(node) if isinstance(part, ast.Call))
    return any(last_name(call) in _MIXING and id(call) not in stages for call in calls)


def _known(graph: PipelineGraph) -> frozenset[int]:
    return frozenset(map(id, graph.stages))


def _is_known_otherwise(syntax: Syntax, target: ast.Name) -> bool:
    """Is what had the name before read elsewhere: by who gave it, or in another statement?"""
    found = syntax.scopes.binds(target.id, target)
    statement, loop = syntax.way(target)[-2], loop_around(syntax, target)
    loads = (part for part in mentions(syntax, target.id, target) if isinstance(part.ctx, ast.Load))
    is_given = found is not None and any(isinstance(part, ast.arg) for part in found[1])
    is_one_of = isinstance(loop, ast.For) and target.id in names(loop.target)
    return is_given or is_one_of or any(statement not in syntax.way(part) for part in loads)


def _is_lost(graph: PipelineGraph, syntax: Syntax, target: ast.Name) -> bool:
    """Is what is bound to a name read nowhere?"""
    if target.id.startswith("_") or is_read(syntax, target):
        return False
    if not isinstance(syntax.scopes.scope_of(target), ast.Module):
        return True
    is_bound_again = any(isinstance(part.ctx, ast.Load) for part in mentions(syntax, target.id, target))
    # Cells run in any order, and show what they please.
    return not graph.is_used_elsewhere(target.id) and not (is_bound_again and graph.source.cells)


def _is_one(path: Path) -> bool:
    """Is it one element, or a few, which nothing makes faster?"""
    return is_handful(path) or [stage.op for stage in path.stages] == ["from_tensors"]


def _severity(graph: PipelineGraph, stage: Stage, before: Sequence[Stage]) -> Severity | None:
    if stage.op in _ONLY_FASTER:
        return "advice" if all(paths(tip).always(_is_one) for tip in before) else "warning"
    # A loop that stops by itself has its few elements all the same.
    return "warning" if stage.op == "take" and is_only_looked_at(graph, before) else None


@guarded
def _fix(graph: PipelineGraph, discarded: Discarded) -> Fix | None:
    node, receiver = discarded.node, discarded.receiver
    if not receiver or node is None:
        return None
    draft = Draft(graph)
    if not isinstance(draft.syntax.way(node)[-2], ast.Expr):
        draft.refuse("the call is only a part of its statement")
    if receiver.isidentifier() and not draft.is_local(receiver, node):
        draft.refuse(f"`{receiver}` belongs to another function")
    if draft.can_edit(node):
        start = draft.syntax.offset(discarded.span.row, discarded.span.column)
        draft.put(start, start, f"{receiver} = ")
    return draft.fix(
        "unsafe",
        f"Assign the result back to `{receiver}`",
        "the call now takes effect",
    )
