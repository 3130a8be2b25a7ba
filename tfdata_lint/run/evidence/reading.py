"""JSON that somebody else may have written: bounded, and one clear error for what is wrong in it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from tfdata_lint.source.content import LARGEST, read

#: What one file may hold of each kind, and characters of a text that are kept.
PIPELINES = 256
STAGES = 4_096
VERDICTS = 10_000
LONGEST = 400
#: Nanoseconds in a century: whatever is measured is less.
_LARGEST = 1e19


class EvidenceError(Exception):
    """A file cannot be read, or is no evidence: why, in one sentence that names it."""


class Reader:
    """Takes values out of what a file holds; the first one that is not as it should be is the error."""

    def __init__(self, file: str) -> None:
        self.file = file

    def refuse(self, why: str) -> NoReturn:
        """Raises EvidenceError."""
        raise EvidenceError(f"{self.file}: {why}")

    def table(self, value: Any, what: str) -> Mapping[str, Any]:
        """An object of JSON."""
        if not isinstance(value, dict):
            self.refuse(f"`{what}` must be an object")
        return value

    def rows(self, value: Any, what: str, most: int) -> Iterator[Mapping[str, Any]]:
        """A list of objects."""
        if not isinstance(value, list):
            self.refuse(f"`{what}` must be a list")
        if len(value) > most:
            self.refuse(f"`{what}` has more than {most:,} entries, the limit")
        return (self.table(one, what) for one in value)

    def text(self, table: Mapping[str, Any], key: str, longest: int = LONGEST) -> str:
        """A string, empty where there is none; its white space is single spaces."""
        value = table.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.refuse(f"`{key}` must be a string")
        words = " ".join(value[: 4 * longest].split())
        return words if len(words) <= longest else f"{words[:longest]}…"

    def number(self, table: Mapping[str, Any], key: str) -> float | None:
        """A number from 0 on, or None where none is given."""
        value = table.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _LARGEST:
            self.refuse(f"`{key}` must be a number of at least 0")
        return float(value)

    def share(self, table: Mapping[str, Any], key: str) -> float | None:
        """A part of one, or None."""
        value = self.number(table, key)
        return None if value is None else min(value, 1.0)

    def whole(self, table: Mapping[str, Any], key: str, default: int = 0) -> int:
        """A whole number."""
        value = table.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > 2**53:
            self.refuse(f"`{key}` must be a whole number")
        return value

    def wholes(self, table: Mapping[str, Any], key: str) -> tuple[int, ...]:
        """A list of whole numbers."""
        value = table.get(key) or []
        if not isinstance(value, list) or not all(type(one) is int for one in value[:STAGES]):
            self.refuse(f"`{key}` must be a list of whole numbers")
        return tuple(value[:STAGES])


def load(file: str, largest: int = LARGEST) -> Mapping[str, Any]:
    """The object that a file holds. Raises EvidenceError."""
    try:
        data = read(file, largest)
    except FileNotFoundError:
        raise EvidenceError(f"no such evidence file: {file}") from None
    except (OSError, ValueError) as error:
        raise EvidenceError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        content = json.loads(data, parse_constant=_no_number, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise EvidenceError(f"{file}:{error.lineno}: not valid JSON: {error.msg}") from None
    except RecursionError:
        raise EvidenceError(f"{file}: it is nested too deeply") from None
    except ValueError as error:
        raise EvidenceError(f"{file}: not valid JSON: {error}") from None
    return Reader(file).table(content, "the file")


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number
