"""What a name means where it is written, by Python's scopes, and whether it has certainly got that meaning there."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise

from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.code import nodes_on, rows_with, whole
from tfdata_lint.pipeline.project.bindings import COMPREHENSIONS, FUNCTIONS, bound_in, imported, is_star
from tfdata_lint.source.trees import Cells

SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef)
_ALL = (*SCOPES, *COMPREHENSIONS, ast.Module)
#: Names of the module that no statement binds.
_DYNAMIC = r"\bglobals\(\)\s*(?:\[[^\]\n]*\]\s*=(?!=)|\.(?:update|setdefault|pop)\b)"


class Scopes:
    """The names of one module. `way` gives the nodes from the module down to one."""

    def __init__(self, tree: ast.Module, text: str, way: Callable[[ast.AST], list[ast.AST]]) -> None:
        self._tree, self._text, self._way = tree, text, way
        self._is_dynamic = "globals()" in text and re.search(_DYNAMIC, text) is not None
        self._bindings: dict[int, dict[str, list[ast.AST]]] = {}
        self._declared: dict[int, tuple[ast.AST, dict[str, bool]]] | None = None
        self._imports: dict[str, list[str]] | None = None
        self._evident: dict[str, str] = {}
        self._meant: dict[int, list[str]] = {}
        """What a name may stand for, by the `id` of the list of what binds it."""

    def binds(self, name: str, node: ast.AST) -> tuple[ast.AST, list[ast.AST]] | None:
        """The scope that a name read at a node belongs to, with everything that binds it there; None: a builtin."""
        scopes = self._around(node)
        # Class bodies do not enclose.
        for scope in [scope for scope in scopes if scope is scopes[0] or not isinstance(scope, ast.ClassDef)]:
            if self.declared(scope).get(name):
                scope = self._tree
            if found := self.bindings(scope).get(name):
                return scope, found
            if scope is self._tree:
                break
        return None

    def scope_of(self, node: ast.AST) -> ast.AST:
        """The scope that a statement stands in."""
        scopes = (scope for scope in self._around(node) if not isinstance(scope, COMPREHENSIONS))
        return next(scopes, self._tree)

    def bindings(self, scope: ast.AST) -> dict[str, list[ast.AST]]:
        """What binds the names of a scope: assignment targets, imports, definitions, parameters.

        An inner function that declares a name to be of this scope binds it, too.
        """
        known = self._bindings.get(id(scope))
        if known is None:
            known = self._bindings[id(scope)] = {}
            elsewhere = self.declared(scope)
            for name, node in bound_in(scope):
                if name not in elsewhere:
                    known.setdefault(name, []).append(node)
            for name, node in self._from_inside(scope, known):
                known.setdefault(name, []).append(node)
        return known

    def bring(self, names: Iterable[str], star: ast.ImportFrom) -> None:
        """Names that `import *` binds anew, which are bound above it."""
        self._meant.clear()
        known = self.bindings(self._tree)
        for name in names:
            if name in known and star not in known[name] and not any(_is_below(node, star) for node in known[name]):
                known[name].append(star)

    def declared(self, scope: ast.AST) -> dict[str, bool]:
        """The names that a scope declares to be of another one: True for `global`, False for `nonlocal`."""
        _, names = self._declarations().get(id(scope), (scope, {}))
        return names

    def meaning(self, name: str, node: ast.AST) -> str:
        """The full name of what a name stands for at a node; empty where it may be anything else.

        That it may be unbound, deleted or None does not count: who wrote it there knows that it is not.
        """
        if evident := self._evidently(name):
            return evident
        found = self.meanings(name, node)
        return found[0] if len(set(map(plain, found))) == 1 else ""

    def meanings(self, name: str, node: ast.AST) -> list[str]:
        """All that it may stand for, as `meaning` has it, each once."""
        found = self.binds(name, node)
        if found is None or (self._is_dynamic and found[0] is self._tree):
            return []
        key = id(found[1])
        if key not in self._meant:
            # Until it is known; names may lead back here.
            self._meant[key] = []
            self._meant[key] = list(dict.fromkeys(self._meanings(name, found[1])))
        return self._meant[key]

    def _meanings(self, name: str, bindings: list[ast.AST]) -> list[str]:
        meanings: list[str] = []
        own: list[str] = []
        for binding in bindings:
            if isinstance(binding, (ast.Import, ast.ImportFrom)):
                # What `*` brings is made by that module.
                symbol = dict(imported(binding)).get(name)
                others = [symbol.name] if symbol else []
            elif isinstance(binding, ast.Name) and isinstance(binding.ctx, ast.Del):
                continue
            else:
                value = self._assigned(binding)
                if isinstance(value, ast.Constant) and value.value is None:
                    continue
                root, path = dotted(value) if value is not None else ("", "")
                if root == name:
                    # `tf = tf.compat.v1`
                    own.append(path)
                    continue
                others = [f"{full}{path}" for full in self.meanings(root, value)] if root and value else []
            if not others:
                return []
            meanings += others
        return meanings + [f"{full}{path}" for full in meanings for path in own]

    def full_name(self, node: ast.expr) -> str:
        """The full name of `a.b.c`; empty where it is not known or no such chain."""
        root, path = dotted(node)
        full = self.meaning(root, node) if root else ""
        return f"{full}{path}" if full else ""

    def is_imported(self, name: str, node: ast.AST) -> bool:
        """Is a name read at a node that of an import?"""
        if self._evidently(name):
            return True
        found = self.binds(name, node)
        return found is not None and any(isinstance(binding, (ast.Import, ast.ImportFrom)) for binding in found[1])

    def is_bound(self, name: str, node: ast.AST) -> bool:
        """Has a name certainly been bound when a node runs, whoever calls the function that it stands in?"""
        found = self.binds(name, node)
        if found is None:
            return False
        scope, bindings = found
        if any(isinstance(binding, ast.Name) and isinstance(binding.ctx, ast.Del) for binding in bindings):
            return False
        if isinstance(scope, COMPREHENSIONS) or any(isinstance(binding, ast.arg) for binding in bindings):
            return True
        if isinstance(scope, Cells):
            # Cells run in the order of their names.
            return any(_binds_for_sure(statement, name) for statement in scope.body)
        way = self._way(node)
        inside = way[next(index for index, step in enumerate(way) if step is scope) :]
        for step, child in pairwise(inside):
            if any(_binds_for_sure(statement, name) for statement in _before(step, child)):
                return True
            if isinstance(child, SCOPES):
                # It runs no earlier than it is made, and what it binds are other names.
                return False
        return False

    def _evidently(self, name: str) -> str:
        """What a name stands for that the text has alone, not as `name.…`, only where the module imports it once:
        nothing else can bind it. Empty for others."""
        if name not in self._evident:
            found = self._imports_of(name)
            alone = len(re.findall(rf"{whole(name)}(?!\s*\.)", self._text)) if len(found) == 1 else 0
            self._evident[name] = found[0] if alone == 1 else ""
        return self._evident[name]

    def _imports_of(self, name: str) -> list[str]:
        """What the imports of a name in the module's own body stand for; of none where something else may bind it."""
        if self._imports is None:
            self._imports = {}
            for statement in self._tree.body if not self._is_dynamic else ():
                if isinstance(statement, (ast.Import, ast.ImportFrom)):
                    if is_star(statement):
                        self._imports = {}
                        break
                    for bound, symbol in imported(statement):
                        self._imports.setdefault(bound, []).append(symbol.name)
        return self._imports.get(name, [])

    def _around(self, node: ast.AST) -> list[ast.AST]:
        """The scopes that a node is evaluated in, the innermost first."""
        way = self._way(node)
        # Without a way it is a node of another module.
        inside = [step for step, child in zip(way, [*way[1:], None], strict=False) if _is_inside(step, child)]
        return [step for step in reversed(inside) if isinstance(step, _ALL)]

    def _from_inside(self, scope: ast.AST, own: dict[str, list[ast.AST]]) -> Iterator[tuple[str, ast.AST]]:
        if not isinstance(scope, (ast.Module, *FUNCTIONS)):
            return
        is_module = isinstance(scope, ast.Module)
        for inner, names in self._declarations().values():
            if inner is scope or not (is_module or any(step is scope for step in self._way(inner))):
                continue
            for name, node in bound_in(inner):
                if names.get(name) is is_module and (is_module or name in own):
                    if not isinstance(node, (ast.Global, ast.Nonlocal)):
                        yield name, node

    def _declarations(self) -> dict[int, tuple[ast.AST, dict[str, bool]]]:
        """What each scope declares, of those that declare something, by the `id` of the scope."""
        if self._declared is None:
            self._declared = {}
            for node in nodes_on(self._tree, rows_with(self._text, "global", "nonlocal")):
                if isinstance(node, (ast.Global, ast.Nonlocal)) and (scope := self.scope_of(node)) is not self._tree:
                    _, known = self._declared.setdefault(id(scope), (scope, {}))
                    known.update(dict.fromkeys(node.names, isinstance(node, ast.Global)))
        return self._declared

    def _assigned(self, binding: ast.AST) -> ast.expr | None:
        """The value of `name = value`, given its name there."""
        match self._way(binding)[-2:]:
            case [ast.Assign(targets=targets, value=value), _] if binding in targets:
                return value
            case [ast.AnnAssign(value=value), _]:
                return value
        return None


