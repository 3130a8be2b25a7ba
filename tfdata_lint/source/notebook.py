"""Jupyter notebooks: their code cells as one text, with everything blanked that is not Python."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from tfdata_lint.source import layout

#: Cell magics whose cell is Python that runs in the notebook's namespace.
_PYTHON_MAGICS = frozenset(
    {"capture", "heat", "lprun", "memit", "mprun", "notify", "prun", "px", "pyinstrument", "scalene", "snakeviz"}
    | {"tb", "tfdata_lint", "time", "timeit", "wandb"}
)
#: Those whose cell may be Python that runs elsewhere, or is only written down.
_ELSEWHERE = frozenset({"cython", "file", "pypy", "python", "python2", "python3", "script", "writefile"})
_CELL_MAGIC = re.compile(r"%%(\w+)[^\n]*\n")
#: Databricks, Datalab and .NET notebooks switch the language of a cell by a line with nothing else in it; the magics of
#: Datalab that take arguments have one percent sign as well, and are no magics of a line anywhere.
_LANGUAGE_LINE = re.compile(
    r"(?:%(?:(?:bq|chart|writefile)\b[^\n]*|sql|sh|bash|html|javascript|md|scala|r|fs)|#!(?!python)\w+)[ \t]*(?:\n|\Z)"
)
#: IPython takes a cell of one row for a magic without its percent sign.
_AUTOMAGIC = re.compile(
    r"(?:cat|cd|conda|cp|less|ll|ls|mamba|man|mkdir|more|mv|pip|pushd|rm|rmdir|run|uv|who|whos)[ \t]+(?!=)\S"
)

_MAY_HAVE_MAGIC = re.compile(r"^[ \t]*[%!?]|=[ \t]*[%!]|\?[ \t]*(?:#.*)?$", re.MULTILINE)
_MAGIC = re.compile(
    r"""
    [ \t]*
    (?: [%!?]                                             # %magic  !shell  ?help
      | [A-Za-z_][^=\n'"#(:]*=[ \t]*(?:!|%%?[A-Za-z_])    # x = !shell
      | [%\w.*\[\]]+\?{1,2}[ \t]*(?:\#[^\n]*)?(?:\n|\Z)   # help?
    )
    """,
    re.VERBOSE,
)
#: Prompts of Python and IPython, which IPython strips from each row of a cell whose first row has one.
_PROMPTED = re.compile(r"\s*(?:>>>(?: |\n|\Z)|In \[\d+\]: )")
_PROMPT = re.compile(r"^[ \t]*(?:>>>(?: |$)|\.{3,}:?(?: |$)|In \[\d+\]: )", re.MULTILINE)
#: A script beside the notebook whose names it gets; IPython adds the `.py`.
_RUN = re.compile(
    r"%run[ \t]+(?:-[ei][ \t]+)*(['\"]?)(?:\./)*((?:\.\./)*)((?:[A-Za-z_]\w*/)*[A-Za-z_]\w*)(?:\.py)?\1(?:\s|\Z)"
)
_TIMED = re.compile(r"([ \t]*)%time(?=[ \t]+[^ \t\n-])")
_FIRST_CODE = re.compile(r"(?:[ \t]*(?:#(?!!)[^\n]*)?\n)*[ \t]*")


#: Values in the JSON of a notebook.
_MANY = 4_000_000


class NotANotebook(Exception):
    """The text is no notebook: why, and the row of the text."""

    def __init__(self, message: str, row: int = 1, column: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.row = row
        self.column = column


#: Metadata of cells that are known by the number of their `execution`, as a kernel knows them.
IN_SESSION = "tfdata_lint"


class Cell(NamedTuple):
    """A code cell: its number among all cells from 1, its text, and the same without what is not Python."""

    number: int
    text: str
    python: str
    output: str
    """What it has printed, and the value of its last expression."""
    execution: int = 0
    """The number of its execution, in a notebook that is made of a session."""


class Notebook(NamedTuple):
    cells: list[Cell]
    python: str
    """The Python that it was run with, `3.7.9`; empty when it does not say."""


def read(text: str, magics: Collection[str] = ()) -> Notebook:
    """The code cells of a notebook; those below `magics` are Python, too. Raises NotANotebook."""
    notebook = _parse_json(text)
    cells = _cells(notebook)
    language = _language(notebook.get("metadata"))
    code = [
        _cell(number, cell, language, magics)
        for number, cell in enumerate(cells, 1)
        if cell.get("cell_type", "") == "code"
    ]
    python = _table(notebook.get("metadata"), "language_info").get("version")
    return Notebook(code, python if isinstance(python, str) and _is_python(language) else "")


def _parse_json(text: str) -> dict[str, Any]:
    import json

    # Each makes some 60 bytes of Python; pictures are long, and single.
    if len(text) > _MANY and sum(map(text.count, "[{,")) > _MANY:
        raise NotANotebook(f"this notebook has more than {_MANY:,} values; clear what its cells have shown")
    try:
        notebook = json.loads(text)
    except json.JSONDecodeError as error:
        line = text.split("\n")[error.lineno - 1]
        column = len(line[: error.colno - 1].encode("utf-8", "replace"))
        raise NotANotebook(
            f"this notebook is not valid JSON: {error.msg}; repair it, or save it again from Jupyter",
            error.lineno,
            column,
        ) from None
    except ValueError as error:
        raise NotANotebook(f"the JSON of this notebook cannot be read: {error}") from None
    except RecursionError:
        raise NotANotebook("the JSON of this notebook is nested too deeply to be read") from None
    if not isinstance(notebook, dict):
        raise NotANotebook(_not_a_notebook("it is JSON, but not an object"))
    return notebook


def _cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    cells = notebook.get("cells")
    if cells is None and isinstance(sheets := notebook.get("worksheets"), list):
        # Version 3 has its cells on sheets.
        lists = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
        cells = [cell for cells in lists if isinstance(cells, list) for cell in cells]
    if not isinstance(cells, list):
        raise NotANotebook(_not_a_notebook("it has no list of cells"))
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict):
            raise NotANotebook(_not_a_notebook(f"cell {number} is not an object"))
    return cells


def _not_a_notebook(why: str) -> str:
    return f"this is not a Jupyter notebook: {why}; save it again from Jupyter"


def _cell(number: int, cell: dict[str, Any], language: str, magics: Collection[str]) -> Cell:
    text = cell.get("source", cell.get("input", ""))
    if isinstance(text, list) and all(isinstance(part, str) for part in text):
        text = "".join(text)
    if not isinstance(text, str):
        raise NotANotebook(_not_a_notebook(f"the source of cell {number} is not text"))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    is_python = _is_python(_cell_language(cell) or language)
    python = without_magics(text, magics) if is_python else _blank(text)
    execution = _table(cell.get("metadata"), IN_SESSION).get("execution")
    return Cell(number, text, python, _output(cell.get("outputs")), execution if isinstance(execution, int) else 0)


def _output(outputs: Any) -> str:
    texts = [
        one.get("text", _table(one, "data").get("text/plain"))
        for one in (outputs if isinstance(outputs, list) else ())
        if isinstance(one, dict)
    ]
    rows = (row for text in texts for row in ([text] if isinstance(text, str) else text or ()))
    return "".join(row for row in rows if isinstance(row, str))


def _language(metadata: Any) -> str:
    """The language of a notebook; empty when it does not say."""
    kernel = _table(metadata, "kernelspec").get("language") or _table(metadata, "language_info").get("name")
    return kernel if isinstance(kernel, str) else ""


def _cell_language(cell: dict[str, Any]) -> str:
    metadata = cell.get("metadata")
    language = (
        _table(metadata, "vscode").get("languageId")
        or _table(metadata, "dotnet_interactive").get("language")
        or _table(metadata, "polyglot_notebook").get("kernelName")
        or cell.get("language")
    )
    return language if isinstance(language, str) else ""


def _table(parent: Any, key: str) -> dict[str, Any]:
    table = parent.get(key) if isinstance(parent, dict) else None
    return table if isinstance(table, dict) else {}


def _is_python(language: str) -> bool:
    return not language or "python" in language.lower()


# ── what is not Python ──────────────────────────────────────────────────────────────────────────────────────────────


def without_magics(text: str, magics: Collection[str] = ()) -> str:
    """A cell with magics, shell lines and help lines blanked, row for row; a cell in another language all blank.

    A cell below one of `magics` is Python.

    Prompts become spaces, so that columns stay.
    """
    if _PROMPTED.match(text):
        text = _PROMPT.sub(lambda prompt: " " * len(prompt[0]), text)
    kept: list[str] = []
    position = 0
    while True:
        start = _end(_FIRST_CODE, text, position)
        if _LANGUAGE_LINE.match(text, start):
            return _blank(text)
        if not text.startswith("%%", start):
            break
        name = re.compile(r"\w*").match(text, start + 2)
        if not name or not (name[0] in _PYTHON_MAGICS or name[0] in magics):
            return _blank(text)
        end = text.find("\n", start)
        kept.append(text[position:start])
        position = end if end >= 0 else len(text)
    text = "".join([*kept, text[position:]])
    if "\n" not in (alone := text.strip()) and _AUTOMAGIC.match(alone):
        return _blank(text)
    if not _MAY_HAVE_MAGIC.search(text):
        return text
    rows: list[str] = []
    opens_block = False
    for line in layout.logical_lines(text, _magic):
        written = text[line.start : line.end]
        rows.append(_replacement(written, opens_block) if line.skipped else written)
        if line.skipped or (code := _code(text, line)):
            opens_block = not line.skipped and code.endswith(":")
    return "\n".join(rows)


def without_magics_of_script(text: str, starts: Iterable[int]) -> str:
    """A script whose cells begin at these characters, each without its magics."""
    return "".join(without_magics(text[start:end]) for start, end in pairwise([0, *starts, len(text)]))


def unknown_magic(cell: str) -> tuple[str, str]:
    """The name of a cell magic that may or may not run Python in the notebook, and what is below it."""
    start = _end(_FIRST_CODE, cell, 0)
    found = _CELL_MAGIC.match(cell, start)
    if not found or found[1] in _PYTHON_MAGICS or found[1] in _ELSEWHERE:
        return "", ""
    return found[1], cell[found.end() :]


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return found.end() if found else start


def _blank(text: str) -> str:
    return "\n" * text.count("\n")


def _magic(text: str, start: int) -> int | None:
    """The end of the magic that starts here; a backslash at the end of a row continues it."""
    if not _MAGIC.match(text, start):
        return None
    end = start
    while True:
        end = text.find("\n", end)
        if end < 0:
            return len(text)
        if text[end - 1] != "\\":
            return end
        end += 1


def _code(text: str, line: layout.LogicalLine) -> str:
    """The line without the comment at its end."""
    end = line.end
    if line.comments and "\n" not in text[line.comments[-1] : end]:
        end = line.comments[-1]
    return text[line.start : end].rstrip()


def _replacement(magic: str, in_new_block: bool) -> str:
    """The same number of rows, and a statement where a block needs one."""
    if timed := _TIMED.match(magic):
        # Its statement runs in the notebook's namespace. `pass;` is as long as `%time`, so columns stay.
        return f"{timed[1]}pass;{magic[timed.end() :]}"
    if script := _RUN.match(magic):
        above, path = "." * (script[2].count("/") + 1), script[3].replace("/", ".")
        return f"from {above}{path} import *" + _blank(magic)
    indent = magic[: len(magic) - len(magic.lstrip())]
    return (f"{indent}pass" if in_new_block else "") + _blank(magic)
