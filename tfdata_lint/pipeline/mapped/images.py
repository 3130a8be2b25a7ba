"""What is done to a decoded image, statement by statement."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tfdata_lint.pipeline.nouns.code import last_name, names
from tfdata_lint.pipeline.nouns.stages import MappedFunction

_DECODERS = frozenset({"decode_jpeg", "decode_png", "decode_image", "decode_bmp", "decode_gif", "decode_and_crop_jpeg"})
#: They move pixels and compute nothing.
_MOVES = frozenset(
    {"flip_left_right", "flip_up_down", "random_flip_left_right", "random_flip_up_down", "rot90", "transpose",
     "random_crop", "central_crop", "crop_to_bounding_box", "pad_to_bounding_box", "resize_with_crop_or_pad",
     "stateless_random_flip_left_right", "stateless_random_flip_up_down", "stateless_random_crop"}
)  # fmt: skip
_FLOATS = ("float32", "float64")


class Early(NamedTuple):
    """A conversion to floats, and what could have come before it."""

    name: str
    conversion: ast.Call
    moved_by: str
    move: ast.Call


class _Image(NamedTuple):
    """What a name holds: an image as decoded, or made floats by a call and nothing else."""

    conversion: ast.Call | None = None


def made_float_early(function: MappedFunction) -> Iterator[Early]:
    """Images that are decoded, made floats, then moved about, with nothing in between that needs floats."""
    if isinstance(function.node, ast.FunctionDef):
        yield from _walk(function.node.body, {})


def _walk(statements: Iterable[ast.stmt], held: dict[str, _Image]) -> Iterator[Early]:
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                image, found = _made(value, held, name)
                if found is not None:
                    yield found
                for used in names(value) - {name}:
                    held.pop(used, None)
                held.pop(name, None)
                if image is not None:
                    held[name] = image
            case ast.If(test=test, body=body, orelse=orelse):
                for used in names(test):
                    held.pop(used, None)
                before = dict(held)
                yield from _walk(body, held)
                other = dict(before)
                yield from _walk(orelse, other)
                for name in list(held):
                    if held[name] != other.get(name):
                        del held[name]
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="set_shape"))):
                continue
            case _:
                for used in names(statement):
                    held.pop(used, None)


def _made(value: ast.expr, held: dict[str, _Image], name: str) -> tuple[_Image | None, Early | None]:
    """What an expression makes of the images that names hold."""
    match value:
        case ast.Name(id=other):
            return held.get(other), None
        case ast.Call(func=func, args=[given, *others], keywords=keywords):
            called = last_name(value)
            is_plain = ast.unparse(func).startswith("tf.")
            if is_plain and called in _DECODERS:
                is_bytes = all(keyword.arg not in ("dtype", None) for keyword in keywords) and len(others) < 2
                return (_Image() if is_bytes else None), None
            inner, found = _made(given, held, name)
            if not is_plain or inner is None or found is not None:
                return None, found
            if called in ("cast", "convert_image_dtype") and inner.conversion is None:
                types = [*others[:1], *(keyword.value for keyword in keywords if keyword.arg == "dtype")]
                is_float = any(ast.unparse(part).strip("'\"").endswith(_FLOATS) for part in types)
                return (_Image(value) if is_float else None), None
            if called in _MOVES:
                if inner.conversion is None:
                    return inner, None
                return None, Early(name, inner.conversion, ast.unparse(func), value)
    return None, None
