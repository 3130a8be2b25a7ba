"""How long an editor waits, and what the server keeps: `python tests/lsp/latency.py`, by hand.

Prints the time from an edit of a module of 1,000 rows to its findings, less the pause that the server makes on purpose,
beside the time that the engine takes by itself; the time from the start of a server to its answer to `initialize`; and
its memory after 1,000 edits and after ten times as many. Each edit is analyzed before the next one is made.
`benchmarks/run.py` reads the first of these times.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from lsp_editor import PIPELINE, Editor, many, span
from lsprotocol import types

from tfdata_lint import Settings, lint_source

PAUSE = 0.05
ROWS = 1_000

ORDINARY = '''
def summary_{n}(values, *, limit=10, title=""):
    """The first values of a table, as text."""
    rows = []
    for number, value in enumerate(values):
        if number >= limit:
            rows.append("...")
            break
        rows.append(f"{{number:>4}}  {{value!r}}")
    width = max((len(row) for row in rows), default=0)
    return "\\n".join([title, "-" * width, *rows]) if title else "\\n".join(rows)

'''


def module(pipelines: int = 6) -> str:
    """Some pipelines among functions that have nothing to do with them."""
    text = many(pipelines)
    number = 0
    while text.count("\n") < ROWS:
        text += ORDINARY.format(n=number)
        number += 1
    return text


def engine(text: str) -> list[float]:
    taken = []
    for number in range(20):
        start = time.process_time()
        lint_source(f"{text}# {number}\n", "module.py", Settings())
        taken.append(time.process_time() - start)
    return taken


async def edits(editor: Editor, where: str, text: str, number: int) -> list[float]:
    """Type a comment behind the first pipeline, or behind row 20, one character after the other."""
    row = next((n for n, line in enumerate(text.split("\n")) if "ds.batch" in line), 20)
    column = len(text.split("\n")[row])
    editor.change(where, types.TextDocumentContentChangePartial(span(row, column, row, column), "  # "))
    taken = []
    for done in range(number):
        start = time.perf_counter()
        typed = column + 4 + done % 60
        change = span(row, typed, row, typed) if done % 60 else span(row, column + 4, row, column + 64)
        editor.change(where, types.TextDocumentContentChangePartial(change, "x"))
        await editor.told(where)
        taken.append(time.perf_counter() - start)
        editor.published[where].clear()
    return taken


def cpu(editor: Editor) -> float:
    """What the server has computed so far, in seconds."""
    server = editor.client._server
    assert server
    fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(editor: Editor) -> int:
    server = editor.client._server
    assert server
    status = Path(f"/proc/{server.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS:")).split()[1])


def shown(taken: list[float], less: float = 0.0) -> str:
    in_order = sorted(1000 * (each - less) for each in taken)
    return f"median {statistics.median(in_order):.1f} ms, p95 {in_order[int(len(in_order) * 0.95)]:.1f} ms"


async def waiting(text: str, number: int, python: Sequence[str]) -> str:
    """How long a server takes for so many edits of a text, and what it computes meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        editor = Editor()
        await editor.start(options={"debounce": int(1000 * PAUSE)}, python=python)
        where = editor.open(Path(folder) / "module.py", text)
        await editor.told(where)
        await edits(editor, where, text, 10)
        before = cpu(editor)
        taken = shown(await edits(editor, where, text, number), PAUSE)
        computed = 1000 * (cpu(editor) - before) / number
        await editor.stop()
    return f"{taken}; computed by the server for each: {computed:.1f} ms"


async def starting(number: int, python: Sequence[str]) -> str:
    """How long a server takes from the start of its process to the answer to `initialize`."""
    taken = []
    for _ in range(number):
        editor = Editor()
        start = time.perf_counter()
        await editor.start(python=python)
        taken.append(time.perf_counter() - start)
        await editor.stop()
    return shown(taken)


async def keeping(python: Sequence[str]) -> str:
    """What a server has in memory after many edits."""
    with tempfile.TemporaryDirectory() as folder:
        editor = Editor()
        await editor.start(options={"debounce": 0}, python=python)
        where = editor.open(Path(folder) / "small.py", PIPELINE)
        await edits(editor, where, PIPELINE, 1_000)
        first = memory(editor)
        await edits(editor, where, PIPELINE, 9_000)
        last = memory(editor)
        await editor.stop()
    return f"after 1,000 edits {first:,} KiB, after 10,000 {last:,} KiB: {last / first - 1:+.1%}"


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edits", nargs="?", type=int, default=200)
    parser.add_argument("--only-waits", action="store_true", help="the time from an edit to its findings alone")
    parser.add_argument("--python", help="of an installation whose server is measured")
    arguments = parser.parse_args()
    # The server starts in the repository, whose package must not hide the installed one.
    python = (arguments.python, "-I") if arguments.python else (sys.executable,)

    text = module()
    print(f"edit to findings, {arguments.edits} edits: {await waiting(text, arguments.edits, python)}")
    if not arguments.only_waits:
        print(f"start to the answer to initialize, 5 starts: {await starting(5, python)}")
        print(f"the same without pipelines: {await waiting(module(0), arguments.edits, python)}")
        print(f"computed by the engine alone, {text.count(chr(10))} rows: {shown(engine(text))}")
        print(f"memory {await keeping(python)}")


if __name__ == "__main__":
    asyncio.run(main())
