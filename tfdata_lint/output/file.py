"""Writes what would be printed to a file."""

from __future__ import annotations

import errno
import os

from tfdata_lint.source.atomic import replace


def write(path: str, text: str) -> None:
    """Put a text into a file, which others see as it was before or with all of it. Raises OSError."""
    data = text.encode("utf-8", "backslashreplace")
    path = os.path.realpath(path)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), error.filename) from None
    if os.path.exists(path) and not os.path.isfile(path):
        # A pipe or a device is not to be replaced.
        with open(path, "wb") as file:
            file.write(data)
        return
    replace(path, data, f"{path}.{os.urandom(4).hex()}.tmp")
