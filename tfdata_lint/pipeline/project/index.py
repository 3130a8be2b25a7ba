"""The cheap first look at a module: where it may touch a dataset, and which watched names it uses.

Everything here is text search and one pass over statements; the interpreter reads only what this points at.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping

from tfdata_lint.pipeline.knowledge import operations, renames, words
from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.code import any_between, first_row, last_name, rows_with
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.nouns.values import Symbol
from tfdata_lint.pipeline.project.bindings import blocks, imported, is_star
from tfdata_lint.pipeline.project.scopes import Scopes, dotted
from tfdata_lint.pipeline.project.search import dataset_words
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import Cells, children

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

_DYNAMIC = r"(?m)^[ \t]*(\w+) *= *(?:importlib\.)?import_module\( *['\"]([\w.]+)['\"] *\)"
_ATTRIBUTE = re.compile(r"\bself\.(\w+)(?!\w)[^=\n(]{0,500}=(?!=)")


#: How a model of Keras is made and compiled.
_MODELS = (r"\b(?:Sequential|Model)\(", r"(?<!\bre)\.compile\(")


class Definitions:
    """What a module defines and imports."""

    __slots__ = ("functions", "imports", "others", "stars")

    def __init__(self) -> None:
        self.functions: list[tuple[FunctionNode, str, ast.ClassDef | None]] = []
        """Functions and methods that are not inside other functions: node, qualified name, class."""
        self.imports: dict[str, Symbol] = {}
        """All imports of the module, those inside functions included; without what `*` brings."""
        self.others: list[tuple[str, Symbol]] = []
        """What else is imported under one of these names: `import torch_data as data`, otherwise `tf_data`."""
        self.stars: list[ast.ImportFrom] = []


class Work:
    """Where a module works on datasets."""

    __slots__ = ("data", "evident", "makes_options", "relevant")

    def __init__(
        self,
        relevant: set[str] | None = None,
        data: list[int] | None = None,
        evident: list[int] | None = None,
        makes_options: bool = False,
    ) -> None:
        self.relevant: set[str] = set() if relevant is None else relevant
        """Qualified names of the functions and methods worth interpreting on their own."""
        self.data: list[int] = [] if data is None else data
        """Rows with a dataset word, or a name of tf.data or of a module that is at work on datasets."""
        self.evident: list[int] = [] if evident is None else evident
        """Rows with a dataset word: where a method or argument that only datasets have may be."""
        self.makes_options = makes_options
        """It makes `tf.data.Options()`."""


class Index:
    """Definitions of a module and the lines where datasets may be at work."""

    __slots__ = ("definitions", "imports", "reads", "tensorflow", "work")

    def __init__(
        self, definitions: Definitions, imports: dict[str, Symbol], work: Work, tensorflow: bool, reads: frozenset[str]
    ) -> None:
        self.definitions = definitions
        self.imports = imports
        """Those of the definitions, and what `*` brings."""
        self.work = work
        self.tensorflow = tensorflow
        """TensorFlow, tfds or Keras is imported, or a module of the project that is at work on datasets."""
        self.reads = reads
        """Other files that this depends on, and names of modules that were looked up."""

    @property
    def relevant(self) -> set[str]:
        return self.work.relevant


def made_index(
    source: Source, imports: dict[str, Symbol], members: dict[str, frozenset[str]], reads: frozenset[str]
) -> Index:
    """The index of a module, linear in its statements and its text.

    Given what it imports, and which of that is at work on datasets, with which `members`.
    """
    definitions = definitions_of(source)
    roots = {symbol.name.partition(".")[0] for symbol in imports.values()}
    tensorflow = bool(members) or not roots.isdisjoint(words.LIBRARIES)
    names = frozenset(_names_of_data(imports, members, source.text)) if tensorflow else frozenset()
    work = _work(source, definitions, names) if tensorflow else Work()
    return Index(definitions, imports, work, tensorflow, reads)


def definitions_of(source: Source) -> Definitions:
    """What a module defines and imports."""
    if Definitions not in source.notes:
        found = _collect(source.tree or ast.Module([], []), rows_of(source.text, ("import",)))
        for name, module in re.findall(_DYNAMIC, source.text) if "import_module" in source.text else ():
            found.imports.setdefault(name, Symbol(module))
        source.notes[Definitions] = found
    definitions: Definitions = source.notes[Definitions]
    return definitions


def _work(source: Source, definitions: Definitions, names: frozenset[str]) -> Work:
    """Where the module works on datasets, given what they are called in it."""
    key = Work, names
    if key not in source.notes:
        source.notes[key] = _relevant(definitions, source, names)
    work: Work = source.notes[key]
    return work


def has_evidence(index: Index, first: int, last: int) -> bool:
    """Is there such a word between two rows?"""
    return any_between(index.work.evident, first, last)


def mentions_data(index: Index, first: int, last: int) -> bool:
    """Is there anything of datasets between two rows?"""
    return any_between(index.work.data, first, last)


#: Statements that hold neither definitions nor imports: nearly all of them.
_SIMPLE = frozenset({ast.Assign, ast.Expr, ast.Return, ast.AugAssign, ast.AnnAssign, ast.Raise, ast.Assert, ast.Pass,
                     ast.Delete, ast.Break, ast.Continue, ast.Global, ast.Nonlocal})  # fmt: skip


def _collect(tree: ast.Module, imports: list[int]) -> Definitions:
    """Walk statements only (never expressions) for definitions, and functions only where they import something."""
    found = Definitions()
    todo: list[tuple[list[ast.stmt], str, ast.ClassDef | None, bool]] = [(tree.body, "", None, False)]
    while todo:
        body, prefix, cls, inside = todo.pop()
        for node in body:
            if type(node) in _SIMPLE:
                continue
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                if is_star(node):
                    found.stars.append(node)
                for name, symbol in imported(node):
                    if found.imports.setdefault(name, symbol).name != symbol.name:
                        found.others.append((name, symbol))
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if not inside:
                    found.functions.append((node, prefix + node.name, cls))
                if any_between(imports, node.lineno, node.end_lineno or node.lineno):
                    todo.append((node.body, f"{prefix}{node.name}.", None, True))
            elif isinstance(node, ast.ClassDef):
                todo.append((node.body, f"{prefix}{node.name}.", node, inside))
            else:
                for block in blocks(node):
                    todo.append((block, prefix, cls, inside))
    found.functions.sort(key=lambda item: item[0].lineno)
    return found


def makes_model(source: Source, node: ast.AST) -> bool:
    """Does a function make or compile a model, by its own words?"""
    if _MODELS not in source.notes:
        source.notes[_MODELS] = rows_with(source.text, *_MODELS)
    return any_between(source.notes[_MODELS], getattr(node, "lineno", 0), getattr(node, "end_lineno", 0))


def _statement_at(tree: ast.Module, row: int) -> ast.stmt | None:
    """The last statement of the module's body that begins on a row or above it."""
    body = tree.by_row if isinstance(tree, Cells) else tree.body
    position = bisect_right(body, row, key=first_row) - 1
    return body[position] if position >= 0 else None


