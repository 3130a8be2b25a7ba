"""What is written anywhere in a project: the words that decide what its datasets do, wherever these end up."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from tfdata_lint.pipeline.nouns.errors import goes_on
from tfdata_lint.pipeline.project.modules import LIBRARIES, Project, remembered
from tfdata_lint.source.module import Source

#: Files that are searched; a project with more of them may say anything.
_MOST = 3000
_FILES = (".py", ".ipynb")
#: Modules by which a module is imported, at most.
_IMPORTERS = 20
#: Files that are kept when they were read, and how long they are at most.
_KEPT, _SHORT = 800, 40_000
#: Characters before a name in which the call may begin that is given it.
_BEFORE = 120
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
    # What makes ragged tensors.
    "ragged": (
        (b"agged", b"s_split", b"gs.split", b"ngrams", b"unicode_", b"okeniz", b"TextVectorization", b"Lookup"),
        None,
    ),
}
_IMPORT = re.compile(rb"[ \t]*(?:from|import)[ \t](?:[^\n\\(]|\\\n)*(?:\([^)]{0,10000}\))?")
#: Bytes of a row that patterns are tried on, and rows that one statement has.
_LONG = 2_000
_CONTINUED = 100
#: A module that is imported so has no name in the code.
_DYNAMIC = (b"import_module", b"__import__")
#: What runs files or searches for modules, which need not be named either.
_RUNNING = (b"exec(", b"%run", b"runpy", b"pkgutil", b"spec_from_file_location", b"SourceFileLoader", b"locate(")
#: Of rows so long, these begin what a cell has shown: pictures, say.
_LONG_ROW, _SHOWN = 1000, (b'"image/', b'"text/', b'"application/')
#: What stands around a row of code in the JSON of a notebook.
_AROUND_ROWS = re.compile(rb'(?m)^[ \t,\[]*"(?:,[ \t\n]*")?')


class _Written(NamedTuple):
    words: frozenset[str]
    imported: frozenset[str] | None
    """The words of imports; None where it may be any module."""
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
    written = _written(project, project.root(path))
    return word in written.words, written.looked_at - {path}


def _is_meant(project: Project, source: Source, word: str) -> tuple[bool, frozenset[str]]:
    path = os.path.abspath(source.path)
    if not os.path.exists(path):
        return word[0] not in "=-" and is_meant(word, source.text), _place(path)
    root = project.root(path)
    if word == "*":
        mentioned = {
            b"",
            module_of(path).encode(errors="replace"),
            *re.findall(rb"\w+", source.text.encode(errors="replace")),
        }
        return not mentioned.isdisjoint(_computed(project, root)), _written(project, root).looked_at - {path}
    word, _, besides = word.partition(" ")
    others = {path, besides} if word[0] in "=-" else set()
    found = _meaning(project, root, word) - others
    if besides and word[0] == "@":
        imports = {path: _imports(project, path) for path in found}
        found = frozenset(path for path, words in imports.items() if words is None or besides in words)
    return bool(found), _written(project, root).looked_at - {path}


def _goes_on_elsewhere(project: Project, source: Source) -> tuple[bool, frozenset[str]]:
    path = os.path.abspath(source.path)
    if not os.path.exists(path):
        return False, _place(path)
    root = project.root(path)
    return bool(_going_on(project, root) - {path}), _written(project, root).looked_at - {path}


@remembered
def _going_on(project: Project, root: str) -> frozenset[str]:
    """The files of a project that ask iterators again after errors; all of them, where those are too many."""
    files, folders = _below(project, root)
    if len(files) > _MOST or len(folders) > _MOST:
        return frozenset({"", *files})
    return frozenset(path for path, data in _texts(project, files) if data is None or _may_go_on(project, path, data))


def _may_go_on(project: Project, path: str, data: bytes) -> bool:
    if not (_ASKING.search(data) and _CATCHING.search(data)):
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
    files, folders = _below(project, root)
    if len(files) > _MOST or len(folders) > _MOST:
        return frozenset({"", *files})
    return frozenset(path for path, data in _texts(project, files) if data is None or _matches(word, data))


@remembered
def _imports(project: Project, path: str) -> frozenset[str] | None:
    """The words of the imports of a file; None where it cannot be read."""
    words: set[bytes] = set()
    for _, data in _texts(project, [path]):
        if data is None:
            return None
        words.update(re.findall(rb"\w+", b" ".join(_imports_in(data))))
    return frozenset(word.decode("utf-8", "replace") for word in words)


@remembered
def _computed(project: Project, root: str) -> frozenset[bytes]:
    """Modules and classes of a project in which names are set that are not written; an empty name stands for all."""
    files, folders = _below(project, root)
    if len(files) > _MOST or len(folders) > _MOST:
        return frozenset({b""})
    found: set[bytes] = set()
    for path, data in _texts(project, files):
        found |= {b""} if data is None else _set_by_computed_names(data, module_of(path).encode(errors="replace"))
    return frozenset(found)


def is_meant(word: str, text: str) -> bool:
    """As `is_written`, of `@name`, `~name` and `*`, in one text."""
    data = text.encode(errors="replace")
    return bool(_set_by_computed_names(data, b"")) if word == "*" else _matches(word, data)


def may_execute(name: str, text: str) -> bool:
    """May a text run code that sets a name?"""
    data = text.encode(errors="replace")
    return b"exec(" in data and any(
        re.search(part, data) for part in (_EXECUTED, _IN_CODE % name.encode(errors="replace"))
    )


@lru_cache(maxsize=256)
def _needles(word: str) -> tuple[bytes, ...]:
    """What must be in a text where a word is meant."""
    return tuple(dict.fromkeys(part % word[1:].encode(errors="replace") for part, _ in _MEANT[word[0]]))


def _matches(word: str, data: bytes) -> bool:
    kind, name = word[0], word[1:].encode(errors="replace")
    # A loop: this is asked of every file of a project.
    for needle in _needles(word):
        if needle in data:
            break
    else:
        return False
    found = [(row, match) for row in _rows_with(name, data) for match in _meant(kind, name, row)]
    if not found or kind != "@" or re.search(rb"\bdef %s\b" % name, data):
        return bool(found)
    # What a class of this file has is nobody else's.
    holders = (re.search(rb"\w*$", row[: match.start()]) for row, match in found)
    return not all(holder and holder[0] and re.search(rb"(?m)^class %s\b" % holder[0], data) for holder in holders)


def _rows_with(name: bytes, data: bytes) -> Iterator[bytes]:
    """The rows of a text in which a name is, and what is before them: patterns over whole texts would take long."""
    position = data.find(name)
    while position >= 0:
        end = data.find(b"\n", position)
        end = len(data) if end < 0 else end
        start = data.rfind(b"\n", 0, max(position - _BEFORE, 0)) + 1
        if end - start > _LONG:
            # Patterns take time with the square of a row: of a long one, what is near the name.
            start, end = max(start, position - _LONG // 2), min(end, position + _LONG // 2)
        yield data[start:end]
        position = data.find(name, end)


def _meant(kind: str, name: bytes, rows: bytes) -> Iterator[re.Match[bytes]]:
    for part, pattern in _MEANT[kind]:
        if part % name in rows:
            yield from re.finditer(pattern % name, rows)


def _set_by_computed_names(data: bytes, module: bytes) -> set[bytes]:
    """In which modules and classes does a module set names that are not written in it?"""
    if not any(part in data for part in _REFLECTING):
        return set()
    found = {module} if re.search(_GLOBALS, data) or (not module and re.search(_EXECUTED, data)) else set[bytes]()
    places = re.findall(rb"setattr(?:__)?\(\s*(\w[\w.]*)\s*,(?!\s*['\"])", data)
    places += re.findall(rb"\bvars\((\w+)\)(?:\.(?:update|setdefault)\b|" + _ANY_KEY + rb")", data)
    roots = {place.partition(b".")[0] for place in places}
    found |= {part for place in places for part in place.split(b".") if part[:1].isupper()}
    for statement in _imports_in(data) if roots else ():
        words = set(re.findall(rb"\w+", statement))
        if not roots.isdisjoint(words):
            found |= words - {b"from", b"import", b"as"}
    return found


#: Names that are set: in something else than `self`, by name, by their own attributes; those of libraries.
_TAKES = rb"\s*(?:[-+*/|&^%%@]|//|\*\*|<<|>>)?=(?!=)"
_OF_LIBRARY = rb"\b(?:tf|tensorflow|np|numpy|keras|Dataset)(?:\.\w+)*"
_BY_NAME_OF_LIBRARY = rb"(?:patch|patch\.object|setattr)\(\s*['\"]?" + _OF_LIBRARY + rb"(?:\.|\s*,\s*['\"])%s['\"]"
#: Names in code that is executed, and such code that is not written there, or goes over several rows.
_IN_CODE = rb"(?<![\w.])exec\([^\n]*\b%s\b"
_EXECUTED = rb"(?<![\w.])exec\(\s*(?!r?(?:'(?!'')|\"(?!\"\")))"
_BY_NAME = rb"(?:setattr|patch|vars|globals|__dict__)\b(?:[^\n]*|[^'\"]*)['\"](?:[\w.]*\.)?%s['\"]"
#: What must be there, and what it must be part of.
_MEANT: dict[str, tuple[tuple[bytes, bytes], ...]] = {
    "=": ((b"%s", rb"\b%s\b"),),
    "-": ((b"def %s", rb"\bdef %s\b"),),
    "@": (
        (b".%s", rb"(?<!\bself)(?<!\bcls)\.%s" + _TAKES),
        (b".%s", rb"(?m)^[\w.\[\], \t]*\.%s\s*,[^=\n()]*=(?!=)"),
        (b"%s'", _BY_NAME),
        (b'%s"', _BY_NAME),
        (b"%s.__", rb"\b%s\.__\w+__" + _TAKES),
        (b".%s", rb"(?:for|as|del)\s+[\w.]+\.%s\b"),
        (b"exec(%.0s", _IN_CODE),
    ),
    "~": (
        (b".%s", _OF_LIBRARY + rb"\.%s" + _TAKES),
        (b"%s'", _BY_NAME_OF_LIBRARY),
        (b'%s"', _BY_NAME_OF_LIBRARY),
    ),
}
#: A key that is not written, and is assigned; a very long one may be.
_ANY_KEY = rb"\[[^'\"\]](?:[^\]]{0,300}\][^=\n]{0,3}=(?!=)|[^\]]{301})"
_GLOBALS = rb"\bglobals\(\)(?:\.(?:update|setdefault)|" + _ANY_KEY + rb")"
_REFLECTING = (b"setattr", b"globals()", b"vars(", b"exec(")


def is_imported(project: Project, source: Source) -> tuple[bool, frozenset[str]]:
    """May another file of its project import a module? Notebooks are not imported."""
    path = os.path.abspath(source.path)
    if not path.endswith(".py"):
        return False, frozenset()
    if not os.path.exists(path):
        return False, _place(path)
    name = module_of(path)
    written = _written(project, project.root(path))
    return written.imported is None or name in written.imported, written.looked_at - {path}


def _may_import(project: Project, path: str, names: set[str]) -> bool:
    words = _imports(project, path)
    return words is None or not names.isdisjoint(words)


def importers(project: Project, source: Source) -> tuple[tuple[str, ...] | None, frozenset[str]]:
    """The modules of its project that import a module, or one of those that do; None where these are not all known."""
    path = os.path.abspath(source.path)
    root = project.root(path)
    written = _written(project, root)
    looked_at = written.looked_at - {path}
    if written.imported is None:
        return None, looked_at
    names, found = {module_of(path)}, {path}
    files = [file for file in _below(project, root)[0] if file != path]
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
    written = _written(project, root)
    if written.imported is None or name in written.imported:
        return True
    mentioned = re.compile(rb"\b%s\." % re.escape(name.encode(errors="replace")))
    texts = (data for other, data in _texts(project, _below(project, root)[0]) if other != path)
    return any(data is None or mentioned.search(data) or any(part in data for part in _RUNNING) for data in texts)


def _outermost(project: Project, folder: str) -> str:
    """The folder above all packages from which a module imports what is in this one, where no project is marked."""
    while folder != (above := os.path.dirname(folder)) and project.is_unmarked(folder):
        files = [os.path.join(above, name) for name in sorted(project.entries(above)) if name.endswith(_FILES)]
        word = re.compile(rb"\b%s\b" % re.escape(os.path.basename(folder).encode(errors="replace")))
        imports = (row for _, data in _texts(project, files) if data for row in _imports_in(data))
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
def _written(project: Project, root: str) -> _Written:
    files, folders = _below(project, root)
    words: set[str] = set()
    imported: set[bytes] = set()
    is_dynamic = False
    for _, data in _texts(project, files):
        if data is None:
            words.update(_WORDS)
            is_dynamic = True
            continue
        words.update(word for word in _WORDS if word not in words and _holds(data, word))
        is_dynamic = is_dynamic or any(name in data for name in _DYNAMIC)
        imported.update(re.findall(rb"\w+", b" ".join(_imports_in(data))))
    looked_at = frozenset({*files, *(os.path.join(folder, "") for folder in folders)})
    if len(files) > _MOST or len(folders) > _MOST:
        return _Written(frozenset(_WORDS), None, frozenset({os.path.join(root, "")}))
    names = frozenset(name.decode("utf-8", "replace") for name in imported)
    return _Written(frozenset(words), None if is_dynamic else names, looked_at)


def _imports_in(data: bytes) -> Iterator[bytes]:
    """The import statements of a text: a plain search for the word is much faster than a pattern for each row."""
    position = data.find(b"import")
    while position >= 0:
        start = row = data.rfind(b"\n", 0, position) + 1
        for _ in range(_CONTINUED):
            if not data.endswith(b"\\\n", 0, start):
                break
            start = data.rfind(b"\n", 0, start - 1) + 1
        # A comment may end in a backslash, too.
        found = _IMPORT.match(data, start) or _IMPORT.match(data, row)
        if found:
            yield found[0]
        position = data.find(b"import", max(position + 1, found.end() if found else 0))


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
