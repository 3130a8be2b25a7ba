"""What a mapped function sets outside of itself: when setting it once, at tracing, is right."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.mapped.record import holds_element
from tfdata_lint.pipeline.nouns.code import names
from tfdata_lint.pipeline.nouns.values import Value
from tfdata_lint.source.trees import walk


def is_kept(run: Run, target: ast.expr, value: Value, statement: ast.stmt | None) -> bool:
    """Is it made at first use and kept, so that once is right: `if self.table is None: self.table = make()`?"""
    function = run.frame.function
    if function is None or not _is_set_anew(target, value, statement):
        return False
    tests = [ast.dump(part.test) for part in walk(function.node) if isinstance(part, ast.If)]
    asked = [_as_read(target), *([f"value={target.attr!r}"] if isinstance(target, ast.Attribute) else [])]
    return any(text in test for test in tests for text in asked)


def settles(target: ast.expr, value: Value, statement: ast.stmt | None) -> bool:
    """Is it set to what depends neither on the element, nor on what was there, nor on the moment?"""
    if statement is None or names(statement) & {"next", "random", "time"}:
        return False
    return _is_set_anew(target, value, statement)


def _is_set_anew(target: ast.expr, value: Value, statement: ast.stmt | None) -> bool:
    """Is it set to what depends neither on the element nor on what was there?"""
    if not isinstance(statement, ast.Assign) or holds_element(value):
        return False
    return _as_read(target) not in ast.dump(statement.value)


def _as_read(target: ast.expr) -> str:
    """The dump of a target where it is read."""
    return ast.dump(target).replace("Store()", "Load()")
