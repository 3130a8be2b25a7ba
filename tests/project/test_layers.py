"""Who may import whom. Every import of the package is read, those inside functions and for annotations included."""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from rows import each

ROOT = Path(__file__).parents[2]
NAME = "tfdata_lint"

#: What each room may import: these rooms, and those inside of them. Every arrow goes up in this table, so that there is
#: no circle of rooms.
ROOMS = {
    "source.content": "",
    "source": "",
    "config.target": "",
    "pipeline.knowledge": "",
    "pipeline.nouns": "source pipeline.knowledge",
    "pipeline.project": "source config.target pipeline.knowledge pipeline.nouns",
    "pipeline.mapped": "source pipeline.knowledge pipeline.nouns pipeline.project",
    "pipeline.python": "source pipeline.knowledge pipeline.nouns pipeline.project",
    "pipeline.facts": "source pipeline.knowledge pipeline.nouns pipeline.project pipeline.mapped pipeline.python",
    "pipeline.interpreter": "source pipeline.knowledge pipeline.nouns pipeline.project pipeline.mapped pipeline.python "
    "pipeline.facts",
    "pipeline.recover": "source pipeline.nouns pipeline.project pipeline.interpreter",
    "pipeline.coverage": "source pipeline.nouns pipeline.project pipeline.interpreter pipeline.recover",
    "rewriting": "source config.target pipeline.knowledge pipeline.nouns pipeline.project pipeline.mapped "
    "pipeline.python pipeline.facts",
    "rules": "source config.target pipeline.knowledge pipeline.nouns pipeline.project pipeline.mapped pipeline.python "
    "pipeline.facts rewriting",
    "config": "source rules",
    "lint": "source pipeline rules config",
    "testing": "source pipeline rules config lint",
    "run": "source pipeline.nouns pipeline.project rules config lint",
    "output": "source pipeline.nouns pipeline.project rules config lint",
    "verify.agent": "",
    "verify": "source pipeline rewriting rules config lint run",
    "observing": "source pipeline config lint run output verify",
    "keras": "observing",
    "lsp": "source pipeline.nouns pipeline.project rules config lint run output verify",
    "cli": "source rules config lint run output verify observing lsp",
    "__main__": "cli",
}

#: Rows of a module.
LONGEST = 500

#: What knows of syntax trees.
_SYNTAX = ("ast.", f"{NAME}.pipeline.nouns.code.", f"{NAME}.pipeline.project.syntax.", f"{NAME}.source.trees.")


class Arrow(NamedTuple):
    """One module imports another."""

    importer: str
    imported: str
    row: int

    def __str__(self) -> str:
        return f"{self.importer}:{self.row} imports {self.imported}"


class Code(NamedTuple):
    """What is asked of the text of a module."""

    imports: list[ast.Import | ast.ImportFrom]
    #: `name.attribute`.
    attributes: set[tuple[str, str]]
    #: Each statement of the module: the function or class that it defines, and the names in it.
    statements: list[tuple[str | None, set[str]]]
    #: What classes extend, without parameters.
    bases: set[str]


@functools.cache
def code(text: str) -> Code:
    """Each text is read once: the package has a million nodes."""
    found = Code([], set(), [], set())
    for statement in ast.parse(text).body:
        names: set[str] = set()
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                names.add(node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                found.attributes.add((node.value.id, node.attr))
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                found.imports.append(node)
            elif isinstance(node, ast.ClassDef):
                found.bases.update(ast.unparse(base).partition("[")[0] for base in node.bases)
        defined = statement.name if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) else None
        found.statements.append((defined, names))
    return found


