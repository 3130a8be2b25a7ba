"""`tfdata-lint check --watch`: a check now, and another one after every change."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress

from tfdata_lint.source.discovery import DEFAULT_EXCLUDES
from tfdata_lint.source.visible import visible

#: Other files do not matter to findings.
_ENDINGS = (".py", ".pyi", ".ipynb", ".toml", ".cfg", ".lock")
_REQUIREMENTS = ("requirements", "environment")
_TIMEOUT = 250
#: Seconds between two looks at the files, at least; and until what is being saved is taken to be complete.
_EVERY, _SETTLED = 0.5, 0.05
#: So many times as long as a look takes nothing is looked at; and looks at most until files are as they were.
_REST, _LOOKS = 10, 20


def watch(paths: Sequence[str], check: Callable[[], object]) -> None:
    """Check until somebody interrupts it. Raises KeyboardInterrupt."""
    # A file is replaced when it is saved, and may import what stands beside it: its folder is watched.
    folders = {path if os.path.isdir(path) else os.path.dirname(path) or "." for path in paths}
    for changed in _changes(folders):
        if sys.stdout.isatty():
            print("\x1b[2J\x1b[3J\x1b[H", end="", flush=True)
        print(f"{time.strftime('%X')} {visible(_heading(changed))}", file=sys.stderr)
        check()
        sys.stdout.flush()
        print("Watching for changes. Press Ctrl-C to stop.", file=sys.stderr)


def _changes(folders: Collection[str]) -> Iterator[list[str]]:
    """The files that have changed, again and again; at first none. Watching begins before the first answer."""
    try:
        import watchfiles
    except ImportError:
        yield from _polled(folders)
        return
    usual = watchfiles.DefaultFilter()

    def matters(change: watchfiles.Change, path: str) -> bool:
        return _matters(os.path.basename(path)) and usual(change, path)

    answers = watchfiles.watch(*folders, watch_filter=matters, yield_on_timeout=True, rust_timeout=_TIMEOUT)
    yield _shown(path for _, path in next(answers))
    for answer in filter(None, answers):
        yield _shown(path for _, path in answer)


def _polled(folders: Collection[str]) -> Iterator[list[str]]:
    """The same without watchfiles, by looking at all files."""
    known, took = _stamps(folders)
    yield []
    while True:
        time.sleep(max(_EVERY, _REST * took))
        now, took = _stamps(folders)
        if now == known:
            continue
        for _ in range(_LOOKS):
            before = now
            time.sleep(_SETTLED)
            now, took = _stamps(folders)
            if now == before:
                break
        changed = [path for path in known.keys() | now.keys() if known.get(path) != now.get(path)]
        known = now
        if changed:
            yield _shown(changed)


def _stamps(folders: Collection[str]) -> tuple[dict[str, tuple[int, int, int]], float]:
    """What tells whether a file is as it was, of each that matters; and how many seconds it took to find them."""
    began = time.monotonic()
    found: dict[str, tuple[int, int, int]] = {}
    left = list(folders)
    while left:
        with suppress(OSError), os.scandir(left.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in DEFAULT_EXCLUDES:
                        left.append(entry.path)
                elif _matters(entry.name):
                    with suppress(OSError):
                        status = entry.stat()
                        found[entry.path] = status.st_mtime_ns, status.st_size, status.st_ino
    return found, time.monotonic() - began


def _matters(name: str) -> bool:
    return name.endswith(_ENDINGS) or name.startswith(_REQUIREMENTS)


def _shown(paths: Iterable[str]) -> list[str]:
    return sorted({os.path.relpath(path) for path in paths})


def _heading(changed: list[str]) -> str:
    if not changed:
        return "Checking"
    more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
    return f"Checking again: {', '.join(changed[:3])}{more}"
