"""Files of a project as they are read and named."""

from __future__ import annotations

import os
import re
import sys
from typing import Any

#: Names in one key of TOML, joined by dots.
_PARTS = 200


def parse_toml(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    if _has_long_key(text):
        raise ValueError(f"a key has more than {_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _has_long_key(text: str) -> bool:
    """Is there a key such as `a.a.a.a`, for which the parser takes time and memory with the square of its parts?"""
    for row in text.split("\n"):
        if row.count(".") > _PARTS and ("[" in row or "=" in row):
            dots = re.sub(r"[^.,=]+", "", re.sub(r'"[^"]*"|\'[^\']*\'|[0-9]\.', "", row))
            if "." * (_PARTS + 1) in dots:
                return True
    return False


def shown_path(path: str) -> str:
    """A path as people write it: relative when it lies below the working directory."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative
