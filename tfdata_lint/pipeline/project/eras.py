"""Code that has its reasons to use old names."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from tfdata_lint.pipeline.nouns.graph import PipelineGraph

#: Names that TensorFlow 2 no longer has at its top level.
_TF1_NAMES = {
    "ConfigProto", "FixedLenFeature", "GraphKeys", "InteractiveSession", "Print", "Session", "VarLenFeature",
    "add_to_collection", "app", "assign", "contrib", "decode_csv", "decode_raw", "enable_eager_execution", "flags",
    "get_collection", "get_default_graph", "get_variable", "gfile", "global_variables_initializer", "layers", "logging",
    "parse_example", "parse_single_example", "placeholder", "py_func", "random_crop", "random_normal",
    "random_uniform", "read_file", "reset_default_graph", "set_random_seed", "string_to_number",
    "tables_initializer", "to_float", "to_int32", "to_int64", "truncated_normal", "variable_scope",
}  # fmt: skip
_VERSION = re.compile(r"version|VERSION|hasattr|(TF|tf)_?[12]\b|\bV1\b|tf2\.enabled")
_MISSING = {"AttributeError", "ImportError", "ModuleNotFoundError"}
_OLD = re.compile(rf"tensorflow\.contrib|compat|\b(?:tf|tensorflow)\.(?:{'|'.join(sorted(_TF1_NAMES))})\b")
_MARKS = re.compile(rf"{_VERSION.pattern}|getattr|{'|'.join(_MISSING)}")


@lru_cache(maxsize=1)
def is_tensorflow_1(graph: PipelineGraph) -> bool:
    """Is this module written against the API of TensorFlow 1 (1.x itself, or `compat.v1` under its name)?"""
    if graph.tree is None or (graph.source and not _OLD.search(graph.source.text)):
        return False
    return any(_is_tensorflow_1(node) for node in ast.walk(graph.tree))


def _is_tensorflow_1(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return any(alias.name.startswith(("tensorflow.compat.v1", "tensorflow.contrib")) for alias in names)
        case ast.ImportFrom(module="tensorflow.compat", names=names):
            return any(alias.name == "v1" for alias in names)
        case ast.ImportFrom(module=str() as module):
            return module.startswith(("tensorflow.compat.v1", "tensorflow.contrib"))
        case ast.Attribute(value=ast.Name(id="tf" | "tensorflow"), attr=name):
            return name in _TF1_NAMES
    return False


@lru_cache(maxsize=1)
def choosing_code(graph: PipelineGraph) -> set[int]:
    """The `id`s of all nodes in code that chooses between versions: `try`/`except AttributeError`, `if version…`."""
    found: set[int] = set()
    if graph.tree is None or (graph.source and not _MARKS.search(graph.source.text)):
        return found
    for node in ast.walk(graph.tree):
        if _chooses(node):
            found.update(id(inner) for inner in ast.walk(node))
    return found


def _chooses(node: ast.AST) -> bool:
    match node:
        case ast.Try(handlers=handlers):
            return any(h.type and _MISSING & set(re.findall(r"\w+", ast.unparse(h.type))) for h in handlers)
        case ast.If(test=test) | ast.IfExp(test=test):
            return _VERSION.search(ast.unparse(test)) is not None
        case ast.Call(func=ast.Name(id="getattr")):
            return True
    return False
