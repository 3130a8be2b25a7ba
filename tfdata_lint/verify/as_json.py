"""What `model` describes, as JSON and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

_T = TypeVar("_T")


def to_json(thing: Any) -> dict[str, Any]:
    """A noun of `model` as what `json.dumps` takes."""
    return asdict(thing)


def from_json(kind: type[_T], data: Mapping[str, Any]) -> _T:
    """The noun again. Unknown keys are ignored: they are from a later version of the same schema."""
    hints = get_type_hints(kind)
    return kind(**{f.name: _decoded(hints[f.name], data[f.name]) for f in fields(kind) if f.name in data})  # type: ignore[arg-type]


def _decoded(hint: Any, value: Any) -> Any:
    arguments = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return None if value is None else _decoded(arguments[0], value)
    if get_origin(hint) is tuple:
        return tuple(_decoded(arguments[0], item) for item in value)
    return from_json(hint, value) if is_dataclass(hint) and isinstance(hint, type) else value
