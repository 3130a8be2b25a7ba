"""Every dataset that the code makes gets a number, which the runtime carries through all its rewrites into a trace."""

from __future__ import annotations

import importlib
import itertools
import json
import re
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from . import places

_TAG = re.compile(r"tfl_(\d+)")
_DRAWING = re.compile(r"Random|Rng|Stateful(?!Partitioned)|TruncatedNormal|Multinomial|SampleDistorted")


class Unsupported(Exception):
    """TensorFlow's internals are not as they were when this was written."""


class Recorder:
    """The stages, as the wire has them, and the living datasets by number."""

    def __init__(self, is_internal: Callable[[], bool]) -> None:
        self._is_internal = is_internal
        """Is what is made right now none of the code's own?"""
        self.datasets: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self._numbers = itertools.count(1)
        self._rows: dict[int, dict[str, Any]] = {}
        self._sent = 0
        self._not_own: set[int] = set()
        self.operations: set[str] = set()
        self.compression = ""
        """Of the record files that are read."""
        self.record_bytes = 1
        # Made while a mapped function was traced, with its graph: until the stage that it belongs to is made.
        self._in_functions: list[tuple[int, Any]] = []

    def install(self) -> None:
        """Tag all datasets made from now on, and see that the tag really arrives."""
        try:
            self._patch()
            places.install()
            arrived = self._arrives()
        except Exception as error:
            raise Unsupported(f"{type(error).__name__}: {error}") from error
        if not arrived:
            raise Unsupported("the names of datasets do not reach the runtime")

    def number(self, dataset: Any) -> int:
        """The number of a dataset; from the moment that its name is asked for, which is before it is made."""
        known: int | None = dataset.__dict__.get("_tfdata_lint_number")
        if known is None:
            known = dataset.__dict__["_tfdata_lint_number"] = next(self._numbers)
        return known

    def stages_of(self, number: int) -> list[int]:
        """A stage and everything upstream, sources first."""
        order: dict[int, None] = {}
        pending = [number]
        while pending:
            current = pending.pop()
            if current in order or current not in self._rows:
                continue
            order[current] = None
            pending += self._rows[current]["inputs"] + self._rows[current]["nested"]
        return sorted(order)

    def frames(self, number: int) -> list[dict[str, Any]]:
        frames: list[dict[str, Any]] = self._rows[number]["frames"]
        return frames

    def is_own(self, number: int) -> bool:
        """Has the code made it, outside of any graph?"""
        return number not in self._not_own

    def ends(self) -> list[int]:
        """Datasets of the user's code that nothing was built upon, still alive, in the order of their making."""
        own = [row for row in self._rows.values() if row["id"] not in self._not_own]
        used = {above for row in own for above in row["inputs"]}
        # Of several that one call has made the last is the one that the code has got.
        last = {json.dumps(row["frames"]): row["id"] for row in own}
        ends = [row for row in own if row["frames"] and row["id"] in self.datasets and row["id"] not in used]
        return [row["id"] for row in ends if last[json.dumps(row["frames"])] == row["id"]]

    def eager(self, dataset: Any) -> Any:
        """The code's own dataset behind one that a tf.function was given: the newest like it. None: who knows."""
        number = self.number(dataset)
        if number in self._rows and number not in self._not_own:
            return dataset
        alike = (self.datasets.get(number) for number in reversed(self.ends()))
        return next((d for d in alike if d is not None and d.element_spec == dataset.element_spec), None)

    def news(self) -> list[dict[str, Any]]:
        """The stages made since this was last asked."""
        rows = list(self._rows.values())[self._sent :]
        self._sent += len(rows)
        return [
            {**row, "function_rows": self._function_rows(number), "draws": draws(self.datasets.get(number))}
            for number, row in ((row["id"], row) for row in rows)
        ]

    def _patch(self) -> None:
        ops = importlib.import_module("tensorflow.python.data.ops.dataset_ops")
        metadata_pb2 = importlib.import_module("tensorflow.core.framework.dataset_metadata_pb2")
        dataset_class = ops.DatasetV2
        make = dataset_class.__init__

        def metadata(dataset: Any) -> Any:
            return metadata_pb2.Metadata(name=f"tfl_{self.number(dataset)}".encode())

        def init(dataset: Any, variant_tensor: Any) -> None:
            make(dataset, variant_tensor)
            self._record(dataset)

        if not isinstance(dataset_class._metadata, property):
            raise Unsupported("Dataset._metadata is not a property")
        dataset_class._metadata = property(metadata)
        dataset_class.__init__ = init

    def _record(self, dataset: Any) -> None:
        number = self.number(dataset)
        self.datasets[number] = dataset
        self._note_format(dataset)
        self._rows[number] = {
            "id": number,
            "op": operation(type(dataset).__name__),
            "inputs": [self.number(above) for above in _above(dataset)],
            "nested": self._nested_in(dataset),
            "frames": places.user_frames(),
            "spec": str(dataset.element_spec)[:200],
            "element_bytes": _size(dataset),
        }
        ops = importlib.import_module("tensorflow.python.framework.ops")
        if not ops.executing_eagerly_outside_functions() or ops.inside_function():
            self._in_functions.append((number, ops.get_default_graph()))
            self._not_own.add(number)
        elif self._is_internal():
            self._not_own.add(number)

    def label_in(self, space: Any) -> Callable[[str], str]:
        """What makes of a name in this trace one that tells the numbers of stages: all have been given theirs."""
        return str

    def functions(self) -> list[Any]:
        """The graphs of the mapped functions."""
        return [graph for dataset in self.datasets.values() for graph in graphs_of(dataset)]

    def _note_format(self, dataset: Any) -> None:
        self.operations.add(operation(type(dataset).__name__))
        if isinstance(compression := getattr(dataset, "_compression_type", None), str):
            self.compression = compression
        if isinstance(size := getattr(dataset, "_record_bytes", None), int):
            self.record_bytes = size

    def _nested_in(self, dataset: Any) -> list[int]:
        """The datasets that its mapped function makes."""
        graphs = graphs_of(dataset)
        nested = [number for number, graph in self._in_functions if any(_is_within(graph, g) for g in graphs)]
        self._in_functions = [(number, graph) for number, graph in self._in_functions if number not in nested]
        return nested

    def _function_rows(self, number: int) -> dict[str, list[int]]:
        """Where the code of its mapped functions stands, by file; of those that they call, too."""
        dataset = self.datasets.get(number)
        rows: dict[str, set[int]] = {}
        # Without this much the code can be observed: it is of use for findings inside of functions.
        with suppress(AttributeError):
            for graph in with_those_inside(graphs_of(dataset) if dataset is not None else ()):
                for file, found in places.function_rows(graph).items():
                    rows.setdefault(file, set()).update(found)
        return {file: sorted(found) for file, found in rows.items()}

    def _arrives(self) -> bool:
        """In a graph of its own: the code may still want to set up devices, which nothing must have used yet."""
        tensorflow = importlib.import_module("tensorflow")
        with tensorflow.Graph().as_default() as graph:
            number = self.number(tensorflow.data.Dataset.range(1))
            arrived = f"tfl_{number}".encode() in graph.as_graph_def().SerializeToString()
        del self._rows[number]
        self._in_functions.clear()
        self._not_own.clear()
        return arrived


