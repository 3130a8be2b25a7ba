"""Python functions under `py_function`: what they call."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Effect, MappedFunction
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.trees import walk

#: Calls of Python that read the file that they are given the name of.
READING = (
    r"(^|\.)(imread|load_img|ReadImage|GFile|read_bytes|read_file)$|Image\.open$|^(np|numpy)\.(load|fromfile|memmap)$"
    r"|^(open|io\.open)$|^librosa\.load$|^(soundfile|sf)\.read$|^(nib|nibabel)\.load$|^rasterio\.open$|wavfile\.read$"
)


def calls_under(graph: PipelineGraph, effect: Effect) -> dict[str, str] | None:
    """What the Python function under `py_function` calls, with how that is written; None where it is not seen."""
    if effect.wrapped is None:
        return None
    called = syntax_of(graph.source).called
    return {called(function): ast.unparse(function) for function in _functions(effect.wrapped)}


def calls_below(graph: PipelineGraph, effect: Effect) -> set[str]:
    """What the Python function under `py_function` is seen to call, itself or by functions of the project."""
    if effect.kind != "py_function" or not isinstance(effect.node, ast.Call):
        return set()
    given = (*effect.node.args[:1], *(word.value for word in effect.node.keywords if word.arg == "func"))
    nodes = effect.python.nodes if effect.python is not None else ()
    called = syntax_of(graph.source).called
    return {called(function) for function in (*given, *(inner for node in nodes for inner in _functions(node)))}


def runs_python(graph: PipelineGraph, function: MappedFunction, pattern: str) -> bool:
    """Is the Python under `py_function` seen to call one of these?"""
    return any(re.search(pattern, name) for effect in function.effects for name in calls_below(graph, effect))


def _functions(top: ast.AST) -> Iterator[ast.expr]:
    return (node.func for node in walk(top) if isinstance(node, ast.Call))
