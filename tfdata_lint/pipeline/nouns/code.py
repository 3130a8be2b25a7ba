"""Questions about a piece of code that a node stands for. Who asks need not know what a tree looks like."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import pairwise

from tfdata_lint.source.trees import children, statements, walk

BLOCKS = ("body", "orelse", "finalbody")
#: Most of the statements without a block of their own.
_SIMPLE = (ast.Assign, ast.Expr, ast.Return)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_PLACED = (ast.stmt, ast.expr, ast.ExceptHandler, ast.pattern, ast.arg, ast.keyword, ast.alias)
_FORMATTED = (ast.JoinedStr, ast.FormattedValue)

#: Stands for the module.
_TOP = ast.AST()

OWN_STEPS = ("train_step", "test_step", "predict_step", "make_train_function", "compute_loss")


def way(top: ast.AST, node: ast.AST) -> list[ast.AST]:
    """The nodes from one inside a tree up to its top; none when it is not in it."""
    parents = _parents(top, node)
    found = [node]
    while found[-1] is not top:
        above = parents.get(id(found[-1]))
        if above is None:
            return []
        # A module does not hold itself.
        found.append(top if above is _TOP else above)
    return found


def _parents(top: ast.AST, node: ast.AST) -> dict[int, ast.AST]:
    """The parents of the nodes of a module, which rules ask for each of their findings; of others those up from one."""
    if isinstance(top, ast.Module):
        known: dict[int, ast.AST] | None = top.__dict__.get("parents")
        if known is None:
            known = top.__dict__["parents"] = {}
            for parent in walk(top):
                above = _TOP if parent is top else parent
                for child in children(parent):
                    known[id(child)] = above
        return known
    parents: dict[int, ast.AST] = {}
    for parent, child in _edges(top, _rows_of(node)):
        parents[id(child)] = parent
        if child is node:
            break
    return parents


def nodes_on(top: ast.AST, rows: list[int]) -> Iterator[ast.AST]:
    """The nodes of a tree that stand on one of these rows or around it; the rows are sorted."""
    return (node for _, node in _edges(top, rows)) if rows else iter(())


def whole(name: str) -> str:
    """A pattern of a name as a whole word: what begins as its matches do is found much faster than what has `\\b`."""
    return rf"{name}(?<!\w{name})\b"


def rows_with(text: str, *patterns: str) -> list[int]:
    """The rows on which a match of one of them begins, sorted. Several are found faster than one of alternatives."""
    rows: list[int] = []
    for pattern in patterns:
        row, last = 1, 0
        for match in re.finditer(pattern, text):
            row += text.count("\n", last, match.start())
            last = match.start()
            rows.append(row)
    return sorted(rows)


def any_between(rows: list[int], first: int, last: int) -> bool:
    """Is one of these rows, which are sorted, from the first to the last?"""
    position = bisect_left(rows, first)
    return position < len(rows) and rows[position] <= last


def _edges(top: ast.AST, rows: list[int] | None) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The nodes below one, each behind its parent, breadth first; with `rows` those that stand on none are left out."""
    todo = deque([top])
    while todo:
        parent = todo.popleft()
        # What a formatted string holds has no rows of its own before Python 3.12.
        is_all = isinstance(parent, _FORMATTED)
        for child in children(parent):
            if rows is None or is_all or stands_on(child, rows):
                yield parent, child
                todo.append(child)


def _rows_of(node: ast.AST) -> list[int] | None:
    return [node.lineno] if isinstance(node, _PLACED) else None


def stands_on(node: ast.AST, rows: list[int]) -> bool:
    """May a node be on one of these rows, which are sorted? One without a place may."""
    last = getattr(node, "end_lineno", None)
    if last is None:
        return True
    # As `any_between`, written out: it is asked of most nodes.
    first: int = first_row(node) if isinstance(node, ast.stmt) else node.lineno  # type: ignore[attr-defined]
    position = bisect_left(rows, first)
    return position < len(rows) and rows[position] <= last


def statements_in(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of a body, those inside others included."""
    blocks = [body]
    while blocks:
        for statement in blocks.pop():
            yield statement
            if isinstance(statement, _SIMPLE):
                continue
            parts = (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ()))
            blocks += (inner for part in parts for name in BLOCKS if (inner := getattr(part, name, None)))


def is_generator(function: ast.FunctionDef) -> bool:
    """Does it yield?"""
    return any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in own_nodes(function.body))


def result_of(function: ast.AST | None) -> ast.expr | None:
    """What a function gives that does nothing else: `lambda: rows`, or a `def` of one `return`."""
    match function:
        case ast.Lambda(body=given):
            return given
        case ast.FunctionDef(body=[ast.Return(value=given)], decorator_list=[]):
            return given
        case ast.FunctionDef(body=[ast.Expr(value=ast.Constant()), ast.Return(value=given)], decorator_list=[]):
            return given
    return None


def own_nodes(body: Iterable[ast.AST], *closed: type[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of some code, outer ones first, those inside of functions, classes and what else is closed left out."""
    todo = list(body)
    while todo:
        node = todo.pop(0)
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef, *closed)):
            todo.extend(children(node))


