"""What a project does not run: a function or a class that none of its files names, or that another one replaces."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from typing import TypeAlias

from tfdata_lint.pipeline.nouns.code import own_nodes
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.project.index import outermost
from tfdata_lint.source.trees import walk

#: With one of these a project may hand out its packages, whose functions others call.
_PACKAGING = ("setup.py", "setup.cfg", "pyproject.toml")
Definition: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef"
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
#: Modules of a folder that are looked at.
_MOST = 40
_HOOKS = re.compile(r"main|test\w*|__\w+__|get_?(?:config|spec)\w*")


def why_unused(graph: PipelineGraph, span: Span) -> str:
    """Why nothing runs what stands here, as far as the project is seen; empty where something may.

    A file or a notebook that is itself not seen to be run says nothing: it may be an example, or part of a library.
    """
    if span.file != graph.file:
        return ""
    definition = outermost(graph.tree, span.row)
    if definition is None or graph.says_anywhere("by name"):
        return ""
    if not graph.once(_is_in_use):
        return (
            "no file of the project imports this one, as others import those beside it"
            if graph.once(_is_left_over)
            else ""
        )
    unused = definition.name
    if _is_used(graph, definition, set()):
        # Who has an object of it may call a method that this file does not name.
        is_shared = bool(definition.decorator_list) or graph.is_used_elsewhere(unused)
        methods = () if is_shared else _methods(definition, span.row)
        unused = next((name for name in methods if not _HOOKS.fullmatch(name) and len(_mentions(graph, name)) < 2), "")
    return f"no file of the project uses `{unused}`" if unused else ""


def _is_used(graph: PipelineGraph, definition: Definition, asked: set[str]) -> bool:
    """Does something else name it than itself, and what nothing uses either?"""
    name = definition.name
    if definition.decorator_list or _HOOKS.fullmatch(name) or graph.is_used_elsewhere(name):
        return True
    asked.add(name)
    for row in _mentions(graph, name):
        around = outermost(graph.tree, row)
        if around is None or (around.name not in asked and _is_used(graph, around, asked)):
            return True
    return False


def _methods(definition: ast.AST, row: int) -> Iterator[str]:
    """The method on a row of a class that inherits nothing: who has it from a library may be called by that."""
    if isinstance(definition, ast.ClassDef) and not definition.keywords and all(map(_is_object, definition.bases)):
        for node in definition.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.decorator_list:
                if node.lineno <= row <= (node.end_lineno or 0):
                    yield node.name


def _is_object(base: ast.expr) -> bool:
    return isinstance(base, ast.Name) and base.id == "object"


def _mentions(graph: PipelineGraph, name: str) -> list[int]:
    """The rows with a name, once for each time. Those in texts count as uses, and a call in a comment as none."""
    rows = ((row, text) for row, text in enumerate(graph.source.lines, 1) if name in text)
    return [
        row for row, text in rows if not text.lstrip().startswith("#") for _ in re.finditer(rf"(?<!\w){name}\b", text)
    ]


def _is_in_use(graph: PipelineGraph) -> bool:
    """Does something run this file, and is it no part of a package for others?"""
    if graph.source.kind == "notebook":
        return True
    if not os.path.exists(graph.file) or not graph.is_in_project or is_packaged(graph, graph.file):
        return False
    return _does_something(graph) or graph.is_imported


def _is_left_over(graph: PipelineGraph) -> bool:
    """Does a module only define what nobody imports, while others import modules beside it?"""
    if graph.source.kind == "notebook" or not os.path.exists(graph.file) or not graph.is_in_project:
        return False
    if graph.is_test or "__main__" in graph.source.text or graph.is_imported or is_packaged(graph, graph.file):
        return False
    if any(isinstance(node, ast.Call) for node in own_nodes(graph.tree.body)):
        # It is run by itself, or tells others of what it defines.
        return False
    folder, name = os.path.split(os.path.abspath(graph.file))
    graph.depends.add(folder)
    beside = sorted(
        other for other in os.listdir(folder) if other.endswith(".py") and other not in (name, "__init__.py")
    )
    return any(graph.is_shared(os.path.join(folder, other)) for other in beside[:_MOST])


def _does_something(graph: PipelineGraph) -> bool:
    """Does a module call functions of its own when it is run?"""
    body = graph.tree.body
    own = {node.name for node in body if isinstance(node, _DEFINITIONS)}
    rest = (node for statement in body if not isinstance(statement, _DEFINITIONS) for node in walk(statement))
    return any(isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in own for node in rest)


def is_packaged(graph: PipelineGraph, file: str) -> bool:
    """Is a module in a package that its project may hand out?"""
    folder = os.path.dirname(os.path.abspath(file))
    if not os.path.exists(os.path.join(folder, "__init__.py")):
        return False
    while folder != (above := os.path.dirname(folder)):
        paths = [os.path.join(folder, name) for name in _PACKAGING]
        graph.depends.update(paths)
        if any(map(os.path.exists, paths)):
            return True
        if os.path.exists(os.path.join(folder, ".git")):
            break
        folder = above
    return False


def replaced_rows(graph: PipelineGraph) -> frozenset[int]:
    """The rows of functions of which the same body defines another by the same name further down."""
    rows: set[int] = set()
    classes = [node for node in walk(graph.tree) if isinstance(node, ast.ClassDef)]
    blocks: list[ast.Module | ast.ClassDef] = [graph.tree, *classes]
    for block in blocks:
        last: dict[str, ast.FunctionDef] = {}
        for node in block.body:
            if not isinstance(node, ast.FunctionDef) or node.decorator_list:
                continue
            earlier = last.get(node.name)
            # What stands between may have called it.
            if earlier is not None and not _is_named_between(block, earlier, node):
                rows |= {*range(earlier.lineno, (earlier.end_lineno or 0) + 1)}
            last[node.name] = node
    return frozenset(rows)


def _is_named_between(block: ast.Module | ast.ClassDef, one: ast.FunctionDef, other: ast.FunctionDef) -> bool:
    between = (node for node in block.body if one.lineno < node.lineno < other.lineno)
    return any(isinstance(part, ast.Name) and part.id == one.name for node in between for part in walk(node))
