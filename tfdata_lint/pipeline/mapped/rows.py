"""Does a function that is given batches treat their rows apart, or does it make something of several neighbours?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.kinds import OnBatches, Rows
from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Call, Operator
from tfdata_lint.pipeline.nouns.values import Constant, Expr, Sequence, Slice

#: Ways of treating batches that treat each row by itself, whatever the other arguments are.
_APART: frozenset[OnBatches] = frozenset({
    "same", "scalars", "reshaped", "rounded", "operands", "sum", "product", "power", "choice", "image", "image_dtype",
    "last_axis", "last_axis_rounded", "strings", "rescaling", "parse", "csv", "tuple", "dict",
    "cast", "codes", "table", "tokens",
})  # fmt: skip
#: What else does, or makes no tensor: names and beginnings of names.
_ALSO_APART = (
    "tensorflow.io.parse_", "tensorflow.parse_", "tensorflow.io.FixedLen", "tensorflow.io.VarLen",
    "tensorflow.FixedLen", "tensorflow.VarLen", "tensorflow.shape", "tensorflow.rank", "tensorflow.constant",
    "tensorflow.sparse.to_dense", "tensorflow.sparse_tensor_to_dense", "tensorflow.random.", "tensorflow.debugging.",
    "tensorflow.ensure_shape", "builtins.", "dict.", "tuple.", "str.", "Element.set_shape", "Element.get_shape",
    "Element.pop", "Element.get", "Element.items", "Element.keys", "Element.values", "Element.copy", "Element.update",
)  # fmt: skip
#: Ways that do along any axis but the first.
_ALONG_AXIS: frozenset[OnBatches] = frozenset({"axis", "axis_rounded", "axis_of_list"})
_JOINING = frozenset({
    "tensorflow.signal.frame", "tensorflow.contrib.signal.frame", "tensorflow.signal.overlap_and_add",
    "tensorflow.roll", "tensorflow.scan", "tensorflow.foldl", "tensorflow.foldr",
})  # fmt: skip


def rows_of(calls: Iterable[Call], operators: Iterable[Operator], complete: bool) -> Rows:
    """What calls and slices say; *unknown* where not all of it is seen to leave rows apart."""
    calls = list(calls)
    found = [_taken(*operator.expr.of) if operator.expr.by == "item" else _operated(operator) for operator in operators]
    if "joined" in found or not _JOINING.isdisjoint(plain(call.name) for call in calls):
        return "joined"
    return "apart" if complete and "unknown" not in found and all(map(_is_apart, calls)) else "unknown"


def _is_apart(call: Call) -> bool:
    kind = known(call.name).batches
    if kind in _ALONG_AXIS:
        axis = call.argument(1, "axis")
        return isinstance(axis, Constant) and axis.value not in (None, 0)
    return kind in _APART or plain(call.name).startswith(_ALSO_APART)


def _operated(operator: Operator) -> Rows:
    return "unknown" if operator.expr.by == "MatMult" else "apart"


@recursive
def _taken(value: Any, key: Any) -> Rows:
    """`rows[i:i + 5]` takes neighbours, `rows[:, 0]` and `features["x"]` leave rows apart."""
    match key:
        case Slice(lower=None, upper=None, step=None) | Constant(str()):
            return "apart"
        case Constant(value=inner) if inner is ...:
            return "apart"
        case Sequence(kind="tuple", items=[first, *_]):
            return _taken(value, first)
        case _ if _is_shape(value) or _is_columns(value):
            return "apart"
        case Slice():
            return "joined"
    return "unknown"


@recursive
def _is_columns(value: Any) -> bool:
    """The list of the columns that `tf.io.decode_csv` gives, each of all rows, or a part of that list."""
    match value:
        case Expr(by="item", of=(base, Slice())):
            return _is_columns(base)
    return isinstance(value, Expr) and known(value.by).batches == "csv"


@recursive
def _is_shape(value: Any) -> bool:
    """`x.shape`, `tf.shape(x)`, and parts of them."""
    match value:
        case Expr(by="attribute", of=(_, Constant("shape"))):
            return True
        case Expr(by="item" | "array.as_list", of=(base, *_)):
            return _is_shape(base)
    return isinstance(value, Expr) and last(value.by) in ("shape", "get_shape")
