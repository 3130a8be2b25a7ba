"""What fixes leave without a use, imports and constants of the file, goes with them."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator

from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.pipeline.project.names import may_be_used_elsewhere
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of
from tfdata_lint.source.editing import CannotEdit, edited
from tfdata_lint.source.module import Source, load
from tfdata_lint.source.replacement import Replacement
from tfdata_lint.source.trees import walk

#: Importing these is seen by nobody else.
_PLAIN = sys.stdlib_module_names | {"numpy", "tensorflow"}
#: What reads names that are not written.
_NAMESPACES = re.compile(r"\b(?:globals|locals|vars|eval|exec)\(|\bsys\.modules\b")


def without_leftovers(before: Source, data: bytes, project: Project | None) -> bytes:
    """The content after fixes, without what was used before them and is not any more.

    What the module binds stays unless it is shown that no other file of the project can use it.
    """
    source = load(data, before.path)
    if source.tree is None or os.path.basename(before.path) == "__init__.py" or _NAMESPACES.search(source.text):
        return data
    syntax = syntax_of(source)
    unused = [
        (scope, Replacement(*syntax.span(start, end)[1:], ""))
        for scope, name, start, end in (*_imports(syntax), *_constants(syntax))
        if _uses(name, before.text) > 1 and _uses(name, source.text) == 1
    ]
    is_asked = any(scope is syntax.tree for scope, _ in unused)
    is_shared = is_asked and (project is None or may_be_used_elsewhere(project, before))
    edits = [edit for scope, edit in unused if not (is_shared and scope is syntax.tree)]
    try:
        return edited(data, source, edits)
    except CannotEdit:
        return data


def _uses(name: str, text: str) -> int:
    """How often a name stands in a text, in comments and strings too."""
    return len(re.findall(rf"(?<![\w.]){re.escape(name)}(?!\w)", text))


def _imports(syntax: Syntax) -> Iterator[tuple[ast.AST, str, int, int]]:
    """The names that the module imports, and what to take away with each. Constants may be asked of it by others."""
    for node in syntax.tree.body:
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        home = node.names[0].name if isinstance(node, ast.Import) else "" if node.level else node.module or ""
        rows = _rows(syntax, node)
        if home.partition(".")[0] not in _PLAIN or home == "__future__" or rows is None:
            continue
        for alias in node.names:
            name = alias.asname or alias.name
            if len(node.names) == 1 and not name.isupper() and "." not in name:
                yield syntax.tree, name, *rows


def _constants(syntax: Syntax) -> Iterator[tuple[ast.AST, str, int, int]]:
    """The private constants of the module, and those of its functions."""
    for scope in walk(syntax.tree):
        if not isinstance(scope, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)) or len(scope.body) < 2:
            continue
        for node in scope.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant()):
                    is_private = scope is not syntax.tree or (name.startswith("_") and not name.startswith("__"))
                    if is_private and (rows := _rows(syntax, node)):
                        yield scope, name, *rows


def _rows(syntax: Syntax, node: ast.stmt) -> tuple[int, int] | None:
    """The rows of a statement, where it shares them with nothing, not even a comment; and the blank ones around it."""
    text = syntax.text
    start, end = syntax.line(syntax.start(node))[0], syntax.line(syntax.end(node))[1]
    if text[start:end].strip() != syntax.written(node):
        return None
    end = min(end + 1, len(text))
    if not text[:start].strip():
        return start, len(text) - len(text[end:].lstrip("\n"))
    if text[end : end + 1] == "\n":
        start = len(text[:start].rstrip("\n")) + 1
    return start, end
