"""What the random operations of a mapped function draw, while it is called with the elements that reach it."""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import places

#: Operations that draw. Others of that kind are not known here, and what they draw is not compared.
DRAWING = frozenset(
    f"{kind}{version}"
    for kind in (
        "RandomUniform", "RandomUniformInt", "RandomStandardNormal", "TruncatedNormal", "StatelessRandomUniform",
        "StatelessRandomUniformInt", "StatelessRandomUniformFullInt", "StatelessRandomNormal",
        "StatelessTruncatedNormal", "StatefulUniform", "StatefulUniformInt", "StatefulStandardNormal",
    )
    for version in ("", "V2")
)  # fmt: skip
_CALLING = ("PartitionedCall", "StatefulPartitionedCall")
#: What comes out of these is what goes in.
_PASSING = ("Identity", "StopGradient", "EnsureShape")
#: For calling the function.
_SECONDS = 5.0


class _Found(NamedTuple):
    calls: list[tuple[Any, Any]]
    """The operations that call the graph, each in the graph that the one before calls, with what it calls."""
    graph: Any
    image: list[Any]
    mask: list[Any]


def compare(graph: Any, above: Any, image: dict[str, Any], mask: dict[str, Any] | None, count: int) -> dict[str, Any]:
    """Call a mapped function with the first elements of the dataset above it, and compare what it draws in two places.

    `of` calls; in so many of them both draw the `same`. Without a second place: how many `distinct` draws there were,
    and whether something that may have pixels leaves the function as it came (`kept`). `missing`: nothing is drawn
    there, or not the same operations draw in both places.
    """
    # AutoGraph knows of the statements only where they begin.
    found = _drawing(graph, image, mask) or _drawing(graph, _statement(image), mask and _statement(mask))
    if found is None:
        return {"missing": True}
    rows = _rows(graph, found, above, count)
    if mask is None:
        return {"of": len(rows), "distinct": len(set(map(tuple, rows))), "kept": _keeps(found.graph)}
    many = len(found.image)
    return {"of": len(rows), "same": sum(row[:many] == row[many:] for row in rows)}


def _drawing(graph: Any, image: dict[str, Any], mask: dict[str, Any] | None) -> _Found | None:
    """The operations that draw in these places, in this graph or in one that it calls."""
    one = [operation for operation in _draws(graph) if _stands(operation, image)]
    other = [operation for operation in _draws(graph) if mask and _stands(operation, mask)]
    if one and one == other:
        # Two calls in one row: the first half of what is drawn there belongs to the first call.
        one, other = one[: len(one) // 2], one[len(one) // 2 :]
    if one and (mask is None or [o.type for o in one] == [o.type for o in other]):
        return _Found([], graph, one, other)
    for operation in graph.get_operations():
        if operation.type in _CALLING and not one:
            called = graph._functions.get(operation.get_attr("f").name)
            if hasattr(called, "graph") and (found := _drawing(called.graph, image, mask)):
                return found._replace(calls=[(operation, called.graph), *found.calls])
    return None


def _statement(place: dict[str, Any]) -> dict[str, Any]:
    """The rows of the statement around."""
    row, end_row = places.rows_of_statement(place["file"], place["row"]) or (place["row"], place["end_row"])
    return {**place, "row": row, "end_row": end_row}


def _draws(graph: Any) -> list[Any]:
    return [operation for operation in graph.get_operations() if operation.type in DRAWING]


def _stands(operation: Any, place: dict[str, Any]) -> bool:
    return any(
        place["row"] <= frame.lineno <= place["end_row"] and os.path.realpath(frame.filename) == place["file"]
        for frame in operation.traceback.get_user_frames()
    )


def _rows(graph: Any, found: _Found, above: Any, count: int) -> list[list[bytes]]:
    """What is drawn in each call."""
    tensorflow = importlib.import_module("tensorflow")
    structure = importlib.import_module("tensorflow.python.data.util.structure")
    spec = above.element_spec

    @tensorflow.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]
    def drawn(*element: Any) -> Any:
        given = structure.to_tensor_list(spec, element if type(spec) is tuple else element[0])
        given += map(tensorflow.compat.v1.get_default_graph().capture, (outside for outside, _ in graph.captures))
        outer = graph
        for operation, called in found.calls:
            given = _imported(tensorflow, outer, given, [one.name for one in operation.inputs])
            outer = called
        draws = [*found.image, *found.mask]
        return tuple(_imported(tensorflow, outer, given, [one.outputs[0].name for one in draws]))

    options = tensorflow.data.Options()
    options.deterministic = True
    rows: list[list[bytes]] = []
    until = time.monotonic() + _SECONDS
    for row in above.take(count).map(drawn).with_options(options):
        rows.append([part.numpy().tobytes() for part in row])
        if time.monotonic() > until:
            break
    return rows


def _imported(tensorflow: Any, graph: Any, given: Sequence[Any], names: Sequence[str]) -> list[Any]:
    """The values of these names in a graph whose inputs are what is given."""
    inputs = {inside.name: value for inside, value in zip(graph.inputs, given, strict=True)}
    values: list[Any] = tensorflow.graph_util.import_graph_def(
        graph.as_graph_def(), input_map=inputs, return_elements=list(names), name=""
    )
    return values


def _keeps(graph: Any) -> bool:
    """Does an input that may have pixels leave the function as it came?"""
    inputs = {id(one.op) for one in graph.inputs if one.shape.rank is None or one.shape.rank >= 2}
    for output in graph.outputs:
        while output.op.type in _PASSING:
            output = output.op.inputs[0]
        if id(output.op) in inputs:
            return True
    return False
