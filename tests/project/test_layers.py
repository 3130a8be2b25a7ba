"""Who may import whom. Every import of the package is read, those inside functions and for annotations included."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
NAME = "tfdata_lint"

#: What each room may import. Every arrow goes up in this table, so that there is no circle of rooms.
ROOMS = {
    "source": "",
    "pipeline": "source",
    "config.target": "",
    "rewriting": "source pipeline config.target",
    "rules": "source pipeline config.target rewriting",
    "config": "config.target rules",
    "lint": "source pipeline rules config",
    "run": "source pipeline rules config lint",
    "output": "source pipeline config.target rules config lint",
    "verify.agent": "",
    "verify": "source pipeline rules config lint run",
    "lsp": "source pipeline config.target rules config lint run output verify",
    "cli": "source config.target rules config lint run output verify lsp",
    "__main__": "cli",
}
#: The rooms inside of `pipeline/`: each may import those before it.
PIPELINE = ("knowledge", "nouns", "project", "mapped", "interpreter", "recover")

LONGEST = 900

# ── what is still to be done; these lists only get shorter ──────────────────────────────────────────────────────────

#: They stand in circles of imports until they are moved.
IN_CIRCLES = {
    f"{NAME}.pipeline.{name}"
    for name in (
        "calls", "datasets", "graph", "index", "library", "mapped", "objects", "recording", "resolve", "syntax",
        "vectorise",
    )
}  # fmt: skip
TOO_LONG = {f"{NAME}.pipeline.{name}" for name in ("interpreter", "mapped", "vectorise")}
#: Rules, and what they share, that look at syntax instead of asking the graph.
WITH_SYNTAX: set[str] = set()


class Arrow(NamedTuple):
    """One module imports another."""

    importer: str
    imported: str
    row: int
    for_annotations: bool

    def __str__(self) -> str:
        return f"{self.importer}:{self.row} imports {self.imported}"


def texts() -> dict[str, str]:
    """The modules of the package by name; those of packages end in `__init__`."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path.read_text(encoding="utf-8")
        for path in sorted((ROOT / NAME).rglob("*.py"))
    }


def arrows(module: str, text: str, modules: Collection[str]) -> list[Arrow]:
    """What a module imports of these."""
    return list(_arrows(module, ast.parse(text), modules))


def _arrows(module: str, node: ast.AST, modules: Collection[str], for_annotations: bool = False) -> Iterator[Arrow]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            for name in filter(None, (_known(name, modules) for name in _names(child, module))):
                # The package gives its version; what else it gives it imports when that is asked for.
                if name not in (module, f"{NAME}.__init__"):
                    yield Arrow(_plain(module), _plain(name), child.lineno, for_annotations)
        is_guard = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
        yield from _arrows(module, child, modules, for_annotations or is_guard)


def _plain(module: str) -> str:
    return module.removesuffix(".__init__")


