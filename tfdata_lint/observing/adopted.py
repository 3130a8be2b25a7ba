"""Datasets that were made before anybody observed: which iterators of a trace are theirs, and where they were made.

The runtime gives a dataset that has no name one of its own, `MapDataset:7`, and carries it through its rewrites as it
does ours. The names are in the graph of a dataset. Where writing that out would copy much, they are matched by their
order: the runtime counts datasets as they are made.

In whose mapped function the operations of a graph were traced is in their tracebacks. For the other stages see `code`.
"""

from __future__ import annotations

import importlib
import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

from tfdata_lint.verify.agent import places
from tfdata_lint.verify.agent.recorder import Recorder, operation, with_those_inside

_NATIVE = re.compile(r"\b([A-Za-z]\w*Dataset\w*):(\d+)")
#: An operation that makes a dataset.
_MAKES = re.compile(r"Dataset(V\d+)?\Z")
_NUMBER = "_tfdata_lint_number"
#: A graph with larger tensors is not written out.
_LARGEST = 16 * 2**20
#: Numbers of those that are recorded when they are made are above those of all that were there before.
_FIRST = 10**9


class Adopting(Recorder):
    """The recorder of this process: there is one, as its numbers are in datasets that go on to live."""

    def __init__(self, is_internal: Callable[[], bool]) -> None:
        super().__init__(is_internal)
        self._numbers = itertools.count(_FIRST)
        self._older = itertools.count(1)
        self._native: dict[str, int] = {}
        """Names of the runtime → numbers."""
        self._nested: dict[str, int] = {}
        """Operations that make datasets in mapped functions → numbers. Each call makes another one."""
        self._unnamed: list[int] = []
        """Whose names are not known, in the order in which they were made."""

    def number(self, dataset: Any) -> int:
        if _NUMBER not in dataset.__dict__ and "_variant_tensor_attr" in dataset.__dict__:
            self.adopt(dataset)
        return super().number(dataset)

    def _record(self, dataset: Any) -> None:
        # Not all of them ask for their name before they are made.
        dataset.__dict__.setdefault(_NUMBER, next(self._numbers))
        super()._record(dataset)

    def adopt(self, dataset: Any) -> None:
        """Give numbers to all of its stages that have none. It is cheap, and consumes nothing."""
        pending = [one for one in _upstream(dataset) if _NUMBER not in one.__dict__]
        for one in pending:
            number = one.__dict__[_NUMBER] = next(self._older)
            self.datasets[number] = one
            self._note_format(one)
            self._rows[number] = {
                "id": number,
                "op": operation(type(one).__name__),
                "inputs": [self.number(above) for above in one._inputs()],
                "nested": self._adopt_nested(one),
                "frames": _frames(one),
                "spec": str(one.element_spec)[:200],
                "element_bytes": None,
            }
        if not pending:
            return
        try:
            names = _names(dataset)
        except Exception:
            # The graph cannot be written out: resources of another device, more than 2 GB, a TensorFlow we do not know.
            names = {}
        for one in pending:
            number = one.__dict__[_NUMBER]
            if name := names.get(id(one)):
                self._native[name] = number
            else:
                self._unnamed.append(number)

    def rows(self, numbers: list[int]) -> list[dict[str, Any]]:
        """The stages of these numbers, as the wire has them."""
        return [{**self._rows[n], "function_rows": self._function_rows(n)} for n in numbers if n in self._rows]

    def forget(self) -> None:
        """What is no more."""
        kept = {number for number in self._rows if number in self.datasets}
        kept |= {inside for number in kept for inside in self._rows[number]["nested"]}
        self._rows = {number: row for number, row in self._rows.items() if number in kept}
        self._native = {name: number for name, number in self._native.items() if number in kept}
        self._nested = {name: number for name, number in self._nested.items() if number in kept}
        self._unnamed = [number for number in self._unnamed if number in kept]
        self._not_own &= kept
        self._in_functions.clear()

    def label_in(self, space: Any) -> Callable[[str], str]:
        """Names of the runtime as ours; of those that nobody knows the count is left out: each file has one."""
        seen = {
            (int(count), kind)
            for plane in space.planes
            for stat in plane.stat_metadata.values()
            for kind, count in _NATIVE.findall(stat.name)
        }
        guessed = self._matched([(kind, f"{kind}:{count}") for count, kind in sorted(seen)])

        def known(found: re.Match[str]) -> str:
            number = self._native.get(found[0]) or guessed.get(found[0])
            if number is None:
                inside = self._nested.get(operation(found[1]))
                return found[1] if inside is None else f"tfl_{inside}"
            return f"tfl_{number}"

        return lambda name: _NATIVE.sub(known, name)

    def _matched(self, seen: list[tuple[str, str]]) -> dict[str, int]:
        """Of each kind the last made is the last in the trace: what a cache has made needless is at the beginning."""
        matched: dict[str, int] = {}
        free = [(operation(kind), name) for kind, name in seen if name not in self._native]
        for op in {op for op, _ in free}:
            numbers = [n for n in self._unnamed if n in self.datasets and self._rows[n]["op"] == op]
            names = [name for kind, name in free if kind == op]
            matched |= dict(zip(reversed(names), reversed(numbers), strict=False))
        return matched

    def _adopt_nested(self, dataset: Any) -> list[int]:
        """The datasets that its mapped function makes: one for each operation that makes one."""
        numbers = []
        for graph in with_those_inside(_graphs(dataset)):
            for made in graph.get_operations():
                if not _MAKES.search(made.type):
                    continue
                number = next(self._older)
                frames = _user_frames(made.traceback, named=made.type)
                self._rows[number] = {
                    "id": number, "op": operation(made.type), "inputs": [], "nested": [], "frames": frames, "spec": "",
                    "element_bytes": None,
                }  # fmt: skip
                self.datasets[number] = dataset
                self._nested[operation(made.type)] = number
                numbers.append(number)
        return numbers


