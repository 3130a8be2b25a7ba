"""Fixes code that is written in many ways, and looks at the text that comes out: nothing here is run on TensorFlow.

The texts are the blocks of the pages, the examples and random programs, each rewritten at random: other layouts,
comments anywhere, other names for TensorFlow, notebooks. `TFDATA_LINT_EXAMPLES` says how many are tried,
`TFDATA_LINT_SEED` which; `pytest -rP` shows what was fixed.
"""

from __future__ import annotations

import ast
import builtins
import functools
import io
import itertools
import json
import os
import random
import re
import symtable
import textwrap
import tokenize
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, strategies as st
from markdown_blocks import blocks
from pipelines import programs

from tfdata_lint.diagnostics import Diagnostic, PlacedEdit, PlacedFix
from tfdata_lint.engine import FileReport, fix_source, lint_source
from tfdata_lint.fixes import Pass, settle
from tfdata_lint.pipeline import interpreter
from tfdata_lint.rules import all_rules
from tfdata_lint.rules.base import Finding
from tfdata_lint.settings import Settings
from tfdata_lint.source.module import Source, load
from tfdata_lint.target import Target

EXAMPLES = int(os.environ.get("TFDATA_LINT_EXAMPLES", "240"))
SEED = int(os.environ.get("TFDATA_LINT_SEED", "0"))
#: So that processes can share the work.
PARTS = 4

ROOT = Path(__file__).parents[2]
CODES = tuple(rule.code for rule in all_rules())


@dataclass(frozen=True)
class Text:
    """A module or notebook, and where it comes from."""

    name: str
    data: bytes
    path: str = "pipeline.py"


# ── the texts ───────────────────────────────────────────────────────────────────────────────────────────────────────


def is_python(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            compile(text, "pipeline.py", "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return False
    return True


def settings(codes: Iterable[str]) -> Settings:
    return Settings(select=tuple(codes))


def found(data: bytes, path: str = "pipeline.py", codes: Iterable[str] = CODES) -> tuple[Diagnostic, ...]:
    return lint_source(data, path, settings(codes)).diagnostics


def has_edits(diagnostic: Diagnostic) -> bool:
    return any(fix.edits for fix in (diagnostic.fix, *diagnostic.alternatives) if fix)


@functools.cache
def written_texts() -> tuple[Text, ...]:
    """What people wrote for the manual and its tests."""
    pages = sorted([*(ROOT / "rules").glob("*.md"), *(ROOT / "tests" / "analyser").glob("*.md")])
    texts = [Text(str(block), block.text.encode()) for page in pages for block in blocks(page) if is_python(block.text)]
    examples = sorted([*(ROOT / "examples").glob("*.py"), *(ROOT / "examples").glob("*.ipynb")])
    return (*texts, *(Text(file.name, file.read_bytes(), file.name) for file in examples))


@functools.cache
def fixable_texts() -> tuple[Text, ...]:
    return tuple(text for text in written_texts() if any(map(has_edits, found(text.data, text.path))))


# ── other ways to write them ────────────────────────────────────────────────────────────────────────────────────────

Rewriting = Callable[[str, random.Random], str]
Insertion = tuple[int, str]

COMMENTS = ("# note", "#x", "# é ✓ 日本 😀", "# ds.batch(4).prefetch(1)", "# type: ignore", "#: (", "# )", "# it's \"", "# \\",
            "# noqa: E501", "# tf.data.AUTOTUNE", "# tfdata-lint: ignore[TFD999]")  # fmt: skip


def rewriting(name: str) -> Rewriting:
    return REWRITINGS[name]


def inserted(text: str, insertions: Iterable[Insertion]) -> str:
    """Without what would break the code: first all of them are tried, then one after the other."""
    positions = sorted(insertions, reverse=True)
    new = text
    for position, piece in positions:
        new = new[:position] + piece + new[position:]
    if is_python(new):
        return new
    for position, piece in positions[:20]:
        new = text[:position] + piece + text[position:]
        text = new if is_python(new) else text
    return text


def starts_of_rows(text: str) -> list[int]:
    return [0, *itertools.accumulate(map(len, text.splitlines(keepends=True)))]


def tokens(text: str) -> Iterator[tuple[tokenize.TokenInfo, int, int]]:
    """Every token with its offsets."""
    rows = [0, *itertools.accumulate(len(row) + 1 for row in text.split("\n"))]
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        yield token, rows[token.start[0] - 1] + token.start[1], rows[token.end[0] - 1] + token.end[1]


def nodes(text: str) -> Iterator[tuple[Any, int, int]]:
    """Every node that has a place, with its offsets."""
    rows = [row.encode() for row in text.split("\n")]
    starts = [0, *itertools.accumulate(len(row.decode()) + 1 for row in rows)]

    def offset(row: int, column: int) -> int:
        return starts[row - 1] + len(rows[row - 1][:column].decode())

    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.stmt, ast.expr)) and not _is_in_string(node):
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            yield node, offset(node.lineno, node.col_offset), offset(node.end_lineno, node.end_col_offset)


