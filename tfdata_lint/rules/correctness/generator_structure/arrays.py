"""The dtypes of what functions of Python return, as NumPy computes it, where these are certain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence as Items
from typing import Any

from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.fold import Fold
from tfdata_lint.pipeline.nouns.results import OF_ARRAYS, Call, Reading, dtype_said, literal_of
from tfdata_lint.pipeline.nouns.structure import Tensor
from tfdata_lint.pipeline.nouns.values import Alternatives, Constant, Expr, External, Sequence, Value, parts_of

#: Numbers of Python, which take the dtype of the array that they meet; NumPy makes 64 bits of them.
NUMBERS = {"float": "float64", "int": "int64"}
#: Draws of 64 bits, also of `np.random.default_rng()` and `RandomState`: arrays, or without a size numbers of Python.
_DRAWN = re.compile(
    r"numpy\.random\.((default_rng|RandomState)\(\)\.)?"
    r"(beta|exponential|gamma|laplace|normal|rand|randn|random|random_sample|ranf|sample|standard_normal|uniform)"
)
_FILLED = frozenset({"numpy.empty", "numpy.ones", "numpy.zeros"})
_MADE = frozenset({"numpy.array", "numpy.asarray", "numpy.full", "numpy.linspace"})
#: Of integers they give 64 bits, of others the same.
_MEANS = frozenset({"average", "mean", "median", "nanmean", "nanstd", "std", "var"})
#: The same, but of 8 and 16 bits they give fewer.
_FLOATING = frozenset({"arctan", "cos", "exp", "expm1", "log", "log10", "log1p", "log2", "sin", "sqrt", "tan", "tanh"})
_SAME = frozenset({
    "copy", "expand_dims", "flip", "fliplr", "flipud", "ravel", "reshape", "roll", "rot90", "squeeze", "swapaxes",
    "transpose",
})  # fmt: skip
_JOINING = frozenset({"concatenate", "stack", "hstack", "vstack"})
_INTEGERS = frozenset({"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"})
_WIDE = frozenset({"int32", "int64", "uint32", "uint64", "float64", "int", "float"})
_OPERATORS = frozenset({"Add", "Sub", "Mult", "Div", "Pow"})


class Arrays(Fold[str]):
    """The dtype of an array, `float` and `int` of numbers of Python, empty where it is not certain."""

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self.reading = reading

    def expression(self, expr: Expr) -> str:
        match expr.by:
            case "item" | "unpacked":
                base = self.of(expr.of[0])
                return "" if base in NUMBERS else base
            case "either":
                return self._one(expr.of)
            case "USub":
                return self.of(expr.of[0])
        if expr.by in _OPERATORS:
            return self._operated(expr.by, *map(self.of, expr.of))
        return self._called(plain(expr.by), expr.of, expr.named)

    def value(self, value: Value | None) -> str:
        match value:
            case Constant(bool()):
                return "bool"
            case Constant(float() | int() as number):
                return type(number).__name__
            case External(symbol=symbol, receiver=receiver):
                given = value.arguments if receiver is None else (receiver, *value.arguments)
                return self._called(plain(symbol), given, value.keywords)
            case Alternatives():
                return self._one(parts_of(value))
        return ""

    def _one(self, values: Iterable[Value]) -> str:
        found = {self.of(value) for value in values}
        return found.pop() if len(found) == 1 else ""

    def _operated(self, by: str, one: str, other: str) -> str:
        both = {one, other}
        if "" in both or not both <= {*_INTEGERS, *NUMBERS, "float64"} or both <= set(NUMBERS):
            return ""
        return "float64" if by == "Div" or "float64" in both or "float" in both else ""

    def _called(self, name: str, given: Items[Any], named: Mapping[str, Any]) -> str:
        method = last(name)
        if name in ("numpy.float64", "numpy.double", "numpy.float32"):
            return "float32" if method == "float32" else "float64"
        if name == "builtins.float":
            return "float"
        if "out" in named or not name.startswith(("numpy.", "array.", "Element.")):
            return ""
        if method == "astype":
            return dtype_said(named.get("dtype", given[-1] if given else None), OF_ARRAYS)
        if "dtype" in named:
            return dtype_said(named["dtype"], OF_ARRAYS) if name in _MADE or name in _FILLED else ""
        if _DRAWN.fullmatch(name):
            return "float64" if given[1 if "()" in name else 0 :] or named else "float"
        if name in _FILLED:
            return dtype_said(given[1], OF_ARRAYS) if len(given) > 1 else "float64"
        if method in _JOINING and given and isinstance(given[0], Sequence) and given[0].rest is None:
            return self._one(given[0].items)
        of = self.of(given[0]) if given else ""
        if (method in _MEANS and self._is_of(given, of, _INTEGERS)) or (method in _FLOATING and of in _WIDE):
            return "float64"
        if method in _SAME or (method in (_MEANS | {"abs", "clip", "max", "min", "sum"}) and of == "float64"):
            return of
        if not name.startswith("numpy."):
            return ""
        array = Call(self.reading, name, tuple(given), named).result()
        return array.dtype if isinstance(array, Tensor) and array.kind == "array" else ""

    def _is_of(self, given: Items[Any], of: str, wanted: frozenset[str]) -> bool:
        literal = literal_of(given[0]) if given else ...
        return of in wanted or (isinstance(literal, list) and all(isinstance(item, (int, float)) for item in literal))
