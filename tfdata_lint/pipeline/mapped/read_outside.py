"""What a function, or an argument, is made of that comes from outside of it, and what may set that anew."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tfdata_lint.pipeline.nouns.code import holds, last_name
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.bindings import imported
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import walk

_PARTS = (ast.Attribute, ast.Name, ast.Subscript)


def set_elsewhere(graph: PipelineGraph, stage: Stage, argument: str = "") -> str:
    """A constant of a module that an argument, or else the function, of a stage is made of, and that the program sets.

    Of what is set in this file all is known but what belongs to other modules, and what a function sees that is called
    once more.
    """
    tree, given = graph.source.tree, stage.arguments.get(argument)
    words = read_outside(graph, stage) if not argument else set[str]()
    if given is not None and given.node is not None:
        words.update(_words(given.node))
    if tree is None or not words:
        return ""
    read, words, own = min(words), _made_of(words, tree), graph.source
    modules = {module.path: module for module in (own, *_modules(graph, own).values())}
    setting = {other.path: other for module in modules.values() for other in (module, *graph.importers(module))}
    is_again = _is_made_again(tree, stage)
    is_set = any((other is not own or is_again) and _set_in(other, words) for other in setting.values()) or (
        _sets_of_others(graph, own, words) or (is_again and _is_bound_again(tree, words))
    )
    return read if is_set else ""


def read_outside(graph: PipelineGraph, stage: Stage) -> set[str]:
    """The last names and keys of what the function of a stage reads beside its elements and libraries."""
    function, given = stage.function, stage.arguments.get("map_func")
    codes: list[ast.AST | None] = [given.node] if given is not None else []
    codes += [function.node, *function.functions] if function is not None else []
    libraries = _imports(graph.source).keys() - _modules(graph, graph.source).keys()
    found = set[str]()
    for code in codes:
        if code is not None:
            own = {part.arg for part in walk(code) if isinstance(part, ast.arg) and part.arg != "self"}
            own |= {part.id for part in walk(code) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
            found.update(_words(code, own | libraries))
    return found


def _words(code: ast.AST, own: Iterable[str] = ()) -> Iterator[str]:
    called = {id(part.func) for part in walk(code) if isinstance(part, ast.Call)}
    for part in walk(code):
        if isinstance(part, _PARTS) and id(part) not in called and _root(part) not in own and (word := _word(part)):
            yield word


def _root(node: ast.AST) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _word(node: ast.AST) -> str:
    match node:
        case ast.Attribute(attr=word) | ast.Name(id=word) | ast.Subscript(slice=ast.Constant(value=str(word))):
            return word
    return ""


def _made_of(words: set[str], tree: ast.Module) -> set[str]:
    """These, and what they are made of in a module: `self.mean = settings.MEAN`, `partial(centre, mean=MEAN)`."""
    made: list[tuple[set[str], set[str]]] = []
    calls = [part for part in walk(tree) if isinstance(part, ast.Call)]
    owners = {id(row): part.name for part in walk(tree) if isinstance(part, ast.ClassDef) for row in part.body}
    for part in walk(tree):
        match part:
            case ast.Assign(targets=targets, value=value):
                made.append(({_word(one) for target in targets for one in walk(target)}, {*_words(value)}))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                made.append(({_word(target)}, {*_words(value)}))
            case ast.keyword(arg=str(name), value=value):
                made.append(({name}, {*_words(value)}))
            case ast.FunctionDef(name=name, args=parameters):
                names = {name, owners.get(id(part), name)}
                values = [value for call in calls if last_name(call) in names for value in call.args]
                given = [value for value in (*values, *parameters.defaults, *parameters.kw_defaults) if value]
                made.append(({one.arg for one in walk(parameters) if isinstance(one, ast.arg)}, _of_all(given)))
    size = 0
    while len(words) > size:
        size = len(words)
        words = words.union(*(of for names, of in made if not words.isdisjoint(names)))
    return words


def _of_all(values: Iterable[ast.expr]) -> set[str]:
    return {word for value in values for word in _words(value)}


def _is_made_again(tree: ast.Module, stage: Stage) -> bool:
    """Is a function called in several places that a stage stands in, or that calls that one?"""
    functions = [part for part in walk(tree) if isinstance(part, ast.FunctionDef)]
    calls = [part for part in walk(tree) if isinstance(part, ast.Call)]
    names = {function.name for function in functions if stage.node is not None and holds(function, stage.node)}
    size = 0
    while len(names) > size:
        size = len(names)
        reached = [call for call in calls if last_name(call) in names]
        names |= {function.name for function in functions for call in reached if holds(function, call)}
    return any([last_name(call) for call in calls].count(name) > 1 for name in names)


def _is_bound_again(tree: ast.Module, words: set[str]) -> bool:
    """Has a module one of these names for several values?"""
    parts = [part for row in tree.body if not isinstance(row, (ast.FunctionDef, ast.ClassDef)) for part in walk(row)]
    bound = [part.id for part in parts if isinstance(part, ast.Name) and _is_stored(part)]
    return any(bound.count(word) > 1 for word in words)


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _sets_of_others(graph: PipelineGraph, source: Source, words: set[str]) -> bool:
    """Does a file set something of what it imports?"""
    names = _modules(graph, source).keys()
    for part in _walk(source):
        match part:
            case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()) if _root(part) in names:
                if _word(part) in words:
                    return True
            case ast.Call(func=ast.Name(id="setattr"), args=[of, *_]) if _root(of) in names:
                return True
    return False


def _walk(source: Source) -> Iterable[ast.AST]:
    return walk(source.tree) if source.tree is not None else ()


def _imports(source: Source) -> dict[str, str]:
    """The names that a file imports, with what they stand for."""
    nodes = (node for node in _walk(source) if isinstance(node, (ast.Import, ast.ImportFrom)))
    return {name: symbol.name for node in nodes for name, symbol in imported(node)}


def _modules(graph: PipelineGraph, source: Source) -> dict[str, Source]:
    """Those of them that are modules of the project, or come from one."""
    named = _imports(source).items()
    places = (
        (name, [graph.locate(full, source)[0] for full in (symbol, f"{symbol}.{name}")]) for name, symbol in named
    )
    return {name: module for name, found in places for module in found if module is not None}


def _set_in(source: Source, words: set[str]) -> bool:
    """Does a file set one of these where it is not first made, or something by a name that is not written?"""
    if source.tree is None:
        return False
    shared = {name for part in walk(source.tree) if isinstance(part, ast.Global) for name in part.names}
    makers = [part for part in walk(source.tree) if isinstance(part, ast.FunctionDef) and part.name == "__init__"]
    first = {id(part) for maker in makers for part in walk(maker)}
    rows = [row for row in source.tree.body if isinstance(row, (ast.Assign, ast.AnnAssign))]
    top = {part.id for row in rows for part in walk(row) if isinstance(part, ast.Name) and _is_stored(part)}
    named = top | _imports(source).keys()
    for part in walk(source.tree):
        match part:
            case ast.Name(ctx=ast.Store(), id=name) if name in shared & words:
                return True
            case ast.Attribute(ctx=ast.Store(), attr=name) if name in words and id(part) not in first:
                return True
            case ast.Subscript(ctx=ast.Store(), slice=key) if _root(part) in named:
                if _word(part) in words or not isinstance(key, ast.Constant):
                    return True
            case ast.Call(func=ast.Name(id="setattr" | "vars"), args=[of, *name]) if _root(of) != "self":
                if not name or not isinstance(name[0], ast.Constant) or name[0].value in words:
                    return True
            case ast.Attribute(attr="__dict__", value=of) if _root(of) in named:
                return True
            case ast.Call(func=ast.Attribute(attr="update", value=of)) if _root(of) in named and _word(of) in words:
                return True
    return False
