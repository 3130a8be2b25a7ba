"""The JSON schema of the settings, made from their keys: for editors, and for validate-pyproject."""

from __future__ import annotations

import json
from typing import Any, get_args

from tfdata_lint.config.formats import FORMATS
from tfdata_lint.config.settings.model import Key, keys
from tfdata_lint.config.settings.values import FORMATTERS, LARGEST, LONGEST, MOST, SEVERITIES
from tfdata_lint.rules import all_rules, is_foreign
from tfdata_lint.rules.base import Group, Option

_ID = "urn:tfdata-lint:settings"


def schema(tool: str = "tfdata-lint") -> dict[str, Any]:
    """The schema of the table with the name of our tool."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": _ID,
        "title": f"Settings of {tool}",
        "type": "object",
        "additionalProperties": False,
        "properties": {key.name: _property(key) for key in keys().values()},
        "definitions": {"rule": _rule()},
    }


def document() -> str:
    """`tfdata_lint/config/schema.json`."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _rule() -> dict[str, Any]:
    """A selector of rules. What is known here is for editors to offer; other distributions may bring more."""
    own = [rule for rule in all_rules() if not is_foreign(rule)]
    known = ["ALL", *get_args(Group), "preview", *(rule.code for rule in own), *(rule.name for rule in own)]
    return {"anyOf": [{"enum": known}, {"type": "string", "pattern": "^[A-Z]+[0-9]*$|^[a-z0-9]+(-[a-z0-9]+)*$"}]}


def _property(key: Key) -> dict[str, Any]:
    kind = _options() if key.kind == "options" else _TYPES[key.kind]
    return {"description": key.text, **kind, **_default(key)}


def _options() -> dict[str, Any]:
    """A table for each rule that has options, under its code or its name."""
    tables: dict[str, Any] = {}
    for rule in all_rules():
        if rule.options and not is_foreign(rule):
            properties = {option.name: _option(option) for option in rule.options}
            table = {"type": "object", "additionalProperties": False, "properties": properties}
            tables |= {rule.code: table, rule.name: table}
    return {"type": "object", "properties": tables, "additionalProperties": {"type": "object"}}


def _option(option: Option) -> dict[str, Any]:
    types = {bool: "boolean", int: "integer", float: "number", str: "string", tuple: "array"}
    default = list(option.default) if isinstance(option.default, tuple) else option.default
    return {"description": option.text, "type": types[type(option.default)], "default": default}


def _default(key: Key) -> dict[str, Any]:
    if key.kind == "version" or key.default is None:
        return {}
    if key.kind in ("ignores", "arguments", "options"):
        return {"default": {}}
    return {"default": list(key.default) if isinstance(key.default, tuple) else key.default}


_RULES = {"type": "array", "items": {"$ref": f"{_ID}#/definitions/rule"}}
_TYPES: dict[str, dict[str, Any]] = {
    "rules": _RULES,
    "patterns": {"type": "array", "items": {"type": "string", "maxLength": LONGEST}, "maxItems": MOST},
    "names": {"type": "array", "items": {"type": "string", "pattern": r"^(%%)?[^\W\d]\w*$"}, "maxItems": MOST},
    "ignores": {"type": "object", "additionalProperties": _RULES},
    "arguments": {"type": "object", "propertyNames": {"pattern": r"^[^\W\d]\w*$|::"}},
    "switch": {"type": "boolean"},
    "count": {"type": "integer", "minimum": 1, "maximum": LARGEST},
    "path": {"type": "string", "minLength": 1},
    "files": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": LONGEST}, "maxItems": MOST},
    "version": {"type": "string", "pattern": r"^\s*[0-9]+\.[0-9]+(\.\w+)*\s*$"},
    "requirement": {"type": "string"},
    "severity": {"enum": list(SEVERITIES)},
    "format": {"enum": list(FORMATS)},
    "formatter": {"enum": list(FORMATTERS)},
}
