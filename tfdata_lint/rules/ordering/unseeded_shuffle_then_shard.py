"""TFD310."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.kinds import Confidence
from tfdata_lint.pipeline.nouns.code import last_name, nodes_on, rows_with
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases, paths
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.values import Alternatives, Computed, Constant, Expr, External, Sequence, Value
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_there
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, Severity, guarded
from tfdata_lint.rules.ordering.drawn import drawn_order, is_here, is_order as _is_order
from tfdata_lint.rules.ordering.shares import begin, is_part, shares
from tfdata_lint.source.module import Source


class UnseededShuffleThenShard(Rule):
    code = "TFD310"
    name = "unseeded-shuffle-then-shard"
    group = "correctness"
    summary = "Every worker shards its own random order, so the shares overlap"
    triggers = ("shard filter from_tensor_slices TFRecordDataset TextLineDataset",)
    experiment = "processes"
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        # A global seed gives every worker that runs this program the same order.
        if bool(graph.seeds) or graph.once(_is_seeded_by_script):
            return
        for shard, stage, case in cases(shares(graph), _unseeded_before):
            yield self._finding(graph, stage, shard, case)
        if not re.search(r"seed\w*\(", graph.source.text):
            yield from self._of_lists(graph)

    def _of_lists(self, graph: PipelineGraph) -> Iterator[Finding]:
        """A list that each worker shuffles before it takes its share."""
        shared = {tip.span: shard for shard in shares(graph) for path in paths(shard) for tip in path.stages[:1]}
        for stage in graph.stages:
            given = stage.arguments.get("filenames") or stage.arguments.get("tensors")
            if given is None or stage.context.in_test:
                continue
            part = _part(given.value)
            slice_ = part.node if part is not None and isinstance(part.node, ast.Subscript) else None
            if slice_ is None and stage.span not in shared:
                continue
            made = given.value if slice_ is None or part is None else part.of[0]
            drawn = drawn_order(graph, made, given.node if slice_ is None else slice_.value)
            place = shared[stage.span].span if slice_ is None else span_of(slice_, graph.file)
            if drawn is None:
                continue
            yield self.finding(
                place,
                f"Each worker takes its share of an order of its own: `{ast.unparse(drawn)}` has no seed",
                cost="In each run the workers read some data twice and some not at all (measured: 26 of 40 files"
                " covered by 4 workers)",
                advice="Sort the list, take the share of each worker, and shuffle that; or shuffle with the same seed"
                " in all of them",
                is_guess=True,
                related=(Related(span_of(drawn, graph.file), "every worker has its own order"),)
                if is_here(graph, drawn)
                else (),
            )

    def _finding(self, graph: PipelineGraph, stage: Stage, shard: Stage, case: str) -> Finding:
        seed = _missing_seed(stage)
        argument = stage.arguments.get("shuffle")
        conditional = stage.op == "list_files" and stage.literal("shuffle", default=True) is ...
        if argument and conditional:
            case = f" if `{argument.written}` is true{case.replace(' if', ' and', 1)}"
        shuffles = "comes" if stage.inputs else "shuffles"
        likely = conditional or seed != "without a seed" or "likely" in (stage.confidence, shard.confidence)
        confidence: Confidence = "likely" if likely else "proven"
        return self.finding(
            shard.span,
            f"`{stage.op}` {shuffles} before `{shard.op}`{case}, {seed}",
            cost=(
                "Each worker shuffles differently before it takes its shard, so in each pass the workers read some data"
                " twice and some not at all (measured: 26 of 40 files covered by 4 workers)"
            ),
            advice="Pass `shuffle=False` to `list_files` and shuffle after `shard`, or give all workers the same `seed`"
            if stage.op == "list_files"
            else f"Pass `shuffle=False` to `{stage.op}` and shuffle after `shard`, or give all workers the same seed"
            if not stage.inputs
            else "Shuffle after `shard`, or give all workers the same `seed`",
            severity=_severity(graph),
            confidence=confidence,
            related=(Related(stage.span, "every worker has its own order"),),
            fix=_fix(graph, stage),
        )


def _is_seeded_by_script(graph: PipelineGraph) -> bool:
    """Does a script that imports this module, or what does, always set the global seed? That of a test says nothing."""
    users = graph.importers(graph.source)
    scripts = dict.fromkeys((*users, *(script for user in users for script in graph.importers(user))))
    return any(_sets_seed(graph, one) for one in scripts if "test" not in os.path.basename(one.path))


def _sets_seed(graph: PipelineGraph, script: Source) -> bool:
    syntax = syntax_there(script, graph.source)
    return any(
        isinstance(node, ast.Call)
        and last_name(node) in ("set_seed", "set_random_seed")
        and not any(isinstance(step, ast.If) for step in syntax.way(node))
        for node in nodes_on(syntax.tree, rows_with(script.text, r"\bset_(?:random_)?seed\("))
    )


def _severity(graph: PipelineGraph) -> Severity | None:
    """Less where a strategy counts the shares and none has several processes in sight: others have one pipeline."""
    if "num_input_pipelines" not in graph.source.text or graph.says("several workers"):
        return None
    return "advice" if graph.says_anywhere("one pipeline") else "warning"


@guarded
def _fix(graph: PipelineGraph, stage: Stage) -> Fix:
    draft = Draft(graph)
    if not _is_none(stage.arguments["seed"].value if "seed" in stage.arguments else Constant(None)):
        draft.refuse("the caller chooses the seed")
    if not stage.inputs and stage.op != "list_files":
        return draft.fix("display-only", "Pass `shuffle=False`", "the order of the elements changes")
    if stage.op != "list_files":
        draft.set_arguments(stage, seed="42")
        return draft.fix("unsafe", "Add a `seed`", "the order changes, and the shares no longer overlap")
    if stage.literal("shuffle", default=True) is ...:
        draft.refuse("the caller chooses `shuffle`")
    draft.set_arguments(stage, shuffle="False")
    return draft.fix(
        "unsafe", "Add `shuffle=False`", ("the order of the files changes, and the workers cover all of them")
    )


def _unseeded_before(shard: Stage, path: Path) -> Stage | None:
    """What shuffles without a seed; what comes before another `shard` is reported there."""
    if _starts_drawn(path):
        return None
    for stage in reversed(path.before(begin(shard))):
        if stage.op == "shard":
            return None
        if _may_shuffle(stage, shard, path) and _missing_seed(stage):
            return stage
    return None


def _may_shuffle(stage: Stage, shard: Stage, path: Path) -> bool:
    if stage.open_arguments:
        return False
    if stage.op == "shuffle":
        return bool(stage.literal("buffer_size") != 1)
    if stage.inputs or not stage.operation.shuffles or stage.literal("shuffle", default=True) is False:
        return False
    argument = stage.arguments.get("shuffle")
    if argument is None or stage.literal("shuffle") is not ...:
        return True
    # `shuffle=not sharded` is false wherever `if sharded:` shards.
    off = {str(condition.negated) for condition in (*path.conditions, *shard.context.conditions)}
    return argument.written not in off


def _missing_seed(stage: Stage) -> str:
    """Return what is said of a missing seed, or nothing if a seed is given as far as one can see."""
    argument = stage.arguments.get("seed") or stage.arguments.get("shuffle_seed")
    if argument is None or _is_none(argument.value):
        return "without a seed"
    if isinstance(argument.value, Alternatives) and any(_is_none(b.value) for b in argument.value.branches):
        return "with a seed that may be None"
    return ""


def _is_none(value: Value) -> bool:
    return isinstance(value, Constant) and value.value is None


def _starts_drawn(path: Path) -> bool:
    """Does a path start from tensors or arrays that are drawn here, in each process others?"""
    argument = path.stages[0].arguments.get("tensors")
    return argument is not None and _is_drawn(argument.value) and not _is_order(argument.value)


def _part(value: Value) -> Expr | None:
    """The share of a list that a worker takes for itself."""
    expr = value.expr if isinstance(value, Computed) else None
    return expr if is_part(expr) else None


@recursive
def _is_drawn(value: Value) -> bool:
    match value:
        case Sequence(items=items, rest=None):
            return bool(items) and all(map(_is_drawn, items))
        case External(symbol=symbol):
            return known(symbol).effect in ("random", "python_random")
    return False
