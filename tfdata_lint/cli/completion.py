"""Completion scripts for shells, made by shtab from the parser of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

_PATHS = ("PATH", "FILE")


class CompletionError(Exception):
    """There is no such script: why, in one sentence."""


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script for a shell. Raises CompletionError."""
    try:
        import shtab
    except ImportError:
        raise CompletionError("completions need shtab: pip install 'shtab>=1.7'") from None
    if shell not in shtab.SUPPORTED_SHELLS:
        raise CompletionError(f"no completions for {shell!r}: the shells are {', '.join(shtab.SUPPORTED_SHELLS)}")
    for action in _actions(parser):
        if action.metavar in _PATHS:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar == "DIR":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    text: str = shtab.complete(parser, shell)
    return text


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
