"""The text behind a graph: what is written at a node, which statement it is part of, which names are seen there.

Places are offsets in characters of `Source.text`. The index, the interpreter, rules and fixes ask it.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, TypeAlias, TypeVar

from tfdata_lint.pipeline.knowledge.names import displayed
from tfdata_lint.pipeline.nouns.code import BLOCKS, first_row, nodes_on, rows_with, stands_on, whole
from tfdata_lint.pipeline.nouns.places import ForeignNode, Span
from tfdata_lint.pipeline.nouns.records import Record
from tfdata_lint.pipeline.project.bindings import imported
from tfdata_lint.pipeline.project.scopes import Scopes
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import Cells, children

Positioned: TypeAlias = ast.expr | ast.stmt | ast.alias | ast.keyword

#: The `elif`s of one ladder that are taken as parts of each other.
_RUNGS = 40
#: Rows of a statement of the module around which is searched one by one, before all of it is.
_SEARCHES = 8

T = TypeVar("T")


class Block(Record):
    """Statements that run one after the other, and the place of one of them."""

    __slots__ = ("index", "statements")

    def __init__(self, statements: list[ast.stmt], index: int) -> None:
        self.statements = statements
        self.index = index

    def _parts(self) -> tuple[Any, ...]:
        return (self.statements, self.index)

    @property
    def statement(self) -> ast.stmt:
        return self.statements[self.index]

    @property
    def previous(self) -> ast.stmt | None:
        return self.statements[self.index - 1] if self.index else None


class _Ways:
    """The parents of the nodes of a tree, as far as they were asked for."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._parents: dict[int, ast.AST] = {}
        self._body = tree.by_row if isinstance(tree, Cells) else tree.body
        self._rows_of_statements = [first_row(statement) for statement in self._body]
        self._searches: dict[int, int] = {}
        """How often the parents in a statement of the module were searched, by number."""

    def to(self, node: ast.AST) -> list[ast.AST]:
        """The nodes from the module down to this one; none when it is not part of the tree."""
        if node is not self._tree and id(node) not in self._parents:
            self._search_around(node)
        way = [node]
        while way[-1] is not self._tree:
            parent = self._parents.get(id(way[-1]))
            if parent is None:
                return []
            way.append(parent)
        way.reverse()
        return way

    def _search_around(self, node: ast.AST) -> None:
        """Learn the parents of the nodes on the row of one in the statements that are on it.

        Where many rows of a statement are asked for, or it does not stand on its row, all of it are learnt.
        """
        row = getattr(node, "lineno", 0)
        for all_of_it in (False, True):
            number = bisect_right(self._rows_of_statements, row) - 1
            while number >= 0 and (self._body[number].end_lineno or 0) >= row:
                searches = self._searches.get(number, 0)
                if searches <= _SEARCHES:
                    is_whole = all_of_it or searches == _SEARCHES
                    self._searches[number] = _SEARCHES + 1 if is_whole else searches + 1
                    self._parents.update(_parents(self._body[number], self._tree, None if is_whole else row))
                number -= 1
            if id(node) in self._parents:
                return


