"""TFD106."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.mapped.read_outside import set_elsewhere
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import by_place, is_only_looked_at, is_toy
from tfdata_lint.pipeline.nouns.stages import AUTOTUNE, Stage
from tfdata_lint.pipeline.project.switches import comments_at
from tfdata_lint.pipeline.project.syntax import Syntax, bound_value, syntax_of
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule, guarded
from tfdata_lint.rules.overlap.ahead import why_autotuned_unsafe
from tfdata_lint.rules.overlap.parallel import POOLS, REWRITES

#: A comment with one of these is about the number.
_ABOUT = r"(?i)#.*\b(parallelism|threads?|cores?|v?cpus?|workers?|autotun\w*|oom|out of memory|throughput)"
_TITLE = "Use `num_parallel_calls=tf.data.AUTOTUNE`"


class HardCodedParallelism(Rule):
    code = "TFD106"
    name = "hard-coded-parallelism"
    group = "advice"
    summary = "The code fixes the number of parallel calls, which suits only one machine"
    triggers = ("map batch interleave", "given:num_parallel_calls")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if target.below(1, 13):
            # There is no AUTOTUNE yet.
            return
        for stages in by_place(graph.stages, "map", "batch", "interleave"):
            # A place that is reached in several ways must have its number in all of them.
            if not all(_is_hard_coded(graph, stage) for stage in stages) or is_only_looked_at(graph, stages):
                continue
            if any(stage.context.in_test or paths(stage).always(is_toy) for stage in stages):
                continue
            if any(_is_tuned(graph, stage) or _is_python(stage) or _may_fail(stage) for stage in stages):
                continue
            stage = stages[0]
            if _is_explained(graph, stage):
                continue
            yield self.finding(
                stage.span,
                (
                    f"`num_parallel_calls={stage.arguments['num_parallel_calls'].written}` in `{stage.op}` suits only"
                    " one machine"
                ),
                cost=(
                    "A machine with more cores leaves some idle; one with fewer is no faster and keeps results"
                    " waiting in memory (measured on two cores: 64 results for 64 calls, 2 with AUTOTUNE)"
                ),
                advice=_TITLE,
                confidence=stage.confidence,
                fix=_fix(graph, stages, target),
            )


def _is_hard_coded(graph: PipelineGraph, stage: Stage) -> bool:
    """Is there a number of parallel calls, and in this file, where no setting, flag or caller decides it?"""
    calls = stage.literal("num_parallel_calls")
    if not isinstance(calls, int) or isinstance(calls, bool) or calls < 2:
        return False
    return _is_written_number(syntax_of(graph.source), stage.arguments["num_parallel_calls"].node)


def _is_explained(graph: PipelineGraph, stage: Stage) -> bool:
    """Does a comment beside the number, or directly above it or its call, say why it is what it is?"""
    if stage.span.file != graph.file:
        return False
    number = stage.arguments["num_parallel_calls"].node
    rows = {stage.span.row, number.lineno}
    name = number.id if isinstance(number, ast.Name) else ""
    for statement in graph.tree.body if name else ():
        match statement:
            case ast.Assign(targets=[ast.Name(id=bound)]) | ast.AnnAssign(target=ast.Name(id=bound)) if bound == name:
                rows.add(statement.lineno)
    lines = graph.source.lines
    return any(re.search(_ABOUT, line) for row in rows for line in comments_at(lines, row))


def _is_tuned(graph: PipelineGraph, stage: Stage) -> bool:
    """Is the rest of it tuned by hand as well, so that AUTOTUNE would be a step back?"""
    if stage.literal("use_unbounded_threadpool", False) is not False:
        return True
    return any(graph.option(stage, option) is not None for option in POOLS) or any(
        graph.option(stage, option) not in (None, True) for option in REWRITES
    )


def _is_python(stage: Stage) -> bool:
    """Does it call into Python, where a number may be what the code there bears? TFD202 speaks then."""
    return stage.function is not None and stage.function.has("py_function") is not None


def _may_fail(stage: Stage) -> bool:
    """Is it an `interleave` with fewer inputs open than calls? TFD109 speaks then."""
    if stage.op != "interleave":
        return False
    cycle = stage.literal("cycle_length")
    return cycle is not ... and (cycle in (None, AUTOTUNE) or cycle < stage.literal("num_parallel_calls"))


@guarded
def _fix(graph: PipelineGraph, stages: list[Stage], target: Target) -> Fix:
    stage = stages[0]
    draft = Draft(graph)
    draft.set_arguments(stage, num_parallel_calls=draft.autotune(stage.node, target))
    is_open = any(other.literal("cycle_length") is ... for other in stages)
    if stage.op == "interleave" and (is_open or set_elsewhere(graph, stage, "cycle_length")):
        return draft.fix("unsafe", _TITLE, "where `cycle_length` is None, the order of the elements changes")
    reason = why_autotuned_unsafe(graph, stages)
    if set_elsewhere(graph, stage, "num_parallel_calls"):
        reason = "callers could no longer choose the number"
    return draft.fix("unsafe" if reason else "safe", _TITLE, reason)


def _is_written_number(syntax: Syntax, node: ast.AST) -> bool:
    """Is it a number, or the name of one that a module binds once, at its top, or computed of such: `CORES // 2`?"""
    match node:
        case ast.BinOp(left=left, right=right):
            return _is_written_number(syntax, left) and _is_written_number(syntax, right)
        case ast.Name(id=name):
            scope, bindings = (syntax.scopes.binds(name, node) if syntax.way(node) else None) or (None, [])
            value = bound_value(syntax.way(bindings[0])) if scope is syntax.tree and len(bindings) == 1 else None
            return value is not None and _is_written_number(syntax, value)
    return isinstance(node, ast.Constant) and isinstance(node.value, int)
