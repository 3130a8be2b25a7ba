"""Places in files, in the terms of their readers."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A range of a file as its reader counts: from 1, in characters, in notebooks within a cell."""

    path: str
    cell: int | None
    row: int
    column: int
    end_row: int
    end_column: int
    """The column after the last character."""
    lines: tuple[tuple[int, str], ...] = ()
    """The code there, by row; the middle of a long range is left out."""
    marimo_cell: str = ""
    """The name or the number of a cell of marimo, whose rows count in the file."""

    def __str__(self) -> str:
        return f"{self.path}:{self.within}"

    @property
    def cell_name(self) -> str:
        """The name of the cell; empty outside of notebooks."""
        return cell_name(self.cell)

    @property
    def within(self) -> str:
        """Where it is in its file."""
        return f"{self.cell_name}{':' * bool(self.cell)}{self.row}:{self.column}"


def cell_name(cell: int | None, execution: int = 0) -> str:
    """Of a cell by its number among all cells: the number of its execution changes each time. Empty without one.

    In a session, where nothing but that number is known and shown, it is `In [3]`.
    """
    return f"In [{execution}]" if execution else "" if cell is None else f"cell {cell}"
