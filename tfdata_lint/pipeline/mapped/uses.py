"""What a mapped function does with what it is given, and with what it draws: the questions that rules share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.fold import Fold, Gathered
from tfdata_lint.pipeline.nouns.stages import Call, Effect, MappedFunction, Operator
from tfdata_lint.pipeline.nouns.values import Computed, Element, Expr, External, Mapping_, Sequence, Value
from tfdata_lint.source.compiled import mypyc_attr

_IT = frozenset({True})
#: Expressions of one function that are looked at.
MOST = 4000
_BUILDERS = frozenset({"builtins.dict", "builtins.tuple", "builtins.list"})
MIXING = frozenset({"Add", "Sub", "Mult", "Div"})
ARITHMETIC = MIXING | {"FloorDiv", "Mod", "Pow", "MatMult", "LShift", "RShift", "BitOr", "BitXor", "BitAnd"}
#: Of TensorFlow, but no operation on tensors.
_NO_OPERATION = r"(^|\.)(keras|data|gfile|estimator|contrib|config|TensorShape|TensorSpec|as_dtype)\b"


def computes(function: MappedFunction) -> bool:
    """Not if it only picks and arranges: what it leaves out need not even fit into a batch."""
    if function.node is None or not function.resolved:
        return True
    return any(operator.expr.by != "item" for operator in function.operators) or any(
        call.name not in _BUILDERS for call in function.calls
    )


# ── what becomes of what a call gives ───────────────────────────────────────────────────────────────────────────────


@mypyc_attr(allow_interpreted_subclasses=True)
class Made(Gathered):
    """Is what a call gives part of an expression? Nothing is gathered if it is not."""

    def __init__(self, effect: Effect | Call) -> None:
        super().__init__()
        self.node = effect.node

    def is_it(self, value: Any) -> bool:
        """Is it just that?"""
        if isinstance(value, (Element, Computed)):
            value = value.expr
        made = value.node if isinstance(value, Expr) else value.call if isinstance(value, External) else None
        return made is not None and made is self.node

    def expression(self, expr: Expr) -> frozenset[Any]:
        if self.is_it(expr):
            return _IT
        return frozenset() if expr.by == "parameter" else super().expression(expr)

    def value(self, value: Value | None) -> frozenset[Any]:
        return _IT if self.is_it(value) else super().value(value)


# ── Python that is given tensors ────────────────────────────────────────────────────────────────────────────────────


class Tensors(Fold[bool]):
    """Is something certainly a tensor of the graph: a parameter, or what operations of TensorFlow made of one?"""

    def expression(self, expr: Expr) -> bool:
        if expr.by == "parameter":
            return True
        if expr.by == "either":
            return all(map(self.of, expr.of))
        if expr.by in ("item", "unpacked", "set", "without", "Element.set_shape"):
            return self.of(expr.of[0])
        name = plain(expr.by)
        is_operation = name.startswith("tensorflow.") and not re.search(_NO_OPERATION, name)
        return (is_operation or expr.by in ARITHMETIC) and any(map(self.of, expr.of))

    def value(self, value: Value | None) -> bool:
        return isinstance(value, Sequence) and any(map(self.of, value.items))


def is_tensor(value: Value) -> bool:
    """Is something certainly a tensor of the graph?"""
    return Tensors().of(value)


#: What has items by keys or by numbers of Python; they are made by calls that give nothing else.
_HELD = frozenset({
    "builtins.dict", "builtins.list", "builtins.tuple", "collections.Counter", "collections.OrderedDict",
    "collections.defaultdict", "json.load", "json.loads",
})  # fmt: skip


def looked_up(operators: Iterable[Operator]) -> Iterator[Operator]:
    """The items that a tensor of the graph shall find in a dict or list of Python: no tensor is a key or a number."""
    tensors = Tensors()
    for operator in operators:
        match operator.expr:
            case Expr(by="item", of=(container, Expr() as key)) if _is_held(container) and tensors.of(key):
                yield operator


def _is_held(container: Value) -> bool:
    if isinstance(container, External):
        return container.symbol in _HELD
    return isinstance(container, (Sequence, Mapping_))
