"""One change of a text, as whoever wants it puts it: `editing` writes it, in notebooks too."""

from __future__ import annotations

from typing import NamedTuple


class Replacement(NamedTuple):
    """A range of a source and its new text. Rows from 1, columns from 0 in UTF-8 bytes, as `ast` has them."""

    row: int
    column: int
    end_row: int
    end_column: int
    text: str
    """Its rows end in `\\n`."""
