"""Runs snippets of Python on real TensorFlow, which is imported once.

Each snippet runs in a fork of this process that has imported TensorFlow but not used it yet, so nothing that one does
(seeds, TF 1 mode, image data format) reaches another. Requests and answers are lines of JSON; what a snippet leaves
in `__answer__` comes back too.
"""

from __future__ import annotations

import gc
import json
import os
import select
import shutil
import signal
import sys
import tempfile
import traceback
from contextlib import suppress
from typing import Any, Protocol


class RunOnTensorFlow(Protocol):
    """The fixture `run_on_tensorflow`: how the code ended, as `{"error": "ValueError", "detail": "…", "answer": …}`."""

    def __call__(self, code: str, file: str, first_line: int = 1) -> dict[str, Any]: ...


def check_end(block: Any, run: RunOnTensorFlow) -> None:
    """A block of a page (`testing.blocks.Block`) ends on TensorFlow as its words say: `raises`, or without an error."""
    ended = run(block.text, str(block.file), block.line)
    expected = block.option("raises")
    if expected is None:
        assert not ended["error"], f"{block} fails on TensorFlow:\n{ended['detail']}"
    else:
        assert ended["error"], f"{block} should fail on TensorFlow, and does not"
        assert expected in ("", ended["error"]), f"{block} fails with {ended['error']}:\n{ended['detail']}"


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    import tensorflow  # noqa: F401

    # What the forks inherit is no garbage; looking through it, which copies its memory, takes as long as they do.
    gc.freeze()
    answers.write("ready\n")
    for line in sys.stdin:
        answers.write(json.dumps(_run(**json.loads(line))) + "\n")


def _run(code: str, file: str, first_line: int, seconds: float) -> dict[str, Any]:
    """How a snippet ended: the name of the exception, empty if there was none, and what to show of it."""
    reader, writer = os.pipe()
    folder = tempfile.mkdtemp()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.chdir(folder)
        _execute(code, file, first_line, writer)
    os.close(writer)
    answer = b""
    while select.select([reader], [], [], seconds)[0] and (data := os.read(reader, 65536)):
        answer += data
    os.close(reader)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    shutil.rmtree(folder, ignore_errors=True)
    if not answer:
        return {"error": "Unfinished", "detail": f"it crashed, or ran for more than {seconds:g} seconds"}
    ended: dict[str, Any] = json.loads(answer)
    return ended


def _execute(code: str, file: str, first_line: int, writer: int) -> None:
    ended: dict[str, Any] = {"error": "", "detail": ""}
    namespace: dict[str, Any] = {"__name__": "__main__"}
    try:
        exec(compile("\n" * (first_line - 1) + code, file, "exec"), namespace)
        ended["answer"] = namespace.get("__answer__")
    except BaseException as error:
        ended = {"error": type(error).__name__, "detail": "".join(traceback.format_exception(error)[-6:])}
    os.write(writer, json.dumps(ended).encode())
    os.chdir("/")
    # Not sys.exit: neither the parent's clean-up nor TensorFlow's own is wanted here.
    os._exit(0)


if __name__ == "__main__":
    main()
