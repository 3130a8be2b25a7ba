"""Settings: the keys and what they mean, where they are found, and which rules they switch on.

`[tool.tfdata-lint]` of `pyproject.toml`, or the top level of `tfdata-lint.toml` and `.tfdata-lint.toml`. The nearest
file above a linted file that has settings of ours counts, alone: they are not merged.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast, get_args

from tfdata_lint.config.target import Target
from tfdata_lint.output import FORMATS

if TYPE_CHECKING:
    from tfdata_lint.rules.base import Applicability, Rule, Severity

SEVERITIES: tuple[Severity, ...] = ("advice", "warning", "error")
FILE_NAMES = (".tfdata-lint.toml", "tfdata-lint.toml", "pyproject.toml")

#: Findings under these codes do not depend on what is selected.
ALWAYS_ON = ("TFD000", "TFD002")

#: Between the file and the function of a target.
_TARGET = "::"


class Selection(NamedTuple):
    """Which rules, by selectors: a code, its beginning, a rule's name, a group, or `ALL`."""

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


class Settings(NamedTuple):
    """The settings that hold for a file. Those that `TEXTS` describes are keys of the configuration."""

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True
    fixable: tuple[str, ...] = ("ALL",)
    unfixable: tuple[str, ...] = ()
    extend_safe_fixes: tuple[str, ...] = ()
    extend_unsafe_fixes: tuple[str, ...] = ()
    target_tensorflow: Target = Target()
    baseline: str | None = None
    cache_dir: str = ".tfdata_lint_cache"
    fail_level: Severity = "warning"
    output_format: str = "full"
    verify: tuple[tuple[str, str], ...] = ()

    command_line: Selection = Selection()
    """Selectors given on the command line; they win over all keys but `per-file-ignores`."""
    ignore_noqa: bool = False
    """Report what comments suppress, too."""
    with_context: bool = False
    """Give every diagnostic the function and the statement that it is in."""
    root: str = ""
    """The folder that patterns are relative to."""
    file: str = ""
    """The file that the keys come from."""
    looks_around: bool = False
    """Look for the TensorFlow in what the project declares, where `target_tensorflow` does not tell it."""
    origins: tuple[tuple[str, str], ...] = ()
    """Where the fields are set that are not as by default: a file with the line, an option."""

    def target_for(self, path: str) -> Target:
        """The TensorFlow that a file is written for. Looked up when it is asked for, once for each folder."""
        if self.target_tensorflow.version or not self.looks_around:
            return self.target_tensorflow
        from tfdata_lint.config.requirements import tensorflow_of

        return tensorflow_of(os.path.dirname(os.path.abspath(path)))

    def ignored_in(self, path: str) -> tuple[str, ...]:
        """The selectors that `per-file-ignores` has for this file."""
        if not self.per_file_ignores:
            return ()
        relative = self._relative(path)
        return tuple(
            selector
            for pattern, selectors in self.per_file_ignores
            if _matcher(pattern)(relative)
            for selector in selectors
        )

    def arguments_of(self, path: str, function: str) -> dict[str, Any]:
        """The keyword arguments that `verify` has for a function of this file."""
        import json

        given = {name: json.loads(value) for name, value in self.verify}
        own = given.get(f"{self._relative(path)}::{function}", {})
        return {**{name: value for name, value in given.items() if _TARGET not in name}, **own}

    def _relative(self, path: str) -> str:
        """A path as patterns and targets are compared with it."""
        return os.path.relpath(os.path.abspath(path), self.root or os.getcwd()).replace(os.sep, "/")


