"""What a name means where it is written: each `here` of a program is followed by Python itself, too."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from tfdata_lint.pipeline.project.scopes import Scopes
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.module import load

#: What `name` means in `here(lambda: name)`, and whether it is certainly bound there.
PROGRAMS = {
    "an import above": ("import os as name\nhere(lambda: name)", "os", True),
    "an import below": ("def f():\n    here(lambda: name)\nimport os as name\nf()", "os", False),
    "a parameter": ("import os as name\ndef f(name):\n    here(lambda: name)\nf(1)", "", True),
    "a keyword": ("import os as name\ndef f(*, name):\n    here(lambda: name)\nf(name=1)", "", True),
    "the rest": ("import os as name\ndef f(*name):\n    here(lambda: name)\nf(1)", "", True),
    "a lambda": ("import os as name\n(lambda name: here(lambda: name))(1)", "", True),
    "a default": ("import os as name\ndef f(x=here(lambda: name), name=2): pass", "os", True),
    "a decorator": ("import os as name\n@here(lambda: name)\ndef f(name): pass", "os", True),
    "a comprehension": ("import os as name\n[here(lambda: name) for name in (1, 2)]", "", True),
    "its first iterable": ("import os as name\n[1 for name in [here(lambda: name)]]", "os", True),
    "beside a comprehension": ("import os as name\n[1 for name in (1, 2)]\nhere(lambda: name)", "os", True),
    "a walrus in one": ("import os as name\n[(name := 1) for _ in (1, 2)]\nhere(lambda: name)", "", True),
    "a walrus in a default": (
        "import os as name\ndef f(x=(name := 1)): pass\nhere(lambda: name)", "", True,
    ),
    "a class body around": (
        "import os as name\nclass C:\n    name = 1\n    def f(self):\n        here(lambda: name)\nC().f()", "os", True,
    ),
    "a comprehension in a class": (
        "import os as name\nclass C:\n    name = 1\n    x = [here(lambda: name) for _ in (1,)]", "os", True,
    ),
    "a loop": ("import os as name\nfor name in (1,):\n    here(lambda: name)", "", True),
    "with": ("import os as name\nimport io\nwith io.StringIO() as name:\n    here(lambda: name)", "", True),
    "except": ("import os as name\ntry:\n    1 / 0\nexcept Exception as name:\n    here(lambda: name)", "", True),
    "a pattern": ("import os as name\nmatch [1]:\n    case [name]:\n        here(lambda: name)", "", True),
    "the rest of a pattern": (
        "import os as name\nmatch {1: 2}:\n    case {**name}:\n        here(lambda: name)", "", True,
    ),
    "a function of the name": ("import os as name\ndef name(): pass\nhere(lambda: name)", "", True),
    "a class of the name": ("import os as name\nclass name: pass\nhere(lambda: name)", "", True),
    "deleted": ("import os as name\ndef f():\n    here(lambda: name)\nf()\ndel name", "os", False),
    "global": ("import os as name\ndef g():\n    global name\n    name = 1\ng()\nhere(lambda: name)", "", True),
    "global over a local": (
        "import os as name\ndef f(name):\n    def g():\n        global name\n        here(lambda: name)\n    g()\nf(1)",
        "os", True,
    ),
    "nonlocal": (
        "def f():\n    import os as name\n    def g():\n        nonlocal name\n        name = 1\n    g()\n"
        "    here(lambda: name)\nf()", "", True,
    ),
    "two imports": ("import os as name\nimport io as name\nhere(lambda: name)", "", True),
    "of one thing": (
        "try:\n    import os as name\nexcept ImportError:\n    name = None\nhere(lambda: name)", "os", True,
    ),
    "a branch": ("if not __name__:\n    import os as name\ndef f():\n    here(lambda: name)", "os", False),
    "both branches": (
        "if __name__:\n    import os as name\nelse:\n    import os as name\nhere(lambda: name)", "os", True,
    ),
    "a failing body": (
        "import os\ntry:\n    1 / 0\n    name = os.path\nexcept Exception:\n    pass\ndef f():\n    here(lambda: name)",
        "os.path", False,
    ),
    "behind `else`": (
        "import os\ntry:\n    name = os.path\nexcept Exception:\n    pass\nelse:\n    here(lambda: name)",
        "os.path", True,
    ),
    "a loop that may not run": (
        "import os\nfor _ in []:\n    name = os.path\ndef f():\n    here(lambda: name)", "os.path", False,
    ),
    "an alias": ("import os\nname = os.path\nhere(lambda: name)", "os.path", True),
    "an alias of another": ("def f(os):\n    name = os.path\n    here(lambda: name)\nimport os\nf(os)", "", True),
    "later in the function": (
        "def f():\n    import os\n    def g():\n        here(lambda: name)\n    name = os.path\n    g()\nf()",
        "os.path", False,
    ),
    "changed in place": ("name = 1\nname += 1\nhere(lambda: name)", "", True),
    "unpacked": ("import os as name\nname, other = 1, 2\nhere(lambda: name)", "", True),
}  # fmt: skip


def asked(code: str) -> tuple[Scopes, ast.Lambda]:
    syntax = syntax_of(load(code.encode(), "module.py"))
    calls = [node for node in ast.walk(syntax.tree) if isinstance(node, ast.Call)]
    [given] = [node.args[0] for node in calls if isinstance(node.func, ast.Name) and node.func.id == "here"]
    assert isinstance(given, ast.Lambda)
    return syntax.scopes, given


@pytest.mark.parametrize(("code", "meaning", "is_bound"), PROGRAMS.values(), ids=PROGRAMS)
def test_meaning(code: str, meaning: str, is_bound: bool) -> None:
    scopes, node = asked(code)
    assert scopes.meaning("name", node.body) == meaning
    if meaning:
        assert scopes.is_bound("name", node.body) is is_bound


@pytest.mark.parametrize(("code", "meaning", "is_bound"), PROGRAMS.values(), ids=PROGRAMS)
def test_python_agrees(code: str, meaning: str, is_bound: bool) -> None:
    """What has a meaning is that where it runs; what has none is something else."""
    import io
    import os

    seen: list[object] = []

    def here(read):  # type: ignore[no-untyped-def]
        seen.append(read())
        return lambda function: function

    exec(compile(code, "module.py", "exec"), {"here": here, "__name__": "module"})
    named = {"os": os, "io": io, "os.path": os.path}
    if meaning:
        assert all(value is named[meaning] for value in seen)
        assert seen or not is_bound
    else:
        assert seen


def test_a_name_of_a_project_that_star_brings() -> None:
    code = dedent("""
        from functools import wraps as name
        from helpers import *
        here(lambda: name)
        """)
    scopes, node = asked(code)
    assert scopes.meaning("name", node.body) == "functools.wraps"
    [star] = [
        part for part in ast.walk(ast.parse(code)) if isinstance(part, ast.ImportFrom) and part.module == "helpers"
    ]
    scopes.bring(["name", "other"], star)
    assert scopes.meaning("name", node.body) == ""
