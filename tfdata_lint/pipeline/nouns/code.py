"""Questions about a piece of code that a node stands for. Who asks need not know what a tree looks like."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from tfdata_lint.source.trees import children, walk

BLOCKS = ("body", "orelse", "finalbody")
#: Most of the statements without a block of their own.
_SIMPLE = (ast.Assign, ast.Expr, ast.Return)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_PLACED = (ast.stmt, ast.expr, ast.ExceptHandler, ast.pattern, ast.arg, ast.keyword, ast.alias)
_FORMATTED = (ast.JoinedStr, ast.FormattedValue)
_CONDITIONAL = (ast.If, ast.IfExp, ast.BoolOp, ast.For, ast.While, ast.ExceptHandler, ast.Match)

_OWN_STEP = r"\b(?:(?:train|test|predict)_step|make_train_function)\b"


def way(top: ast.AST, node: ast.AST) -> list[ast.AST]:
    """The nodes from one inside a tree up to its top; none when it is not in it."""
    parents: dict[int, ast.AST] = {}
    for parent, child in _edges(top, _rows_of(node)):
        parents[id(child)] = parent
        if child is node:
            break
    found = [node]
    while found[-1] is not top:
        above = parents.get(id(found[-1]))
        if above is None:
            return []
        found.append(above)
    return found


def nodes_on(top: ast.AST, rows: list[int]) -> Iterator[ast.AST]:
    """The nodes of a tree that stand on one of these rows or around it; the rows are sorted."""
    return (node for _, node in _edges(top, rows)) if rows else iter(())


def rows_with(text: str, pattern: str) -> list[int]:
    """The rows on which a match begins, sorted."""
    rows: list[int] = []
    row, last = 1, 0
    for match in re.finditer(pattern, text):
        row += text.count("\n", last, match.start())
        last = match.start()
        rows.append(row)
    return rows


def any_between(rows: list[int], first: int, last: int) -> bool:
    """Is one of these rows, which are sorted, from the first to the last?"""
    position = bisect_left(rows, first)
    return position < len(rows) and rows[position] <= last


def _edges(top: ast.AST, rows: list[int] | None) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The nodes below one, each behind its parent, breadth first; with `rows` those that stand on none are left out."""
    todo = deque([top])
    while todo:
        parent = todo.popleft()
        for child in children(parent):
            # What a formatted string holds has no rows of its own before Python 3.12.
            if rows is None or isinstance(parent, _FORMATTED) or stands_on(child, rows):
                yield parent, child
                todo.append(child)


def _rows_of(node: ast.AST) -> list[int] | None:
    return [node.lineno] if isinstance(node, _PLACED) else None


def stands_on(node: ast.AST, rows: list[int]) -> bool:
    """May a node be on one of these rows, which are sorted? One without a place may."""
    if not isinstance(node, _PLACED):
        return True
    first = first_row(node) if isinstance(node, ast.stmt) else node.lineno
    return any_between(rows, first, node.end_lineno or node.lineno)


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