def _is_in_string(node: ast.AST) -> bool:
    # Before 3.12 the nodes inside an f-string have wrong places.
    return isinstance(node, (ast.JoinedStr, ast.FormattedValue))


def some(chance: random.Random, items: Iterable[Any]) -> list[Any]:
    share = chance.choice((0.1, 0.4, 1.0))
    return [item for item in items if chance.random() < share]


def a_comment(chance: random.Random) -> str:
    return chance.choice((*COMMENTS, f"# {chance.random()}"))


def comments_behind_rows(text: str, chance: random.Random) -> str:
    ends = []
    previous = None
    for token, start, _ in tokens(text):
        if token.type in (tokenize.NL, tokenize.NEWLINE) and token.string and previous != tokenize.COMMENT:
            ends.append(start)
        previous = token.type
    space = chance.choice(("  ", " ", ""))
    return inserted(text, [(end, f"{space}{a_comment(chance)}") for end in some(chance, ends)])


def _between_rows(text: str) -> list[int]:
    ends = [end for token, _, end in tokens(text) if token.type in (tokenize.NL, tokenize.NEWLINE) and token.string]
    return [0, *ends]


def comments_on_rows(text: str, chance: random.Random) -> str:
    insertions = []
    for start in some(chance, _between_rows(text)):
        indent = chance.choice((re.compile("[ \t]*").match(text, start)[0], "", "      "))  # type: ignore[index]
        insertions.append((start, f"{indent}{a_comment(chance)}\n"))
    return inserted(text, insertions)


def blank_rows(text: str, chance: random.Random) -> str:
    return inserted(
        text, [(start, chance.choice(("\n", "    \n", "\f\n"))) for start in some(chance, _between_rows(text))]
    )


def blanks_behind_rows(text: str, chance: random.Random) -> str:
    ends = [start for token, start, _ in tokens(text) if token.type in (tokenize.NL, tokenize.NEWLINE) and token.string]
    return inserted(text, [(end, "  ") for end in some(chance, ends)])


