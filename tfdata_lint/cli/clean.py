"""`tfdata-lint clean`."""

from __future__ import annotations

import os
import shutil

from tfdata_lint.cli.common import CLEAN, FAILED, complain, split, tell
from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.source import content
from tfdata_lint.source.inside import leads_out
from tfdata_lint.source.visible import visible

#: What tells a folder of ours from others.
_TAG, _OURS, _LARGEST = "CACHEDIR.TAG", b"tfdata-lint", 1_000


def run(paths: list[str]) -> int:
    there, missing = split(paths)
    configuration = Configuration()
    failed = False
    for path in there:
        settings = configuration.for_folder(path)
        places = (settings.root or path, settings.cache_dir), (path, Settings().cache_dir)
        folders = {os.path.abspath(os.path.join(*place)) for place in places}
        for folder in sorted(filter(_is_ours, folders)):
            try:
                shutil.rmtree(folder)
            except OSError as error:
                failed = True
                complain(f"error: cannot remove {folder}: {error.strerror}")
            else:
                print(visible(f"Removed {os.path.relpath(folder)}"))
    return FAILED if tell(configuration, missing) or failed else CLEAN


def _is_ours(folder: str) -> bool:
    """Only what this program has made goes, and nothing that a link leads to."""
    if os.path.islink(folder) or leads_out(folder):
        return False
    try:
        return _OURS in content.read(os.path.join(folder, _TAG), _LARGEST)
    except OSError:
        return False
