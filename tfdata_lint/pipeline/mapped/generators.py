"""The Python generators of a module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from tfdata_lint.pipeline.mapped.record import FunctionNode
from tfdata_lint.pipeline.nouns import code
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.trees import walk


def own_nodes(function: FunctionNode) -> Iterator[ast.AST]:
    """The nodes of a function, those of functions inside it left out."""
    return code.own_nodes([function.body] if isinstance(function, ast.Lambda) else function.body)


#: Methods by which one takes what others send: over connections, from data bases, environments.
_RECEIVING = frozenset({"accept", "blpop", "brpop", "get_nowait", "lpop", "recv", "recvfrom", "step"})
#: Methods by which one takes what others have put into something in memory, and those that put it there.
_TAKING = frozenset({"get", "popleft", "sample"})
_PUTTING = r"\b{}\.(add|append|extend|push|put|remember|store)\w*\("
_LISTING = frozenset({"glob", "iglob", "iterdir", "listdir", "rglob", "scandir"})
#: What tells a queue how to wait.
_WAITING = frozenset({"block", "timeout"})


def is_live(graph: PipelineGraph, stage: Stage) -> bool:
    """Does Python give what other code makes meanwhile: from a queue or connection, or until it is told to stop?

    What is asked for ahead of time is an older answer.
    """
    known: bool | None = stage.known.get(is_live)
    if known is None:
        known = stage.known[is_live] = _is_live(graph, stage)
    return known


def _is_live(graph: PipelineGraph, stage: Stage) -> bool:
    effects = stage.function.effects if stage.function is not None else ()
    given = [stage.python, *(effect.python for effect in effects)]
    functions: list[tuple[ast.AST, ...]] = [python.nodes for python in given if python is not None]
    if stage.generator is not None:
        functions.append((stage.generator,))
    return _is_of_server(graph, stage) or any(_is_fed(graph, nodes) for nodes in functions)


def _is_of_server(graph: PipelineGraph, stage: Stage) -> bool:
    """Does Reverb give it, a data base that the program fills while it trains?"""
    if stage.op != "unresolved" or stage.span.file != graph.file or "reverb" not in graph.source.text:
        return False
    made = (node for node in code.nodes_on(graph.tree, [stage.span.row]) if isinstance(node, ast.Call))
    return any(syntax_of(graph.source).called(call.func).startswith("reverb.") for call in made)


def _is_fed(graph: PipelineGraph, functions: Sequence[ast.AST]) -> bool:
    nodes = [node for function in functions for node in walk(function)]
    defined = {getattr(function, "name", "") for function in functions}
    made = {ast.unparse(node) for node in nodes if isinstance(getattr(node, "ctx", None), ast.Store)}
    tests = {id(part) for node in nodes if isinstance(node, ast.While) for part in walk(node.test)}
    # What it calls a method of it may go through by itself.
    own = made | {code.receiver(node) for node in nodes if id(node) not in tests}
    for node in nodes:
        match node:
            case ast.While(test=test) if (read := _read(test)) and not read & own:
                return True
            case ast.While(test=ast.Constant()) if any(code.last_name(part) in _LISTING for part in walk(node)):
                # It looks again which files there are.
                return True
            case ast.Attribute(value=ast.Name(id="sys"), attr="stdin"):
                return True
            case ast.For(iter=walked) if any(_is_memory(graph, name) for name in code.names(walked) - made):
                return True
            case ast.Call(func=ast.Attribute(value=of, attr=name)) if name not in defined and (
                name in _RECEIVING or (name in _TAKING and ast.unparse(of) not in made and _is_filled(graph, node, of))
            ):
                return True
    return False


def _is_memory(graph: PipelineGraph, name: str) -> bool:
    """Does a name stand for what remembers the last so many entries that the module puts into it?"""
    text = graph.source.text
    is_made = re.search(rf"\b{name}\s*=\s*(?:collections\.)?deque\(", text) is not None
    return is_made and re.search(_PUTTING.format(name), text) is not None


def _read(test: ast.expr) -> set[str]:
    """The variables and attributes that a test reads, each with what it is an attribute of."""
    return {ast.unparse(part) for part in walk(test) if isinstance(part, (ast.Name, ast.Attribute))} - {"self"}


def _is_filled(graph: PipelineGraph, call: ast.Call, of: ast.expr) -> bool:
    """Is it a queue, by how one waits for it, or does the module put something into it?"""
    named = {keyword.arg for keyword in call.keywords}
    waits = code.last_name(call) == "get" and named <= _WAITING and not call.args
    return waits or re.search(_PUTTING.format(re.escape(code.last_name(of))), graph.source.text) is not None
