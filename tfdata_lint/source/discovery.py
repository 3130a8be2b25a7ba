"""The files to lint: those named, and those in the folders named that nothing excludes."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from tfdata_lint.source.content import Refused, note, read_beside
from tfdata_lint.source.globs import compiled, is_costly

SUFFIXES = (".py", ".pyi", ".ipynb")

#: Patterns as in `.gitignore`.
DEFAULT_EXCLUDES = (
    ".bzr", ".direnv", ".eggs", ".git", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox", ".pants.d", ".pyenv",
    ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tfdata_lint_cache", ".tox", ".venv", ".vscode", "__pycache__",
    "__pypackages__", "_build", "build", "buck-out", "dist", "node_modules", "site-packages", "venv",
)  # fmt: skip

#: Folders that a path may have: the patterns of each are asked about all that is below it.
_DEEPEST = 250
#: Rows of patterns, and those with wildcards among them.
_MOST_LINES, _MOST_WILD = 10_000, 1_000
_WILDCARDS = frozenset("*?[]!\\/# \t\n\r\v\f")


class Found(NamedTuple):
    """A file to lint, or with a problem: a path that leads to none, and why."""

    path: str
    explicit: bool
    """Was it named itself, or only a folder it is in?"""
    problem: str | None = None


def discover(
    paths: Iterable[str],
    *,
    include: Sequence[str] | None = None,
    extend_include: Sequence[str] = (),
    exclude: Sequence[str] | None = None,
    extend_exclude: Sequence[str] = (),
    respect_gitignore: bool = True,
    force_exclude: bool = False,
    root: str | None = None,
    base: str | None = None,
    visited: list[str] | None = None,
) -> Iterator[Found]:
    """Each file once: the paths in order of their names, in each folder its files and then its folders.

    While none of what is put into `visited` changes, the files are the same; an empty path there says that they may not
    be.

    `include`, `exclude` and what extends them are patterns as in `.gitignore`, relative to `base` (by default `root`,
    or else the working directory). What is named itself is linted even if it is excluded, unless `force_exclude` is
    set.
    """
    root = root or os.getcwd()
    excluded = _Listed([*(DEFAULT_EXCLUDES if exclude is None else exclude), *extend_exclude], root, base or root)
    included = _Included(include, extend_include, root, base or root)
    named = sorted({os.path.normpath(path) for path in paths})
    files = {os.path.abspath(path) for path in named if not os.path.isdir(path)}
    seen: set[str] = set()
    for path in named:
        if force_exclude and excluded.above(path):
            continue
        if not os.path.isdir(path):
            found: Iterable[Found] = (_named(path),)
        else:
            found = _walk(path, included, excluded, respect_gitignore, [] if visited is None else visited)
        if len(named) == 1:
            yield from found
            return
        for file in found:
            key = os.path.abspath(file.path)
            if key not in seen:
                seen.add(key)
                yield Found(file.path, key in files, file.problem)


def _named(path: str) -> Found:
    if os.path.isfile(path):
        return Found(path, True)
    if os.path.lexists(path):
        broken = os.path.islink(path) and not os.path.exists(path)
        return Found(path, True, "a link to nothing" if broken else "neither a file nor a folder")
    return Found(path, True, "no such file or folder")


def _walk(
    top: str, included: _Included, excluded: _Listed, respect_gitignore: bool, visited: list[str]
) -> Iterator[Found]:
    """Links to folders are not followed: they may lead in circles."""
    above = _gitignores_above(top, visited) if respect_gitignore else ()
    beginning = "" if top == os.curdir else os.path.join(top, "")
    folders = [(beginning, included.inside(top), excluded.inside(top), above)]
    while folders:
        prefix, wanted, checks, ignores = folders.pop()
        visited.append(prefix or os.curdir)
        try:
            if prefix.count(os.sep) > _DEEPEST:
                raise Refused(f"it is nested more than {_DEEPEST} folders deep")
            with os.scandir(prefix or os.curdir) as entries:
                files, subfolders, has_gitignore = _sorted_entries(entries, included, wanted, visited)
        except OSError as error:
            visited.append("")
            reason = error.strerror or str(error)
            yield Found(os.path.normpath(prefix or os.curdir), False, f"cannot read this folder: {reason}")
            continue
        if has_gitignore and respect_gitignore and (patterns := _read_patterns(prefix + ".gitignore", visited)):
            ignores = ((patterns, ""), *ignores)
        for name in files:
            if not excluded.has(name, checks, ignores):
                yield Found(prefix + name, False)
        for name in reversed(subfolders):
            if not excluded.has(name, checks, ignores, folder=True):
                inside = f"{prefix}{name}{os.sep}"
                folders.append((inside, _deeper(wanted, name), _deeper(checks, name), _deeper(ignores, name)))


def _sorted_entries(
    entries: Iterable[os.DirEntry[str]], included: _Included, wanted: _Active, visited: list[str]
) -> tuple[list[str], list[str], bool]:
    files: list[str] = []
    folders: list[str] = []
    has_gitignore = False
    for entry in entries:
        name = entry.name
        if included.has(name, wanted) and _is_to_read(entry, visited):
            files.append(name)
        elif entry.is_dir(follow_symlinks=False):
            folders.append(name)
        elif name == ".gitignore":
            has_gitignore = True
    files.sort()
    folders.sort()
    return files, folders, has_gitignore


def _is_to_read(entry: os.DirEntry[str], visited: list[str]) -> bool:
    """Is it a file, or something that is none and has to be said? Links to folders and to nothing are neither."""
    try:
        if entry.is_file():
            return True
        is_passed_over = stat.S_ISDIR(entry.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        is_passed_over = True
    except OSError:
        is_passed_over = False
    if is_passed_over and entry.is_symlink():
        # What it leads to may come.
        visited.append("")
    # Why one cannot be read is said when that is tried.
    return not is_passed_over


# ── patterns ────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Words:
    """Quick to ask whether a name may match one of some patterns without `/`: never no where the answer is yes."""

    def __init__(self, patterns: Collection[str]) -> None:
        self._names = {pattern for pattern in patterns if _WILDCARDS.isdisjoint(pattern)}
        self._endings = tuple(pattern[1:] for pattern in patterns if re.fullmatch(r"\*[\w.-]+", pattern))
        self._others = _joint([p for p in patterns if p not in self._names and not p.endswith(self._endings)])

    def may_match(self, name: str) -> bool:
        if name in self._names or name.endswith(self._endings):
            return True
        return self._others is not None and self._others.match(name) is not None


def _joint(patterns: Collection[str]) -> re.Pattern[str] | None:
    if not patterns:
        return None
    from fnmatch import translate

    # Where the two notations differ: take anything there.
    return re.compile("|".join(translate(re.sub(r"(?:\\|\[\^|\[\[).*", "*", pattern)) for pattern in patterns))


class _Patterns:
    """The lines of one `.gitignore`.

    Few names match any of them. Hence the last part of each pattern is compared first, or for `build/*` the folder it
    is about, and pathspec is only asked when that fits.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._rules: list[_Rule] | None = None
        own: set[str] = set()
        above: set[str] = set()
        for line in lines:
            parts = line.rstrip().removeprefix("!").rstrip("/").split("/")
            if line.startswith("#") or parts == [""]:
                continue
            words = [part for part in parts if part.strip("*")] or ["*"]
            (own if words[-1] == parts[-1] else above).add(words[-1])
        self._own = _Words(own)
        self._above = _Words(above) if above else None
        self._known_folders: dict[str, bool] = {}

    def match(self, folder: str, name: str) -> bool | None:
        """Is it left out (True), brought back by a later `!` (False), or not mentioned? Folders end in `/`.

        Folders on the way are to be asked for before what is in them.
        """
        if not self._own.may_match(name.rstrip("/")) and not self._may_match_folder(folder):
            return None
        self._rules = self._rules or _rules(self._lines)
        path = folder + name.rstrip("/")
        for rule in self._rules:
            if rule.matches(path, is_folder=name.endswith("/")):
                return rule.leaves_out
        return None

    def _may_match_folder(self, folder: str) -> bool:
        if not self._above:
            return False
        if folder not in self._known_folders:
            self._known_folders[folder] = any(map(self._above.may_match, folder.split("/")))
        return self._known_folders[folder]


class _Rule(NamedTuple):
    """A pattern by pathspec. It also matches what is in a folder that the pattern names, which is not Git's rule."""

    leaves_out: bool
    only_folders: bool
    expression: re.Pattern[str]

    def matches(self, path: str, *, is_folder: bool) -> bool:
        if self.only_folders and not is_folder:
            return False
        found = self.expression.search(path)
        # The group is the slash after the folder.
        return found is not None and not found.groupdict().get("ps_d")


def _rules(lines: Sequence[str]) -> list[_Rule]:
    """Last line first: it wins."""
    rules: list[_Rule] = []
    for line in reversed(lines):
        line = line.rstrip()
        try:
            found = compiled(line.rstrip("/"))
        except ValueError:
            # Git passes over lines that make no sense.
            continue
        rules += [_Rule(leaves_out, line.endswith("/"), expression) for leaves_out, expression in found]
    return rules


#: Patterns of the folders above, nearest first, each with the path from its folder to the present one.
_Active = tuple[tuple[_Patterns, str], ...]


def _deeper(active: _Active, name: str) -> _Active:
    return tuple((patterns, f"{prefix}{name}/") for patterns, prefix in active)


def _verdict(active: _Active, name: str) -> bool:
    for patterns, prefix in active:
        verdict = patterns.match(prefix, name)
        if verdict is not None:
            return verdict
    return False


class _Listed:
    """What settings exclude or include: plain names by look-up, other patterns as in `.gitignore`."""

    def __init__(self, patterns: Sequence[str], root: str, base: str) -> None:
        self._root = os.path.abspath(root)
        self._base = os.path.abspath(base)
        bare = [pattern for pattern in patterns if _WILDCARDS.isdisjoint(pattern.rstrip("/"))]
        if any(pattern.startswith("!") for pattern in patterns):
            # The order counts.
            bare = []
        self._names = frozenset(pattern for pattern in bare if not pattern.endswith("/"))
        self._folder_names = self._names | {pattern.rstrip("/") for pattern in bare}
        others = [pattern for pattern in patterns if pattern not in bare]
        self._others = _Patterns(others) if others else None

    def inside(self, folder: str) -> _Active:
        """The patterns with the path from the base to this folder; outside of the base they start at the folder."""
        if not self._others:
            return ()
        return ((self._others, _relative(folder, self._base)),)

    def has(self, name: str, checks: _Active, ignores: _Active, *, folder: bool = False) -> bool:
        if name in (self._folder_names if folder else self._names):
            return True
        if not checks and not ignores:
            return False
        name = name + "/" if folder else name
        return _verdict(checks, name) or _verdict(ignores, name)

    def above(self, path: str) -> bool:
        """Is this path excluded, or a folder that it is in?"""
        path = os.path.abspath(path)
        relative = _relative(path, self._root) or os.path.basename(path) + "/"
        checks = self.inside(self._root)
        *folders, name = relative.rstrip("/").split("/")
        for folder in folders:
            if self.has(folder, checks, (), folder=True):
                return True
            checks = _deeper(checks, folder)
        return self.has(name, checks, (), folder=os.path.isdir(path))


class _Included:
    """Which files of a folder are wanted, by their names."""

    def __init__(self, include: Sequence[str] | None, extend_include: Sequence[str], root: str, base: str) -> None:
        self._suffixes = SUFFIXES if include is None else ()
        patterns = [*(include or ()), *extend_include]
        self._listed = _Listed(patterns, root, base) if patterns else None

    def inside(self, folder: str) -> _Active:
        return self._listed.inside(folder) if self._listed else ()

    def has(self, name: str, wanted: _Active) -> bool:
        return name.endswith(self._suffixes) or (self._listed is not None and self._listed.has(name, wanted, ()))


def _relative(folder: str, root: str) -> str:
    """The path from a folder to another one in it, ending in `/`; empty when it is the same or outside."""
    relative = os.path.relpath(os.path.abspath(folder), root).replace(os.sep, "/")
    return "" if relative == "." or relative.startswith("..") else relative + "/"


def _gitignores_above(folder: str, visited: list[str]) -> _Active:
    """The `.gitignore`s from the root of the repository down to above this folder, and `.git/info/exclude`."""
    folder = os.path.abspath(folder)
    root = folder
    while True:
        visited.append(os.path.join(root, ".git"))
        if os.path.exists(visited[-1]):
            break
        if (parent := os.path.dirname(root)) == root:
            return ()
        root = parent
    active: _Active = ()
    if patterns := _read_patterns(os.path.join(root, ".git", "info", "exclude"), visited):
        active = ((patterns, ""),)
    here = root
    for name in _relative(folder, root).split("/")[:-1]:
        if patterns := _read_patterns(os.path.join(here, ".gitignore"), visited):
            active = ((patterns, ""), *active)
        if _verdict(active, name + "/"):
            # A folder that is ignored but named all the same is linted.
            return ()
        active = _deeper(active, name)
        here = os.path.join(here, name)
    return active


def _read_patterns(path: str, visited: list[str]) -> _Patterns | None:
    visited.append(path)
    data = read_beside(path)
    if data is None:
        # Each run says it.
        visited.append("")
    if not data:
        return None
    lines = _lines(data.decode("utf-8-sig", "replace"))
    if problem := _too_much(lines):
        note(path, problem)
        visited.append("")
        return None
    return _Patterns(lines)


def _lines(text: str) -> list[str]:
    """The lines of a `.gitignore` as Git has them: it knows no end but LF, or CR and LF, and strips spaces only.

    Other blanks at the ends of a pattern count. They are written so that nobody strips them.
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    stripped = [re.sub(r"(?<!\\) +$", "", line) for line in lines]
    return [re.sub(r"^\s+|(?:\\ |[^\S ])+$", _kept, line) for line in stripped]


def _kept(blanks: re.Match[str]) -> str:
    return "".join(f"[{blank}]" for blank in blanks[0].replace("\\", ""))


def _too_much(lines: Sequence[str]) -> str:
    """Why patterns are not asked: no person has written so many, and they take their time for each file."""
    wild = [line for line in lines if not re.fullmatch(r"#.*|\*?[^*?\[\\]*", line)]
    if len(lines) > _MOST_LINES or len(wild) > _MOST_WILD:
        return f"it has more than {_MOST_LINES:,} rows, or {_MOST_WILD:,} of them with wildcards"
    if costly := next(filter(is_costly, wild), ""):
        return f"`{costly[:40]}` has too many `**`, or is too long"
    return ""
