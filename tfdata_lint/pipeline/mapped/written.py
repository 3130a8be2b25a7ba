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
_READING = (
    r"(^|\.)(imread|load_img|ReadImage|GFile|read_bytes|read_file)$|Image\.open$|^(np|numpy)\.(load|fromfile|memmap)$"
    r"|^(open|io\.open)$|^librosa\.load$|^(soundfile|sf)\.read$|^(nib|nibabel)\.load$|^rasterio\.open$|wavfile\.read$"
)
#: Further ones that let go of Python's lock: they wait, or decode or resize an image in C.
_WAITING = r"(^|\.)(imdecode|urlopen|decode_(jpeg|png|image))$|^cv2\.resize$|^requests\.get$"


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


def reads_a_file(graph: PipelineGraph, function: MappedFunction) -> bool:
    """Is a mapped function seen to read a file, be it in Python under `py_function`?"""
    names = (name.rpartition(".")[2] for name in function.operations)
    return "read_file" in names or _calls(graph, function, _READING)


def lets_go_of_the_lock(graph: PipelineGraph, function: MappedFunction) -> bool:
    """Does the Python that it calls under `py_function` let others run meanwhile?"""
    return _calls(graph, function, f"{_READING}|{_WAITING}")


def _calls(graph: PipelineGraph, function: MappedFunction, pattern: str) -> bool:
    return any(re.search(pattern, name) for effect in function.effects for name in calls_below(graph, effect))


def _functions(top: ast.AST) -> Iterator[ast.expr]:
    return (node.func for node in walk(top) if isinstance(node, ast.Call))
