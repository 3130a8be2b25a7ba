"""Where an import that a fix adds belongs: as isort and Ruff would sort it, where the imports around are sorted."""

from __future__ import annotations

import ast
import sys
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from tfdata_lint.pipeline.project.syntax import Syntax

Import: TypeAlias = ast.Import | ast.ImportFrom


class Place(NamedTuple):
    """Beside which statement an import belongs."""

    neighbour: ast.stmt
    is_above: bool = False
    is_apart: bool = False
    """With a blank row between the two."""


def place_of(syntax: Syntax, module: str, body: list[ast.stmt]) -> Place | None:
    """Where `import module` belongs among the first statements of a module; None where they import nothing."""
    sections = _sections(syntax, body)
    if not sections:
        return None
    section = next((part for part in sections if any(_home(node) == module for node in part)), None)
    kind = _kind(ast.Import([ast.alias(module)]))
    section = section or next((part for part in sections if _kind(part[0]) == kind), None)
    if section is None:
        earlier = ("future", "standard") if kind == "other" else ("future",)
        above = [part for part in sections if _kind(part[0]) in earlier]
        return Place(above[-1][-1], is_apart=True) if above else Place(sections[0][0], True, is_apart=True)
    for key in (_by_form, _by_name):
        keys = [key(node) for node in section]
        if keys == sorted(keys):
            after = next((node for node in section if key(node) > key(ast.Import([ast.alias(module)]))), None)
            return Place(section[-1]) if after is None else Place(after, is_above=True)
    related = [node for node in section if _home(node) == module]
    return Place((related or section)[-1])


def _sections(syntax: Syntax, body: list[ast.stmt]) -> list[list[Import]]:
    """The imports at the top of a module, apart where a row or another statement stands between."""
    sections: list[list[Import]] = []
    for above, node in pairwise([None, *body]):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            goes_on = isinstance(above, (ast.Import, ast.ImportFrom))
            if not goes_on or above is None or "\n\n" in syntax.text[syntax.end(above) : syntax.start(node)]:
                sections.append([])
            sections[-1].append(node)
    return sections


def _module(node: Import) -> str:
    return node.names[0].name if isinstance(node, ast.Import) else "." * node.level + (node.module or "")


def _home(node: Import) -> str:
    return _module(node).partition(".")[0]


def _kind(node: Import) -> str:
    home = _home(node)
    if home == "__future__":
        return "future"
    return "standard" if home in sys.stdlib_module_names else "other" if home else "own"


def _by_form(node: Import) -> tuple[bool, str]:
    """`import …` above `from … import …`."""
    return isinstance(node, ast.ImportFrom), _module(node).lower()


def _by_name(node: Import) -> tuple[str, bool]:
    """Sorted by module, whatever the form."""
    return _module(node).lower(), isinstance(node, ast.ImportFrom)
