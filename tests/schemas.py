"""The JSON Schemas in `docs/`, as tests hold what is written against them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

DOCS = Path(__file__).parents[1] / "docs"


def schema(name: str) -> dict[str, Any]:
    """`docs/NAME.schema.json`."""
    read: dict[str, Any] = json.loads((DOCS / f"{name}.schema.json").read_text(encoding="utf-8"))
    return read


def validator(read: dict[str, Any]) -> Draft202012Validator:
    """Of a schema where objects have no other keys than those that it names. Others may come in a later version."""
    return Draft202012Validator(_strict(read))


def _strict(part: Any) -> Any:
    if isinstance(part, list):
        return [_strict(one) for one in part]
    if not isinstance(part, dict):
        return part
    parts = {name: _strict(one) for name, one in part.items()}
    return {"additionalProperties": False, **parts} if isinstance(parts.get("properties"), dict) else parts
