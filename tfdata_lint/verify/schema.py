"""The JSON Schema of what `--verify-json` writes, made from the classes that it writes: `docs/verify.schema.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tfdata_lint.verify.advice import Advice
from tfdata_lint.verify.verdicts import SCHEMA, Verification

_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def schema() -> dict[str, Any]:
    """As JSON Schema, draft 2020-12. Keys that it does not name may be added in a later version."""
    definitions: dict[str, Any] = {}
    whole = _object(Verification, definitions)
    advice = _object(Advice, definitions)
    advice = {**advice, "required": ["pipeline", *advice["required"]]}
    advice["properties"] = {"pipeline": {"type": "integer"}, **advice["properties"]}
    properties = {**whole["properties"], "schema": {"const": SCHEMA}, "advice": {"type": "array", "items": advice}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Verdicts of tfdata-lint, as --verify-json writes them",
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "$defs": dict(sorted(definitions.items())),
    }


def _object(kind: type[Any], definitions: dict[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    properties = {field.name: _schema(hints[field.name], definitions) for field in fields(kind)}
    return {"type": "object", "required": list(properties), "properties": properties}


def _schema(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    arguments, origin = get_args(hint), get_origin(hint)
    if hint is Any:
        return {}
    if hint in _TYPES:
        return {"type": _TYPES[hint]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(one, definitions) for one in arguments]}
    if origin is tuple and arguments[1:] == (...,):
        return {"type": "array", "items": _schema(arguments[0], definitions)}
    if origin is tuple:
        parts = [_schema(one, definitions) for one in arguments]
        return {"type": "array", "prefixItems": parts, "minItems": len(parts), "maxItems": len(parts)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema(arguments[1], definitions)}
    assert isinstance(hint, type), hint
    assert is_dataclass(hint), hint
    name = hint.__name__
    if name not in definitions:
        # One that has itself as a part refers to what is being made.
        definitions[name] = {}
        definitions[name] = _object(hint, definitions)
    return {"$ref": f"#/$defs/{name}"}
