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


class Standing(NamedTuple):
    """What a finding stands in."""

    digests: tuple[str, ...] = ()
    """Of the pipelines that it is about, sorted, each with which of its stages it is at. Empty where none is known."""
    op: str = ""
    """The operation that it is at, as `operations` names it; empty at none."""
    consumed: tuple[int, ...] = ()
    """The rows of the same file where these pipelines are consumed."""


NOWHERE = Standing()


class ForeignNode(Exception):
    """A node of another file has no place in this one."""


def is_test_file(path: str) -> bool:
    """Does a path say that a file is one of tests?"""
    parts = path.replace("\\", "/").split("/")
    name = parts[-1].rpartition(".")[0]
    return (
        name.startswith("test_")
        or name.endswith(("_test", "_tests", "test_util", "test_utils"))
        or name in ("conftest", "test", "tests")
        or not {"test", "tests", "testing"}.isdisjoint(parts[:-1])
    )
