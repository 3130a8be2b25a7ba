"""Reading profiles that TensorFlow has written elsewhere: a line of JSON for each file."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from . import trace, tracer, watch


def main(paths: Sequence[str]) -> None:
    for path in paths:
        sys.stdout.write(json.dumps(_profile(path)) + "\n")


def _profile(path: str) -> dict[str, Any]:
    try:
        read = trace.read(tracer.load(path), ())
    except Exception as error:
        return {"problem": f"{type(error).__name__}: {error}"}
    return watch.summed_up(read, read["wall_us"] / 1e6)
