"""The command line: `tfdata-lint check | graph | rule | tune | profile | server | schema`.

What a command needs is imported when it is run: `tfdata-lint --version` needs next to nothing.
"""

from __future__ import annotations

import argparse
import errno
import gc
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from itertools import pairwise
from typing import NoReturn, TextIO

from tfdata_lint.cli.common import CLEAN, FAILED, INTERRUPTED, UsageError, complain
from tfdata_lint.cli.parser import make_parser

#: Why printing fails, other than for want of a reader.
_NO_OUTPUT = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG, errno.EIO, errno.EBADF)


def console() -> NoReturn:
    """The command `tfdata-lint`: its process ends at once, without taking apart what it has built."""
    # Else `main` turns the collector on again, which then goes through all that was built.
    gc.disable()
    code = main()
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    # Starting makes no garbage, and checking very little: it is looked for between batches.
    was_on = gc.isenabled()
    gc.disable()
    try:
        return _main(sys.argv[1:] if argv is None else argv)
    finally:
        if was_on:
            gc.enable()


def _main(argv: Sequence[str]) -> int:
    # They are None where they are closed.
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = _parse_and_run(argv)
        sys.stdout.flush()
        return code
    except UsageError as error:
        complain(f"error: {error}")
        return FAILED
    except KeyboardInterrupt as interrupt:
        complain("interrupted")
        return getattr(interrupt, "code", INTERRUPTED)
    except BrokenPipeError:
        # The reader has seen enough.
        _drop_output()
        return CLEAN
    except Exception as error:
        if not isinstance(error, OSError) or error.errno not in _NO_OUTPUT:
            return _give_up(error)
        _drop_output()
        complain(f"error: cannot write the output: {error.strerror}")
        return FAILED


def _parse_and_run(argv: Sequence[str]) -> int:
    words, script_arguments = _split_script(argv)
    # What follows `--add-ignore` is a path: only `--add-ignore=REASON` has a reason.
    if refused := _refused(words):
        complain(f"error: {refused}")
        return FAILED
    words = [f"{word}=" if word in _SUPPRESSING else word for word in words]
    try:
        return _run(make_parser(*words[:1]).parse_args(words), script_arguments)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else FAILED


#: Options that take a reason only behind `=`.
_SUPPRESSING = ("--add-ignore", "--add-noqa")


def _refused(words: Sequence[str]) -> str:
    """How to give a rule or a reason, where one follows `--add-ignore` as if it were its argument."""
    for option, word in pairwise(words):
        if (
            option not in _SUPPRESSING
            or os.path.lexists(word)
            or word.startswith("-")
            or re.search(r"[/\\]|\.\w+$", word)
        ):
            continue
        reason = f'for a reason: {option}="{word}"'
        if re.fullmatch(r"(?i)TFD\d*|[a-z]+(-[a-z]+)+", word):
            return f"{option} takes no rule. To suppress only {word}: --select {word} {option}; {reason}"
        return f"{option}: no such file or folder: {word}; {reason}"
    return ""


def _nowhere() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _drop_output() -> None:
    """What is still buffered must not fail at exit."""
    with suppress(OSError):
        os.dup2(_nowhere().fileno(), sys.stdout.fileno())


def _run(arguments: argparse.Namespace, script_arguments: Sequence[str]) -> int:
    from tfdata_lint.cli import options

    match arguments.command:
        case "check":
            from tfdata_lint.cli import check

            return check.run(options.CheckOptions.of(arguments, script_arguments))
        case "graph":
            from tfdata_lint.cli import graph

            return graph.run(options.GraphOptions.of(arguments))
        case "rule":
            from tfdata_lint.cli import rule

            return rule.run(
                arguments.code,
                in_full=arguments.all,
                with_cases=arguments.cases,
                as_json=arguments.output_format == "json",
                pages=not arguments.no_pager,
            )
        case "tune":
            from tfdata_lint.cli import tune

            return tune.run(options.TuneOptions.of(arguments, script_arguments))
        case "profile":
            from tfdata_lint.cli import profile

            return profile.run(options.ProfileOptions(vars(arguments)))
        case "compare":
            from tfdata_lint.cli import compare

            given = arguments.before, arguments.after, arguments.threshold, arguments.output_format
            return compare.run(*given)
        case "server":
            from tfdata_lint.cli import server

            return server.run(arguments.tcp or "")
        case "clean":
            from tfdata_lint.cli import clean

            return clean.run(arguments.paths)
        case _:
            from tfdata_lint.config.schema import document

            print(document(), end="")
            return CLEAN


def _split_script(argv: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """What follows `--` after `--verify script.py` or `tune script.py` is for the script."""
    end = argv.index("--") if "--" in argv else len(argv)
    if argv[:1] != ["tune"] and not any(word.partition("=")[0] == "--verify" for word in argv[:end]):
        return argv, []
    return argv[:end], argv[end + 1 :]


def _give_up(error: Exception) -> int:
    from tfdata_lint.lint.diagnostics import DEBUG
    from tfdata_lint.rules import RuleError

    if os.environ.get(DEBUG):
        raise error
    text = str(error) if isinstance(error, RuleError) else f"{type(error).__name__}: {error} ({DEBUG}=1 says where)"
    complain(f"error: {text}")
    return FAILED
