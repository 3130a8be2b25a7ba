"""What is known of files since an earlier run, in one file per project and working directory.

A file that is as it was need not be read; one that only looks new, as after a checkout, is compared by its text. An
entry holds while nothing changes that the findings depend on: the text, those of other files, the settings, the rules,
this program. Whatever is wrong with the cache, a file is linted instead.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from time import time, time_ns
from typing import TYPE_CHECKING, Any, TypeAlias
from zlib import crc32

import tfdata_lint
from tfdata_lint.lint.reports import QUIET, FileReport

# `hashlib` loads OpenSSL first, which takes longer than linting a file.
try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

if TYPE_CHECKING:
    from tfdata_lint.config.settings import Settings
    from tfdata_lint.lint.reports import File
    from tfdata_lint.source.discovery import Found

    Entries: TypeAlias = Callable[[str], frozenset[str]]
    Discover: TypeAlias = Callable[[list[str], Settings, list[str] | None], Iterator[Found]]

_FORMAT = 1
_OF_DISCOVERY = ("exclude", "extend_exclude", "respect_gitignore", "force_exclude", "root")
#: How many ways to name folders are remembered.
_WALKS = 3
#: Marks files that the byte search passes over, unless they are named.
_ONLY_NAMED = "!"
_SEPARATOR = "\x01"
_PREFIX = "tfdata-lint-"
_TEMPORARY = ".tmp"
#: File systems tell the time in steps of up to two seconds: a file changed later than that may change unseen.
_STEP = 2_000_000_000
_DAY = 86_400
_LIFETIME = 30 * _DAY
_WITHOUT_EFFECT = frozenset({
    "exclude", "extend_exclude", "force_exclude", "respect_gitignore", "baseline", "cache_dir", "fail_level",
    "origins", "output_format", "target_tensorflow", "looks_around", "file", "verify",
})  # fmt: skip
#: What is kept of a report besides its path.
_KEPT = tuple(
    name for name in FileReport._fields if name not in ("path", "fixed", "before", "after", "problem", "depends")
)
_PLUGINS = "[tfdata_lint.rules]\n"
_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n# Made by tfdata-lint; it can be deleted at any time.\n"


class Cache:
    """What was found in files in earlier runs, and what is found in this one."""

    def __init__(self, folder: str) -> None:
        self.since = time_ns() - _STEP
        """Files changed before can be told by their stamps."""
        self._folder = folder
        self._key = _digest(repr(_environment()).encode())
        self._path = os.path.join(folder, f"{_PREFIX}{self._key}.cache")
        self._contexts: dict[tuple[Settings, str], str] = {}
        self._current: dict[str, str] = {}
        self._listed: dict[str, frozenset[str]] = {}
        self._new: dict[str, str] = {}
        self._is_new = False
        """Is there more to write?"""
        self._seen: set[str] = set()
        self._read: tuple[int, int] | None = None
        self._entries, self._others, self._walks = self._load()
        self._numbered = list(self._others)
        """Entries have the number of a file instead of its path, in what was loaded."""

    def report(self, file: File) -> FileReport | None:
        """The report on a file, if it is known and holds."""
        path = file.path
        self._seen.add(path)
        entry = self._entries.get(path)
        if entry is None:
            return None
        stamp = _stamp(path, self.since)
        if entry == stamp:
            return None if file.explicit else FileReport(path)
        try:
            known, context, digest, numbers, of_others, text = entry.split("\0")
            unchanged = known == stamp != ""
            if digest.startswith(_ONLY_NAMED) and not file.explicit:
                return FileReport(path) if unchanged else None
            if context and context != self._context(file):
                return None
            if not unchanged and _digest_of(path) != digest.lstrip(_ONLY_NAMED):
                return None
            others = [self._numbered[int(number)] for number in numbers.split()]
            if others and _digest_of_all(map(self._digest_now, others)) != of_others:
                return None
            if not unchanged:
                self._new[path] = "\0".join((stamp, context, digest, _SEPARATOR.join(others), of_others, text))
            return _unpacked(path, others, text)
        except (ValueError, TypeError, LookupError, OSError, RecursionError):
            return None

    def walk(self, paths: list[str], settings: Settings, discover: Discover) -> Iterator[Found]:
        """The files in some folders. They need not be searched while none of the folders in them has changed."""
        if not all(map(os.path.isdir, paths)):
            yield from discover(paths, settings, None)
            return
        from tfdata_lint.source.discovery import Found

        key = _digest(repr((paths, [getattr(settings, name) for name in _OF_DISCOVERY])).encode("utf-8", "replace"))
        visited, _, files = self._walks.get(key, "").partition("\0")
        tokens = visited.split(_SEPARATOR)
        pairs = zip(tokens[::2], tokens[1::2], strict=False)
        if visited and all(_token(path, self.since) == token for path, token in pairs):
            for path in files.split(_SEPARATOR) if files else ():
                yield Found(path, False)
            return
        places: list[str] = []
        found: list[Found] = []
        for file in discover(paths, settings, places):
            found.append(file)
            yield file
        tokens = [part for path in places for part in (path, _token(path, self.since))]
        if all(tokens):
            walk = f"{_SEPARATOR.join(tokens)}\0{_SEPARATOR.join([file.path for file in found])}"
            self._walks = {**dict(list(self._walks.items())[-_WALKS:]), key: walk}
            self._is_new = True

    def keep(self, file: File, kept: str | None) -> None:
        """Remember what is to be kept of the report on a file."""
        if kept is None:
            return
        stamp = _stamp(file.path, self.since)
        if kept != QUIET:
            # That a file has nothing to lint is so under all settings.
            context = "" if kept.startswith(_ONLY_NAMED) and kept.endswith("\0\0\0") else self._context(file)
            self._new[file.path] = f"{stamp}\0{context}\0{kept}"
        elif stamp:
            self._new[file.path] = stamp

    def save(self, walked: Iterable[str] = ()) -> None:
        """Write what is new, without what is no longer there in the folders that were walked as a whole."""
        with suppress(OSError):
            if self._new or self._is_new:
                self._write(walked)
            elif self._read and self._read[0] < time_ns() - _DAY * 1_000_000_000:
                # Still in use.
                os.utime(self._path)

    def _digest_now(self, path: str) -> str:
        """Of a file that others depend on; it is read once a run, unless it is as it was. Of a name, its home."""
        if path not in self._current:
            if not path.endswith(".py"):
                self._current[path] = _home_of(path, self._listing)
                return self._current[path]
            stamp = _stamp(path, self.since)
            known, _, digest = self._others.get(path, "").partition("\0")
            if not stamp or known != stamp:
                digest = _digest_of(path)
                if stamp:
                    self._others[path] = f"{stamp}\0{digest}"
                    self._is_new = True
            self._current[path] = digest
        return self._current[path]

    def _listing(self, folder: str) -> frozenset[str]:
        if folder not in self._listed:
            self._listed[folder] = _entries(folder)
        return self._listed[folder]

    def _context(self, file: File) -> str:
        """A digest of the settings that matter to the findings in a file."""
        key = file.settings, os.path.dirname(file.path)
        if key not in self._contexts:
            target = file.settings.target_for(file.path)
            values = [value for name, value in file.settings._asdict().items() if name not in _WITHOUT_EFFECT]
            self._contexts[key] = _digest(repr((target, values)).encode("utf-8", "backslashreplace"))
        return self._contexts[key]

    # ── the file ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _load(self) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
        try:
            with open(self._path, "rb") as file:
                status = os.fstat(file.fileno())
                header, _, body = file.read().partition(b"\n")
        except OSError:
            return {}, {}, {}
        if header != _header(self._key, body):
            return {}, {}, {}
        self._read = status.st_mtime_ns, status.st_ino
        entries, others, walks = os.fsdecode(body).split("\n\n")
        return _table(entries), _table(others), _table(walks)

    def _write(self, walked: Iterable[str]) -> None:
        others, walks = self._others, self._walks
        if self._read != _identity(self._path):
            # Another process was quicker: add to what it has found.
            self._entries, others, walks = self._load()
        others.update(self._others)
        walks.update(self._walks)
        walked = tuple(map(_beginning, walked))
        entries = {
            path: entry for path, entry in self._entries.items() if path in self._seen or not _is_below(path, walked)
        }
        numbers = {path: str(number) for number, path in enumerate(others)}
        entries.update((path, _numbered(entry, numbers)) for path, entry in self._new.items())
        others.update((path, "") for path in numbers if path not in others)
        body = os.fsencode("\n\n".join(map(_rows, (entries, others, walks))))
        self._prepare()
        _replace(self._path, _header(self._key, body) + b"\n" + body)
        self._prune()

    def _prepare(self) -> None:
        try:
            os.makedirs(self._folder)
        except FileExistsError:
            # It may be any folder of the user.
            return
        _replace(os.path.join(self._folder, "CACHEDIR.TAG"), _TAG)
        _replace(os.path.join(self._folder, ".gitignore"), b"*\n")

    def _prune(self) -> None:
        """Remove what other versions and other working directories have left, and killed runs."""
        now = time()
        with os.scandir(self._folder) as entries:
            for entry in entries:
                if entry.name.startswith(_PREFIX):
                    lifetime = _DAY if entry.name.endswith(_TEMPORARY) else _LIFETIME
                    if entry.stat().st_mtime < now - lifetime:
                        os.unlink(entry.path)


def packed(report: FileReport, data: bytes, since: int, entries: Entries, *, quiet: bool) -> str | None:
    """A report as text, with what it depends on; None when it may not hold. `entries`: what was seen in folders."""
    if any(diagnostic.code == "TFD002" for diagnostic in report.diagnostics):
        return None
    # A file changed since it was read would be taken for the one that was.
    if any(os.path.isfile(other) and not _stamp(other, since) for other in report.depends):
        return None
    depends = _SEPARATOR.join(report.depends)
    if "\n" in depends:
        return None
    others = (_digest_once(path) if path.endswith(".py") else _home_of(path, entries) for path in report.depends)
    of_others = _digest_of_all(others) if depends else ""
    beginning = f"{_ONLY_NAMED * quiet}{_digest(data)}\0{depends}\0{of_others}\0"
    values = tuple(getattr(report, name) for name in _KEPT)
    if not any(values):
        return beginning
    import json

    return beginning + json.dumps(_plain(values), separators=(",", ":"))


def _unpacked(path: str, others: list[str], text: str) -> FileReport:
    kept: dict[str, Any] = {}
    if text:
        import json

        kept = dict(zip(_KEPT, map(_tuple, json.loads(text, object_hook=_object)), strict=True))
    return FileReport(path, depends=tuple(others), **kept)


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _stamp(path: str, since: int) -> str:
    """Tells whether a file is as it was without reading it. Empty when that cannot be told: it is not there or new."""
    try:
        status = os.stat(path)
    except OSError:
        return ""
    # The time of the last change of the entry cannot be set back, as that of the content can.
    if status.st_mtime_ns >= since or status.st_ctime_ns >= since:
        return ""
    return f"{status.st_mtime_ns} {status.st_ctime_ns} {status.st_size} {status.st_ino}"


def _token(path: str, since: int) -> str:
    """As a stamp; of a `.git`, which changes all the time, only whether it is there."""
    if path.endswith(f"{os.sep}.git"):
        return "there" if os.path.exists(path) else "missing"
    return _stamp(path, since) or ("" if os.path.lexists(path) else "missing")


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def _digest_of_all(states: Iterable[str]) -> str:
    return _digest("".join(states).encode("utf-8", "surrogateescape"))


def _digest_of(path: str) -> str:
    """Of a file's content."""
    try:
        with open(path, "rb") as file:
            return _digest(file.read())
    except OSError:
        return "missing"


