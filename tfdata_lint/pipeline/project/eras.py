"""What a module is written for: which TensorFlow, which other libraries, which side of a choice."""

from __future__ import annotations

import ast
import re

from tfdata_lint.pipeline.knowledge import functions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.syntax import syntax_of

_VERSION = re.compile(r"version|VERSION|hasattr|(TF|tf)_?[12]\b|\bV1\b|tf2\.enabled")
_MISSING = {"AttributeError", "ImportError", "ModuleNotFoundError"}
_OLD = re.compile(rf"tensorflow\.contrib|compat|\b(?:tf|tensorflow)\.(?:{'|'.join(sorted(functions.TF1_NAMES))})\b")


def is_tensorflow_1(graph: PipelineGraph) -> bool:
    """Is this module written against the API of TensorFlow 1 (1.x itself, or `compat.v1` under its name)?"""
    return graph.once(_is_tensorflow_1)


def _is_tensorflow_1(graph: PipelineGraph) -> bool:
    syntax = syntax_of(graph.source)
    return _OLD.search(syntax.text) is not None and any(map(_is_old, ast.walk(syntax.tree)))


def _is_old(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return any(alias.name.startswith(("tensorflow.compat.v1", "tensorflow.contrib")) for alias in names)
        case ast.ImportFrom(module="tensorflow.compat", names=names):
            return any(alias.name == "v1" for alias in names)
        case ast.ImportFrom(module=str() as module):
            return module.startswith(("tensorflow.compat.v1", "tensorflow.contrib"))
        case ast.Attribute(value=ast.Name(id="tf" | "tensorflow"), attr=name):
            return name in functions.TF1_NAMES
    return False


def makes_old_datasets(graph: PipelineGraph) -> bool:
    """Does it use `tf.compat.v1.data`, whose datasets have the old methods?"""
    nodes = ast.walk(syntax_of(graph.source).tree)
    return any(
        isinstance(node, ast.Attribute) and node.attr == "data" and ast.unparse(node).endswith("compat.v1.data")
        for node in nodes
    )


def packages(graph: PipelineGraph) -> set[str]:
    """What a module imports from, wherever in it."""
    return {name.partition(".")[0] for _, name in syntax_of(graph.source).imports()}


def tests_around(graph: PipelineGraph, node: ast.AST) -> list[str]:
    """The conditions that decide about a piece of its code, or that this is part of, as written."""
    way = syntax_of(graph.source).way(node)
    return [ast.unparse(step.test) for step in way if isinstance(step, (ast.If, ast.IfExp))]


def chooses_version(graph: PipelineGraph, node: ast.AST) -> bool:
    """Is it part of code that chooses between versions: `try`/`except AttributeError`, `if version…`, `getattr`?"""
    return any(map(_chooses, syntax_of(graph.source).way(node)))


def _chooses(node: ast.AST) -> bool:
    match node:
        case ast.Try(handlers=handlers):
            return any(h.type and _MISSING & set(re.findall(r"\w+", ast.unparse(h.type))) for h in handlers)
        case ast.If(test=test) | ast.IfExp(test=test):
            return _VERSION.search(ast.unparse(test)) is not None
        case ast.Call(func=ast.Name(id="getattr")):
            return True
    return False
