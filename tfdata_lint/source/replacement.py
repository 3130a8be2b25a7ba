"""One change of a text, as whoever wants it puts it: `editing` writes it, in notebooks too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Replacement(NamedTuple):
    """A range of a source and its new text. Rows from 1, columns from 0 in UTF-8 bytes, as `ast` has them."""

    row: int
    column: int
    end_row: int
    end_column: int
    text: str
    """Its rows end in `\\n`."""


def changed_part(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int]:
    """How much of two texts, or of their rows, is the same at the beginning, and at the end."""
    most = min(len(old), len(new))
    head = next((index for index in range(most) if old[index] != new[index]), most)
    tail = next((index for index in range(most - head) if old[-1 - index] != new[-1 - index]), most - head)
    return head, tail
