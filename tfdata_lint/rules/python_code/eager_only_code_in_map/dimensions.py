"""Sizes of decoded images that Python computes with: `image.shape[0]` is None while the function is traced."""

from __future__ import annotations

from typing import Literal, NamedTuple

from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.fold import Fold
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.results import literal_of
from tfdata_lint.pipeline.nouns.stages import MappedFunction
from tfdata_lint.pipeline.nouns.values import Constant, Expr, Slice, Value

#: They give an image of a rank that is known, and of a size that is not.
_DECODERS = frozenset({"decode_jpeg", "decode_png", "decode_bmp"})
_KEEP_SIZE = frozenset({"cast", "convert_image_dtype"})
#: Who asks may know better.
_ASKING = frozenset({"isinstance", "hasattr", "executing_eagerly", "get_static_value"})
_TESTS = frozenset({"And", "Or", "Is", "IsNot"})
_ORDERS = frozenset({"Lt", "LtE", "Gt", "GtE"})
_ARITHMETIC = frozenset({"Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow", "MatMult"})
_NUMBERS = frozenset({"builtins.int", "builtins.float"})


class UnknownSize(NamedTuple):
    """The first thing that fails, and the size in it."""

    size: Expr
    shape: Expr
    """The `image.shape` that it is from."""
    span: Span


class _Seen(NamedTuple):
    """An image, its shape, the first two sizes of that, or one of them."""

    what: Literal["image", "shape", "both", "size"]
    size: Expr
    shape: Expr


def unknown_size(function: MappedFunction) -> UnknownSize | None:
    """Where a function computes with a size that is None: it raises."""
    if not any(last(name) in _DECODERS for name in function.operations):
        return None
    if any(last(call.name) in _ASKING for call in function.calls):
        return None
    if any(operator.expr.by in _TESTS for operator in function.operators):
        return None
    sizes = _Sizes()
    met = [(part, operator.span) for operator in function.operators if not operator.sometimes
           for part in _computed(operator.expr)]  # fmt: skip
    met += [(call.positional[0], call.span) for call in function.calls
            if call.name in _NUMBERS and call.positional and not call.sometimes]  # fmt: skip
    for part, span in sorted(met, key=lambda found: found[1]):
        seen = sizes.of(part)
        if seen is not None and seen.what == "size":
            return UnknownSize(seen.size, seen.shape, span)
    return None


def _computed(expr: Expr) -> tuple[Value, ...]:
    """The operands with which an operator cannot do anything where they are None."""
    if expr.by == "Mod":
        # Text on the left is filled in.
        return expr.of[:1]
    return expr.of if expr.by in _ARITHMETIC or expr.by in _ORDERS else ()


class _Sizes(Fold[_Seen | None]):
    """What an expression is of an image whose size is not known; None where it is nothing of the kind."""

    def expression(self, expr: Expr) -> _Seen | None:
        match expr:
            case Expr(by="attribute", of=(base, Constant("shape"))) if self._is("image", base):
                return _Seen("shape", expr, expr)
            case Expr(by="item", of=(base, Constant(0 | 1))) if self._is("shape", base):
                return self._part("size", base, expr)
            case Expr(by="item", of=(base, Slice(lower=None, upper=Constant(2), step=None))) if self._is("shape", base):
                return self._part("both", base, expr)
            case Expr(by="unpacked", of=(base, Constant(0 | 1), Constant(count))):
                whole = {2: "both", 3: "shape"}.get(count, "")
                return self._part("size", base, expr) if self._is(whole, base) else None
            case Expr(by="either", of=parts):
                return _Seen("image", expr, expr) if all(self._is("image", part) for part in parts) else None
        return _Seen("image", expr, expr) if self._is_image(expr) else None

    def _is_image(self, expr: Expr) -> bool:
        if expr.by in _ARITHMETIC:
            return literal_of(expr.of[1]) is not ... and self._is("image", expr.of[0])
        name = last(expr.by) if plain(expr.by).startswith("tensorflow.") else ""
        return bool(expr.of) and (name in _DECODERS or (name in _KEEP_SIZE and self._is("image", expr.of[0])))

    def _is(self, what: str, value: Value) -> bool:
        seen = self.of(value)
        return seen is not None and seen.what == what

    def _part(self, what: Literal["both", "size"], base: Value, expr: Expr) -> _Seen | None:
        seen = self.of(base)
        return _Seen(what, expr, seen.shape) if seen is not None else None

    def value(self, value: Value | None) -> _Seen | None:
        return None