def outermost(tree: ast.Module, row: int) -> FunctionNode | ast.ClassDef | None:
    """The function or class of the module that a row is in."""
    node = _statement_at(tree, row)
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return None
    return node if row <= (node.end_lineno or node.lineno) else None


def _relevant(definitions: Definitions, source: Source, names: Iterable[str]) -> Work:
    """The functions that mention a dataset word, those that mention one of them by name, and so on.

    A method is also mentioned by the attributes of `self` that it sets on a line of interest, a function by the name of
    what holds it: `READERS = {"csv": read_csv}`, or a decorator that puts it there.
    """
    text = source.text
    starts = [first_row(node) for node, _, _ in definitions.functions]
    found: set[str] = set()
    asked: set[str] = set()
    evident = rows_of(text, dataset_words(text), inside=True)
    rows = {*evident, *rows_of(text, names)}
    work = Work(found, sorted(rows), evident, bool(evident) and "data.Options(" in text)
    lines = text.split("\n") if rows else []
    while rows:
        mentioned: set[str] = set()
        for row in rows:
            position = bisect_right(starts, row) - 1
            node, name, _ = definitions.functions[position] if position >= 0 else (None, "", None)
            if node is None or row > (node.end_lineno or node.lineno):
                held = {name: is_told for name, is_told in _held_in(source, row) if name not in asked}
                mentioned.update(held)
                # Other modules import these, too.
                found.update(name for name, is_told in held.items() if is_told)
                continue
            mentioned.update(_attributes_near(lines, row))
            if name not in found:
                found.add(name)
                mentioned.update(_words_for(name))
                mentioned.update(_registries(definitions, lines, node))
        rows = set(rows_of(text, mentioned - asked))
        asked |= mentioned
    return work


def _held_in(source: Source, row: int) -> Iterator[tuple[str, bool]]:
    """What a statement of the module's body binds, `READERS["csv"] = read_csv`, `class ImageNet(Reader):`; and whether
    that is a class below another one, or a table."""
    statement = _statement_at(source.tree, row) if source.tree is not None else None
    if isinstance(statement, ast.ClassDef) and any(row <= (base.end_lineno or 0) for base in statement.bases):
        yield statement.name, True
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
            is_table = isinstance(target, ast.Subscript) or isinstance(statement.value, (ast.Dict, ast.List, ast.Tuple))
            target = target.value if isinstance(target, ast.Subscript) else target
            if isinstance(target, ast.Name):
                yield target.id, is_table


