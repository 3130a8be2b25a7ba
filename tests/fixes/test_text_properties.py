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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from fixes.pipelines import programs
from hypothesis import HealthCheck, strategies as st
from rows import drawn, try_all

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.target import LAST_OF_1, Target
from tfdata_lint.lint.changing import fix_source
from tfdata_lint.lint.diagnostics import Diagnostic, PlacedEdit, PlacedFix
from tfdata_lint.lint.fixes import Pass, settle
from tfdata_lint.lint.linting import lint_source
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.pipeline import recover as pipelines
from tfdata_lint.pipeline.project.eras import target_of
from tfdata_lint.rules import all_rules
from tfdata_lint.rules.base import Finding
from tfdata_lint.source.module import Source, load
from tfdata_lint.testing.blocks import blocks

EXAMPLES = int(os.environ.get("TFDATA_LINT_EXAMPLES", "240"))
SEED = int(os.environ.get("TFDATA_LINT_SEED", "0"))
#: So that processes can share the work.
PARTS = 4

#: What they reach is covered by the tests that say what is expected; being measured takes three times as long.
pytestmark = [pytest.mark.slow, pytest.mark.no_cover]

BOM = b"\xef\xbb\xbf"

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


# ── other ways to write them ────────────────────────────────────────────────────────────────────────────────────────

Rewriting = Callable[[str, random.Random], str]
Insertion = tuple[int, str]

COMMENTS = ("# note", "#x", "# é ✓ 日本 😀", "# ds.batch(4).prefetch(1)", "# type: ignore", "#: (", "# )", "# it's \"",
            "# \\", "# noqa: E501", "# tf.data.AUTOTUNE", "# tfdata-lint: ignore[TFD999]")  # fmt: skip


def inserted(text: str, insertions: Iterable[Insertion]) -> str:
    """All of them if the code allows that, or else those that it allows."""
    from_the_end = sorted(insertions, reverse=True)
    new = text
    for position, piece in from_the_end:
        new = new[:position] + piece + new[position:]
    if is_python(new):
        return new
    for position, piece in from_the_end[:20]:
        new = text[:position] + piece + text[position:]
        text = new if is_python(new) else text
    return text


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
        if isinstance(node, (ast.stmt, ast.expr)):
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            yield node, offset(node.lineno, node.col_offset), offset(node.end_lineno, node.end_col_offset)


def some(chance: random.Random, items: Iterable[Any]) -> list[Any]:
    share = chance.choice((0.1, 0.4, 1.0))
    return [item for item in items if chance.random() < share]


def a_comment(chance: random.Random) -> str:
    return chance.choice((*COMMENTS, f"# {chance.random()}"))


def comments_behind_rows(text: str, chance: random.Random) -> str:
    ends = [start for start, _ in _ends_of_rows(text) if "#" not in text[text.rfind("\n", 0, start) + 1 : start]]
    blanks = chance.choice(("  ", " ", ""))
    return inserted(text, [(end, f"{blanks}{a_comment(chance)}") for end in some(chance, ends)])


def _ends_of_rows(text: str) -> list[tuple[int, int]]:
    """Before and behind each newline that is not part of a string, nor continues the row above."""
    ends = (tokenize.NL, tokenize.NEWLINE)
    return [(start, end) for token, start, end in tokens(text) if token.type in ends and token.string]


def comments_on_rows(text: str, chance: random.Random) -> str:
    insertions = []
    for start in some(chance, [0, *(end for _, end in _ends_of_rows(text))]):
        indent = chance.choice((_indent(text, start), "", "      "))
        insertions.append((start, f"{indent}{a_comment(chance)}\n"))
    return inserted(text, insertions)


def _indent(text: str, start: int) -> str:
    return text[start : start + len(text[start:]) - len(text[start:].lstrip(" \t"))]


def blank_rows(text: str, chance: random.Random) -> str:
    rows = ("\n", "    \n", "\f\n")
    return inserted(text, [(end, chance.choice(rows)) for _, end in some(chance, _ends_of_rows(text))])


def blanks_behind_rows(text: str, chance: random.Random) -> str:
    return inserted(text, [(start, "  ") for start, _ in some(chance, _ends_of_rows(text))])


