"""What a mapped function reads of outside beside functions, and what may set that anew."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import MappedFunction
from tfdata_lint.pipeline.project.scopes import Scopes
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.trees import walk

_LIBRARIES = ("builtins.", "keras.", "math.", "numpy.", "tensorflow.")


class Read(NamedTuple):
    """`settings.MEAN`, `stats["mean"]`, `MEAN`"""

    node: ast.expr
    root: str
    word: str
    """The last name or key of it."""


def read_outside(graph: PipelineGraph, function: MappedFunction) -> Iterator[Read]:
    """What a function, and those of the project that it calls, read by names of outside, or of their object."""
    scopes = syntax_of(graph.source).scopes
    codes = {id(code): code for code in (function.node, *function.functions) if code is not None}
    for code in codes.values():
        own = {part.arg for part in walk(code) if isinstance(part, ast.arg)}
        own |= {part.id for part in walk(code) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
        called = {id(part.func) for part in walk(code) if isinstance(part, ast.Call)}
        inner = {id(part.value) for part in walk(code) if isinstance(part, (ast.Attribute, ast.Subscript))}
        for part in walk(code):
            root = part
            while isinstance(root, (ast.Attribute, ast.Subscript)):
                root = root.value
            if not isinstance(root, ast.Name) or not isinstance(part, (ast.Attribute, ast.Name, ast.Subscript)):
                continue
            is_held = root.id == "self" and isinstance(part, ast.Attribute)
            if id(part) in inner or (root.id in own and not is_held) or root.id in vars(builtins):
                continue
            # Of a method that is called, what it belongs to is read.
            is_called = id(part) in called
            if is_called and not (isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name | ast.Attribute)):
                continue
            read = part.value if is_called and isinstance(part, ast.Attribute) else part
            if not _is_of_library(scopes, read):
                yield Read(read, root.id, _word(read))


def _is_of_library(scopes: Scopes, node: ast.expr) -> bool:
    return f"{plain(scopes.full_name(node))}.".startswith(_LIBRARIES)


def _word(read: ast.expr) -> str:
    match read:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            return key
    return ""


def set_elsewhere(graph: PipelineGraph, function: MappedFunction) -> str:
    """What a function reads of a module, its own or another one, that this file or one that imports it sets anew."""
    scopes = syntax_of(graph.source).scopes
    for read in read_outside(graph, function):
        if read.root == "self" or not read.word:
            continue
        # What is set here is known, but for that of other modules.
        is_imported = scopes.is_imported(read.root, read.node)
        own = [(graph.source.text, rf"\b{read.root}\.{read.word}")] if is_imported else []
        word = re.escape(read.word)
        there = [
            (other.text, rf"""(?<!\bself)\.{word}|\[["']{word}["']\]""") for other in graph.importers(graph.source)
        ]
        if any(_sets(text, target, read.root) for text, target in (*own, *there)):
            return ast.unparse(read.node)
    return ""


def _sets(text: str, target: str, root: str) -> bool:
    """Does a file set something, or may it, by a name that is not written?"""
    return re.search(rf"(?:{target})\s*=(?!=)|\bsetattr\((?:\w+\.)*{root}\b|\b{root}\.update\(", text) is not None
