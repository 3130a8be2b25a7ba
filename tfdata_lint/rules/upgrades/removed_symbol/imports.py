"""Imports of names that are called otherwise today."""

from __future__ import annotations

import ast
import re

from tfdata_lint.pipeline.project.bindings import member
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.upgrades.removed_symbol.symbols import find


def import_anew(draft: Draft, statement: ast.ImportFrom) -> bool:
    """Import the same names from where they are today; it tells whether all of them are there."""
    today = [
        _today(member(statement, alias.name), alias, draft.syntax.text).rpartition(".") for alias in statement.names
    ]
    homes = {home: f"from {home} import " for home, _, _ in today}
    for (home, _, name), alias in zip(today, statement.names, strict=True):
        bound = alias.asname or alias.name
        homes[home] += f"{name}, " if name == bound else f"{name} as {bound}, "
    start, module = draft.syntax.start(statement), statement.module or ""
    if len(homes) == 1 and all(name == alias.name for (_, _, name), alias in zip(today, statement.names, strict=True)):
        start = draft.syntax.text.index(module, start)
        draft.put(start, start + len(module), today[0][0])
    else:
        rows = (row.removesuffix(", ") for row in homes.values())
        draft.replace(statement, f"\n{draft.syntax.indent(start)}".join(rows))
    return all(home for home, _, _ in today)


def _today(name: str, alias: ast.alias, text: str) -> str:
    """The full name that something is imported by today; empty where it, or a part of it that is used, is gone."""
    removed, bound = find(name), re.escape(alias.asname or alias.name)
    if removed is None:
        return name
    parts = re.findall(rf"(?<![\w.]){bound}\.(\w+)", text) if removed.is_module else []
    is_there = all(found is not None and found.new for found in (find(f"{name}.{part}") for part in parts))
    if not is_there or not removed.new or removed.positional is not None or removed.gone:
        return ""
    return removed.new if name.startswith("keras.") or removed.of == "tfds" else f"tensorflow.{removed.new}"
