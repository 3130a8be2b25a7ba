"""`tfdata-lint workers`: how long each of several workers waits for its input."""

from __future__ import annotations

from collections.abc import Sequence

from tfdata_lint.cli.common import CLEAN, UsageError
from tfdata_lint.source.visible import visible
from tfdata_lint.verify.plan import PlanError, interpreter
from tfdata_lint.verify.workers import Unreadable, read, table


def run(files: Sequence[str], python: str | None) -> int:
    try:
        workers = read(files, interpreter(files[0], python).path)
    except OSError as error:
        raise UsageError(f"cannot read {error.filename}: {error.strerror}") from None
    except (PlanError, Unreadable) as error:
        raise UsageError(str(error)) from None
    for line in table(workers):
        print(visible(line))
    return CLEAN
