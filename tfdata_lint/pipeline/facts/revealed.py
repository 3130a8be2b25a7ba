"""What `reveal_length(x)` and its like say in tests: one function from a value to a text for each fact."""

from __future__ import annotations

from collections.abc import Callable

from tfdata_lint.pipeline.facts.rows import rows_of
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.lengths import length
from tfdata_lint.pipeline.nouns.stages import Dataset
from tfdata_lint.pipeline.nouns.values import Constant, Expr, External, Value


def _length(value: Value) -> str:
    known = length(value) if isinstance(value, Dataset) else None
    return "unknown" if known is None else str(known)


def _rows(value: Value) -> str:
    found = []
    for rows in rows_of(value):
        start, stop = ("?" if bound is None else f"{bound:g}" for bound in (rows.start, rows.stop))
        part = "" if rows.is_whole else f"[{start}:{stop}]"
        names = ", ".join(sorted(map(str, rows.columns.names)))
        columns = f" {'but' if rows.columns.others else 'of'} {names}" if names else ""
        found.append(f"{_named(rows.table)}{part}{columns}")
    return " beside ".join(found) or "unknown"


def _named(table: Value) -> str:
    match table:
        case External(symbol=symbol):
            return last(symbol)
        case Expr(by=name):
            return last(name)
        case Constant(value):
            return repr(value)
    return "unknown"


TEXTS: dict[str, Callable[[Value], str]] = {
    "length": _length,
    "rows": _rows,
}
