"""TFD327."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import GUARDS, passes
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.switches import calls_named, is_for_debugging
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.source.trees import walk

_WRITERS = ("tensorflow.io.TFRecordWriter", "tensorflow.python_io.TFRecordWriter")
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
#: As many files are no matter.
_FEW = 16


class RecordPerFile(Rule):
    code = "TFD327"
    name = "record-per-file"
    group = "performance"
    summary = "A TFRecord file is written for each example"
    triggers = ("text:TFRecordWriter",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test or graph.tree is None:
            return
        for _, call in calls_named(graph, *_WRITERS):
            loop = _loop_around(graph, call)
            if loop is None or (passes(loop) or _FEW + 1) <= _FEW or is_for_debugging(graph.tree, call):
                continue
            if _goes_in_steps(loop) or not _writes_one(graph, call, loop):
                continue
            yield self.finding(
                span_of(call, graph.file),
                "The loop opens a new file for each record that it writes",
                cost=(
                    "Each file is opened and closed for one record (measured for records of 1 kB: writing takes 20"
                    " times as long or more), and every reader must open each file again"
                ),
                advice="Open the writer before the loop; for many records write several files of 100 MB or more",
                confidence="likely",
                related=(Related(span_of(loop.target, graph.file), "each pass writes its own file"),),
            )


def _loop_around(graph: PipelineGraph, call: ast.Call) -> ast.For | None:
    """The `for` loop that opens a writer in every pass."""
    for step in reversed(syntax_of(graph.source).way(call)[:-1]):
        if isinstance(step, ast.For):
            return step
        if isinstance(step, (*GUARDS, *_LOOPS, ast.ClassDef)):
            return None
    return None


def _goes_in_steps(loop: ast.For) -> bool:
    """`range(0, len(examples), 1000)`: each pass writes a part of them."""
    return isinstance(loop.iter, ast.Call) and len(loop.iter.args) == 3


def _writes_one(graph: PipelineGraph, call: ast.Call, loop: ast.For) -> bool:
    """Is all that is done with the writer one `write` of what the loop got in this pass?"""
    match syntax_of(graph.source).way(call)[-2:]:
        case [ast.With(items=items, body=body), _]:
            targets = [item.optional_vars for item in items if item.context_expr is call]
        case [ast.Assign(targets=targets), _]:
            body = loop.body
        case _:
            return False
    if len(targets) != 1 or not isinstance(targets[0], ast.Name):
        return False
    ways = [_calls_on(node, targets[0].id) for node in body]
    return [name for found in ways for name in found if name not in ("close", "flush")] == ["write"]


def _calls_on(node: ast.AST, writer: str) -> Iterator[str]:
    """What is done with a writer: the names of its methods; another use, or one in a loop, counts as `...`."""
    inner = {id(part) for loop in walk(node) if isinstance(loop, _LOOPS) for part in walk(loop)}
    methods = {
        id(part.func.value): part.func.attr
        for part in walk(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)
    }
    for part in walk(node):
        if isinstance(part, ast.Name) and part.id == writer and isinstance(part.ctx, ast.Load):
            yield "..." if id(part) in inner else methods.get(id(part), "...")
