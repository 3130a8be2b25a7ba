"""Questions about a loop, of which rules hold no more than its node."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tfdata_lint.pipeline.nouns.code import last_name, way
from tfdata_lint.source.trees import children, walk

#: Under these a piece of code need not run in every pass.
GUARDS = (ast.If, ast.IfExp, ast.BoolOp, ast.ExceptHandler, ast.Match,
           ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)  # fmt: skip
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
#: Calls that may end a loop, with the program or with an exception.
_LEAVING = frozenset({"exit", "_exit", "quit", "next", "get_next", "send", "throw"})
#: These take the next of what they are given when somebody takes the next of them.
LAZY = ("enumerate", "filter", "iter", "map", "reversed", "zip")
#: A loop over one of these ends with the shortest of its arguments.
_SHORTEST = (*LAZY, "tqdm")
#: These end with their other arguments.
_ENDING = frozenset({"islice", "takewhile", "zip", "zip_longest"})


def names_columns(node: ast.AST) -> bool:
    """Does a comprehension make a dict, or call nothing, as it does for names of columns: `[f"C{i}" for i in …]`?"""
    element = getattr(node, "elt", None)
    calls = [part for part in walk(element) if isinstance(part, ast.Call)] if element is not None else []
    return isinstance(node, ast.DictComp) or (element is not None and all(last_name(call) == "str" for call in calls))


def scope_of(tree: ast.Module, node: ast.AST) -> ast.AST:
    """The function or class that some code stands in, or the module."""
    return next((step for step in way(tree, node)[1:] if isinstance(step, _FUNCTIONS)), tree)


def passes(loop: ast.AST, ranges: Mapping[int, int] | None = None) -> int | None:
    """How often it runs at most, where it says so: `for _ in range(3)`. `ranges` are known by the `id` of the call."""
    match loop:
        case ast.For(iter=ast.Call(args=arguments) as call) if ranges:
            parts = (call, *arguments) if last_name(call) in _SHORTEST else (call,)
            if known := [ranges[id(part)] for part in parts if id(part) in ranges]:
                return known[0]
    match loop:
        case ast.For(iter=ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(count))])):
            return count
        case ast.For(iter=ast.List(elts=items) | ast.Tuple(elts=items)):
            return len(items)
    return None


def counter(loop: ast.AST) -> str:
    """The name that counts its passes, if it has one."""
    match loop:
        case ast.For(target=ast.Name(id=name), iter=over) if _counts(over):
            return name
        case ast.For(target=ast.Tuple(elts=[ast.Name(id=name), *_]), iter=ast.Call(func=ast.Name(id="enumerate"))):
            return name
        case ast.For(body=body) | ast.While(body=body):
            counters = [name for statement in body if (name := _incremented(statement))]
            return counters[0] if len(counters) == 1 else ""
    return ""


def _counts(over: ast.expr) -> bool:
    """Does it count: `range(n)`, `trange(n)`, or what shows the progress of either?"""
    match over:
        case ast.Call(func=ast.Name(id="range")):
            return True
        case ast.Call(args=[first, *_]):
            return last_name(over) == "trange" or (last_name(over) == "tqdm" and _counts(first))
    return False


def _incremented(statement: ast.stmt) -> str:
    """`step` of `step += 1`."""
    match statement:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.Constant(value=1)):
            return name
    return ""


def walked(node: ast.AST) -> ast.AST:
    """What a loop walks, a comprehension first of all; another piece of code itself."""
    match node:
        case ast.For(iter=iterable) | ast.AsyncFor(iter=iterable):
            return iterable
        case (
            ast.ListComp(generators=[first, *_])
            | ast.SetComp(generators=[first, *_])
            | ast.GeneratorExp(generators=[first, *_])
            | ast.DictComp(generators=[first, *_])
        ):
            return first.iter
    return node


def reached_by(top: ast.AST, context: type[ast.expr_context]) -> set[str]:
    """Names and attributes as written: `ds`, `self.ds`."""
    parts = (node for node in walk(top) if isinstance(node, (ast.Name, ast.Attribute)))
    return {ast.unparse(node) for node in parts if isinstance(node.ctx, context)}


def yields_forever(function: ast.AST) -> bool:
    """Is it a generator with a `while True` that nothing leaves?"""
    if not isinstance(function, ast.FunctionDef):
        return False
    statements = [*function.body]
    for statement in statements:
        if isinstance(statement, ast.With):
            statements += statement.body
        match statement:
            case ast.Expr(value=ast.YieldFrom(value=iterable)) if _counts_on(iterable):
                return True
            case ast.While(test=ast.Constant(value=forever)) as loop if forever and _yields_in(loop):
                return True
            case ast.For(iter=iterable) as loop if _counts_on(iterable) and _yields_in(loop):
                return True
    return False


def _yields_in(loop: ast.For | ast.While) -> bool:
    """Does a loop yield, and does nothing leave it?"""
    yields = any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in walk(loop))
    return yields and _stays_in(loop, may_yield=True)


def _counts_on(iterable: ast.expr) -> bool:
    """`itertools.count()`, `itertools.cycle(rows)`"""
    match iterable:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="itertools"), attr="count" | "cycle")):
            return True
        case ast.Call(func=ast.Name(id="cycle")):
            return True
    return False


def reaches_the_end(loop: ast.AST, may_yield: bool = False) -> bool:
    """Does nothing in a `for` loop end it: no statement that leaves, no companion that runs out?"""
    return isinstance(loop, ast.For) and walks_all_of(loop.iter) and _stays_in(loop, may_yield)


def _stays_in(loop: ast.For | ast.While, may_yield: bool) -> bool:
    """Does no statement leave a loop?"""
    todo: list[tuple[ast.AST, bool]] = [(node, True) for node in loop.body]
    while todo:
        node, own = todo.pop()
        match node:
            case ast.Yield() | ast.YieldFrom() if may_yield:
                pass
            case ast.Return() | ast.Raise() | ast.Yield() | ast.YieldFrom() | ast.Await() | ast.Assert():
                return False
            case ast.Break() if own:
                return False
            case ast.Call() if last_name(node) in _LEAVING:
                return False
        if not isinstance(node, _FUNCTIONS):
            inside = own and not isinstance(node, _LOOPS)
            todo.extend((child, inside) for child in children(node))
    return True


def walks_all_of(node: ast.expr) -> bool:
    """`ds`, or what a function gives, also under `enumerate` or a progress bar; `zip` and `islice` may end before."""
    match node:
        case ast.Name() | ast.Attribute():
            return True
        case ast.Call(func=ast.Name(id="enumerate" | "iter" | "tqdm") | ast.Attribute(attr="tqdm"), args=[inner, *_]):
            return walks_all_of(inner)
        case ast.Call(func=ast.Attribute(value=inner)):
            return not isinstance(inner, ast.Name) or inner.id != "itertools"
        case ast.Call(func=ast.Name(id=name)):
            return name not in _ENDING
    return False


def ends_early(loop: ast.For | ast.While) -> bool:
    """`break` in every pass: a look at one element."""
    return any(isinstance(statement, (ast.Break, ast.Return)) for statement in loop.body)