def other_indent(text: str, chance: random.Random) -> str:
    unit = chance.choice(("\t", "  ", "        "))
    return re.sub(r"^(?:    )+", lambda blanks: unit * (len(blanks[0]) // 4), text, flags=re.MULTILINE)


def names_beyond_ascii(text: str, chance: random.Random) -> str:
    assigned = sorted(
        {node.id for node, _, _ in nodes(text) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    )
    new = {name: f"{name}_é数據" for name in some(chance, assigned)}
    pieces, position, before = [], 0, ""
    for token, start, end in tokens(text):
        if token.type == tokenize.NAME and token.string in new and before != ".":
            pieces += [text[position:start], new[token.string]]
            position = end
        before = token.string
    return "".join(pieces) + text[position:]


def _simple_statements(text: str) -> list[tuple[ast.stmt, int, int]]:
    """Statements that stand alone on their rows."""
    compound = (
        ast.If,
        ast.For,
        ast.While,
        ast.With,
        ast.Try,
        ast.FunctionDef,
        ast.ClassDef,
        ast.AsyncFunctionDef,
        ast.Match,
    )
    found = []
    for node, start, end in nodes(text):
        if isinstance(node, ast.stmt) and not isinstance(node, (*compound, ast.AsyncFor, ast.AsyncWith)):
            row = text.rfind("\n", 0, start) + 1
            end_of_row = text.find("\n", end)
            if not text[row:start].strip() and re.fullmatch(
                r"[ \t]*(?:#.*)?", text[end : end_of_row if end_of_row >= 0 else None]
            ):
                found.append((node, start, end))
    return found


def code_before_on_the_row(text: str, chance: random.Random) -> str:
    prefixes = (
        "'é😀'; ",
        "if print: ",
        "x = 1; ",
        "with open('é'): ",
        "while print: ",
        "for _ in (): ",
        "if print: '日'; ",
    )
    return inserted(text, [(start, chance.choice(prefixes)) for _, start, _ in some(chance, _simple_statements(text))])


def code_behind_on_the_row(text: str, chance: random.Random) -> str:
    return inserted(
        text,
        [
            (end, chance.choice(("; print()", ";", " ; x = 'é'", "; pass;")))
            for _, _, end in some(chance, _simple_statements(text))
        ],
    )


def joined_statements(text: str, chance: random.Random) -> str:
    statements = sorted(_simple_statements(text), key=lambda s: s[1])
    for (_, _, end), (_, start, _) in reversed(some(chance, itertools.pairwise(statements))):
        if not text[end:start].strip():
            new = f"{text[:end]}; {text[start:]}"
            text = new if is_python(new) else text
    return text


def broken_chains(text: str, chance: random.Random) -> str:
    depth, before, insertions = 0, "", []
    for token, start, _ in tokens(text):
        depth += (token.string in ("(", "[", "{")) - (token.string in (")", "]", "}"))
        if token.string == "." and before in (")", "]"):
            row = text.rfind("\n", 0, start) + 1
            indent = re.compile("[ \t]*").match(text, row)[0] + chance.choice(("", "    ", "         "))  # type: ignore[index]
            breaks = (f"\n{indent}", f"  # link\n{indent}") if depth else (f" \\\n{indent}", f"\\\n{indent}")
            insertions.append((start, chance.choice(breaks)))
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            before = token.string
    return inserted(text, some(chance, insertions))


def broken_brackets(text: str, chance: random.Random) -> str:
    depth, insertions = 0, []
    for token, start, _ in tokens(text):
        if depth and token.type not in (tokenize.NL, tokenize.COMMENT, tokenize.NEWLINE):
            insertions.append((start, chance.choice(("\n    ", "\n", "  # why, (\n        ", " \\\n "))))
        depth += (token.string in ("(", "[", "{")) - (token.string in (")", "]", "}"))
    return inserted(text, [insertion for insertion in insertions if chance.random() < 0.1])


def broken_arguments(text: str, chance: random.Random) -> str:
    """On rows of their own, with a comma behind the last or without."""
    insertions: list[Insertion] = []
    for node, _, end in nodes(text):
        if isinstance(node, ast.Call) and (node.args or node.keywords):
            insertions.append((end - 1, chance.choice((",", ",\n", "  ,  # last\n", "\n", "\n    # closing\n"))))
    for node, start, _ in nodes(text):
        if isinstance(node, ast.expr) and text[:start].rstrip().endswith(("(", ",")):
            insertions.append((start, chance.choice(("\n        ", "  # é\n    "))))
    return inserted(text, some(chance, insertions))


def _repeated(text: str, chance: random.Random, kind: type, change: Callable[[Any, str], str]) -> str:
    """With the code of some nodes changed, one after the other."""
    for _ in range(chance.choice((1, 3, 8))):
        places = [place for place in nodes(text) if isinstance(place[0], kind)]
        if places:
            node, start, end = chance.choice(places)
            new = text[:start] + change(node, text[start:end]) + text[end:]
            text = new if is_python(new) else text
    return text


def redundant_parentheses(text: str, chance: random.Random) -> str:
    pairs = ("({})", "( {} )", "(({}))", "(\n{}\n)", "(  # é\n{}  # end\n)")
    return _repeated(text, chance, ast.expr, lambda _, code: chance.choice(pairs).format(code))


def other_arguments(text: str, chance: random.Random) -> str:
    """Packed in tuples and dictionaries."""
    forms = (r"(*(\1,))", r"(**{'é': \1})", r"(\1, *())", r"(\1, **{})", r"(*(), \1)", r"(**{}, \1)")

    def packed(node: ast.Call, code: str) -> str:
        function = ast.unparse(node.func)
        return function + re.sub(r"(?s)^\((.*?),?\s*\)$", chance.choice(forms), code.removeprefix(function))

    return _repeated(text, chance, ast.Call, packed)


PLACES = ("(lambda: {})()", "[{} for _ in (1,)][0]", "{} if print else None", "(kept := {})", "print(f'{{{}}}')",
          "[{}][0]", "{{'é': {}}}['é']", "None or {}", "(yield {})", "list(({}, *[]))", "next(x for x in ({},))",
          "print({})", "print(ds={})")  # fmt: skip


def other_places(text: str, chance: random.Random) -> str:
    """Values inside of other expressions."""
    return _repeated(text, chance, ast.Call, lambda _, code: chance.choice(PLACES).format(code))


def annotations(text: str, chance: random.Random) -> str:
    ends = [
        (start + len(node.targets[0].id), chance.choice((": 'tf.data.Dataset'", ": object", " : dict[str, int]")))
        for node, start, _ in nodes(text)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
    ]
    return inserted(text, some(chance, ends))


def other_targets(text: str, chance: random.Random) -> str:
    values = []
    for node, start, _ in nodes(text):
        if isinstance(node, ast.Assign):
            values.append((start, chance.choice(("other = ", "self.ds = ", "kept['é'] = ", "a, *b = "))))
    return inserted(text, some(chance, values))


WRAPPERS = (
    "def build():", "class Build:", "if print:", "for epoch in range(2):", "while True:", "with open('é') as f:",
    "match print:\n    case str(name):", "async def build():", "def build(*, flag=None):\n    '''Builds it.'''\n    if flag:",
    "try:\n    pass\nexcept OSError as error:", "try:\n    pass\nfinally:", "if not print:\n    pass\nelse:",
    "class Build:\n    def build(self):", "try:\n    import nothing\nexcept ImportError:", "if True:  # why",
    "def outer():\n    def build():", "import tensorflow as tf\n@tf.function\ndef build():", "def build(AUTOTUNE=None):",
    "try:|except ValueError:\n    pass\n", "try:|finally:\n    print('é')\n", "if print:|else:\n    pass\n",
    "for x in ():|else:\n    pass\n", "def build():\n    AUTOTUNE = 3\n    while AUTOTUNE:", "global AUTOTUNE\nif print:",
)  # fmt: skip


def wrapped(text: str, chance: random.Random) -> str:
    """Everything, or what comes after the imports, below another statement."""
    rows = text.split("\n")
    imports = [node.end_lineno or 0 for node in ast.parse(text).body if isinstance(node, (ast.Import, ast.ImportFrom))]
    cut = chance.choice((0, max(imports, default=0)))
    wrapper, _, end = chance.choice(WRAPPERS).partition("|")
    blanks = re.match(" *", wrapper.rpartition("\n")[2])
    assert blanks is not None
    body = textwrap.indent("\n".join(rows[cut:]).rstrip("\n"), blanks[0] + "    ")
    return "\n".join([*rows[:cut], wrapper, body, end + chance.choice(("", "print('é')\n"))])


def _renamed(text: str, old: str, new: str) -> str:
    """With another name in the place of one, not of attributes."""
    pieces, position, before = [], 0, ""
    for token, start, end in tokens(text):
        if token.type == tokenize.NAME and token.string == old and before != ".":
            pieces += [text[position:start], new]
            position = end
        before = token.string
    return "".join(pieces) + text[position:]


_IMPORT = re.compile(r"^import tensorflow as tf$", re.MULTILINE)

IMPORTS = {
    "import tensorflow": ("tf", "tensorflow"),
    "import tensorflow.compat.v2 as tf": ("", ""),
    "import tensorflow.compat.v2 as tf2": ("tf", "tf2"),
    "import tensorflow as tflow": ("tf", "tflow"),
    "import os, tensorflow as tf, sys": ("", ""),
    "import tensorflow as tf; print(tf)": ("", ""),
    "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None": ("", ""),
    "try:\n    import tensorflow.compat.v2 as tf\nexcept ImportError:\n    import tensorflow as tf": ("", ""),
    "import tensorflow\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import tensorflow as tf": ("tf", "tensorflow"),
    "import tensorflow\ndef other():\n    import tensorflow as tf\n    return tf": ("tf", "tensorflow"),
    "from tensorflow import data": ("tf.data", "data"),
    "from tensorflow import data as tfd": ("tf.data", "tfd"),
    "import tensorflow.data as tfd": ("tf.data", "tfd"),
    "from tensorflow.data import Dataset": ("tf.data.Dataset", "Dataset"),
    "from tensorflow.data import Dataset  # é\nfrom tensorflow.data.experimental import AUTOTUNE": ("tf.data.Dataset", "Dataset"),
    "import tensorflow as tf\nAUTOTUNE = tf.data.AUTOTUNE": ("", ""),
    "import tensorflow as tf\nAUTOTUNE = tf.data.experimental.AUTOTUNE if print else 3": ("", ""),
    "import tensorflow as tf\nAUTO: int = tf.data.experimental.AUTOTUNE": ("", ""),
    "import tensorflow as tf\nfrom tensorflow.data import AUTOTUNE as TUNE": ("", ""),
    "from __future__ import annotations\nimport tensorflow as tf": ("", ""),
    "from tensorflow import (  # why\n    data as tfd,\n)\nimport tensorflow as tf": ("tf.data", "tfd"),
}  # fmt: skip


def other_imports(text: str, chance: random.Random) -> str:
    new, (old, name) = chance.choice(sorted(IMPORTS.items()))
    if not _IMPORT.search(text):
        return text
    marked = _IMPORT.sub("import_here", text)
    if old == "tf":
        marked = _renamed(marked, old, name)
    elif old:
        marked = re.sub(rf"\b{re.escape(old)}\b", name, marked)
        if re.search(r"\btf\b", marked) and "as tf" not in new:
            new = f"import tensorflow as tf\n{new}"
    return re.sub("^import_here$", lambda _: new, marked, flags=re.MULTILINE)


def import_in_functions(text: str, chance: random.Random) -> str:
    """Each function imports TensorFlow itself."""
    if not _IMPORT.search(text):
        return text
    rows = _IMPORT.sub(chance.choice(("import numpy as np", "# no import", "")), text).split("\n")
    functions = sorted({node.body[0].lineno: node.body[0].col_offset for node in ast.walk(ast.parse("\n".join(rows)))
                        if isinstance(node, ast.FunctionDef)}.items(), reverse=True)  # fmt: skip
    for row, column in functions:
        rows.insert(row - 1, " " * column + "import tensorflow as tf")
    return "\n".join(rows)


def header(text: str, chance: random.Random) -> str:
    return (
        chance.choice(
            ("#!/usr/bin/env python\n", "# -*- coding: utf-8 -*-\n", '"""é.\n\nMore."""\n', "\n\n", "\f\n", "'😀'; ")
        )
        + text
    )


def footer(text: str, chance: random.Random) -> str:
    return text.rstrip("\n") + chance.choice(("", "  ", "  # end", "\n\n\n", "\n# end", "\n    # end", ";"))


REWRITINGS: dict[str, Rewriting] = {
    rewrite.__name__: rewrite
    for rewrite in (
        comments_behind_rows, comments_on_rows, blank_rows, blanks_behind_rows, other_indent, names_beyond_ascii,
        code_before_on_the_row, code_behind_on_the_row, joined_statements, broken_chains, broken_brackets,
        broken_arguments, redundant_parentheses, other_arguments, other_places, annotations, other_targets, wrapped, other_imports,
        import_in_functions, header, footer,
    )
}  # fmt: skip


def rewritten(text: str, ways: Sequence[tuple[str, int]]) -> str:
    for name, seed in ways:
        try:
            new = REWRITINGS[name](text, random.Random(seed))
        except (tokenize.TokenError, SyntaxError):
            continue
        text = new if is_python(new) else text
    return text


def as_notebook(text: str, chance: random.Random) -> bytes:
    """In cells, between magics."""
    rows = text.split("\n")
    body = ast.parse(text).body
    firsts = [min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))]) for node in body[1:]]
    ends = [node.end_lineno or 0 for node in body]
    cuts = [first - 1 for first, end in zip(firsts, ends, strict=False) if first > end and chance.random() < 0.5]
    cells: list[dict[str, Any]] = [{"cell_type": "markdown", "metadata": {}, "source": "# é"}]
    for start, end in itertools.pairwise([0, *cuts, len(rows)]):
        cell = "\n".join(rows[start:end])
        cell = chance.choice(("", "", "%matplotlib inline\n", "!pip install é\n", "%%time\n", "files = !ls\n")) + cell
        cell += chance.choice(("", "", "\n!ls", "\nprint?"))
        source = cell if chance.random() < 0.3 else cell.splitlines(keepends=True)
        cells.append(
            {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": ["a\\u00e9"], "source": source}
        )
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(notebook, indent=1, ensure_ascii=chance.random() < 0.5) + "\n").encode()