def stages_in(name: str) -> list[int]:
    """The numbers in a name that the runtime gives: `fused(tfl_2,tfl_3)` is 2 and 3."""
    return [int(number) for number in _TAG.findall(name)]


def operation(name: str) -> str:
    """A name of the runtime as the field says it: `_ParallelMapDataset` and `ParallelMapV2` are `ParallelMap`."""
    return re.sub(r"Dataset|V\d+|Op$|^_|\[\d+\]", "", name) or name


def graphs_of(dataset: Any) -> list[Any]:
    """The graphs of the functions that a dataset is made with."""
    return [function.function.graph for function in dataset._functions() if hasattr(function, "function")]


def draws(dataset: Any) -> bool:
    """Does its function make random numbers? Those of a seed that it is given with each element are the same again."""
    # As for the rows of functions: without it, too, the code can be observed.
    with suppress(AttributeError):
        graphs = with_those_inside(graphs_of(dataset) if dataset is not None else ())
        return any(_DRAWING.match(made.type) for graph in graphs for made in graph.get_operations())
    return False


def with_those_inside(graphs: Iterable[Any]) -> Iterator[Any]:
    """Graphs, and those of the functions that they call: branches, loops, tf.functions."""
    pending, seen = list(graphs), set()
    while pending:
        graph = pending.pop()
        if id(graph) not in seen:
            seen.add(id(graph))
            yield graph
            pending += [inside.graph for inside in graph._functions.values() if hasattr(inside, "graph")]


def _above(dataset: Any) -> Iterable[Any]:
    """What it takes its elements from. A reader hides it in another dataset, which does the work."""
    inner = getattr(dataset, "_impl", None)
    return dataset._inputs() if inner is None or not hasattr(inner, "_variant_tensor") else (inner,)


def _is_within(graph: Any, outer: Any) -> bool:
    while graph is not None and graph is not outer:
        graph = getattr(graph, "outer_graph", None)
    return graph is outer


def _size(dataset: Any) -> int | None:
    """The bytes of an element, if its spec tells; an unknown first dimension is that of the batch."""
    tensorflow = importlib.import_module("tensorflow")
    batch = _batch_size(dataset)
    total = 0
    for spec in tensorflow.nest.flatten(dataset.element_spec):
        shape, dtype = getattr(spec, "shape", None), getattr(spec, "dtype", None)
        if shape is None or shape.rank is None or dtype is None or dtype == tensorflow.string or not dtype.size:
            return None
        sizes = shape.as_list()
        if sizes and sizes[0] is None:
            sizes[0] = batch
        if None in sizes:
            return None
        count = 1
        for size in sizes:
            count *= size
        total += count * dtype.size
    return total


def _batch_size(dataset: Any) -> int | None:
    tensor_util = importlib.import_module("tensorflow.python.framework.tensor_util")
    while dataset is not None:
        if hasattr(dataset, "_batch_size"):
            size = tensor_util.constant_value(dataset._batch_size)
            return None if size is None else int(size)
        above = dataset._inputs()
        dataset = above[0] if len(above) == 1 else None
    return None
