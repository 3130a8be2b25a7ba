"""How far datasets reach through a project: which names of its modules are at work on them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.values import Symbol
from tfdata_lint.pipeline.project.index import Index, definitions_of, made_index, mentions_data
from tfdata_lint.pipeline.project.modules import LIBRARIES, Project, module_of, remembered
from tfdata_lint.pipeline.project.search import may_transform, mentions_datasets, mentions_tensorflow, worked_on
from tfdata_lint.source.module import Source

#: How far names are followed from a module that is linted, and from those that it imports. A module that is parsed for
#: its words takes two steps, one that only hands on what it imports takes one.
HOME, ABROAD = 6, 4
#: The same from a file that does not mention TensorFlow, or only loops over a dataset or transforms it.
NEAR = 2
_TEST = r"^(?:test_|conftest)|_tests?\.py$"
_PARSED = 2
_FROM = re.compile(rb"[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]{0,10000}\)|(?:[^\n\\]|\\\n)*)")
_IMPORT = re.compile(rb"[ \t]*import[ \t]+([\w., \t]+)")
_COMMENT = re.compile(r"#.*")
_ATTRIBUTES = re.compile(rb"\.(\w+)")
_WORDS = re.compile(rb"\w+")


class Data(NamedTuple):
    """What a name of another module has to do with datasets."""

    members: frozenset[str] | None
    """The names at work on datasets in a module, none for such a name itself; None where there are none."""
    reads: frozenset[str] = frozenset()
    """The files, and the names of modules looked up, that this depends on."""
    stands_for: str = ""
    """The name of a library that a module only hands on under it: `tensorflow` under `project.tf`."""


class _Glance(NamedTuple):
    """What can be said of a module without parsing it."""

    has_words: bool
    """Some word of datasets is in it."""
    transforms: bool = False
    """Otherwise: it may transform those of others."""
    handed_on: tuple[tuple[str, str], ...] = ()
    """Otherwise: the names it imports from modules, `*` among them, and their full names."""


_NOTHING = Data(None)


def index_of(source: Source, project: Project, reach: int = HOME) -> Index:
    """The index of a module, made once for a project.

    `reach`: how far names of other modules are followed to datasets.
    """
    mark, known = source.notes.get(Index, (None, {}))
    if mark is not project.mark:
        known = {}
        source.notes[Index] = project.mark, known
    if reach not in known:
        known[reach] = _index(source, project, reach)
    found: Index = known[reach]
    return found


def _index(source: Source, project: Project, reach: int) -> Index:
    definitions = definitions_of(source)
    imports = definitions.imports
    if definitions.stars:
        brought = [found for star in definitions.stars for found in project.imported(star, source.path)]
        imports = {**dict(brought), **imports}
    known = {alias: data_names(project, symbol.name, source.path, reach) for alias, symbol in imports.items()}
    inside = {alias: _submodules(project, source, alias, symbol.name, reach) for alias, symbol in imports.items()}
    handed_on = {alias: Symbol(data.stands_for) for alias, data in known.items() if data.stands_for}
    if handed_on:
        imports = {**imports, **handed_on}
    members = {alias: data.members for alias, data in known.items() if data.members is not None}
    others = [(alias, data_names(project, symbol.name, source.path, reach)) for alias, symbol in definitions.others]
    for alias, data in others:
        if data.members is not None:
            members[alias] = data.members | (members.get(alias) or frozenset())
    for alias, data in inside.items():
        if data.members:
            members[alias] = data.members | (members.get(alias) or frozenset())
    return made_index(
        source, imports, members, _reads([*known.values(), *inside.values(), *[data for _, data in others]])
    )


def _submodules(project: Project, source: Source, alias: str, package: str, reach: int) -> Data:
    """The names that a module reads from modules of a package which it imports as a whole: `project.data.load`."""
    if package.partition(".")[0] in LIBRARIES:
        return _NOTHING
    place = project.locate(package, source.path)
    if place is None or place.rest or os.path.basename(place.path) != "__init__.py":
        return _NOTHING
    # Without `\b` in front `re` skips ahead.
    uses = re.finditer(rf"{alias}\.(?=(\w+)\.)", source.text)
    asked = {use[1] for use in uses if not re.match(r"\w", source.text[use.start() - 1 : use.start()])}
    found = {name: data_names(project, f"{package}.{name}", source.path, reach) for name in sorted(asked)}
    names = frozenset(f"{name}.{member}" for name, data in found.items() for member in data.members or ())
    return Data(names or None, _reads(found.values()))


def imports_data(data: bytes, file: str, project: Project) -> tuple[bool, frozenset[str]]:
    """Does a file, by its text, use something that is at work on datasets? And what that depends on."""
    is_test = re.search(_TEST, os.path.basename(file)) is not None
    imports = [(name, symbol) for name, symbol in imports_in(data) if symbol.partition(".")[0] not in LIBRARIES]
    names = worked_on(data, set() if is_test else {name.encode() for name, _ in imports if name != "*"})
    # What a test goes over or maps says little; what others do without a consumer is not looked for far away.
    if names is not None and (not names or is_test):
        return False, frozenset()
    symbols = {symbol for name, symbol in imports if names is None or name == "*" or name.encode() in names}
    reach = HOME if names is None and mentions_tensorflow(data) else NEAR
    known = [data_names(project, symbol, file, reach) for symbol in sorted(symbols)]
    members = {member.encode() for found in known for member in found.members or ()}
    is_given = any(found.members is not None and not found.members for found in known)
    # What `*` brings is used without a module in front.
    uses = _WORDS if any(name == "*" for name, _ in imports) else _ATTRIBUTES
    return is_given or not members.isdisjoint(uses.findall(data) if members else ()), _reads(known)


def data_names(project: Project, name: str, file: str, reach: int) -> Data:
    """What a full name that a file uses has to do with datasets, given how far names may be followed."""
    if reach <= 0 or name.partition(".")[0] in LIBRARIES:
        return _NOTHING
    return _data_names(project, name, project.folder(file), reach)


@remembered
def _data_names(project: Project, name: str, folder: str, reach: int) -> Data:
    place, looked_up = project.find(name, folder)
    if place is None:
        return Data(None, looked_up)
    path, rest = place
    if rest and (library := _libraries(project, path).get(rest[0])):
        return Data(None, looked_up | {path}, ".".join((library, *rest[1:])))
    found = _members(project, path, rest, looked_up, reach)
    return found if rest else found._replace(stands_for=_star(project, path))


def _members(project: Project, path: str, rest: tuple[str, ...], looked_up: frozenset[str], reach: int) -> Data:
    glance = _glance(project, path)
    if not glance.has_words:
        goes_on, asked = _goes_on(project, path, glance, reach - 1)
        looked_up |= asked
        if not goes_on:
            data = _handed_on(project, path, rest, glance.handed_on, reach)
            return data._replace(reads=data.reads | looked_up)
    names, reads = _names_of(project, path, reach)
    if rest:
        return Data(frozenset() if rest[0] in names else None, reads | looked_up)
    return Data(names or None, reads | looked_up)


def _goes_on(project: Project, path: str, glance: _Glance, reach: int) -> tuple[bool, frozenset[str]]:
    """Does a module without a word of datasets transform those of others? And what was read for it."""
    asked = [data_names(project, symbol, path, reach) for _, symbol in glance.handed_on if glance.transforms]
    return any(data.members is not None for data in asked), _reads(asked)


def _reads(asked: Iterable[Data]) -> frozenset[str]:
    return frozenset[str]().union(*(data.reads for data in asked))


def _handed_on(
    project: Project, path: str, rest: tuple[str, ...], imports: tuple[tuple[str, str], ...], reach: int
) -> Data:
    """What a module without a word of datasets only hands on from others."""
    reads = {path}
    names: set[str] = set()
    if rest or os.path.basename(path) == "__init__.py":
        for name, symbol in imports:
            if name != "*" and rest and name != rest[0]:
                continue
            origin = f"{symbol}.{rest[0]}" if name == "*" and rest else symbol
            data = data_names(project, origin, path, reach - 1)
            reads |= data.reads
            if data.members is not None:
                names |= {name} if name != "*" else {rest[0]} if rest else data.members
    if rest:
        return Data(frozenset() if names else None, frozenset(reads))
    return Data(frozenset(names) or None, frozenset(reads))


@remembered
def _names_of(project: Project, path: str, reach: int) -> tuple[frozenset[str], frozenset[str]]:
    """The names of a module that are at work on datasets, those that it imports included; and what was read for it."""
    source = project.source(path)
    if source is None:
        return frozenset(), frozenset({path})
    reach = max(reach - _PARSED, 0)
    index = index_of(source, project, reach)
    names = {name.partition(".")[0] for name in index.work.relevant}
    for name, statements in module_of(source).bindings.items():
        if any(mentions_data(index, node.lineno, node.end_lineno or node.lineno) for node in statements):
            names.add(name)
        symbol = index.imports.get(name)
        if symbol is not None and data_names(project, symbol.name, path, reach).members is not None:
            names.add(name)
    return frozenset(names), frozenset({path, *index.reads})


@remembered
def _glance(project: Project, path: str) -> _Glance:
    try:
        data = project.sources.read(path)
    except OSError:
        return _Glance(False)
    if mentions_datasets(data):
        return _Glance(True)
    return _Glance(False, may_transform(data), _imports(project, path))


@remembered
def _libraries(project: Project, path: str) -> dict[str, str]:
    """What a module imports of libraries, by its own names for it."""
    imports = _imports(project, path)
    return {name: symbol for name, symbol in imports if symbol.partition(".")[0] in LIBRARIES and name != "*"}


def _star(project: Project, path: str) -> str:
    """TensorFlow, where a module hands on all of it: `from tensorflow.compat.v2 import *`."""
    stars = (symbol for name, symbol in _imports(project, path) if name == "*" and plain(symbol) == "tensorflow")
    return next(stars, "")


@remembered
def _imports(project: Project, path: str) -> tuple[tuple[str, str], ...]:
    """The names that the imports of a module bind, and what they stand for."""
    try:
        return tuple(imports_in(project.sources.read(path)))
    except OSError:
        return ()


def imports_in(data: bytes) -> Iterator[tuple[str, str]]:
    """The names that imports bind, by the text, `*` among them, and what they stand for."""
    position = data.find(b"import")
    while position >= 0:
        start = data.rfind(b"\n", 0, position) + 1
        found = _IMPORT.match(data, start) or _FROM.match(data, start)
        if found is None or found.end() <= position:
            # It stands in a text, a comment or behind another statement.
            position = data.find(b"import", position + 1)
            continue
        position = data.find(b"import", found.end())
        origin = found[1].decode("ascii", "replace")
        if found.re is _IMPORT:
            for part in origin.split(","):
                module, _, alias = part.strip().partition(" as ")
                yield alias.strip() or module.partition(".")[0], module
            continue
        names = found[2].decode("ascii", "replace")
        for part in _COMMENT.sub("", names).replace("\\", " ").strip("() \t\n").split(","):
            name, _, alias = part.strip().partition(" as ")
            symbol = origin if name == "*" else f"{origin}{'' if origin.endswith('.') else '.'}{name}"
            yield alias.strip() or name, symbol


def closure(first: Iterable[str], further: Callable[[str], Iterable[str]]) -> set[str]:
    """What leads on from somewhere, however far, with where it begins."""
    found = set(first)
    todo = list(found)
    while todo:
        new = set(further(todo.pop())) - found
        found |= new
        todo += new
    return found