def _registries(definitions: Definitions, lines: list[str], node: FunctionNode) -> Iterator[str]:
    """What the decorators of a function, which are functions of the module, put it into."""
    called = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
    wanted = {one.id for one in called if isinstance(one, ast.Name)}
    for made, name, _ in definitions.functions if wanted else ():
        if name in wanted:
            yield from re.findall(r"(\w+)\[\w+\] = ", "\n".join(lines[made.lineno : made.end_lineno]))


def rows_of(text: str, words: Iterable[str], *, inside: bool = False) -> list[int]:
    """The rows on which one of these words begins; `inside`: also as the end of a longer name or of a chain.

    Plain search beats a regular expression made for each module.
    """
    offsets: list[int] = []
    for word in words:
        offset = text.find(word)
        while offset >= 0:
            end = offset + len(word)
            before = text[offset - 1] if offset else " "
            after = text[end] if end < len(text) and word[-1] != "." else " "
            starts = inside or word[0] in ".=" or not (before.isalnum() or before in "_.")
            if starts and not (after.isalnum() or after == "_"):
                offsets.append(offset)
            offset = text.find(word, end)
    rows: list[int] = []
    row, last = 1, 0
    for offset in sorted(offsets):
        row += text.count("\n", last, offset)
        last = offset
        if not rows or rows[-1] != row:
            rows.append(row)
    return rows


def _words_for(name: str) -> Iterator[str]:
    """How other code mentions a function: by its name, a constructor by its class."""
    owner, _, last = name.rpartition(".")
    if not last.startswith("__"):
        yield f".{last}" if owner else last
    elif owner:
        yield owner.rpartition(".")[2]


def _attributes_near(lines: list[str], row: int) -> Iterator[str]:
    """The attribute that the statement around a row assigns, looked for on it and the two rows above."""
    for line in reversed(lines[max(row - 3, 0) : row]):
        if match := _ATTRIBUTE.search(line):
            yield f".{match[1]}"
            return


def _names_of_data(imports: dict[str, Symbol], members: dict[str, frozenset[str]], text: str) -> Iterator[str]:
    """What tf.data, tfds and modules that use them are called in a module, given what it imports under which names.

    Of the members of modules, which may be very many, those that its `text` reads.
    """
    for alias, symbol in imports.items():
        name = symbol.name
        if name == "tensorflow_datasets":
            yield from (f"{alias}.{word}" for word in words.TFDS_FUNCTIONS)
        elif name.startswith(words.DATA_HOMES):
            if not name.endswith("AUTOTUNE"):
                yield alias
        elif name.startswith("tensorflow_datasets."):
            if operations.lookup(name) is not None or operations.lookup(f"{name}.as_dataset") is not None:
                yield alias
        elif name.partition(".")[0] == "tensorflow" and name.count(".") <= 3:
            yield from (f"{alias}.{home}data." for home in ("", "compat.v1.", "compat.v2.", "contrib.", "v1.", "v2."))
            yield f"= {alias}.data"
        elif f"{words.SUBCLASS}.".startswith(f"{name}."):
            yield alias + words.SUBCLASS.removeprefix(name)
        elif alias in members:
            if members[alias]:
                yield from (f"{alias}.{member}" for member in members[alias] & _attributes_of(alias, text))
            else:
                yield alias


#: What is read of a module, of a module in it, and of one in that.
#: An alias by assignment of a module that has watched names, or of one of them.
_ALIASED = re.compile(
    r"^[ \t]*(\w+) *= *\w[\w.]*\.(?:profiler|experimental|backend|Trace|StepTraceAnnotation)[ \t]*$", re.MULTILINE
)
_WATCHED_ROOTS = ("tensorflow", "jax.")
_CHAIN = re.compile(r"(\w+)(?:\.(\w+)(?:\.(\w+))?)?")


def _attributes_of(name: str, text: str) -> set[str]:
    """What stands behind a name and a dot, alone and with what follows it: `data`, `data.load`."""
    found: set[str] = set()
    position = text.find(f"{name}.")
    while position >= 0:
        position += len(name) + 1
        if match := _CHAIN.match(text, position):
            parts = [part for part in match.groups() if part]
            found.update(".".join(parts[:length]) for length in range(1, len(parts) + 1))
        position = text.find(f"{name}.", position)
    return found


def symbol_uses(source: Source) -> list[SymbolUse]:
    """The uses of watched names, in source order."""
    if source.tree is None:
        return []
    imports = definitions_of(source).imports
    aliases = [alias for alias, symbol in imports.items() if _is_watched(f"{symbol.name}.")]
    # `profiler = tf.profiler.experimental`
    assigned = {found[1] for found in _ALIASED.finditer(source.text)}
    aliases += assigned
    rows = sorted({*rows_of(source.text, words.WATCHED_WORDS, inside=True), *rows_of(source.text, aliases)})
    scopes = syntax_of(source).scopes
    return list(_uses_in(source.tree, rows, imports, assigned, scopes, source.path)) if rows else []


