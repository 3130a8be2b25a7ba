"""Files that are no regular files, where the linter reads something."""

from __future__ import annotations

import os
from pathlib import Path

from inputs import Input


def _zero(name: str, says: str) -> Input:
    """A link to a device that never ends."""

    def make(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        os.symlink("/dev/zero", path)

    return Input(f"`{name}` is a link to `/dev/zero`", make, says)


INPUTS = [
    _zero("a.py", "a.py:.*a device"),
    _zero(".gitignore", r"\.gitignore.*a device"),
]
