"""`tfdata-lint server`: the language server, for editors."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from tfdata_lint.cli.common import CLEAN, UsageError


def run(address: str) -> int:
    """Serve over standard input and output, or wait for one editor at `[HOST:]PORT`."""
    host, _, port = address.rpartition(":")
    if address and not (port.isdecimal() and int(port) < 65_536):
        raise UsageError(f"--tcp: {address!r} is not a port")
    # The collector stays off: `lsp/analysis.py` runs it while nobody waits.
    if not address:
        # Without an input there is no editor.
        return _over_pipes() if sys.stdin else CLEAN
    _look_for_pygls()
    from tfdata_lint.lsp import serving
    from tfdata_lint.lsp.server import server

    try:
        return serving.over_tcp(server, host or "127.0.0.1", int(port))
    except OSError as error:
        raise UsageError(f"--tcp: {error.strerror or error}") from None


def _over_pipes() -> int:
    from tfdata_lint.lsp.watching import ending_with

    source, target = sys.stdin.fileno(), sys.stdout.buffer
    # Nothing else may come in between what the editor reads.
    sys.stdout = sys.stderr
    # What is imported takes a second or more: meanwhile the editor has its first answer.
    with ending_with(target.fileno()):
        _look_for_pygls()
        from tfdata_lint.lsp.greeting import Greeting

        greeting = Greeting(source, target)
        from tfdata_lint.lsp import serving
        from tfdata_lint.lsp.server import server
    return serving.over_pipes(server, source, target, greeting)


def _look_for_pygls() -> None:
    """Raises UsageError. Whoever is greeted must be served."""
    if not all(map(find_spec, ("pygls", "lsprotocol"))):
        raise UsageError("the language server needs pygls: pip install 'pygls>=2'")
