"""The dataset without the work of one of its stages: that one returns its first element again and again.

Made of the graph of the dataset, so that no line of the code runs again.
"""

from __future__ import annotations

import importlib
from typing import Any

from .recorder import Recorder, operation, stages_in

_OURS = "without/"
#: As `tf.data.UNKNOWN_CARDINALITY`.
_UNKNOWN = -2
#: What writes elements to files: nothing but the true ones may come there.
_WRITES = ("Snapshot", "Save", "Write")
_CACHE = "CacheDataset"


class Impossible(Exception):
    """It cannot be left out, or somebody could be harmed."""


def without(recorder: Recorder, dataset: Any, number: int, elements: int, *, whole: bool) -> Any:
    """What `dataset` would be without stage `number`; of a map its function alone, or (`whole`) all above it, too.

    `elements`: how many it has, if TensorFlow does not know; 0 is for ever. Raises `Impossible`.
    """
    stage = recorder.datasets.get(number)
    if stage is None or not recorder.is_own(number):
        raise Impossible("the stage is part of a function")
    graph = _graph(dataset)
    _must_not_write(graph)
    graph = _spliced(graph, number, _graph(_again(stage, elements, graph, whole=whole)))
    raw_ops = importlib.import_module("tensorflow").raw_ops
    variant = raw_ops.DatasetFromGraph(graph_def=graph.SerializeToString())
    made = importlib.import_module("tensorflow.python.data.ops.dataset_ops")._VariantDataset
    return made(variant, dataset.element_spec).with_options(dataset.options())


def _again(stage: Any, elements: int, graph: Any, *, whole: bool) -> Any:
    tensorflow = importlib.import_module("tensorflow")
    first = next(iter(stage))
    if not whole and operation(type(stage).__name__) in ("Map", "ParallelMap"):
        return stage._inputs()[0].map(lambda *_: first)
    count = int(stage.cardinality())
    if count == _UNKNOWN:
        count = elements or -1
        if count < 0 and any(node.op.startswith(_CACHE) for node in graph.node):
            raise Impossible("a cache would never be full")
    return tensorflow.data.Dataset.from_tensors(first).repeat(count)


def _graph(dataset: Any) -> Any:
    graph_pb2 = importlib.import_module("tensorflow.core.framework.graph_pb2")
    raw_ops = importlib.import_module("tensorflow").raw_ops
    # 1: what is random, or has a state, starts anew.
    text = raw_ops.DatasetToGraphV2(
        input_dataset=dataset._variant_tensor, external_state_policy=1, strip_device_assignment=True
    )
    return graph_pb2.GraphDef.FromString(text.numpy())


def _must_not_write(graph: Any) -> None:
    constants = {node.name: node.attr["value"].tensor for node in graph.node if node.op == "Const"}
    inside = [node for function in graph.library.function for node in function.node_def]
    for node in (*graph.node, *inside):
        if any(word in node.op for word in _WRITES):
            raise Impossible("the pipeline writes files")
        if node.op.startswith(_CACHE):
            file = constants.get(node.input[1])
            if file is None or any(file.string_val):
                raise Impossible("the pipeline has a cache in a file")


def _spliced(graph: Any, number: int, other: Any) -> Any:
    """The graph, with the dataset of another graph in place of that stage."""
    # Asking for an attribute that is not there would add it.
    tagged = ((node.name, node.attr["metadata"].s) for node in graph.node if "metadata" in node.attr)
    replaced = {name for name, tag in tagged if number in stages_in(tag.decode(errors="replace"))}
    if len(replaced) != 1:
        raise Impossible("the stage is not in the graph of the pipeline")
    new = _OURS + next(node.input[0] for node in other.node if node.op == "_Retval")
    for node in graph.node:
        for place, source in enumerate(node.input):
            if source.partition(":")[0] in replaced:
                node.input[place] = new
    for node in other.node:
        if node.op != "_Retval":
            copy = graph.node.add()
            copy.CopyFrom(node)
            copy.name = _OURS + node.name
            copy.input[:] = [f"^{_OURS}{i[1:]}" if i.startswith("^") else _OURS + i for i in node.input]
    known = {function.signature.name for function in graph.library.function}
    graph.library.function.extend(f for f in other.library.function if f.signature.name not in known)
    return graph
