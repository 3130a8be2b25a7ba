"""The files of a run: found as the settings say, each once, with the settings that hold for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.lint.reports import File

if TYPE_CHECKING:
    from tfdata_lint.run.cache.cache import Cache
    from tfdata_lint.source.discovery import Found

#: The settings of a file, by its path.
SettingsFor: TypeAlias = Callable[[str], Settings]


def settings_by_file(settings: Settings | Configuration | None) -> SettingsFor:
    if isinstance(settings, Settings):
        fixed = settings
        return lambda path: fixed
    return (settings or Configuration()).for_file


def find_files(paths: Iterable[str], settings_for: SettingsFor, cache: Cache | None = None) -> Iterator[File]:
    """The files to read, each once. A folder is searched as its own settings say."""
    by_settings: dict[Settings, list[str]] = {}
    for path in paths:
        settings = settings_for(os.path.join(path, "any.py") if os.path.isdir(path) else path)
        by_settings.setdefault(settings, []).append(path)
    seen: set[str] = set()
    by_folder: dict[str, Settings] = {}
    here = os.getcwd()
    for settings, group in by_settings.items():
        for found in cache.walk(group, settings, discover) if cache else discover(group, settings):
            if len(by_settings) > 1:
                key = os.path.abspath(found.path)
                if key in seen:
                    continue
                seen.add(key)
            folder = os.path.dirname(found.path)
            if folder not in by_folder:
                by_folder[folder] = settings_for(os.path.join(here, found.path))
            yield File(found.path, found.explicit, by_folder[folder], found.problem)


def discover(paths: list[str], settings: Settings, visited: list[str] | None = None) -> Iterator[Found]:
    from tfdata_lint.source import discovery

    return discovery.discover(
        paths,
        include=settings.include,
        extend_include=settings.extend_include,
        exclude=settings.exclude,
        extend_exclude=settings.extend_exclude,
        respect_gitignore=settings.respect_gitignore,
        force_exclude=settings.force_exclude,
        root=settings.root or None,
        base=settings.base or None,
        visited=visited,
    )


def is_excluded(path: str, settings: Settings) -> bool:
    """Is a file left out even when it is named? It need not be there."""
    return settings.force_exclude and not any(discover([path], settings))
