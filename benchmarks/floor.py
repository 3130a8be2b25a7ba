"""The least that a linter of these files must do: find them, read them, search their bytes, and parse the candidates.

    python benchmarks/floor.py PATH...

It uses the package's own discovery and search, and prints how many files there are and how many of them are parsed.
"""

from __future__ import annotations

import ast
import gc
import sys
from contextlib import suppress

from tfdata_lint.pipeline.project.search import may_hold_pipeline
from tfdata_lint.source.discovery import discover


def main() -> None:
    gc.disable()
    files = parsed = 0
    for found in discover(sys.argv[1:]):
        with open(found.path, "rb") as file:
            data = file.read()
        files += 1
        if not may_hold_pipeline(data):
            continue
        parsed += 1
        with suppress(SyntaxError, ValueError):
            ast.parse(code_of_notebook(data) if found.path.endswith(".ipynb") else data)
    print(files, parsed)


def code_of_notebook(data: bytes) -> str:
    import json

    try:
        cells = json.loads(data)["cells"]
        return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    except (KeyError, TypeError) as error:
        raise ValueError("not a notebook") from error


if __name__ == "__main__":
    main()
