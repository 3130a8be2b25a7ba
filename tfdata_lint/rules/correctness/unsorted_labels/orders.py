"""In which order lists are that are made from the files of a folder."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Literal

from tfdata_lint.pipeline.nouns.code import calls_of, last_name, names, receiver, way
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import scope_of
from tfdata_lint.pipeline.project.syntax import bound_value, syntax_of
from tfdata_lint.rules.correctness.models import assigned
from tfdata_lint.source.trees import walk

_LISTING = frozenset({"os.listdir", "os.scandir", "os.walk", "glob.glob", "glob.iglob"})
_OF_PATHS = ("iterdir", "rglob", "glob")
#: These hand on an order.
_KEEPING = (
    "array", "asarray", "concatenate", "constant", "convert_to_tensor", "enumerate", "hstack", "list", "map",
    "to_categorical", "tqdm", "tuple",
)  # fmt: skip
_METHODS = ("astype", "flatten", "ravel", "tolist")
_APPENDING = ("append", "extend")
_DEEPEST = 8

#: Empty where it is not known, or does not come from a folder.
Order = Literal["", "sorted", "listed"]


class Orders:
    """The orders of the lists of one module."""

    def __init__(self, graph: PipelineGraph, tree: ast.Module) -> None:
        self.syntax = syntax_of(graph.source)
        self.scopes = self.syntax.scopes
        self.graph, self.tree = graph, tree

    def of(self, node: ast.expr, depth: int = 0) -> Order:
        if depth > _DEEPEST:
            return ""
        match node:
            case ast.Call(func=ast.Name(id="sorted"), args=[inner, *_]):
                return "sorted" if self.of(inner, depth + 1) else ""
            case ast.Call() if self._lists(node):
                return "listed"
            case ast.Call(args=[*_, inner]) if last_name(node) in _KEEPING:
                return self.of(inner if last_name(node) == "map" else node.args[0], depth + 1)
            case ast.ListComp(elt=made, generators=generators) | ast.GeneratorExp(elt=made, generators=generators):
                return self._together([(part.target, part.iter) for part in generators], made, node, depth)
            case ast.Call(func=ast.Attribute(value=inner, attr=method)) if method in _METHODS:
                return self.of(inner, depth + 1)
            case ast.Subscript(value=ast.Call(func=ast.Name(id="next"), args=[inner])):
                # `next(os.walk(folder))[2]`
                return self.of(inner, depth + 1)
            case ast.Name(id=name):
                return self._named(node, name, depth)
            case ast.Call() | ast.Attribute() if (behind := self._behind(node)) is not None:
                scope = scope_of(self.tree, behind)
                return self._made(scope, ast.unparse(node), behind, depth)
        return ""

    def listing(self, node: ast.expr) -> ast.Call | None:
        """The call that lists the files that a list is made of, as it gives them."""
        found: ast.expr | None = node if self.of(node) == "listed" else None
        for _ in range(_DEEPEST):
            match found:
                case ast.Call() if self._lists(found):
                    return found
                case ast.Name():
                    values = assigned(self.graph, scope_of(self.tree, found), found.id)
                    found = values[0] if len(values) == 1 else None
                case ast.ListComp(generators=[part]):
                    found = part.iter
                case ast.Call() | ast.Attribute():
                    found = self._behind(found)
                case _:
                    return None
        return None

    def _behind(self, node: ast.expr) -> ast.expr | None:
        """What a function of this module returns, in one place; what an attribute is set to, in one place."""
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self"), attr=name)):
                functions = [
                    part for part in walk(self.tree) if isinstance(part, ast.FunctionDef) and part.name == name
                ]
                returns = [part for function in functions for part in walk(function) if isinstance(part, ast.Return)]
                return returns[0].value if len(functions) == len(returns) == 1 else None
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                stores = self.syntax.stores(name)
                return bound_value(self.syntax.way(stores[0])) if len(stores) == 1 else None
        return None

    def _lists(self, call: ast.Call) -> bool:
        full = self.scopes.full_name(call.func)
        return full in _LISTING or (not full and isinstance(call.func, ast.Attribute) and call.func.attr in _OF_PATHS)

    def _named(self, node: ast.Name, name: str, depth: int) -> Order:
        scope = scope_of(self.tree, node)
        values = assigned(self.graph, scope, name)
        if not values and scope is not self.tree:
            scope, values = self.tree, assigned(self.graph, self.tree, name)
        return self._made(scope, name, values[0], depth) if len(values) == 1 else ""

    def _made(self, scope: ast.AST, name: str, value: ast.expr, depth: int) -> Order:
        """Of what a name is assigned, or of what is appended to it where that is an empty list."""
        if any(receiver(call) == name for call in calls_of(scope, "sort")):
            return ""
        if not isinstance(value, ast.List) or value.elts:
            return self.of(value, depth + 1)
        match [call for method in _APPENDING for call in calls_of(scope, method) if receiver(call) == name]:
            case [ast.Call(args=[made]) as call]:
                loops = [step for step in way(self.tree, call) if isinstance(step, ast.For)]
                parts = [(loop.target, loop.iter) for loop in reversed(loops)]
                return self._together(parts, made, loops[-1], depth) if loops else ""
        return ""

    def _together(self, loops: Sequence[tuple[ast.expr, ast.expr]], made: ast.expr, code: ast.AST, depth: int) -> Order:
        """Of loops inside of one another, outermost first: that of those on which it depends what is made."""
        matters = names(made)
        for statement in walk(code):
            if isinstance(statement, ast.Assign) and matters & names(*statement.targets):
                matters |= names(statement.value)
        orders: list[Order] = []
        for target, walked in reversed(loops):
            if matters & names(target):
                matters |= names(walked)
                orders.append(self.of(walked, depth + 1))
        known: set[Order] = {order for order in orders if order}
        is_sorted_inside = any(True for name in ("sort", "sorted") for _ in calls_of(code, name))
        if known == {"listed"} and is_sorted_inside:
            return ""
        return known.pop() if len(known) == 1 else ""
