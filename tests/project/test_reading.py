"""Files of a checkout are read in one way. Every call of the package that opens one is looked at."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: Who opens files for reading, and why that is no file of a checkout. Folders end in `/`.
READERS = {
    "source/content.py": "the one way",
    "source/atomic.py": "a new file, to write it",
    "source/writing.py": "a new file, to write it",
    "lsp/server.py": "documents of an editor, which are no files",
    "rules/__init__.py": "pages of rules, which are installed",
    "rules/upgrades/removed_symbol/symbols.py": "a table of ours",
    "run/cache/key.py": "the key, in the folder of the user",
    "run/repository.py": "the index of git, which git reads",
    "testing/": "pages of rules that their authors test",
    "observing/cells.py": "cells of a notebook, which are no files",
    "observing/code.py": "cells of a notebook, which are no files",
    "verify/agent/": "runs in the program that is executed, and imports nothing of ours",
    "verify/folders.py": "locks of ours",
    "verify/observe.py": "what an agent has written",
    "verify/runner.py": "what an agent has written",
    "verify/workers.py": "files that the command line names",
    "verify/processes.py": "`/proc`",
    "verify/report/html.py": "a style sheet of ours",
}
_READING = frozenset(
    {"open", "read_bytes", "read_text", "getlines", "getline", "run_path", "copyfile", "copy", "copy2"}
)
#: They read a file as functions of `shutil`.
_COPIES = ("copy", "copyfile", "copy2")


def reading(text: str) -> Iterator[int]:
    """The rows on which a file may be opened for reading."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
        if name not in _READING:
            continue
        owner = ast.unparse(function.value) if isinstance(function, ast.Attribute) else ""
        if name in _COPIES and owner != "shutil":
            continue
        if name == "open" and not _may_read(node, owner):
            continue
        yield node.lineno


def _may_read(call: ast.Call, owner: str) -> bool:
    values = [*call.args[1:], *(keyword.value for keyword in call.keywords if keyword.arg in ("mode", "flags"))]
    if owner == "os":
        names = {node.attr for value in values for node in ast.walk(value) if isinstance(node, ast.Attribute)}
        return not names & {"O_WRONLY", "O_PATH"}
    modes = [value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)]
    return not modes or "r" in modes[0] or "+" in modes[0] or not set(modes[0]) & set("wxa")


def readers() -> dict[str, list[int]]:
    folder = ROOT / "tfdata_lint"
    found = {
        path.relative_to(folder).as_posix(): list(reading(path.read_text(encoding="utf-8")))
        for path in sorted(folder.rglob("*.py"))
    }
    return {path: rows for path, rows in found.items() if rows}


def test_nobody_else_opens_files() -> None:
    found = readers()
    assert {path: rows for path, rows in found.items() if not path.startswith(tuple(READERS))} == {}
    # None of the rows above is about something that is gone.
    assert [allowed for allowed in READERS if not any(path.startswith(allowed) for path in found)] == []


@pytest.mark.parametrize(
    ("code", "is_seen"),
    [
        ("with open(path) as file: pass", True),
        ("with open(path, 'rb') as file: pass", True),
        ("with open(path, mode='r+b') as file: pass", True),
        ("with open(path, mode) as file: pass", True),
        ("with open(path, encoding='utf-8') as file: pass", True),
        ("with io.open(path) as file: pass", True),
        ("tokenize.open(path)", True),
        ("os.open(path, os.O_RDONLY | os.O_NONBLOCK)", True),
        ("Path(path).read_text()", True),
        ("shutil.copyfile(a, b)", True),
        ("with open(path, 'wb') as file: pass", False),
        ("with open(path, 'ab', encoding='utf-8') as file: pass", False),
        ("os.open(path, os.O_WRONLY | os.O_CREAT)", False),
        ("unread.copy()", False),
        ("content.read(path)", False),
    ],
)
def test_a_call_that_is_added_is_seen(code: str, is_seen: bool) -> None:
    assert bool(list(reading(code))) == is_seen
