"""The rows of a value: of which table, array or list they are, which part of it, and which of its columns."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any, NamedTuple

from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.fold import Fold
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.values import (
    UNKNOWN,
    Computed,
    Constant,
    Expr,
    External,
    Sequence,
    Slice,
    Symbol,
    Unknown,
    Value,
    same,
)
from tfdata_lint.pipeline.python.values import names_in_brackets

#: Functions and methods that give a row for each row of what they are given first, in its order.
_KEEPING = frozenset({
    "abs", "array", "asarray", "ascontiguousarray", "astype", "cast", "clip", "constant", "convert_to_tensor", "copy",
    "DataFrame", "exp", "expm1", "ffill", "fillna", "fit_transform", "float32", "float64", "interpolate",
    "inverse_transform", "list", "log", "log10", "log1p", "nan_to_num", "numpy", "rename", "replace", "reset_index",
    "round", "set_index", "Series", "sqrt", "square", "squeeze", "str", "strip", "to_frame", "to_list",
    "to_numpy", "tolist", "transform", "tuple",
})  # fmt: skip
#: Those of them that are methods of something else.
_SCALERS = frozenset({"fit_transform", "inverse_transform", "transform"})
_FLAT = frozenset({"flatten", "ravel", "squeeze"})
_SIDE_BY_SIDE = frozenset({"column_stack", "hstack"})
_JOINING = frozenset({"concat", "concatenate", "stack"})
_REDUCING = frozenset({"amax", "amin", "len", "max", "mean", "median", "min", "norm", "std", "sum", "var"})
_ARITHMETIC = frozenset({"Add", "Div", "FloorDiv", "Mult", "Pow", "Sub", "USub"})
#: Attributes that are the same rows.
_VIEWS = frozenset({"array", "iloc", "loc", "values"})
#: What gives the same to each who gives it the same.
_STEADY = frozenset({
    "Glob", "Path", "abspath", "expanduser", "format", "genfromtxt", "glob", "join", "list", "listdir", "load",
    "load_data", "loadtxt", "matching_files", "read_csv", "read_parquet", "sorted", "str",
})  # fmt: skip


_PLAIN = ("Add", "Div", "attribute", "item", "str", "unpacked")


class Columns(NamedTuple):
    """Columns of a table, by number or name; all but these where `others`."""

    names: frozenset[Any] = frozenset()
    others: bool = True

    def hold(self, wanted: Columns) -> bool:
        """Are all of the others among these for sure?"""
        if self.others:
            # What is left out by its name is no number.
            is_told_apart = all(isinstance(name, str) for name in (*self.names, *wanted.names))
            return not self.names or (is_told_apart and not wanted.others and self.names.isdisjoint(wanted.names))
        return not wanted.others and wanted.names <= self.names and bool(wanted.names)


class Rows(NamedTuple):
    """Rows of a table from one on, up to another; counted from its end where negative, None where not known.

    A position between 0 and 1 is a part of the whole length.
    """

    table: Value
    start: float | None = 0
    stop: float | None = inf
    columns: Columns = Columns()

    @property
    def is_whole(self) -> bool:
        return (self.start, self.stop) == (0, inf)

    def part(self, lower: float | None, upper: float | None) -> Rows:
        """Those of them from one position on, up to another."""
        return self._replace(start=self._after(lower), stop=self._before(upper))

    def _after(self, lower: float | None) -> float | None:
        if lower == 0 or self.start is None or lower is None:
            return self.start if lower == 0 else None
        if self.start == 0:
            return lower if lower > 0 or self.stop == inf else None
        return self.start + lower if self.start >= 1 <= lower else None

    def _before(self, upper: float | None) -> float | None:
        if upper == inf or self.stop is None or upper is None:
            return self.stop if upper == inf else None
        if upper < 0:
            return upper if self.stop == inf else self.stop + upper if self.stop < 0 else None
        if self.start == 0 or (self.start is not None and min(self.start, upper) >= 1):
            return self.start + upper if self.stop == inf else None
        return None

    def overlap(self, other: Rows) -> bool:
        """Are rows of one part also in the other, for sure?"""
        if not alike(self.table, other.table):
            return False
        if self.is_whole or other.is_whole:
            return True
        bounds = (self.start, other.start, self.stop, other.stop)
        if any(bound is None for bound in bounds):
            return False
        starts = [-inf if bound == 0 else bound for bound in bounds[:2] if bound is not None]
        stops = [bound for bound in bounds[2:] if bound is not None]
        kinds = {(bound < 0, bound < 1) for bound in (*starts, *stops) if abs(bound) != inf}
        return len(kinds) < 2 and max(starts) < min(stops)


def rows_of(value: Value | None, graph: PipelineGraph | None = None) -> tuple[Rows, ...]:
    """The rows of a value: of several tables where these stand side by side. The graph knows lists of columns by their
    names."""
    tables = _Tables()
    tables.graph = graph
    return tables.of(value)


class _Tables(Fold[tuple[Rows, ...]]):
    graph: PipelineGraph | None = None

    def expression(self, expr: Expr) -> tuple[Rows, ...]:
        name = last(expr.by)
        first = expr.of[0] if expr.of else None
        if expr.by == "attribute" and expr.of[1] in map(Constant, _VIEWS):
            return self.of(first)
        if expr.by == "item":
            key = expr.of[1]
            listed = names_in_brackets(self.graph, expr.node) if isinstance(key, Unknown) and self.graph else []
            if listed:
                key = Sequence("list", tuple(map(Constant, listed)))
            if taken := tuple(_item(self.of(first), key)):
                return taken
            # By a key that is not known, two calls of a function take different parts.
            return (Rows(expr),) if isinstance(key, (Constant, Sequence, Slice)) else ()
        if expr.by == "str" and len(expr.of) > 1:
            # A file of that folder, or another text.
            return (Rows(expr),)
        if name in _ARITHMETIC and not any(map(_is_text, expr.of)):
            several = [part for part in expr.of if not _is_scalar(part)]
            return self.of(several[0]) if len(several) == 1 else (Rows(expr),)
        return self._called(expr, name, expr.of, expr.named)

    def value(self, value: Value | None) -> tuple[Rows, ...]:
        if not isinstance(value, External):
            return () if value is None else (Rows(value),)
        name = last(value.symbol)
        given = value.arguments if value.receiver is None or name in _SCALERS else (value.receiver, *value.arguments)
        return self._called(value, name, given, value.keywords)

    def _called(self, made: Value, name: str, given: tuple[Any, ...], named: Any) -> tuple[Rows, ...]:
        """Of what a function or method gives for what it is given first."""
        first, *others = (*given, None)
        axis = named.get("axis", others[0] if others else None)
        if first is None:
            return (Rows(made),)
        if name in _SIDE_BY_SIDE or (name in _JOINING and axis in (Constant(1), Constant(-1))):
            parts = first.items if isinstance(first, Sequence) else ()
            return tuple([row for part in parts for row in self.of(part)]) or (Rows(made),)
        found = self.of(first)
        is_one = all(len(rows.columns.names) == 1 and not rows.columns.others for rows in found)
        if name in _KEEPING or (name in _FLAT and is_one):
            return found
        if name == "expand_dims" and axis in (Constant(1), Constant(-1)):
            return found
        if name == "reshape" and _is_column(given[1:], is_one):
            return found
        if name == "drop" and (gone := _names(named.get("columns") or others[0])):
            return tuple(
                rows._replace(columns=Columns(rows.columns.names | gone)) for rows in found if rows.columns.others
            )
        return (Rows(made),)


def _is_column(shape: tuple[Any, ...], is_one: bool) -> bool:
    """`reshape(-1, 1)`; `reshape(-1)` of one column."""
    sizes = shape[0].items if shape and isinstance(shape[0], Sequence) else shape
    return (
        bool(sizes)
        and sizes[0] == Constant(-1)
        and (all(size == Constant(1) for size in sizes[1:]) if len(sizes) > 1 else is_one)
    )


def _is_text(value: Any) -> bool:
    """What is added to it, or divided by it, is the name of something else: `folder / "train"`."""
    return isinstance(value, Constant) and isinstance(value.value, str)


@recursive
def _is_scalar(value: Any) -> bool:
    """The same for all rows: a number, or what is made of all of them."""
    match value:
        case Constant() | Symbol() | Sequence():
            return True
        case Expr(by=name):
            return last(name) in _REDUCING or (name in _ARITHMETIC and all(map(_is_scalar, value.of)))
        case External(symbol=symbol):
            return last(symbol) in _REDUCING
        case Computed(expr=expr):
            return _is_scalar(expr)
    return False


def _names(value: Any) -> frozenset[Any]:
    items = value.items if isinstance(value, Sequence) and value.rest is None else (value,)
    names = frozenset(item.value for item in items if isinstance(item, Constant))
    return names if all(isinstance(item, Constant) for item in items) else frozenset()


def _item(found: tuple[Rows, ...], key: Any) -> Iterator[Rows]:
    """Of what brackets leave of rows; nothing where that is not known."""
    first, *others = key.items if isinstance(key, Sequence) and key.kind == "tuple" else (key,)
    columns = _columns(others[0]) if others else None
    match first:
        case Slice(lower=lower, upper=upper, step=None):
            for rows in found:
                part = rows.part(_position(lower, 0, rows), _position(upper, inf, rows))
                if columns is None:
                    yield part
                elif rows.columns == Columns():
                    yield part._replace(columns=columns)
        case Constant(str()) | Sequence(kind="list") if not others:
            for rows in found:
                chosen = Columns(_names(first), others=False)
                if (
                    chosen.names
                    and all(isinstance(name, str) for name in chosen.names)
                    and (rows.columns == Columns() or rows.columns.hold(chosen))
                ):
                    yield rows._replace(columns=chosen)


def _columns(key: Any) -> Columns | None:
    """Which columns the second part of brackets takes; None for all of them."""
    match key:
        case Slice(lower=None, upper=None) | Constant(None):
            return None
        case Symbol(name) if name.endswith(".newaxis"):
            return None
        case Slice(lower=lower, upper=upper):
            match lower or Constant(0), upper:
                case Constant(int(first)), Constant(int(end)) if 0 <= first < end:
                    return Columns(frozenset(range(first, end)), others=False)
            return Columns(frozenset({id(key)}), others=False)
    return Columns(_names(key) or frozenset({id(key)}), others=False)


def _position(value: Value | None, default: float, rows: Rows) -> float | None:
    """A bound of brackets around rows, `default` where none is given."""
    if value is None or value == Constant(None):
        return default
    line = _linear(value, rows)
    if line is None:
        return None
    share, number = line
    if share == 0 and number == int(number):
        return number
    if share == 1:
        return number if number < 0 else inf
    return share if 0 < share < 1 and number == 0 else None


@recursive
def _linear(value: Any, rows: Rows) -> tuple[float, float] | None:
    """How many times the number of these rows it is, and what is added: `int(0.8 * len(x)) - 1` is (0.8, -1)."""
    if isinstance(value, Computed):
        return _linear(value.expr, rows)
    if isinstance(value, Constant):
        return (0, value.value) if isinstance(value.value, (int, float)) else None
    if not isinstance(value, Expr):
        return None
    name = last(value.by)
    match value.of:
        case (Expr(by="attribute", of=(counted_of, Constant("shape"))), Constant(0)) if name == "item":
            name = "len"
        case (counted_of, *_):
            pass
        case _:
            return None
    if name == "len":
        counted = rows_of(counted_of)
        is_same = len(counted) == 1 and counted[0][1:3] == rows[1:3] and alike(counted[0].table, rows.table)
        return (1, 0) if is_same else None
    if name in ("int", "round", "USub"):
        line = _linear(value.of[0], rows)
        return line if line is None or name != "USub" else (-line[0], -line[1])
    if name not in ("Add", "Sub", "Mult", "Div", "FloorDiv"):
        return None
    one, other = _linear(value.of[0], rows), _linear(value.of[1], rows)
    if one is None or other is None:
        return None
    if name in ("Add", "Sub"):
        sign = 1 if name == "Add" else -1
        return round(one[0] + sign * other[0], 9), one[1] + sign * other[1]
    factor, line = (one[1], other) if name == "Mult" and one[0] == 0 else (other[1], one)
    if (other[0] and line is not other) or not factor:
        return None
    factor = factor if name == "Mult" else 1 / factor
    return line[0] * factor, line[1] * factor


@recursive
def is_steady(value: Any) -> bool:
    """Is it the same whenever it is asked for: what is written there, or what gives the same each time?"""
    match value:
        case Constant() | Symbol():
            return True
        case Sequence(rest=None) if value.exact:
            return all(map(is_steady, value.items))
        case External(symbol=symbol):
            return last(symbol) in _STEADY and all(map(is_steady, value.given))
        case Expr(by=name):
            return name in _PLAIN and all(map(is_steady, value.of))
        case Computed(expr=expr):
            return is_steady(expr)
    return False


@recursive
def alike(one: Any, other: Any) -> bool:
    """Are two values the same, or made of the same by what gives the same each time?"""
    if isinstance(one, Computed) and isinstance(other, Computed):
        return alike(one.expr, other.expr)
    if one is other:
        return one is not UNKNOWN
    match one, other:
        case Sequence(rest=None), Sequence(rest=None) if one.exact and other.exact:
            # Of what seems empty here nothing is known: other code may fill it.
            return 0 < len(one.items) == len(other.items) and all(map(alike, one.items, other.items))
        case External(), External():
            is_same = one.symbol == other.symbol and last(one.symbol) in _STEADY
            return is_same and one.keywords.keys() == other.keywords.keys() and _all_alike(one.given, other.given)
        case Expr(), Expr():
            return one.by == other.by and one.by in _PLAIN and _all_alike(one.of, other.of)
        case Slice(), Slice():
            return all(map(alike, (one.lower, one.upper, one.step), (other.lower, other.upper, other.step)))
        case ((Constant() | Symbol()), _):
            return same(one, other)
    return False


def _all_alike(ones: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    return len(ones) == len(others) and all(map(alike, ones, others))