def _upstream(dataset: Any) -> list[Any]:
    """It and all above, sources first."""
    order: dict[int, Any] = {}
    pending = [(dataset, False)]
    while pending:
        one, is_ready = pending.pop()
        if is_ready:
            order.setdefault(id(one), one)
        elif id(one) not in order:
            pending.append((one, True))
            pending += [(above, False) for above in reversed(one._inputs())]
    return list(order.values())


def _graphs(dataset: Any) -> Iterator[Any]:
    """Of its mapped functions, and of those of the dataset that it is a name for: records are read by a `flat_map`."""
    tensor = dataset._variant_tensor
    behind = (one for one in vars(dataset).values() if getattr(one, "_variant_tensor", None) is tensor)
    for one in (dataset, *behind):
        for function in one._functions():
            if hasattr(function, "function"):
                yield function.function.graph


def _names(dataset: Any) -> dict[int, str]:
    """`id` of each dataset upstream → its name in the runtime."""
    if _bytes_of(dataset) > _LARGEST:
        return {}
    graph_pb2 = importlib.import_module("tensorflow.core.framework.graph_pb2")
    metadata_pb2 = importlib.import_module("tensorflow.core.framework.dataset_metadata_pb2")
    ignore = importlib.import_module("tensorflow.python.data.ops.options").ExternalStatePolicy.IGNORE
    graph = graph_pb2.GraphDef()
    graph.ParseFromString(dataset._as_serialized_graph(external_state_policy=ignore).numpy())
    nodes = {node.name: node for node in graph.node}
    (last,) = (node for node in graph.node if node.op == "_Retval")
    names: dict[int, str] = {}
    seen: set[int] = set()
    pending = [(dataset, nodes[last.input[0].partition(":")[0]])]
    while pending:
        one, node = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        inputs = one._inputs()
        if len(inputs) == 1 and inputs[0]._variant_tensor is one._variant_tensor:
            # Only a Python object: `unbatch` wraps a dataset to change its structure, without an operation.
            pending.append((inputs[0], node))
            continue
        # Not every operation has a name.
        if name := metadata_pb2.Metadata.FromString(node.attr["metadata"].s).name:
            names[id(one)] = name.decode()
        above = [nodes[name.partition(":")[0]] for name in node.input if not name.startswith("^")]
        made = [other for other in above if _MAKES.search(other.op)]
        if len(made) == len(inputs):
            pending += zip(inputs, made, strict=True)
    return names


def _bytes_of(dataset: Any) -> int:
    """Of the tensors in a graph, as far as they can be seen."""
    tensor = importlib.import_module("tensorflow").Tensor
    flatten = importlib.import_module("tensorflow").nest.flatten
    size = 0
    for one in _upstream(dataset):
        held = [value for value in vars(one).values() if isinstance(value, (list, tuple, tensor))]
        captured = [graph.external_captures for graph in _graphs(one)]
        for value in flatten([held, captured]):
            if isinstance(value, tensor) and value.shape.is_fully_defined():
                size += int(value.shape.num_elements()) * max(1, value.dtype.size)
    return size


def _frames(dataset: Any) -> list[dict[str, Any]]:
    """Where the call is that had its mapped function traced; nothing where there is no function."""
    for graph in _graphs(dataset):
        for made in graph.get_operations():
            if frames := _user_frames(made.traceback, to=places.TRACES_FUNCTIONS):
                return frames
    return []


def _user_frames(traceback: Any, to: str = "", named: str = "") -> list[dict[str, Any]]:
    """Calls of the user's code in a traceback, innermost first; with `to`, up to where functions are traced.

    `named` is what the innermost one makes, which is called as its class may be.
    """
    frames = list(traceback)
    if to:
        end = max((at for at, frame in enumerate(frames) if frame.filename.endswith(to)), default=0)
        frames = frames[:end]
    found: list[dict[str, Any]] = []
    for at in range(len(frames) - 1, -1, -1):
        frame = frames[at]
        if places.is_user_file(frame.filename):
            called = "" if found or at + 1 >= len(frames) else frames[at + 1].name
            called = named if called == "__init__" else called
            found.append(places.place_of(frame.filename, frame.lineno, frame.name, called))
    return found[: places.FRAMES]
