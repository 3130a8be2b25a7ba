"""TFD438."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import last_name, may_fail, names, statements_in
from tfdata_lint.pipeline.nouns.consumers import DRIVING, Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import CACHES
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.contract_in_one_file.written import key, pattern, written
from tfdata_lint.source.trees import walk

_READERS = frozenset({"TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset", "load"})
_PATHS = ("filenames", "path")
_READING = (*DRIVING, "inspection", "list", "reduce", "comprehension", "save", "return")
_TEMPORARY = "TemporaryDirectory"


class ContractInOneFile(Rule):
    code = "TFD438"
    name = "contract-in-one-file"
    group = "correctness"
    summary = "A file is read with other settings than it was written with, or after it was deleted"
    triggers = (
        "TFRecordDataset TextLineDataset FixedLengthRecordDataset load",
        f"to:save text:Writer text:{_TEMPORARY}",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.tree is None or graph.is_test:
            return
        syntax = syntax_of(graph.source)
        here = [s for s in graph.stages if s.op in _READERS and s.span.file == graph.file and not s.context.in_test]
        yield from self._other_compression(graph, graph.tree, syntax, here)
        for consumer in graph.consumers:
            if consumer.span.file != graph.file or consumer.context.in_test:
                continue
            if consumer.kind == "save":
                yield from self._saved_onto(syntax, consumer)
            if consumer.kind in _READING and _TEMPORARY in graph.source.text:
                yield from self._gone(syntax, consumer)

    def _other_compression(
        self, graph: PipelineGraph, tree: ast.Module, syntax: Syntax, readers: list[Stage]
    ) -> Iterator[Finding]:
        files = written(graph, syntax)
        found: set[Span] = set()
        for reader in readers:
            given = next((reader.arguments[name] for name in _PATHS if name in reader.arguments), None)
            name = "compression" if reader.op == "load" else "compression_type"
            read = reader.literal(name) or ""
            ways = files.get((reader.op == "load", pattern(syntax, given)), {}) if given is not None else {}
            if len(ways) != 1 or read is ... or read in ways or reader.span in found:
                continue
            (compression, place), *_ = ways.items()
            if compression is ... or (reader.node is not None and may_fail(tree, reader.node)):
                continue
            found.add(reader.span)
            yield self.finding(
                reader.span,
                f"This file is written {_with(compression)} and read {_with(read)}",
                cost="Reading the first element fails with a DataLossError",
                advice=f"Use the same compression for both, here `{name}={compression or None!r}`",
                confidence=reader.confidence,
                related=(Related(place, "written here"),),
            )

    def _saved_onto(self, syntax: Syntax, consumer: Consumer) -> Iterator[Finding]:
        folder = key(syntax, consumer.arguments.get("path"))
        for stage in upstream(consumer.dataset) if folder is not None else ():
            if stage.op in CACHES:
                return
            if stage.op == "load" and key(syntax, stage.arguments.get("path")) == folder:
                yield self.finding(
                    consumer.span,
                    "This dataset is saved to the folder that it is read from",
                    cost="Saving clears the folder before it is read, so all data is lost without an error"
                    " (measured: 0 of 5 elements are left)",
                    advice="Save to another folder",
                    confidence=stage.confidence,
                    related=(Related(stage.span, "read from here"),),
                )
                return

    def _gone(self, syntax: Syntax, consumer: Consumer) -> Iterator[Finding]:
        known = paths(consumer.dataset, consumer.context.conditions)
        for path in known:
            reader = path.stages[0]
            folder = _folder_around(syntax, reader)
            if folder is None or not known.complete or any(stage.op in CACHES for stage in path.stages):
                continue
            if not _is_behind(consumer, folder, reader):
                continue
            yield self.finding(
                reader.span,
                "The temporary folder of these files is gone when the dataset is read",
                cost="A dataset opens its files only when it is read: the first element fails with a NotFoundError",
                advice="Read the dataset inside the `with` block, or keep the folder as long as the dataset",
                confidence=reader.confidence,
                related=(Related(consumer.span, "read from here on"),),
            )
            return


def _with(compression: object) -> str:
    return f"with {compression}" if compression else "without compression"


def _folder_around(syntax: Syntax, reader: Stage) -> ast.With | None:
    """The `with TemporaryDirectory() as folder` that a reader reads in."""
    given = next((reader.arguments[name] for name in _PATHS if name in reader.arguments), None)
    if reader.op not in _READERS or reader.node is None or given is None or reader.nested_in is not None:
        return None
    for step in syntax.way(reader.node):
        for item in step.items if isinstance(step, ast.With) else ():
            if last_name(item.context_expr) != _TEMPORARY or not isinstance(item.optional_vars, ast.Name):
                continue
            inside = {item.optional_vars.id}
            for statement in statements_in(step.body) if isinstance(step, ast.With) else ():
                if isinstance(statement, ast.Assign) and names(statement.value) & inside:
                    inside |= names(*statement.targets)
            if names(given.node) & inside:
                return step if isinstance(step, ast.With) else None
    return None


def _is_behind(consumer: Consumer, folder: ast.With, reader: Stage) -> bool:
    """Is the dataset read when a folder is gone: behind the `with`, or by who gets it returned?"""
    if consumer.context.definition == reader.context.definition:
        is_later = consumer.span.row > (folder.end_lineno or 0) and not consumer.context.loops
        return consumer.kind == "return" or is_later
    returns = any(isinstance(statement, ast.Return) for statement in statements_in(folder.body))
    # What the block itself calls reads it in time.
    called = {last_name(node) for node in walk(folder) if isinstance(node, (ast.Name, ast.Attribute))}
    return returns and consumer.context.definition.rpartition(".")[2] not in called
