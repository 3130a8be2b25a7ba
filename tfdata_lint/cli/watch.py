"""`tfdata-lint check --watch`: a check now, and another one after every change."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from time import strftime

from tfdata_lint.source.visible import visible

#: Other files do not matter to findings.
_ENDINGS = (".py", ".pyi", ".ipynb", ".toml", ".cfg", ".lock")
_REQUIREMENTS = ("requirements", "environment")
_TIMEOUT = 250


class WatchError(Exception):
    """Files cannot be watched: why, in one sentence."""


def watch(paths: Sequence[str], check: Callable[[], object]) -> None:
    """Check until somebody interrupts it. Raises WatchError, and KeyboardInterrupt."""
    for changed in _changes(paths):
        if sys.stdout.isatty():
            print("\x1b[2J\x1b[3J\x1b[H", end="", flush=True)
        print(f"{strftime('%X')} {visible(_heading(changed))}", file=sys.stderr)
        check()
        sys.stdout.flush()
        print("Watching for changes. Press Ctrl-C to stop.", file=sys.stderr)


def _changes(paths: Sequence[str]) -> Iterator[list[str]]:
    """The files that have changed, again and again; at first none."""
    try:
        import watchfiles
    except ImportError:
        raise WatchError("--watch needs watchfiles: pip install 'watchfiles>=1'") from None
    usual = watchfiles.DefaultFilter()

    def matters(change: watchfiles.Change, path: str) -> bool:
        name = os.path.basename(path)
        return (name.endswith(_ENDINGS) or name.startswith(_REQUIREMENTS)) and usual(change, path)

    # A file is replaced when it is saved, and may import what stands beside it: its folder is watched.
    folders = {path if os.path.isdir(path) else os.path.dirname(path) or "." for path in paths}
    # It watches from its first answer on, so that nothing is missed that changes during the first check.
    answers = watchfiles.watch(*folders, watch_filter=matters, yield_on_timeout=True, rust_timeout=_TIMEOUT)
    yield sorted(os.path.relpath(path) for _, path in next(answers))
    for answer in filter(None, answers):
        yield sorted(os.path.relpath(path) for _, path in answer)


def _heading(changed: list[str]) -> str:
    if not changed:
        return "Checking"
    more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
    return f"Checking again: {', '.join(changed[:3])}{more}"
