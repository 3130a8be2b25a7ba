"""Configuration files that extend one another, as one: the extending file wins, key by key."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from tfdata_lint.config.settings.model import Selection, Settings, keys
from tfdata_lint.config.settings.values import TARGET_SEPARATOR

#: Lists to which the extending file adds.
_ADDED = (
    "extend_include", "extend_exclude", "extend_fixable", "unfixable", "extend_safe_fixes", "extend_unsafe_fixes",
)  # fmt: skip
_PATTERNS = ("include", "extend_include", "exclude", "extend_exclude", "per_file_ignores")
#: Selectors are applied file by file, so that each has its own.
_SELECTING = ("select", "extend_select", "ignore")


class Layer(NamedTuple):
    """What one configuration file says."""

    path: str
    shown: str
    values: dict[str, Any]
    """By the field of `Settings`."""
    lines: dict[str, int | None]
    """Where each is set, as far as that can be told."""

    @property
    def folder(self) -> str:
        return os.path.dirname(os.path.abspath(self.path))

    def origin(self, field: str) -> str:
        line = self.lines[field]
        return f"{self.shown}:{line}" if line else self.shown


def merged(layers: Sequence[Layer]) -> Settings:
    """The settings of the first file, which extends the second, and so on. Paths and patterns keep their meaning."""
    own = layers[0]
    base = os.path.commonpath([layer.folder for layer in layers])
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for layer in reversed(layers):
        for field, value in layer.values.items():
            if layer is not own and field in (*_SELECTING, "extend"):
                continue
            if len(layers) > 1:
                value = _moved(field, value, layer.folder, own.folder, base)
            if field in values and (joined := _joined(field, values[field], value)) is not None:
                values[field], origins[field] = joined, f"{origins[field]}, {layer.origin(field)}"
            else:
                values[field], origins[field] = value, layer.origin(field)
    inherited = ((layer.shown, _selection(layer)) for layer in reversed(layers[1:]))
    return Settings()._replace(
        root=own.folder,
        base=base if base != own.folder else "",
        file=own.shown,
        inherited=tuple((shown, selection) for shown, selection in inherited if selection != Selection()),
        origins=tuple(origins.items()),
        **values,
    )


def excluding(settings: Settings, exclude: tuple[str, ...] | None, extend_exclude: tuple[str, ...]) -> Settings:
    """Apply `--exclude` and `--extend-exclude`, whose patterns are relative to the working directory."""
    if exclude is None and not extend_exclude:
        return settings
    folder, here = settings.base or settings.root, os.getcwd()
    base = os.path.commonpath([folder, here])
    values = {
        field: _moved(field, value, folder, folder, base) for field in _PATTERNS if (value := getattr(settings, field))
    }
    origins = dict(settings.origins)
    if exclude is not None:
        values["exclude"], origins["exclude"] = _moved("exclude", exclude, here, here, base), "--exclude"
    if extend_exclude:
        added = _moved("exclude", extend_exclude, here, here, base)
        values["extend_exclude"] = (*values.get("extend_exclude", ()), *added)
        origins["extend_exclude"] = ", ".join(filter(None, (origins.get("extend_exclude"), "--extend-exclude")))
    base = base if base != settings.root else ""
    return settings._replace(base=base, origins=tuple(origins.items()), **values)


def _selection(layer: Layer) -> Selection:
    return Selection(**{field: value for field, value in layer.values.items() if field in _SELECTING})


def _joined(field: str, extended: Any, own: Any) -> Any:
    """The values of both files; None where that of the extending one replaces the other."""
    if field in _ADDED:
        return (*extended, *own)
    match keys()[field.replace("_", "-")].kind:
        case "ignores":
            return tuple({**dict(extended), **dict(own)}.items())
        case "arguments" | "options":
            import json

            rows = dict(extended)
            for name, text in own:
                before, after = json.loads(rows.get(name, "null")), json.loads(text)
                both = isinstance(before, dict) and isinstance(after, dict)
                rows[name] = json.dumps({**before, **after}, sort_keys=True) if both else text
            return tuple(rows.items())
    return None


def _moved(field: str, value: Any, folder: str, to: str, base: str) -> Any:
    """A value of a file in a folder: paths as they are relative to another one, patterns to the base."""
    way = f"/{os.path.relpath(folder, base).replace(os.sep, '/')}/" if folder != base else "/"
    match keys()[field.replace("_", "-")].kind:
        case "path" if folder != to:
            return _path(value, folder, to)
        case "files" if folder != to:
            return tuple(_path(one, folder, to) for one in value)
        case "patterns":
            return tuple(_pattern(one, way) for one in value)
        case "ignores":
            return tuple((_pattern(one, way), ignored) for one, ignored in value)
        case "arguments" if folder != to:
            return tuple((_target(name, folder, to), arguments) for name, arguments in value)
    return value


def _path(path: str, folder: str, to: str) -> str:
    return os.path.relpath(os.path.join(folder, path), to)


def _target(name: str, folder: str, to: str) -> str:
    """`input.py::make`, or the name of an argument."""
    file, separator, function = name.partition(TARGET_SEPARATOR)
    return f"{_path(file, folder, to).replace(os.sep, '/')}{separator}{function}" if separator else name


def _pattern(pattern: str, way: str) -> str:
    """A pattern as it is written in a folder above, from which a way leads to its own."""
    # One without `/` matches at any depth.
    sign = "!" if pattern.startswith("!") else ""
    bare = pattern.removeprefix("!")
    if "/" not in bare.rstrip("/"):
        return pattern
    return sign + re.sub(r"([\\*?\[\]!# ])", r"\\\1", way) + bare.lstrip("/")