def _names(node: ast.Import | ast.ImportFrom, module: str) -> Iterator[str]:
    """What an import names, in full."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    package = module.split(".")[: -node.level] if node.level else []
    base = ".".join([*package, *filter(None, [node.module])])
    yield from (f"{base}.{alias.name}" for alias in node.names)


def _known(name: str, modules: Collection[str]) -> str | None:
    """The module that a name is, or is in."""
    while name.startswith(NAME):
        for module in (name, f"{name}.__init__"):
            if module in modules:
                return module
        name = name.rpartition(".")[0]
    return None


def room(module: str) -> str:
    """The innermost room of the table that a module is in; empty for the package itself."""
    inner = module.removeprefix(NAME).lstrip(".") + "."
    return max((name for name in ROOMS if inner.startswith(name + ".")), key=len, default="")


def forbidden(all_arrows: Iterable[Arrow]) -> list[str]:
    """The arrows that the tables do not allow."""
    return [str(arrow) for arrow in all_arrows if not _is_allowed(arrow)]


def _is_allowed(arrow: Arrow) -> bool:
    importer, imported = room(arrow.importer), room(arrow.imported)
    if importer == imported == "pipeline":
        own, other = (_inner_room(module) for module in (arrow.importer, arrow.imported))
        return own is None or (other is not None and other <= own)
    return importer in ("", imported) or imported in ROOMS[importer].split()


def _inner_room(module: str) -> int | None:
    """The number of the room inside of `pipeline/`; None for what has none yet."""
    match module.split(".")[2:]:
        case [("recover" as name)] | [name, _, *_] if name in PIPELINE:
            return PIPELINE.index(name)
    return None


def circles(all_arrows: Iterable[Arrow]) -> list[set[str]]:
    """Modules that import each other, by whatever way.

    What is imported for annotations counts too, but not inside of `pipeline/`: there everything is given the run.
    """
    imports: dict[str, set[str]] = {}
    for arrow in all_arrows:
        if not (arrow.for_annotations and room(arrow.importer) == "pipeline"):
            imports.setdefault(arrow.importer, set()).add(arrow.imported)
    reached = {module: _reached(module, imports) for module in imports}
    found = {frozenset(other for other in reached[m] if m in reached.get(other, ())) for m in imports}
    return [set(circle) for circle in found if circle]


def _reached(module: str, imports: Mapping[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    todo = [module]
    while todo:
        for other in imports.get(todo.pop(), ()):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


MODULES = texts()
ARROWS = [arrow for module, text in MODULES.items() for arrow in arrows(module, text, MODULES)]


def test_rooms_import_what_they_may() -> None:
    assert forbidden(ARROWS) == []


def test_the_table_itself_has_no_circle() -> None:
    rooms = list(ROOMS)
    assert all(rooms.index(other) < rooms.index(name) for name in rooms for other in ROOMS[name].split())
    assert {room(module) for module in MODULES} - {""} == set(ROOMS)


def test_no_modules_import_each_other() -> None:
    assert set().union(*circles(ARROWS)) - IN_CIRCLES == set()


def test_nobody_asks_the_package_for_more_than_its_version() -> None:
    asked = {
        (module, name)
        for module, text in MODULES.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module == NAME
        for name in (alias.name for alias in node.names)
        if _known(f"{NAME}.{name}", MODULES) == f"{NAME}.__init__" and name != "__version__"
    }
    assert asked == set()


def test_rules_ask_the_graph_and_not_the_syntax() -> None:
    with_syntax = {
        module
        for module, text in MODULES.items()
        if room(module) == "rules"
        if any("ast" in _names_of(node) for node in ast.walk(ast.parse(text)))
    }
    assert with_syntax == WITH_SYNTAX, "no new ones; one that is cured leaves the list"


def _names_of(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def test_files_are_not_too_long() -> None:
    too_long = {module for module, text in MODULES.items() if text.count("\n") > LONGEST}
    assert too_long - TOO_LONG == set()


# ── the checker itself ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("source.layout", "from tfdata_lint.pipeline import graph"),
        ("source.layout", "def f():\n    import tfdata_lint.rules.base"),
        ("pipeline.text", "from ..config.settings import model"),
        ("rules.meta", "if TYPE_CHECKING:\n    from tfdata_lint.lint.reports import File"),
        ("config.settings.model", "from tfdata_lint.output import text"),
        ("lint.linting", "from tfdata_lint.run.cache.cache import Cache"),
        ("output.text", "from tfdata_lint.run.engine import lint_paths"),
        ("verify.agent.wire", "from tfdata_lint import __version__\nfrom tfdata_lint.source import module"),
        ("pipeline.knowledge.functions", "from tfdata_lint.pipeline.nouns.places import Span"),
        ("pipeline.mapped.cost", "from tfdata_lint.pipeline.recover import recover"),
    ],
)
def test_an_arrow_that_is_added_is_seen(module: str, code: str) -> None:
    made_up = ("knowledge.functions", "nouns.places", "mapped.cost", "recover")
    modules = {*MODULES, *(f"{NAME}.pipeline.{name}" for name in made_up)}
    (seen,) = forbidden(arrows(f"{NAME}.{module}", code, modules))
    assert seen.startswith(f"{NAME}.{module}:")


@pytest.mark.parametrize("code", ["{}", "def f():\n    {}", "if TYPE_CHECKING:\n    {}"])
def test_a_circle_that_is_added_is_seen(code: str) -> None:
    name = f"{NAME}.source.parsing"
    added = arrows(name, code.format("from tfdata_lint.source.module import Source"), MODULES)
    assert any({name, f"{NAME}.source.module"} <= circle for circle in circles([*ARROWS, *added]))