def texts() -> dict[str, str]:
    """The modules of the package by name; those of packages end in `__init__`."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path.read_text(encoding="utf-8")
        for path in sorted((ROOT / NAME).rglob("*.py"))
    }


def arrows(module: str, text: str, modules: Collection[str]) -> Iterator[Arrow]:
    """What a module imports of these. The package gives all its version; the rest it imports when that is asked for."""
    for node in code(text).imports:
        for name in _names(node, module):
            known = _known(name, modules)
            if known not in (None, module, f"{NAME}.__init__"):
                yield Arrow(_plain(module), _plain(known), node.lineno)


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
    importer, imported = room(arrow.importer), f"{room(arrow.imported)}."
    if arrow.importer == NAME:
        return True
    return any(imported.startswith(f"{name}.") for name in (importer, *ROOMS.get(importer, "").split()))


def circles(all_arrows: Iterable[Arrow]) -> list[set[str]]:
    """Modules that import each other, by whatever way."""
    imports: dict[str, set[str]] = {}
    for arrow in all_arrows:
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


@functools.cache
def all_arrows() -> list[Arrow]:
    return [arrow for module, text in MODULES.items() for arrow in arrows(module, text, MODULES)]


def test_rooms_import_what_they_may() -> None:
    assert forbidden(all_arrows()) == []


def test_the_table_has_no_circle_and_every_module_a_room() -> None:
    rooms = list(ROOMS)
    for number, name in enumerate(rooms):
        for other in ROOMS[name].split():
            assert any(f"{above}.".startswith(f"{other}.") for above in rooms[:number])
            assert not any(f"{below}.".startswith(f"{other}.") for below in rooms[number:])
    assert {room(module) for module in MODULES} == {*ROOMS, ""}
    assert {module for module in MODULES if not room(module)} == {f"{NAME}.__init__", f"{NAME}.pipeline.__init__"}


def test_no_modules_import_each_other() -> None:
    assert circles(all_arrows()) == []


def test_nobody_asks_the_package_for_more_than_its_version() -> None:
    asked = {
        (module, name)
        for module, text in MODULES.items()
        for node in code(text).imports
        if isinstance(node, ast.ImportFrom) and node.module == NAME
        for name in (alias.name for alias in node.names)
        if _known(f"{NAME}.{name}", MODULES) == f"{NAME}.__init__" and name != "__version__"
    }
    assert asked == set()


# ── what one rule alone asks ────────────────────────────────────────────────────────────────────────────────────────


def own_room(module: str) -> str:
    """The folder of a rule, or its file; empty for what is no rule's."""
    if room(module) != "rules":
        return ""
    package = module.rpartition(".")[0]
    return package if f"{package}.rule" in MODULES else module


def of_one_rule(all_arrows: Iterable[Arrow]) -> dict[str, str]:
    """The modules outside of `rules/` that one rule alone uses, also by another such module, and that rule's room."""
    users: dict[str, set[str]] = {}
    for arrow in all_arrows:
        users.setdefault(arrow.imported, set()).add(arrow.importer)
    outside = {module: importers for module, importers in users.items() if not own_room(module)}
    found: dict[str, str] = {}
    while True:
        rooms = {m: {own_room(user) or found.get(user, "") for user in importers} for m, importers in outside.items()}
        added = {m: only for m, (only, *more) in rooms.items() if only and not more and m not in found}
        if not added:
            return found
        found |= added


def names_of_one_rule(modules: Mapping[str, str]) -> set[tuple[str, str]]:
    """The public functions and classes of shared modules that nobody needs but one rule."""
    users: dict[tuple[str, str], set[str]] = {}
    for module, text in modules.items():
        for name in used_names(module, text, modules):
            users.setdefault(name, set()).add(own_room(module) or module)
    found: set[tuple[str, str]] = set()
    for module, text in modules.items():
        if not room(module).startswith(("pipeline", "rewriting")) or room(module) == "pipeline.knowledge":
            continue
        statements = code(text).statements
        read = Counter(name for _, names in statements for name in names)
        for defined, names in statements:
            if defined and read[defined] == (defined in names):
                match [own_room(user) for user in users.get((module, defined), ())]:
                    case [only] if only:
                        found.add((module, defined))
    return found


def used_names(module: str, text: str, modules: Collection[str]) -> Iterator[tuple[str, str]]:
    """What a module uses of others: the module, and the name in it."""
    aliases: dict[str, str] = {}
    for node in code(text).imports:
        if isinstance(node, ast.ImportFrom):
            for alias, full in zip(node.names, _names(node, module), strict=True):
                if full in modules:
                    aliases[alias.asname or alias.name] = full
                yield full.rpartition(".")[0], alias.name
    yield from ((aliases[owner], name) for owner, name in code(text).attributes if owner in aliases)


#: What any rule may ask of a value, whoever asks today.
_FACTS = f"{NAME}.pipeline.facts."


def test_what_one_rule_alone_uses_stands_in_its_room() -> None:
    assert {module for module in of_one_rule(all_arrows()) if not module.startswith(_FACTS)} == set()


def test_what_one_rule_alone_asks_of_a_shared_module_stands_in_its_room() -> None:
    assert {asked for asked in names_of_one_rule(MODULES) if not asked[0].startswith(_FACTS)} == set()


