"""Does a function that is given batches treat their rows apart, or does it make something of several neighbours?"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.kinds import OnBatches, Rows
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.mapped.record import Body, Call
from tfdata_lint.pipeline.nouns.values import Constant
from tfdata_lint.source.trees import walk

#: Ways of treating batches that treat each row by itself, whatever the other arguments are.
_APART: frozenset[OnBatches] = frozenset({
    "same", "scalars", "reshaped", "rounded", "operands", "sum", "product", "power", "choice", "image", "image_dtype",
    "last_axis", "last_axis_rounded", "strings", "rescaling", "parse", "csv", "tuple", "dict",
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
    "tensorflow.roll", "tensorflow.scan", "tensorflow.foldl", "tensorflow.foldr", "tensorflow.cumsum",
})  # fmt: skip


def rows_of(body: Body, calls: Iterable[Call]) -> Rows:
    """What its calls and slices say; *unknown* where not all of it is seen to leave rows apart."""
    calls = list(calls)
    parts = list(walk(body.node)) if body.node is not None else []
    found = [_slice(part.value, part.slice) for part in parts if isinstance(part, ast.Subscript)]
    if "joined" in found or not _JOINING.isdisjoint(plain(call.name) for call in calls):
        return "joined"
    entered = any(isinstance(part, ast.Call) and id(part) not in body.names for part in parts)
    if entered or "unknown" in found or any(isinstance(part, ast.MatMult) for part in parts):
        return "unknown"
    return "apart" if body.complete and all(map(_is_apart, calls)) else "unknown"


def _is_apart(call: Call) -> bool:
    kind = known(call.name).batches
    if kind in _ALONG_AXIS:
        axis = call.argument(1, "axis")
        return isinstance(axis, Constant) and axis.value not in (None, 0)
    return kind in _APART or plain(call.name).startswith(_ALSO_APART)


def _slice(value: ast.expr, index: ast.expr) -> Rows:
    """`rows[i:i + 5]` takes neighbours, `rows[:, 0]` and `features["x"]` leave rows apart."""
    match index:
        case ast.Slice(lower=None, upper=None, step=None) | ast.Constant(value=str()):
            return "apart"
        case ast.Constant(value=value_) if value_ is ...:
            return "apart"
        case ast.Tuple(elts=[first, *_]):
            return _slice(value, first)
        case _ if _is_shape(value):
            return "apart"
        case ast.Slice():
            return "joined"
    return "unknown"


def _is_shape(value: ast.expr) -> bool:
    """`x.shape`, `tf.shape(x)`, `x.get_shape()`."""
    return "shape" in ast.unparse(value.func if isinstance(value, ast.Call) else value).rpartition(".")[2]
