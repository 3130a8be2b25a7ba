"""What a client may set, for all or for one folder; everything else stands in configuration files."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from tfdata_lint.config.settings.model import Selection, Settings
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.config.settings.values import nearest, selector_problem
from tfdata_lint.config.target import Target


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of a client, which writes them in camel case. What it does not set is as here."""

    enable: bool = True
    configuration: str = ""
    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    target_tensorflow: str = ""
    inlay_hints: bool = False
    code_lens: bool = True
    workspace_diagnostics: bool = False
    debounce: int = 100
    problems: tuple[str, ...] = field(default=(), compare=False)
    """What is wrong with them, each in one sentence."""

    def with_(self, raw: Any) -> Options:
        """These, and over them what a client says. What it says wrongly is passed over."""
        if not isinstance(raw, Mapping):
            return self
        values: dict[str, Any] = {}
        problems: list[str] = []
        for name, value in raw.items():
            if name not in FIELDS:
                near = nearest(str(name), FIELDS)
                problems.append(f"there is no option `{name}`" + (f"; did you mean `{near}`?" if near else ""))
            elif value is None:
                continue
            elif problem := _problem(FIELDS[name], value):
                problems.append(f"`{name}` {problem}")
            else:
                values[FIELDS[name]] = tuple(value) if isinstance(value, list) else value
        return replace(self, **values, problems=tuple(problems))

    def configuration_in(self, folder: str) -> Configuration:
        """Where the settings of the files in a folder come from."""
        overrides: dict[str, Any] = {
            "command_line": Selection(self.select, self.extend_select, self.ignore),
            "force_exclude": True,
            "respect_gitignore": False,
        }
        if self.target_tensorflow:
            overrides["target_tensorflow"] = Target.parse(self.target_tensorflow, "targetTensorflow")
        file = os.path.join(folder, os.path.expanduser(self.configuration)) if self.configuration else None
        return Configuration(file, overrides=overrides)


#: By the names that clients use.
FIELDS = {re.sub("_(.)", lambda m: m[1].upper(), f.name): f.name for f in fields(Options) if f.name != "problems"}
_LISTS = ("select", "extend_select", "ignore")


def _problem(name: str, value: Any) -> str:
    if name in _LISTS:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            return "must be a list of rules"
        return next((f"names an {problem}" for item in value if (problem := selector_problem(item))), "")
    kind = type(getattr(Options(), name))
    if type(value) is not kind:
        return f"must be {_KINDS[kind]}"
    if name == "target_tensorflow" and value:
        try:
            Target.parse(value, name)
        except ValueError as error:
            return f"is {error}"
    return ""


_KINDS = {bool: "true or false", int: "a number of milliseconds", str: "a string"}


class Folders:
    """The settings of every file: by the workspace folder that it is in, the options there, and the files around it."""

    def __init__(self) -> None:
        self._options: dict[str, Options] = {"": Options()}
        self._configurations: dict[str, Configuration] = {}

    def set(self, options: Mapping[str, Options]) -> None:
        """The options of each folder, by its path; those of "" hold for files in none."""
        self._options = {"": Options(), **options}
        self.forget()

    def forget(self) -> None:
        """Read the configuration files again."""
        self._configurations.clear()

    def folder(self, path: str) -> str:
        """The innermost workspace folder that a file is in; empty when it is in none."""
        inside = (folder for folder in self._options if folder and path.startswith(os.path.join(folder, "")))
        return max(inside, key=len, default="")

    def options(self, path: str) -> Options:
        return self._options[self.folder(path)]

    def settings(self, path: str) -> Settings:
        folder = self.folder(path)
        settings = self._configuration(folder).for_file(path)
        # Without a configuration file patterns are relative to the workspace folder.
        return settings if settings.file else settings._replace(root=folder or os.path.dirname(path))

    def problems(self) -> list[str]:
        """What is wrong with the options, and with the configuration files that were read."""
        found = [problem for options in self._options.values() for problem in options.problems]
        found += [str(problem) for configuration in self._configurations.values() for problem in configuration.problems]
        return list(dict.fromkeys(found))

    def _configuration(self, folder: str) -> Configuration:
        if folder not in self._configurations:
            self._configurations[folder] = self._options[folder].configuration_in(folder)
        return self._configurations[folder]
