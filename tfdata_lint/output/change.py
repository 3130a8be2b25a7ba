"""A fix as the rows that it takes away and puts there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import PlacedEdit

#: So many rows of a change are shown.
_MOST = 12


def change(edits: Sequence[PlacedEdit], most: int = _MOST) -> list[str]:
    """Rows that begin with `-` or `+`; none where not all of what is changed is at hand."""
    rows = [row for group in _groups(edits) for row in _changed(group)]
    if not rows or "" in rows:
        return []
    more = len(rows) - most
    return rows if more <= 0 else [*rows[:most], f"… {more} more (`--diff` shows all)"]


def changed(rows: Sequence[str], edits: Sequence[PlacedEdit], first: int = 1) -> list[str]:
    """Some rows, of which the number of the first is `first`, after edits in their order."""
    text = "\n".join(rows)
    begins = [0, *accumulate(len(row) + 1 for row in rows)]
    for edit in reversed(edits):
        place = edit.place
        start, end = begins[place.row - first] + place.column - 1, begins[place.end_row - first] + place.end_column - 1
        text = text[:start] + edit.text + text[end:]
    return text.split("\n")


def _groups(edits: Sequence[PlacedEdit]) -> list[list[PlacedEdit]]:
    """Those that share rows together, in their order."""
    groups: list[list[PlacedEdit]] = []
    for edit in sorted(edits, key=lambda edit: edit.place[:6]):
        last = groups[-1][-1].place if groups else None
        if last is not None and (last.path, last.cell) == edit.place[:2] and edit.place.row <= last.end_row:
            groups[-1].append(edit)
        else:
            groups.append([edit])
    return groups


def _changed(edits: Sequence[PlacedEdit]) -> Iterator[str]:
    """An empty row stands for what is not known."""
    first, last = edits[0].place.row, max(edit.place.end_row for edit in edits)
    known = {row: text for edit in edits for row, text in edit.place.lines}
    if any(row not in known for row in range(first, last + 1)):
        yield ""
        return
    old = [known[row] for row in range(first, last + 1)]
    new = changed(old, edits, first)
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    yield from (f"- {row}" for row in old)
    yield from (f"+ {row}" for row in new)
