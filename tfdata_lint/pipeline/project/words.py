"""What is written anywhere in a project: the words that decide what its datasets do, wherever these end up."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from tfdata_lint.pipeline.nouns.errors import goes_on
from tfdata_lint.pipeline.project.meant import (
    Ways,
    import_statements,
    is_meant,
    matches,
    set_by_computed_names,
    ways_in,
)
from tfdata_lint.pipeline.project.modules import LIBRARIES, Project, remembered
from tfdata_lint.source.module import Source

#: Files that are searched; a project with more of them may say anything.
_MOST = 3000
_FILES = (".py", ".ipynb")
#: Modules by which a module is imported, at most.
_IMPORTERS = 20
#: Files that are kept when they were read, and how long they are at most.
_KEPT, _SHORT = 800, 40_000
#: Iterators are asked, and errors of datasets may be caught.
_ASKING = re.compile(rb"\b(?:next|__next__|get_next\w*)\(")
_CATCHING = re.compile(
    rb"\bexcept\b(?!(?:[ \t(,]|(?:\w+\.)*(?:StopIteration|OutOfRangeError|KeyboardInterrupt|ImportError"
    rb"|ModuleNotFoundError|KeyError|ValueError|TypeError|IndexError|AttributeError|OSError|IOError"
    rb"|FileNotFoundError|RuntimeError|NameError)\b)+(?:as\b|:))"
    rb"|\bfinally\b|\bsuppress\(|[rR]aises\w*\(|\b__a?exit__\b|contextmanager"
)
_SKIPPED = LIBRARIES | {"node_modules", "site-packages", "venv", "__pycache__"}
#: Words, one of which must be there, and what they must be part of: a plain search is much faster than a pattern.
_WORDS: dict[str, tuple[tuple[bytes, ...], re.Pattern[bytes] | None]] = {
    # As an option: what another map is told does not reach this one.
    "deterministic": (
        (b"deterministic",),
        re.compile(rb"(?:\.|(?P<quote>['\"]))(?:experimental_)?deterministic(?(quote)['\"]|\s*=(?!=))"),
    ),
    "seed": ((b"set_seed", b"random_seed", b"op_determinism"), None),
    "assign": ((b".assign", b".scatter_"), re.compile(rb"\.(?:assign|assign_add|assign_sub|scatter_\w+)\(")),
    "any seed": ((b"seed",), None),
    "numpy": ((b"enable_numpy_behavior",), None),
    "ignore_errors": ((b"ignore_errors",), None),
    # What puts what is logged into a file.
    "log file": (
        (b"Handler", b"Config(", b"log_file"),
        re.compile(
            rb"(?<!Null)(?<!Stream)(?<!add)(?<!remove)Handler\b|StreamHandler\([^)]|(?:dict|file)Config\(|log_file"
            rb"|basicConfig\([\s\S]{0,300}?(?:file|stream|\*\*)"
        ),
    ),
    # What puts what is printed elsewhere.
    "streams": (
        (b"stdout", b"stderr", b"redirect_std", b"dup2", b"builtins"),
        re.compile(
            rb"\bbuiltins(?:__)?\.print\s*=(?!=)|\bbuiltins[^\n]*\bprint['\"]"
            rb"|sys\.(?:__)?std(?:out|err)\w*\s*(?:,[^\n=]*)?=(?!=)|redirect_std|['\"]std(?:out|err)['\"]\s*,|\bdup2\("
        ),
    ),
    # Names that a fix adds to a module are then those of another one, too.
    "star": ((b"import *", b"import  *"), None),
    # What looks functions up by names that are not written.
    "by name": (
        (b"getattr(", b"globals()", b"locals()", b"eval(", b"vars(", b"Fire("),
        re.compile(rb"\bgetattr\(\s*[\w.]+\s*,\s*(?!['\"])|(?<![\w.])(?:globals\(|locals\(|vars\(|eval\()|\bFire\("),
    ),
    # What makes ragged tensors.
    "ragged": (
        (b"agged", b"s_split", b"gs.split", b"ngrams", b"unicode_", b"okeniz", b"TextVectorization", b"Lookup"),
        None,
    ),
}
#: A module that is imported so has no name in the code.
_DYNAMIC = (b"import_module", b"__import__")
#: What runs files or searches for modules, which need not be named either.
_RUNNING = (b"exec(", b"%run", b"runpy", b"pkgutil", b"spec_from_file_location", b"SourceFileLoader", b"locate(")
#: Of rows so long, these begin what a cell has shown: pictures, say.
_LONG_ROW, _SHOWN = 1000, (b'"image/', b'"text/', b'"application/')
#: What stands around a row of code in the JSON of a notebook.
_AROUND_ROWS = re.compile(rb'(?m)^[ \t,\[]*"(?:,[ \t\n]*")?')


class _Files(NamedTuple):
    names: list[str]
    """The modules and notebooks."""
    is_all: bool
    """There are not too many of them to be searched."""
    looked_at: frozenset[str]
    """The files, and the folders with a separator at the end."""


def is_written(project: Project, source: Source, word: str) -> tuple[bool, frozenset[str]]:
    """Is a word written in a file, or in any of its project? And the files and folders that this depends on.

    `=name`: is this name written in another file? `-name`: has one a function of this name? `@name`: is it set in
    something from outside of that, `~name` in a library, `@name module` by who imports that module? `*`: are names set
    that are not written, in what this file is or mentions? `goes on`: does another file ask an iterator again after an
    error?
    """
    if word == "goes on":
        return _goes_on_elsewhere(project, source)
    if word[0] in "=@~*-":
        return _is_meant(project, source, word)
    if _holds(source.text.encode(errors="replace"), word):
        return True, frozenset()
    path = os.path.abspath(source.path)
    if not os.path.exists(path):
        return False, _place(path)
    root = project.root(path)
    return _is_anywhere(project, root, word), _below(project, root).looked_at - {path}


def _is_meant(project: Project, source: Source, word: str) -> tuple[bool, frozenset[str]]:
    path = os.path.abspath(source.path)
    if not os.path.exists(path):
        return word[0] not in "=-" and is_meant(word, source.text), _place(path)
    root = project.root(path)
    looked_at = _below(project, root).looked_at - {path}
    if word == "*":
        computed = _computed(project, root)
        text = source.text.encode(errors="replace") if computed else b""
        mentioned = {b"", module_of(path).encode(errors="replace"), *re.findall(rb"\w+", text)}
        return not mentioned.isdisjoint(computed), looked_at
    word, _, besides = word.partition(" ")
    others = {path, besides} if word[0] in "=-" else set()
    found = _meaning(project, root, word) - others
    if besides and word[0] == "@":
        imports = {path: _imports(project, path) for path in found}
        found = frozenset(path for path, words in imports.items() if words is None or besides in words)
    return bool(found), looked_at


def _goes_on_elsewhere(project: Project, source: Source) -> tuple[bool, frozenset[str]]:
    path = os.path.abspath(source.path)
    if not os.path.exists(path):
        return False, _place(path)
    root = project.root(path)
    return bool(_going_on(project, root) - {path}), _below(project, root).looked_at - {path}


@remembered
def _going_on(project: Project, root: str) -> frozenset[str]:
    """Two files of a project that ask iterators again after errors; all of them, where those are too many."""
    files = _below(project, root)
    if not files.is_all:
        return frozenset({"", *files.names})
    texts = _texts(project, files.names)
    # There is one besides any that is asked about, or none.
    return frozenset(islice((path for path, data in texts if data is None or _may_go_on(project, path, data)), 2))


def _may_go_on(project: Project, path: str, data: bytes) -> bool:
    if not ((b"next" in data) and _ASKING.search(data) and _CATCHING.search(data)):
        return False
    tree = _tree(project, path)
    return tree is None or goes_on(tree)


def _tree(project: Project, path: str) -> ast.Module | None:
    if path.endswith(".py"):
        there = project.source(path)
    else:
        there = project.sources.load(project.sources.read(path), path)
    return None if there is None else there.tree


@remembered
def _meaning(project: Project, root: str, word: str) -> frozenset[str]:
    """The files of a project where a word is meant so; all of them, where that is too much to search."""
    files = _below(project, root)
    if not files.is_all:
        return frozenset({"", *files.names})
    found: set[str] = set()
    ways = _ways(project)
    for path, data in _texts(project, files.names):
        if data is not None and path not in ways:
            ways[path] = ways_in(data)
        if data is None or matches(word, data, ways[path]):
            found.add(path)
    return frozenset(found)


@remembered
def _ways(project: Project) -> dict[str, Ways]:
    """By what files may set names, by path."""
    return {}


@remembered
def _imports(project: Project, path: str) -> frozenset[str] | None:
    """The words of the imports of a file; None where it cannot be read."""
    words: set[bytes] = set()
    for _, data in _texts(project, [path]):
        if data is None:
            return None
        words.update(re.findall(rb"\w+", b" ".join(import_statements(data))))
    return frozenset(word.decode("utf-8", "replace") for word in words)


@remembered
def _computed(project: Project, root: str) -> frozenset[bytes]:
    """Modules and classes of a project in which names are set that are not written; an empty name stands for all."""
    files = _below(project, root)
    if not files.is_all:
        return frozenset({b""})
    found: set[bytes] = set()
    for path, data in _texts(project, files.names):
        found |= {b""} if data is None else set_by_computed_names(data, module_of(path).encode(errors="replace"))
    return frozenset(found)


def is_imported(project: Project, source: Source) -> tuple[bool, frozenset[str]]:
    """May another file of its project import a module? Notebooks are not imported."""
    path = os.path.abspath(source.path)
    if not path.endswith(".py"):
        return False, frozenset()
    if not os.path.exists(path):
        return False, _place(path)
    root = project.root(path)
    imported = _imported(project, root)
    return imported is None or module_of(path) in imported, _below(project, root).looked_at - {path}


def _may_import(project: Project, path: str, names: set[str]) -> bool:
    words = _imports(project, path)
    return words is None or not names.isdisjoint(words)


def importers(project: Project, source: Source) -> tuple[tuple[str, ...] | None, frozenset[str]]:
    """The modules of its project that import a module, or one of those that do; None where these are not all known."""
    path = os.path.abspath(source.path)
    root = project.root(path)
    below = _below(project, root)
    looked_at = below.looked_at - {path}
    if _imported(project, root) is None:
        return None, looked_at
    names, found = {module_of(path)}, {path}
    files = [file for file in below.names if file != path]
    while new := [file for file in files if file not in found and _may_import(project, file, names)]:
        found.update(new)
        names = {module_of(file) for file in new}
        if len(found) > _IMPORTERS or not all(file.endswith(".py") for file in new):
            return None, looked_at
    return tuple(sorted(found - {path})), looked_at


def may_be_used_elsewhere(project: Project, source: Source) -> bool:
    """May another file have a name that a module binds? Who imports, runs or patches a module writes its name."""
    path = os.path.abspath(source.path)
    if not os.path.exists(path):
        return False
    name, root = module_of(path), _outermost(project, project.root(path))
    imported = _imported(project, root)
    if imported is None or name in imported:
        return True
    mentioned = re.compile(rb"\b%s\." % re.escape(name.encode(errors="replace")))
    texts = (data for other, data in _texts(project, _below(project, root).names) if other != path)
    return any(data is None or mentioned.search(data) or any(part in data for part in _RUNNING) for data in texts)


def _outermost(project: Project, folder: str) -> str:
    """The folder above all packages from which a module imports what is in this one, where no project is marked."""
    while folder != (above := os.path.dirname(folder)) and project.is_unmarked(folder):
        files = [os.path.join(above, name) for name in sorted(project.entries(above)) if name.endswith(_FILES)]
        word = re.compile(rb"\b%s\b" % re.escape(os.path.basename(folder).encode(errors="replace")))
        imports = (row for _, data in _texts(project, files) if data for row in import_statements(data))
        if "__init__.py" not in project.entries(folder) and not any(map(word.search, imports)):
            break
        folder = above
    return folder


def module_of(path: str) -> str:
    """The last name of a module: a package is called as its folder is."""
    folder, file = os.path.split(path)
    name = os.path.splitext(file)[0]
    return os.path.basename(folder) if name == "__init__" else name


def located(project: Project, source: Source, name: str) -> tuple[Source | None, str, frozenset[str]]:
    """The module that a full name leads to, or a path, what is left of the name, and the names that were looked up."""
    if os.path.isabs(name):
        return project.source(name), "", frozenset({name})
    found = project.find(name, project.folder(source.path))
    if found.place is None or len(found.place.rest) != 1:
        return None, "", found.names
    return project.source(found.place.path), found.place.rest[0], found.names | {found.place.path}


def _holds(data: bytes, word: str) -> bool:
    parts, pattern = _WORDS[word]
    for part in parts:
        if part in data:
            return pattern is None or pattern.search(data) is not None
    return False


def _place(path: str) -> frozenset[str]:
    """Where it was looked for a file that is not there: who has it finds more."""
    return frozenset({os.path.join(os.path.dirname(path), "")})


@remembered
def _is_anywhere(project: Project, root: str, word: str) -> bool:
    """Is a word of `_WORDS` in a file of a project, or may it be?"""
    files = _below(project, root)
    if not files.is_all:
        return True
    return any(data is None or _holds(data, word) for _, data in _texts(project, files.names))


@remembered
def _imported(project: Project, root: str) -> frozenset[str] | None:
    """The words of the imports of a project; None where it may be any module."""
    files = _below(project, root)
    if not files.is_all:
        return None
    words: set[bytes] = set()
    for _, data in _texts(project, files.names):
        if data is None or any(name in data for name in _DYNAMIC):
            return None
        words.update(re.findall(rb"\w+", b" ".join(import_statements(data))))
    return frozenset(word.decode("utf-8", "replace") for word in words)


@remembered
def _kept(project: Project) -> dict[str, bytes]:
    """Files that were read, by path."""
    return {}


def _texts(project: Project, files: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
    """These files, if they are there: None for one that cannot be read, which may say anything.

    A project is searched many times: so many files, if they are short, are kept.
    """
    kept = _kept(project)
    for path in files:
        data = kept.get(path)
        if data is None:
            try:
                data = project.sources.read(path)
            except OSError:
                # A link to nothing is no module, and neither is a folder.
                if os.path.exists(path) and not os.path.isdir(path):
                    yield path, None
                continue
            if path.endswith(".ipynb"):
                data = _code_of(data)
            if len(kept) < _KEPT and (len(data) < _SHORT or path.endswith(".ipynb")):
                kept[path] = data
        yield path, data


def _code_of(notebook: bytes) -> bytes:
    """The text of a notebook with each row of code as it begins in a module, without what its cells have shown."""
    rows = notebook.split(b"\n")
    kept = b"\n".join(row for row in rows if len(row) < _LONG_ROW or not row.lstrip().startswith(_SHOWN))
    kept = kept.replace(b'\\"', b'"').replace(b"\\n", b"\n").replace(b'"source":', b"\n")
    return _AROUND_ROWS.sub(b"", kept)


@remembered
def _below(project: Project, root: str) -> _Files:
    """The modules and notebooks below a folder, until there are too many, or too many folders."""
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
            return _Files(files, False, frozenset({os.path.join(root, "")}))
    return _Files(files, True, frozenset({*files, *(os.path.join(folder, "") for folder in folders)}))
