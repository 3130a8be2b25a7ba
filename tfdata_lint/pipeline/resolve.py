"""What the names of other modules stand for: the one door out of the module being read.

Import statements become full names; those of the project lead to a file next to the one being read, in the way Python
would find it: below the folders above, or in `src` below them. Only text is read. Libraries are never looked into:
TensorFlow is understood through `operations.py`.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tfdata_lint.pipeline.search import mentions_datasets
from tfdata_lint.pipeline.values import Symbol
from tfdata_lint.source.module import Source, load, read

if TYPE_CHECKING:
    from tfdata_lint.pipeline.index import Index

#: Roots of names that are never a module of the project.
LIBRARIES = frozenset(
    {"tensorflow", "tensorflow_datasets", "keras", "tf_keras", "numpy", "builtins", "os", "functools", "typing", "absl"}
)
#: Folders above a file that may hold the packages it imports, at most.
_LEVELS = 8
_LARGEST = 1_000_000
#: Modules kept parsed.
_KEPT = 128
#: How far names are followed from a module that is linted, and from those that it imports. A module that is parsed for
#: its words takes two steps, one that only hands on what it imports takes one.
HOME, ABROAD = 6, 4
_PARSED = 2
_FROM = re.compile(rb"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|(?:[^\n\\]|\\\n)*)", re.MULTILINE)
_COMMENT = re.compile(r"#.*")


@dataclass(slots=True, eq=False)
class Module:
    """The top level of a module of the project, by name."""

    source: Source
    bindings: dict[str, list[ast.stmt]] = field(default_factory=dict)
    """The statements that bind a name, in order."""
    stars: list[ast.ImportFrom] = field(default_factory=list)
    indices: dict[int, Index] = field(default_factory=dict)
    """By how far names are followed."""


def imported(node: ast.Import | ast.ImportFrom, file: str = "") -> Iterator[tuple[str, Symbol]]:
    """The names an import statement binds, with what they stand for. Relative modules keep their dots.

    With the file that it stands in, also those that `*` brings from a module of the project.
    """
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname:
                yield alias.asname, Symbol(alias.name)
            else:
                root = alias.name.partition(".")[0]
                yield root, Symbol(root)
        return
    for alias in node.names:
        if alias.name != "*":
            yield alias.asname or alias.name, Symbol(member(node, alias.name))
        elif place := locate(member(node, ""), file) if file else None:
            found = module(place[0])
            public = (name for name in found.bindings if not name.startswith("_")) if found else ()
            yield from ((name, Symbol(member(node, name))) for name in public)


def member(node: ast.ImportFrom, name: str) -> str:
    """The full name of what is imported from a module under this name."""
    module = "." * node.level + (node.module or "")
    return f"{module}{'' if module.endswith('.') or not module or not name else '.'}{name}"


def locate(name: str, file: str) -> tuple[str, tuple[str, ...]] | None:
    """The file of the module that a full name leads to, seen from a file, and what is left of the name.

    None for a name that is no module of the project.
    """
    folder = os.path.dirname(os.path.abspath(file))
    if name.startswith("."):
        inner = name.lstrip(".")
        for _ in range(len(name) - len(inner) - 1):
            folder = os.path.dirname(folder)
        return _below(folder, tuple(inner.split(".")))
    parts = tuple(name.split("."))
    if parts[0] in LIBRARIES:
        return None
    root = _root(parts[0], folder)
    return _below(root, parts) if root else None


class Data(NamedTuple):
    """What a name of another module has to do with datasets."""

    members: frozenset[str] | None
    """The names at work on datasets in a module, none for such a name itself; None where there are none."""
    reads: frozenset[str] = frozenset()
    """The files, and the folders searched for files, that this depends on."""


def data_names(name: str, file: str, reach: int) -> Data:
    """What a full name that a file uses has to do with datasets, given how far names may be followed."""
    if reach <= 0 or name.partition(".")[0] in LIBRARIES:
        return Data(None)
    place = locate(name, file)
    if place is None:
        return Data(None, frozenset(_searched(os.path.dirname(os.path.abspath(file)))))
    path, rest = place
    glance = _glance(path)
    if not glance.has_words:
        return _handed_on(path, rest, glance.handed_on, reach)
    names, reads = _names_of(path, reach)
    if not rest:
        return Data(names or None, reads)
    return Data(frozenset() if rest[0] in names else None, reads)


def _handed_on(path: str, rest: tuple[str, ...], imports: tuple[tuple[str, str], ...], reach: int) -> Data:
    """What a module without a word of datasets only hands on from others."""
    reads = {path}
    names: set[str] = set()
    if rest or os.path.basename(path) == "__init__.py":
        for name, symbol in imports:
            if name != "*" and rest and name != rest[0]:
                continue
            data = data_names(f"{symbol}.{rest[0]}" if name == "*" and rest else symbol, path, reach - 1)
            reads |= data.reads
            if data.members is not None:
                names |= {name} if name != "*" else {rest[0]} if rest else data.members
    if rest:
        return Data(frozenset() if names else None, frozenset(reads))
    return Data(frozenset(names) or None, frozenset(reads))


def module(path: str) -> Module | None:
    """A module of the project, parsed; None when it cannot be."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return _module(path, status.st_mtime_ns, status.st_size)