def holds(top: ast.AST, node: ast.AST) -> bool:
    """Is a node part of a tree?"""
    return node is top or id(node) in _parents(top, node)


def names(*nodes: ast.AST) -> set[str]:
    """The plain names that are read or assigned."""
    return {node.id for tree in nodes for node in walk(tree) if isinstance(node, ast.Name)}


def made_of(code: ast.AST, elements: set[str]) -> set[str]:
    """These names, and those of what some code computes of them."""
    assigned = [(names(part.value), part.targets) for part in statements(code) if isinstance(part, ast.Assign)]
    found, before = set(elements), -1
    while len(found) != before:
        before = len(found)
        for read, targets in assigned:
            if not read.isdisjoint(found):
                found |= names(*targets)
    return found


def caught(handler: ast.ExceptHandler) -> set[str]:
    """The last names of what it catches; of `except:` that is everything."""
    match handler.type:
        case None:
            return {"BaseException"}
        case ast.Tuple(elts=types):
            return set(map(last_name, types))
        case type_:
            return {last_name(type_)}


def caught_around(top: ast.AST | None, node: ast.AST) -> set[str]:
    """What is caught of a piece of code in the function that it stands in."""
    steps = way(top, node) if top is not None else []
    found: set[str] = set()
    for inner, step in pairwise(steps):
        if isinstance(step, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            break
        if isinstance(step, ast.Try) and inner in step.body:
            found.update(*map(caught, step.handlers))
    return found


def targets(top: ast.AST | None, node: ast.AST) -> list[ast.expr]:
    """What the statement that a piece of code stands in assigns to."""
    steps = way(top, node) if top is not None else []
    return next((step.targets for step in steps if isinstance(step, ast.Assign)), [])


def first_row(node: ast.stmt) -> int:
    """Decorators stand above."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return decorators[0].lineno if decorators else node.lineno


def last_name(node: ast.AST | None) -> str:
    """`map` of `ds.map` and of `map`, and of their calls."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
    return ""


def receiver(node: ast.AST) -> str:
    """`model` of `model.fit(ds)`, as written; empty for what is no call of a method."""
    return ast.unparse(node.func.value) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def calls_of(top: ast.AST, name: str) -> Iterator[ast.Call]:
    """The calls of what has this name, be it a function or a method."""
    if not isinstance(top, ast.Module):
        return (node for node in walk(top) if isinstance(node, ast.Call) and last_name(node) == name)
    known: dict[str, list[ast.Call]] | None = top.__dict__.get("calls")
    if known is None:
        known = top.__dict__["calls"] = {}
        for node in walk(top):
            if isinstance(node, ast.Call):
                known.setdefault(last_name(node), []).append(node)
    return iter(known.get(name, ()))


def has_own_steps(top: ast.AST | None, text: str) -> bool:
    """Does a model in a tree, of this text, say itself what `fit`, `evaluate` and `predict` do with a batch?"""
    nodes = nodes_on(top, rows_with(text, *OWN_STEPS)) if top is not None else ()
    return any(isinstance(node, ast.FunctionDef) and node.name in OWN_STEPS for node in nodes)


def items(node: ast.expr) -> list[str]:
    """The code of what stands in a tuple, list or dict, without what is nested deeper."""
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            return [ast.unparse(part) for part in parts]
    return [ast.unparse(node)]


def parameters_of(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[str]:
    """The parameters that a call may give by position; the object of a method apart."""
    taken = (*function.args.posonlyargs, *function.args.args)
    return [one.arg for one in taken if one.arg not in ("self", "cls")]


def given_to(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, call: ast.Call) -> dict[str, ast.expr]:
    """What a call gives to the parameters of a function, by position or name."""
    named = {word.arg: word.value for word in call.keywords if word.arg is not None}
    return {**dict(zip(parameters_of(function), call.args, strict=False)), **named}


def is_variable(node: ast.AST) -> bool:
    return isinstance(node, ast.Name)


def is_passed_in(top: ast.AST | None, node: ast.AST) -> bool:
    """Is it a parameter of a function around it?"""
    if top is None or not isinstance(node, ast.Name):
        return False
    functions = [part for part in way(top, node) if isinstance(part, FUNCTIONS)]
    return any(
        isinstance(part, ast.arg) and part.arg == node.id for function in functions for part in walk(function.args)
    )


def may_fail(top: ast.AST, node: ast.AST) -> bool:
    """Does the code around it reckon with an exception: `try`, `suppress`, `assertRaises`?"""
    steps = way(top, node)
    for step, inner in zip(steps[1:], steps, strict=False):
        match step:
            case ast.Try(body=body, handlers=[_, *_]) if inner in body:
                return True
            case ast.With(items=items) if any("raises" in part or "suppress" in part for part in _entered(items)):
                return True
            case ast.Call() if "raises" in last_name(step).lower():
                return True
    return False


def _entered(items: list[ast.withitem]) -> list[str]:
    return [last_name(item.context_expr).lower() for item in items]
