"""Names of TensorFlow that TensorFlow 2 does not have, in a module with pipelines."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge import functions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.eras import full_name
from tfdata_lint.pipeline.project.index import definitions_of, span_of
from tfdata_lint.pipeline.project.scopes import dotted
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of
from tfdata_lint.source.trees import walk

#: Names, and the beginnings of names, that are there: for these the long table is not read.
_THERE = frozenset({
    "DType", "Example", "Graph", "GradientTape", "Module", "RaggedTensor", "RaggedTensorSpec", "SparseTensor", "Tensor",
    "TensorShape", "TensorSpec", "Variable", "abs", "argmax", "autograph", "bfloat16", "bool", "broadcast_to", "cast",
    "clip_by_value", "compat", "concat", "cond", "config", "constant", "convert_to_tensor", "data", "device",
    "distribute", "equal", "estimator", "exp", "expand_dims", "fill", "float16", "float32", "float64", "function",
    "gather", "gather_nd", "identity", "init_scope", "int16", "int32", "int64", "int8", "keras", "linspace",
    "logical_and", "lookup", "map_fn", "math", "matmul", "maximum", "minimum", "multiply", "name_scope", "nest",
    "newaxis", "not_equal", "numpy_function", "one_hot", "ones", "ones_like", "pad", "pow", "print", "py_function",
    "range", "reduce_max", "reduce_mean", "reduce_min", "reduce_sum", "repeat", "reshape", "round", "saved_model",
    "shape", "sigmoid", "size", "slice", "split", "sqrt", "square", "squeeze", "stack", "stop_gradient", "string",
    "strings", "tile", "tpu", "transpose", "uint16", "uint8", "unstack", "where", "while_loop", "zeros", "zeros_like",
})  # fmt: skip


class Removed(NamedTuple):
    """What a name that is gone was, and is today."""

    old: str
    """Without `tf.`; of a module that is gone with all that is in it, the module."""
    new: str = ""
    """Without `tf.`; empty where only `tf.compat.v1` has it, if anything."""
    positional: int | None = None
    """How many arguments by position mean the same; None for all."""
    gone: frozenset[str] = frozenset()
    """Parameters that are called otherwise today, or went away."""
    is_module: bool = False


def removed_uses(graph: PipelineGraph) -> list[tuple[SymbolUse, Removed]]:
    """The uses of names that TensorFlow 2 does not have, in source order."""
    syntax = syntax_of(graph.source)
    imports = definitions_of(graph.source).imports
    aliases = [alias for alias, symbol in imports.items() if symbol.name == "tensorflow"]
    names = {name for alias in aliases for name in _names_below(alias, syntax.text)}
    known = {name: gone for name in names if (gone := _removed(name))}
    return sorted(_uses(graph, syntax, known), key=lambda found: found[0].span) if known else []


def _names_below(alias: str, text: str) -> set[str]:
    """What is asked of TensorFlow in a text and may be gone."""
    found = set(re.findall(rf"\b{re.escape(alias)}\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)", text))
    return {name for name in found if name.partition(".")[0] not in _THERE and not _is_known(name)}


def _is_known(name: str) -> bool:
    # `tf.math.log` stands there as `tf.log`.
    row = functions.ROWS.get(f"tensorflow.{name}") if "." in name else None
    return row is not None and not row.get("gone")


def _uses(graph: PipelineGraph, syntax: Syntax, known: Mapping[str, Removed]) -> Iterator[tuple[SymbolUse, Removed]]:
    calls: dict[int, ast.Call] = {}
    attributes: dict[str, list[ast.Attribute]] = {}
    inner: set[int] = set()
    # From the outside to the inside: only whole chains count.
    for node in walk(syntax.tree):
        if isinstance(node, ast.Call):
            calls[id(node.func)] = node
        elif isinstance(node, ast.Attribute):
            inner.add(id(node.value))
            if id(node) not in inner:
                attributes.setdefault(dotted(node)[1].removeprefix("."), []).append(node)
    written = {name for name, nodes in attributes.items() if any(isinstance(node.ctx, ast.Store) for node in nodes)}
    for name, removed in known.items():
        # `tf.Session = tf.compat.v1.Session`
        if removed.old in written:
            continue
        for node in attributes.get(name, ()):
            part: ast.expr = node
            for _ in range(0 if removed.is_module else name.count(".") - removed.old.count(".")):
                part = part.value if isinstance(part, ast.Attribute) else part
            full = f"tensorflow.{name if removed.is_module else removed.old}"
            if isinstance(part, ast.Attribute) and full_name(part, syntax) == full:
                yield SymbolUse(full, part, span_of(part, graph.file), calls.get(id(part))), removed


def _removed(name: str) -> Removed | None:
    """What is gone of `gfile.Open`, `contrib.slim.nets`: the name, or a module that it is below."""
    parts = name.split(".")
    beginnings = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
    return next((found for beginning in beginnings if (found := _table().get(beginning))), None)


@cache
def _table() -> Mapping[str, Removed]:
    from tfdata_lint.rules.upgrades.removed_symbol import table as removed

    table = {name: Removed(name, is_module=True) for name in removed.MODULES.split()}
    for word in removed.NAMES.split():
        old, _, today = word.partition("=")
        form, *gone = today.split("-")
        new, _, positional = form.partition("/")
        table[old] = Removed(old, new, int(positional) if positional else None, frozenset(gone))
    return table
