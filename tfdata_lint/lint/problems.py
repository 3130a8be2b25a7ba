"""What cannot be read of a file. The cells of a notebook are one finding, if they matter to pipelines."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from tfdata_lint.lint.diagnostics import REPAIR, Diagnostic, RelatedPlace, unreadable
from tfdata_lint.pipeline.project.search import mentions_datasets
from tfdata_lint.source.inside import leads_out
from tfdata_lint.source.module import CELL_MAGICS, CellRows, Source
from tfdata_lint.source.notebook import unknown_magic, without_magics
from tfdata_lint.source.parsing import Problem
from tfdata_lint.source.places import Place

if TYPE_CHECKING:
    from tfdata_lint.rules.base import Severity

#: What a cell does that has to do with datasets, beside the words that a file is searched for.
_WORD = re.compile(
    r"\btfds\.|(?:TFRecord|TextLine|FixedLengthRecord|Csv)Dataset\b|_from_directory\b"
    r"|\bfrom_(?:tensor_slices|tensors|generator)\b"
    r"|(?<!random)\.(?:batch|cache|flat_map|interleave|repeat|shuffle|unbatch)\("
)
#: What a cell defines or imports, as far as that can be told without a tree.
_DEFINED = re.compile(r"(?m)^[ \t]*(?:def|class)[ \t]+(\w+)|^[ \t]*(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+([^#\n(]+)")
#: Cells shown beside the first, at most.
_SHOWN = 8


class _Broken(NamedTuple):
    problem: Problem
    has_pipeline: bool


def problems_in(source: Source) -> Iterator[Diagnostic]:
    """What of it cannot be read."""
    if source.problems and source.tree is not None and source.cells:
        if found := _in_cells(source):
            yield found
        return
    for problem in source.problems:
        severity: Severity = "advice" if problem.is_meant else "error"
        cost = "Nothing in this file was checked"
        yield unreadable(problem.message, _at(source, problem), cost, severity, problem.advice or REPAIR)


def _at(source: Source, problem: Problem) -> Place:
    place = source.place(problem.row, problem.column, problem.row, problem.column)
    place = place._replace(end_column=place.column + 1)
    # What is no Python, and not of this checkout, may be a secret.
    return place._replace(lines=()) if leads_out(source.path) else place


def skipped_cells(source: Source) -> Iterator[Diagnostic]:
    """Notes of cells that may hold pipelines, below magics that are not known to run Python."""
    told = set(CELL_MAGICS.get())
    for cell in source.cells:
        lines = source.lines[cell.first - 1 : cell.last]
        name, code = unknown_magic("\n".join(lines)) if any(map(str.strip, lines)) else ("", "")
        if not name or name in told or not has_word(code) or not _is_python(code):
            continue
        told.add(name)
        row = next(row for row, line in enumerate(lines, cell.first) if line.lstrip().startswith("%%"))
        message = f"This cell was not read: `%%{name}` is not known to run Python in the notebook"
        advice = f"Add `{name}` to the setting `cell-magics` if it does"
        place = source.place(row, 0, row, len(lines[row - cell.first].encode("utf-8", "replace")))
        cost = "Pipelines in cells with this magic were not checked"
        yield Diagnostic("TFD003", "unread-rest", "advice", "proven", message, cost, advice, place)


def _is_python(code: str) -> bool:
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        ast.parse(without_magics(code))
        return True
    return False


def _in_cells(source: Source) -> Diagnostic | None:
    """The finding about the cells that cannot be read; None where none of them matters to a pipeline.

    It is an error where code of a pipeline is broken, not where somebody is to complete it or only uses it.
    """
    broken = _broken(source)
    if not broken:
        return None
    errors = [found for found in broken if found.has_pipeline and not found.problem.is_meant]
    first = (errors or broken)[0].problem
    others = [found.problem for found in broken if found.problem is not first]
    cells = "This cell was" if not others else f"This cell and {len(others)} more were"
    found = unreadable(
        first.message,
        _at(source, first),
        f"{cells} left out; the others were checked",
        "error" if errors else "advice",
    )
    return found._replace(related=tuple(RelatedPlace(_at(source, other), other.message) for other in others[:_SHOWN]))


def _broken(source: Source) -> list[_Broken]:
    rows = source.text.split("\n")
    texts = {cell: "\n".join(rows[cell.first - 1 : cell.last]) for cell in source.cells}
    by_cell = {cell: problem for problem in source.problems if (cell := _cell_of(source, problem))}
    read = "\n".join(text for cell, text in texts.items() if cell not in by_cell)
    used = set(re.findall(r"\w+", "\n".join(row for row in read.split("\n") if has_word(row))))
    found = (
        _Broken(problem, has_pipeline)
        for cell, problem in by_cell.items()
        if (has_pipeline := has_word(texts[cell])) or not used.isdisjoint(_names(texts[cell]))
    )
    return list(found)


def _cell_of(source: Source, problem: Problem) -> CellRows | None:
    return next((cell for cell in source.cells if cell.first <= problem.row <= cell.last), None)


def has_word(text: str) -> bool:
    """Has a cell a word of tf.data?"""
    return _WORD.search(text) is not None or mentions_datasets(b"tensorflow " + text.encode(errors="replace"))


def _names(text: str) -> set[str]:
    """What a cell defines or imports: `tf` of `import tensorflow as tf`."""
    names: set[str] = set()
    for defined, imported in _DEFINED.findall(text):
        words = (part.split() for part in imported.split(","))
        names.update([defined] if defined else [word[-1].partition(".")[0] for word in words if word])
    return names
