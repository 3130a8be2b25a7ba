"""What only another TensorFlow than the target runs: an arm of `if tf.__version__ >= "2.4":`."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.source.trees import walk

_WORD = "__version__"
_COMPARISONS: dict[type[ast.cmpop], Callable[[tuple[int, ...], tuple[int, ...]], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip


def why_not_run(graph: PipelineGraph, row: int, target: Target) -> str:
    """Which test keeps the target away from what stands on a row; empty where none does."""
    if _WORD not in graph.source.text:
        return ""
    for node in walk(graph.tree):
        if isinstance(node, ast.If):
            is_first, is_second = _stands_in(row, node.body), _stands_in(row, node.orelse)
            holds = _outcome(node.test, target) if is_first or is_second else None
            if (holds is False and is_first) or (holds is True and is_second):
                return f"`{ast.unparse(node.test)}` leaves it to another TensorFlow"
    return ""


def _stands_in(row: int, body: list[ast.stmt]) -> bool:
    return bool(body) and body[0].lineno <= row <= (body[-1].end_lineno or 0)


def _outcome(test: ast.expr, target: Target) -> bool | None:
    """Whether a test of TensorFlow's version holds, as it is meant: versions compared as text are compared as numbers.

    A number without a second part is one of the first part: `"2"` in `tf.__version__.startswith("2")`.
    """
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            holds = _outcome(inner, target)
            return None if holds is None else not holds
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS and _is_own(left):
            given = _number(right)
            return _COMPARISONS[type(op)](target.version[: len(given)], given) if given else None
        case ast.Call(func=ast.Attribute(value=value, attr="startswith"), args=[given_text]) if _is_own(value):
            given = _number(given_text)
            return target.version[: len(given)] == given if given else None
    return None


def _is_own(node: ast.expr) -> bool:
    """Is it `tf.__version__`, or that in a function that makes a version of it?"""
    match node:
        case ast.Attribute(value=ast.Name(id="tf" | "tensorflow"), attr="__version__"):
            return True
        case ast.Call(args=[inner], keywords=[]):
            return _is_own(inner)
    return False


def _number(node: ast.expr) -> tuple[int, ...]:
    """`(2, 4)` of `"2.4.1"`, `Version("2.4")`."""
    match node:
        case ast.Constant(value=str() as text):
            found = re.match(r"(\d+)(?:\.(\d+))?", text)
            return tuple(int(part) for part in found.groups() if part) if found else ()
        case ast.Call(args=[inner], keywords=[]):
            return _number(inner)
    return ()
