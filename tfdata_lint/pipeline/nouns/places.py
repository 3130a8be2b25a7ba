"""Places in files."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """A range of a file. Rows count from 1, columns from 0 in UTF-8 bytes, as `ast` has them."""

    file: str
    row: int
    column: int
    end_row: int
    end_column: int
