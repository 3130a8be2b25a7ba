"""What is known of files since an earlier run, in one file per project and working directory.

A file that is as it was need not be read; one that only looks new, as after a checkout, is compared by its text. An
entry holds while nothing changes that the findings depend on: the text, those of other files, the settings, the rules,
this program. Whatever is wrong with the cache, a file is linted instead. It lies where strangers may put files of their
own: what the user has not signed is not looked at.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from time import time, time_ns
from typing import TYPE_CHECKING, TypeAlias

from tfdata_lint.lint.reports import FileReport
from tfdata_lint.run.cache.environment import environment
from tfdata_lint.run.cache.key import NoKey, key_for
from tfdata_lint.run.cache.packing import ONLY_NAMED, QUIET, SEPARATOR, unpacked
from tfdata_lint.run.cache.stamps import (
    MODULES,
    digest_of,
    digest_of_all,
    home_of,
    names_of,
    names_once,
    stamp_of,
    token_of,
)
from tfdata_lint.source.content import names_in, read
from tfdata_lint.source.digests import digest, signature
from tfdata_lint.source.formatters import formatter_of
from tfdata_lint.source.tree import NAMES, SCANNED

if TYPE_CHECKING:
    from tfdata_lint.config.settings.model import Settings
    from tfdata_lint.lint.reports import File
    from tfdata_lint.source.discovery import Found

    Discover: TypeAlias = Callable[[list[str], Settings, list[str] | None], Iterator[Found]]

_OF_DISCOVERY = (
    "include", "extend_include", "exclude", "extend_exclude", "respect_gitignore", "force_exclude", "root", "base",
)  # fmt: skip
#: How many ways to name folders are remembered.
_WALKS = 3
#: What so many files of packages say is remembered: to parse them takes a tenth of a run that finds nothing new.
_PACKAGES = 60
_PREFIX = "tfdata-lint-"
_SUFFIX = ".cache"
_TEMPORARY = ".tmp"
#: Bytes of a file that is read.
_LARGEST = 500_000_000
#: File systems tell the time in steps of up to two seconds: a file changed later than that may change unseen.
_STEP = 2_000_000_000
_DAY = 86_400
_LIFETIME = 30 * _DAY
_WITHOUT_EFFECT = frozenset({
    "include", "extend_include", "exclude", "extend_exclude", "force_exclude", "respect_gitignore", "extend",
    "baseline", "cache_dir", "fail_level",
    "origins", "output_format", "target_tensorflow", "looks_around", "file", "format", "verify",
})  # fmt: skip
_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n# Made by tfdata-lint; it can be deleted at any time.\n"


class Cache:
    """What was found in files in earlier runs, and what is found in this one."""

    def __init__(self, folder: str) -> None:
        self.since = time_ns() - _STEP
        """Files changed before can be told by their stamps."""
        self._folder = folder
        self._key: bytes | None = None
        with suppress(NoKey):
            self._key = key_for(folder)
        # Nobody else can tell the name of the file, and users who share a folder have one each.
        self._name = digest(repr(environment()).encode(), self._key or b"")
        self._path = os.path.join(folder, f"{_PREFIX}{self._name}{_SUFFIX}")
        self._settings: dict[str, tuple[Settings, str]] = {}
        self._spelled: dict[int, str] = {}
        self._current: dict[str, str] = {}
        self._stamps: dict[str, str] = {}
        self._working = os.getcwd()
        self._new: dict[str, str] = {}
        self._is_new = False
        """Is there more to write?"""
        self._seen: set[str] = set()
        self._read: tuple[int, int] | None = None
        self._entries, self._others, self._walks, self._packages = self._load()
        self._numbered = {str(number): path for number, path in enumerate(self._others)}
        """Entries have the number of a file instead of its path, in what was loaded."""

    def report(self, file: File) -> FileReport | None:
        """The report on a file, if it is known and holds."""
        path = file.path
        self._seen.add(path)
        entry = self._entries.get(path)
        if entry is None:
            return None
        stamp = self._stamp(path if os.path.isabs(path) else os.path.join(self._working, path))
        if entry == stamp:
            return None if file.explicit else FileReport(path)
        try:
            known, settings, of_text, numbers, of_others, text = entry.split("\0")
            unchanged = known == stamp != ""
            if of_text.startswith(ONLY_NAMED) and not file.explicit:
                return FileReport(path) if unchanged else None
            if settings and settings != self._settings_of(file):
                return None
            if not unchanged and digest_of(path) != of_text.lstrip(ONLY_NAMED):
                return None
            others = list(map(self._numbered.__getitem__, numbers.split()))
            current = self._current
            if others and digest_of_all([current.get(other) or self._state(other) for other in others]) != of_others:
                return None
            if not unchanged:
                self._new[path] = "\0".join((stamp, settings, of_text, SEPARATOR.join(others), of_others, text))
            return unpacked(path, others, text)
        except (ValueError, TypeError, LookupError, OSError, RecursionError):
            return None

    def walk(self, paths: list[str], settings: Settings, discover: Discover) -> Iterator[Found]:
        """The files in some folders. They need not be searched while none of the folders in them has changed."""
        if not all(map(os.path.isdir, paths)):
            yield from discover(paths, settings, None)
            return
        from tfdata_lint.source.discovery import Found

        key = digest(repr((paths, [getattr(settings, name) for name in _OF_DISCOVERY])).encode("utf-8", "replace"))
        visited, _, files = self._walks.get(key, "").partition("\0")
        tokens = visited.split(SEPARATOR)
        pairs = zip(tokens[::2], tokens[1::2], strict=False)
        if visited and all(token_of(path, self.since) == token for path, token in pairs):
            for path in files.split(SEPARATOR) if files else ():
                yield Found(path, False)
            return
        places: list[str] = []
        found: list[Found] = []
        for file in discover(paths, settings, places):
            found.append(file)
            yield file
        tokens = [part for path in places for part in (path, token_of(path, self.since))]
        if all(tokens):
            walk = f"{SEPARATOR.join(tokens)}\0{SEPARATOR.join([file.path for file in found])}"
            self._walks = {**dict(list(self._walks.items())[-_WALKS:]), key: walk}
            self._is_new = True

    def keep(self, file: File, entry: str | None) -> None:
        """Remember an entry about a file, if there is one."""
        if entry is None:
            return
        stamp = stamp_of(file.path, self.since)
        if entry != QUIET:
            # That a file has nothing to lint is so under all settings.
            settings = "" if entry.startswith(ONLY_NAMED) and entry.endswith("\0\0\0") else self._settings_of(file)
            self._new[file.path] = f"{stamp}\0{settings}\0{entry}"
        elif stamp:
            self._new[file.path] = stamp

    def save(self, walked: Iterable[str] = ()) -> None:
        """Write what is new, without what is no longer there in the folders that were walked as a whole."""
        if self._key is None:
            return
        if SCANNED:
            # What this process has scanned the next run need not read.
            asked = (entry.split("\0")[3:4] for entry in self._new.values() if f"{os.sep}{NAMES}" in entry)
            others = {other for part in asked for other in "".join(part).split(SEPARATOR)}
            for other in others:
                if other.endswith(f"{os.sep}{NAMES}"):
                    self._state(other)
        if requirements := sys.modules.get("tfdata_lint.config.requirements"):
            self._is_new |= bool(requirements.packages.keys() - self._packages.keys())
            self._packages = dict(list(requirements.packages.items())[-_PACKAGES:])
        with suppress(OSError):
            if self._new or self._is_new:
                self._write(walked)
            elif self._read and self._read[0] < time_ns() - _DAY * 1_000_000_000:
                # Still in use.
                os.utime(self._path)

    def _state(self, path: str) -> str:
        """What others depend on, asked once a run: the digest of a file, or where the module of a name lies."""
        if path not in self._current:
            self._current[path] = self._state_now(path)
        return self._current[path]

    def _state_now(self, path: str) -> str:
        if path.endswith(MODULES):
            return self._digest_now(path, digest_of)
        folder, name = os.path.split(path)
        return names_of(folder, names_in, self._names_now) if name == NAMES else home_of(path, names_in)

    def _names_now(self, path: str) -> str:
        """The digest of the names in a file."""
        return self._digest_now(f"{path}{SEPARATOR}", lambda marked: names_once(marked.removesuffix(SEPARATOR)))

    def _digest_now(self, path: str, ask: Callable[[str], str]) -> str:
        """A digest of a file, which is not read while it is as it was."""
        stamp = self._stamp(path.removesuffix(SEPARATOR))
        known, _, found = self._others.get(path, "").partition("\0")
        if not stamp or known != stamp:
            found = ask(path)
            if stamp:
                self._others[path] = f"{stamp}\0{found}"
                self._is_new = True
        return found

    def _stamp(self, path: str) -> str:
        """As `stamp_of`: a file that is linted is one that others depend on, too."""
        stamp = self._stamps.get(path)
        if stamp is None:
            stamp = self._stamps[path] = stamp_of(path, self.since)
        return stamp

    def _settings_of(self, file: File) -> str:
        """A digest of the settings that matter to the findings in a file."""
        folder = os.path.dirname(file.path)
        settings, found = self._settings.get(folder, (None, ""))
        if settings is not file.settings:
            found = self._digest_of(file.settings, os.path.join(self._working, folder))
            # They are kept, so that no others get their id.
            self._settings[folder] = file.settings, found
        return found

    def _digest_of(self, settings: Settings, folder: str) -> str:
        if settings.looks_around:
            from tfdata_lint.config.requirements import packages

            packages.update(self._packages)
        target = settings.target_for(os.path.join(folder, "any.py"))
        if id(settings) not in self._spelled:
            values = [value for name, value in settings._asdict().items() if name not in _WITHOUT_EFFECT]
            self._spelled[id(settings)] = repr(values)
        # How long the rows of fixes may be.
        width = formatter_of(os.path.normpath(folder)).width if settings.looks_around else None
        return digest(f"{target!r} {width} {self._spelled[id(settings)]}".encode("utf-8", "backslashreplace"))

    # ── the file ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _load(self) -> tuple[dict[str, str], dict[str, str], dict[str, str], dict[str, str]]:
        """Entries, the states of other files, walks, and what `pyproject.toml`s say, as `requirements.packages`."""
        nothing: tuple[dict[str, str], dict[str, str], dict[str, str], dict[str, str]] = {}, {}, {}, {}
        if self._key is None:
            return nothing
        try:
            status = os.lstat(self._path)
            if not stat.S_ISREG(status.st_mode):
                return nothing
            header, _, body = read(self._path, _LARGEST).partition(b"\n")
        except OSError:
            return nothing
        if header != self._header(body):
            return nothing
        self._read = status.st_mtime_ns, status.st_ino
        entries, others, walks, packages = os.fsdecode(body).split("\n\n")
        return _table(entries), _table(others), _table(walks), _table(packages)

    def _write(self, walked: Iterable[str]) -> None:
        others, walks = self._others, self._walks
        if self._read != _identity(self._path):
            # Another process was quicker: add to what it has found.
            self._entries, others, walks, _ = self._load()
        others.update(self._others)
        walks.update(self._walks)
        walked = tuple(map(_beginning, walked))
        entries = {
            path: entry for path, entry in self._entries.items() if path in self._seen or not _is_below(path, walked)
        }
        numbers = {path: str(number) for number, path in enumerate(others)}
        entries.update((path, _numbered(entry, numbers)) for path, entry in self._new.items())
        others.update((path, "") for path in numbers if path not in others)
        body = os.fsencode("\n\n".join(map(_rows, (entries, others, walks, self._packages))))
        self._prepare()
        _replace(self._path, self._header(body) + b"\n" + body)
        self._prune()

    def _header(self, body: bytes) -> bytes:
        """The signature: of what was found, and of all that it depends on."""
        return f"tfdata-lint {signature(self._key or b'', self._name.encode(), body)}".encode()

    def _prepare(self) -> None:
        try:
            os.makedirs(self._folder)
        except FileExistsError:
            # It may be any folder of the user.
            return
        tags = {os.path.join(self._folder, "CACHEDIR.TAG"): _TAG, os.path.join(self._folder, ".gitignore"): b"*\n"}
        try:
            for path, data in tags.items():
                _replace(path, data)
        except OSError:
            # Without them it would be taken for one of the user's from now on.
            for path in tags:
                with suppress(OSError):
                    os.unlink(path)
            os.rmdir(self._folder)
            raise

    def _prune(self) -> None:
        """Remove what other versions and other working directories have left, and killed runs."""
        now = time()
        if not os.path.isfile(os.path.join(self._folder, "CACHEDIR.TAG")):
            # It is one of the user's.
            return
        with os.scandir(self._folder) as entries:
            for entry in entries:
                if entry.name.startswith(_PREFIX) and entry.name.endswith((_SUFFIX, _TEMPORARY)):
                    lifetime = _DAY if entry.name.endswith(_TEMPORARY) else _LIFETIME
                    if entry.is_file(follow_symlinks=False) and entry.stat().st_mtime < now - lifetime:
                        os.unlink(entry.path)


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


def _table(rows: str) -> dict[str, str]:
    return {path: entry for path, _, entry in (row.partition("\0") for row in rows.split("\n") if row)}


def _numbered(entry: str, numbers: dict[str, str]) -> str:
    """An entry as it is written: with numbers for the files that it depends on."""
    parts = entry.split("\0")
    if len(parts) > 1 and parts[3]:
        others = parts[3].split(SEPARATOR)
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