def index_of(found: Module, reach: int = ABROAD) -> Index:
    """The index of a module, made once for all who import it."""
    from tfdata_lint.pipeline.index import build

    if reach not in found.indices:
        assert found.source.tree is not None
        found.indices[reach] = build(found.source.tree, found.source.text, found.source.path, reach)
    return found.indices[reach]


def forget() -> None:
    """Look again for files: some may have come or gone."""
    for known in (_root, _below, _names_of, _searched, _entries, _glance, _module):
        known.cache_clear()


class _Glance(NamedTuple):
    """What can be said of a module without parsing it."""

    has_words: bool
    """Some word of datasets is in it."""
    handed_on: tuple[tuple[str, str], ...] = ()
    """Otherwise: the names it imports from modules, `*` among them, and their full names."""


@lru_cache(maxsize=4096)
def _glance(path: str) -> _Glance:
    try:
        data = read(path)
    except OSError:
        return _Glance(False)
    if mentions_datasets(data):
        return _Glance(True)
    imports: list[tuple[str, str]] = []
    for found in _FROM.finditer(data):
        origin, names = found[1].decode("ascii", "replace"), found[2].decode("ascii", "replace")
        for part in _COMMENT.sub("", names).replace("\\", " ").strip("() \t\n").split(","):
            name, _, alias = part.strip().partition(" as ")
            symbol = origin if name == "*" else f"{origin}{'' if origin.endswith('.') else '.'}{name}"
            imports.append((alias.strip() or name, symbol))
    return _Glance(False, tuple(imports))


@lru_cache(maxsize=4096)
def _root(name: str, folder: str) -> str:
    """The folder, from this one upwards, that has a module or package of this name; empty if there is none."""
    for root in _searched(folder):
        entries = _entries(root)
        if f"{name}.py" in entries or (name in entries and os.path.isdir(os.path.join(root, name))):
            return root
    return ""


@lru_cache(maxsize=4096)
def _entries(folder: str) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


@lru_cache(maxsize=4096)
def _searched(folder: str) -> tuple[str, ...]:
    """The folders that may hold what is imported, the nearest first."""
    found: list[str] = []
    for _ in range(_LEVELS):
        found += (root for root in (folder, os.path.join(folder, "src")) if os.path.isdir(root))
        parent = os.path.dirname(folder)
        if parent == folder or ".git" in _entries(folder):
            break
        folder = parent
    return tuple(found)


@lru_cache(maxsize=4096)
def _names_of(path: str, reach: int) -> tuple[frozenset[str], frozenset[str]]:
    """The names of a module that are at work on datasets, those that it imports included; and what was read for it."""
    from tfdata_lint.pipeline.index import mentions_data

    found = module(path)
    if found is None:
        return frozenset(), frozenset({path})
    reach = max(reach - _PARSED, 0)
    index = index_of(found, reach)
    names = {name.partition(".")[0] for name in index.relevant}
    for name, statements in found.bindings.items():
        if any(mentions_data(index, node.lineno, node.end_lineno or node.lineno) for node in statements):
            names.add(name)
        symbol = index.imports.get(name)
        if symbol is not None and data_names(symbol.name, path, reach).members is not None:
            names.add(name)
    return frozenset(names), frozenset({path, *index.reads})


@lru_cache(maxsize=4096)
def _below(root: str, parts: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
    """The module with the longest part of a name; a folder without an `__init__.py` is a package, too."""
    best: tuple[str, tuple[str, ...]] | None = None
    place = root
    for position, part in enumerate(parts, 1):
        entries = _entries(place)
        place = os.path.join(place, part)
        if f"{part}.py" in entries:
            return f"{place}.py", parts[position:]
        if part not in entries:
            return best
        if "__init__.py" in _entries(place):
            best = os.path.join(place, "__init__.py"), parts[position:]
    return best


@lru_cache(maxsize=_KEPT)
def _module(path: str, changed: int, size: int) -> Module | None:
    if size > _LARGEST:
        return None
    try:
        source = load(read(path), path)
    except OSError:
        return None
    if source.tree is None:
        return None
    found = Module(source)
    for statement in source.tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
            found.stars.append(statement)
        for name in _bound(statement):
            found.bindings.setdefault(name, []).append(statement)
    return found


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement of the outermost level binds."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {name for name, _ in imported(statement)}
    found: set[str] = set()
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
            continue
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(name for name, _ in imported(node))
        elif isinstance(node, ast.Lambda):
            continue
        todo.extend(ast.iter_child_nodes(node))
    return found
