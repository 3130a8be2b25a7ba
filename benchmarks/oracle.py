"""Where imports lead: tfdata-lint and astroid, asked for the definition behind each first-party `from … import …`.

    python benchmarks/oracle.py TREES…

Prints the differences as a Markdown table, and how many imports were compared. Needs `astroid`. Exit codes: 0 no
difference, 1 some, 2 wrong use. What astroid cannot resolve is not compared; it is counted.
"""

from __future__ import annotations

import argparse
import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import astroid

from tfdata_lint.pipeline.project.bindings import member
from tfdata_lint.pipeline.project.modules import Project

_DEEPEST = 20
_PATH = list(sys.path)
_MANAGER = astroid.manager.AstroidManager()


class Definition(NamedTuple):
    """The statement that binds a name, or the module that it is (row 0)."""

    path: str
    row: int

    def shown(self, root: str) -> str:
        path = os.path.relpath(self.path, root)
        return f"{path}:{self.row}" if self.row else path


class Import(NamedTuple):
    file: str
    row: int
    name: str
    ours: Definition | None
    theirs: Definition | None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", metavar="TREE", help="a folder with Python packages")
    different = 0
    for tree in parser.parse_args().trees:
        if not os.path.isdir(tree):
            parser.error(f"{tree} is no folder")
        root = os.path.abspath(tree)
        found = list(compare(root))
        known = [one for one in found if one.theirs is not None]
        unequal = [one for one in known if one.ours != one.theirs]
        different += len(unequal)
        print(f"\n{tree}: {len(known)} of {len(found)} imports compared, {len(unequal)} different\n")
        for one in unequal:
            ours, theirs = (where.shown(root) if where else "nothing" for where in (one.ours, one.theirs))
            print(f"| {os.path.relpath(one.file, root)}:{one.row} | `{one.name}` | {ours} | {theirs} |")
    return int(different > 0)


def compare(root: str) -> Iterator[Import]:
    """Every name that a module of a tree imports from a module of the same tree."""
    project = Project()
    _MANAGER.clear_cache()
    for path in sorted(Path(root).rglob("*.py")):
        source = project.source(str(path))
        if source is None:
            continue
        for node in ast.walk(source.tree):
            if not isinstance(node, ast.ImportFrom):
                continue
            for alias in node.names:
                name = member(node, alias.name)
                place = project.locate(name, str(path)) if alias.name != "*" else None
                if place is not None and place.path.startswith(root):
                    ours = _ours(project, name, str(path), 0)
                    yield Import(str(path), node.lineno, alias.name, ours, _theirs(node, alias.name, path, root))


def _ours(project: Project, name: str, file: str, depth: int) -> Definition | None:
    place = project.locate(name, file)
    if place is None or depth > _DEEPEST:
        return None
    if not place.rest:
        return Definition(os.path.realpath(place.path), 0)
    module = project.module(place.path)
    if module is None or len(place.rest) > 1:
        return None
    wanted = place.rest[0]
    statements = module.bindings.get(wanted)
    if statements:
        last = statements[-1]
        if isinstance(last, (ast.Import, ast.ImportFrom)):
            meant = dict(project.imported(last, place.path)).get(wanted)
            return _ours(project, meant.name, place.path, depth + 1) if meant else None
        return Definition(os.path.realpath(place.path), last.lineno)
    for star in module.stars:
        if wanted in dict(project.imported(star, place.path)):
            return _ours(project, member(star, wanted), place.path, depth + 1)
    return None


def _theirs(node: ast.ImportFrom, name: str, path: Path, root: str) -> Definition | None:
    try:
        folder = path.parent
        while (folder / "__init__.py").exists():
            folder = folder.parent
        dotted = ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")
        # The file may be run as a script, too.
        sys.path[:] = [str(folder), root, *_PATH, str(path.parent)]
        here = _MANAGER.ast_from_file(str(path), dotted, source=False)
        module = here.import_module(node.module, level=node.level or None, relative_only=bool(node.level))
        return _definition(module, name, 0)
    except Exception:  # whatever astroid fails on is not compared
        return None


def _definition(module: astroid.nodes.Module, name: str, depth: int) -> Definition | None:
    if depth > _DEEPEST:
        return None
    bound = [node for node in module.locals.get(name, ()) if not isinstance(node, astroid.nodes.DelName)]
    if not bound:
        found = _MANAGER.ast_from_module_name(f"{module.name}.{name}") if module.package else None
        return Definition(os.path.realpath(found.file), 0) if found is not None and found.file else None
    last = bound[-1]
    if isinstance(last, (astroid.nodes.Import, astroid.nodes.ImportFrom)):
        real = last.real_name(name)
        if isinstance(last, astroid.nodes.Import):
            found = module.import_module(real)
            return Definition(os.path.realpath(found.file), 0)
        found = last.do_import_module(last.modname)
        return _definition(found, real, depth + 1)
    statement = last.statement()
    return Definition(os.path.realpath(module.file), statement.fromlineno)


if __name__ == "__main__":
    sys.exit(main())
