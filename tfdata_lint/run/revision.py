"""What has changed since a git revision: which files, and which findings are new in them.

Rows do not tell that: a finding may be due to a row that was taken away. So the files as they were are linted too, and
what they had already is not reported.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tfdata_lint.lint.linting import lint_bytes
from tfdata_lint.lint.surroundings import digests
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.run.repository import Repository, RevisionError
from tfdata_lint.source.discovery import SUFFIXES
from tfdata_lint.source.inside import is_inside
from tfdata_lint.source.module import load
from tfdata_lint.source.sources import Sources

if TYPE_CHECKING:
    from tfdata_lint.config.settings.reading import Configuration
    from tfdata_lint.lint.diagnostics import Diagnostic


#: New files of which git is asked whether they were moved, at most: more do not fit into a command.
_MOVED = 200


@dataclass(frozen=True, slots=True)
class _Old:
    """A file as it was."""

    findings: tuple[Diagnostic, ...]
    statements: frozenset[str]


class Changes:
    """The changes of the working tree since it parted from a revision, with what git does not know yet."""

    def __init__(self, revision: str, configuration: Configuration) -> None:
        """Who makes one closes it. Raises RevisionError."""
        self._configuration = configuration
        self._repository = Repository()
        self._gone: set[str] = set()
        """The names of what was moved or deleted."""
        try:
            self._top = self._repository.top
            self._base = _base(self._repository, revision)
            self._old_names = dict(self._changed())
        except BaseException:
            self.close()
            raise
        self._names = {os.path.basename(path) for path in self._old_names}
        self._olds: dict[str, _Old | None] = {}

    def close(self) -> None:
        self._repository.close()

    def includes(self, path: str) -> bool:
        """Is a file changed or new?"""
        return os.path.basename(path) in self._names and os.path.realpath(path) in self._old_names

    def knows(self, path: str) -> bool:
        """Is it in the repository that was asked?"""
        return is_inside(path, self._top)

    def sift(self, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
        """The findings that the change has brought, or that are about changed statements elsewhere."""
        by_path: dict[str, list[Diagnostic]] = {}
        for diagnostic in diagnostics:
            if not diagnostic.found_from:
                by_path.setdefault(diagnostic.place.path, []).append(diagnostic)
        new: set[int] = set()
        for path, found in by_path.items():
            old = self._old(path)
            new.update(map(id, _unmatched(found, old.findings) if old else found))
        return [d for d in diagnostics if d.surroundings is None or id(d) in new or self._has_changed_places(d)]

    def _has_changed_places(self, diagnostic: Diagnostic) -> bool:
        places = [(related.place, related.surroundings) for related in diagnostic.related]
        if diagnostic.found_from:
            # Who used it in the old revision is not known.
            places.append((diagnostic.place, diagnostic.surroundings))
        for place, surroundings in places:
            if surroundings and self.includes(place.path):
                old = self._old(place.path)
                if old is None or surroundings.digest not in old.statements:
                    return True
        return False

    @cached_property
    def _project(self) -> Project:
        """The files around an old one: those of today, and modules that it may have imported by their old names."""
        written = {}
        for name in (name for name in self._gone if name.endswith(".py")):
            with suppress(RevisionError):
                path = os.path.join(self._top, name)
                written[path] = load(self._blob(name), path)
        return Project(Sources().with_written(written))

    def _changed(self) -> Iterable[tuple[str, str]]:
        """Each changed or new file, with its name in the old revision."""
        others = self._repository.git("ls-files", "--others", "--exclude-standard", "--full-name", "-z", ":/")
        names = [os.fsdecode(name) for name in others.split(b"\0") if name]
        yield from ((self._real(name), name) for name in names)
        # In our copy of the index git sees them, too, and whether one is an old file that was moved.
        new = [f"100644,{self._base},{name}" for name in names if name.endswith(SUFFIXES)]
        if len(new) <= _MOVED:
            entries = (word for entry in new for word in ("--cacheinfo", entry))
            with suppress(RevisionError):
                self._repository.git("update-index", "--add", "--replace", *entries)
        # Submodules would be asked by a git of their own.
        options = ("--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "-M", "--name-status", "-z")
        try:
            words = iter(self._repository.git("diff", *options, self._base).split(b"\0"))
        except RevisionError as error:
            if not str(error).startswith("unable to read"):
                raise
            why = f"this clone lacks objects, and tfdata-lint fetches none; `git diff {self._base[:12]}` gets them"
            raise RevisionError(why) from None
        for status in words:
            if status:
                old = name = os.fsdecode(next(words))
                if status[:1] in b"RC":
                    name = os.fsdecode(next(words))
                if status[:1] in b"RD":
                    self._gone.add(old)
                yield self._real(name), old

    def _real(self, name: str) -> str:
        return os.path.realpath(os.path.join(self._top, name))

    def _blob(self, name: str) -> bytes:
        """What a file was. Raises RevisionError."""
        return self._repository.git("cat-file", "--filters", f"{self._base}:{name}")

    def _old(self, path: str) -> _Old | None:
        """None when there was no such file."""
        if path not in self._olds:
            self._olds[path] = self._read_old(path)
        return self._olds[path]

    def _read_old(self, path: str) -> _Old | None:
        real = os.path.realpath(path)
        name = self._old_names.get(real) or os.path.relpath(real, self._top).replace(os.sep, "/")
        try:
            data = self._blob(name)
        except RevisionError:
            return None
        # Where it was, for what it imports; with the rules of where it is.
        was = os.path.join(self._top, name) if name in self._gone else path
        settings = self._configuration.for_file(path)
        settings = settings if was == path else settings._replace(per_file_ignores=())
        report = lint_bytes(data, was, settings, self._project, explicit=True)
        return _Old(report.diagnostics, digests(load(data, path)))


def _unmatched(found: list[Diagnostic], old: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Those that have no equal among the old ones, in the same function or else in another one."""
    keys: tuple[Callable[[Diagnostic], Hashable], ...] = (
        lambda diagnostic: (diagnostic.code, diagnostic.surroundings),
        lambda diagnostic: (diagnostic.code, diagnostic.surroundings and diagnostic.surroundings.digest),
    )
    for key in keys:
        left: dict[Hashable, list[Diagnostic]] = {}
        for diagnostic in old:
            left.setdefault(key(diagnostic), []).append(diagnostic)
        found = [diagnostic for diagnostic in found if not _take(left, key(diagnostic))]
        old = [diagnostic for equal in left.values() for diagnostic in equal]
    return found


def _take(left: dict[Hashable, list[Diagnostic]], key: Hashable) -> bool:
    equal = left.get(key)
    return bool(equal and equal.pop())


def _base(repository: Repository, revision: str) -> str:
    """The last commit that the working tree has in common with a revision."""
    try:
        if revision.startswith("-"):
            raise RevisionError
        commit = repository.git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()
    except RevisionError:
        raise RevisionError(f"git knows no revision `{revision}` here") from None
    try:
        return repository.git("merge-base", commit, "HEAD").decode().strip()
    except RevisionError:
        why = f"`{revision}` and HEAD share no commit; a shallow clone needs more history"
        raise RevisionError(why) from None