def as_file(text: str, form: str, seed: int, name: str) -> Text:
    match form:
        case "notebook":
            return Text(name, as_notebook(text, random.Random(seed)), "pipeline.ipynb")
        case "CRLF" | "CR":
            return Text(name, text.replace("\n", "\r\n" if form == "CRLF" else "\r").encode())
        case "mark":
            return Text(name, b"\xef\xbb\xbf" + text.encode())
    return Text(name, text.encode())


@st.composite
def texts(draw: st.DrawFn) -> Text:
    """A text, rewritten."""
    numbers = st.integers(0, 2**32 - 1)
    if draw(st.integers(0, 9)) < 7:
        original = draw(st.sampled_from(modules()))
        name, text = original.name, original.data.decode()
    else:
        name, text = "random program", draw(programs())
    ways = draw(st.lists(st.tuples(st.sampled_from(sorted(REWRITINGS)), numbers), max_size=5))
    form = draw(st.sampled_from(("LF", "LF", "LF", "CRLF", "CR", "mark", "notebook", "notebook")))
    return as_file(rewritten(text, ways), form, draw(numbers), f"{name} {[way for way, _ in ways]} {form}")


@functools.cache
def modules() -> tuple[Text, ...]:
    return tuple(text for text in fixable_texts() if text.path.endswith(".py"))


