"""The schema of `run.tfdata.json`: what it may hold, and nothing else."""

from __future__ import annotations

from typing import Any, get_args

from tfdata_lint.observing.evidence import FORMAT, PIPELINES, STAGES, MadeBy
from tfdata_lint.verify.model import ConsumerKind, Measure, Rewrite, WaitsFor

_TEXT: dict[str, Any] = {"type": "string", "maxLength": 4000}
_WORD: dict[str, Any] = {"type": "string", "maxLength": 200}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
_AMOUNT: dict[str, Any] = {"type": "number", "minimum": 0}
_SHARE: dict[str, Any] = {"type": "number", "minimum": 0, "maximum": 1.000001}
_PLACE: dict[str, Any] = {
    # Below the project: neither from its root nor out of it.
    "file": {"type": "string", "maxLength": 1000, "pattern": r"^(?!/|[A-Za-z]:|\.\.(/|$))"},
    "row": _COUNT,
    "column": {"type": "integer", "minimum": -1},
    "end_row": _COUNT,
    "end_column": {"type": "integer", "minimum": -1},
    "function": _WORD,
}


def schema() -> dict[str, Any]:
    """As JSON Schema, draft 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "run.tfdata.json: what tfdata_lint.observe() has seen",
        **_object(
            format={"const": FORMAT},
            tool=_WORD,
            made_by={"enum": list(get_args(MadeBy))},
            began=_WORD,
            tensorflow=_WORD,
            keras=_WORD,
            python=_WORD,
            cores=_COUNT,
            gpus={"type": "array", "maxItems": 64, "items": _WORD},
            platform=_WORD,
            cost=_or_null(_object(window_s=_AMOUNT, own_s=_AMOUNT)),
            problem=_TEXT,
            pipelines={"type": "array", "maxItems": PIPELINES, "items": _pipeline()},
        ),
    }


def _pipeline() -> dict[str, Any]:
    place = _or_null(_object(**_PLACE))
    number = {"type": "array", "maxItems": STAGES, "items": {"type": "integer"}}
    return _object(
        consumer={"enum": list(get_args(ConsumerKind))},
        place=place,
        waiting=_or_null(
            _object(
                share=_or_null(_SHARE), at_most=_or_null(_SHARE), source={"enum": ["windows", "trace"]}, waits=_COUNT,
                median_us=_AMOUNT, p95_us=_AMOUNT,
            )
        ),
        fast_enough={"type": ["boolean", "null"]},
        step_ms=_or_null(_AMOUNT),
        elements_per_s=_or_null(
            _object(
                median=_AMOUNT, low=_or_null(_AMOUNT), high=_or_null(_AMOUNT), windows=_COUNT, confidence=_SHARE
            )
        ),
        elements=_COUNT,
        first_element_ms=_or_null(_AMOUNT),
        prefetched={"enum": ["code", "runtime", ""]},
        cores_used=_or_null(_AMOUNT),
        cores_of_others=_or_null(_AMOUNT),
        bottleneck=_or_null(_COUNT),
        shares_of={"enum": list(get_args(Measure))},
        waits_for={"enum": list(get_args(WaitsFor))},
        written={
            "type": "array",
            "maxItems": STAGES,
            "items": _object(
                id={"type": "integer"}, op=_WORD, inputs=number, nested=number, place=place, called_at=place
            ),
        },
        stages={
            "type": "array",
            "maxItems": STAGES,
            "items": _object(
                **{"op": _WORD, "from": number, **_PLACE},
                rewrite={"enum": list(get_args(Rewrite))},
                share=_or_null(_SHARE),
                calls=_COUNT,
                own_ms=_AMOUNT,
                processor_ms=_or_null(_AMOUNT),
                parallelism=_or_null({"type": "integer"}),
                autotuned={"type": "boolean"},
                held_bytes=_or_null(_COUNT),
            ),
        },
        devices={
            "type": "array", "maxItems": 64, "items": _object(name=_WORD, busy=_AMOUNT, copying=_AMOUNT)
        },
        next={
            "type": "array", "maxItems": 16,
            "items": _object(what=_TEXT, why=_TEXT, file=_PLACE["file"], row=_COUNT),
        },
        problem=_TEXT,
    )  # fmt: skip


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object", "additionalProperties": False, "required": list(properties), "properties": properties,
    }  # fmt: skip


def _or_null(one: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [one, {"type": "null"}]}