def _home_of(path: str, entries: Entries) -> str:
    """Where the module or package is that was looked for under a path without `.py`: there, or nearest above."""
    folder, name = os.path.split(path)
    while True:
        for place in (folder, os.path.join(folder, "src")):
            found = entries(place)
            if f"{name}.py" in found or name in found:
                return f"{place} {f'{name}.py' in found}"
        above = os.path.dirname(folder)
        if above == folder:
            return "missing"
        folder = above


def _entries(folder: str) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


def _digest_once(path: str) -> str:
    """As `_digest_of`, but a file is not read again while it is as it was."""
    try:
        status = os.stat(path)
    except OSError:
        return "missing"
    return _digest_of_version(path, status.st_mtime_ns, status.st_ctime_ns, status.st_size)


@lru_cache(maxsize=4096)
def _digest_of_version(path: str, *version: int) -> str:
    return _digest_of(path)


def _may_be_module(entry: os.DirEntry[str]) -> bool:
    if entry.name.endswith(".py"):
        return True
    # Python makes `__pycache__` when it likes.
    return entry.name.isidentifier() and not entry.name.startswith("__") and entry.is_dir()


def _replace(path: str, data: bytes) -> None:
    """Other processes see the old file or the new one, never a part."""
    from tfdata_lint.source.atomic import replace

    replace(path, data, os.path.join(os.path.dirname(path), f"{_PREFIX}{os.urandom(8).hex()}{_TEMPORARY}"))


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino


