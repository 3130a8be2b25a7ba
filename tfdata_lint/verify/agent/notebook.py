"""What exported notebooks call: the shell that is not there when they are scripts."""

from __future__ import annotations

from typing import Any

#: These execute Python code, and do something else besides.
_PYTHON = frozenset(("capture", "prun", "time", "timeit"))


class Shell:
    """In place of `get_ipython()`: it executes what is Python, and does nothing else."""

    def __init__(self, names: dict[str, Any]) -> None:
        """The names of the notebook."""
        self.user_ns = names

    def run_line_magic(self, magic: str, line: str, *_: Any, **__: Any) -> None:
        self._execute(magic, line)

    def run_cell_magic(self, magic: str, line: str, cell: str) -> None:
        self._execute(magic, cell)

    def getoutput(self, *_: Any, **__: Any) -> list[str]:
        return []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: None

    def _execute(self, magic: str, text: str) -> None:
        if magic in _PYTHON:
            exec(compile(text, f"<{magic}>", "exec"), self.user_ns)
