"""Names and arguments of TensorFlow that a later TensorFlow does not have, in a module with pipelines."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.code import nodes_on, rows_with, whole
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.bindings import member
from tfdata_lint.pipeline.project.index import attribute_span, definitions_of, span_of
from tfdata_lint.pipeline.project.scopes import dotted
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of

_CHAIN = r"((?:\.[A-Za-z_]\w*)+)"
_OTHERS = ("tensorflow.compat", "tensorflow.data.", "tensorflow.contrib.data")
#: One can import it, though not name it.
_PRIVATE = "tensorflow.python"
_KERAS = "tensorflow.keras."
#: Methods that other objects may have, too, with arguments of these names.
_READERS = ("fit", "evaluate", "predict", "fit_generator", "evaluate_generator", "predict_generator")
_STRATEGY = "distribute.Strategy."
#: `tf.losses` is `tf.keras.losses`.
_OF_KERAS = ("losses.", "metrics.", "optimizers.", "initializers.")
CALLED = "()"


class Removed(NamedTuple):
    """What a name that is gone was, and is today."""

    old: str
    """Without `tf.`; of a module that is gone with all that is in it, the module."""
    since: tuple[int, int] = (2, 0)
    """The first TensorFlow that is known not to have it."""
    of: str = ""
    """`keras` where only Keras 3 lacks it, whose place `tf_keras` may take; `tfds` of TensorFlow Datasets."""
    new: str = ""
    """Without `tf.`."""
    positional: int | None = None
    """How many arguments by position mean the same; None for all."""
    gone: frozenset[str] = frozenset()
    """Parameters that are called otherwise today, or went away."""
    is_module: bool = False
    argument: str = ""
    """The argument of it that is gone; `CALLED` where it is there, and raises an error when it is called."""


class Gone(NamedTuple):
    """A use of what is gone: a name, an import of one, or an argument."""

    use: SymbolUse
    removed: Removed
    home: str = ""
    """What the first part of the name stands for."""
    statement: ast.Import | ast.ImportFrom | None = None


def removed_uses(graph: PipelineGraph) -> list[Gone]:
    """The uses of names and arguments that a TensorFlow since 2.0 does not have, in source order."""
    syntax = syntax_of(graph.source)
    imports = {alias: symbol.name for alias, symbol in definitions_of(graph.source).imports.items()}
    homes = {alias: name for alias, name in imports.items() if _public(name)}
    if not homes:
        return []
    chains = set(re.findall(rf"\b({'|'.join(map(re.escape, homes))}){_CHAIN}", syntax.text))
    found = {re.escape(f"{alias}{path}") for alias, path in chains if find(f"{homes[alias]}{path}")}
    found |= {whole(last(name)) for name in homes.values() if find(name)}
    found |= {rf"{method}\(" for method in _table()[2] if method in syntax.text}
    found |= {rf"{whole(name)}\s*=(?!=)" for name in _table()[1] if name in syntax.text}
    return sorted(_uses(graph, syntax, sorted(found)), key=lambda gone: gone.use.span) if found else []


def find(full: str) -> Removed | None:
    """What is gone of `tensorflow.gfile.Open`, `keras.experimental.LinearModel`: the name, or a module around it."""
    parts = _public(full).split(".")
    beginnings = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
    found = next((found for beginning in beginnings if (found := _removed(beginning))), None)
    # What else was in a module of Keras is not in the one that took its place.
    return found._replace(new="") if found and found.is_module and found.old != _public(full) else found


def _public(full: str) -> str:
    """A name as the table has it; empty where it is of another library, or of `compat.v1`."""
    root = full.partition(".")[0]
    if root == "tensorflow" and not full.startswith(_OTHERS):
        return full.removeprefix("tensorflow.")
    return full if root in ("keras", "tensorflow_datasets") else ""


def _uses(graph: PipelineGraph, syntax: Syntax, patterns: list[str]) -> Iterator[Gone]:
    calls: dict[int, ast.Call] = {}
    inner: set[int] = set()
    found: list[Gone] = []
    stored: set[str] = set()
    # From the outside to the inside: only whole chains count.
    for node in nodes_on(syntax.tree, rows_with(syntax.text, *patterns)):
        if isinstance(node, ast.Call):
            calls[id(node.func)] = node
            found += _given(graph, syntax, node)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found += _imported(graph, node)
        elif isinstance(node, ast.Attribute):
            inner.add(id(node.value))
            if id(node) in inner or not (gone := _named(graph, syntax, node, calls)):
                continue
            found.append(gone)
            if isinstance(node.ctx, ast.Store):
                # `tf.Session = tf.compat.v1.Session`
                stored.add(gone.removed.old)
    return (gone for gone in found if gone.removed.old not in stored)


def _named(graph: PipelineGraph, syntax: Syntax, node: ast.Attribute, calls: Mapping[int, ast.Call]) -> Gone | None:
    root, path = dotted(node)
    homes = syntax.scopes.meanings(root, node) if root else []
    # An import of what is gone is reported where it stands.
    if len(homes) != 1 or find(homes[0]) or not (removed := find(f"{homes[0]}{path}")):
        return None
    name, part = _public(f"{homes[0]}{path}"), node
    for _ in range(0 if removed.is_module else name.count(".") - removed.old.count(".")):
        part = part.value if isinstance(part.value, ast.Attribute) else part
    use = SymbolUse(_full(name, removed), part, span_of(part, graph.file), calls.get(id(part)))
    return Gone(use, removed, homes[0]) if use.call or not removed.argument else None


def _imported(graph: PipelineGraph, node: ast.Import | ast.ImportFrom) -> Iterator[Gone]:
    names = [member(node, alias.name) if isinstance(node, ast.ImportFrom) else alias.name for alias in node.names]
    gone = [(name, removed) for name in names if not name.startswith(_PRIVATE) and (removed := find(name))]
    for name, removed in gone[:1]:
        use = SymbolUse(_full(_public(name), removed), ast.Constant(name), span_of(node, graph.file), None)
        yield Gone(use, removed, "", node)


def _given(graph: PipelineGraph, syntax: Syntax, call: ast.Call) -> Iterator[Gone]:
    """The arguments of a call that are gone, and methods of Keras models."""
    name = _public(full := syntax.scopes.full_name(call.func))
    if not full and isinstance(call.func, ast.Attribute):
        method = call.func.attr
        name = f"keras.Model.{method}" if _may_be_of_keras(graph, call, method) else ""
        if removed := _removed(name) or _removed(f"{_STRATEGY}{method}"):
            yield Gone(
                SymbolUse(f"tensorflow.{removed.old}", call.func, attribute_span(call.func, graph.file), call), removed
            )
    for keyword in call.keywords if name else ():
        if removed := _removed(f"{name}({keyword.arg}"):
            use = SymbolUse(_full(name, removed), keyword.value, span_of(keyword, graph.file), call)
            yield Gone(use, removed)


def _may_be_of_keras(graph: PipelineGraph, call: ast.Call, method: str) -> bool:
    """May it be the method of a Keras model, which reads a dataset, or is told what nothing else is told?"""
    makers = [consumer.made_by for consumer in graph.consumers if consumer.node is call]
    return (bool(makers) or method not in _READERS) and all(not by or by.startswith(_KERAS) for by in makers)


def _full(name: str, removed: Removed) -> str:
    shown = name if removed.is_module else removed.old
    return shown if removed.of == "tfds" else f"tensorflow.{shown}"


def _removed(name: str) -> Removed | None:
    rows = _table()[0]
    head, word = rows.get(name) or (rows.get(f"keras.{name}") if name.startswith(_OF_KERAS) else None) or ("", "")
    if not head:
        return None
    since, of, argument, new = (*head.split(), "", "", "")[:4]
    major, minor = since.split(".")
    old, _, today = word.partition("=")
    form, *gone = today.split("-")
    form, _, positional = form.partition("/")
    return Removed(
        name.partition("(")[0], (int(major), int(minor)), of.strip("-"), form or new,
        int(positional) if positional else None, frozenset(gone), old.endswith("."), argument,
    )  # fmt: skip


@cache
def _table() -> tuple[dict[str, tuple[str, str]], set[str], set[str]]:
    """The section and the word of each name, those of arguments under `keras.Model.fit(workers`; and all arguments and
    methods."""
    rows: dict[str, tuple[str, str]] = {}
    text = Path(__file__).with_name("table.txt").read_text(encoding="utf-8")
    for section in text.removeprefix("[").split("\n["):
        head, _, words = section.partition("]")
        argument = head.split()[2] if head.count(" ") > 1 and not head.endswith(CALLED) else ""
        names = {word: word.partition("=")[0].removesuffix(".") for word in words.split()}
        rows.update({f"{name}({argument}" if argument else name: (head, word) for word, name in names.items()})
    arguments = {argument for row in rows if (argument := row.partition("(")[2])}
    return (
        rows,
        arguments,
        {last(row) for row in rows if row.startswith(("keras.Model.", _STRATEGY)) and "(" not in row},
    )
