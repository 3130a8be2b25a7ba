"""Where a program sets a policy of 16-bit floats, and the models that it makes before and behind that."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.switches import calls_named
from tfdata_lint.pipeline.project.syntax import bound_value, syntax_of
from tfdata_lint.rules.device.steps import given_by
from tfdata_lint.source.trees import walk

_SETTERS = (
    "tensorflow.keras.mixed_precision.set_global_policy",
    "tensorflow.keras.mixed_precision.set_dtype_policy",
    "tensorflow.keras.config.set_dtype_policy",
    "tensorflow.keras.mixed_precision.experimental.set_policy",
)
_MODELS = re.compile(r"tensorflow\.keras\.(?:(?:models\.)?(?:Sequential|Model)|applications\.(?:\w+\.)?[A-Z]\w+)")
_HALVES = ("mixed_float16", "mixed_bfloat16")


class Policy(NamedTuple):
    """A call that makes layers compute with 16 bits from there on."""

    call: ast.Call
    name: str


def policies_of(graph: PipelineGraph) -> Iterator[Policy]:
    for _, call in calls_named(graph, *_SETTERS):
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if len(given) == 1 and (name := _name_of(graph, given[0])) in _HALVES:
            yield Policy(call, name)


def _name_of(graph: PipelineGraph, node: ast.expr | None) -> str:
    """`mixed_float16`, written as it is, as a name for it or as `Policy("mixed_float16")`."""
    match node:
        case ast.Constant(value=str(name)):
            return name
        case ast.Call(func=ast.Name(id="Policy") | ast.Attribute(attr="Policy"), args=[ast.Constant(value=str(name))]):
            return name
        case ast.Name(id=name):
            syntax = syntax_of(graph.source)
            found = syntax.scopes.binds(name, node)
            value = bound_value(syntax.way(found[1][0])) if found is not None and len(found[1]) == 1 else None
            return "" if isinstance(value, ast.Name) else _name_of(graph, value)
    return ""


def neighbours(graph: PipelineGraph, node: ast.AST) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The statements that run before and behind a node, each in any case, in the function that it stands in."""
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
    return before, after


def models_made(graph: PipelineGraph, statements: list[ast.stmt], in_functions: bool) -> dict[str, ast.Call]:
    """The models of Keras that statements give names to, also those that a function makes if that is wanted."""
    found: dict[str, ast.Call] = {}
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if graph.tree is not None:
                made = given_by(graph.tree, call) if in_functions else [call]
                if all(isinstance(one, ast.Call) and _makes_model(graph, one) for one in made):
                    found[name] = call
    return found


def makes_layers(graph: PipelineGraph, statement: ast.stmt) -> bool:
    """Does a statement make something of Keras that computes: a layer, a model?"""
    scopes = syntax_of(graph.source).scopes
    calls = (node for node in walk(statement) if isinstance(node, ast.Call))
    return any(re.match(r"tensorflow\.keras\.(layers|models|applications|Seq|Model)", plain(full)) for full in
               map(scopes.full_name, (call.func for call in calls)))  # fmt: skip


def is_trained(statements: list[ast.stmt], name: str) -> bool:
    """Is a model of this name compiled or fitted?"""
    calls = (node for statement in statements for node in walk(statement) if isinstance(node, ast.Call))
    return any(ast.unparse(call.func) in (f"{name}.compile", f"{name}.fit") for call in calls)


def _makes_model(graph: PipelineGraph, call: ast.Call) -> bool:
    return _MODELS.fullmatch(plain(syntax_of(graph.source).scopes.full_name(call.func))) is not None
