"""Trees are gone through as `ast` goes through them, but for what the node before has said."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tfdata_lint.source.trees import children, walk

SOURCES = sorted((Path(__file__).parents[2] / "tfdata_lint").rglob("*.py"))
#: Of every kind of node that there is before Python 3.12.
RARE = """
async def f(a, /, *b: int, c=1, **d) -> None:
    global x, y
    async with a as b, c: pass
    async for i in a: await i
    yield [*a, {**b}, {1: 2}, {k: v for k, v in a if v}, (n := 1), f"{a!r:>{b}}", a[1:2, ...], -a @ b, not a < b <= c]
    try: raise a from b
    except* E as e: del a.b, c[0]
    finally: assert a, b
    match a:
        case [1, *rest] | {"k": v, **others} | C(1, k=None) as whole if whole: pass
    import m as n, o
    from . import *
    lambda q: (yield from q)
class C(B, metaclass=M):
    x: int = 1
    x += 1
"""


@pytest.mark.parametrize("path", SOURCES[::10], ids=lambda path: path.name)
def test_a_module(path: Path) -> None:
    assert_same(path.read_text(encoding="utf-8"))


def test_rare_nodes() -> None:
    assert_same(RARE if hasattr(ast, "TryStar") else RARE.replace("except*", "except"))


def assert_same(text: str) -> None:
    tree = ast.parse(text)
    expected = [node for node in ast.walk(tree) if not isinstance(node, ast.expr_context)]
    assert list(walk(tree)) == expected
    for node in expected:
        assert children(node) == [
            child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr_context)
        ]
