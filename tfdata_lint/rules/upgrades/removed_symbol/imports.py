"""Imports of names that are called otherwise today."""

from __future__ import annotations

import ast
import re

from tfdata_lint.pipeline.project.bindings import member
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.upgrades.removed_symbol.symbols import find


def import_anew(draft: Draft, statement: ast.Import | ast.ImportFrom) -> bool:
    """Import the same names from where they are today; it tells whether all of them are there."""
    rows: dict[str, list[str]] = {}
    text, start = draft.syntax.text, draft.syntax.start(statement)
    for alias in statement.names:
        name = member(statement, alias.name) if isinstance(statement, ast.ImportFrom) else alias.name
        bound = alias.asname or alias.name
        new = _today(name, bound, text)
        if not new or "." in bound or (isinstance(statement, ast.Import) and not alias.asname):
            return False
        home, _, last = new.rpartition(".")
        rows.setdefault(home, []).append(last if last == bound else f"{last} as {bound}")
    old = [alias.name if not alias.asname else f"{alias.name} as {alias.asname}" for alias in statement.names]
    if isinstance(statement, ast.ImportFrom) and statement.module and list(rows.values()) == [old]:
        start = text.index(statement.module, start)
        draft.put(start, start + len(statement.module), next(iter(rows)))
    else:
        written = (f"from {home} import {', '.join(names)}" for home, names in rows.items())
        draft.replace(statement, f"\n{draft.syntax.indent(start)}".join(written))
    return True


def _today(name: str, bound: str, text: str) -> str:
    """The full name that something is imported by today; empty where it, or a part of it that is used, is gone."""
    removed = find(name)
    if removed is None:
        return name
    root = (
        "" if removed.new.startswith(("keras." if name.startswith("keras.") else "-", "tensorflow_")) else "tensorflow."
    )
    if not removed.new or removed.positional is not None or removed.gone or not name.endswith(removed.old):
        return ""
    parts = re.findall(rf"(?<![\w.]){re.escape(bound)}\.(\w+)", text) if removed.is_module else []
    is_there = all(part is not None and part.new for part in (find(f"{name}.{used}") for used in parts))
    return f"{root}{removed.new}" if is_there else ""