def _is_below(node: ast.AST, star: ast.ImportFrom) -> bool:
    return getattr(node, "lineno", 0) >= star.lineno


def dotted(node: ast.expr) -> tuple[str, str]:
    """`a` and `.b.c` of `a.b.c`."""
    path = ""
    while isinstance(node, ast.Attribute):
        path = f".{node.attr}{path}"
        node = node.value
    return (node.id, path) if isinstance(node, ast.Name) else ("", "")


def _is_inside(scope: ast.AST, child: ast.AST | None) -> bool:
    """Is a part of a scope evaluated in it? Not what is evaluated where it is made: defaults, decorators, bases."""
    match scope:
        case ast.Lambda(body=body):
            return child is body
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return isinstance(child, ast.stmt)
        case ast.ListComp(generators=[first, *_]) | ast.SetComp(generators=[first, *_]):
            return child is not None and child is not first.iter
        case ast.DictComp(generators=[first, *_]) | ast.GeneratorExp(generators=[first, *_]):
            return child is not None and child is not first.iter
    return True


def _before(step: ast.AST, child: ast.AST) -> Iterable[ast.stmt]:
    """The statements that have run before one of the same node."""
    for part in (step, *(step.cases if isinstance(step, ast.Match) else ())):
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(part, name, None)
            if isinstance(statements, list) and (index := _index_of(child, step, statements)) is not None:
                above = step.body if isinstance(step, ast.Try) and name == "orelse" else ()
                return chain(above, islice(statements, index))
    return ()


