"""What the names of other modules stand for: the one door out of the module being read.

Import statements become full names. TensorFlow's are understood through `operations.py`; nothing is ever imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.pipeline.values import Symbol


def imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Symbol]]:
    """The names an import statement binds, with what they stand for. Relative modules keep their dots."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname:
                yield alias.asname, Symbol(alias.name)
            else:
                root = alias.name.partition(".")[0]
                yield root, Symbol(root)
        return
    module = "." * node.level + (node.module or "")
    for alias in node.names:
        if alias.name != "*":
            separator = "" if module.endswith(".") or not module else "."
            yield alias.asname or alias.name, Symbol(f"{module}{separator}{alias.name}")
