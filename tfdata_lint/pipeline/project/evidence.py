"""Which names hold a dataset whose origin is not seen: something is done to them that is done to nothing else.

Only syntax is read. What a name is known by, the names are known by that it is made from, and those that are handed to
a function of the module as such a parameter.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from tfdata_lint.pipeline.knowledge import operations, telling
from tfdata_lint.pipeline.nouns.code import any_between, last_name
from tfdata_lint.pipeline.project.bindings import FUNCTIONS, blocks, bound_by, bound_in
from tfdata_lint.pipeline.project.index import FunctionNode, Index, has_evidence, rows_of
from tfdata_lint.pipeline.project.scopes import dotted
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import children, walk

#: The names that are known by this, everywhere in a function; in a module those of one row, as names are used again.
Evidence: TypeAlias = frozenset[str | tuple[str, int]]

NONE: Evidence = frozenset()
#: Functions by name, with their parameters that are known, by place.
Helpers: TypeAlias = dict[str, dict[int, str]]
#: Other libraries whose chains take these.
_OTHERS = frozenset({"grain", "torch", "torchdata", "apache_beam", "datasets", "mindspore"})
#: How many local functions evidence passes through.
_HELPERS = 3


def is_evidence(node: ast.Call, index: Index) -> bool:
    """Does it call, on what stands before the dot, what only a `tf.data.Dataset` has or takes?"""
    if not isinstance(node.func, ast.Attribute):
        return False
    method = node.func.attr
    if method in telling.EVIDENCE_METHODS:
        return True
    if method == "prefetch":
        return any(last_name(argument) == "AUTOTUNE" for argument in (*node.args, *_values(node)))
    if method == "with_options":
        # Clients of web services have one, too, which takes others.
        return index.work.makes_options
    given = {(method, keyword.arg) for keyword in node.keywords}
    if not given.isdisjoint(telling.EVIDENCE_KEYWORDS):
        return True
    return not given.isdisjoint(telling.LIKELY_KEYWORDS) and not speaks_of_others(index)


def speaks_of_others(index: Index) -> bool:
    """Is there another library in a module whose chains look like those of datasets?"""
    return not _OTHERS.isdisjoint({symbol.name.partition(".")[0] for symbol in index.imports.values()})


def _values(node: ast.Call) -> Iterator[ast.expr]:
    return (keyword.value for keyword in node.keywords)


def of_function(source: Source, index: Index, node: FunctionNode | ast.Lambda, depth: int = _HELPERS) -> Evidence:
    """The names of a function that are known, its parameters among them."""
    if not index.tensorflow or isinstance(node, ast.Lambda) or depth <= 0:
        return NONE
    first, last = node.lineno, node.end_lineno or node.lineno
    names: set[str] = set()
    helpers: Helpers = {}
    if has_evidence(index, first, last):
        names |= {name for name, _ in _known_in(index, node.body)}
        helpers |= _helpers(source, index, _functions_in(node.body), depth)
    if node.returns is not None and _is_dataset_class(node.returns, index):
        names |= set(_returned(node))
    helpers = {**_helpers_of_module(source, index, first, last), **helpers}
    if helpers:
        names |= set(_handed_in(node, helpers))
    return frozenset(names | _origins(node, names) if names else names)


def _is_dataset_class(annotation: ast.expr, index: Index) -> bool:
    root, path = dotted(annotation)
    return root in index.imports and operations.is_dataset_class(f"{index.imports[root].name}{path}")


def _returned(node: FunctionNode) -> Iterator[str]:
    """The variables that a function returns, if they are bound once, but for what is made of them."""
    made: dict[str, list[str]] = {}
    for target, origin in _made_in(node.body):
        made.setdefault(target.id, []).append(origin)
    bound = Counter(name for name, _ in bound_in(node))
    todo = list(node.body)
    while todo:
        statement = todo.pop()
        if isinstance(statement, ast.Return) and statement.value is not None:
            root = _chain_root(statement.value)
            if root is not None and bound[root] - made.get(root, []).count(root) == 1:
                yield root
        for block in blocks(statement):
            todo.extend(block)


def of_module(source: Source, index: Index) -> Evidence:
    """The names of a module that are known, with the rows where they are bound."""
    if not index.tensorflow or not index.work.evident or source.tree is None:
        return NONE
    if Evidence not in source.notes:
        source.notes[Evidence] = _rows_in(index, source.tree.body)
    found: Evidence = source.notes[Evidence]
    return found


def _rows_in(index: Index, body: list[ast.stmt]) -> Evidence:
    found: set[tuple[str, int]] = set()
    known = sorted(_known_in(index, body, inside=False), key=lambda item: -item[1])
    if not known:
        return NONE
    bound = [(name, node) for name, node in bound_by(body) if isinstance(node, ast.Name)]
    made = {id(target): root for target, root in _made_in(body)}
    todo = list(known)
    while todo:
        name, row = todo.pop()
        before = [node for other, node in bound if other == name and node.lineno <= row and made.get(id(node)) != name]
        # The last that binds it anew counts; on its own row it is what is bound there that is meant.
        origin = max(before, key=lambda node: node.lineno, default=None)
        if origin is None or (name, origin.lineno) in found:
            continue
        found.add((name, origin.lineno))
        if (root := made.get(id(origin))) is not None:
            todo.append((root, origin.lineno))
    return frozenset(found)


def _known_in(index: Index, body: list[ast.stmt], *, inside: bool = True) -> Iterator[tuple[str, int]]:
    """The variables on which it is called, and the rows; functions in it count where `inside`."""
    todo: list[ast.AST] = list(body)
    while todo:
        part = todo.pop()
        if isinstance(part, ast.stmt):
            if not has_evidence(index, part.lineno, part.end_lineno or part.lineno):
                continue
            if not inside and isinstance(part, (*FUNCTIONS, ast.ClassDef)):
                continue
        if isinstance(part, ast.Call) and is_evidence(part, index):
            root = _chain_root(part)
            if root is not None:
                yield root, part.lineno
        todo.extend(children(part))


def _chain_root(node: ast.expr) -> str | None:
    """The variable at the start of a chain of dataset methods."""
    expression = node
    while isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
        if expression.func.attr not in operations.METHODS:
            return None
        expression = expression.func.value
    return _variable(expression)


def _variable(node: ast.expr) -> str | None:
    """A name, or an attribute of `self`."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return f"self.{name}"
    return None


