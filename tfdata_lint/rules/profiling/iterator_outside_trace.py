"""TFD501."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.kinds import Confidence
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Consumer, Dataset, Stage, SymbolUse, tips
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.statements import (
    Taken,
    end_of_gap,
    indented,
    is_plain,
    iterator_name,
    rows_of,
    start_of_rows,
)
from tfdata_lint.rules.base import Finding, Fix, Related, Rule
from tfdata_lint.rules.profiling.trace import traced_blocks, traces_of

#: Sources whose length TensorFlow knows (measured with `len`), and transformations that leave it known.
_COUNTED_SOURCES = frozenset({"from_tensor_slices", "from_tensors", "range", "list_files"})
_COUNTED = frozenset(
    {"map", "enumerate", "take", "skip", "shard", "shuffle", "batch", "padded_batch", "cache", "prefetch", "zip",
     "concatenate", "with_options", "window"}
)  # fmt: skip


class IteratorOutsideTrace(Rule):
    code = "TFD501"
    name = "iterator-outside-trace"
    group = "performance"
    summary = "A profiled training step does not include the wait for its input"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        traces = traces_of(graph)
        if not traces:
            return
        reported: set[int] = set()
        taken: Taken = set()
        for consumer in graph.consumers:
            if consumer.kind == "for":
                loop = consumer.node
                what = "the `for` loop fetches the next element before the step begins"
            elif consumer.kind == "next" and consumer.context.loops:
                loop = consumer.context.loops[-1].node
                what = "`next` is called outside of it"
            else:
                continue
            for block, use in traced_blocks(loop, traces):
                if id(use) in reported or not _fetches_outside(consumer.kind, consumer.node, block, loop):
                    continue
                reported.add(id(use))
                yield self.finding(
                    use.span,
                    f"`Trace` does not cover the input: {what}",
                    cost="The profiler shows steps without the wait for data (measured: 5.6 ms instead of 20.7 ms), so"
                    " an input-bound program looks fine",
                    advice="Make the iterator before the loop and call `next` inside `Trace`",
                    confidence=_confidence(consumer),
                    related=(Related(consumer.span, "the next element is fetched here"),),
                    fix=_fix(graph, consumer, block, use, taken),
                )


def _fetches_outside(kind: str, node: ast.AST, block: ast.With, loop: ast.AST) -> bool:
    """Is the element fetched in this loop, but not in this block?"""
    if kind == "for":
        return True
    return _holds(loop, node) and not _holds(block, node)


def _confidence(consumer: Consumer) -> Confidence:
    return "likely" if any(stage.confidence == "likely" for stage in tips(consumer.dataset)) else "proven"


def _holds(tree: ast.AST, node: ast.AST) -> bool:
    return any(inner is node for inner in ast.walk(tree))


def _fix(graph: PipelineGraph, consumer: Consumer, block: ast.With, use: SymbolUse, taken: Taken) -> Fix:
    draft = Draft(graph)
    if consumer.kind == "next":
        _move_inside(draft, consumer.node, block)
        reason = "the step that the profiler shows then includes the wait, and the one at the end of the data, too"
    else:
        _count_steps(draft, consumer, block, taken)
        reason = "the loop then counts the steps instead of ending with its data: `len` must be right"
    if not any(use.call is item.context_expr for item in block.items[:1]):
        draft.refuse("`Trace` does not come first in its `with`")
    return draft.fix("unsafe", "Fetch the element inside `Trace`", reason)


# ── x = next(iterator) ──────────────────────────────────────────────────────────────────────────────────────────────


def _move_inside(draft: Draft, call: ast.AST, block: ast.With) -> None:
    """Move `x = next(iterator)` from the row above `with Trace(…):` into it."""
    place = draft.syntax.block(block)
    statement = place.previous if place is not None else None
    match statement:
        case ast.Assign(targets=[target], value=value) if value is call:
            pass
        case _:
            draft.refuse("`next` is not called on the row above `Trace`")
            return
    if _names(target) & _names(*(item.context_expr for item in block.items)):
        draft.refuse("`Trace` is given something of the element")
        return
    rows, first = rows_of(draft, statement), _first_row(draft, block)
    if rows is not None and first is not None:
        code, indent = draft.syntax.text, draft.syntax.indent(draft.syntax.start(block.body[0]))
        draft.put(rows[0], first, code[end_of_gap(draft, rows) : first] + indented(code[slice(*rows)], indent))


# ── for x in dataset ────────────────────────────────────────────────────────────────────────────────────────────────


def _count_steps(draft: Draft, consumer: Consumer, block: ast.With, taken: Taken) -> None:
    """Write `for step, x in enumerate(ds):` as `for step in range(len(ds)):`, with `next` inside of `Trace`."""
    loop = consumer.node
    if not isinstance(loop, ast.For):
        draft.refuse("the loop is not a `for` loop")
        return
    match loop:
        case ast.For(
            target=ast.Tuple(elts=[ast.Name(id=counter), element]),
            iter=ast.Call(func=ast.Name(id="enumerate"), args=[dataset], keywords=[]),
        ):
            pass
        case ast.For(target=element, iter=dataset):
            counter = "_"
    same = [other for other in draft.graph.consumers if other.node is loop and other.kind == "for"]
    if problem := next(filter(None, (_obstacle(other, loop, dataset, element, block) for other in same)), ""):
        draft.refuse(problem)
        return
    first = _first_row(draft, block)
    if first is None:
        return
    name, written = iterator_name(draft, dataset, taken), draft.syntax.written
    draft.insert_before(loop, f"{name} = iter({written(dataset)})")
    draft.replace(loop.target, counter)
    draft.replace(loop.iter, f"range(len({written(dataset)}))")
    text = written(element)
    target = text[1:-1].strip() if isinstance(element, ast.Tuple) and text.startswith("(") else text
    draft.put(first, first, f"{draft.syntax.indent(draft.syntax.start(block.body[0]))}{target} = next({name})\n")


def _obstacle(consumer: Consumer, loop: ast.For, dataset: ast.expr, element: ast.expr, block: ast.With) -> str:
    """Why the loop cannot count its steps."""
    if not is_plain(dataset):
        return "the loop is not directly over a dataset that has a name"
    if consumer.context.in_tf_function:
        return "`len` does not work inside a `tf.function`"
    if not _has_length(consumer.dataset):
        return "it is not seen that the dataset has a length"
    before = loop.body[: loop.body.index(block)] if block in loop.body else None
    if before is None:
        return "`Trace` is not in every pass of the loop"
    if any(isinstance(node, ast.Continue) for statement in before for node in ast.walk(statement)):
        return "some elements are passed over before `Trace`"
    if _names(element) & _names(*before, *(item.context_expr for item in block.items)):
        return "the element is used before `Trace`"
    if isinstance(loop.target, ast.Name) and "_" in _names(loop):
        return "there is no counter of the steps"
    return ""


def _has_length(dataset: Dataset) -> bool:
    """Does TensorFlow know how many elements there are, and is that a number?"""
    return all(_is_counted(stage) for stage in tips(dataset))


def _is_counted(stage: Stage) -> bool:
    if stage.op in _COUNTED_SOURCES or stage.op == "assert_cardinality":
        return True
    count = stage.literal("count")
    keeps = stage.op in _COUNTED or (stage.op == "repeat" and isinstance(count, int) and count > 0)
    return keeps and bool(stage.inputs) and all(map(_has_length, stage.inputs))


def _first_row(draft: Draft, block: ast.With) -> int | None:
    """Where the first row of a block's body begins, the comments above it included."""
    statement = block.body[0]
    start_of_row, _ = draft.syntax.line(draft.syntax.start(statement))
    if draft.syntax.text[start_of_row : draft.syntax.start(statement)].strip() or hasattr(statement, "decorator_list"):
        draft.refuse("the block of `Trace` does not begin on a row of its own")
        return None
    return start_of_rows(draft, statement)


def _names(*nodes: ast.AST) -> set[str]:
    return {node.id for tree in nodes for node in ast.walk(tree) if isinstance(node, ast.Name)}
