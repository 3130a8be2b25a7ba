"""Sizes of decoded images that Python computes with: `image.shape[0]` is None while the function is traced."""

from __future__ import annotations

import ast
from typing import NamedTuple

from tfdata_lint.pipeline.nouns.code import last_name, names
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import MappedFunction
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.source.trees import walk

#: They give an image of a rank that is known, and of a size that is not.
_DECODERS = frozenset({"decode_jpeg", "decode_png", "decode_bmp"})
_KEEP_SIZE = frozenset({"cast", "convert_image_dtype"})
#: Who asks may know better.
_ASKING = frozenset({"isinstance", "hasattr", "executing_eagerly", "get_static_value"})
#: What is written in them may mean something else, or never be reached.
_NOT_FOLLOWED = (ast.Lambda, ast.comprehension, ast.NamedExpr, ast.BoolOp, ast.Is, ast.IsNot)
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class UnknownSize(NamedTuple):
    """The first thing that fails, and the size in it."""

    written: str
    image: str
    span: Span


class _Known:
    """What the names of a function hold: decoded images, and their sizes as written."""

    def __init__(self) -> None:
        self.images: set[str] = set()
        self.sizes: dict[str, tuple[str, str]] = {}

    def forget(self, *gone: str) -> None:
        self.images.difference_update(gone)
        for name in gone:
            self.sizes.pop(name, None)

    def size(self, node: ast.expr) -> tuple[str, str] | None:
        """How a size is written, and the image it is of."""
        match node:
            case ast.Name(id=name):
                return self.sizes.get(name)
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id=name), attr="shape"), slice=ast.Constant(value=at)
            ):
                return (ast.unparse(node), name) if name in self.images and at in (0, 1) else None
        return None


def unknown_size(function: MappedFunction) -> UnknownSize | None:
    """Where a function computes with a size that is None: it raises."""
    node, span = function.node, function.span
    if not isinstance(node, ast.FunctionDef) or span is None or node.decorator_list:
        return None
    if not any(operation.rpartition(".")[2] in _DECODERS for operation in function.operations):
        return None
    if any(isinstance(part, _NOT_FOLLOWED) or last_name(part) in _ASKING for part in walk(node)):
        return None
    known = _Known()
    for statement in node.body:
        match statement:
            case ast.If(test=test):
                parts: ast.AST = test
            case ast.Assign() | ast.AugAssign() | ast.Return() | ast.Expr():
                parts = statement
            case _:
                return None
        for part in walk(parts):
            if isinstance(part, (ast.expr, ast.stmt)) and (size := _computed(part, known)):
                return UnknownSize(*size, span_of(part, span.file))
        if parts is not statement:
            return None
        _follow(statement, known)
    return None


def _computed(node: ast.AST, known: _Known) -> tuple[str, str] | None:
    """The size that is computed with, or compared, by this very expression."""
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            # Text on the left is filled in.
            return known.size(left) or (None if isinstance(op, ast.Mod) else known.size(right))
        case ast.AugAssign(target=ast.Name(id=name)):
            return known.sizes.get(name)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, _ORDERS):
            return known.size(left) or known.size(right)
        case ast.Call(func=ast.Name(id="int" | "float"), args=[given]):
            return known.size(given)
    return None


def _follow(statement: ast.stmt, known: _Known) -> None:
    """What the names hold after a statement."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            is_image = _is_image(value, known)
            size = known.size(value)
            known.forget(name)
            if is_image:
                known.images.add(name)
            elif size is not None:
                known.sizes[name] = size
        case ast.Assign(targets=[ast.Tuple(elts=parts)], value=value):
            image = _shape_of(value, len(parts))
            targets = [part.id if isinstance(part, ast.Name) else "" for part in parts]
            is_known = image in known.images
            known.forget(*targets)
            if is_known:
                known.sizes.update({name: (name, image) for name in targets[:2]})
        case ast.Assign(targets=targets):
            known.forget(*names(*targets))
        case ast.AugAssign(target=target, value=value) if not isinstance(value, ast.Constant):
            known.forget(*names(target))
        case ast.Expr(value=value):
            # `image.set_shape(...)`
            known.forget(*names(value))


def _is_image(value: ast.expr, known: _Known) -> bool:
    match value:
        case ast.Call(func=func, args=[given, *_]):
            called, is_plain = last_name(value), ast.unparse(func).startswith("tf.")
            return is_plain and (called in _DECODERS or (called in _KEEP_SIZE and _is_image(given, known)))
        case ast.BinOp(left=left, right=ast.Constant()):
            return _is_image(left, known)
        case ast.Name(id=name):
            return name in known.images
    return False


def _shape_of(value: ast.expr, count: int) -> str:
    """The image whose sizes so many targets get: `rows, columns, _ = image.shape`, `… = image.shape[:2]`."""
    match value:
        case ast.Attribute(value=ast.Name(id=name), attr="shape") if count == 3:
            return name
        case ast.Subscript(
            value=ast.Attribute(value=ast.Name(id=name), attr="shape"),
            slice=ast.Slice(lower=None, upper=ast.Constant(value=2), step=None),
        ) if count == 2:
            return name
    return ""
