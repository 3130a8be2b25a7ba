"""What is written in Python functions under `py_function`."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.nouns.stages import Effect
from tfdata_lint.source.trees import walk


def calls_under(effect: Effect) -> list[str] | None:
    """What the Python function under `py_function` calls, as written; None where that function is not seen."""
    if effect.wrapped is None:
        return None
    return [ast.unparse(node.func) for node in walk(effect.wrapped) if isinstance(node, ast.Call)]


def given_to(effect: Effect) -> list[str]:
    """The function that is given to `py_function`, as written."""
    if not isinstance(effect.node, ast.Call):
        return []
    keywords = (keyword.value for keyword in effect.node.keywords if keyword.arg == "func")
    return [ast.unparse(node) for node in (*effect.node.args[:1], *keywords)]
