"""What may be changed in a pipeline so that it gives the same elements, perhaps faster: each move as a new text.

Nothing is executed here. A move is proven where the graph says that no element changes, or has the reason why not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from typing import Literal, NamedTuple

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.draw import is_pure_python
from tfdata_lint.pipeline.mapped.footprint import footprint
from tfdata_lint.pipeline.mapped.paths_written import meets_written
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import CACHES, follows, is_read_once, may_reorder
from tfdata_lint.pipeline.nouns.stages import AUTOTUNE, Stage, upstream
from tfdata_lint.pipeline.project.eras import target_of
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.pipeline.recover import recover_within
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules import rule
from tfdata_lint.rules.base import Edit, Finding, Fix
from tfdata_lint.rules.overlap.ahead import why_further_unsafe, why_unsafe as why_unsafe_ahead
from tfdata_lint.rules.overlap.parallel import why_inputs_differ, why_unsafe
from tfdata_lint.source.editing import CannotEdit, edited
from tfdata_lint.source.module import load
from tfdata_lint.source.replacement import Replacement

#: In the order in which they are tried where nothing else is known: what gains most, as a rule, comes first.
Kind = Literal["vectorise", "cache", "calls", "fix", "parallel", "prefetch", "order"]
KINDS: tuple[Kind, ...] = ("vectorise", "cache", "calls", "fix", "parallel", "prefetch", "order")

#: Calls at once, where most of them wait: as many as cores would leave these idle.
CALLS = (16, 64)
#: Across these a map may move that gives the same for the same element: they draw and count whatever they are given.
_CROSSED = ("shuffle", "repeat", "prefetch")
#: These give the same elements in each epoch, if what they are given and their functions do.
_REPEATABLE = frozenset({
    "assert_cardinality", "batch", "cache", "concatenate", "enumerate", "filter", "flat_map", "interleave", "map",
    "padded_batch", "prefetch", "ragged_batch", "shard", "skip", "take", "unbatch", "with_options", "zip",
})  # fmt: skip


class Move(NamedTuple):
    kind: Kind
    title: str
    path: str
    data: bytes
    """What the file would become."""
    at: Span
    """The call that it is about, as the file is now."""
    reason: str = ""
    """Why its elements might be others, in one sentence; empty where it is proven that they are not."""
    cached: Span | None = None
    """The call that makes a new cache, as the file would be."""
    draws: bool = False
    """What is drawn for an element is another draw, as in each run of a code that sets no seed."""


class Code(NamedTuple):
    """A file, as it is or might become."""

    graph: PipelineGraph
    data: bytes
    target: Target
    settings: Settings
    unsaved: Mapping[str, bytes]
    """Other files that are not yet as they might become."""

    def with_edits(self, edits: Collection[Edit]) -> Code | None:
        if not edits or any(edit.span.file != self.graph.file for edit in edits):
            return None
        with suppress(CannotEdit):
            data = edited(self.data, self.graph.source, [Replacement(*edit.span[1:], edit.text) for edit in edits])
            return read_code(self.graph.file, data, self.settings, self.unsaved)
        return None


def read_code(path: str, data: bytes, settings: Settings, unsaved: Mapping[str, bytes]) -> Code:
    source, project = load(data, path), Project()
    project.sources.unsaved.update(unsaved)
    graph = recover_within(source, project, settings.analysis_limit)
    return Code(graph, data, target_of(source, settings.target_for(source.path, source)), settings, unsaved)


class Chain(NamedTuple):
    """A way through a pipeline of one file."""

    code: Code
    number: int
    """Which of all ways in this file."""
    stages: tuple[Stage, ...]

    @property
    def ops(self) -> list[str]:
        return [stage.op for stage in self.stages]

    @property
    def graph(self) -> PipelineGraph:
        return self.code.graph

    def rewritten(self, fix: Fix, ops: list[str]) -> Chain | None:
        """The same way after a fix; None where that cannot be written, or has not made these operations of it."""
        code = self.code.with_edits(fix.edits)
        ways = _ways(code.graph) if code else []
        if code is None or self.number >= len(ways):
            return None
        new = Chain(code, self.number, ways[self.number])
        return new if new.ops == ops else None


def _ways(graph: PipelineGraph) -> list[tuple[Stage, ...]]:
    return [way.stages for end in graph.consumers for way in paths(end.dataset, end.context.conditions)]


def executed(code: Code, was_executed: Callable[[Stage], bool]) -> Chain | None:
    """The longest way of a file all of whose stages were executed."""
    here = code.graph.file
    ways = [
        Chain(code, number, stages)
        for number, stages in enumerate(_ways(code.graph))
        if all(was_executed(stage) for stage in stages if stage.span.file == here and not stage.is_opaque)
    ]
    return max(ways, key=lambda way: sum(s.span.file == here for s in way.stages), default=None)


def of_finding(code: Code, finding: Finding) -> Iterator[Move]:
    """The fix that a rule offers, and its alternatives."""
    for fix in (finding.fix, *finding.alternatives):
        if fix is None or fix.applicability == "display-only" or (new := code.with_edits(fix.edits)) is None:
            continue
        reason = "" if fix.applicability == "safe" else fix.reason or "it is not proven safe"
        kind: Kind = "vectorise" if finding.code == "TFD305" else "fix"
        yield Move(kind, f"{finding.code}: {fix.title}", code.graph.file, new.data, finding.span, reason)


def moves(chain: Chain, *, waits: Callable[[Stage], bool], is_prefetched: bool) -> Iterator[Move]:
    """Those that the graph knows. `waits`: does a stage that was executed wait, more than it computes?"""
    yield from _vectorised(chain)
    yield from _cached(chain)
    yield from _with_calls(chain, waits)
    yield from _parallel(chain)
    if not is_prefetched:
        yield from _prefetched(chain)
    yield from _shuffled_first(chain)


# ── in parallel ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _parallel(chain: Chain) -> Iterator[Move]:
    for stage in chain.stages:
        if stage.op not in ("map", "interleave", "batch") or stage.has("num_parallel_calls"):
            continue
        if stage.op == "batch" and chain.code.target.below(2, 5):
            continue
        alike = _alike(chain.graph, stage)
        if stage.op == "interleave" and (not _has_cycle(alike) or why_inputs_differ(chain.graph, alike)):
            continue
        if any(s.function is not None and s.function.has("variable_assign", "iterator") for s in alike):
            continue
        if not why_unsafe(chain.graph, alike) or _is_pure_python(chain.graph, alike):
            yield from _set(chain, stage, "parallel", num_parallel_calls=AUTOTUNE)
        elif stage.op == "map" and _only_draws(chain.graph, alike):
            for move in _set(chain, stage, "parallel", num_parallel_calls=AUTOTUNE):
                yield move._replace(draws=True)


def _has_cycle(stages: list[Stage]) -> bool:
    """Its default is another one in parallel."""
    lengths = [stage.literal("cycle_length") for stage in stages]
    return all(isinstance(length, int) and length > 0 for length in lengths)


def _with_calls(chain: Chain, waits: Callable[[Stage], bool]) -> Iterator[Move]:
    """More calls at once than there are cores, where calls wait: in as many threads, else they wait for these."""
    if chain.code.target.below(2, 18):
        return
    for stage in chain.stages:
        if stage.op != "map" or not waits(stage) or stage.parallelism is ...:
            continue
        alike = _alike(chain.graph, stage)
        reason = why_further_unsafe(chain.graph, alike) if stage.is_parallel else why_unsafe(chain.graph, alike)
        if _is_pure_python(chain.graph, alike):
            reason = ""
        elif reason and not _is_python_only(chain.graph, alike):
            continue
        is_bounded = stage.literal("use_unbounded_threadpool", False) is not True
        for calls in CALLS:
            if is_bounded or calls > (stage.parallelism or 0):
                yield from _set(chain, stage, "calls", reason, num_parallel_calls=calls, use_unbounded_threadpool=True)


def _set(chain: Chain, stage: Stage, kind: Kind, reason: str = "", **values: int) -> Iterator[Move]:
    draft = Draft(chain.graph)
    written = {
        name: draft.autotune(stage.node, chain.code.target) if value == AUTOTUNE else str(value)
        for name, value in values.items()
    }
    draft.set_arguments(stage, **written)
    shown = ", ".join(f"{name}={'AUTOTUNE' if value == AUTOTUNE else value}" for name, value in values.items())
    title = f"Use `{shown}` in `{stage.op}`"
    if new := chain.rewritten(draft.fix("safe", title), chain.ops):
        yield Move(kind, title, chain.graph.file, new.code.data, stage.span, reason)


# ── ahead ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _prefetched(chain: Chain) -> Iterator[Move]:
    end = chain.stages[-1]
    if end.is_opaque or end.op in ("prefetch", *_CROSSED) or why_unsafe_ahead(
        chain.graph, [end], chain.graph.reached(end)
    ):  # fmt: skip
        return
    draft = Draft(chain.graph)
    draft.append(end, draft.prefetch(end.node, chain.code.target))
    title = "Append `prefetch`"
    if new := chain.rewritten(draft.fix("safe", title), [*chain.ops, "prefetch"]):
        yield Move("prefetch", title, chain.graph.file, new.code.data, end.span)


# ── in another order ────────────────────────────────────────────────────────────────────────────────────────────────


def _swapped(chain: Chain, first: int) -> Chain | None:
    """Two neighbours have changed places; None where other code reads what is between them."""
    one, other = chain.stages[first : first + 2]
    for stage in _alike(chain.graph, one):
        users = {user.span for user in chain.graph.users(stage)}
        if users != {other.span} or chain.graph.consumers_of(stage):
            return None
    if not follows(other, one):
        return None
    draft = Draft(chain.graph)
    draft.swap(one, other)
    ops = chain.ops
    ops[first : first + 2] = reversed(ops[first : first + 2])
    return chain.rewritten(draft.fix("safe", ""), ops)


def _may_move(chain: Chain, stage: Stage) -> bool:
    """Does a map give the same wherever in the order its elements come?"""
    return stage.op == "map" and all(_is_repeatable(chain.graph, other) for other in _alike(chain.graph, stage))


def _shuffled_first(chain: Chain) -> Iterator[Move]:
    """What is drawn is smaller, and the first of them soon there."""
    for number, (one, other) in enumerate(zip(chain.stages, chain.stages[1:], strict=False)):
        if other.op != "shuffle" or not _may_move(chain, one) or one.function is None or one.function.cost != "heavy":
            continue
        if new := _swapped(chain, number):
            title = f"Shuffle before the `map` of `{one.function.name}`"
            yield Move("order", title, chain.graph.file, new.code.data, other.span)


def _vectorised(chain: Chain) -> Iterator[Move]:
    """Maps behind the batch, across what is between: all that can get there, or else fewer."""
    found: list[Move] = []
    current, reason = chain, ""
    while (step := _one_vectorised(current)) is not None:
        current, why, stage = step
        reason = reason or why
        many = f"the last {len(found) + 1} maps" if found else f"the `map` of `{_name(stage)}`"
        file, data = chain.graph.file, current.code.data
        at = next((old.span for old in reversed(chain.stages) if old.op == "batch"), chain.stages[-1].span)
        found.append(Move("vectorise", f"Put `batch` before {many}", file, data, at, reason))
    yield from reversed(found)


def _one_vectorised(chain: Chain) -> tuple[Chain, str, Stage] | None:
    for number, stage in reversed(list(enumerate(chain.stages))):
        if not _may_move(chain, stage):
            continue
        moved: Chain | None = chain
        at = number
        while moved and at + 1 < len(moved.stages) and moved.stages[at + 1].op in _CROSSED:
            moved, at = _swapped(moved, at), at + 1
        if moved is None or at + 1 == len(moved.stages) or moved.stages[at + 1].op != "batch":
            continue
        ops = moved.ops
        ops[at : at + 2] = reversed(ops[at : at + 2])
        for finding in _found("TFD305", moved.code, moved.stages[at].span):
            fix = finding.fix
            if fix and fix.applicability != "display-only" and (new := moved.rewritten(fix, ops)):
                return new, "" if fix.applicability == "safe" else fix.reason, stage
    return None


def _found(code: str, where: Code, span: Span) -> Iterator[Finding]:
    judged = rule(code)
    assert judged is not None
    return (finding for finding in judged.check(where.graph, where.target) if finding.span == span)


# ── kept in memory ──────────────────────────────────────────────────────────────────────────────────────────────────


def _cached(chain: Chain) -> Iterator[Move]:
    """A cache behind the last stage that gives the same in each epoch, or behind more than that in another order."""
    # Where it stands behind others, and all give the same: this much is known already.
    seen: set[bytes] = set()
    for ahead in (_ahead(chain), chain):
        number = _last_repeatable(ahead)
        if number is None or not _is_worth_it(ahead, ahead.stages[number]):
            continue
        stage = ahead.stages[number]
        old = next((s for s in ahead.stages[:number] if s.op == "cache" and not s.has("filename")), None)
        title = f"Cache the results of `{stage.op}`{_of(stage)} in memory"
        new = _with_cache(ahead, number)
        if new is not None and old is not None:
            new = _without(new, ahead.stages.index(old)) or new
        if new is None or new.code.data in seen:
            continue
        seen.add(new.code.data)
        cache = new.stages[max(n for n in range(number + 2) if new.ops[n : n + 1] == ["cache"])]
        yield Move("cache", title, chain.graph.file, new.code.data, stage.span, cached=cache.span)


def _ahead(chain: Chain) -> Chain:
    """With all maps that give the same in each epoch before what draws or repeats."""
    number = 1
    while number < len(chain.stages):
        at = number
        while (
            at
            and _may_move(chain, chain.stages[at])
            and chain.stages[at - 1].op in _CROSSED
            and (new := _swapped(chain, at - 1))
        ):
            chain, at = new, at - 1
        if chain.stages[number].op not in ("map", *_CROSSED):
            break
        number += 1
    return chain


def _last_repeatable(chain: Chain) -> int | None:
    last = None
    for number, stage in enumerate(chain.stages):
        if stage.op == "repeat" or not all(_is_repeatable(chain.graph, part) for part in upstream(stage)):
            break
        if stage.op not in ("prefetch", "with_options"):
            last = number
    return last


def _is_worth_it(chain: Chain, stage: Stage) -> bool:
    """Is there work in it, is it paid for again, and is nobody else in the way?"""
    above = list(upstream(stage))
    if stage.op in CACHES or not any(part.function is not None or part.operation.reads for part in above):
        return False
    if any(user.op in CACHES for user in chain.graph.downstream(stage)):
        return False
    return _is_read_again(chain.graph, stage) and not _is_snapshot(above)


def _is_read_again(graph: PipelineGraph, stage: Stage) -> bool:
    readers = graph.reached(stage)
    are_looks = all(end.kind == "inspection" and end.context.loops == stage.context.loops for end in readers)
    return not is_read_once(graph, stage) and not (readers and are_looks)


def _is_snapshot(stages: list[Stage]) -> bool:
    """Is what the work gives kept already?"""
    return next((part.op in CACHES for part in stages if part.op not in ("prefetch", "with_options")), False)


def _with_cache(chain: Chain, number: int) -> Chain | None:
    draft = Draft(chain.graph)
    draft.append(chain.stages[number], "cache()")
    ops = chain.ops
    ops.insert(number + 1, "cache")
    return chain.rewritten(draft.fix("safe", ""), ops)


def _without(chain: Chain, number: int) -> Chain | None:
    draft = Draft(chain.graph)
    draft.remove(chain.stages[number])
    ops = chain.ops
    del ops[number]
    return chain.rewritten(draft.fix("safe", ""), ops)


def _is_repeatable(graph: PipelineGraph, stage: Stage) -> bool:
    """Does it give the same elements in each epoch, in the same order, for sure?"""
    if stage.is_opaque or (stage.inputs and stage.op not in _REPEATABLE) or stage.open_arguments:
        return False
    if may_reorder(graph, stage) or meets_written(graph, stage, graph.reached(stage), epochs=True):
        return False
    return all((effect.kind == "lookup" or is_pure_python(effect)) for effect in footprint(graph, stage))


# ── of functions ────────────────────────────────────────────────────────────────────────────────────────────────────


def _is_pure_python(graph: PipelineGraph, stages: list[Stage]) -> bool:
    """Is Python all that is in the way, and does it keep to its arguments?"""
    effects = [effect for stage in stages for effect in footprint(graph, stage)]
    return bool(effects) and all(is_pure_python(effect) for effect in effects) and not any(
        may_reorder(graph, stage) for stage in stages
    )  # fmt: skip


def _only_draws(graph: PipelineGraph, stages: list[Stage]) -> bool:
    """Do its functions draw, and nothing else is in the way of several calls at once?"""
    effects = [effect for stage in stages for effect in footprint(graph, stage)]
    return all(effect.kind == "random" and not effect.seeded for effect in effects) and not (
        any(may_reorder(graph, stage) for stage in stages) or why_further_unsafe(graph, stages)
    )


def _is_python_only(graph: PipelineGraph, stages: list[Stage]) -> bool:
    """Is Python all that is in the way, and nothing known of it that would suffer in more threads than there are?"""
    effects = [effect for stage in stages for effect in footprint(graph, stage)]
    return all(effect.kind == "py_function" and not (effect.python and effect.python.acts) for effect in effects)


def _alike(graph: PipelineGraph, stage: Stage) -> list[Stage]:
    """The stages of one place, in several calls."""
    return [other for other in graph.stages if other.span == stage.span]


def _name(stage: Stage) -> str:
    return stage.function.name if stage.function is not None else stage.op


def _of(stage: Stage) -> str:
    return f" of `{stage.function.name}`" if stage.function is not None else ""
