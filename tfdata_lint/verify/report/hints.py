"""What might help where nothing was observed, and what a run has left or would have."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from tfdata_lint.verify.model import Run

#: Paths that are named.
_FEW = 6
#: What `argparse`, `click` and `absl` print where arguments are missing or unknown.
_ASKS_FOR_ARGUMENTS = ("usage:", "flags parsing error", "missing option", "missing argument")


def hints(run: Run) -> Iterator[str]:
    """Lines."""
    kind, path = run.target.kind, run.target.path
    less = f"{path}::FUNCTION runs only the code that creates a dataset"
    if run.reason == "timeout":
        yield f"  --verify-seconds N gives it more time{'' if kind == 'function' else f'; {less}'}"
    if run.reason == "no-consumption" and kind == "script":
        yield f"  {path}::FUNCTION calls a function and reads the datasets that it returns"
    if run.reason == "needs-data":
        yield "  --verify-network lets it download data"
    if run.reason != "user-error":
        return
    if kind == "script" and _asks_for_arguments(run):
        yield f"   pass its arguments after --: --verify {path} -- ARGUMENTS; {less}"
    if kind == "function" and "missing" in run.detail and "argument" in run.detail:
        yield "  --verify-arg NAME=VALUE gives it an argument"


def changes(run: Run) -> Iterator[str]:
    """Lines."""
    folders = tuple(folder.rstrip(os.sep) + os.sep for folder in run.copied)
    for what, only, paths in (
        ("written", "to a deleted copy", run.written),
        ("deleted", "in a copy only", run.deleted),
    ):
        # What was in a temporary folder has no other path.
        gone = {path for path in paths if path.startswith(folders) or not os.path.isabs(path)}
        yield from _listed(f"{what} {only}", [path for path in paths if path in gone])
        yield from _listed(what, [path for path in paths if path not in gone])
    yield from _listed("downloaded", run.downloaded)


def _asks_for_arguments(run: Run) -> bool:
    printed = (run.output.head + run.output.tail).lower()
    return run.detail.startswith("it exited with") and any(words in printed for words in _ASKS_FOR_ARGUMENTS)


def _listed(what: str, paths: Sequence[str]) -> Iterator[str]:
    if not paths:
        return
    more = f" and {len(paths) - _FEW} more" if len(paths) > _FEW else ""
    yield f"  {what}: {', '.join(map(_near, paths[:_FEW]))}{more}"


def _near(path: str) -> str:
    near = os.path.relpath(path) if os.path.isabs(path) else path
    return path if near.startswith(os.pardir) else near
