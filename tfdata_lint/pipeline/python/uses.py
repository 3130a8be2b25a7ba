"""What is done with what a name stands for: each mention and its use, and whether a value is read at all."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.project.bindings import COMPREHENSIONS, blocks
from tfdata_lint.pipeline.project.syntax import Syntax
from tfdata_lint.source.trees import children, walk

#: What reads names that are not written.
_OUTLINES = r"(?<![\w.])(?:locals|vars|eval|exec|globals)\("
#: Parts of a statement that have ways of their own.
_BODIES = (ast.stmt, ast.ExceptHandler, ast.match_case)
_HELD = (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.Tuple, ast.List, ast.Dict, ast.Set, *COMPREHENSIONS)


Then: TypeAlias = Literal["read", "gone", "goes on"]


class Use(NamedTuple):
    """One mention of a name."""

    kind: str
    """`read`, `set`, `deleted`, `item`, `item set`, `attribute`, `attribute set`, `called`, `method`, `passed`,
    `iterated`, `compared`, `returned`, `stored`, `dropped`: a statement of its own."""
    what: str
    """The method or attribute, the key if it is written, the parameter by name or by number."""
    node: ast.expr
    by: ast.AST
    """The call, the item, the loop, the statement."""


def mentions(syntax: Syntax, name: str, node: ast.AST) -> list[ast.Name]:
    """All mentions of what a name stands for at a node: those in inner functions too."""
    found = syntax.scopes.binds(name, node)
    if found is None:
        return []
    return syntax.once(_by_scope, name).get(id(found[0]), [])


def _by_scope(syntax: Syntax, name: str) -> dict[int, list[ast.Name]]:
    """The mentions of a name by the `id` of the scope that it belongs to: a file asks for each place that binds it."""
    found: dict[int, list[ast.Name]] = {}
    for part in syntax.once(_names).get(name, ()):
        if (bound := syntax.scopes.binds(name, part)) is not None:
            found.setdefault(id(bound[0]), []).append(part)
    return found


def _loads_and_stores(syntax: Syntax, name: str, scope: int) -> tuple[frozenset[int], frozenset[int], bool]:
    """The mentions that read a name and that bind it, by `id`; and may it be read at any time, by an inner function?"""
    found = syntax.once(_by_scope, name).get(scope, [])
    loads = frozenset(id(part) for part in found if use_of(syntax, part).kind not in ("set", "deleted"))
    is_inner = any(id(syntax.scopes.scope_of(part)) != scope for part in found)
    return loads, frozenset(id(part) for part in found) - loads, is_inner or syntax.once(_reads_unwritten)


def _reads_unwritten(syntax: Syntax) -> bool:
    return re.search(_OUTLINES, syntax.text) is not None


def _names(syntax: Syntax) -> dict[str, list[ast.Name]]:
    """All names of a module, in their order."""
    found: dict[str, list[ast.Name]] = {}
    for node in walk(syntax.tree):
        if isinstance(node, ast.Name):
            found.setdefault(node.id, []).append(node)
    return {name: sorted(nodes, key=lambda node: (node.lineno, node.col_offset)) for name, nodes in found.items()}


def uses(syntax: Syntax, name: str, node: ast.AST) -> list[Use]:
    """What is done with what a name stands for at a node."""
    return [use_of(syntax, part) for part in mentions(syntax, name, node)]


def use_of(syntax: Syntax, node: ast.expr) -> Use:
    """What the code around an expression does with its value."""
    way = syntax.way(node)
    parent, outer = way[-2], way[-3] if len(way) > 2 else way[-2]
    if isinstance(parent, ast.Starred):
        return use_of(syntax, parent)
    kind, what, by = "read", "", parent
    match parent:
        case _ if isinstance(getattr(node, "ctx", None), ast.Del):
            kind = "deleted"
        case _ if isinstance(getattr(node, "ctx", None), ast.Store) and not isinstance(parent, ast.AugAssign):
            kind = "set"
        case ast.Attribute(attr=what):
            is_method = isinstance(outer, ast.Call) and outer.func is parent
            kind = "method" if is_method else "attribute" if isinstance(parent.ctx, ast.Load) else "attribute set"
            by = outer if is_method else parent
        case ast.Subscript(value=value, slice=key) if value is node:
            kind = "item" if isinstance(parent.ctx, ast.Load) else "item set"
            what = str(key.value) if isinstance(key, ast.Constant) else ""
        case ast.Call(func=function, args=given):
            kind = "called" if function is node else "passed"
            what = next((str(number) for number, part in enumerate(given) if part is node), "")
        case ast.keyword(arg=name):
            kind, what, by = "passed", name or "", outer
        case ast.For(iter=walked) | ast.AsyncFor(iter=walked) if walked is node:
            kind = "iterated"
        case ast.comprehension():
            kind = "iterated"
        case ast.Compare():
            kind = "compared"
        case ast.Return() | ast.Lambda() | ast.Yield() | ast.YieldFrom():
            kind = "returned"
        case ast.Expr():
            kind = "dropped"
        case _ if isinstance(parent, _HELD):
            is_walked = any(part.iter is node for part in getattr(parent, "generators", ()))
            kind = "iterated" if is_walked else "stored"
    return Use(kind, what, node, by)


# ── is a value read? ────────────────────────────────────────────────────────────────────────────────────────────────


def is_read(syntax: Syntax, target: ast.Name, loop: ast.For | None = None) -> bool:
    """May what is bound to a name here be read: on some path, before the name is bound again or its scope ends?

    Given the loop that binds it in each pass: behind that.
    """
    scope, bound = syntax.scopes.scope_of(target), syntax.scopes.binds(target.id, target)
    if bound is None or bound[0] is not scope:
        return True
    loads, stores, is_at_any_time = syntax.once(_loads_and_stores, target.id, id(scope))
    if is_at_any_time:
        return True
    if loop is not None:
        loads -= {id(part) for part in walk(loop)}
    way = syntax.way(target) if loads else []
    steps = [step for step in way[way.index(scope) + 1 if way else 0 :] if isinstance(step, ast.stmt)]
    for inner, step in zip([None, *steps[:0:-1]], reversed(steps), strict=False):
        block = syntax.block(step)
        then = _around(step, inner, loads, stores)
        if then == "goes on" and block is not None:
            then = _through(block.statements[block.index + 1 :], loads, stores)
        if then != "goes on":
            return then == "read"
    return False


def _around(step: ast.stmt, inner: ast.stmt | None, loads: frozenset[int], stores: frozenset[int]) -> Then:
    """What comes of a value in the statement that binds it, be it itself or in a statement of its own, behind that."""
    if isinstance(step, (ast.For, ast.AsyncFor)) and _holds(step.target, stores):
        # Each pass begins with another value.
        return _through(step.body, loads, stores) if inner is None else "goes on"
    if isinstance(step, (ast.While, ast.For, ast.AsyncFor)):
        return "read" if _holds(step, loads) else "goes on"
    if isinstance(step, ast.Try) or (inner is None and isinstance(step, ast.With)):
        return "read" if any(_holds(part, loads) for part in children(step) if part is not inner) else "goes on"
    return "goes on"


def _through(body: Sequence[ast.stmt], loads: frozenset[int], stores: frozenset[int]) -> Then:
    return next((then for step in body if (then := _in(step, loads, stores)) != "goes on"), "goes on")


@recursive
def _in(step: ast.stmt, loads: frozenset[int], stores: frozenset[int]) -> Then:
    """What comes first of a value in a statement, on all ways through it: read on some, gone on all of them."""
    if isinstance(step, (ast.Break, ast.Continue)):
        # Where that leads, it may be read.
        return "read"
    inside = list(blocks(step))
    if any(_holds(part, loads) for part in children(step) if not isinstance(part, _BODIES) or not inside):
        return "read"
    if not inside:
        return "gone" if isinstance(step, (ast.Return, ast.Raise)) or _holds(step, stores) else "goes on"
    if isinstance(step, (ast.For, ast.AsyncFor)) and _holds(step.target, stores):
        inside = [step.orelse]
    found = [_through(body, loads, stores) for body in inside]
    if "read" in found:
        return "read"
    return "gone" if isinstance(step, (ast.If, ast.With)) and set(found) == {"gone"} else "goes on"


def _holds(node: ast.AST, wanted: frozenset[int]) -> bool:
    return any(id(part) in wanted for part in walk(node))
