"""What the files of a project bind and import, from one scan: who imports a module, which classes override a method,
and what the program says that a module is part of."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tfdata_lint.pipeline.project.modules import LIBRARIES, Place, Project, remembered
from tfdata_lint.pipeline.project.reach import imports_in
from tfdata_lint.source.module import Source

#: Files that are scanned; a project with more of them may say anything.
_MOST = 3000
_FILES = (".py", ".ipynb")
_SKIPPED = LIBRARIES | {"node_modules", "site-packages", "venv", "__pycache__"}
#: Words, one of which must be there, and what they must be part of: a plain search is much faster than a pattern.
_WORDS: dict[str, tuple[tuple[bytes, ...], re.Pattern[bytes] | None]] = {
    # As an option: what another map is told does not reach this one.
    "deterministic": (
        (b"deterministic",),
        re.compile(rb"(?:\.|(?P<quote>['\"]))(?:experimental_)?deterministic(?(quote)['\"]|\s*=(?!=))"),
    ),
    "seed": ((b"set_seed", b"random_seed", b"op_determinism"), None),
    "any seed": ((b"seed",), None),
    "numpy": ((b"enable_numpy_behavior",), None),
    "ignore_errors": ((b"ignore_errors",), None),
    # What looks functions or modules up by names that are not written.
    "by name": (
        (b"getattr(", b"globals()", b"locals()", b"eval(", b"vars(", b"Fire(", b"import_module", b"__import__"),
        re.compile(
            rb"\bgetattr\(\s*[\w.]+\s*,\s*(?!['\"])|(?<![\w.])(?:globals\(|locals\(|vars\(|eval\()|\bFire\("
            rb"|import_module|__import__"
        ),
    ),
    # What makes ragged tensors.
    "ragged": (
        (b"agged", b"s_split", b"gs.split", b"ngrams", b"unicode_", b"okeniz", b"TextVectorization", b"Lookup"),
        None,
    ),
}
#: Of rows so long, these begin what a cell has shown: pictures, say.
_LONG_ROW, _SHOWN = 1000, (b'"image/', b'"text/', b'"application/')
#: What stands around a row of code in the JSON of a notebook.
_AROUND_ROWS = re.compile(rb'(?m)^[ \t,\[]*"(?:,[ \t\n]*")?')
_CLASS = re.compile(rb"class[ \t]+(\w+)[ \t]*\(([^)]{1,1000})\)")
_METHOD = re.compile(rb"\n[ \t]+(?:async[ \t]+)?def[ \t]+(\w+)")


class Derived(NamedTuple):
    """A class that inherits."""

    name: str
    bases: frozenset[str]
    """The last names of what stands in its parentheses."""
    methods: frozenset[str]


class Names(NamedTuple):
    """What one file says."""

    imports: tuple[str, ...]
    """The full names that it imports, as written; those of `from module import *` end with a star."""
    classes: tuple[Derived, ...]
    words: frozenset[str]
    """Those of `_WORDS`."""


class Scan(NamedTuple):
    """What the files of a project say."""

    files: dict[str, Names]
    is_all: bool
    """There are not too many of them to be scanned."""
    looked_at: frozenset[str]
    """The files, and the folders with a separator at the end."""
    importing: dict[str, list[str]]
    """The files that import something of this name, or from it."""
    derived: dict[str, list[Derived]]
    """The classes that inherit, by what they inherit from."""


def answer(project: Project, source: Source, question: str, *of: str) -> tuple[bool, frozenset[str]]:
    """What the graph of a file asks, by the name of the question."""
    return _QUESTIONS[question](project, source, *of)


def says(project: Project, source: Source, word: str) -> tuple[bool, frozenset[str]]:
    """Does a file say a word, or another one of its program; and on which files and folders does that depend?"""
    if _holds(source.text.encode(errors="replace"), word):
        return True, frozenset()
    path, scan = _around(project, source)
    if scan is None:
        return False, _place(path)
    looked_at = scan.looked_at - {path}
    if not scan.is_all:
        return True, looked_at
    saying = {file for file, names in scan.files.items() if word in names.words} - {path}
    return bool(saying) and not saying.isdisjoint(_program(project, path)), looked_at


def says_anywhere(project: Project, source: Source, word: str) -> tuple[bool, frozenset[str]]:
    """As `says`, of a word in any file of the project."""
    path, scan = _around(project, source)
    if scan is None:
        return _holds(source.text.encode(errors="replace"), word), _place(path)
    return not scan.is_all or any(word in names.words for names in scan.files.values()), scan.looked_at - {path}


def is_imported(project: Project, source: Source) -> tuple[bool, frozenset[str]]:
    """Does another file of its project import a module? Notebooks are not imported."""
    path, scan = _around(project, source)
    if not path.endswith(".py"):
        return False, frozenset()
    if scan is None:
        return False, _place(path)
    return not scan.is_all or bool(_importers(project, path)), scan.looked_at - {path}


def is_used(project: Project, source: Source, name: str) -> tuple[bool, frozenset[str]]:
    """May another file of its project use a name that a module binds?"""
    path, scan = _around(project, source)
    if scan is None:
        return False, _place(path)
    looked_at = scan.looked_at - {path}
    rests = [rest for found in _importers(project, path).values() for rest in found] if scan.is_all else [()]
    return any(rest[0] in (name, "*") if rest else name != "*" for rest in rests), looked_at


def overrides(project: Project, source: Source, path: str, cls: str, method: str) -> tuple[bool, frozenset[str]]:
    """Does a class that inherits from a class, near or far, have a method of its own with this name?"""
    derived = _names_in(source.text.encode(errors="replace")).classes
    file, scan = _around(project, source)
    looked_at = _place(file) if scan is None else scan.looked_at - {file}
    if scan is not None and not scan.is_all:
        return True, looked_at
    todo, met = [cls], {cls}
    while todo:
        base = todo.pop()
        below = [one for one in derived if base in one.bases]
        for one in [*below, *(scan.derived.get(base, ()) if scan is not None else ())]:
            if method in one.methods:
                return True, looked_at
            if one.name not in met:
                met.add(one.name)
                todo.append(one.name)
    return False, looked_at


_QUESTIONS: dict[str, Callable[..., tuple[bool, frozenset[str]]]] = {
    question.__name__: question for question in (is_imported, is_used, overrides, says, says_anywhere)
}


def may_be_used_elsewhere(project: Project, source: Source) -> bool:
    """May another file have a name that a module binds? Where no project is marked, also one beside its packages."""
    path = os.path.abspath(source.path)
    if not os.path.exists(path):
        return False
    folder = root = project.root(path)
    while project.is_unmarked(folder) and "__init__.py" in project.entries(folder):
        folder = root = os.path.dirname(folder)
    scan = _scan(project, root)
    return not scan.is_all or bool(_importers(project, path, root))


def located(project: Project, source: Source, name: str) -> tuple[Source | None, str, frozenset[str]]:
    """The module that a full name leads to, or a path, what is left of the name, and the names that were looked up."""
    if os.path.isabs(name):
        return project.source(name), "", frozenset({name})
    found = project.find(name, project.folder(source.path))
    if found.place is None or len(found.place.rest) != 1:
        return None, "", found.names
    return project.source(found.place.path), found.place.rest[0], found.names | {found.place.path}


# ── the program ─────────────────────────────────────────────────────────────────────────────────────────────────────


@remembered
def _program(project: Project, path: str) -> frozenset[str]:
    """The files that a module runs with: those that import it, near and far, and what all of these import."""
    above = _closure([path], lambda file: _importers(project, file))
    return frozenset(_closure(above, lambda file: _imported_by(project, file)))


def _closure(first: Iterable[str], further: Callable[[str], Iterable[str]]) -> set[str]:
    found = set(first)
    todo = list(found)
    while todo:
        new = set(further(todo.pop())) - found
        found |= new
        todo += new
    return found


@remembered
def _importers(project: Project, path: str, root: str = "") -> dict[str, list[tuple[str, ...]]]:
    """The other files that import a module, nearest names first; and what of each of their names is left in it."""
    found: dict[str, list[tuple[str, ...]]] = {}
    scan = _scan(project, root or project.root(path))
    folder, file = os.path.split(path)
    name = os.path.basename(folder) if file == "__init__.py" else os.path.splitext(file)[0]
    # A package imports its modules by dots.
    beside = scan.importing.get("", ()) if file == "__init__.py" else ()
    for other in {*scan.importing.get(name, ()), *beside} - {path}:
        for symbol in scan.files[other].imports:
            place = _lead(project, symbol, other) if name in symbol.split(".") or symbol.startswith(".") else None
            if place is not None and place.path == path:
                found.setdefault(other, []).append(place.rest)
    return found


@remembered
def _imported_by(project: Project, path: str) -> frozenset[str]:
    names = _scan(project, project.root(path)).files.get(path)
    places = [_lead(project, symbol, path) for symbol in names.imports] if names is not None else []
    return frozenset(place.path for place in places if place is not None)


def _lead(project: Project, symbol: str, file: str) -> Place | None:
    """Where a name leads that a file imports; of all names of a module, to that."""
    place = project.locate(symbol.removesuffix("*").rstrip(".") if symbol.endswith(".*") else symbol, file)
    return place._replace(rest=(*place.rest, "*")) if place is not None and symbol.endswith(".*") else place


# ── the scan ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _around(project: Project, source: Source) -> tuple[str, Scan | None]:
    """The path of a file, and what its project says; None where it is not there."""
    path = os.path.abspath(source.path)
    return path, _scan(project, project.root(path)) if os.path.exists(path) else None


@remembered
def _scan(project: Project, root: str) -> Scan:
    """Read each file below a folder once."""
    files, folders = _below(project, root)
    looked_at = frozenset({*files, *(os.path.join(folder, "") for folder in folders)})
    if len(files) > _MOST or len(folders) > _MOST:
        return Scan({}, False, frozenset({os.path.join(root, "")}), {}, {})
    found: dict[str, Names] = {}
    importing: dict[str, list[str]] = {}
    derived: dict[str, list[Derived]] = {}
    for path in files:
        names = _names_of(project, path)
        if names is None:
            continue
        found[path] = names
        for word in {part for symbol in names.imports for part in symbol.split(".")}:
            importing.setdefault(word, []).append(path)
        for one in names.classes:
            for base in one.bases:
                derived.setdefault(base, []).append(one)
    return Scan(found, True, looked_at, importing, derived)


def _below(project: Project, root: str) -> tuple[list[str], list[str]]:
    """The modules and notebooks below a folder, and the folders, until there are too many."""
    files: list[str] = []
    folders = [root]
    for folder in folders:
        for name in sorted(project.entries(folder)):
            path = os.path.join(folder, name)
            if name.endswith(_FILES):
                files.append(path)
            elif "." not in name and name not in _SKIPPED and os.path.isdir(path) and not os.path.islink(path):
                folders.append(path)
        if len(files) > _MOST or len(folders) > _MOST:
            break
    return files, folders


def _names_of(project: Project, path: str) -> Names | None:
    """None for what cannot be read: a link to nothing, a folder."""
    try:
        data = project.sources.read(path)
    except OSError:
        return None
    return _names_in(_code_of(data) if path.endswith(".ipynb") else data)


def _names_in(data: bytes) -> Names:
    imports = dict.fromkeys(f"{symbol}.*" if name == "*" else symbol for name, symbol in imports_in(data))
    words = frozenset(word for word in _WORDS if _holds(data, word))
    return Names(tuple(imports), tuple(_classes(data)) if b"class" in data else (), words)


def _classes(data: bytes) -> Iterator[Derived]:
    """The classes that inherit, each with the methods that stand before the next one."""
    starts = list(_CLASS.finditer(data))
    ends = [start.start() for start in starts[1:]]
    for start, end in zip(starts, [*ends, len(data)], strict=False):
        bases = re.findall(rb"(\w+)\s*(?:,|$|\[|\()", start[2])
        methods = _METHOD.findall(data, start.end(), end)
        yield Derived(_text(start[1]), frozenset(map(_text, bases)), frozenset(map(_text, methods)))


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")


def _holds(data: bytes, word: str) -> bool:
    parts, pattern = _WORDS[word]
    for part in parts:
        if part in data:
            return pattern is None or pattern.search(data) is not None
    return False


def _place(path: str) -> frozenset[str]:
    """Where it was looked for a file that is not there: who has it finds more."""
    return frozenset({os.path.join(os.path.dirname(path), "")})


def _code_of(notebook: bytes) -> bytes:
    """The text of a notebook with each row of code as it begins in a module, without what its cells have shown."""
    rows = notebook.split(b"\n")
    kept = b"\n".join(row for row in rows if len(row) < _LONG_ROW or not row.lstrip().startswith(_SHOWN))
    kept = kept.replace(b'\\"', b'"').replace(b"\\n", b"\n").replace(b'"source":', b"\n")
    return _AROUND_ROWS.sub(b"", kept)
