"""Statements that make a dataset and do nothing with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence as Seq

from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.nouns.consumers import Discarded
from tfdata_lint.pipeline.nouns.stages import Dataset, Join, Stage, tips, upstream
from tfdata_lint.pipeline.nouns.values import Function, Value
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.scopes import dotted

#: All that a function has whose only effect is what it returns; its calls are of what makes that.
_MAKING = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.If, ast.Return, ast.Assert, ast.FunctionDef, ast.Pass)


def lose(run: Run, node: ast.Expr, value: Value, body: Seq[ast.stmt]) -> None:
    """Note that nothing is done with what a statement makes."""
    call = _made_by(node.value)
    if not isinstance(call, ast.Call) or run.frame.expects_error or not isinstance(value, (Stage, Join)):
        return
    stages = [stage for stage in tips(value) if stage.operation.kind == "transformation"]
    if not stages or _is_shown(run, node, body):
        return
    if stages[0].node is call:
        if isinstance(value, Stage):
            run.graph.discarded.append(Discarded(value, span_of(node, run.file), call))
    elif given := _given(run, call, value):
        run.graph.discarded.append(Discarded(stages[0], span_of(node, run.file), call, given))


def _made_by(node: ast.expr) -> ast.expr:
    """What gives a dataset, where something does: `ds.cache()` of `ds.cache() if training else None`."""
    match node:
        case ast.IfExp(body=made, orelse=ast.Constant()) | ast.BoolOp(values=[_, made]):
            return made
        case ast.ListComp(elt=made):
            return made
    return node


def _given(run: Run, call: ast.Call, made: Dataset) -> str:
    """The dataset that a function of the project makes another one from, and nothing else; empty if it may do more."""
    function = run.evaluate(call.func) if dotted(call.func)[0] else None
    if not isinstance(function, Function) or not isinstance(function.node, ast.FunctionDef):
        return ""
    if function.node.decorator_list or not all(map(_only_makes, function.node.body)):
        return ""
    before = [{id(stage) for stage in upstream(tip)} - {id(tip)} for tip in tips(made)]
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        given = run.frame.scope.find(argument.id) if isinstance(argument, ast.Name) else None
        if isinstance(given, (Stage, Join)) and all(_has(stages, given) for stages in before):
            assert isinstance(argument, ast.Name)
            return argument.id
    return ""


def _has(stages: set[int], given: Dataset) -> bool:
    return any(id(tip) in stages for tip in tips(given))


def _only_makes(statement: ast.stmt) -> bool:
    """Does it bind names, or return something, and nothing else?"""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if not isinstance(statement, _MAKING):
        return False
    if isinstance(statement, ast.If):
        return all(map(_only_makes, (*statement.body, *statement.orelse)))
    return all(isinstance(target, (ast.Name, ast.Tuple)) for target in _targets(statement))


def _targets(statement: ast.stmt) -> Iterator[ast.expr]:
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            yield from target.elts if isinstance(target, ast.Tuple) else [target]
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        yield statement.target


def _is_shown(run: Run, node: ast.Expr, body: Seq[ast.stmt]) -> bool:
    """The last expression of a notebook cell is its output."""
    if not (run.source.kind == "notebook" or run.source.marimo) or run.frame.scope is not run.module:
        return False
    following = body[body.index(node) + 1 :]
    return not following or _cell_of(run, node) != _cell_of(run, following[0])


def _cell_of(run: Run, statement: ast.stmt) -> int | str | None:
    return run.source.marimo_cell(statement.lineno) or run.source.location(statement.lineno, 0).cell
