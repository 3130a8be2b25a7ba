"""What a function, or an argument, is made of that comes from outside of it, and what may set that anew."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.bindings import imported
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import walk

_PARTS = (ast.Attribute, ast.Name, ast.Subscript)


def set_elsewhere(graph: PipelineGraph, words: set[str]) -> str:
    """A constant of a module that is read by these names, or that what has them was made of, and the program sets.

    Of what is set in this file all is known but what belongs to other modules.
    """
    tree = graph.source.tree
    if tree is None or not words:
        return ""
    words = _made_of(words, tree)
    modules = {module.path: module for module in (graph.source, *_modules(graph, graph.source).values())}
    setting = {other.path: other for module in modules.values() for other in graph.importers(module)}
    for word in (word for other in setting.values() for word in _set_in(graph, other)):
        if word in words or not word:
            return word or min(words)
    return ""


def is_set_elsewhere(graph: PipelineGraph, stage: Stage, argument: str) -> bool:
    """Is an argument of a stage made of what the program sets?"""
    given = stage.arguments.get(argument)
    return given is not None and given.node is not None and set_elsewhere(graph, {*_words(given.node)}) != ""


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


def _set_in(graph: PipelineGraph, source: Source) -> Iterator[str]:
    """What a file sets of what it imports from the project; empty for what is not written."""
    names = _modules(graph, source).keys()
    for part in _walk(source):
        match part:
            case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()) if _root(part) in names:
                yield _word(part)
            case ast.Call(func=ast.Name(id="setattr"), args=[of, name, *_]) if _root(of) in names:
                yield name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""
            case ast.Call(func=ast.Name(id="vars"), args=[of]) | ast.Attribute(attr="__dict__", value=of) if (
                _root(of) in names
            ):
                yield ""
            case ast.Call(func=ast.Attribute(attr="update", value=of)) if _root(of) in names:
                yield _word(of)
