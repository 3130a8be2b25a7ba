"""marimo notebooks: modules whose cells are functions. They share one namespace, and run in the order of its names."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple, TypeAlias

from tfdata_lint.source.trees import Cells, children

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class MarimoCell(NamedTuple):
    """A cell: how it is called, and its rows."""

    name: str
    first: int
    last: int


class _Part(NamedTuple):
    """Statements that run together, and the names that they share with other parts."""

    body: list[ast.stmt]
    defined: frozenset[str]
    used: frozenset[str]


class _Names:
    """The names that statements bind and read, as one scope."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self.bound: set[str] = set()
        self.read: set[str] = set()
        self.read_inside: set[str] = set()
        """Those that functions and classes in it read from around."""
        self.returns = False
        self._todo = list(nodes)
        while self._todo:
            self._take(self._todo.pop())

    @property
    def free(self) -> set[str]:
        return (self.read | self.read_inside) - self.bound

    def _take(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name):
            (self.read if isinstance(node.ctx, ast.Load) else self.bound).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            arguments = node.args
            parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            parameters += [one for one in (arguments.vararg, arguments.kwarg) if one]
            body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else [*node.body]
            self.read_inside |= _Names(body).free - {parameter.arg for parameter in parameters}
            self._todo += [one.annotation for one in parameters if one.annotation]
            self._todo += [default for default in (*arguments.defaults, *arguments.kw_defaults) if default]
            if not isinstance(node, ast.Lambda):
                self.bound.add(node.name)
                self._todo += [*node.decorator_list, *([node.returns] if node.returns else [])]
        elif isinstance(node, ast.ClassDef):
            self.bound.add(node.name)
            self.read_inside |= _Names(node.body).free
            self._todo += [*node.decorator_list, *node.bases, *node.keywords]
        elif isinstance(node, _COMPREHENSIONS):
            self.read |= _Names(children(node)).free
        else:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self.bound |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
                self.bound.add(node.name)
            self.returns |= isinstance(node, ast.Return)
            self._todo += children(node)


def read(tree: ast.Module) -> tuple[Cells, list[MarimoCell]] | None:
    """The notebook that a module is; None when it is none, or none that marimo would run."""
    app = _app(tree.body)
    if not app:
        return None
    body: list[ast.stmt] = []
    parts: list[_Part] = []
    cells: list[MarimoCell] = []
    names: list[_Names] = []
    before: list[ast.stmt] = []
    after: list[ast.stmt] = []
    for statement in tree.body:
        inner, kind = _inner(statement, app)
        body += inner
        if not kind:
            (after if parts else before).extend(inner)
            continue
        first = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))])
        number = len(cells) + 1
        name = getattr(statement, "name", kind)
        cells.append(MarimoCell(name if name.strip("_") else str(number), first, statement.end_lineno or first))
        found = _Names(inner)
        if found.returns:
            return None
        names.append(found)
        parts.append(_Part(inner, frozenset(filter(_is_shared, found.bound)), frozenset(found.free)))
    order = _order(parts)
    if order is None or not cells or _are_mixed_up(names):
        return None
    running = [*before, *(statement for number in order for statement in parts[number].body), *after]
    return Cells(running, body), cells


def _app(body: Sequence[ast.stmt]) -> str:
    """The name of the app of a notebook."""
    makers: set[str] = set()
    for statement in body:
        if isinstance(statement, ast.Import):
            makers |= {f"{one.asname or one.name}.App" for one in statement.names if one.name == "marimo"}
        elif isinstance(statement, ast.ImportFrom) and statement.module == "marimo":
            makers |= {one.asname or one.name for one in statement.names if one.name == "App"}
        elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            target = statement.targets[0]
            if isinstance(target, ast.Name) and ast.unparse(statement.value.func) in makers:
                return target.id
    return ""


def _inner(statement: ast.stmt, app: str) -> tuple[list[ast.stmt], str]:
    """What a statement of the file puts into the namespace, and as which kind of cell; none for what is no cell."""
    if isinstance(statement, ast.With) and len(statement.items) == 1:
        if _method(statement.items[0].context_expr, app) == "setup":
            return statement.body, "setup"
    elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        methods = [_method(decorator, app) for decorator in statement.decorator_list]
        if "cell" in methods and not isinstance(statement, ast.ClassDef):
            return _of_cell(statement), "cell"
        if "function" in methods or "class_definition" in methods:
            plain = copy.copy(statement)
            plain.decorator_list = [
                decorator for decorator, method in zip(statement.decorator_list, methods, strict=True) if not method
            ]
            return [plain], "definition"
    return [statement], ""


def _method(node: ast.expr, app: str) -> str:
    """`cell` of `app.cell` and of `app.cell(…)`."""
    called = node.func if isinstance(node, ast.Call) else node
    is_method = isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == app
    return called.attr if is_method and isinstance(called, ast.Attribute) else ""


def _of_cell(cell: _Function) -> list[ast.stmt]:
    """What a cell executes: marimo writes the `return` at its end, for readers."""
    return cell.body[:-1] if isinstance(cell.body[-1], ast.Return) else cell.body


def _is_shared(name: str) -> bool:
    """Names with one underscore are those of one cell."""
    return not name.startswith("_") or name.startswith("__")


def _are_mixed_up(cells: Sequence[_Names]) -> bool:
    """Does a function read a name of its own cell that another cell has as well? It would get the last one."""
    counts = Counter(name for cell in cells for name in cell.bound if not _is_shared(name))
    return any(counts[name] > 1 for cell in cells for name in cell.read_inside & cell.bound)


def _order(parts: Sequence[_Part]) -> list[int] | None:
    """The numbers of the parts in the order in which they run; None when two define one name, or all wait."""
    home: dict[str, int] = {}
    for number, part in enumerate(parts):
        if not home.keys().isdisjoint(part.defined):
            return None
        home.update(dict.fromkeys(part.defined, number))
    needs = [{home[name] for name in part.used if name in home} for part in parts]
    waiting = [len(need) for need in needs]
    users: list[list[int]] = [[] for _ in parts]
    for number, need in enumerate(needs):
        for other in need:
            users[other].append(number)
    ready = [number for number, count in enumerate(waiting) if not count]
    heapify(ready)
    order: list[int] = []
    while ready:
        order.append(number := heappop(ready))
        for user in users[number]:
            waiting[user] -= 1
            if not waiting[user]:
                heappush(ready, user)
    return order if len(order) == len(parts) else None