#: What the keys of the configuration are, by field: the kind of their values, and what they mean.
TEXTS = {
    "select": (
        "rules",
        "The rules to run: codes (`TFD101`), their beginnings (`TFD1`), names, groups, or `ALL`. The default is "
        "every rule except the pedantic ones, which need `ALL`, `pedantic`, or their own code or name.",
    ),
    "extend_select": ("rules", "Rules to run besides the selected ones."),
    "ignore": (
        "rules",
        "Rules not to run. Where selectors disagree the more specific one wins, and `ignore` among equals.",
    ),
    "per_file_ignores": (
        "ignores",
        "Rules not to run on some files, by patterns as in `.gitignore`, relative to the config file.",
    ),
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
    "unfixable": ("rules", "Rules whose findings are never fixed."),
    "extend_safe_fixes": ("rules", "Rules whose unsafe fixes shall count as safe. The more specific selector wins."),
    "extend_unsafe_fixes": ("rules", "Rules whose safe fixes shall need `--unsafe-fixes`."),
    "target_tensorflow": (
        "version",
        "The TensorFlow that the code runs on, as `2.15`. By default the lowest that the project declares, see below.",
    ),
    "baseline": ("path", "A file of known findings, which are not reported; relative to the config file."),
    "cache_dir": ("path", "The folder where results are kept for the next run; relative to the config file."),
    "fail_level": ("severity", "The least severity that makes the exit code 1."),
    "output_format": ("format", "How findings are printed."),
    "verify": (
        "arguments",
        "Keyword arguments for the functions that `--verify` executes, as `--verify-arg` gives them. A table "
        'under the name of a target (`"input.py::make"`, relative to the config file) is for that one. '
        "Nothing is executed because of it.",
    ),
}


class Problem(NamedTuple):
    """Something wrong in a configuration file, or a file that cannot be read."""

    file: str
    line: int | None
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


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
        for field, (kind, text) in TEXTS.items()
    }


def option_of(name: str) -> str:
    """The option of the command line that sets a field."""
    return "--no-respect-gitignore" if name == "respect_gitignore" else "--" + name.replace("_", "-")


# ── which rules ─────────────────────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=256)
def active_rules(settings: Settings, ignored: tuple[str, ...] = ()) -> tuple[Rule, ...]:
    """The rules that are on, for a file with these selectors under `per-file-ignores`."""
    from tfdata_lint.rules import all_rules

    layers = (
        Selection(settings.select, settings.extend_select, settings.ignore),
        settings.command_line,
        Selection(ignore=ignored),
    )
    return tuple(rule for rule in all_rules() if _is_on(rule, layers))


def _is_on(rule: Rule, layers: Iterable[Selection]) -> bool:
    on = rule.on_by_default
    for layer in layers:
        if layer.select is not None and rule.code not in ALWAYS_ON:
            on = False
        chosen = _strongest((*(layer.select or ()), *layer.extend_select), rule)
        ignored = _strongest(layer.ignore, rule)
        if chosen > ignored:
            on = True
        elif ignored and (rule.code not in ALWAYS_ON or ignored == _EXACT):
            on = False
    # A rule that failed is never passed over in silence.
    return on or rule.code == "TFD002"


def applicability_of(rule: Rule, usual: Applicability, settings: Settings) -> tuple[Applicability, str]:
    """The applicability of a rule's fix after `fixable` and the like, and why it is another one."""
    if usual == "display-only":
        return usual, ""
    fixable = _strongest(settings.fixable, rule)
    if not fixable or _strongest(settings.unfixable, rule) >= fixable:
        return "display-only", "the settings do not allow to fix it"
    safe, unsafe = _strongest(settings.extend_safe_fixes, rule), _strongest(settings.extend_unsafe_fixes, rule)
    if unsafe and unsafe >= safe:
        return "unsafe", "the settings call it unsafe" if usual == "safe" else ""
    return ("safe", "") if safe else (usual, "")


_EXACT = 100


def _strongest(selectors: Iterable[str], rule: Rule) -> int:
    return max((_strength(selector, rule) for selector in selectors), default=0)


def _strength(selector: str, rule: Rule) -> int:
    """How specific a selector is for a rule; 0 when it does not select it."""
    if selector in (rule.code, rule.name):
        return _EXACT
    if selector == "ALL":
        return 1
    if selector == rule.group:
        return 3
    # "TFD" is weaker than a group, "TFD1" stronger. Pedantic rules are for those who ask for them.
    if rule.on_by_default and _is_prefix(selector) and rule.code.startswith(selector):
        return 2 if selector.isalpha() else 3 + len(selector)
    return 0


def _is_prefix(selector: str) -> bool:
    return re.fullmatch(r"[A-Z]+\d*", selector) is not None


