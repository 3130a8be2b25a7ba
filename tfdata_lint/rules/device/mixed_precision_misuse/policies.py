"""The models that a program makes before and behind the place where it sets a policy of 16-bit floats."""

from __future__ import annotations

import ast
import re

from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.code import receiver
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.switches import calls_unknown
from tfdata_lint.pipeline.project.syntax import syntax_of, syntax_there
from tfdata_lint.pipeline.python.origins import Place, origins
from tfdata_lint.pipeline.python.runs import constructor
from tfdata_lint.source.trees import walk

_MODELS = re.compile(r"tensorflow\.keras\.(?:(?:models\.)?(?:Sequential|Model)|applications\.(?:\w+\.)?[A-Z]\w+)")
_LAYERS = re.compile(r"tensorflow\.keras\.(layers|models|applications|Seq|Model)")


def neighbours(graph: PipelineGraph, node: ast.AST) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The statements that run before and behind a node, each in any case, in the function that it stands in; before a
    method those of the constructor."""
    before: list[ast.stmt] = []
    after: list[ast.stmt] = []
    syntax = syntax_of(graph.source)
    for step in reversed(syntax.way(node)):
        if isinstance(step, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            break
        block = syntax.block(step) if isinstance(step, ast.stmt) else None
        if block is not None and block.statement is step:
            before = block.statements[: block.index] + before
            after += block.statements[block.index + 1 :]
    return [*constructor(graph, node), *before], after


def models_made(graph: PipelineGraph, statements: list[ast.stmt]) -> dict[str, ast.Call]:
    """The models of Keras that statements give names to, made there or by functions of the project."""
    found: dict[str, ast.Call] = {}
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=ast.Call() as call):
                made = [place for place in origins(graph, call) if isinstance(place.node, ast.Call)]
                if made and all(_MODELS.fullmatch(_called(graph, place)) or _is_own(graph, place) for place in made):
                    found[ast.unparse(target)] = call
    return found


def _is_own(graph: PipelineGraph, place: Place) -> bool:
    """Does a call make a model of the project, whose constructor makes layers?"""
    made = [one for one in origins(graph, place.node.func, place.source) if isinstance(one.node, ast.ClassDef)]
    for cls in made:
        methods = {getattr(step, "name", ""): step for step in cls.node.body}
        scopes = syntax_there(cls.source, graph.source).scopes
        is_model = any(_MODELS.fullmatch(plain(scopes.full_name(base))) for base in cls.node.bases)
        calls = walk(methods["__init__"]) if "__init__" in methods and "build" not in methods else ()
        made_there = (Place(part, cls.source) for part in calls if isinstance(part, ast.Call))
        if not is_model or not any(_LAYERS.match(_called(graph, one)) for one in made_there):
            return False
    return bool(made)


def makes_layers(graph: PipelineGraph, statement: ast.stmt) -> bool:
    """May a statement make a layer or a model of Keras, itself or by the functions that it calls?"""
    calls = [node for node in walk(statement) if isinstance(node, ast.Call)]
    for call in calls:
        functions = [place for place in origins(graph, call.func) if isinstance(place.node, ast.FunctionDef)]
        inner = [Place(part, one.source) for one in functions for part in walk(one.node) if isinstance(part, ast.Call)]
        if any(_LAYERS.match(_called(graph, one)) for one in (Place(call, graph.source), *inner)):
            return True
        is_unknown = isinstance(call.func, ast.Name) and calls_unknown(graph, ast.Expr(call))
        if not functions and (is_unknown or receiver(call) == "self"):
            return True
    return False


def is_trained(statements: list[ast.stmt], name: str) -> bool:
    """Is a model of this name compiled or fitted, or handed on?"""
    calls = (node for statement in statements for node in walk(statement) if isinstance(node, ast.Call))
    return any(
        ast.unparse(call.func) in (f"{name}.compile", f"{name}.fit") or name in map(ast.unparse, call.args)
        for call in calls
    )


def _called(graph: PipelineGraph, place: Place) -> str:
    return plain(syntax_there(place.source, graph.source).scopes.full_name(place.node.func))
