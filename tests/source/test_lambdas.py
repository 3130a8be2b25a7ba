"""Which lambdas AutoGraph cannot tell apart: it looks for one by the row on which it begins, then by its parameters."""

from __future__ import annotations

from rows import each

from tfdata_lint.source.lambdas import confused

APART = [
    "a = f(lambda x: 1)\nb = f(lambda x: 2)",
    "a = f(lambda x: 1).g(lambda y: 2)",
    "a = f(lambda x: 1).g(lambda x, y: 2)",
    "a = f(lambda x: 1).g(lambda *x: 2)",
    "a = f(\n    lambda x: 1\n).g(lambda x: 2)",
    "a = f(\n    lambda x: 1,\n    lambda x: 2,\n)",
    "a = f(lambda x: x[\n    1:2]\n).g(lambda x: 2)",
    "a = f(lambda x: 1)  # not lambda x: 2",
    "a = f(lambda x: 1, 'lambda x: 2')",
    "a = lambda x: \\\n    1\nb = lambda x: 2",
]
CONFUSED = [
    ("a = f(lambda x: 1).g(lambda x: 2)", {"x": 2}),
    ("a = lambda x: 1; b = lambda x: 2", {"x": 2}),
    ("a = f(lambda x, y=3: 1).g(lambda x,y: 2)", {"x,y": 2}),
    ("a = [lambda: 1, lambda: 2, lambda x: 3]", {"": 2}),
    # Only the second one begins on a row of the other.
    ("a = f(lambda x: (\n    x\n)).g(lambda x: 2)", {"x": 1}),
    ("a = f(lambda x: \\\n    1).g(lambda x: 2)", {"x": 1}),
    ("a = f(lambda x: g(\n    lambda x: 2\n))", {"x": 1}),
    # A row of a longer statement.
    ("    lambda x: 1).g(lambda x: h(", {"x": 2}),
]


@each("code", APART)
def test_apart(code: str) -> None:
    assert confused(code) == {}


@each(("code", "counts"), CONFUSED)
def test_confused(code: str, counts: dict[str, int]) -> None:
    assert confused(code) == counts
