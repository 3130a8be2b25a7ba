"""Questions about the functions that a module defines."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.source.trees import children

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def is_private(graph: PipelineGraph, definition: str) -> bool:
    """Does a function of this module belong to it alone: by its name, or as part of another function?

    Nobody else can then be expected to call it. With a decorator, or in a class with bases, somebody may.
    """
    return definition in graph.once(_private)


def _private(graph: PipelineGraph) -> set[str]:
    found: set[str] = set()
    todo: list[tuple[ast.AST, str]] = [(graph.tree, "")] if graph.tree is not None else []
    while todo:
        scope, path = todo.pop()
        is_own = not (isinstance(scope, ast.ClassDef) and scope.bases)
        for name, node in _defined_in(scope).items():
            is_hidden = name.startswith("_") and not name.endswith("__")
            if isinstance(scope, _FUNCTIONS) or (is_own and is_hidden):
                if isinstance(node, ast.FunctionDef) and not node.decorator_list:
                    found.add(path + name)
            todo.append((node, f"{path}{name}."))
    return found


def _defined_in(scope: ast.AST) -> dict[str, ast.AST]:
    """The functions and classes defined in a scope, its branches included; of one name the first that is found."""
    found: dict[str, ast.AST] = {}
    todo = list(children(scope))
    while todo:
        node = todo.pop()
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            found.setdefault(node.name, node)
        elif isinstance(node, (ast.stmt, ast.ExceptHandler)):
            todo.extend(children(node))
    return found
