"""What the files of a project bind and import, from one scan: who imports a module, which classes override a method,
and what the program says that a module is part of."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from tfdata_lint.pipeline.nouns.code import calls_of, last_name
from tfdata_lint.pipeline.nouns.errors import asks_again
from tfdata_lint.pipeline.project.command_line import setting
from tfdata_lint.pipeline.project.modules import Place, Project, above, remembered
from tfdata_lint.pipeline.project.reach import closure, imports_in
from tfdata_lint.source.digests import digest
from tfdata_lint.source.module import Source
from tfdata_lint.source.tree import FILES, NAMES, SCANNED, below, version
from tfdata_lint.source.trees import walk

BY_NAME, RUNS, AGAIN = "by name", "runs", "asked again"
#: Words, one of which must be there, and what they must be part of: a plain search is much faster than a pattern.
_WORDS: dict[str, tuple[tuple[bytes, ...], re.Pattern[bytes] | None]] = {
    # As an option: what another map is told does not reach this one.
    "deterministic": (
        (b"deterministic",),
        re.compile(rb"(?:\.|(?P<quote>['\"]))(?:experimental_)?deterministic(?(quote)['\"]|\s*=(?!=))"),
    ),
    "seed": ((b"set_seed", b"random_seed", b"op_determinism", b"experimental.numpy"), None),
    "any seed": ((b"seed",), None),
    "eagerly": ((b"run_eagerly", b"functions_eagerly"), None),
    "numpy": ((b"enable_numpy_behavior",), None),
    "legacy": ((b"LEGACY_KERAS", b"tf_keras"), None),
    # Models with layers that scale images, some of which Keras ships so (seen in their layers).
    "scales": (
        tuple(
            b"Rescaling ormaliz tandardiz preprocess EfficientNet MobileNetV3 ConvNeXt RegNet 255 127 128 256 "
            b".0039".split()
        ),
        re.compile(
            rb"Rescaling|(?<![A-Za-z])[Nn]ormaliz|tandardiz|preprocess_input|_preprocess|preprocessor|EfficientNet"
            rb"|MobileNetV3|ConvNeXt|RegNet|0\.0039|/=?\s*(?:np\.float32\()?\(?(?:25[56]|12[78])"
        ),
    ),
    "ignore_errors": ((b"ignore_errors",), None),
    # What may take further elements after an error; its tree says whether it does.
    AGAIN: ((b"try:", b"suppress("), re.compile(rb"(?:try:|suppress\()(?s:.*?)next(?:__|_as_optional)?\(")),
    # What only TensorFlow 1 has, in any way, and what only 2 has.
    "contrib": ((b"tf.contrib.", b"tensorflow.contrib"), None),
    "tensorflow 2": ((b"tf.function", b"GradientTape(", b"compat.v2", b"random.set_seed(", b"output_signature"), None),
    # What was gone when the names came that are new today (2.4).
    "before 2.4": ((b".experimental_run_v2(",), None),
    # What looks functions or modules up by names that are not written.
    BY_NAME: (
        (b"getattr(", b"globals()", b"locals()", b"eval(", b"vars(", b"Fire(", b"import_module", b"__import__"),
        re.compile(
            rb"\bgetattr\(\s*[\w.]+\s*,(?!\s*\\?['\"])|(?<![\w.])(?:globals\(|locals\(\)[\[.]|eval\()|\bFire\("
            # Options as a dict name no functions.
            rb"|import_module|__import__|(?<![\w.])vars\((?!self\b|\w*(?i:arg|opt|flags|conf)|\w+\.parse)"
        ),
    ),
    # What runs files or searches for modules, which need not be named.
    RUNS: (
        (b"exec(", b"%run", b"runpy", b"pkgutil", b"spec_from_file_location", b"SourceFileLoader", b"locate("),
        None,
    ),
    # What makes strategies that may have several processes, and what starts those.
    "several workers": (
        (b"MultiWorkerMirrored", b"ParameterServer", b"TPUStrategy", b"CollectiveAllReduce", b"TF_CONFIG", b"horovod"),
        # `isinstance(strategy, tf.distribute.TPUStrategy)` makes none.
        re.compile(rb"(?:MultiWorkerMirrored|ParameterServer|TPU|CollectiveAllReduce)\w*\(|TF_CONFIG|horovod"),
    ),
    # Strategies with one input pipeline, where none of the above is.
    "one pipeline": ((b"MirroredStrategy(", b"OneDeviceStrategy("), None),
    # What says who has the memory of the GPUs.
    "device memory": (
        tuple(b"visible_devices memory_growth virtual_dev GROWTH XLA_PYTHON_CL CUDA_VIS flow-cpu jax_plat".split()),
        None,
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
_CLASS = re.compile(rb"class[ \t]+(\w+)[ \t]*(?:\(([^)]{0,1000})\))?[ \t]*:")
#: Further names of a class: `from a import Base as Other`, `Other = a.Base`.
_IMPORTED_AS = re.compile(rb"\b(\w+)(?= as (\w+)\b)")
_SET_TO = re.compile(rb"(?m)^(\w+) = (?:\w+\.)*(\w+)$")
#: What a class has as a method: a function, or what is put into its place. Plain text in front is found fast.
_METHODS = (
    re.compile(rb" def (\w+)"),
    re.compile(rb"\tdef (\w+)"),
    re.compile(rb"\n(?:    |\t)(\w+) = (?:[A-Za-z_][\w.]*\n|lambda\b|staticmethod\()"),
    re.compile(rb"self\.(\w+) = lambda\b"),
)
#: What a file mentions that may say something about datasets.
_SAYING = (b"tensorflow", b"keras", b"tf.", b"deterministic", b"seed", b"XLA_PYTHON_CLIENT", b"CUDA_VISIBLE")
#: Characters around a part of a word in which its pattern is looked for.
_BEFORE, _BEHIND = 40, 200


class Derived(NamedTuple):
    """A class, and what it may inherit from."""

    name: str
    bases: frozenset[str]
    """The last names of what stands in its parentheses."""
    methods: frozenset[str]


#: What is believed only where it is seen: programs for an old TensorFlow are few.
_OF_OLD = ("contrib", "before 2.4")


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
    """What stands for all that they say."""
    importing: dict[str, list[str]]
    """The files that import something of this name, or from it."""
    derived: dict[str, list[Derived]]
    """The classes, by what they inherit from."""
    named: dict[str, list[Derived]]
    """The same by their own names."""


def answer(project: Project, source: Source, question: str, *of: str) -> tuple[bool, frozenset[str]]:
    """What the graph of a file asks, by the name of the question."""
    return _QUESTIONS[question](project, source, *of)


def says(project: Project, source: Source, word: str, *names: str) -> tuple[bool, frozenset[str]]:
    """Does a file say a word, or another one of its program; and on which files and folders does that depend?

    The names of functions that a file defines once, or imports, are left out there.
    """
    if _holds(_without(source.text.encode(errors="replace"), names), word) and (word != AGAIN or asks_again(source)):
        return True, frozenset()
    path, scan = around(project, source)
    if scan is None:
        return False, place_of(path)
    if not scan.is_all:
        return word != AGAIN and word not in _OF_OLD, scan.looked_at
    saying = {file for file, names in scan.files.items() if word in names.words} - {path}
    found = sorted(_program(project, path) & saying) if saying else []
    if names:
        found = [file for file in found if _holds(_without(project.sources.read(file), names), word)]
    is_said = any(word != AGAIN or asks_again(project.source(file)) for file in found)
    return is_said, scan.looked_at.union(found) if word == AGAIN else scan.looked_at


def _without(data: bytes, names: Iterable[str]) -> bytes:
    for name in map(str.encode, names):
        if len(re.findall(rb"\bdef %b\(" % name, data)) <= 1:
            data = re.sub(rb"(?:\b(?:self|cls|[A-Z]\w*)\.|(?<![\w.]))%b\b" % name, b"", data)
    return data


def says_anywhere(project: Project, source: Source, word: str) -> tuple[bool, frozenset[str]]:
    """As `says`, of a word in any file of the project."""
    path, scan = around(project, source)
    if scan is None:
        return _holds(source.text.encode(errors="replace"), word), place_of(path)
    return not scan.is_all or any(word in names.words for names in scan.files.values()), scan.looked_at


def is_imported(project: Project, source: Source) -> tuple[bool, frozenset[str]]:
    """Does another file of its project import a module? Notebooks are not imported."""
    path, scan = around(project, source)
    if not path.endswith(".py"):
        return False, frozenset()
    if scan is None:
        return False, place_of(path)
    return not scan.is_all or bool(importers_at(project, path)), scan.looked_at


def is_used(project: Project, source: Source, name: str) -> tuple[bool, frozenset[str]]:
    """May another file of its project use a name that a module binds?"""
    path, scan = around(project, source)
    if scan is None:
        return False, place_of(path)
    if not scan.is_all:
        return name != "*", scan.looked_at
    users = importers_at(project, path)
    if any(rest and rest[0] in (name, "*") for found in users.values() for rest in found):
        return True, scan.looked_at
    whole = sorted(other for other, found in users.items() if () in found) if name != "*" else []
    return any(_may_name(project.source(other), name) for other in whole), scan.looked_at.union(whole)


def _may_name(user: Source | None, name: str) -> bool:
    """Does a file that imports the whole module write the name, or hand the module on by what is not seen?"""
    return user is None or re.search(rf"\b{name}\b|\bgetattr\b", user.text) is not None


def is_shared(project: Project, source: Source, file: str) -> tuple[bool, frozenset[str]]:
    """Does another file than this one import a file?"""
    path, scan = around(project, source)
    if scan is None:
        return False, place_of(path)
    return not scan.is_all or not {*importers_at(project, os.path.abspath(file))} <= {path}, scan.looked_at


def is_run_in_loop(project: Project, source: Source, name: str) -> tuple[bool, frozenset[str]]:
    """Does a file that imports a module call a function of this name in each pass of a loop over something?"""
    path, scan = around(project, source)
    if scan is None or not scan.is_all:
        return False, place_of(path)
    users = sorted(importers_at(project, path))
    trees = [user.tree for other in users if (user := project.source(other)) is not None and user.tree is not None]
    return any(_loops_over(tree, name) for tree in trees), scan.looked_at.union(users)


def _loops_over(tree: ast.Module, name: str) -> bool:
    for loop in walk(tree):
        walked = loop.iter if isinstance(loop, ast.For) else None
        if isinstance(loop, (ast.ListComp, ast.GeneratorExp)):
            walked = loop.generators[0].iter
        is_range = isinstance(walked, ast.Call) and last_name(walked) == "range"
        # A range of steps gives parts, and what is written out a few.
        if walked is not None and not is_range and not isinstance(walked, (ast.List, ast.Tuple, ast.Dict)):
            if any(call is not walked for call in calls_of(loop, name)):
                return True
    return False


def overrides(project: Project, source: Source, path: str, cls: str, method: str) -> tuple[bool, frozenset[str]]:
    """Does a class that inherits from a class, near or far, have a method of its own with this name?"""
    derived = _names_in(source.text.encode(errors="replace")).classes
    file, scan = around(project, source)
    looked_at = place_of(file) if scan is None else scan.looked_at
    if scan is not None and not scan.is_all:
        return True, looked_at
    named = scan.named if scan is not None else {one.name: [one] for one in derived}
    todo, met = [cls], {cls}
    while todo:
        base = todo.pop()
        below = [one for one in derived if base in one.bases]
        for one in [*below, *(scan.derived.get(base, ()) if scan is not None else ())]:
            beside = [other for name in one.bases - {base} for other in named.get(name, ())]
            if any(method in other.methods for other in (one, *beside)):
                return True, looked_at
            if one.name not in met:
                met.add(one.name)
                todo.append(one.name)
    return False, looked_at


def is_in_project(project: Project, source: Source) -> tuple[bool, frozenset[str]]:
    """Is it marked where the project of a file begins? Elsewhere its users may lie anywhere."""
    folder = project.folder(source.path)
    return bool(project.root(folder)), frozenset(os.path.join(place, ".git") for place in above(folder))


def switches_on(project: Project, source: Source, option: str) -> tuple[bool, frozenset[str]]:
    """Does a command, a configuration or a call in a project switch an option on; or may it, unseen?"""
    path, scan = around(project, source)
    if scan is None or not scan.is_all:
        return True, place_of(path) if scan is None else scan.looked_at
    root = _root(project, path)
    beside = project.texts(root)
    texts = (*beside.values(), *map(project.sources.read, scan.files))
    return any(map(setting(option), texts)), scan.looked_at.union(beside, (root,))


_QUESTIONS: dict[str, Callable[..., tuple[bool, frozenset[str]]]] = {
    question.__name__: question
    for question in (is_imported, is_in_project, is_run_in_loop, is_shared, is_used, overrides, says, says_anywhere,
                     switches_on)
}  # fmt: skip


def may_be_used_elsewhere(project: Project, source: Source) -> bool:
    """May another file have a name that a module binds? Where no project is marked, also one above its packages."""
    path = os.path.abspath(source.path)
    if not os.path.exists(path):
        return False
    root, is_marked = _root(project, path), project.root(project.folder(path)) != ""
    while not is_marked and "__init__.py" in project.entries(root):
        root = os.path.dirname(root)
    scan = _scan(project, root)
    if not scan.is_all or importers_at(project, path, root):
        return True
    found, is_all = ({}, True) if is_marked else _read(project, _files_in(project, os.path.dirname(root)))
    if not is_all or any(names.words & {BY_NAME, RUNS} for names in (*scan.files.values(), *found.values())):
        return True
    places = (_lead(project, symbol, other) for other, names in found.items() for symbol in names.imports)
    return any(place is not None and place.path == path for place in places)


def located(project: Project, source: Source, name: str) -> tuple[Source | None, str, frozenset[str]]:
    """The module that a full name leads to, or a path, what is left of the name, and the names that were looked up."""
    if os.path.isabs(name):
        return project.source(name), "", frozenset({name})
    found = project.find(name, project.folder(source.path))
    if found.place is None or len(found.place.rest) != 1:
        return None, "", found.names
    return project.source(found.place.path), found.place.rest[0], found.names | {found.place.path}


def importers(project: Project, source: Source) -> tuple[list[Source], frozenset[str]]:
    """The other files of its project that import a module, and what that depends on."""
    path, scan = around(project, source)
    if scan is None or not scan.is_all:
        return [], place_of(path) if scan is None else scan.looked_at
    paths = sorted(importers_at(project, path))
    return [found for one in paths if (found := project.source(one)) is not None], scan.looked_at | set(paths)


# ── the program ─────────────────────────────────────────────────────────────────────────────────────────────────────


@remembered
def _program(project: Project, path: str) -> frozenset[str]:
    """The files that a module runs with: those that import it, near and far, and what all of these import."""
    users = closure([path], lambda file: importers_at(project, file))
    return frozenset(closure(users, lambda file: _imported_by(project, file)))


@remembered
def importers_at(project: Project, path: str, root: str = "") -> dict[str, list[tuple[str, ...]]]:
    """The other files that import a module, nearest names first; and what of each of their names is left in it."""
    found: dict[str, list[tuple[str, ...]]] = {}
    scan = _scan(project, root or _root(project, path))
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
    names = _scan(project, _root(project, path)).files.get(path)
    places = [_lead(project, symbol, path) for symbol in names.imports] if names is not None else []
    return frozenset(place.path for place in places if place is not None)


def _lead(project: Project, symbol: str, file: str) -> Place | None:
    """Where a name leads that a file imports; of all names of a module, to that."""
    place = project.locate(symbol.removesuffix("*").rstrip(".") if symbol.endswith(".*") else symbol, file)
    return place._replace(rest=(*place.rest, "*")) if place is not None and symbol.endswith(".*") else place


# ── the scan ────────────────────────────────────────────────────────────────────────────────────────────────────────


def around(project: Project, source: Source) -> tuple[str, Scan | None]:
    """The path of a file, and what its project says; None where it is not there."""
    path = os.path.abspath(source.path)
    return path, _scan(project, _root(project, path)) if os.path.exists(path) else None


@remembered
def _root(project: Project, path: str) -> str:
    """The folder below which the files lie that a module runs with. Where no project is marked, it is the folder of its
    outermost package, and what lies above as far as files there import that by its name."""
    folder = project.folder(path)
    if root := project.root(folder):
        return root
    for place in above(folder)[1:]:
        if "__init__.py" not in project.entries(place):
            name = os.path.basename(folder)
            found, _ = _read(project, _files_in(project, place))
            if not any(name in symbol.split(".") for names in found.values() for symbol in names.imports):
                break
        folder = place
    return folder


def _files_in(project: Project, folder: str) -> list[str]:
    return [os.path.join(folder, name) for name in sorted(project.entries(folder)) if name.endswith(FILES)]


@remembered
def _scan(project: Project, root: str) -> Scan:
    """Read each file below a folder once."""
    files, is_below = below(root, project.entries)
    looked_at = frozenset({os.path.join(root, NAMES)})
    found, is_read = _read(project, files if is_below else ())
    is_all = is_below and is_read
    importing: dict[str, list[str]] = {}
    derived: dict[str, list[Derived]] = {}
    named: dict[str, list[Derived]] = {}
    for path, names in found.items() if is_all else ():
        for word in {part for symbol in names.imports for part in symbol.split(".")}:
            importing.setdefault(word, []).append(path)
        for one in names.classes:
            named.setdefault(one.name, []).append(one)
            for base in one.bases:
                derived.setdefault(base, []).append(one)
    return Scan(found, is_all, looked_at, importing, derived, named)


def _read(project: Project, files: Iterable[str]) -> tuple[dict[str, Names], bool]:
    """What files say, and whether all could be read: what cannot may say anything."""
    found: dict[str, Names] = {}
    is_all = True
    for path in files:
        known = version(path)
        try:
            data = project.sources.read(path)
        except OSError:
            # A link to nothing is no module, and neither is a folder.
            is_all &= known is None or os.path.isdir(path)
            continue
        found[path] = names_in(path, data)
        if known is not None:
            SCANNED[known] = digest_of(found[path])
    return found, is_all


def names_in(path: str, data: bytes) -> Names:
    """What the text of a file says."""
    return _names_in(_code_of(data) if path.endswith(".ipynb") else data)


def digest_of(names: Names) -> str:
    """What stands for that, empty for nothing: other code of the file is nobody else's concern."""
    if not any(names):
        return ""
    classes = [(one.name, sorted(one.bases), sorted(one.methods)) for one in names.classes]
    return digest(repr((names.imports, classes, sorted(names.words))).encode("utf-8", "surrogateescape"))


