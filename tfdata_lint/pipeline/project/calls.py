"""The calls in a module that are, or look like, dataset operations. Only syntax is read."""

from __future__ import annotations

import ast
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge import operations, telling
from tfdata_lint.pipeline.project.evidence import is_evidence, speaks_of_others
from tfdata_lint.pipeline.project.index import Index
from tfdata_lint.pipeline.project.modules import LIBRARIES
from tfdata_lint.pipeline.project.scopes import dotted
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import walk

#: What stands before the dot is certainly no dataset.
_DISPLAYS = (
    ast.Constant,
    ast.JoinedStr,
    ast.List,
    ast.Tuple,
    ast.Dict,
    ast.Set,
    ast.ListComp,
    ast.DictComp,
    ast.SetComp,
)


_WRITTEN = tuple(f".{name}(".encode() for name in sorted(telling.DISTINCTIVE))


class OperationCall(NamedTuple):
    """A call of a dataset operation, or of something of this name."""

    node: ast.Call
    operation: str
    is_certain: bool


def may_call(data: bytes) -> bool:
    """False only for modules that call nothing by a name that hardly anything but datasets has."""
    return any(call in data for call in _WRITTEN)


def operation_calls(source: Source, index: Index) -> list[OperationCall]:
    """All in a module that has something of TensorFlow in reach; there are none in others."""
    if source.tree is None or not index.tensorflow:
        return []
    scopes = syntax_of(source).scopes
    has_others = speaks_of_others(index)
    found: dict[int, OperationCall] = {}
    for node in walk(source.tree):
        if not isinstance(node, ast.Call):
            continue
        root, path = dotted(node.func)
        if root in index.imports and (binding := scopes.binds(root, node.func)) is not None:
            ways = {type(each) for each in binding[1]} & {ast.Import, ast.ImportFrom}
            name = f"{index.imports[root].name}{path}"
            operation = _named(name) if ways else ""
            if operation:
                found[id(node)] = OperationCall(node, operation, True)
            # A module has functions: `random.shuffle`.
            if operation or ways == {ast.Import} or (ways and name.partition(".")[0] in LIBRARIES):
                continue
        if isinstance(node.func, ast.Attribute) and (method := operations.METHODS.get(node.func.attr)):
            if isinstance(node.func.value, _DISPLAYS):
                continue
            is_evident = is_evidence(node, index) or (method.name in telling.DISTINCTIVE and not has_others)
            found[id(node)] = OperationCall(node, method.name, is_evident)
    _connect(found)
    return list(found.values())


def _named(name: str) -> str:
    """The operation that a full name stands for, if it is one that makes, takes or gives a dataset."""
    operation = operations.lookup(name)
    if operation is not None:
        return "" if "input_fn" in operation.parameters else operation.name
    cls, _, method = name.rpartition(".")
    return method if method in operations.METHODS and operations.is_dataset_class(cls) else ""


def _connect(found: dict[int, OperationCall]) -> None:
    """What stands in one chain with an operation of tf.data is one, too."""
    links = [
        (call.node.func.value, call.node)
        for call in found.values()
        if isinstance(call.node.func, ast.Attribute) and id(call.node.func.value) in found
    ]
    # `walk` gives a call before what it is called on: from the source on it is the other way round.
    for inner, outer in reversed(links):
        if found[id(inner)].is_certain and _gives_dataset(found[id(inner)]):
            found[id(outer)] = found[id(outer)]._replace(is_certain=True)
    for inner, outer in links:
        if found[id(outer)].is_certain and _gives_dataset(found[id(inner)]):
            found[id(inner)] = found[id(inner)]._replace(is_certain=True)


def _gives_dataset(call: OperationCall) -> bool:
    method = operations.METHODS.get(call.operation)
    return method is None or method.kind != "consumer"
