"""What a function, or an argument, is made of that comes from outside of it, and what may set that anew."""

from __future__ import annotations

import ast
from collections import Counter
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
    own, is_again = graph.source, _is_made_again(tree, stage)
    modules = {module.path: module for module in (own, *graph.once(_modules, own).values())}
    setting = {other.path: other for module in modules.values() for other in (module, *graph.importers(module))}
    found = set().union(*(graph.once(_sets, other) for other in setting.values() if other is not own or is_again))
    found |= graph.once(_sets_of_others) | (graph.once(_bound_again) if is_again else set())
    return min(words) if None in found or not found.isdisjoint(_made_of(graph, words)) else ""


def read_outside(graph: PipelineGraph, stage: Stage) -> set[str]:
    """The last names and keys of what the function of a stage reads beside its elements and libraries."""
    function, given = stage.function, stage.arguments.get("map_func")
    codes: list[ast.AST | None] = [given.node] if given is not None else []
    codes += [function.node, *function.functions] if function is not None else []
    libraries = _imports(graph.source).keys() - graph.once(_modules, graph.source).keys()
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


def _made_of(graph: PipelineGraph, words: set[str]) -> set[str]:
    """These names, and those that they are made of in the module: `self.mean = settings.MEAN`."""
    made, size = graph.once(_makers), 0
    while len(words) > size:
        size = len(words)
        words = words.union(*(of for names, of in made if not words.isdisjoint(names)))
    return words


def _makers(graph: PipelineGraph) -> list[tuple[set[str], set[str]]]:
    """The names that a module gives values to, also as an argument, with the words that each value is made of."""
    made: list[tuple[set[str], set[str]]] = []
    tree = graph.tree
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
                words = {word for value in given for word in _words(value)}
                made.append(({one.arg for one in walk(parameters) if isinstance(one, ast.arg)}, words))
    return made


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


def _bound_again(graph: PipelineGraph) -> set[str]:
    """The names that a module has for several values."""
    rows = [row for row in graph.tree.body if not isinstance(row, (ast.FunctionDef, ast.ClassDef))]
    return {name for name, count in Counter(_stored(rows)).items() if count > 1}


def _stored(rows: Iterable[ast.AST]) -> Iterator[str]:
    parts = (part for row in rows for part in walk(row))
    return (part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))


def _sets_of_others(graph: PipelineGraph) -> set[object]:
    """What a file sets of what it imports; None for what is not written."""
    names, found = graph.once(_modules, graph.source).keys(), set[object]()
    for part in _walk(graph.source):
        match part:
            case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()) if _root(part) in names:
                found.add(_word(part))
            case ast.Call(func=ast.Name(id="setattr"), args=[of, *_]) if _root(of) in names:
                found.add(None)
    return found


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


def _sets(graph: PipelineGraph, source: Source) -> set[object]:
    """What a file sets where it is not first made; None for what is not written."""
    if source.tree is None:
        return set()
    nodes = list(walk(source.tree))
    shared = {name for part in nodes if isinstance(part, ast.Global) for name in part.names}
    makers = [part for part in nodes if isinstance(part, ast.FunctionDef) and part.name == "__init__"]
    first = {id(part) for maker in makers for part in walk(maker)}
    top = _stored(row for row in source.tree.body if isinstance(row, (ast.Assign, ast.AnnAssign)))
    named, found = {*top, *_imports(source)}, set[object]()
    for part in nodes:
        match part:
            case ast.Attribute(attr="__dict__", value=of) if _root(of) in named:
                found.add(None)
            case ast.Name(ctx=ast.Store(), id=name) if name in shared:
                found.add(name)
            case ast.Attribute(ctx=ast.Store(), attr=name) if id(part) not in first:
                found.add(name)
            case ast.Subscript(ctx=ast.Store(), slice=key) if _root(part) in named:
                found.add(_word(part) if isinstance(key, ast.Constant) else None)
            case ast.Call(func=ast.Name(id="setattr" | "vars"), args=[of, *name]) if _root(of) != "self":
                found.add(name[0].value if name and isinstance(name[0], ast.Constant) else None)
            case ast.Call(func=ast.Attribute(attr="update", value=of)) if _root(of) in named:
                found.add(_word(of))
    return found
