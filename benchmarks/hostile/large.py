"""Much of one thing."""

from __future__ import annotations

from pathlib import Path

from inputs import Input


def _many_files(folder: Path) -> None:
    for number in range(100_000):
        (folder / f"empty_{number}.py").touch()


INPUTS = [
    Input("100,000 empty files", _many_files),
]
