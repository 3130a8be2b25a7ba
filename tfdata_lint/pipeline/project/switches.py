"""Switches that a program sets: which calls set them, on what condition, and whether the code says why."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence

from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.code import FUNCTIONS, last_name, names, nodes_on, rows_with, way, whole
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.trees import walk

_CONDITIONAL = (ast.If, ast.IfExp, ast.BoolOp, ast.For, ast.While, ast.ExceptHandler, ast.Match)
#: Methods that a test runner calls.
_SETTING_UP = frozenset({"setUp", "setUpClass", "setUpModule", "setUpTestData", "setup_class", "setup_function",
                         "setup_method", "setup_module"})  # fmt: skip
#: Comments that are for tools.
_FOR_TOOLS = re.compile(r"#\s*(?:noqa|type:|pylint|pragma|nosec|fmt:|tfdata-lint|%%|[-=#*~\s]*$|\w+: \[TFD)")


def calls_named(graph: PipelineGraph, *wanted: str) -> Iterator[tuple[str, ast.Call]]:
    """The calls of functions with these full names, each with its name of today, wherever they are imported from."""
    words = sorted({last(name) for name in wanted})
    words = [word for word in words if word in graph.source.text]
    if not words:
        return
    scopes = syntax_of(graph.source).scopes
    for node in nodes_on(graph.tree, rows_with(graph.source.text, *map(whole, words))):
        if isinstance(node, ast.Call) and last_name(node) in words:
            name = plain(scopes.full_name(node.func))
            if name in wanted:
                yield name, node


def is_guarded(tree: ast.Module, node: ast.AST, is_on: Callable[[ast.expr], bool] = lambda test: False) -> bool:
    """Does it depend on a condition whether some code of a function, or of the module, is reached?

    A test of which it is known that it `is_on` is none.
    """
    steps = way(tree, node)
    function = next((step for step in steps if isinstance(step, FUNCTIONS)), tree)
    row = getattr(node, "lineno", 0)
    around = steps[: steps.index(function)] if function in steps else []
    guards = [step for step in around if isinstance(step, _CONDITIONAL) and not _asks_for_main(step)]
    if any(not isinstance(step, ast.If) or not is_on(step.test) or not _is_then(step, around) for step in guards):
        return True
    # What comes before may return: `if not debug: return`.
    leaving = (part for part in walk(function) if isinstance(part, (ast.Return, ast.Raise)))
    return isinstance(function, FUNCTIONS) and any(part.lineno < row for part in leaving)


def _is_then(step: ast.If, around: Sequence[ast.AST]) -> bool:
    return around[around.index(step) - 1] in step.body


def is_for_debugging(tree: ast.Module, node: ast.AST) -> bool:
    """Does the name of a function or class around some code say that it is for tests or for debugging?"""
    around = (step for step in way(tree, node) if isinstance(step, (*FUNCTIONS[:2], ast.ClassDef)))
    return any(_is_of_debugging(step.name) for step in around)


def _is_of_debugging(name: str) -> bool:
    small = name.lower()
    return name in _SETTING_UP or small.startswith("test") or small.endswith("test") or "debug" in small


def remark_at(lines: Sequence[str], row: int) -> str:
    """What the comments for people say on a row and directly above it."""
    comments = [line[line.index("#") :] for line in comments_at(lines, row) if "#" in line]
    return " ".join(comment for comment in reversed(comments) if not _FOR_TOOLS.match(comment))


def comments_at(lines: Sequence[str], row: int) -> Iterator[str]:
    """A row of the source, and the comments directly above it."""
    yield lines[row - 1]
    above = row - 2
    while above >= 0 and lines[above].lstrip().startswith("#"):
        yield lines[above]
        above -= 1


def calls_unknown(graph: PipelineGraph, statement: ast.stmt) -> bool:
    """Does a statement call a function by its name that is none of a library or of Python: one that may do anything?"""
    scopes = syntax_of(graph.source).scopes
    named = (part.func for part in walk(statement) if isinstance(part, ast.Call) and isinstance(part.func, ast.Name))
    return any(scopes.binds(name.id, name) is not None and not scopes.full_name(name) for name in named)


def _asks_for_main(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "__name__" in names(node.test)
