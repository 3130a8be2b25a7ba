"""Whether a value that a name is given is read, and in which loops a place runs."""

from __future__ import annotations

import ast
from textwrap import dedent

from rows import each

from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.runs import passes_of
from tfdata_lint.pipeline.python.uses import is_read, use_of
from tfdata_lint.source.module import load


def syntax(text: str):
    return syntax_of(load(dedent(text).encode(), "a.py"))


@each(
    ("body", "read"),
    [
        ("x = 1", False),
        ("x = 1\nreturn x", True),
        ("x = 1\nx = 2\nreturn x", False),
        ("x = 1\nif a:\n    x = 2\nreturn x", True),
        ("x = 1\nif a:\n    x = 2\nelse:\n    x = 3\nreturn x", False),
        ("x = 1\nif a:\n    return x\nx = 2\nreturn x", True),
        ("x = 1\nif a:\n    return 0\nreturn x", True),
        ("x = 1\nx += 1", True),
        ("x = 1\ndel x", False),
        ("x = 1\nfor x in a:\n    print(x)", False),
        ("x = 1\nfor y in a:\n    print(x)", True),
        ("for y in a:\n    print(x)\n    x = 1", True),
        ("for y in a:\n    x = 1", False),
        ("while x:\n    x = 1", True),
        ("while a:\n    x = 1\n    break\nreturn x", True),
        ("try:\n    x = 1\nexcept E:\n    print(x)", True),
        ("with a:\n    x = 1\nreturn x", True),
        ("x = 1\nwith a as x:\n    print(x)", True),
        ("x = 1\ndef inner():\n    return x", True),
        ("x = 1\nreturn lambda: x", True),
        ("x = 1\nreturn [x for x in a]", False),
        ("x = 1\nreturn locals()", True),
        ("x = 1\nraise E\nprint(x)", False),
    ],
)
def test_a_value_is_read(body: str, read: bool) -> None:
    text = "def f(a):\n" + "".join(f"    {row}\n" for row in body.split("\n"))
    module = syntax(text)
    stores = [
        node
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value == 1
    ]
    (target,) = stores[0].targets
    assert isinstance(target, ast.Name)
    assert is_read(module, target) == read


@each(
    ("text", "use"),
    [
        ("x()", "called"),
        ("x.map(f)", "method map"),
        ("x.shape", "attribute shape"),
        ("x.shape = 1", "attribute set shape"),
        ("x['a']", "item a"),
        ("x['a'] = 1", "item set a"),
        ("f(1, x)", "passed 1"),
        ("f(a=x)", "passed a"),
        ("f(*x)", "passed 0"),
        ("for y in x: pass", "iterated"),
        ("[y for y in x]", "iterated"),
        ("[x for y in z]", "stored"),
        ("x is None", "compared"),
        ("y = x", "stored"),
        ("(x, 1)", "stored"),
        ("lambda: x", "returned"),
        ("x", "dropped"),
        ("x + 1", "read"),
        ("x += 1", "read"),
        ("x = 1", "set"),
        ("del x", "deleted"),
    ],
)
def test_the_use_of_a_mention(text: str, use: str) -> None:
    module = syntax(text)
    (name,) = (node for node in ast.walk(module.tree) if isinstance(node, ast.Name) and node.id == "x")
    found = use_of(module, name)
    assert f"{found.kind} {found.what}".strip() == use


@each(
    ("text", "loops"),
    [
        ("here()", []),
        ("for a in b: here()", [1]),
        ("for a in here(): pass", []),
        ("def f():\n    here()\nfor a in b:\n    f()", [3]),
        ("def f():\n    here()\ndef g():\n    f()\nfor a in b:\n    g()\nf()", [5]),
        ("class C:\n    def f(self):\n        here()\n    def g(self):\n        [self.f() for a in b]", [5]),
        ("class C:\n    def f(self):\n        here()\nclass D:\n    def g(self):\n        [self.f() for a in b]", []),
        ("class C:\n    def f(self):\n        here()\nc = C()\nx = [c.f() for a in b]", [5]),
        ("def f(a):\n    here()\npool.map(f, b)", [3]),
        ("def f(a):\n    here()\nfor a in b:\n    pool.submit(f, a)", [3]),
        ("for a in b:\n    def f():\n        here()", []),
    ],
)
def test_the_loops_of_a_place(text: str, loops: list[int]) -> None:
    module = syntax(text)
    (call,) = (
        node
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "here"
    )
    assert [getattr(one.loop, "lineno", 0) for one in passes_of(module, call)] == loops
