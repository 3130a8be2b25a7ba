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
from typing import NamedTuple

from tfdata_lint.pipeline.search import may_transform, mentions_datasets
from tfdata_lint.pipeline.values import Symbol
from tfdata_lint.source import kept
from tfdata_lint.source.kept import source_at
from tfdata_lint.source.module import Source, read

#: Roots of names that are never a module of the project.
LIBRARIES = frozenset(
    {"tensorflow", "tensorflow_datasets", "keras", "tf_keras", "numpy", "builtins", "os", "functools", "typing", "absl"}
)
#: Folders above a file that may hold the packages it imports, at most.
_LEVELS = 8
#: Where a project begins; nothing above is searched.
_ROOTS = frozenset({".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg", "tfdata-lint.toml"})
#: How far names are followed from a module that is linted, and from those that it imports. A module that is parsed for
#: its words takes two steps, one that only hands on what it imports takes one.
HOME, ABROAD = 6, 4
_PARSED = 2
_FROM = re.compile(rb"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|(?:[^\n\\]|\\\n)*)", re.MULTILINE)
_IMPORT = re.compile(rb"^[ \t]*import[ \t]+([.\w]+)", re.MULTILINE)
_COMMENT = re.compile(r"#.*")


@dataclass(slots=True, eq=False)
class Module:
    """The top level of a module of the project, by name."""

    source: Source
    bindings: dict[str, list[ast.stmt]] = field(default_factory=dict)
    """The statements that bind a name, in order."""
    stars: list[ast.ImportFrom] = field(default_factory=list)


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
    return _locate(name, _folder(file))[0]


class Data(NamedTuple):
    """What a name of another module has to do with datasets."""

    members: frozenset[str] | None
    """The names at work on datasets in a module, none for such a name itself; None where there are none."""
    reads: frozenset[str] = frozenset()
    """The files that this depends on, and the modules that were looked for, as paths without `.py`."""


_NOTHING = Data(None)


def data_names(name: str, file: str, reach: int) -> Data:
    """What a full name that a file uses has to do with datasets, given how far names may be followed."""
    if reach <= 0 or name.partition(".")[0] in LIBRARIES:
        return _NOTHING
    return _data_names(name, _folder(file), reach)


@lru_cache(maxsize=8192)
def _data_names(name: str, folder: str, reach: int) -> Data:
    place, looked_for = _locate(name, folder)
    if place is None:
        return Data(None, looked_for)
    path, rest = place
    glance = _glance(path)
    if not glance.has_words and not _goes_on(path, glance, reach - 1):
        members, reads = _handed_on(path, rest, glance.handed_on, reach)
        return Data(members, reads | looked_for)
    names, reads = _names_of(path, reach)
    if rest:
        return Data(frozenset() if rest[0] in names else None, reads | looked_for)
    return Data(names or None, reads | looked_for)


def _goes_on(path: str, glance: _Glance, reach: int) -> bool:
    """Does a module without a word of datasets transform those of others?"""
    if not glance.transforms:
        return False
    return any(data_names(symbol, path, reach).members is not None for _, symbol in glance.handed_on)


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


def imports_data(data: bytes, file: str) -> Data:
    """Does a file, by its text, import something that is at work on datasets? Then there are `members`."""
    symbols = {symbol for _, symbol in _imports_in(data)}
    known = [data_names(symbol, file, HOME) for symbol in sorted(symbols)]
    reads = frozenset[str]().union(*(found.reads for found in known))
    return Data(frozenset() if any(found.members is not None for found in known) else None, reads)


def module(path: str) -> Module | None:
    """A module of the project, parsed; None when it cannot be."""
    source = source_at(path)
    if source is None or source.tree is None:
        return None
    if Module not in source.notes:
        source.notes[Module] = _module(source, source.tree)
    found: Module = source.notes[Module]
    return found


def forget() -> None:
    """Look again for files: some may have come or gone."""
    for known in (_locate, _root_of, _folder, _data_names, _names_of, _searched, _entries, _glance):
        known.cache_clear()
    kept.forget()


class _Glance(NamedTuple):
    """What can be said of a module without parsing it."""

    has_words: bool
    """Some word of datasets is in it."""
    transforms: bool = False
    """Otherwise: it may transform those of others."""
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
    return _Glance(False, may_transform(data), tuple(_imports_in(data)))


