"""`tfdata-lint server`: the language server, for editors."""

from __future__ import annotations

import sys
from contextlib import nullcontext

from tfdata_lint.cli.common import CLEAN, UsageError


def run(address: str) -> int:
    """Serve over standard input and output, or wait for one editor at `[HOST:]PORT`."""
    host, _, port = address.rpartition(":")
    if address and not (port.isdecimal() and int(port) < 65_536):
        raise UsageError(f"--tcp: {address!r} is not a port")
    from tfdata_lint.lsp.watching import ending_with

    try:
        # What is imported takes a second or more.
        with nullcontext() if address else ending_with(sys.stdout.fileno()):
            from tfdata_lint.lsp import serving
            from tfdata_lint.lsp.server import server
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        raise UsageError("the language server needs pygls: pip install 'pygls>=2'") from None
    # The collector stays off: `lsp/analysis.py` runs it while nobody waits.
    if not address:
        # Nothing else may come in between what the editor reads. Without an input there is no editor.
        stdout, sys.stdout = sys.stdout, sys.stderr
        return serving.over_pipes(server, sys.stdin.fileno(), stdout.buffer) if sys.stdin else CLEAN
    try:
        return serving.over_tcp(server, host or "127.0.0.1", int(port))
    except OSError as error:
        raise UsageError(f"--tcp: {error.strerror or error}") from None
