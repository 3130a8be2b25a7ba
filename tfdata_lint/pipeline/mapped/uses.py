"""What a mapped function does with what it is given, and with what it draws: the questions that rules share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.fold import Fold, expressions
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Call, Effect, MappedFunction, Stage
from tfdata_lint.pipeline.nouns.values import (
    Alternatives,
    Computed,
    Constant,
    Element,
    Expr,
    External,
    Mapping_,
    Method,
    Sequence,
    Value,
    parts_of,
    snapshot,
)

#: Expressions of one function that are looked at.
_MOST = 4000
_BUILDERS = frozenset({"builtins.dict", "builtins.tuple", "builtins.list"})
_SHAPES = frozenset({"set_shape", "ensure_shape", "reshape"})
_MIXING = frozenset({"Add", "Sub", "Mult", "Div"})
_COMPARING = frozenset({"Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn", "Compare"})
_ARITHMETIC = _MIXING | {"FloorDiv", "Mod", "Pow", "MatMult", "LShift", "RShift", "BitOr", "BitXor", "BitAnd"}
_MIXING_CALLS = frozenset({"add", "subtract", "multiply", "less", "less_equal", "greater", "greater_equal"})
#: What asks whether there is a tensor, or makes a value of Python of one.
_ASKING = r"isinstance|is_tensor|hasattr|eager|static_value|constant_value|is_symbolic|inside_function"
#: Of TensorFlow, but no operation on tensors.
_NO_OPERATION = r"(^|\.)(keras|data|gfile|estimator|contrib|config|TensorShape|TensorSpec|as_dtype)\b"


def made_in(function: MappedFunction) -> list[Expr]:
    """The expressions that a function works out, each once."""
    operators = (operator.expr for operator in function.operators)
    given = (snapshot(value) for call in function.calls for value in call.arguments)
    return list(expressions(function.result, *operators, *given, most=_MOST))


def takers(function: MappedFunction, *made: Expr) -> list[object]:
    """The syntax of what takes one of these expressions; None stands for what returns it."""
    wanted = set(map(id, made))
    taken = [(expr.node, [*expr.of, *expr.named.values()]) for expr in made_in(function) if expr.by != "either"]
    taken += [(call.node, list(map(snapshot, call.arguments))) for call in function.calls]
    return [node for node, given in taken if any(id(part) in wanted for part in _parts(given))]


def _parts(values: list[Any]) -> Iterator[Any]:
    """Values and what containers among them hold."""
    while values:
        part = values.pop()
        yield part
        values += parts_of(part)


def computes(function: MappedFunction) -> bool:
    """Not if it only picks and arranges: what it leaves out need not even fit into a batch."""
    if function.node is None or not function.resolved:
        return True
    return any(operator.expr.by != "item" for operator in function.operators) or any(
        call.name not in _BUILDERS for call in function.calls
    )


def computes_with(function: MappedFunction) -> bool:
    """Are there operators on numbers in it? Not known of one that is not seen."""
    mixing = _MIXING | {"FloorDiv"}
    return function.node is None or any(operator.expr.by in mixing for operator in function.operators)


def calls_others(function: MappedFunction) -> bool:
    """Does it call what is not of TensorFlow, or an object, of which more than the name would have to be known?"""
    return any(not plain(call.name).startswith("tensorflow.") or "()" in call.name for call in function.calls)


def may_drop(function: MappedFunction) -> bool:
    """May it leave out a part of the element? It reads a key of it, or does not read a parameter."""
    read: set[int] = set()
    for expr in expressions(function.result, most=_MOST):
        match expr:
            case Expr(by="item", of=(Expr(by="parameter"), Constant(str()))):
                return True
            case Expr(by="parameter", of=(given, number)):
                read.add(number)
    return not read or len(read) < given.count


def place_of(stage: Stage, name: str) -> Span | None:
    """Where the function of a stage calls something of this name, if it does so once and in the function itself."""
    calls = stage.function.calls if stage.function is not None else ()
    spans = {call.span for call in calls if last(call.name) == name}
    own = {call.span for call in calls if last(call.name) == name and not call.helper}
    return own.pop() if len(spans) == len(own) == 1 else None


# ── what becomes of what a call gives ───────────────────────────────────────────────────────────────────────────────


class _Made(Fold[bool]):
    """Is what a call gives part of an expression?"""

    def __init__(self, effect: Effect) -> None:
        super().__init__()
        self.node = effect.node

    def is_it(self, value: Any) -> bool:
        """Is it just that?"""
        if isinstance(value, (Element, Computed)):
            value = value.expr
        made = value.node if isinstance(value, Expr) else value.call if isinstance(value, External) else None
        return made is not None and made is self.node

    def expression(self, expr: Expr) -> bool:
        if expr.by == "parameter":
            return False
        return self.is_it(expr) or any(map(self.of, (*expr.of, *expr.named.values())))

    def value(self, value: Value | None) -> bool:
        match value:
            case External(receiver=receiver, given=given):
                return self.is_it(value) or any(map(self.of, (receiver, *given)))
            case Method(receiver=receiver):
                # `uuid.uuid4().hex`
                return self.of(receiver)
            case Sequence() | Mapping_() | Alternatives():
                return any(map(self.of, parts_of(value)))
        return False

    def too_deep(self) -> bool:
        return False


def hands_on(function: MappedFunction, effect: Effect) -> bool:
    """Does the function return what this call returned as it is, and nowhere speak of shapes?"""
    if any(last(call.name) in _SHAPES for call in function.calls):
        return False
    made, todo = _Made(effect), [function.result]
    while todo:
        part = todo.pop()
        if made.is_it(part):
            return True
        match part:
            case Expr(by="mapped", of=(_, inner)) | Expr(by="unpacked", of=(inner, *_)):
                todo.append(inner)
            case Expr(by="either", of=values):
                todo += values
            case Sequence() | Mapping_() | Alternatives():
                todo += parts_of(part)
    return False


def is_seed(function: MappedFunction, effect: Effect) -> bool:
    """A seed for an operation that draws anew for each element: once is right."""
    made = _Made(effect)
    return any("stateless" not in call.name and made.of(call.keywords.get("seed")) for call in function.calls)


def is_mixed_in(function: MappedFunction, effect: Effect) -> bool:
    """Is a drawn number added to something, multiplied with it, compared, or given to an operation on images?

    What a matrix product takes is a projection, which is to be the same for all.
    """
    made = _Made(effect)
    mixed = [
        operator.expr.by in _MIXING or operator.expr.by in _COMPARING
        for operator in function.operators
        if operator.expr.by in _ARITHMETIC | _COMPARING and any(map(made.is_it, operator.expr.of))
    ]
    mixed += [_mixes(call) for call in function.calls if any(map(made.is_it, call.arguments))]
    return bool(mixed) and all(mixed)


def _mixes(call: Call) -> bool:
    return last(call.name) in _MIXING_CALLS or ".image." in call.name


def is_separator(function: MappedFunction, effect: Effect) -> bool:
    """A text that occurs nowhere else, to split at: one is as good as many."""
    made = _Made(effect)
    return effect.what.startswith("uuid.") and any(
        last(call.name) == "split" and any(map(made.of, call.arguments)) for call in function.calls
    )


# ── Python that is given tensors ────────────────────────────────────────────────────────────────────────────────────


class _Tensors(Fold[bool]):
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
        return (is_operation or expr.by in _ARITHMETIC) and any(map(self.of, expr.of))

    def value(self, value: Value | None) -> bool:
        return isinstance(value, Sequence) and any(map(self.of, value.items))

    def too_deep(self) -> bool:
        return False


def is_tensor(value: Value) -> bool:
    """Is something certainly a tensor of the graph?"""
    return _Tensors().of(value)


def is_given_tensor(function: MappedFunction, effect: Effect) -> bool:
    """Is a call certainly given a tensor of the graph? Not where anybody asks what there is."""
    if any(re.search(_ASKING, call.name) for call in function.calls):
        return False
    tensors = _Tensors()
    return any(
        call.node is effect.node and any(map(tensors.of, (call.receiver, *call.arguments))) for call in function.calls
    )
