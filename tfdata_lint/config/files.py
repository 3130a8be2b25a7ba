"""Files of a project as they are read and named."""

from __future__ import annotations

import os
import sys
from typing import Any


def parse_toml(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads(text)


def shown_path(path: str) -> str:
    """A path as people write it: relative when it lies below the working directory."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative
