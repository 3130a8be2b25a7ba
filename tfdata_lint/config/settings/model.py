"""The settings that hold for a file: each key with its kind, its default and what it means."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from tfdata_lint.config.settings.values import TARGET_SEPARATOR, read, selector_problem, selectors, unknown_key
from tfdata_lint.config.target import Target
from tfdata_lint.source.globs import compiled

if TYPE_CHECKING:
    from tfdata_lint.rules.base import Severity
    from tfdata_lint.source.module import Source

#: Findings under these codes do not depend on what is selected.
ALWAYS_ON = ("TFD000", "TFD002", "TFD003")
#: Notes, which are no findings: whatever `fail-level` is, they do not make the exit code 1.
NOTES = ("TFD003",)


class Selection(NamedTuple):
    """Which rules, by selectors: a code, its beginning, a rule's name, a group, or `ALL`."""

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Those of the command line, by patterns that are relative to the working directory."""
    fixable: tuple[str, ...] | None = None
    extend_fixable: tuple[str, ...] = ()
    unfixable: tuple[str, ...] = ()


class _Fields(NamedTuple):
    """Those that `MEANINGS` describes are keys of the configuration."""

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    include: tuple[str, ...] | None = None
    extend_include: tuple[str, ...] = ()
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True
    fixable: tuple[str, ...] = ("ALL",)
    extend_fixable: tuple[str, ...] = ()
    unfixable: tuple[str, ...] = ()
    extend_safe_fixes: tuple[str, ...] = ()
    extend_unsafe_fixes: tuple[str, ...] = ()
    format: str = "auto"
    target_tensorflow: Target = Target()
    baseline: str | None = None
    evidence: tuple[str, ...] = ()
    cache_dir: str = ".tfdata_lint_cache"
    fail_level: Severity = "warning"
    output_format: str = "full"
    verify: tuple[tuple[str, str], ...] = ()
    analysis_limit: int = 1_000_000
    rules: tuple[tuple[str, str], ...] = ()
    required_version: str | None = None
    extend: str | None = None

    command_line: Selection = Selection()
    """Selectors given on the command line; they win over all keys but `per-file-ignores`."""
    ignore_noqa: bool = False
    """Report what comments suppress, too."""
    with_surroundings: bool = False
    """Give every diagnostic the function and the statement that it is in."""
    with_standing: bool = False
    """Give every diagnostic the digests of the pipelines that it is about, which evidence is looked up by."""
    with_edits: bool = True
    """Write the edits of fixes, which takes LibCST, though nothing is fixed."""
    root: str = ""
    """The folder of the configuration file."""
    base: str = ""
    """The folder that patterns are relative to, if that is another one: the file extends one that lies elsewhere."""
    inherited: tuple[tuple[str, Selection], ...] = ()
    """What the extended files select, the farthest first: each by the file that says so."""
    file: str = ""
    """The file that the keys come from."""
    looks_around: bool = False
    """Ask the files of the project for what is not set here: its TensorFlow, and how its formatter lays out code."""
    origins: tuple[tuple[str, str], ...] = ()
    """Where the fields are set that are not as by default: a file with the line, an option."""


class Settings(_Fields):
    """The settings that hold for a file; `docs/settings.md` says what each means.

    They are made of what a configuration file may say, as in `Settings(select=["TFD1"], target_tensorflow="2.15")`, or
    of what their fields hold. Raises ValueError for a value of the wrong type and for a rule that there is not,
    TypeError for a field that there is not. `_replace` takes what was checked before.
    """

    __slots__ = ()

    def __new__(cls, *values: Any, **named: Any) -> Settings:
        if unknown := next((name for name in named if name not in cls._fields), None):
            raise TypeError(unknown_key(unknown, cls._fields))
        if named.get("extend") and not named.get("file"):
            raise ValueError("`extend` is for configuration files")
        given = super().__new__(cls, *values, **named)
        changed = [name for name, default in cls._field_defaults.items() if getattr(given, name) is not default]
        return given._replace(**{name: _checked(name, getattr(given, name)) for name in changed})

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._make, (tuple(self),)

    def target_for(self, path: str, source: Source | None = None) -> Target:
        """The TensorFlow that is declared for a file, else the newest: its code may tell another one. Looked up when it
        is asked for, once for each folder. What the file itself installs comes before what its project declares."""
        if self.target_tensorflow.is_declared:
            return self.target_tensorflow
        if source is not None:
            from tfdata_lint.config.installed import last_run_with, narrowed, tensorflow_in

            if found := tensorflow_in(source):
                return found
        declared = self.target_tensorflow
        if self.looks_around:
            from tfdata_lint.config.requirements import tensorflow_of

            declared = tensorflow_of(os.path.dirname(os.path.abspath(path)))
        shown = last_run_with(source) if source is not None else None
        return narrowed(declared, shown) if shown else declared

    def ignored_in(self, path: str) -> tuple[str, ...]:
        """The selectors that `per-file-ignores` has for this file."""
        found: list[str] = []
        given = (self.per_file_ignores, self.base or self.root), (self.command_line.per_file_ignores, "")
        for rows, folder in given:
            if rows:
                relative = _relative(path, folder)
                found += [selector for pattern, ignored in rows if _matcher(pattern)(relative) for selector in ignored]
        return tuple(found)

    def options_of(self, code: str) -> dict[str, Any]:
        """The values that are set for options of a rule."""
        values = dict(self.rules).get(code)
        if values is None:
            return {}
        import json

        given = json.loads(values)
        return {option: tuple(value) if isinstance(value, list) else value for option, value in given.items()}

    def arguments_of(self, path: str, function: str) -> dict[str, Any]:
        """The keyword arguments that `verify` has for a function of this file."""
        import json

        given = {name: json.loads(value) for name, value in self.verify}
        own = given.get(f"{_relative(path, self.root)}::{function}", {})
        return {**{name: value for name, value in given.items() if TARGET_SEPARATOR not in name}, **own}


def _relative(path: str, folder: str) -> str:
    """A path as patterns and targets are compared with it: from a folder, or from the working directory."""
    return os.path.relpath(os.path.abspath(path), folder or os.getcwd()).replace(os.sep, "/")


def _checked(field: str, value: Any) -> Any:
    """A field as it is kept. Raises ValueError."""
    if field == "command_line":
        parts: list[Any] = [
            part if part is None else _checked(name, part) for name, part in Selection(*value)._asdict().items()
        ]
        return Selection(*parts)
    kind = MEANINGS[field][0] if field in MEANINGS else _OTHERS.get(field)
    if kind is None:
        return value
    name = field.replace("_", "-")
    try:
        checked = read(kind, value, "Settings")
    except ValueError as error:
        raise ValueError(f"`{name}` {error}") from None
    for selector in selectors(kind, checked):
        if problem := selector_problem(selector):
            raise ValueError(f"`{name}`: {problem}")
    return checked


#: What the keys of the configuration are, by field: the kind of their values, and what they mean.
MEANINGS = {
    "select": (
        "rules",
        "The rules to run: codes (`TFD101`), their beginnings (`TFD1`), names, groups, or `ALL`. The default is "
        "every rule except the pedantic ones and previews, which need `ALL`, `pedantic`, `preview`, or their own code "
        "or name.",
    ),
    "extend_select": ("rules", "Rules to run besides the selected ones."),
    "ignore": (
        "rules",
        "Rules not to run; `advice` also hides what has this severity. Where selectors disagree the more specific one "
        "wins, and `ignore` among equals.",
    ),
    "per_file_ignores": (
        "ignores",
        "Rules not to run on some files, by patterns as in `.gitignore`, relative to the config file.",
    ),
    "include": (
        "patterns",
        "Which files in folders are checked, by patterns as in `.gitignore`, relative to the config file. Replaces the "
        "default list (`*.py`, `*.pyi`, `*.ipynb`). Files named on the command line need not match.",
    ),
    "extend_include": ("patterns", "Patterns to add to those of `include`, such as `*.pyw`."),
    "exclude": (
        "patterns",
        "Files and folders not to look for, by patterns as in `.gitignore`, relative to the config file. It "
        "replaces the default list (virtual environments, caches, build folders).",
    ),
    "extend_exclude": ("patterns", "Patterns to add to those of `exclude`."),
    "force_exclude": (
        "switch",
        "Leave excluded files out even when they are named on the command line, as a hook does.",
    ),
    "respect_gitignore": ("switch", "Leave out what `.gitignore` names."),
    "fixable": ("rules", "The rules whose findings `--fix` may fix."),
    "extend_fixable": ("rules", "Rules to add to those of `fixable`."),
    "unfixable": (
        "rules",
        "Rules whose findings are never fixed. Where selectors disagree the more specific one wins, and `unfixable` "
        "among equals.",
    ),
    "extend_safe_fixes": (
        "rules",
        "Rules whose fixes shall all be made, unsafe ones and needless ones, too. The more specific selector wins.",
    ),
    "extend_unsafe_fixes": ("rules", "Rules whose safe fixes shall need `--unsafe-fixes`."),
    "format": (
        "formatter",
        "Whether `--fix` and `--diff` run the formatter of the project, Ruff or Black, on the files that they fix. "
        '`"auto"` does if it is installed outside of the project and had formatted the file before.',
    ),
    "target_tensorflow": (
        "version",
        "The TensorFlow that the code runs on, as `2.15`. By default the lowest that the project declares, else the "
        "newest that is known; see below.",
    ),
    "baseline": ("path", "A file of known findings, which are not reported; relative to the config file."),
    "evidence": (
        "files",
        "Files with measurements, which are added to the findings. Findings whose fix gains nothing, as these show, "
        "are only counted. Relative to the config file; `docs/evidence.md` describes the files.",
    ),
    "cache_dir": ("path", "The folder where results are kept for the next run; relative to the config file."),
    "fail_level": ("severity", "The least severity that makes the exit code 1."),
    "output_format": ("format", "How findings are printed."),
    "verify": (
        "arguments",
        "Keyword arguments for the functions that `--verify` executes, as `--verify-arg` gives them. A table "
        'under the name of a target (`"input.py::make"`, relative to the config file) is for that one. '
        "Nothing is executed because of it.",
    ),
    "analysis_limit": (
        "count",
        "How many steps the analysis of one file takes before it ends, with a note (TFD003) that names the line. "
        "1,000,000 take a few seconds; 2,000,000 is the most.",
    ),
    "rules": (
        "options",
        "Options of rules, in a table under the code or name of each (`[tool.tfdata-lint.rules.TFD308]`); the page of "
        "a rule says which it has.",
    ),
    "required_version": (
        "requirement",
        "The tfdata-lint that the project needs, as `1.2` or `>=1.2,<2`: another one ends with exit code 2.",
    ),
    "extend": (
        "path",
        "Another configuration file, relative to this one, whose keys apply unless this file sets them. See below.",
    ),
}


_OTHERS = {"ignore_noqa": "switch", "with_surroundings": "switch", "with_standing": "switch",
           "with_edits": "switch", "looks_around": "switch", "root": "path",
           "base": "path"}  # fmt: skip


class Key(NamedTuple):
    """A key of the configuration."""

    name: str
    field: str
    kind: str
    default: Any
    text: str


@cache
def keys() -> dict[str, Key]:
    """Every key of the configuration, by name."""
    return {
        (name := field.replace("_", "-")): Key(name, field, kind, Settings._field_defaults[field], text)
        for field, (kind, text) in MEANINGS.items()
    }


def option_of(name: str) -> str:
    """The option of the command line that sets a field."""
    named = {"respect_gitignore": "--no-respect-gitignore", "extend": "--config"}
    return named.get(name) or "--" + name.replace("_", "-")


@lru_cache(maxsize=256)
def _matcher(pattern: str) -> Callable[[str], bool]:
    expressions = [expression for leaves_out, expression in compiled(pattern) if leaves_out]
    return lambda path: any(expression.match(path) for expression in expressions)
