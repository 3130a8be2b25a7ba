"""TFD311."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.length import bounds_of, number
from tfdata_lint.pipeline.nouns.files import RECORDS
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.questions import (
    MIXTURES,
    SHUFFLES,
    by_place,
    is_batched,
    is_only_looked_at,
    is_shuffled,
    is_toy,
)
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.values import Flag
from tfdata_lint.pipeline.project.syntax import bound_value, syntax_of
from tfdata_lint.rules.base import Finding, Related, Rule, Severity

#: Between the shuffle and the batch these leave elements single, and as many as they were.
_PASSED = ("map", "prefetch", "cache", "repeat", "with_options", "take", "skip", "enumerate")
#: So few elements are a mistake, whatever a batch takes.
_TINY = 8
_BATCHES = ("batch", "padded_batch", "ragged_batch")


class IneffectiveShuffle(Rule):
    code = "TFD311"
    name = "ineffective-shuffle"
    group = "performance"
    summary = "The buffer of a shuffle is too small to shuffle"
    unmeasured = "It is about the order of elements, not about speed"
    triggers = ("shuffle", "given:buffer_size")
    related_comes = "after"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, "shuffle"):
            stage = stages[0]
            size = _number(stage, "buffer_size")
            if size is None or not all(_is_all(graph, one) for one in stages) or is_only_looked_at(graph, stages):
                continue
            if size == 1:
                # An option that is 1 by default is one to switch it on with.
                if any(number(one, "buffer_size") != 1 for one in stages) or _is_switched_off(graph, stage):
                    continue
                written = f"shuffle({stage.arguments['buffer_size'].written})"
                message = f"`{written}` does not change the order" + (
                    ": its buffer size is 1" if "1" not in written else ""
                )
                yield self._finding(stage, message, "A buffer of one element cannot shuffle")
                continue
            is_option = number(stage, "buffer_size") is None
            if size <= _TINY and not is_option and all(map(_reads_records, stages)):
                message = f"`shuffle({stage.arguments['buffer_size'].written})` holds only {size} elements"
                yield self._finding(stage, message, "Neighboring records of the files stay neighbors")
                continue
            batches = [batch for one in stages if (batch := _batch(graph, one, size)) is not None]
            # Another caller may batch less.
            if len(batches) == len(stages):
                count = _number(batches[0], "batch_size") or 0
                few = "fewer elements than" if size < count else "no more elements than"
                written = f"shuffle({stage.arguments['buffer_size'].written if is_option else size})"
                message = f"`{written}` holds {f'{size} elements by default, ' * is_option}{few} a batch of {count}"
                cost = (
                    "Each batch gets neighboring elements of the data (measured with 10 sorted classes of 100: 1.4"
                    " classes in a batch of 32 for `shuffle(8)`, 1.3 without, 9.6 for `shuffle(1000)`)"
                )
                related = Related(batches[0].span, f"takes {count} elements for each batch")
                is_default = is_option or number(batches[0], "batch_size") is None
                yield self._finding(stage, message, cost, related, severity="advice" if is_default else None)

    def _finding(
        self, stage: Stage, message: str, cost: str, *related: Related, severity: Severity | None = None
    ) -> Finding:
        return self.finding(
            stage.span,
            message,
            severity=severity,
            cost=cost,
            advice="Use a buffer of thousands of elements, ideally of all, or remove `shuffle`",
            confidence=stage.confidence,
            related=related,
        )


def _number(stage: Stage, parameter: str) -> int | None:
    """The whole number that a stage is given, or that an option of the command line is by default."""
    size = number(stage, parameter)
    if size is None and parameter in stage.arguments and isinstance(stage.arguments[parameter].value, Flag):
        size = stage.presumed(parameter)
    return size if type(size) is int else None


def _reads_records(shuffle: Stage) -> bool:
    ways = paths(shuffle, shuffle.context.conditions)
    return ways.always(lambda way: way.stages[0].operation.reads in RECORDS and not is_batched(way))


def _is_switched_off(graph: PipelineGraph, shuffle: Stage) -> bool:
    """Is 1 what a choice gives where the order is to stay: `size = 1000 if training else 1`?"""
    node, source = shuffle.arguments["buffer_size"].node, graph.source_of(shuffle.span.file)
    if source is None:
        return False
    syntax = syntax_of(source)
    found = syntax.scopes.binds(node.id, node) if isinstance(node, ast.Name) and syntax.way(node) else None
    places = found[1] if found is not None else []
    return len(places) > 1 or any(isinstance(bound_value(syntax.way(place)), ast.IfExp) for place in places)


def _is_all(graph: PipelineGraph, shuffle: Stage) -> bool:
    """Is it all that shuffles these elements, of which there are more?"""
    size = _number(shuffle, "buffer_size")
    if shuffle.context.in_test or any(later.op in (*SHUFFLES, *MIXTURES) for later in graph.downstream(shuffle)):
        return False
    given = bounds_of(shuffle.inputs[0]).most if shuffle.inputs else None
    if size is None or (given is not None and given <= size):
        return False
    ways = paths(shuffle, shuffle.context.conditions)
    return ways.always(lambda path: not is_toy(path) and not _is_shuffled_before(path.until(shuffle)))


def _is_shuffled_before(path: Path) -> bool:
    return is_shuffled(path) or any(stage.may_shuffle for stage in path.stages)


def _batch(graph: PipelineGraph, shuffle: Stage, size: int) -> Stage | None:
    """The batch that takes more elements than the buffer holds, on every way on."""
    if shuffle.nested_in is not None or any(map(is_batched, paths(shuffle, shuffle.context.conditions))):
        return None
    found, todo = [], [shuffle]
    while todo:
        users = graph.users(todo.pop())
        for user in users:
            if user.op in _BATCHES:
                count = _number(user, "batch_size")
                if count is None or count < size:
                    return None
                found.append(user)
            elif user.op in _PASSED:
                todo.append(user)
            else:
                return None
    return found[0] if found else None