def other_indent(text: str, chance: random.Random) -> str:
    unit = chance.choice(("\t", "  ", "        "))
    return re.sub(r"^(?:    )+", lambda blanks: unit * (len(blanks[0]) // 4), text, flags=re.MULTILINE)


def names_beyond_ascii(text: str, chance: random.Random) -> str:
    stored = {node.id for node, _, _ in nodes(text) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for name in some(chance, sorted(stored)):
        text = _renamed(text, name, f"{name}_é數據")
    return text


def _renamed(text: str, old: str, new: str) -> str:
    """With another name in the place of one; attributes stay."""
    pieces, position, before = [], 0, ""
    for token, start, end in tokens(text):
        if token.type == tokenize.NAME and token.string == old and before != ".":
            pieces += [text[position:start], new]
            position = end
        before = token.string
    return "".join(pieces) + text[position:]


def _statements_on_own_rows(text: str) -> list[tuple[int, int]]:
    found = []
    for node, start, end in nodes(text):
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and not isinstance(node, ast.Match):
            row, end_of_row = text.rfind("\n", 0, start) + 1, text.find("\n", end)
            behind = text[end : end_of_row if end_of_row >= 0 else len(text)].strip()
            if not text[row:start].strip() and (not behind or behind.startswith("#")):
                found.append((start, end))
    return sorted(found)


def code_before_on_the_row(text: str, chance: random.Random) -> str:
    code = (
        "'é😀'; ",
        "if print: ",
        "x = 1; ",
        "with open('é'): ",
        "while print: ",
        "for _ in (): ",
        "if print: '日'; ",
    )
    return inserted(text, [(start, chance.choice(code)) for start, _ in some(chance, _statements_on_own_rows(text))])


def code_behind_on_the_row(text: str, chance: random.Random) -> str:
    code = ("; print()", ";", " ; x = 'é'", "; pass;")
    return inserted(text, [(end, chance.choice(code)) for _, end in some(chance, _statements_on_own_rows(text))])


def joined_statements(text: str, chance: random.Random) -> str:
    statements = _statements_on_own_rows(text)
    for (_, end), (start, _) in reversed(some(chance, itertools.pairwise(statements))):
        if not text[end:start].strip():
            new = f"{text[:end]}; {text[start:]}"
            text = new if is_python(new) else text
    return text


def broken_chains(text: str, chance: random.Random) -> str:
    depth, before, insertions = 0, "", []
    for token, start, _ in tokens(text):
        depth += _step(token)
        if token.string == "." and before in (")", "]"):
            indent = _indent(text, text.rfind("\n", 0, start) + 1) + chance.choice(("", "    ", "         "))
            breaks = (f"\n{indent}", f"  # link\n{indent}") if depth else (f" \\\n{indent}", f"\\\n{indent}")
            insertions.append((start, chance.choice(breaks)))
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            before = token.string
    return inserted(text, some(chance, insertions))


def _step(token: tokenize.TokenInfo) -> int:
    """How many brackets deeper it goes."""
    return (token.string in ("(", "[", "{")) - (token.string in (")", "]", "}"))


def broken_brackets(text: str, chance: random.Random) -> str:
    depth, insertions = 0, []
    for token, start, _ in tokens(text):
        if depth and token.type not in (tokenize.NL, tokenize.COMMENT, tokenize.NEWLINE):
            insertions.append((start, chance.choice(("\n    ", "\n", "  # why, (\n        ", " \\\n "))))
        depth += _step(token)
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


def annotated(text: str, chance: random.Random) -> str:
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


#: Behind `|`, what comes below.
WRAPPERS = (
    "def build():", "class Build:", "if print:", "for epoch in range(2):", "while True:", "with open('é') as f:",
    "match print:\n    case str(name):", "async def build():",
    "def build(*, flag=None):\n    '''Builds it.'''\n    if flag:",
    "try:\n    pass\nexcept OSError as error:", "try:\n    pass\nfinally:", "if not print:\n    pass\nelse:",
    "class Build:\n    def build(self):", "try:\n    import nothing\nexcept ImportError:", "if True:  # why",
    "def outer():\n    def build():", "import tensorflow as tf\n@tf.function\ndef build():",
    "def build(AUTOTUNE=None):", "def build():\n    AUTOTUNE = 3\n    while AUTOTUNE:", "global AUTOTUNE\nif print:",
    "try:|except ValueError:\n    pass\n", "try:|finally:\n    print('é')\n", "if print:|else:\n    pass\n",
    "for x in ():|else:\n    pass\n",
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


_IMPORT = re.compile(r"^import tensorflow as tf$", re.MULTILINE)

#: Imports, and what is then written in another way.
IMPORTS = {
    "import tensorflow": ("tf", "tensorflow"),
    "import tensorflow.compat.v2 as tf": ("", ""),
    "import tensorflow.compat.v2 as tf2": ("tf", "tf2"),
    "import tensorflow as tflow": ("tf", "tflow"),
    "import os, tensorflow as tf, sys": ("", ""),
    "import tensorflow as tf; print(tf)": ("", ""),
    "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None": ("", ""),
    "try:\n    import tensorflow.compat.v2 as tf\nexcept ImportError:\n    import tensorflow as tf": ("", ""),
    "import tensorflow\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import tensorflow as tf":
        ("tf", "tensorflow"),
    "import tensorflow\ndef other():\n    import tensorflow as tf\n    return tf": ("tf", "tensorflow"),
    "from tensorflow import data": ("tf.data", "data"),
    "from tensorflow import data as tfd": ("tf.data", "tfd"),
    "import tensorflow.data as tfd": ("tf.data", "tfd"),
    "from tensorflow.data import Dataset": ("tf.data.Dataset", "Dataset"),
    "from tensorflow.data import Dataset  # é\nfrom tensorflow.data.experimental import AUTOTUNE":
        ("tf.data.Dataset", "Dataset"),
    "import tensorflow as tf\nAUTOTUNE = tf.data.AUTOTUNE": ("", ""),
    "import tensorflow as tf\nAUTOTUNE = tf.data.experimental.AUTOTUNE if print else 3": ("", ""),
    "import tensorflow as tf\nAUTO: int = tf.data.experimental.AUTOTUNE": ("", ""),
    "import tensorflow as tf\nfrom tensorflow.data import AUTOTUNE as TUNE": ("", ""),
    "from __future__ import annotations\nimport tensorflow as tf": ("", ""),
    "from tensorflow import (  # why\n    data as tfd,\n)\nimport tensorflow as tf": ("tf.data", "tfd"),
}  # fmt: skip


def other_imports(text: str, chance: random.Random) -> str:
    """TensorFlow under another name, or its parts."""
    new, (old, name) = chance.choice(list(IMPORTS.items()))
    if not _IMPORT.search(text):
        return text
    marked = _IMPORT.sub("import_here", text)
    if old == "tf":
        marked = _renamed(marked, old, name)
    elif old:
        marked = re.sub(rf"\b{re.escape(old)}\b", name, marked)
        if re.search(r"\btf\b", marked) and "as tf" not in new:
            new = f"import tensorflow as tf\n{new}"
    return marked.replace("import_here", new)


def import_in_functions(text: str, chance: random.Random) -> str:
    """Each function imports TensorFlow itself."""
    rows = _IMPORT.sub(chance.choice(("import numpy as np", "# no import", "")), text).split("\n")
    functions = [node for node, _, _ in nodes("\n".join(rows)) if isinstance(node, ast.FunctionDef)]
    for first in sorted((node.body[0] for node in functions), key=lambda node: -node.lineno):
        rows.insert(first.lineno - 1, " " * first.col_offset + "import tensorflow as tf")
    return "\n".join(rows)


def header(text: str, chance: random.Random) -> str:
    above = ("#!/usr/bin/env python\n", "# -*- coding: utf-8 -*-\n", '"""é.\n\nMore."""\n', "\n\n", "\f\n", "'😀'; ")
    return chance.choice(above) + text


def footer(text: str, chance: random.Random) -> str:
    return text.rstrip("\n") + chance.choice(("", "  ", "  # end", "\n\n\n", "\n# end", "\n    # end", ";"))


REWRITINGS: dict[str, Rewriting] = {
    rewrite.__name__: rewrite
    for rewrite in (
        comments_behind_rows, comments_on_rows, blank_rows, blanks_behind_rows, other_indent, names_beyond_ascii,
        code_before_on_the_row, code_behind_on_the_row, joined_statements, broken_chains, broken_brackets,
        broken_arguments, redundant_parentheses, other_arguments, other_places, annotated, other_targets, wrapped,
        other_imports, import_in_functions, header, footer,
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
        cell = chance.choice(("", "%matplotlib inline\n", "!pip install é\n", "%%time\n", "files = !ls\n")) + cell
        cell += chance.choice(("", "\n!ls", "\nprint?"))
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
            return Text(name, BOM + text.encode())
    return Text(name, text.encode())


@functools.cache
def fixable_modules() -> tuple[Text, ...]:
    return tuple(t for t in written_texts() if t.path.endswith(".py") and any(map(has_edits, found(t.data))))


@st.composite
def texts(draw: st.DrawFn) -> Text:
    """A text, rewritten."""
    numbers = st.integers(0, 2**32 - 1)
    if draw(st.integers(0, 9)) < 7:
        original = draw(st.sampled_from(fixable_modules()))
        name, text = original.name, original.data.decode()
    else:
        name, text = "random program", draw(programs())
    ways = draw(st.lists(st.tuples(st.sampled_from(sorted(REWRITINGS)), numbers), max_size=5))
    form = draw(st.sampled_from(("LF", "LF", "LF", "CRLF", "CR", "mark", "notebook", "notebook")))
    return as_file(rewritten(text, ways), form, draw(numbers), f"{name} {[way for way, _ in ways]} {form}")


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
    """The names that are read and that nothing binds when the code runs, or only something below."""
    tree = _Running().visit(ast.parse(code))
    table = symtable.symtable(ast.unparse(tree), "pipeline.py", "exec")
    return {*_unbound_in(table, frozenset()), *_read_too_early(tree)}


def _unbound_in(table: symtable.SymbolTable, of_module: frozenset[str]) -> Iterator[str]:
    symbols = table.get_symbols()
    bound = {s.get_name() for s in symbols if s.is_assigned() or s.is_imported() or s.is_parameter()}
    if table.get_type() == "module":
        of_module = frozenset({*bound, *dir(builtins), "__file__"})
    for symbol in symbols:
        name = symbol.get_name()
        from_module = symbol.is_global() or (table.get_type() == "module" and name not in bound)
        if symbol.is_referenced() and from_module and name not in of_module:
            yield name
    for child in table.get_children():
        yield from _unbound_in(child, of_module)


def _read_too_early(tree: ast.Module) -> Iterator[str]:
    """In the module and in each function: names that are read above everything that binds them there."""
    for scope in ast.walk(tree):
        if not isinstance(scope, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        arguments = [] if isinstance(scope, ast.Module) else list(ast.walk(scope.args))
        parameters = {node.arg for node in arguments if isinstance(node, ast.arg)}
        own = list(_own(scope))
        first: dict[str, int] = {}
        for name, row in _bindings(own):
            first[name] = min(row, first.get(name, row))
        for node in own:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in parameters:
                if node.lineno < first.get(node.id, 0):
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


def check_names(before: str, after: str) -> None:
    new = unbound(after) - unbound(before)
    assert not new, f"names that nothing binds: {new}"


def check_comments(before: str, after: str, codes: Iterable[str]) -> None:
    was, now = comments(before), comments(after)
    if "TFD001" in codes:
        # It removes comments; those about other things stay.
        was, now = (
            Counter(c for c in some.elements() if not re.search("tfdata-lint|TFD|^#$", c)) for some in (was, now)
        )
    assert was == now, f"other comments: {was - now} are gone, {now - was} are new"


def check_form(before: bytes, after: bytes, path: str) -> None:
    """Row endings, the mark at the beginning; of a notebook everything but the code."""
    assert (before[:3] == BOM) == (after[:3] == BOM), "the mark at the beginning"
    if path.endswith(".py"):
        was, now = (set(re.findall(rb"\r\n|\r|\n", data)) for data in (before, after))
        assert now <= (was or {b"\n"}), f"the ends of the rows were {was} and are {now}"
        return
    assert _without_code(json.loads(before)) == _without_code(json.loads(after)), "more than code has changed"
    if path == "pipeline.ipynb":
        forms = [
            json.dumps(json.loads(after), indent=1, ensure_ascii=ascii_only) + "\n" for ascii_only in (True, False)
        ]
        assert after.decode() in forms, "the notebook is written in another style"


def _without_code(notebook: dict[str, Any]) -> dict[str, Any]:
    return {**notebook, "cells": [{**cell, "source": type(cell["source"])} for cell in notebook["cells"]]}


def same_settings(text: Text, codes: Sequence[str]) -> Settings:
    """For a text that was fixed: without the idioms that are fixed it would be taken for code of another TensorFlow."""
    same = settings(codes)
    target = target_of(load(text.data, text.path), same.target_for(text.path))
    is_old = target.version == LAST_OF_1.version
    return same._replace(target_tensorflow=target._replace(is_declared=True)) if is_old else same


def check_result(text: Text, report: FileReport, codes: Sequence[str]) -> None:
    refused = [diagnostic.message for diagnostic in report.diagnostics if diagnostic.code == "TFD002"]
    assert not refused, refused[0]
    if report.after is None:
        return
    after, path = report.after, text.path
    assert broken(after, path) <= broken(text.data, path), "it does not parse any more"
    old, new = code_of(text.data, path), code_of(after, path)
    check_comments(old, new, {diagnostic.code for diagnostic in report.fixed})
    check_names(old, new)
    check_form(text.data, after, path)
    again = fix_source(after, path, same_settings(text, codes), unsafe=True, needless=True)
    assert again.after is None, f"fixing again changes it to\n{again.after.decode()}"
    left = [diagnostic for diagnostic in again.diagnostics if diagnostic.fix and diagnostic.fix.edits]
    assert not left, f"not fixed: {left[0].code} {left[0].place} {left[0].fix}"


def check_single(text: Text, fix: PlacedFix, code: str) -> None:
    """A fix that is applied alone, by hand."""
    assert (fix.applicability == "safe") or fix.reason, f"{fix.applicability} without a reason"
    assert (fix.applicability == "display-only") == (not fix.edits), f"{fix.applicability}, {len(fix.edits)} edits"
    if not fix.edits:
        return
    before = code_of(text.data, text.path)
    after = by_hand(before, text, fix.edits)
    assert after != before, "it changes nothing"
    # A cell may await, which a module must not.
    assert is_python(after) or (text.path.endswith(".ipynb") and ast.parse(after)), f"it does not parse:\n{after}"
    check_comments(before, after, [code])
    check_names(before, after)


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
    """Each pass changes the ranges of its edits and nothing else, but for where the rows of these statements break."""
    sources: list[Source] = []

    def wanted(source: Source) -> Iterator[Finding]:
        sources.append(source)
        graph = pipelines.recover(source)
        for rule in all_rules():
            if rule.code in codes:
                yield from (f for f in rule.check(graph, Target()) if f.fix and f.fix.edits)

    settled = settle(text.data, text.path, wanted)
    assert not settled.refusal, settled.refusal
    for step, after in zip(settled.passes, sources[1:], strict=True):
        expected = _with_edits(step)
        if after.text != expected:
            assert _said(after.text) == _said(expected), "a pass changes more than the ranges of its edits"


def _said(code: str) -> tuple[str, list[str]]:
    """What code means, however it is laid out, with its comments."""
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return ast.dump(ast.parse(code)), [token.string for token in tokens if token.type == tokenize.COMMENT]


def _with_edits(step: Pass) -> str:
    rows = [row.encode() for row in step.source.text.split("\n")]
    edits = [edit for finding in step.fixed if finding.fix for edit in finding.fix.bare]
    for edit in sorted(edits, key=lambda e: e.span, reverse=True):
        span = edit.span
        new = rows[span.row - 1][: span.column] + edit.text.encode() + rows[span.end_row - 1][span.end_column :]
        rows[span.row - 1 : span.end_row] = [new]
    return b"\n".join(rows).decode()


def check_fixes(text: Text, codes: Sequence[str]) -> FileReport:
    """Everything that must hold when the findings of some rules are fixed."""
    report = fix_source(text.data, text.path, settings(codes), unsafe=True, needless=True)
    try:
        check_result(text, report, codes)
        check_passes(text, codes)
    except (AssertionError, SyntaxError) as error:
        after = report.after.decode() if report.after else "unchanged"
        raise AssertionError(f"{text.name} {codes}\n{text.data.decode()}\n──── after\n{after}\n──── {error}") from None
    return report


def check_each_fix(text: Text) -> int:
    """Everything that must hold for each fix alone, also for those that a person chooses; how many there are."""
    fixes = [
        (diagnostic.code, fix)
        for diagnostic in found(text.data, text.path)
        for fix in (diagnostic.fix, *diagnostic.alternatives)
        if fix is not None
    ]
    for code, fix in fixes:
        try:
            check_single(text, fix, code)
        except (AssertionError, SyntaxError) as error:
            raise AssertionError(f"{text.name} {code} {fix}\n{text.data.decode()}\n──── {error}") from None
    return len(fixes)


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


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.thorough) for part in range(1, PARTS))])
def test_fixes_of_any_rules_on_any_text(part: int) -> None:
    counts: Counter[str] = Counter()

    def check(example: tuple[Text, Sequence[str]]) -> None:
        text, codes = example
        report = check_fixes(text, codes)
        counts.update(["texts", *(["changed"] if report.after else []), *(d.code for d in report.fixed)])
        counts["single fixes"] += check_each_fix(text)

    some_codes = st.lists(st.sampled_from(CODES), unique=True, min_size=1).map(sorted)
    for_each(st.tuples(texts(), st.one_of(st.just(CODES), some_codes)), check, part)
    print(f"part {part}: {dict(counts.most_common())}")


def written_by_file() -> dict[str, list[Text]]:
    files: dict[str, list[Text]] = {}
    for text in written_texts():
        files.setdefault(text.name.partition(":")[0], []).append(text)
    return files


#: `numpy_function` is cheaper than `py_function`, and Python all the same.
_STAYING = ("TFD202",)


@pytest.mark.parametrize("file", written_by_file())
def test_no_two_rules_fight(file: str) -> None:
    try_all(drawn(written_by_file()[file]), check_that_no_two_rules_fight, lambda text: text.name)


def check_that_no_two_rules_fight(text: Text) -> None:
    before = found(text.data, text.path)
    everything = check_fixes(text, CODES)
    check_each_fix(text)
    codes = sorted({d.code for d in (*before, *everything.fixed) if d.fix and d.fix.edits != ()})
    for pair in itertools.combinations(codes, 2) if len(codes) > 2 else ():
        check_fixes(text, pair)
    for code in codes:
        report = check_fixes(text, [code]) if len(codes) > 1 else everything
        after = lint_source(report.after or text.data, text.path, same_settings(text, [code]))
        seen, left = (sum(d.code == code for d in some) for some in (before, after.diagnostics))
        assert code in _STAYING or not seen or left + len(report.fixed) <= seen, f"{code} finds again what was fixed"


#: Texts that fixes have broken once.
DIFFICULT = (
    "import tensorflow as tf\nF = {'y': tf.io.FixedLenFeature([], tf.int64)}\n"
    "ds = tf.data.TFRecordDataset('p').map(lambda x: tf.io.parse_single_example(x, F)).batch(2)\n",
    "import tensorflow as tf\nF = {'y': tf.io.FixedLenFeature([], tf.int64)}\nds = tf.data.TFRecordDataset('p')\n"
    "ds = ds.map(lambda x: tf.io.parse_single_example(x, F))  # a\nds = ds.batch(3)\n",
    "import tensorflow as tf\ndef make(w):\n    files = tf.data.Dataset.list_files('train-*.tfrecord', shuffle=False)\n"
    "    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)\n"
    "    ds = (ds.shard)(w, 1)\n    return ds.batch(32).prefetch(2)\n",
    "import tensorflow as tf\nds = tf.data.Dataset.range(8)\nds = ds.apply(tf.data.experimental.map_and_batch(\n"
    "    lambda x: x + 1  # same\n    ,  # same\n    batch_size=2))\n",
    "import tensorflow as tf\nds = tf.data.Dataset.range(8).prefetch((tf.data.experimental).AUTOTUNE)\n",
    "import tensorflow as tf\nds = tf.data.Dataset.range(3)\nds.map(*(ds.map,))(lambda x: x)\n",
    "import tensorflow as tf\nfrom tensorflow.profiler.experimental import Trace\n"
    "iterator = iter(tf.data.Dataset.range(8).batch(2).prefetch(2))\n"
    "for step in range(4):\n    x = (\nnext\n)(iterator)\n"
    "    with Trace('train', step_num=step, _r=1):\n        tf.reduce_sum(x)\n",
)


@pytest.mark.parametrize("code", DIFFICULT)
def test_fixes_of_difficult_texts(code: str) -> None:
    text = Text("difficult", code.encode())
    check_fixes(text, CODES)
    check_each_fix(text)