def own_nodes(body: Iterable[ast.AST], *closed: type[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of some code, outer ones first, those inside of functions, classes and what else is closed left out."""
    todo = list(body)
    while todo:
        node = todo.pop(0)
        yield node
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef, *closed)):
            todo.extend(children(node))


def holds(top: ast.AST, node: ast.AST) -> bool:
    """Is a node part of a tree?"""
    return node is top or any(part is node for _, part in _edges(top, _rows_of(node)))


def behind(tree: ast.Module, node: ast.AST) -> ast.Module | None:
    """The statements of its function, or of the module, that stand behind some code; None where it is not there."""
    found: list[ast.stmt] = []
    steps = way(tree, node)
    for inner, step in pairwise(steps):
        for name in BLOCKS:
            block = getattr(step, name, None)
            if isinstance(block, list) and inner in block:
                found += block[block.index(inner) + 1 :]
        if isinstance(step, _FUNCTIONS):
            break
    return ast.Module(found, []) if steps else None


def names(*nodes: ast.AST) -> set[str]:
    """The plain names that are read or assigned."""
    return {node.id for tree in nodes for node in walk(tree) if isinstance(node, ast.Name)}


def caught(handler: ast.ExceptHandler) -> set[str]:
    """The last names of what it catches; of `except:` that is everything."""
    match handler.type:
        case None:
            return {"BaseException"}
        case ast.Tuple(elts=types):
            return set(map(last_name, types))
        case type_:
            return {last_name(type_)}


def is_caught(name: str, top: ast.AST) -> bool:
    """Is an exception with this name caught anywhere in a tree?"""
    return any(isinstance(node, ast.ExceptHandler) and name in caught(node) for node in walk(top))


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


def assigned(top: ast.AST | None, node: ast.AST) -> str:
    """The one name that the statement assigns to that a piece of code stands in; empty where it is another one."""
    match targets(top, node):
        case [ast.Name(id=name)]:
            return name
    return ""


def attribute_of(node: ast.AST) -> str:
    """`it` of `self.it`; empty where there is none."""
    return next((part.attr for part in walk(node) if isinstance(part, ast.Attribute)), "")


def assignments_of(top: ast.AST | None, attribute: str) -> int:
    """How often an attribute with this name is assigned, of whatever object."""
    nodes = walk(top) if top is not None else ()
    return sum(
        isinstance(node, ast.Attribute) and node.attr == attribute and isinstance(node.ctx, ast.Store) for node in nodes
    )


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


def calls_of(top: ast.AST, name: str) -> Iterator[ast.Call]:
    """The calls of what has this name, be it a function or a method."""
    return (node for node in walk(top) if isinstance(node, ast.Call) and last_name(node) == name)


def is_called_twice(top: ast.AST, definition: str) -> bool:
    """Are there several calls of a function, by its name?"""
    calls = calls_of(top, definition.rpartition(".")[2])
    return next(calls, None) is not None and next(calls, None) is not None


def has_own_steps(top: ast.AST | None, text: str) -> bool:
    """Does a model in a tree, of this text, say itself what `fit`, `evaluate` and `predict` do with a batch?"""
    has_words = "_step" in text or "make_train_function" in text
    nodes = nodes_on(top, rows_with(text, _OWN_STEP)) if top is not None and has_words else ()
    return any(isinstance(node, ast.FunctionDef) and re.fullmatch(_OWN_STEP, node.name) for node in nodes)


def is_for_others(function: ast.AST | None) -> bool:
    """Does a function nothing itself, so that another one is meant to take its place?"""
    return isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and all(
        isinstance(part, (ast.Pass, ast.Raise)) or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
        for part in function.body
    )


def only_literal(node: ast.AST | None) -> Any:
    """`3` of `range(3)`: all that a call is given; None where it is more than one literal."""
    match node:
        case ast.Call(args=[ast.Constant(value=value)], keywords=[]):
            return value
    return None


def literals(call: ast.Call, position: int, keyword: str) -> list[Any]:
    """What a call is given for a list of literals, positionally or by keyword; empty when it is no such list."""
    given = [*call.args[position : position + 1], *(other.value for other in call.keywords if other.arg == keyword)]
    match given:
        case [ast.List(elts=elements) | ast.Tuple(elts=elements)]:
            return [element.value if isinstance(element, ast.Constant) else ... for element in elements]
    return []


def written(node: ast.AST | None) -> str:
    """The code of a node."""
    return "" if node is None else ast.unparse(node)


def items(node: ast.expr) -> list[str]:
    """The code of what stands in a tuple, list or dict, without what is nested deeper."""
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            return [ast.unparse(part) for part in parts]
    return [ast.unparse(node)]


def is_written_number(top: ast.AST | None, node: ast.AST) -> bool:
    """Is it a number, or the name of one that a module writes once, at its top, and that nobody passes in?"""
    if _is_number(node):
        return True
    if not isinstance(node, ast.Name) or not isinstance(top, ast.Module):
        return False
    if not any(_writes_number(statement, node.id) for statement in top.body) or not holds(top, node):
        return False
    return sum(_binds(other, node.id) for other in walk(top)) == 1


def is_given_two(node: ast.AST) -> bool:
    """Is it a call with two arguments: `next(it, None)`?"""
    return isinstance(node, ast.Call) and len(node.args) + len(node.keywords) == 2


def unread_parameters(function: ast.AST | None) -> list[str]:
    """The parameters that a function never reads."""
    if not isinstance(function, _FUNCTIONS):
        return []
    body = function.body if isinstance(function.body, list) else [function.body]
    read = names(*body)
    return [parameter.arg for parameter in function.args.args if parameter.arg != "self" and parameter.arg not in read]


def shapes_something(top: ast.AST | None, node: ast.AST) -> bool:
    """Is a variable part of a shape, or given to an object that is made: `tf.zeros([batch, 8])`, `Encoder(batch)`?"""
    if top is None or not isinstance(node, (ast.Name, ast.Attribute)):
        return False
    written = ast.unparse(node)
    for call in (part for part in walk(top) if isinstance(part, ast.Call)):
        for given in (*call.args, *(keyword.value for keyword in call.keywords)):
            parts = given.elts if isinstance(given, (ast.List, ast.Tuple)) else [given] if _makes(call) else []
            if any(ast.unparse(part) == written for part in parts):
                return True
    return False


def _makes(call: ast.Call) -> bool:
    return last_name(call)[:1].isupper()


def is_literal(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant)


def is_variable(node: ast.AST) -> bool:
    return isinstance(node, ast.Name)


def is_passed_in(top: ast.AST | None, node: ast.AST) -> bool:
    """Is it a parameter of a function around it?"""
    if top is None or not isinstance(node, ast.Name):
        return False
    functions = [part for part in way(top, node) if isinstance(part, _FUNCTIONS)]
    return any(
        isinstance(part, ast.arg) and part.arg == node.id for function in functions for part in walk(function.args)
    )


def _is_number(node: ast.AST | None) -> bool:
    """Literals alone: `8`, `4 * 16`."""
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _binds(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Name(id=found, ctx=ast.Store() | ast.Del()) | ast.arg(arg=found):
            return found == name
        case ast.alias(name=full, asname=found):
            return (found or full) in (name, "*")
    return False


def _writes_number(statement: ast.stmt, name: str) -> bool:
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=found)], value=value)
            | ast.AnnAssign(target=ast.Name(id=found), value=value)
        ):
            return found == name and _is_number(value)
    return False


def writes_files(node: ast.AST) -> bool:
    """Does some code write or append to files, by the calls in it?"""
    for call in (part for part in walk(node) if isinstance(part, ast.Call)):
        name = last_name(call)
        modes = [argument.value for argument in call.args[1:2] if isinstance(argument, ast.Constant)]
        modes += [k.value.value for k in call.keywords if k.arg == "mode" and isinstance(k.value, ast.Constant)]
        if name in ("open", "GFile") and any(set("wax+") & set(str(mode)) for mode in modes):
            return True
        if name in ("TFRecordWriter", "write_file", "write_text", "write_bytes"):
            return True
    return False


def parts_read(function: ast.AST | None) -> frozenset[object] | None:
    """Which parts of its element a function reads: parameters by position, or keys of its only one; None if all."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) or function.args.kwonlyargs:
        return None
    body = function.body if isinstance(function.body, list) else [function.body]
    given = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    given = given[1:] if given[:1] in (["self"], ["cls"]) else given
    if function.args.vararg is not None and not given:
        # `lambda *x: x[0]`
        given = [function.args.vararg.arg]
    elif function.args.vararg is not None or not given:
        return None
    if len(given) > 1:
        read = names(*body)
        return frozenset(position for position, name in enumerate(given) if name in read)
    keys = {id(node.value): node.slice for part in body for node in walk(part) if isinstance(node, ast.Subscript)}
    uses = [node for part in body for node in walk(part) if isinstance(node, ast.Name) and node.id == given[0]]
    found = [key.value for use in uses if isinstance(key := keys.get(id(use)), ast.Constant)]
    return frozenset(found) if len(found) == len(uses) else None


def is_positional(call: ast.AST | None, node: ast.AST) -> bool:
    """Is it an argument that a call is given without a name?"""
    return isinstance(call, ast.Call) and any(node is part for part in call.args)


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


def is_guarded(tree: ast.Module, node: ast.AST) -> bool:
    """Does it depend on a condition whether some code of a function, or of the module, is reached?"""
    steps = way(tree, node)
    function = next((step for step in steps if isinstance(step, _FUNCTIONS)), tree)
    row = getattr(node, "lineno", 0)
    around = steps[: steps.index(function)] if function in steps else []
    if any(isinstance(step, _CONDITIONAL) and not _asks_for_main(step) for step in around):
        return True
    # What comes before may return: `if not debug: return`.
    leaving = (part for part in walk(function) if isinstance(part, (ast.Return, ast.Raise)))
    return isinstance(function, _FUNCTIONS) and any(part.lineno < row for part in leaving)


def names_around(tree: ast.Module, node: ast.AST) -> list[str]:
    """The names of the functions and classes that some code stands in."""
    return [step.name for step in way(tree, node) if isinstance(step, (*_FUNCTIONS[:2], ast.ClassDef))]


def _asks_for_main(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "__name__" in names(node.test)