class Syntax:
    """The text of one module or notebook, and its tree."""

    def __init__(self, source: Source) -> None:
        self.file = source.path
        self.text = source.text
        self.tree = source.tree or ast.Module([], [])
        self._cells = source.cells or source.marimo
        self._lines = source.lines
        self._rows = [0, *accumulate(len(row) + 1 for row in self.text.split("\n"))]
        self._ways = _Ways(self.tree)
        self._indices: dict[int, dict[int, int]] = {}
        """The places of the statements of a block."""
        self._scopes: Scopes | None = None
        self._imports: list[tuple[str, str]] | None = None
        self._aliases: dict[str, list[str]] = {}
        self._named: dict[str, list[ast.Attribute]] = {}
        self._known: dict[tuple[Any, ...], Any] = {}

    def once(self, work: Callable[..., T], *about: Any) -> T:
        """What a question needs of the module, worked out the first time that it is asked."""
        question = (work, *about)
        if question not in self._known:
            self._known[question] = work(self, *about)
        known: T = self._known[question]
        return known

    def offset(self, row: int, column: int) -> int:
        """Where a row and a column in UTF-8 bytes are in the text."""
        start = self._rows[row - 1]
        line = self.text[start : self._rows[row] - 1]
        if not line.isascii():
            column = len(line.encode("utf-8", "replace")[:column].decode("utf-8", "ignore"))
        return start + column

    def span(self, start: int, end: int) -> Span:
        """The other way round."""
        return Span(self.file, *self._place(start), *self._place(end))

    def start(self, node: Positioned) -> int:
        """Where a node begins in the text. Raises ForeignNode, as `end` and `written` do."""
        self._check(node)
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: Positioned) -> int:
        self._check(node)
        return self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _check(self, node: Positioned) -> None:
        if not self.way(node):
            raise ForeignNode(f"a {type(node).__name__} of another file than {self.file}")

    def written(self, node: Positioned) -> str:
        """The code of a node as it is written."""
        return self.text[self.start(node) : self.end(node)]

    def line(self, offset: int) -> tuple[int, int]:
        """The row that an offset lies in, without its newline."""
        end = self.text.find("\n", offset)
        return self.text.rfind("\n", 0, offset) + 1, end if end >= 0 else len(self.text)

    def indent(self, offset: int) -> str:
        """The blanks that the row of an offset begins with."""
        start, end = self.line(offset)
        row = self.text[start:end]
        return row[: len(row) - len(row.lstrip())]

    def is_as_written(self, start: int, end: int) -> bool:
        """Does the text stand in the file like this? Of a notebook's magics it has something else."""
        first, last = self._place(start)[0], self._place(end)[0]
        rows = self.text[self._rows[first - 1] : self._rows[last] - 1].split("\n")
        return rows == self._lines[first - 1 : last]

    def crosses_cells(self, start: int, end: int) -> bool:
        """Does a range begin in one cell of a notebook and end in another?"""
        first, last = self._place(start)[0], self._place(end)[0]
        return any(first < cell.first <= last for cell in self._cells)

    def way(self, node: ast.AST) -> list[ast.AST]:
        """The nodes from the module down to this one; none when it is not part of the tree."""
        return self._ways.to(node)

    def called(self, function: ast.expr) -> str:
        """A function of a library as the field writes it, whatever it is called here; others as they are written."""
        full = self.scopes.full_name(function) if self.way(function) else ""
        return displayed(full) if full else ast.unparse(function)

    def block(self, node: ast.AST) -> Block | None:
        """The statement that a node is part of, among its neighbours."""
        way = self.way(node)
        for parent, child in zip(reversed(way[:-1]), reversed(way[1:]), strict=True):
            if isinstance(child, ast.stmt):
                return self._block_in(parent, child) or _at(parent, child)
        return None

    def _block_in(self, parent: ast.AST, child: ast.stmt) -> Block | None:
        """The block of a compound statement that a statement stands in."""
        for statements in _blocks_of(parent):
            known = self._indices.get(id(statements))
            if known is None:
                known = self._indices[id(statements)] = {id(found): index for index, found in enumerate(statements)}
            if id(child) in known:
                return Block(statements, known[id(child)])
        return None

    def around(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The neighbours in one block that hold all of these, from the first to the last; none across functions."""
        ways = [self.way(statement) for statement in statements]
        if len({id(self.function_of(way)) for way in ways}) != 1:
            return []
        shared: list[ast.AST] = [steps[0] for steps in zip(*ways, strict=False) if len(set(map(id, steps))) == 1]
        blocks = [self.block(way[min(len(shared), len(way) - 1)]) for way in ways]
        if any(block is None or blocks[0] is None or block.statements is not blocks[0].statements for block in blocks):
            # They are in several branches of one statement.
            blocks = [self.block(next((step for step in reversed(shared) if isinstance(step, ast.stmt)), self.tree))]
        indices = [block.index for block in blocks if block is not None]
        return blocks[0].statements[min(indices) : max(indices) + 1] if blocks[0] is not None else []

    def function_of(self, way: Sequence[ast.AST]) -> ast.AST | None:
        """The function whose body a node on this way is in, or the module."""
        scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)
        return next((step for step in reversed(way) if isinstance(step, scopes)), None)

    # ── names ───────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def scopes(self) -> Scopes:
        """What its names mean."""
        if self._scopes is None:
            self._scopes = Scopes(self.tree, self.text, self._ways.to)
        return self._scopes

    def imports(self) -> list[tuple[str, str]]:
        """All imports, each once: the name it binds, and the full name of what that is."""
        if self._imports is None:
            nodes = nodes_on(self.tree, rows_with(self.text, "import"))
            statements = [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
            found = ((name, symbol.name) for node in statements for name, symbol in imported(node))
            self._imports = list(dict.fromkeys(found))
        return self._imports

    def aliases(self, attribute: str) -> list[str]:
        """The names that statements give to an attribute, in their order: `AUTO = tf.data.AUTOTUNE` to `AUTOTUNE`."""
        if attribute not in self._aliases:
            found: list[tuple[int, str]] = []
            for node in nodes_on(self.tree, rows_with(self.text, whole(attribute))):
                match node:
                    case (
                        ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute(attr=attr))
                        | ast.AnnAssign(target=ast.Name(id=name), value=ast.Attribute(attr=attr))
                    ) if attr == attribute:
                        found.append((node.lineno, name))
            self._aliases[attribute] = list(dict.fromkeys(name for _, name in sorted(found)))
        return self._aliases[attribute]

    def stores(self, attribute: str) -> list[ast.Attribute]:
        """Where an attribute of this name is set or deleted, of whatever object."""
        return [node for node in self.named(attribute) if not isinstance(node.ctx, ast.Load)]

    def named(self, attribute: str) -> list[ast.Attribute]:
        """The mentions of attributes of this name."""
        if attribute not in self._named:
            nodes = nodes_on(self.tree, rows_with(self.text, whole(attribute)))
            self._named[attribute] = [n for n in nodes if isinstance(n, ast.Attribute) and n.attr == attribute]
        return self._named[attribute]

    def _place(self, offset: int) -> tuple[int, int]:
        row = bisect_right(self._rows, offset)
        return row, len(self.text[self._rows[row - 1] : offset].encode("utf-8", "replace"))


def syntax_of(source: Source) -> Syntax:
    """The text and tree of a module, made once."""
    return _kept(source, Syntax)


def syntax_there(source: Source, here: Source) -> Syntax:
    """The same of a module that another one is read for: who reads it for itself has it under another path."""
    return _kept(source, Syntax if source is here else syntax_there)


def _kept(source: Source, under: object) -> Syntax:
    if under not in source.notes:
        source.notes[under] = Syntax(source)
    syntax: Syntax = source.notes[under]
    return syntax


def assigned_value(statement: ast.AST, name: str) -> ast.expr | None:
    """The value of `name = value`."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
            return value
        case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value) if target == name:
            return value
    return None