def selector_problem(selector: str) -> str | None:
    """Why a selector selects no rule, in one line with the nearest one that does; None when it does."""
    from tfdata_lint.rules import all_rules
    from tfdata_lint.rules.base import Group

    rules = all_rules()
    groups = get_args(Group)
    if selector == "ALL" or selector in groups or any(_names(selector, rule) for rule in rules):
        return None
    known = ["ALL", *(r.code for r in rules), *(r.name for r in rules), *groups]
    near = next((k for k in known if k.lower() == selector.lower()), None) or nearest(selector, known)
    hint = f"; did you mean `{near}`?" if near else "; `tfdata-lint rule --all` lists them"
    return f"unknown rule `{selector}`{hint}"


def _names(selector: str, rule: Rule) -> bool:
    return selector == rule.name or (_is_prefix(selector) and rule.code.startswith(selector))


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The most similar of the known words, if there is one."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), n=1, cutoff=0.6)), None)


# ── where they are ──────────────────────────────────────────────────────────────────────────────────────────────────


class Configuration:
    """Gives the settings for each file. Problems of configuration files are gathered, each once."""

    def __init__(self, file: str | None = None, *, isolated: bool = False, overrides: Mapping[str, Any] | None = None):
        """`file`: use this one for all; `isolated`: use none; `overrides`: fields of `Settings` that win."""
        self.problems: list[Problem] = []
        self._overrides = dict(overrides or {})
        self._looks_around = not isolated
        self._folders: dict[str, Settings] = {}
        self._only: Settings | None = None
        if file is not None:
            self._only = self._read(file, required=True) or self._default
        elif isolated:
            self._only = self._default

    def for_file(self, path: str) -> Settings:
        return self._only or self.for_folder(os.path.dirname(os.path.abspath(path)))

    def for_folder(self, folder: str) -> Settings:
        if self._only:
            return self._only
        folder = os.path.abspath(folder)
        passed: list[str] = []
        while (known := self._folders.get(folder)) is None:
            passed.append(folder)
            if (known := self._read_in(folder)) or (parent := os.path.dirname(folder)) == folder:
                break
            folder = parent
        settings = known or self._default
        self._folders.update(dict.fromkeys(passed, settings))
        return settings

    @property
    def _default(self) -> Settings:
        return self._complete(Settings(root=os.getcwd()))

    def _complete(self, settings: Settings) -> Settings:
        origins = (*settings.origins, *((name, option_of(name)) for name in self._overrides))
        return settings._replace(looks_around=self._looks_around, origins=origins, **self._overrides)

    def _read_in(self, folder: str) -> Settings | None:
        for name in FILE_NAMES:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and (settings := self._read(path)):
                return settings
        return None

    def _read(self, path: str, *, required: bool = False) -> Settings | None:
        """The settings of a file; None when it holds none of ours."""
        shown = shown_path(path)
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as error:
            self.problems.append(Problem(shown, None, f"cannot read the configuration: {error.strerror}"))
            return None
        in_pyproject = os.path.basename(path) == "pyproject.toml"
        if in_pyproject and b"tfdata-lint" not in data:
            if required:
                self.problems.append(Problem(shown, None, "has no section [tool.tfdata-lint]"))
            return None
        try:
            text = data.decode("utf-8")
            table = parse_toml(text)
        except ValueError as error:
            message, line = _toml_error(error, data)
            self.problems.append(Problem(shown, line, f"not valid TOML: {message}"))
            return self._default
        if in_pyproject:
            tool = table.get("tool")
            if not isinstance(tool, dict) or "tfdata-lint" not in tool:
                if required:
                    self.problems.append(Problem(shown, None, "has no section [tool.tfdata-lint]"))
                return None
            table = tool["tfdata-lint"]
        if not isinstance(table, dict):
            self.problems.append(Problem(shown, _line_of("tfdata-lint", text), "`tfdata-lint` must be a table"))
            return self._default
        values: dict[str, Any] = {}
        origins: dict[str, str] = {}
        for name, value, line in self._values(table, shown, text):
            values[name] = value
            origins[name] = f"{shown}:{line}" if line else shown
        root = os.path.dirname(os.path.abspath(path))
        return self._complete(Settings(root=root, file=shown, origins=tuple(origins.items()), **values))

    def _values(self, table: Mapping[str, Any], shown: str, text: str) -> Iterator[tuple[str, Any, int | None]]:
        for name, raw in table.items():
            line = _line_of(name, text)
            if not (key := keys().get(name)):
                near = nearest(name.replace("_", "-"), keys())
                hint = f"; did you mean `{near}`?" if near else f"; the keys are {', '.join(keys())}"
                self.problems.append(Problem(shown, line, f"unknown key `{name}`{hint}"))
                continue
            try:
                value = _READERS[key.kind](raw, shown)
            except ValueError as error:
                self.problems.append(Problem(shown, line, f"`{name}` {error}"))
                continue
            for selector in _selectors(key, value):
                if problem := selector_problem(selector):
                    self.problems.append(Problem(shown, _line_of(selector, text, start=line), f"`{name}`: {problem}"))
            yield key.field, value, line