def _header(key: str, body: bytes) -> bytes:
    return f"tfdata-lint {key} {len(body)} {crc32(body)}".encode()


def _table(rows: str) -> dict[str, str]:
    return {path: entry for path, _, entry in (row.partition("\0") for row in rows.split("\n") if row)}


def _numbered(entry: str, numbers: dict[str, str]) -> str:
    """An entry as it is written: with numbers for the files that it depends on."""
    parts = entry.split("\0")
    if len(parts) > 1 and parts[3]:
        others = parts[3].split(_SEPARATOR)
        parts[3] = " ".join([numbers.setdefault(other, str(len(numbers))) for other in others])
    return "\0".join(parts)


def _rows(table: dict[str, str]) -> str:
    rows = [f"{path}\0{entry}" for path, entry in table.items()]
    return "\n".join([row for row in rows if "\n" not in row])


def _beginning(folder: str) -> str:
    """How the paths of what is in a folder begin."""
    folder = os.path.normpath(folder)
    return "" if folder == os.curdir else os.path.join(folder, "")


def _is_below(path: str, beginnings: tuple[str, ...]) -> bool:
    if "" in beginnings and not os.path.isabs(path) and not path.startswith(os.pardir):
        return True
    return path.startswith(tuple(filter(None, beginnings)))


