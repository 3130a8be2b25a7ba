"""Files that a loop writes under a path that its pipeline visibly reads or keeps."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import inside
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.values import Constant, Sequence, Value
from tfdata_lint.pipeline.project.syntax import bound_value, syntax_of
from tfdata_lint.source.trees import walk

#: Calls that write, replace or remove the file whose path they are given.
_WRITING = frozenset(
    {"GFile", "Path", "TFRecordWriter", "copy", "copyfile", "imwrite", "move", "open", "remove", "rename", "replace",
     "save", "save_img", "savetxt", "savez", "to_csv", "to_json", "to_parquet", "unlink", "write_bytes", "write_file",
     "write_text"}
)  # fmt: skip
#: Begins the name of a path, or of a list of paths.
_NAME = "$"
#: Functions that are followed into one another.
_DEEPEST = 3


def meets_written(graph: PipelineGraph, stage: Stage, consumers: Iterable[Consumer], epochs: bool = False) -> str:
    """A path that a stage reads or keeps and that the loops behind it write; between epochs, all code that follows."""
    read = {path for part in (stage, *inside(stage)) for path in _read(part)}
    if not read:
        return ""
    loops: list[ast.AST] = [consumer.loop for consumer in consumers if consumer.loop is not None]
    if epochs:
        loops += [part for part in graph.tree.body if (part.end_lineno or 0) >= stage.span.row]
    written = {path for loop in loops for path in graph.once(_all_written, loop)}
    if stage.op in ("cache", "snapshot"):
        # Whoever names the files of a cache looks for them.
        named = {text for loop in loops for text in graph.once(_named, loop)}
        written |= {text for text in named if text.startswith(tuple(filter(None, read)))}
        return min(written & named, default="")
    met = (path for path in sorted(written) for pattern in read if fnmatchcase(path, pattern))
    return next(met, "").removeprefix(_NAME)


def _all_written(graph: PipelineGraph, node: ast.AST, depth: int = 0) -> set[str]:
    return set(_written(graph, node, depth))


def _writes(graph: PipelineGraph, function: ast.FunctionDef) -> bool:
    return any(last_name(part) in _WRITING for part in walk(function) if isinstance(part, ast.Call))


def _named(graph: PipelineGraph, node: ast.AST) -> set[str]:
    constants = (part.value for part in walk(node) if isinstance(part, ast.Constant))
    return {text for text in constants if isinstance(text, str)}


def _read(part: Stage) -> Iterator[str]:
    """The paths, as they are written, of a stage and of what its function reads."""
    keeps = part.op in ("cache", "snapshot")
    if part.operation.reads or keeps or not part.inputs:
        for argument in part.arguments.values():
            yield from _texts(argument.value)
            if isinstance(argument.node, ast.Name):
                yield f"{_NAME}{argument.node.id}"
    for call in part.function.calls if part.function is not None else ():
        if known(call.name).cost == "read":
            for value in call.arguments:
                yield from _texts(value)


def _texts(value: Value) -> Iterator[str]:
    match value:
        case Constant(str(text)):
            yield text
        case Sequence(items=items):
            yield from (item.value for item in items if isinstance(item, Constant) and isinstance(item.value, str))


def _written(graph: PipelineGraph, node: ast.AST, depth: int) -> Iterator[str]:
    """The literal paths of calls in some code that write, and in the functions of the module that it calls."""
    scopes = syntax_of(graph.source).scopes
    for call in (part for part in walk(node) if isinstance(part, ast.Call)):
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if last_name(call) in _WRITING:
            holder = [call.func.value] if isinstance(call.func, ast.Attribute) else []
            yield from _paths(graph, [*given, *holder])
        elif isinstance(call.func, ast.Name) and depth < _DEEPEST:
            found = scopes.binds(call.func.id, call)
            for function in found[1] if found is not None else ():
                if isinstance(function, ast.FunctionDef):
                    yield from graph.once(_all_written, function, depth + 1)
                    if graph.once(_writes, function):
                        # It may be given the path.
                        yield from _paths(graph, given)


def _paths(graph: PipelineGraph, nodes: Iterable[ast.expr]) -> Iterator[str]:
    """The texts that expressions stand for; of others the names: of a path, or of the list that it is an item of."""
    syntax = syntax_of(graph.source)
    for node in nodes:
        node = node.args[0] if isinstance(node, ast.Call) and last_name(node) == "Path" and node.args else node
        node = node.value if isinstance(node, ast.Subscript) else node
        if isinstance(node, ast.Name):
            found = syntax.scopes.binds(node.id, node)
            ways = [syntax.way(binding) for binding in found[1]] if found is not None else []
            yield from (f"{_NAME}{name}" for way in ways if (name := _walked_over(way)))
            yield f"{_NAME}{node.id}"
            values = [bound_value(way) for way in ways]
            node = values[0] if len(values) == 1 and values[0] is not None else node
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _walked_over(way: list[ast.AST]) -> str:
    """The name of the list of which a loop gives a name the items."""
    match way[-2:]:
        case [ast.For(iter=ast.Name(id=name)), _]:
            return name
    return ""
