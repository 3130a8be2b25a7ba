"""The settings of a path, each with where it is set. For `tfdata-lint check --show-settings`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from tfdata_lint.config.settings.model import Key, Settings, keys, option_of
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.project.eras import target_of
from tfdata_lint.source import content, module
from tfdata_lint.source.discovery import DEFAULT_EXCLUDES, SUFFIXES
from tfdata_lint.source.visible import json_text, visible


class _Row(NamedTuple):
    key: str
    value: Any
    origin: str


def render(configuration: Configuration, path: str, *, as_json: bool) -> str:
    """One line for each key, or a list of objects."""
    rows = list(_rows(configuration, path))
    if as_json:
        return json_text(json.dumps([row._asdict() for row in rows], indent=2))
    key, origin = (max(map(len, column)) for column in zip(*((row.key, row.origin) for row in rows), strict=True))
    return "\n".join(visible(f"{row.key:{key}}  {row.origin:{origin}}  {_toml(row.value)}") for row in rows)


def _rows(configuration: Configuration, path: str) -> Iterator[_Row]:
    file = os.path.join(path, "any.py") if os.path.isdir(path) else path
    own, of_run = configuration.for_file(file), configuration.for_folder(os.getcwd())
    for key in keys().values():
        settings = of_run if key.name in ("baseline", "evidence", "cache-dir", "fail-level", "output-format") else own
        if key.name == "target-tensorflow":
            target = _target(file, settings)
            yield _Row(key.name, str(target), dict(settings.origins).get(key.field, target.origin))
        else:
            yield _Row(key.name, _plain(key, settings), dict(settings.origins).get(key.field, "default"))
        for shown, inherited in own.inherited:
            if given := getattr(inherited, key.field, None):
                yield _Row(key.name, given, shown)
        if given := getattr(own.command_line, key.field, None):
            option = option_of(key.field)
            if key.kind == "ignores" and dict(own.origins).get(key.field) != option:
                option = f"--extend-{key.name}"
            yield _Row(key.name, dict(given) if key.kind == "ignores" else given, option)


def _target(path: str, settings: Settings) -> Target:
    """What holds for a file; for a folder nobody reads code."""
    try:
        source = module.load(content.read(path), path)
    except OSError:
        return settings.target_for(path)
    return target_of(source, settings.target_for(path, source))


def _plain(key: Key, settings: Settings) -> Any:
    value = getattr(settings, key.field)
    if value is None and key.name in ("include", "exclude"):
        return DEFAULT_EXCLUDES if key.name == "exclude" else tuple(f"*{suffix}" for suffix in SUFFIXES)
    if key.kind == "arguments":
        return {name: json.loads(argument) for name, argument in value}
    return dict(value) if key.kind == "ignores" else value


def _toml(value: Any) -> str:
    match value:
        case None:
            return "-"
        case dict():
            return "{" + ", ".join(f"{_toml(key)} = {_toml(item)}" for key, item in value.items()) + "}"
        case tuple():
            return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
