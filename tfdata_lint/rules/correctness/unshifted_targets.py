"""TFD434 unshifted-targets."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import by_place
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.syntax import bound_value, syntax_of
from tfdata_lint.rules.base import Finding, Rule

#: These give all rows of a table as they stand there.
_ALIKE = ("values", "iloc", "loc")
_COPYING = ("to_numpy", "copy", "numpy")


class UnshiftedTargets(Rule):
    """The targets of `timeseries_dataset_from_array` are the series itself, not what follows the windows."""

    code = "TFD434"
    name = "unshifted-targets"
    group = "correctness"
    summary = "`timeseries_dataset_from_array` gets the series itself as targets: each window contains its target"
    triggers = ("timeseries_dataset_from_array",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, "timeseries_dataset_from_array"):
            series = _unshifted(graph, stages[0])
            if series and not stages[0].context.in_test:
                yield self.finding(
                    stages[0].span,
                    f"The targets are `{series}` itself, so each window's target is its own first row",
                    cost="The model learns to copy its input, and its score says nothing about forecasting",
                    advice=f"Shift them by the length of the window: `{series}[:-n]` as the data and `{series}[n:]` as "
                    "the targets",
                )


def _computed_from(graph: PipelineGraph, node: ast.expr) -> ast.expr:
    """What a name is bound to, without arithmetic with numbers: `x[:, 0]` of `-2 * x[:, 0]`."""
    syntax = syntax_of(graph.source)
    if isinstance(node, ast.Name):
        _, bound = syntax.scopes.binds(node.id, node) or (None, [])
        value = bound_value(syntax.way(bound[0])) if len(bound) == 1 else None
        node = value if isinstance(value, (ast.BinOp, ast.Subscript)) else node
    while isinstance(node, ast.BinOp):
        numbers = [side for side in (node.left, node.right) if not _is_number(side)]
        if len(numbers) != 1:
            return node
        [node] = numbers
    return node


def _is_number(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and isinstance(inner.value, (int, float))


class _Rows(NamedTuple):
    """Rows of a table from the first on, and which columns of it, as written; empty for all."""

    table: str
    columns: str


def _unshifted(graph: PipelineGraph, stage: Stage) -> str:
    """The name of a series that is both the data and the targets."""
    data, targets = stage.arguments.get("data"), stage.arguments.get("targets")
    if data is None or targets is None:
        return ""
    inputs = _rows(data.node)
    for node in (targets.node, _computed_from(graph, targets.node)):
        wanted = _rows(node)
        if inputs is not None and wanted is not None and inputs.table == wanted.table:
            return inputs.table if inputs.columns in ("", wanted.columns) else ""
    return ""


def _rows(node: ast.expr) -> _Rows | None:
    """What an argument takes of which table; None where it may begin with another row."""
    match node:
        case ast.Attribute(value=inner, attr=name) if name in _ALIKE:
            return _rows(inner)
        case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[]) if name in _COPYING:
            return _rows(inner)
        case ast.Name() | ast.Attribute():
            return _Rows(ast.unparse(node), "")
        case ast.Subscript(value=inner, slice=index):
            columns = _columns(index)
            rows = _rows(inner) if columns is not None else None
            return None if rows is None else _Rows(rows.table, rows.columns + (columns or ""))
    return None


def _columns(index: ast.expr) -> str | None:
    """Which columns brackets take, where they take rows from the first on; None where that is not seen."""
    match index:
        case ast.Slice(lower=None | ast.Constant(value=0), step=None):
            return ""
        case ast.Constant(value=str()) | ast.List(elts=[ast.Constant(value=str()), *_]):
            return ast.unparse(index)
        case ast.Tuple(elts=[ast.Slice() as rows, *columns]) if _columns(rows) == "":
            whole = all(isinstance(column, ast.Slice) and ast.unparse(column) == ":" for column in columns)
            return "" if whole else ",".join(map(ast.unparse, columns))
    return None