# ── what must hold ──────────────────────────────────────────────────────────────────────────────────────────────────


def code_of(data: bytes, path: str) -> str:
    """The Python in a file."""
    return load(data, path).text


def broken(data: bytes, path: str) -> int:
    """How many cells, or files, cannot be compiled."""
    source = load(data, path)
    if source.cells:
        rows = source.text.split("\n")
        return sum(not is_python("\n".join(rows[cell.first - 1 : cell.last])) for cell in source.cells)
    return len(source.problems) + (not is_python(source.text))


def comments(code: str) -> Counter[str]:
    read = io.StringIO(code).readline
    return Counter(t.string.rstrip() for t in tokenize.generate_tokens(read) if t.type == tokenize.COMMENT)


def unbound(code: str) -> set[str]:
    """The names that are read and that nothing binds, or only something below."""
    return set(_unbound_in(symtable.symtable(code, "pipeline.py", "exec"), frozenset())) | set(_read_too_early(code))


def _unbound_in(table: symtable.SymbolTable, of_module: frozenset[str]) -> Iterator[str]:
    symbols = table.get_symbols()
    bound = {s.get_name() for s in symbols if s.is_assigned() or s.is_imported() or s.is_parameter()}
    if table.get_type() == "module":
        of_module = frozenset(bound | set(dir(builtins)) | {"__file__"})
    for symbol in symbols:
        name = symbol.get_name()
        free = symbol.is_global() or (table.get_type() == "module" and name not in bound)
        if symbol.is_referenced() and free and name not in of_module:
            yield name
    for child in table.get_children():
        yield from _unbound_in(child, of_module)


