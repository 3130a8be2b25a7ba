"""What is written anywhere in a project: the words that decide what its datasets do, wherever these end up."""

from __future__ import annotations

import os
import re

from tfdata_lint.pipeline.project.modules import Project, remembered
from tfdata_lint.source.module import Source

#: Files that are searched; a project with more of them may say anything.
_MOST = 3000
_NOTEBOOKS = (".py", ".ipynb")
_SKIPPED = frozenset({"node_modules", "site-packages", "venv", "__pycache__"})
_WORDS = {
    "deterministic": re.compile(rb"deterministic"),
    "seed": re.compile(rb"set_seed|random_seed|op_determinism"),
    "any seed": re.compile(rb"seed"),
    "ignore_errors": re.compile(rb"ignore_errors"),
}


def is_written(project: Project, source: Source, word: str) -> tuple[bool, frozenset[str]]:
    """Is a word written in a file, or in any of its project? And the files and folders that this depends on."""
    path = os.path.abspath(source.path)
    if _WORDS[word].search(source.text.encode(errors="replace")):
        return True, frozenset()
    if not os.path.exists(path):
        return False, frozenset()
    return _is_written(project, _WORDS[word], project.root(path))


def is_named(project: Project, source: Source) -> tuple[bool, frozenset[str]]:
    """Is a module named in another file of its project, as those do that import it? Notebooks are not."""
    path = os.path.abspath(source.path)
    folder, file = os.path.split(path)
    name, extension = os.path.splitext(file)
    if extension != ".py" or not os.path.exists(path):
        return False, frozenset()
    name = os.path.basename(folder) if name == "__init__" else name
    files, looked_at = _files(project, project.root(path))
    word = re.compile(rb"\b%s\b" % re.escape(name.encode(errors="replace")))
    found = len(files) > _MOST or any(word.search(_text(project, other)) for other in files if other != path)
    return found, looked_at


@remembered
def _is_written(project: Project, word: re.Pattern[bytes], root: str) -> tuple[bool, frozenset[str]]:
    files, looked_at = _files(project, root)
    return len(files) > _MOST or any(word.search(_text(project, path)) for path in files), looked_at


@remembered
def _files(project: Project, root: str) -> tuple[list[str], frozenset[str]]:
    """The modules and notebooks below a folder, until there are too many; these and the folders, as what was seen."""
    files: list[str] = []
    folders = [root]
    for folder in folders:
        for name in sorted(project.entries(folder)):
            path = os.path.join(folder, name)
            if name.endswith(_NOTEBOOKS):
                files.append(path)
            elif "." not in name and name not in _SKIPPED and os.path.isdir(path) and not os.path.islink(path):
                folders.append(path)
        if len(files) > _MOST or len(folders) > _MOST:
            return [""] * (_MOST + 1), frozenset({os.path.join(root, "")})
    return files, frozenset({*files, *(os.path.join(folder, "") for folder in folders)})


@remembered
def _text(project: Project, path: str) -> bytes:
    try:
        return project.sources.read(path)
    except OSError:
        return b""
