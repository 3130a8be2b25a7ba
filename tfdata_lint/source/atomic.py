"""Writing a file that nobody else may see a part of."""

from __future__ import annotations

import os
from contextlib import suppress


def replace(path: str, data: bytes, temporary: str, mode: int = 0o666) -> None:
    """Give a file this content, by way of a new one beside it. Raises OSError, and leaves nothing behind."""
    try:
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
