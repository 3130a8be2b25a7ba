"""The modules of a project: where they lie, as Python would find them, and what their outermost level binds.

A name leads to a file next to the one being read, below the folders above, or in `src` below them. Only text is read.
Libraries are never looked into: TensorFlow is understood through `knowledge`.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from tfdata_lint.pipeline.nouns.values import Symbol
from tfdata_lint.pipeline.project.bindings import bound_by, imported, is_star, member
from tfdata_lint.source.content import read_beside
from tfdata_lint.source.module import Source
from tfdata_lint.source.sources import Sources
from tfdata_lint.source.tree import below

P = ParamSpec("P")
T = TypeVar("T")

#: Roots of names that are never a module of the project.
LIBRARIES = frozenset(
    {"tensorflow", "tensorflow_datasets", "keras", "tf_keras", "numpy", "builtins", "os", "functools", "typing", "absl"}
)
#: Folders above a file that may hold the packages it imports, at most.
_LEVELS = 8
#: What marks the folder of a checkout, and what marks that of a project. Nothing above is searched.
_CHECKOUTS = frozenset({".git", ".hg"})
_MARKERS = frozenset({"pyproject.toml", "setup.py", "setup.cfg", "tfdata-lint.toml"})

#: Files with commands and settings, and how large they may be: larger ones are data.
_TELLING = (".bat", ".cfg", ".gin", ".ini", ".json", ".md", ".rst", ".sh", ".toml", ".txt", ".yaml", ".yml",
            "Dockerfile", "Makefile", "README")  # fmt: skip
_LARGEST = 200_000
#: A folder that a package adds to its path: `__path__.append(os.path.join(os.path.dirname(__file__), "api"))`.
_ADDED = rb"(?m)^__path__\.(?:append|insert)\([^\n]*['\"](\w+)['\"]\)*"
_OF_ITS_NAME = rb"^from [\w.]*\.%s import (?:\w+, *)*%s\b"


class Place(NamedTuple):
    """Where the module lies that a full name leads to, and what is left of the name."""

    path: str
    rest: tuple[str, ...]


class Found(NamedTuple):
    """The place that was looked for, and the names that were looked up on the way."""

    place: Place | None
    names: frozenset[str]
    """As paths without `.py`: a module or package of this name was looked for in the folder, or there and above."""


class Module:
    """The top level of a module of the project, by name."""

    __slots__ = ("bindings", "decorated", "stars")

    def __init__(self) -> None:
        self.bindings: dict[str, list[ast.stmt]] = {}
        """The statements that bind a name, in order."""
        self.stars: list[ast.ImportFrom] = []
        self.decorated: dict[str, list[ast.stmt]] = {}
        """The definitions behind a decorator, by the name that this starts with: it may put them into a table."""


def remembered(ask: Callable[Concatenate[Project, P], T]) -> Callable[Concatenate[Project, P], T]:
    """A question about a project, asked by position. Its answer is kept as long as the project is."""

    @wraps(ask)
    def answer(project: Project, /, *of: P.args, **named: P.kwargs) -> T:
        key = ask, of, *named.items()
        answers = project.answers
        if key not in answers:
            answers[key] = ask(project, *of, **named)
        known: T = answers[key]
        return known

    return answer


class Project:
    """The files around those that are linted, as they are at one time. When some may have changed it is dropped."""

    def __init__(self, sources: Sources | None = None) -> None:
        self.sources = sources or Sources()
        self.answers: dict[Any, Any] = {}
        """By what was `remembered` and of what."""
        self.mark = object()
        """Tells it from those before it, in what is noted of a source."""

    def locate(self, name: str, file: str) -> Place | None:
        """The module that a full name leads to, seen from a file; None where that is none of the project."""
        return self.find(name, self.folder(file)).place

    @remembered
    def find(self, name: str, folder: str) -> Found:
        """As `locate`, seen from a folder."""
        if name.startswith("."):
            inner = name.lstrip(".")
            for _ in range(len(name) - len(inner) - 1):
                folder = os.path.dirname(folder)
            return self._below(folder, tuple(inner.split(".")))
        parts = tuple(name.split("."))
        names = frozenset({os.path.join(folder, parts[0])})
        root = self._root_of(parts[0], folder)
        if root is None:
            return Found(None, names)
        place, below = self._below(root, parts)
        return Found(place, below | names)

    @remembered
    def folder(self, file: str) -> str:
        """The folder that a file lies in."""
        return os.path.dirname(os.path.abspath(file))

    def source(self, path: str) -> Source | None:
        """A module of the project, parsed; None when it cannot be."""
        source = self.sources.at(path)
        return None if source is None or source.tree is None else source

    def module(self, path: str) -> Module | None:
        """The top level of such a module."""
        source = self.source(path)
        return None if source is None else module_of(source)

    def imported(self, node: ast.Import | ast.ImportFrom, file: str) -> Iterator[tuple[str, Symbol]]:
        """The names that an import statement in a file binds, also by `*` from a module of the project."""
        yield from imported(node)
        if is_star(node):
            place = self.locate(member(node, ""), file)
            found = self.module(place.path) if place else None
            public = (name for name in found.bindings if not name.startswith("_")) if found else ()
            yield from ((name, Symbol(member(node, name))) for name in public)

    def made(self, star: ast.ImportFrom, file: str) -> Iterator[str]:
        """The names that `*` brings from a module of the project which that does not import itself."""
        place = self.locate(member(star, ""), file)
        found = self.module(place.path) if place else None
        for name, statements in found.bindings.items() if found else ():
            if not name.startswith("_") and not any(isinstance(s, (ast.Import, ast.ImportFrom)) for s in statements):
                yield name

    @remembered
    def root(self, folder: str) -> str:
        """The folder in which the project around a folder begins: that of the checkout, else the outermost one that is
        marked; empty where none is."""
        found = ""
        for place in above(folder):
            entries = self.entries(place)
            if not _CHECKOUTS.isdisjoint(entries):
                return place
            if any(name != "setup.py" or self._sets_up(place) for name in _MARKERS & entries):
                found = place
        return found

    def _sets_up(self, folder: str) -> bool:
        """Is the `setup.py` of a folder that of a project, rather than a helper of this name?"""
        try:
            return re.search(rb"\bsetup\(", self.sources.read(os.path.join(folder, "setup.py"))) is not None
        except OSError:
            return False

    @remembered
    def _root_of(self, package: str, folder: str) -> str | None:
        """The folder in which a module or package lies that is imported in a folder."""
        for root in () if package in LIBRARIES else self._searched(folder):
            entries = self.entries(root)
            if package in sys.stdlib_module_names and "__init__.py" in entries:
                # A module of a package hides none of Python's.
                continue
            if f"{package}.py" in entries or (package in entries and self._is_folder(os.path.join(root, package))):
                return root
        return None

    @remembered
    def entries(self, folder: str) -> frozenset[str]:
        """The names of what lies in a folder."""
        written = self.sources.written_in(folder)
        try:
            return frozenset(os.listdir(folder)) | written
        except OSError:
            return frozenset(written)

    @remembered
    def texts(self, root: str) -> dict[str, bytes]:
        """What lies below a folder beside modules, and may have commands or settings, by path."""
        files = (path for path in below(root, self.entries, _TELLING)[0] if os.path.isfile(path))
        return {path: read_beside(path) or b"" for path in files if os.path.getsize(path) <= _LARGEST}

    def _is_folder(self, path: str) -> bool:
        return os.path.isdir(path) or bool(self.sources.written_in(path))

    @remembered
    def _searched(self, folder: str) -> tuple[str, ...]:
        """The folders that may hold what is imported, the nearest first."""
        found: list[str] = []
        root = self.root(folder)
        for place in above(folder):
            found.append(place)
            if "src" in self.entries(place):
                found.append(os.path.join(place, "src"))
            if place == root:
                break
        return tuple(found)

    def _below(self, root: str, parts: tuple[str, ...]) -> Found:
        """The module with the longest part of a name; a folder without an `__init__.py` is a package, too."""
        best: Place | None = None
        place = root
        names: list[str] = []
        for position, part in enumerate(parts, 1):
            above, entries = place, self.entries(place)
            place = os.path.join(place, part)
            if f"{part}.py" in entries:
                if position == len(parts) > 1 and self._hides(above, part):
                    names.append(os.path.join(above, "__init__.py"))
                    break
                best = Place(f"{place}.py", parts[position:])
                break
            names.append(place)
            if part not in entries:
                for further in self._further(above) if position > 1 else ():
                    found = self._below(further, parts[position - 1 :])
                    names += [os.path.join(above, "__init__.py"), *found.names]
                    best = found.place or best
                break
            package = os.path.join(place, "__init__")
            if "__init__.py" in self.entries(place):
                best = Place(f"{package}.py", parts[position:])
            else:
                names.append(package)
        return Found(best, frozenset(names))

    def _hides(self, package: str, module: str) -> bool:
        """Does a package give the name of a module in it to something in that one: a function `load` of `load`?"""
        name, data = module.encode(), self._package(package)
        return name in data and re.search(_OF_ITS_NAME % (name, name), data, re.MULTILINE) is not None

    @remembered
    def _further(self, package: str) -> tuple[str, ...]:
        """The folders below a package that it adds to its `__path__`, in which its modules are looked for, too."""
        added = re.findall(_ADDED, self._package(package))
        return tuple(os.path.join(package, folder.decode("utf-8", "replace")) for folder in added)

    @remembered
    def _package(self, folder: str) -> bytes:
        path = os.path.join(folder, "__init__.py")
        try:
            return self.sources.read(path) if "__init__.py" in self.entries(folder) else b""
        except OSError:
            return b""


def above(folder: str) -> list[str]:
    """A folder and those above it that may belong to its project. A home is a project of its own."""
    found, home = [folder], os.path.expanduser("~")
    while len(found) < _LEVELS and os.path.dirname(folder) not in (folder, home):
        folder = os.path.dirname(folder)
        found.append(folder)
    return found


def module_of(source: Source) -> Module:
    """The top level of a module, by name, made once."""
    if Module not in source.notes:
        source.notes[Module] = _module(source.tree or ast.Module([], []))
    found: Module = source.notes[Module]
    return found


def _module(tree: ast.Module) -> Module:
    found = Module()
    for statement in tree.body:
        if is_star(statement):
            found.stars.append(statement)
        names = dict.fromkeys(name for name, _ in bound_by([statement]))
        for name in names:
            found.bindings.setdefault(name, []).append(statement)
        if not names and (table := _filled(statement)) in found.bindings:
            found.bindings[table].append(statement)
        for decorator in getattr(statement, "decorator_list", ()):
            if (root := root_of(decorator)) in found.bindings:
                found.decorated.setdefault(root, []).append(statement)
    return found


def _filled(statement: ast.stmt) -> str:
    """The name of a table into which something is put: `TABLE["name"] = make`, `TABLE.update(…)`."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))]):
            return name
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return name
    return ""


def root_of(node: ast.expr) -> str:
    """The name that an expression of calls and attributes starts with."""
    while isinstance(node, (ast.Attribute, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
