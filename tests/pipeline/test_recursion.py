"""What is shared is looked at once: values that hold their predecessor twice cost no more than others."""

from __future__ import annotations

import ast
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest
from doubling import USES, WAYS, program
from rows import each, try_all

import tfdata_lint
from tfdata_lint import lint_source
from tfdata_lint.lint.linting import recover
from tfdata_lint.pipeline.python.origins import origins

PACKAGE = Path(tfdata_lint.__file__).parent
#: Annotations of what may be shared; structures and meanings are not, which are bounded where they are made.
SHARED = re.compile(r"\b(?:Value|Expr|External|Class|Answer|Dataset|Stage|Join|Argument|Alternatives|Mapping_)\b|^Any$")
#: What ends by itself: it asks a memo, what it has `seen`, or what is left of a budget, before it goes on.
BOUNDED = re.compile(
    r"\bstep\(\)|\.spend\(|\bseen\b|\.(?:known|_known|_stages|stages|_answers|joins|meets|resolved|budget|goes_on|generics)\b"
)


def unbounded(text: str) -> Iterator[str]:
    """The functions that call themselves with what may be shared, other than as `recursive` allows."""
    functions = {name: node for name, node in _functions(ast.parse(text)) if not _ends(node)}
    calls = {name: functions.keys() & {ast.unparse(part) for part in _named(node)} for name, node in functions.items()}
    for name, node in functions.items():
        reached, todo = set[str](), [*calls[name]]
        while todo:
            if (one := todo.pop()) not in reached:
                reached.add(one)
                todo += calls[one]
        if name in reached and _is_of_shared(node):
            yield name


def _functions(tree: ast.AST) -> Iterator[tuple[str, ast.FunctionDef]]:
    """By the name by which they call themselves."""
    for node in ast.walk(tree):
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.FunctionDef):
                yield f"self.{part.name}" if isinstance(node, ast.ClassDef) else part.name, part


def _named(node: ast.FunctionDef) -> Iterator[ast.expr]:
    own = {arg.arg for arg in node.args.args}
    for part in ast.walk(node):
        is_method = isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "self"
        if is_method or (isinstance(part, ast.Name) and part.id not in own):
            yield part


def _is_of_shared(node: ast.FunctionDef) -> bool:
    """Is it a question about what may be shared? What follows syntax ends with it."""
    asked = [arg for arg in node.args.args if arg.arg not in ("self", "run", "graph")][:1]
    return any(arg.annotation is not None and SHARED.search(ast.unparse(arg.annotation)) for arg in asked)


def _ends(node: ast.FunctionDef) -> bool:
    marks = {ast.unparse(one) for one in node.decorator_list}
    return "recursive" in marks or BOUNDED.search(ast.unparse(node)) is not None


class TestSource:
    @each(
        ("text", "found"),
        [
            ("def f(value: Value) -> bool:\n    return any(map(f, value.items))\n", ["f"]),
            ("@recursive\ndef f(value: Value) -> bool:\n    return any(map(f, value.items))\n", []),
            ("def f(value: Value):\n    return g(value)\ndef g(value: Value):\n    return f(value)\n", ["f", "g"]),
            ("def f(node: ast.expr) -> bool:\n    return f(node.value)\n", []),
            ("class C:\n    def f(self, stage: Stage) -> bool:\n        return self.f(stage.inputs[0])\n", ["self.f"]),
            ("def f(value: Value, seen: set[int]) -> bool:\n    return id(value) in seen or f(value, seen)\n", []),
        ],
    )
    def test_what_calls_itself_is_found(self, text: str, found: list[str]) -> None:
        assert list(unbounded(text)) == found

    def test_every_recursion_over_values_is_bounded(self) -> None:
        paths = sorted(path for room in ("pipeline", "rules") for path in (PACKAGE / room).rglob("*.py"))
        found = {
            f"{path.relative_to(PACKAGE)}: {name}" for path in paths for name in unbounded(path.read_text("utf-8"))
        }
        assert found == set()


class TestPrograms:
    """Each is linted within three seconds of processor time, and what was cut off is told."""

    def test_some(self) -> None:
        # Each way with one use after the other, so that each of both is met.
        try_all([(way, USES[number % len(USES)]) for number, way in enumerate(WAYS)], _lint)

    @pytest.mark.nightly
    def test_all(self) -> None:
        rows = [(way, use) for way in WAYS for use in USES]
        assert len(WAYS) >= 40
        assert len(rows) >= 600
        try_all(rows, _lint)

    @each("way", ["pair_ds", "tuple", "spec"])
    def test_what_is_cut_off_is_told(self, way: str) -> None:
        assert "TFD003" in {found.code for found in lint_source(program(way, "zip")).diagnostics}

    def test_what_is_shared_is_cut_off_nowhere(self) -> None:
        text = program("conditional_same", "in_map")
        assert "TFD003" not in {found.code for found in lint_source(text).diagnostics}


def _lint(row: tuple[str, str]) -> None:
    way, use = row

    def end(number: int, frame: FrameType | None) -> None:
        raise TooLong(f"{way}, {use}: more than three seconds")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, 3)
    try:
        found = {diagnostic.code for diagnostic in lint_source(program(way, use)).diagnostics}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert found.isdisjoint({"TFD000", "TFD002"})


class TooLong(BaseException):
    """It would not end."""


def test_settings_that_are_handed_round_in_a_circle_are_not_known() -> None:
    """200 functions that give each other what they got end where steps do, and not where Python's stack does."""
    functions = [f"def f{n}(settings, size=None):\n    return f{(n + 1) % 200}(**settings)" for n in range(200)]
    graph = recover("\n".join(["import tensorflow as tf", *functions, "f0(**unseen)", "tf.data.Dataset.range(3)"]))
    spread = next(node for node in ast.walk(graph.tree) if isinstance(node, ast.keyword) and node.arg is None)
    assert origins(graph, spread.value) == []