# ── reports as JSON ─────────────────────────────────────────────────────────────────────────────────────────────────


def _plain(value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    parts = [_plain(part) for part in value]
    return parts if type(value) is tuple else {type(value).__name__: parts}


def _object(raw: dict[str, list[Any]]) -> Any:
    ((name, values),) = raw.items()
    return _class(name)(*[_tuple(value) if type(value) is list else value for value in values])


def _tuple(value: Any) -> Any:
    return tuple([_tuple(part) for part in value]) if type(value) is list else value


@cache
def _class(name: str) -> type[Any]:
    from tfdata_lint.lint.diagnostics import Diagnostic, Place, PlacedEdit, PlacedFix, RelatedPlace

    if name == "Context":
        from tfdata_lint.lint.context import Context

        return Context
    return {cls.__name__: cls for cls in (Diagnostic, Place, PlacedEdit, PlacedFix, RelatedPlace)}[name]


# ── what all findings depend on ─────────────────────────────────────────────────────────────────────────────────────


def _environment() -> tuple[object, ...]:
    """Paths are relative to the working directory, hence that is a part of it."""
    program = os.path.dirname(os.path.abspath(tfdata_lint.__file__))
    # What is installed does not change while its name and version stay; code that is worked on does.
    installed = os.path.basename(os.path.dirname(program)) in ("site-packages", "dist-packages")
    own = [(entry.name, entry.stat()) for entry in _code_in(program)]
    code = tuple((name, status.st_size, 0 if installed else status.st_mtime_ns) for name, status in own)
    distributions = {name: os.path.join(folder, name) for folder in reversed(sys.path) for name in _metadata_in(folder)}
    plugins = tuple(sorted(digest for path in distributions.values() for digest in _rules_of(path)))
    python = sys.implementation.name, sys.version_info[:2]
    return _FORMAT, tfdata_lint.__version__, python, code, tuple(sorted(distributions)), plugins, os.getcwd()


def _code_in(folder: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.name.endswith(".py"):
            yield entry
        elif _may_be_module(entry):
            yield from _code_in(entry.path)


def _metadata_in(folder: str) -> list[str]:
    """The names and versions of distributions: the libraries that we use, and rules of others."""
    try:
        return [name for name in os.listdir(folder or os.curdir) if name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return []


def _rules_of(metadata: str) -> Iterator[str]:
    """Digests of the code of a distribution's rules, if it declares any. Nothing of it is imported."""
    try:
        with open(os.path.join(metadata, "entry_points.txt"), encoding="utf-8") as file:
            _, _, section = file.read().partition(_PLUGINS)
    except (OSError, ValueError):
        return
    if not section:
        return
    from importlib.util import find_spec

    declarations = section.partition("\n[")[0].splitlines()
    for package in {line.partition("=")[2].strip().partition(".")[0].partition(":")[0] for line in declarations}:
        with suppress(ImportError, ValueError, OSError):
            if package and (spec := find_spec(package)):
                folders = spec.submodule_search_locations
                files = [entry.path for folder in folders for entry in _code_in(folder)] if folders else [spec.origin]
                yield from (_digest_of(file) for file in files if file)