def test_a_module_or_name_for_one_rule_is_seen() -> None:
    rule, other, shared = (f"{NAME}.rules.meta", f"{NAME}.rules.ordering.late_skip", f"{NAME}.pipeline.nouns.text")
    deeper = f"{NAME}.pipeline.nouns.work"
    alone = [Arrow(rule, shared, 1), Arrow(shared, deeper, 1)]
    assert of_one_rule(alone) == {shared: rule, deeper: rule}
    assert of_one_rule([*alone, Arrow(other, deeper, 1)]) == {shared: rule}
    assert of_one_rule([*alone, Arrow(other, shared, 1)]) == {}
    text = "def ask():\n    pass\n"
    asks = f"from {shared} import ask"
    assert names_of_one_rule({shared: text, rule: asks}) == {(shared, "ask")}
    assert names_of_one_rule({shared: text, rule: asks, other: asks}) == set()
    assert names_of_one_rule({shared: f"{text}ask()\n", rule: asks}) == set()


def test_a_rule_with_helpers_has_a_folder() -> None:
    folders = {own_room(module) for module in MODULES if module.endswith(".rule") and room(module) == "rules"}
    for folder in folders:
        strangers = {arrow.importer for arrow in all_arrows() if arrow.imported.startswith(f"{folder}.")}
        assert {own_room(module) for module in strangers} == {folder}


# ── folds ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def folds(modules: Mapping[str, str]) -> set[str]:
    """The modules that ask something of expression graphs: those with a class that extends `Fold`."""
    return {module for module, text in modules.items() if "Fold" in code(text).bases}


def looks_at_syntax(module: str, text: str) -> bool:
    """Does a module import what knows of syntax trees?"""
    names = {f"{name}." for node in code(text).imports for name in _names(node, module)}
    return any(name.startswith(syntax) for name in names for syntax in _SYNTAX)


def test_folds_over_expressions_do_not_look_at_syntax() -> None:
    found = folds(MODULES)
    assert {f"{NAME}.pipeline.nouns.results", f"{NAME}.pipeline.mapped.uses"} <= found
    assert {module for module in found if looks_at_syntax(module, MODULES[module])} == set()


def test_a_fold_that_looks_at_syntax_is_seen() -> None:
    mine = "class Mine(Fold[bool]):\n    pass\n"
    assert folds({"mine": mine, "other": "class Mine(Folder):\n    pass\n"}) == {"mine"}
    for line in (
        "import ast",
        "from tfdata_lint.pipeline.nouns.code import names",
        "from tfdata_lint.source import trees",
    ):
        assert looks_at_syntax("mine", f"{line}\n{mine}")
    assert not looks_at_syntax("mine", f"from tfdata_lint.pipeline.nouns.fold import Fold\n{mine}")


def test_files_are_not_too_long() -> None:
    rows = {module.removeprefix(f"{NAME}."): text.count("\n") for module, text in MODULES.items()}
    assert {module: count for module, count in rows.items() if count > LONGEST} == {}


# ── the checker itself ──────────────────────────────────────────────────────────────────────────────────────────────


@each(
    ("module", "added"),
    [
        ("source.layout", "from tfdata_lint.pipeline.nouns import graph"),
        ("source.layout", "def f():\n    import tfdata_lint.rules.base"),
        ("pipeline.nouns.text", "from ...config.settings import model"),
        ("rules.meta", "if TYPE_CHECKING:\n    from tfdata_lint.lint.reports import File"),
        ("config.settings.model", "from tfdata_lint.output import text"),
        ("lint.linting", "from tfdata_lint.run.cache.cache import Cache"),
        ("output.text", "from tfdata_lint.run.engine import lint_paths"),
        ("verify.agent.wire", "from tfdata_lint import __version__\nfrom tfdata_lint.source import module"),
        ("pipeline.knowledge.functions", "from tfdata_lint.pipeline.nouns.places import Span"),
        ("pipeline.mapped.effects", "from tfdata_lint.pipeline.recover import recover"),
    ],
)
def test_an_arrow_that_is_added_is_seen(module: str, added: str) -> None:
    (seen,) = forbidden(arrows(f"{NAME}.{module}", added, MODULES))
    assert seen.startswith(f"{NAME}.{module}:")


@each("form", ["{}", "def f():\n    {}", "if TYPE_CHECKING:\n    {}"])
def test_a_circle_that_is_added_is_seen(form: str) -> None:
    name = f"{NAME}.source.parsing"
    added = arrows(name, form.format("from tfdata_lint.source.module import Source"), MODULES)
    assert any({name, f"{NAME}.source.module"} <= circle for circle in circles([*all_arrows(), *added]))