@lru_cache(maxsize=1)  # Of one module it is asked for each of its methods.
def _names_in(data: bytes) -> Names:
    imports = dict.fromkeys(f"{symbol}.*" if name == "*" else symbol for name, symbol in imports_in(data))
    asked = _WORDS if any(part in data for part in _SAYING) else (BY_NAME, RUNS)
    words = frozenset(word for word in asked if _holds(data, word))
    return Names(tuple(imports), tuple(_classes(data)) if b"class" in data else (), words)


def _classes(data: bytes) -> Iterator[Derived]:
    """The classes, each with the methods that stand before the next one, and its bases by all of their names."""
    starts = list(_CLASS.finditer(data))
    ends = [start.start() for start in starts[1:]]
    others: dict[bytes, set[bytes]] = {}
    renamed = [*_IMPORTED_AS.findall(data), *[(name, other) for other, name in _SET_TO.findall(data)]] if starts else ()
    for name, other in renamed:
        others.setdefault(other, set()).add(name)
    for start, end in zip(starts, [*ends, len(data)], strict=False):
        bases = set(re.findall(rb"(\w+)\s*(?:,|$|\[|\()", start[2] or b""))
        bases.update(*[others.get(base, ()) for base in bases])
        methods = [name for pattern in _METHODS for name in pattern.findall(data, start.end(), end)]
        yield Derived(_text(start[1]), frozenset(map(_text, bases)), frozenset(map(_text, methods)))


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")


def _holds(data: bytes, word: str) -> bool:
    parts, pattern = _WORDS[word]
    for part in parts:
        position = data.find(part)
        while position >= 0:
            if pattern is None or pattern.search(data, max(position - _BEFORE, 0), position + _BEHIND):
                return True
            position = data.find(part, position + _BEHIND)
    return False


def place_of(path: str) -> frozenset[str]:
    """Where it was looked for a file that is not there: who has it finds more."""
    return frozenset({os.path.join(os.path.dirname(path), "")})


def _code_of(notebook: bytes) -> bytes:
    """The text of a notebook with each row of code as it begins in a module, without what its cells have shown."""
    rows = notebook.split(b"\n")
    kept = b"\n".join(row for row in rows if len(row) < _LONG_ROW or not row.lstrip().startswith(_SHOWN))
    kept = kept.replace(b'\\"', b'"').replace(b"\\n", b"\n").replace(b'"source":', b"\n")
    return _AROUND_ROWS.sub(b"", kept)
