"""What the call of `setup` in a `setup.py` is given, read and never run."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping


def given_to_setup(text: str, left_out: Container[str]) -> Iterator[tuple[str, str, int]]:
    """The literals of `install_requires` and `extras_require`, if need be by way of a name: which, the text, its row.

    `left_out` names keys of dicts that are not followed. Raises SyntaxError where it is no Python.
    """
    tree = ast.parse(text)
    named: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Name):
                        named.setdefault(target.id, []).append(value)
            case (
                ast.AugAssign(target=ast.Name(id=name), value=value)
                | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend"), args=[value])
            ):
                named.setdefault(name, []).append(value)
    read = {word: _Literals(named, left_out) for word in ("install_requires", "extras_require")}
    for call in ast.walk(tree):
        for keyword in call.keywords if isinstance(call, ast.Call) else ():
            if keyword.arg in read:
                for one, line in read[keyword.arg].of(keyword.value):
                    yield keyword.arg, one, line


class _Literals:
    """The strings that expressions are made of. What a name stands for is given once: it may be defined by itself."""

    def __init__(self, named: Mapping[str, list[ast.expr]], left_out: Container[str]) -> None:
        self._named = named
        self._left_out = left_out
        self._seen: set[tuple[str, object]] = set()
        self._tables: dict[str, dict[object, list[ast.expr]]] = {}

    def of(self, node: ast.expr) -> Iterator[tuple[str, int]]:
        waiting: list[ast.expr | None] = [node]
        while waiting:
            parts: list[ast.expr] = []
            match part := waiting.pop():
                case ast.Constant(value=str(text)):
                    yield text, part.lineno
                case ast.List(elts=parts) | ast.Tuple(elts=parts):
                    pass
                case ast.Dict(keys=keys, values=parts):
                    parts = [
                        parts[at] for at, key in enumerate(keys) if getattr(key, "value", None) not in self._left_out
                    ]
                case ast.BinOp(left=left, right=right) | ast.IfExp(body=left, orelse=right):
                    parts = [left, right]
                case ast.Name(id=name):
                    parts = self._once(name, None)
                case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=key)):
                    parts = self._once(name, key)
            waiting += parts[::-1]

    def _once(self, name: str, key: object) -> list[ast.expr]:
        """What a name stands for, or a key of the dicts that it stands for."""
        if (name, key) in self._seen:
            return []
        self._seen.add((name, key))
        return self._named.get(name, []) if key is None else self._table(name).get(key, [])

    def _table(self, name: str) -> dict[object, list[ast.expr]]:
        if name not in self._tables:
            table: dict[object, list[ast.expr]] = {}
            self._tables[name] = table
            for value in self._named.get(name, ()):
                for key, one in zip(value.keys, value.values, strict=True) if isinstance(value, ast.Dict) else ():
                    if isinstance(key, ast.Constant):
                        table.setdefault(key.value, []).append(one)
        return self._tables[name]