def _uses_in(
    tree: ast.Module, rows: list[int], imports: Mapping[str, Symbol], assigned: set[str], scopes: Scopes, file: str
) -> Iterator[SymbolUse]:
    tensorflow = {alias for alias, symbol in imports.items() if plain(f"{symbol.name}.").startswith(_WATCHED_ROOTS)}
    tensorflow |= assigned
    found: list[SymbolUse] = []
    todo: list[tuple[ast.AST, ast.Call | None, ast.Call | None]] = [(tree, None, None)]
    while todo:
        node, call, apply = todo.pop()
        if isinstance(node, ast.Call):
            todo.append((node.func, node, apply))
            is_apply = isinstance(node.func, ast.Attribute) and node.func.attr == "apply"
            todo.extend((argument, None, node if is_apply else None) for argument in node.args)
            for keyword in node.keywords:
                is_first = getattr(keyword.value, "value", None) in words.CHANNELS_FIRST
                if keyword.arg == "data_format" and (is_first or not isinstance(keyword.value, ast.Constant)):
                    found.append(SymbolUse("data_format=", keyword.value, span_of(keyword.value, file), node))
                if keyword.arg in renames.ARGUMENTS and _makes_function(node, scopes):
                    span = span_of(keyword, file)
                    found.append(SymbolUse(f"tensorflow.function({keyword.arg}=)", keyword.value, span, node))
                if keyword.arg == "profile_batch" and plain(scopes.full_name(node.func)) == words.TENSORBOARD:
                    found.append(SymbolUse("profile_batch=", keyword.value, span_of(keyword, file), node))
                todo.append((keyword.value, None, None))
            continue
        if isinstance(node, ast.Attribute):
            # Of other modules it counts only that a method is none of a dataset.
            asked = imports if node.attr in words.ITERATOR_METHODS else tensorflow
            if dotted(node)[0] in asked and (name := scopes.full_name(node)):
                if _is_watched(name):
                    found.append(SymbolUse(plain(name), node, span_of(node, file), call, apply))
                continue
            if node.attr in words.ITERATOR_METHODS:
                found.append(SymbolUse(f".{node.attr}", node, attribute_span(node, file), call))
            if isinstance(node.ctx, ast.Store):
                found.extend(_old_options(node, file))
            todo.append((node.value, None, None))
            continue
        if isinstance(node, ast.Name):
            is_read = node.id in tensorflow and isinstance(node.ctx, ast.Load)
            is_known = is_read and (node.id in assigned or scopes.is_imported(node.id, node))
            if is_known and _is_watched(name := scopes.full_name(node)):
                found.append(SymbolUse(plain(name), node, span_of(node, file), call, apply))
            continue
        for child in children(node):
            if isinstance(child, ast.stmt) and not any_between(
                rows, first_row(child), child.end_lineno or child.lineno
            ):
                continue
            todo.append((child, None, None))
    found.sort(key=lambda use: (use.span.row, use.span.column))
    yield from found


def _is_watched(name: str) -> bool:
    name = plain(name)
    return name.startswith(words.WATCHED) or (last(name) == words.SET_LAYOUT and name.startswith("tensorflow.keras."))


def _makes_function(call: ast.Call, scopes: Scopes) -> bool:
    """Is it `tf.function(…)`, or `partial(tf.function, …)`?"""
    made = call.args[0] if last_name(call.func) == "partial" and call.args else call.func
    return plain(scopes.full_name(made)) == "tensorflow.function"


def _old_options(target: ast.expr, file: str) -> Iterator[SymbolUse]:
    """The options that are set, if one writes them otherwise today."""
    while isinstance(target, ast.Attribute):
        group = f"{target.value.attr}." if isinstance(target.value, ast.Attribute) else ""
        for name in (target.attr, f"{group}{target.attr}"):
            if name in renames.OPTIONS:
                yield SymbolUse(f".{name}", target, attribute_span(target, file), None)
                break
        target = target.value


def span_of(node: ast.expr | ast.stmt | ast.arg | ast.keyword, file: str) -> Span:
    """The range of a node."""
    return Span(file, node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)


def attribute_span(node: ast.Attribute, file: str, end: ast.expr | None = None) -> Span:
    """From the name of an attribute to its end, or to the end of another node (the call it is the function of)."""
    last = end or node
    row, column = node.end_lineno or node.lineno, node.end_col_offset or 0
    width = len(node.attr.encode())
    return Span(file, row, column - width, last.end_lineno or row, last.end_col_offset or column)
