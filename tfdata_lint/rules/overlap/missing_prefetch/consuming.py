"""Who takes the elements: a loop that does nothing with them, a function that nobody else calls."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.nouns.code import calls_of, last_name, names, way
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import scope_of
from tfdata_lint.source.trees import children, walk

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
#: Calls that put what they are given away, and calls that give what they are given.
_KEEPING = frozenset({"append", "extend", "add", "put", "update", "print"})
_ARRAYS = frozenset({"argmax", "array", "asarray", "float", "str", "squeeze", "reshape", "item"})
_PICKING = frozenset({"numpy", "len", "int", "list", "tuple", "dict", "items", "values", "decode", "to_list", "tolist"})


def is_private(graph: PipelineGraph, definition: str) -> bool:
    """Does a function of this module belong to it alone: by its name, or as part of another function?

    Nobody else can then be expected to call it. With a decorator, or in a class with bases, somebody may.
    """
    return definition in graph.once(_private)


def _private(graph: PipelineGraph) -> set[str]:
    found: set[str] = set()
    todo: list[tuple[ast.AST, str]] = [(graph.tree, "")]
    while todo:
        scope, path = todo.pop()
        is_own = not (isinstance(scope, ast.ClassDef) and scope.bases)
        for name, node in _defined_in(scope).items():
            is_hidden = name.startswith("_") and not name.endswith("__")
            if isinstance(scope, _FUNCTIONS) or (is_own and is_hidden):
                if isinstance(node, ast.FunctionDef) and not node.decorator_list:
                    found.add(path + name)
            todo.append((node, f"{path}{name}."))
    return found


def _defined_in(scope: ast.AST) -> dict[str, ast.AST]:
    """The functions and classes defined in a scope, its branches included; of one name the first that is found."""
    found: dict[str, ast.AST] = {}
    todo = list(children(scope))
    while todo:
        node = todo.pop()
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            found.setdefault(node.name, node)
        elif isinstance(node, (ast.stmt, ast.ExceptHandler)):
            todo.extend(children(node))
    return found


def works(comprehension: ast.AST) -> bool:
    """Does a comprehension call more for each element than what takes it apart?"""
    element = getattr(comprehension, "elt", None)
    calls = (node for node in walk(element) if isinstance(node, ast.Call)) if element is not None else ()
    return any(last_name(call) not in _PICKING | _ARRAYS for call in calls)


def only_keeps(loop: ast.AST) -> bool:
    """Does it only count what it is given, or put it into a container?"""
    return isinstance(loop, (ast.For, ast.AsyncFor)) and all(map(_keeps, loop.body))


def _keeps(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()) | ast.AugAssign(value=ast.Constant()):
            return True
        case ast.AugAssign(value=ast.Call(func=ast.Name(id="len"), args=[value])) | ast.Assign(value=value):
            return _only_picks(value)
        case ast.Expr(value=ast.Call() as call):
            return last_name(call) in _KEEPING and all(map(_only_picks, call.args))
    return False


def _only_picks(value: ast.expr) -> bool:
    """Names, items and attributes, as they are or as arrays."""
    return not any(
        isinstance(part, (ast.BinOp, ast.Await)) or (isinstance(part, ast.Call) and last_name(part) not in _PICKING)
        for part in walk(value)
    )


def fetches_at_leisure(graph: PipelineGraph, tree: ast.Module, maker: ast.AST) -> bool:
    """Does the code around the maker of an iterator of TensorFlow 1 fetch its elements outside of loops, or only to
    keep them?

    Not if that is not seen: who made it returns it, say, or no session runs there.
    """
    if any(isinstance(step, (ast.Return, ast.Yield)) for step in way(tree, maker)):
        return False
    return graph.once(_fetches_at_leisure, scope_of(tree, maker))


def _fetches_at_leisure(graph: PipelineGraph, scope: ast.AST) -> bool:
    runs = [call for name in ("run", "eval") for call in calls_of(scope, name) if "init" not in ast.unparse(call)]
    assignments = (node for node in walk(scope) if isinstance(node, ast.Assign))
    fetched = {name for node in assignments if last_name(node.value) == "get_next" for name in names(*node.targets)}
    return bool(runs) and all(_is_at_leisure(call, fetched, way(scope, call)) for call in runs)


def _is_at_leisure(run: ast.Call, fetched: set[str], steps: list[ast.AST]) -> bool:
    if not any(isinstance(step, (ast.For, ast.AsyncFor, ast.While, ast.ListComp)) for step in steps):
        return True
    return last_name(steps[1]) in _KEEPING and bool(run.args) and names(*run.args) <= fetched