def _selectors(key: Key, value: Any) -> Iterator[str]:
    if key.kind == "rules":
        yield from value
    elif key.kind == "ignores":
        for _, selectors in value:
            yield from selectors


def _strings(raw: Any, file: str) -> tuple[str, ...]:
    if not isinstance(raw, list) or not all(isinstance(item, str) for item in raw):
        raise ValueError(f'must be a list of strings, such as ["…"], not {_toml_type(raw)}')
    return tuple(raw)


def _ignores(raw: Any, file: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(raw, dict):
        raise ValueError(f'must be a table of patterns, such as {{"tests/**" = ["TFD101"]}}, not {_toml_type(raw)}')
    return tuple((pattern, _strings(selectors, file)) for pattern, selectors in raw.items())


def _arguments(raw: Any, file: str) -> tuple[tuple[str, str], ...]:
    """Names and values; these as JSON, for settings to be hashable."""
    import json

    if not isinstance(raw, dict):
        raise ValueError(f"must be a table of arguments, such as {{batch_size = 8}}, not {_toml_type(raw)}")
    for name, value in raw.items():
        if _TARGET in name and not isinstance(value, dict):
            raise ValueError(f'must have a table of arguments for "{name}", not {_toml_type(value)}')
        if _TARGET not in name and not name.isidentifier():
            raise ValueError(f"has `{name}`, which is neither the name of an argument nor FILE.py::FUNCTION")
    try:
        return tuple((name, json.dumps(value)) for name, value in raw.items())
    except TypeError:
        raise ValueError("must have values that JSON has, too: dates have to be strings") from None


def _switch(raw: Any, file: str) -> bool:
    if not isinstance(raw, bool):
        raise ValueError(f"must be true or false, not {_toml_type(raw)}")
    return raw


def _path(raw: Any, file: str) -> str:
    if not isinstance(raw, str) or not raw:
        raise ValueError('must be the name of a file in quotes, such as "tfdata-lint-baseline.json"')
    return raw


def _version(raw: Any, file: str) -> Target:
    if not isinstance(raw, str):
        raise ValueError(f'must be a version in quotes, such as "2.15", not {_toml_type(raw)}')
    try:
        return Target.parse(raw, file)
    except ValueError as error:
        raise ValueError(f"is {error}") from None


def _one_of(choices: tuple[str, ...]) -> Callable[[Any, str], str]:
    def read(raw: Any, file: str) -> str:
        if raw not in choices:
            shown = f'"{raw}"' if isinstance(raw, str) else _toml_type(raw)
            raise ValueError(f"must be one of {', '.join(choices)}, not {shown}")
        return cast(str, raw)

    return read


_READERS: dict[str, Callable[[Any, str], Any]] = {
    "rules": _strings,
    "patterns": _strings,
    "ignores": _ignores,
    "arguments": _arguments,
    "switch": _switch,
    "path": _path,
    "version": _version,
    "severity": _one_of(SEVERITIES),
    "format": _one_of(tuple(FORMATS)),
}


def _toml_type(raw: Any) -> str:
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "a table"}
    return names.get(type(raw), "a date")


