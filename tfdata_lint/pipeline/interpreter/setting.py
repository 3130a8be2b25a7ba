"""What is set outside of a mapped function: when setting it once, at tracing, is right, and by flags."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tfdata_lint.pipeline.interpreter import containers
from tfdata_lint.pipeline.interpreter.folding import fold_binary
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.mapped.record import holds_element
from tfdata_lint.pipeline.nouns.code import names
from tfdata_lint.pipeline.nouns.values import UNKNOWN, Constant, External, Flag, Instance, Mapping_, Sequence, Value
from tfdata_lint.pipeline.project.command_line import options_in
from tfdata_lint.source.trees import walk

#: Functions of Python that make numbers of numbers.
_NUMBERS: dict[str, Callable[..., Any]] = {
    "abs": abs, "float": float, "int": int, "max": max, "min": min, "round": round
}  # fmt: skip
#: What a number may have been, and what other numbers a statement may compute with.
_TRIED, _OTHERS = (31, 17, 4, 1), (3, 8, 5)


def is_outside(run: Run, owner: ast.expr) -> bool:
    """Is what is set a part of what was there before: of a name from outside, or of an object such as `self`?"""
    if containers.is_outside(run, owner):
        return True
    if any(mutation.target == run.text(owner) for mutation in run.recorder.body.mutations):
        # The function has made it anew: that is told.
        return False
    while isinstance(owner, (ast.Attribute, ast.Subscript)):
        owner = owner.value
    held = run.frame.scope.names.get(owner.id) if isinstance(owner, ast.Name) else None
    if isinstance(held, (Sequence, Mapping_)):
        return run.recorder.brings(held)
    return isinstance(held, Instance) and not run.recorder.owns(held)


def is_kept(run: Run, target: ast.expr, value: Value, statement: ast.stmt | None) -> bool:
    """Is it made at first use and kept, so that once is right: `if self.table is None: self.table = make()`?"""
    function = run.frame.function
    if function is None or not _is_set_anew(target, value, statement):
        return False
    tests = [ast.dump(part.test) for part in walk(function.node) if isinstance(part, ast.If)]
    asked = [_as_read(target), *([f"value={target.attr!r}"] if isinstance(target, ast.Attribute) else [])]
    return any(text in test for test in tests for text in asked)


def settles(target: ast.expr, value: Value, statement: ast.stmt | None) -> bool:
    """Does setting it again, in the next tracing, change nothing? Neither the element nor the moment decides."""
    if statement is None or names(statement) & {"next", "random", "time"}:
        return False
    return _is_set_anew(target, value, statement) or (not holds_element(value) and _is_rounded(target, statement))


def is_first(run: Run, target: ast.Subscript, statement: ast.stmt) -> bool:
    """Is an item made once and kept: `if name not in made: made[name] = …`? The test may stand above, and return."""
    function = run.frame.function
    if function is None or not isinstance(statement, ast.Assign) or _as_read(target) in ast.dump(statement.value):
        return False
    asked = {f"{run.text(target.slice)} {word} {run.text(target.value)}" for word in ("in", "not in")}
    return any(isinstance(part, ast.Compare) and run.text(part) in asked for part in walk(function.node))


def _is_rounded(target: ast.expr, statement: ast.stmt) -> bool:
    """Does a second time give the same number: `n = n // 4 * 4`, `n -= n % 4`, `n = max(n, 1)`? It is tried."""
    match statement:
        case ast.Assign(value=result):
            pass
        case ast.AugAssign(op=op, value=value):
            result = ast.BinOp(target, op, value)
        case _:
            return False
    own = ast.unparse(target)
    parts = (part for part in walk(result) if isinstance(part, (ast.Name, ast.Attribute)))
    others = dict.fromkeys(text for part in parts if (text := ast.unparse(part)) != own)
    known: dict[str, Value] = {text: Constant(_OTHERS[n % len(_OTHERS)]) for n, text in enumerate(others)}
    for number in _TRIED:
        once = _computed(result, {**known, own: Constant(number)})
        if once is UNKNOWN or _computed(result, {**known, own: once}) != once:
            return False
    return True


def _computed(node: ast.expr, known: dict[str, Value]) -> Value:
    """What arithmetic gives, with numbers for names."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return Constant(number)
        case ast.Name() | ast.Attribute():
            return known[ast.unparse(node)]
        case ast.BinOp():
            return fold_binary(node, _computed(node.left, known), _computed(node.right, known))
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as given, keywords=[]) if name in _NUMBERS:
            values = [_computed(part, known) for part in given]
            numbers = [value.value for value in values if isinstance(value, Constant)]
            try:
                return Constant(_NUMBERS[name](*numbers)) if len(numbers) == len(values) else UNKNOWN
            except (TypeError, ValueError, ArithmeticError):
                return UNKNOWN
    return UNKNOWN


def _is_set_anew(target: ast.expr, value: Value, statement: ast.stmt | None) -> bool:
    """Is it set to what depends neither on the element nor on what was there?"""
    if not isinstance(statement, ast.Assign) or holds_element(value):
        return False
    return _as_read(target) not in ast.dump(statement.value)


def _as_read(target: ast.expr) -> str:
    """The dump of a target where it is read."""
    return ast.dump(target).replace("Store()", "Load()")


#: What gives the options that argparse has read.
_PARSED = tuple(f"argparse.ArgumentParser().parse_{kind}" for kind in ("args", "intermixed_args"))


def parsed(run: Run, made: External, name: str, node: ast.Attribute | None) -> Flag | None:
    """An attribute of what argparse has read."""
    return flag(run, f"{made.symbol}.{name}", name) if made.symbol in _PARSED and not made.given else None


def flag(run: Run, full_name: str, name: str) -> Flag | None:
    """A number or truth that is an option of the command line, which the module being read, or the linted one, defines
    once."""
    for source in (run.source, run.main.source):
        defaults = options_in(source).get(name, [])
        default = defaults[0] if len(defaults) == 1 else None
        # No `as` in the patterns: what mypyc makes of it is not bound.
        match default:
            case ast.Constant():
                if default.value is None or isinstance(default.value, (int, float)):
                    return Flag(full_name, Constant(default.value))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=number)):
                if isinstance(number, (int, float)):
                    return Flag(full_name, Constant(-number))
    return None
