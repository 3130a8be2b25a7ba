"""What is set outside of a mapped function: when setting it once, at tracing, is right, and by flags."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from tfdata_lint.pipeline.interpreter.folding import fold_binary
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.mapped.record import holds_element
from tfdata_lint.pipeline.nouns.code import names
from tfdata_lint.pipeline.nouns.values import UNKNOWN, Constant, Flag, Value
from tfdata_lint.source.trees import walk

#: Functions of Python that make numbers of numbers.
_NUMBERS: dict[str, Callable[..., Any]] = {
    "abs": abs, "float": float, "int": int, "max": max, "min": min, "round": round
}  # fmt: skip
#: What a number may have been, and what other numbers a statement may compute with.
_TRIED, _OTHERS = (31, 17, 4, 1), (3, 8, 5)


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


#: The definition of a flag whose default is written as a literal.
_FLAG = (
    r"DEFINE_(?<!\wDEFINE_)(?:integer|float|bool|boolean)\(\s*['\"](\w+)['\"],\s*(?:default\s*=\s*)?"
    r"(None|True|False|-?\d[\d_]*)\s*[,)]"
)


def flag(run: Run, full_name: str, name: str) -> Flag | None:
    """A flag that the module being read, or the linted one, defines."""
    for source in (run.source, run.main.source):
        if _FLAG not in source.notes:
            source.notes[_FLAG] = dict(re.findall(_FLAG, source.text)) if "DEFINE_" in source.text else {}
        if name in source.notes[_FLAG]:
            return Flag(full_name, Constant(ast.literal_eval(source.notes[_FLAG][name])))
    return None