def parse_toml(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads(text)


def _toml_error(error: ValueError, data: bytes) -> tuple[str, int | None]:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8", data.count(b"\n", 0, error.start) + 1
    message, _, place = str(error).partition(" (at ")
    line = re.search(r"line (\d+)", place)
    return message[:1].lower() + message[1:], int(line[1]) if line else data.count(b"\n") + 1


def _line_of(word: str, text: str, start: int | None = None) -> int | None:
    """The first line of our part of the file that has this word as a key or a string."""
    lines = text.splitlines()
    first = start or next((n for n, line in enumerate(lines, 1) if line.lstrip().startswith("[tool.tfdata-lint")), 1)
    pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
    return next((n for n, line in enumerate(lines[first - 1 :], first) if pattern.search(line)), start)


def shown_path(path: str) -> str:
    """A path as people write it: relative when it lies below the working directory."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


@lru_cache(maxsize=256)
def _matcher(pattern: str) -> Callable[[str], bool]:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines([pattern]).match_file


# ── their documentation ─────────────────────────────────────────────────────────────────────────────────────────────


def document() -> str:
    """`docs/settings.md`, made from the keys."""
    rows = "\n".join(f"| `{k.name}` | {_kind(k)} | {_default(k)} | {k.text} |" for k in keys().values())
    return _PAGE.replace("ROWS", rows)


def _kind(key: Key) -> str:
    choices = {"severity": SEVERITIES, "format": FORMATS}
    if key.kind in choices:
        return " · ".join(f'`"{choice}"`' for choice in choices[key.kind])
    kinds = {
        "switch": "true or false", "version": "string", "path": "string", "ignores": "table of lists of rules",
        "arguments": "table",
    }  # fmt: skip
    return kinds.get(key.kind, f"list of {key.kind}")


def _default(key: Key) -> str:
    if isinstance(key.default, bool):
        return f"`{str(key.default).lower()}`"
    if isinstance(key.default, str):
        return f'`"{key.default}"`'
    empties = {"ignores": "`{}`", "arguments": "`{}`", "version": "unknown", "path": "none"}
    empty = empties.get(key.kind, "see there" if key.default is None else "`[]`")
    return f"`{list(key.default)}`".replace("'", '"') if key.kind == "rules" and key.default else empty


_PAGE = """\
# Settings

Settings stand in the section `[tool.tfdata-lint]` of `pyproject.toml`, or at the top level of `tfdata-lint.toml` or
`.tfdata-lint.toml`. For each linted file the nearest folder above it that holds one of these counts; a
`pyproject.toml` without the section is passed over. Files are not merged with those further up. Options of the command
line win. `--config FILE` uses one file for all, `--isolated` uses none.

| key | value | default | meaning |
|---|---|---|---|
ROWS

`baseline`, `cache-dir`, `fail-level` and `output-format` hold for a whole run, and are read from the settings of the
working directory. What to leave out (`exclude`, `extend-exclude`, `force-exclude`, `respect-gitignore`) is read from
the settings of each path named on the command line, and holds for everything below it.

```toml
[tool.tfdata-lint]
target-tensorflow = "2.15"
extend-select = ["pedantic"]
ignore = ["missing-prefetch"]

[tool.tfdata-lint.per-file-ignores]
"tests/**" = ["TFD1"]

[tool.tfdata-lint.verify."src/input.py::make_dataset"]
batch_size = 8
```

A wrong key or value is reported with its file and line, and the run ends with exit code 2; the other keys hold.

## Which TensorFlow

What a rule says may depend on the TensorFlow that the code runs on: a replacement must be there, a rewrite may be done
by the runtime itself. Without `target-tensorflow`, the lowest version that the project declares counts. In each folder,
from that of the linted file up to the root of its repository, the first of these that tells one wins:

1. what the package needs: `pyproject.toml` (PEP 621, Poetry), `setup.cfg`, and lists written out in `setup.py`;
2. `requirements*.txt`, `requirements/*.txt`, `environment*.yml`; and, of a package that does not itself need
   TensorFlow, its extras and dependency groups (PEP 735, Poetry, PDM, uv);
3. `uv.lock`, `poetry.lock`, `pdm.lock`, `Pipfile.lock`;
4. the TensorFlow installed in `.venv` or `venv`, beside one of these files.

At last the environment that is active (`VIRTUAL_ENV`, `CONDA_PREFIX`) is asked. Nothing is imported or run. A range
wins over a lock file, because a fix must hold for all that the project supports: raise its lower bound, or set
`target-tensorflow`, where only one version matters. When nothing tells a version, the oldest is meant, and rules warn.
`--isolated` looks at none of these.

## Where a value comes from

`tfdata-lint check --show-settings [PATH]` prints every key with its value for a path and where it is set. With
`--output-format json` it prints a list of objects with `key`, `value` and `origin`. Selectors of the command line are
added to those of the file, on rows of their own.
"""