def _index_of(child: ast.AST, parent: ast.AST, statements: list[ast.stmt]) -> int | None:
    if isinstance(parent, Cells):
        # They are not sorted by rows.
        return next((index for index, statement in enumerate(statements) if statement is child), None)
    row = getattr(child, "lineno", 0)
    index = bisect_left(statements, row, key=lambda statement: statement.lineno)
    while index < len(statements) and statements[index].lineno == row:
        if statements[index] is child:
            return index
        index += 1
    return None


def _binds_for_sure(statement: ast.stmt, name: str) -> bool:
    """Has a name a value when this is done?"""

    def some(body: Sequence[ast.stmt]) -> bool:
        return any(_binds_for_sure(inner, name) for inner in body)

    match statement:
        case ast.Import() | ast.ImportFrom():
            return any(name == found for found, _ in imported(statement))
        case ast.Assign(value=ast.Constant(value=None)):
            # To be filled in later.
            return False
        case ast.Assign(targets=targets):
            return any(isinstance(target, ast.Name) and target.id == name for target in targets)
        case ast.AnnAssign(target=ast.Name(id=found), value=ast.expr()):
            return found == name
        case ast.FunctionDef(name=found) | ast.AsyncFunctionDef(name=found) | ast.ClassDef(name=found):
            return found == name
        case ast.With(body=body) | ast.AsyncWith(body=body):
            return some(body)
        case ast.If(body=body, orelse=orelse):
            return some(body) and some(orelse)
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finalbody):
            if some(finalbody):
                return True
            # Where an import has failed, nobody gets as far as to a use of it.
            imports = [inner for inner in body if isinstance(inner, (ast.Import, ast.ImportFrom))]
            is_caught = all(some(handler.body) or _leaves(handler.body) for handler in handlers)
            return some(imports) or ((some(body) or some(orelse)) and is_caught)
    return False


def _leaves(body: list[ast.stmt]) -> bool:
    return isinstance(body[-1], (ast.Raise, ast.Return))