def _imports_in(data: bytes) -> Iterator[tuple[str, str]]:
    """The names that imports bind, by the text, `*` among them, and what they stand for."""
    for found in _IMPORT.finditer(data):
        symbol = found[1].decode("ascii", "replace")
        yield symbol.partition(".")[0], symbol
    for found in _FROM.finditer(data):
        origin, names = found[1].decode("ascii", "replace"), found[2].decode("ascii", "replace")
        for part in _COMMENT.sub("", names).replace("\\", " ").strip("() \t\n").split(","):
            name, _, alias = part.strip().partition(" as ")
            symbol = origin if name == "*" else f"{origin}{'' if origin.endswith('.') else '.'}{name}"
            yield alias.strip() or name, symbol


@lru_cache(maxsize=8192)
def _locate(name: str, folder: str) -> tuple[tuple[str, tuple[str, ...]] | None, frozenset[str]]:
    """As `locate`, seen from a folder; and the modules that were looked for."""
    if name.startswith("."):
        inner = name.lstrip(".")
        for _ in range(len(name) - len(inner) - 1):
            folder = os.path.dirname(folder)
        return _below(folder, tuple(inner.split(".")))
    parts = tuple(name.split("."))
    root, looked_for = _root_of(parts[0], folder)
    if root is None:
        return None, looked_for
    place, below = _below(root, parts)
    return place, below | looked_for


@lru_cache(maxsize=8192)
def _root_of(package: str, folder: str) -> tuple[str | None, frozenset[str]]:
    """The folder in which a module or package lies that is imported in a folder; and where it was looked for."""
    looked_for: list[str] = []
    for root in () if package in LIBRARIES else _searched(folder):
        looked_for += [os.path.join(root, package), os.path.join(root, "src")]
        entries = _entries(root)
        if f"{package}.py" in entries or (package in entries and os.path.isdir(os.path.join(root, package))):
            return root, frozenset(looked_for)
    return None, frozenset(looked_for)


@lru_cache(maxsize=4096)
def _folder(file: str) -> str:
    return os.path.dirname(os.path.abspath(file))


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
        entries = _entries(folder)
        found.append(folder)
        if "src" in entries:
            found.append(os.path.join(folder, "src"))
        parent = os.path.dirname(folder)
        if parent == folder or not _ROOTS.isdisjoint(entries):
            break
        folder = parent
    return tuple(found)


@lru_cache(maxsize=4096)
def _names_of(path: str, reach: int) -> tuple[frozenset[str], frozenset[str]]:
    """The names of a module that are at work on datasets, those that it imports included; and what was read for it."""
    from tfdata_lint.pipeline.index import index_of, mentions_data

    found = module(path)
    if found is None:
        return frozenset(), frozenset({path})
    reach = max(reach - _PARSED, 0)
    index = index_of(found.source, reach)
    names = {name.partition(".")[0] for name in index.relevant}
    for name, statements in found.bindings.items():
        if any(mentions_data(index, node.lineno, node.end_lineno or node.lineno) for node in statements):
            names.add(name)
        symbol = index.imports.get(name)
        if symbol is not None and data_names(symbol.name, path, reach).members is not None:
            names.add(name)
    return frozenset(names), frozenset({path, *index.reads})


def _below(root: str, parts: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]] | None, frozenset[str]]:
    """The module with the longest part of a name; a folder without an `__init__.py` is a package, too."""
    best: tuple[str, tuple[str, ...]] | None = None
    place = root
    looked_for: list[str] = []
    for position, part in enumerate(parts, 1):
        entries = _entries(place)
        place = os.path.join(place, part)
        looked_for.append(place)
        if f"{part}.py" in entries:
            best = f"{place}.py", parts[position:]
            break
        if part not in entries:
            break
        looked_for.append(os.path.join(place, "__init__"))
        if "__init__.py" in _entries(place):
            best = os.path.join(place, "__init__.py"), parts[position:]
    return best, frozenset(looked_for)


def _module(source: Source, tree: ast.Module) -> Module:
    found = Module(source)
    for statement in tree.body:
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
