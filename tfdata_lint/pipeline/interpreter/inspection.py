"""What only looks at a pipeline (loops that print and plot, tests), and what ends the program."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.interpreter.frames import Scope
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage
from tfdata_lint.pipeline.nouns.values import Function
from tfdata_lint.source.trees import walk


def is_test_name(name: str) -> bool:
    return name.startswith(("test_", "Test")) or name.endswith(("Test", "TestCase", "Tests"))


_SHOWING = frozenset({"print", "display", "pprint", "show", "imshow", "plot", "title", "axis", "subplot", "figure",
                      "info", "debug", "log", "assertEqual", "assertAllEqual", "assertTrue", "savefig"})  # fmt: skip


def is_inspection(node: ast.For | ast.AsyncFor, dataset: Dataset) -> bool:
    """A loop that only looks: a few elements, prints and plots, or a first element and out."""
    tip = dataset if isinstance(dataset, Stage) else None
    if tip is not None and tip.op == "take":
        count = tip.literal("count")
        if isinstance(count, int) and 0 <= count <= 16:
            return True
    if any(isinstance(part, (ast.Break, ast.Return)) for part in node.body):
        return True
    return all(_only_shows(part) for part in node.body)


def _only_shows(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))):
            return name in _SHOWING
        case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Assert() | ast.Break() | ast.Continue():
            return True
        case ast.For(body=body, orelse=orelse) | ast.If(body=body, orelse=orelse):
            return all(map(_only_shows, (*body, *orelse)))
        case ast.With(body=body):
            return all(map(_only_shows, body))
        case ast.Assign(value=ast.Call(func=ast.Attribute(attr="numpy"))):
            return True
        case ast.Assign(value=value):
            # A name for what is shown next; work on it would be a call.
            return not any(isinstance(part, ast.Call) for part in walk(value))
    return False


def ends_program(scope: Scope, call: ast.Call) -> bool:
    """Is it `sys.exit()` or `exit()`?"""
    match call.func:
        case ast.Name(id="exit" | "quit" as name):
            return scope.find(name) is None
        case ast.Attribute(value=ast.Name(id="sys" | "os"), attr="exit" | "_exit"):
            return True
    return False


def is_test(function: Function) -> bool:
    """Would a test runner collect it, or what it stands in? Of a class that is no test, only what needs and gives
    nothing, not even an object: `test_fn(self)` is a part of it."""
    if "est" not in function.name:
        return False
    outer, *inner = function.name.split(".")
    if is_test_name(outer) or not any(map(is_test_name, inner)):
        return is_test_name(outer)
    if function.owner is None or any("Test" in ast.unparse(base) for base in function.owner.node.bases):
        return True
    given = function.node.args
    needs_nothing = len(given.posonlyargs + given.args) == len(given.defaults) and None not in given.kw_defaults
    return needs_nothing and not any(isinstance(part, ast.Return) and part.value for part in walk(function.node))
