"""Where settings are found, and how they are read.

`[tool.tfdata-lint]` of `pyproject.toml`, or the top level of `tfdata-lint.toml` and `.tfdata-lint.toml`. The nearest
file above a linted file that has settings of ours counts, with the files that it extends: it is not merged with others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tfdata_lint import __version__
from tfdata_lint.config.files import parse_toml, shown_path
from tfdata_lint.config.settings.extending import Layer, excluding, merged
from tfdata_lint.config.settings.model import Settings, keys, option_of
from tfdata_lint.config.settings.values import is_met, read, selector_problem, selectors, unknown_key
from tfdata_lint.source import content
from tfdata_lint.source.inside import checkout_of, is_inside

FILE_NAMES = (".tfdata-lint.toml", "tfdata-lint.toml", "pyproject.toml")
#: What our section of `pyproject.toml` is taken for.
_MISNAMED = r"(?m)^[ \t]*\[(tool\.tfdata_lint|tfdata[-_]lint)[].]"
#: Problems of one file that are told, and files that extend one another.
_SHOWN, _DEEPEST = 20, 16


class Problem(NamedTuple):
    """Something wrong in a configuration file, or a file that cannot be read."""

    file: str
    line: int | None
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


class Configuration:
    """Gives the settings for each file. Problems of configuration files are gathered, each once."""

    def __init__(
        self,
        file: str | None = None,
        *,
        isolated: bool = False,
        overrides: Mapping[str, Any] | None = None,
        exclude: tuple[str, ...] | None = None,
        extend_exclude: tuple[str, ...] = (),
    ):
        """`file`: use this one for all; `isolated`: use none; `overrides`: fields of `Settings` that win.

        The patterns of `exclude`, which wins, and of `extend_exclude` are relative to the working directory.
        """
        self._excluded = exclude, extend_exclude
        self.problems: list[Problem] = []
        self._overrides = dict(overrides or {})
        self._looks_around = not isolated
        self._folders: dict[str, Settings] = {}
        self._only: Settings | None = None
        # What lies in folders is asked anew.
        content.names_in.cache_clear()
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
        settings = settings._replace(looks_around=self._looks_around, origins=origins, **self._overrides)
        return excluding(settings, *self._excluded)

    def _read_in(self, folder: str) -> Settings | None:
        # A folder may be one that cannot be listed.
        names = content.names_in(folder) or FILE_NAMES
        for name in FILE_NAMES:
            if name in names and (settings := self._read(os.path.join(folder, name))):
                return settings
        return None

    def _read(self, path: str, *, required: bool = False) -> Settings | None:
        """The settings of a file, with those that it extends; None when it holds none of ours."""
        shown = shown_path(path)
        layer = self._layer(path, (lambda why: Problem(shown, None, why)) if required else None)
        if layer is None:
            return None
        layers = [layer]
        while "extend" in layers[-1].values and (layer := self._extended(layers)):
            layers.append(layer)
        return self._complete(merged(layers))

    def _extended(self, layers: Sequence[Layer]) -> Layer | None:
        """The file that the last one extends; None where that is a problem."""
        last = layers[-1]
        path = os.path.normpath(os.path.join(last.folder, last.values["extend"]))
        shown = shown_path(path)

        def problem(why: str) -> Problem:
            return Problem(last.shown, last.lines["extend"], f"`extend` names {shown}, which {why}")

        if any(os.path.realpath(path) == os.path.realpath(layer.path) for layer in layers):
            circle = " → ".join(layer.shown for layer in layers)
            self.problems.append(problem(f"is extended by itself: {circle} → {shown}"))
            return None
        if len(layers) == _DEEPEST:
            self.problems.append(problem(f"is one too many: at most {_DEEPEST} files extend one another"))
            return None
        return self._layer(path, problem)

    def _layer(self, path: str, missing: Callable[[str], Problem] | None) -> Layer | None:
        """What a file says. None when it holds nothing of ours, which is a problem where it was named: `missing`."""
        shown = shown_path(path)
        try:
            data = content.read(path, content.BESIDE)
        except OSError as error:
            is_missing = isinstance(error, (FileNotFoundError, NotADirectoryError)) or not os.path.lexists(path)
            if missing or not is_missing:
                reason = f"cannot be read: {error.strerror}"
                self.problems.append(missing(reason) if missing else Problem(shown, None, reason))
            return None
        in_pyproject = os.path.basename(path) == "pyproject.toml"
        nothing = missing and missing("has no section [tool.tfdata-lint]")
        if in_pyproject and b"tfdata" not in data:
            self.problems += [nothing] if nothing else []
            return None
        layer = Layer(path, shown, {}, {})
        try:
            text = data.decode("utf-8-sig")
            table = parse_toml(text)
        except ValueError as error:
            message, line = _toml_error(error, data)
            self.problems.append(Problem(shown, line, f"not valid TOML: {message}"))
            return layer
        if in_pyproject:
            tool = table.get("tool")
            if not isinstance(tool, dict) or "tfdata-lint" not in tool:
                if wrong := re.search(_MISNAMED, text):
                    message = f"unknown section [{wrong[1]}]; did you mean [tool.tfdata-lint]?"
                    nothing = Problem(shown, text.count("\n", 0, wrong.start(1)) + 1, message)
                self.problems += [nothing] if nothing else []
                return None
            table = tool["tfdata-lint"]
        if not isinstance(table, dict):
            self.problems.append(Problem(shown, _line_of("tfdata-lint", text), "`tfdata-lint` must be a table"))
            return layer
        for name, value, line in self._values(table, layer.folder, shown, text):
            layer.values[name] = value
            layer.lines[name] = line
        return layer

    def _values(
        self, table: Mapping[str, Any], root: str, shown: str, text: str
    ) -> Iterator[tuple[str, Any, int | None]]:
        before = len(self.problems)
        for name, raw in table.items():
            if len(self.problems) - before >= _SHOWN:
                self.problems.append(Problem(shown, None, "there are more problems"))
                return
            line = _line_of(name, text)
            if not (key := keys().get(name)):
                is_section = isinstance(raw, Mapping) and name in ("tool", "tfdata-lint", "tfdata_lint")
                message = "keys belong at the top level of this file, not in a section" if is_section else ""
                self.problems.append(Problem(shown, line, message or unknown_key(name, keys())))
                continue
            try:
                value = read(key.kind, raw, shown)
            except ValueError as error:
                self.problems.append(Problem(shown, line, f"`{name}` {error}"))
                continue
            paths = {"path": (value,), "files": value}.get(key.kind, ())
            if not all(is_inside(os.path.join(root, one), checkout_of(root)) for one in paths):
                # Whoever has written it is not who runs this.
                where = f"leads out of the project; only {option_of(key.field)} may name such a place"
                self.problems.append(Problem(shown, line, f"`{name}` {where}"))
                continue
            if key.kind == "requirement" and not is_met(value, __version__):
                needed = f"the project requires tfdata-lint {value}, but this is {__version__}"
                self.problems.append(Problem(shown, line, needed))
            for selector in dict.fromkeys(selectors(key.kind, value)):
                if len(self.problems) - before >= _SHOWN:
                    break
                if problem := selector_problem(selector):
                    self.problems.append(Problem(shown, _line_of(selector, text, start=line), f"`{name}`: {problem}"))
            yield key.field, value, line


def _toml_error(error: ValueError, data: bytes) -> tuple[str, int | None]:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8", data.count(b"\n", 0, error.start) + 1
    message, _, place = str(error).partition(" (at ")
    line = re.search(r"line (\d+)", place)
    # The other place is the end of the document; what is too much has none.
    last = data.count(b"\n") + 1 if place else None
    return message[:1].lower() + message[1:], int(line[1]) if line else last


def _line_of(word: str, text: str, start: int | None = None) -> int | None:
    """The first line of our part of the file that has this word as a key or a string."""
    lines = text.splitlines()
    first = start or next((n for n, line in enumerate(lines, 1) if line.lstrip().startswith("[tool.tfdata-lint")), 1)
    pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
    return next((n for n, line in enumerate(lines[first - 1 :], first) if pattern.search(line)), start)