def bound_value(way: list[ast.AST]) -> ast.expr | None:
    """The value of `name = value`, also of one of several, by the way down to the name."""
    binding = way[-1] if way else None
    match way[-2:]:
        case [ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=value), _] if (
            target is binding
        ):
            return value
    match way[-3:]:
        case [ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)), ast.Tuple(), _] if len(
            targets
        ) == len(values):
            return next((value for target, value in zip(targets, values, strict=True) if target is binding), None)
    return None


def _parents(statement: ast.stmt, parent: ast.AST, row: int | None) -> dict[int, ast.AST]:
    """The parent of each node; those without a place of their own (arguments, `with` items) are passed over.

    Given a row, what does not stand on it is not entered.
    """
    parents, rows = {id(statement): parent}, [row or 0]
    todo: list[tuple[ast.AST, ast.AST, int]] = [(statement, statement, 0)]
    while todo:
        node, parent, rung = todo.pop()
        # An `elif` is part of the one before; of a long ladder all are part of one, so that no way gets long.
        last = node.orelse[0] if isinstance(node, ast.If) and len(node.orelse) == 1 else None
        for child in children(node):
            step = rung + 1 if child is last else 0
            if hasattr(child, "lineno"):
                parents[id(child)] = parent if step < _RUNGS else parents[id(node)]
                if row is None or stands_on(child, rows):
                    todo.append((child, child, step))
            else:
                todo.append((child, parent, step))
    return parents


def _blocks_of(node: ast.AST) -> Iterator[list[ast.stmt]]:
    return (found for name in BLOCKS if isinstance(found := getattr(node, name, None), list))


def _at(parent: ast.AST, child: ast.stmt) -> Block | None:
    """The block of an `except` or `case`, which has no place of its own."""
    for inner in children(parent):
        for statements in _blocks_of(inner):
            if (index := next((i for i, found in enumerate(statements) if found is child), None)) is not None:
                return Block(statements, index)
    return None


def loop_of(way: list[ast.AST]) -> tuple[ast.expr, list[int]] | None:
    """What a loop walks that binds a name, and where in its items the name is: `for kind, width in …`."""
    path: list[int] = []
    for inner, step in pairwise(reversed(way)):
        if isinstance(step, ast.Tuple) and isinstance(inner, ast.expr):
            path.insert(0, next(place for place, part in enumerate(step.elts) if part is inner))
        else:
            loops = [step] if isinstance(step, ast.For) else getattr(step, "generators", ())
            return next(((loop.iter, path) for loop in loops if loop.target is inner), None)
    return None


def default_of(function: ast.FunctionDef | ast.AsyncFunctionDef, parameter: ast.arg) -> ast.expr | None:
    """What a parameter is where a call gives nothing."""
    given = function.args
    last = [*given.posonlyargs, *given.args]
    pairs = [*zip(reversed(last), reversed(given.defaults), strict=False)]
    pairs += [(one, value) for one, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is not None]
    return next((value for one, value in pairs if one is parameter), None)
