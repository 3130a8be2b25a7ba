"""Which other files of a project may use a name that a module binds, and which ones have a word in them."""

from __future__ import annotations

import os
from collections.abc import Set
from functools import partial

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.pipeline.project.names import Scan, answer, around, importers, importers_at, located, place_of
from tfdata_lint.pipeline.project.reach import closure
from tfdata_lint.source.module import Source

#: Files that are read for one question: what more of them use, they hardly agree on.
_MOST = 40


def introduce(graph: PipelineGraph, project: Project, source: Source) -> None:
    """Tell a graph whom to ask about the files around a module."""
    graph.asked = partial(answer, project, source)
    graph.located, graph.imported = partial(located, project), partial(importers, project)
    graph.used_by, graph.having_word = partial(users, project, source), partial(having, project, source)


def users(project: Project, source: Source, name: str) -> tuple[list[Source], frozenset[str]]:
    """The other files of its project that may use a name which a module binds, also where others hand it on; none where
    those are many. And what that depends on."""
    path, scan = around(project, source)
    if scan is None or not scan.is_all:
        return [], place_of(path) if scan is None else scan.looked_at
    paths = closure([path], lambda file: _naming(project, file, name, path)) - {path}
    if len(paths) > _MOST:
        return [], scan.looked_at
    found, looked_at = _parsed(project, paths, name, scan)
    return found, looked_at | paths


def _naming(project: Project, path: str, name: str, home: str) -> list[str]:
    """The files that import a name from a module, or all that its home or a package has."""
    is_handed_on = path == home or os.path.basename(path) == "__init__.py"
    found = importers_at(project, path).items()
    return [one for one, parts in found if any(part[0] in (name, "*") if part else is_handed_on for part in parts)]


def having(project: Project, source: Source, word: str) -> tuple[list[Source], frozenset[str]]:
    """The other files of the project in which a word stands; none where those are many. And what that depends on."""
    path, scan = around(project, source)
    if scan is None or not scan.is_all:
        return [], place_of(path) if scan is None else scan.looked_at
    return _parsed(project, set(scan.files) - {path}, word, scan)


def _parsed(project: Project, paths: Set[str], word: str, scan: Scan) -> tuple[list[Source], frozenset[str]]:
    found = [one for one in sorted(paths) if word.encode() in project.sources.read(one)]
    sources = [project.source(one) for one in found] if len(found) <= _MOST else []
    return [one for one in sources if one is not None], scan.looked_at.union(found)
