"""Much of one thing: each of the inputs that have a size, at that of a file that somebody may well commit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from growing_inputs import INPUTS as GROWING, Files
from inputs import Input

#: Bytes of all files together.
BYTES = 400_000
#: Characters of a path, and of a name in it: systems have no longer ones.
_LONGEST_PATH, _LONGEST_NAME = 800, 250


def sized(make: Callable[[int], Files]) -> Files:
    """The largest of a kind that has no more bytes than that."""
    low, high = 1, 2
    while high < BYTES and _fits(make(high)):
        low, high = high, 2 * high
    while high - low > max(low // 50, 1):
        middle = (low + high) // 2
        low, high = (middle, high) if _fits(make(middle)) else (low, middle)
    return make(low)


def _fits(files: Files) -> bool:
    return sum(map(len, files.values())) <= BYTES and all(
        len(name) <= _LONGEST_PATH and max(map(len, name.split("/"))) <= _LONGEST_NAME for name in files
    )


def build(make: Callable[[int], Files], folder: Path) -> None:
    for name, text in sized(make).items():
        path = folder / "much" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))


INPUTS = [Input(f"`{name}`", lambda folder, make=make: build(make, folder), "much/") for name, make in GROWING.items()]