def _made_in(body: list[ast.stmt]) -> Iterator[tuple[ast.Name, str]]:
    """Each variable that is assigned a chain of dataset methods, and the one at its start."""
    todo = list(body)
    while todo:
        statement = todo.pop()
        match statement:
            case ast.Assign(targets=[ast.Name() as target], value=ast.Call() as value):
                if (root := _chain_root(value)) is not None:
                    yield target, root
        for block in blocks(statement):
            todo.extend(block)


def _origins(node: FunctionNode, names: set[str]) -> set[str]:
    """The variables that these are made from, where they are made from nothing else."""
    made: dict[str, list[str]] = {}
    for target, root in _made_in(node.body):
        made.setdefault(target.id, []).append(root)
    if names.isdisjoint(made):
        return set()
    bound = Counter(name for name, _ in bound_in(node))
    found: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        roots = made.get(name, [])
        if len(roots) == bound[name]:
            new = set(roots) - found - names
            found |= new
            todo.extend(new)
    return found


def _helpers_of_module(source: Source, index: Index, first: int, last: int) -> Helpers:
    """Those functions of a module that are named between two rows."""
    if Helpers not in source.notes:
        # Those that call each other find none while they are looked for.
        source.notes[Helpers] = {}, {}
        functions = (node for node, name, _ in index.definitions.functions if "." not in name)
        found = _helpers(source, index, functions, _HELPERS)
        source.notes[Helpers] = found, {name: rows_of(source.text, [name]) for name in found}
    helpers, named = source.notes[Helpers]
    return {name: places for name, places in helpers.items() if any_between(named[name], first, last)}


def _helpers(source: Source, index: Index, functions: Iterable[FunctionNode], depth: int) -> Helpers:
    """The functions some parameters of which are known."""
    found: Helpers = {}
    for node in functions:
        if has_evidence(index, node.lineno, node.end_lineno or node.lineno):
            known = of_function(source, index, node, depth - 1)
            places = {at: given.arg for at, given in enumerate(node.args.args) if given.arg in known}
            if places:
                found[node.name] = places
    return found


def _functions_in(body: list[ast.stmt]) -> Iterator[FunctionNode]:
    todo = list(body)
    while todo:
        statement = todo.pop()
        if isinstance(statement, FUNCTIONS):
            yield statement
        for block in blocks(statement):
            todo.extend(block)


def _handed_in(node: FunctionNode, helpers: Helpers) -> Iterator[str]:
    """The variables that are given to functions as parameters that are known."""
    for call in walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in helpers:
            places = helpers[call.func.id]
            given = [call.args[at] for at in places if at < len(call.args)]
            given += [keyword.value for keyword in call.keywords if keyword.arg in places.values()]
            yield from (argument.id for argument in given if isinstance(argument, ast.Name))