def _read_too_early(code: str) -> Iterator[str]:
    """In the module itself and in each function: names that are read above everything that binds them."""
    tree = _Running().visit(ast.parse(code))
    for scope in ast.walk(tree):
        if isinstance(scope, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)):
            own = list(_own(scope))
            first: dict[str, int] = {}
            for name, row in _bindings(own):
                first[name] = min(row, first.get(name, row))
            for node in own:
                if (
                    isinstance(node, ast.Name)
                    and isinstance(node.ctx, ast.Load)
                    and node.lineno < first.get(node.id, 0)
                ):
                    if not (
                        isinstance(scope, ast.Module)
                        or node.id not in {a.arg for a in ast.walk(scope.args) if isinstance(a, ast.arg)}
                    ):
                        continue
                    yield node.id


class _Running(ast.NodeTransformer):
    """Without what is there for type checkers only."""

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if "TYPE_CHECKING" in ast.unparse(node.test):
            node.body = [ast.copy_location(ast.Pass(), node)]
        return node


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    todo = list(ast.iter_child_nodes(scope))
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            todo += ast.iter_child_nodes(node)


def _bindings(own: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    for node in own:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node.lineno
            case ast.Import() | ast.ImportFrom():
                for alias in node.names:
                    yield alias.asname or alias.name.partition(".")[0], node.lineno


def check_names(before: bytes, after: bytes, path: str) -> None:
    new = unbound(code_of(after, path)) - unbound(code_of(before, path))
    assert not new, f"names that nothing binds: {new}"


def check_comments(before: bytes, after: bytes, path: str, codes: set[str]) -> None:
    was, now = comments(code_of(before, path)), comments(code_of(after, path))
    if "TFD001" in codes:
        was, now = (
            {c: n for c, n in found.items() if not re.search("tfdata-lint|noqa|TFD", c)} for found in (was, now)
        )  # type: ignore[assignment]
    assert was == now, f"comments: {was} became {now}"


def check_form(before: bytes, after: bytes, path: str) -> None:
    """Row endings, the mark at the beginning, the style of a notebook."""
    assert before[:3] == b"\xef\xbb\xbf" or after[:3] != b"\xef\xbb\xbf"
    if path.endswith(".py"):
        endings = [{e for e in re.findall(rb"\r\n|\r|\n", data)} for data in (before, after)]
        assert endings[1] <= (endings[0] or {b"\n"}), f"row endings: {endings}"
        return
    was, now = json.loads(before), json.loads(after)
    for one, other in zip(was["cells"], now["cells"], strict=True):
        sources = one.pop("source"), other.pop("source")
        assert type(sources[0]) is type(sources[1])
        one["source"] = other["source"] = ""
    assert was == now
    if path == "pipeline.ipynb":
        styles = [
            json.dumps(json.loads(data), indent=1, ensure_ascii=a) + "\n" for data in (after,) for a in (True, False)
        ]
        assert after.decode() in styles


def check_result(text: Text, report: FileReport, codes: Sequence[str]) -> None:
    refused = [d.message for d in report.diagnostics if d.code == "TFD002"]
    assert not refused, refused
    if report.after is None:
        return
    after, path = report.after, text.path
    assert broken(after, path) <= broken(text.data, path), "it does not parse any more"
    check_comments(text.data, after, path, {d.code for d in report.fixed})
    check_names(text.data, after, path)
    check_form(text.data, after, path)
    again = fix_source(after, path, settings(codes), unsafe=True)
    assert again.after is None, f"fixing again changes:\n{again.after.decode()}"
    if path.endswith(".py"):
        left = [d for d in report.diagnostics if d.fix and d.fix.edits]
        assert not left, f"not fixed: {left[0].code} {left[0].place} {left[0].fix}"


def check_single(text: Text, fix: PlacedFix, code: str) -> None:
    """A fix that is applied alone, by hand."""
    if fix.applicability == "display-only":
        assert not fix.edits, "display-only with edits"
        assert fix.reason, "display-only without a reason"
        return
    assert fix.edits, f"{fix.applicability} without edits"
    assert fix.applicability == "safe" or fix.reason, "unsafe without a reason"
    before = code_of(text.data, text.path)
    after = by_hand(before, text, fix.edits)
    if not load(text.data, text.path).cells:
        assert is_python(after), f"it does not parse any more:\n{after}"
    else:
        ast.parse(after)
    if code != "TFD001":
        assert comments(before) == comments(after), f"other comments\n{after}"
    new = unbound(after) - unbound(before)
    assert not new, f"names that nothing binds: {new}"
    assert after != before, "changes nothing"


def by_hand(code: str, text: Text, edits: Iterable[PlacedEdit]) -> str:
    """The code with edits, whose places count from 1, in characters, in notebooks within a cell."""
    firsts = {cell.number: cell.first for cell in load(text.data, text.path).cells}
    starts = [0, *itertools.accumulate(len(row) + 1 for row in code.split("\n"))]
    ends = len(code) + 1
    for edit in sorted(edits, key=_range, reverse=True):
        shift = firsts[edit.place.cell] - 1 if edit.place.cell else 0
        start = starts[edit.place.row + shift - 1] + edit.place.column - 1
        end = starts[edit.place.end_row + shift - 1] + edit.place.end_column - 1
        assert start <= end <= ends, "edits overlap"
        code, ends = code[:start] + edit.text + code[end:], start
    return code


def _range(edit: PlacedEdit) -> tuple[int, int, int, int, int]:
    place = edit.place
    return place.cell or 0, place.row, place.column, place.end_row, place.end_column


def check_passes(text: Text, codes: Sequence[str]) -> None:
    """Each pass changes the ranges of its edits and nothing else."""
    sources: list[Source] = []

    def wanted(source: Source) -> Iterator[Finding]:
        sources.append(source)
        graph = interpreter.recover(source)
        for rule in all_rules():
            if rule.code in codes:
                yield from (f for f in rule.check(graph, Target()) if f.fix and f.fix.edits)

    settled = settle(text.data, text.path, wanted)
    assert not settled.refusal, settled.refusal
    for step, after in zip(settled.passes, sources[1:], strict=True):
        assert after.text == _with_edits(step), "a pass changes more than the ranges of its edits"


def _with_edits(step: Pass) -> str:
    rows = [row.encode() for row in step.source.text.split("\n")]
    edits = [edit for finding in step.fixed if finding.fix for edit in finding.fix.edits]
    for edit in sorted(edits, key=lambda e: astuple(e.span), reverse=True):
        span = edit.span
        new = rows[span.row - 1][: span.column] + edit.text.encode() + rows[span.end_row - 1][span.end_column :]
        rows[span.row - 1 : span.end_row] = [new]
    return b"\n".join(rows).decode()


def check_all(text: Text, codes: Sequence[str]) -> FileReport:
    report = fix_source(text.data, text.path, settings(codes), unsafe=True)
    try:
        check_result(text, report, codes)
        check_passes(text, codes)
    except AssertionError as error:
        after = report.after.decode() if report.after else "unchanged"
        fixed = [d.code for d in report.fixed]
        raise AssertionError(
            f"{text.name} {codes}: {fixed}\n{text.data.decode()}\n────\n{after}\n──── {error}"
        ) from None
    return report


def check_each_fix(text: Text) -> int:
    number = 0
    for diagnostic in found(text.data, text.path):
        for fix in filter(None, (diagnostic.fix, *diagnostic.alternatives)):
            number += 1
            try:
                check_single(text, fix, diagnostic.code)
            except AssertionError as error:
                raise AssertionError(
                    f"{text.name} {diagnostic.code} {fix}\n{text.data.decode()}\n──── {error}"
                ) from None
    return number


# ── tests ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def for_each(strategy: st.SearchStrategy[Any], check: Callable[[Any], None], part: int) -> None:
    @hypothesis.seed(PARTS * SEED + part)
    @hypothesis.settings(
        max_examples=EXAMPLES // PARTS, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @hypothesis.given(strategy)
    def check_each(example: Any) -> None:
        check(example)

    check_each()


@pytest.mark.parametrize("part", range(PARTS))
def test_fixes_of_any_rules_on_any_text(part: int) -> None:
    counts: Counter[str] = Counter()

    def check(example: tuple[Text, list[str]]) -> None:
        text, codes = example
        report = check_all(text, codes)
        check_each_fix(text)
        counts.update(["texts", *(["changed"] if report.after else []), *(d.code for d in report.fixed)])

    subsets = st.one_of(st.just(list(CODES)), st.lists(st.sampled_from(CODES), unique=True, min_size=1).map(sorted))
    for_each(st.tuples(texts(), subsets), check, part)
    print(f"part {part}: {dict(counts.most_common())}")


@pytest.mark.parametrize("text", written_texts(), ids=lambda text: text.name)
def test_fixes_of_all_rules(text: Text) -> None:
    check_all(text, CODES)
    check_each_fix(text)


@pytest.mark.parametrize("text", fixable_texts(), ids=lambda text: text.name)
def test_no_two_rules_fight(text: Text) -> None:
    before = Counter(d.code for d in found(text.data, text.path))
    all_of_them = fix_source(text.data, text.path, settings(CODES), unsafe=True)
    codes = sorted({d.code for d in (*all_of_them.fixed, *found(text.data, text.path)) if d.fix and d.fix.edits})
    for code in codes:
        report = check_all(text, [code])
        left = Counter(d.code for d in report.diagnostics)
        assert left[code] + len(report.fixed) <= max(before[code], 1), f"{code} finds again what was fixed"
    for pair in itertools.combinations(codes, 2):
        check_all(text, pair)
