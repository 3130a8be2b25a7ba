"""What TensorFlow's profiler logs about itself is no output of the program."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

_STDERR = 2
_OF_PROFILER = re.compile(rb"\b(\w*profile\w*|xplane\w*|\w*tracer\w*)\.cc:\d+\]")


@contextmanager
def quiet() -> Iterator[None]:
    """Leave out what the profiler writes to the standard error stream meanwhile; everything else comes afterwards."""
    try:
        kept = os.dup(_STDERR)
    except OSError:
        # There is none.
        yield
        return
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), _STDERR)
        try:
            yield
        finally:
            os.dup2(kept, _STDERR)
            os.close(kept)
            file.seek(0)
            for line in file:
                if not _OF_PROFILER.search(line):
                    os.write(_STDERR, line)
