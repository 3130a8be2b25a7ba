"""How many bytes stages hold, where buffers, shapes and dtypes are known."""

from __future__ import annotations

from tfdata_lint.pipeline.nouns.counts import length
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.results import size_of
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage
from tfdata_lint.pipeline.nouns.structure import bytes_in, leaves

#: The elements that come out of these are those that go in.
_SAME = frozenset({"same", "some"})


def held(stage: Stage) -> int | None:
    """The bytes that a full buffer of `shuffle` or `prefetch` holds, or a full `cache` in memory; None: not known."""
    if len(stage.inputs) != 1 or stage.cls is not None:
        return None
    given = stage.inputs[0]
    if stage.op == "cache" and not stage.has("filename"):
        return _whole(given)
    buffer = stage.literal("buffer_size") if stage.op in ("shuffle", "prefetch") else None
    if not isinstance(buffer, int) or isinstance(buffer, bool) or buffer < 1:
        return None
    element, whole = element_bytes(given), _whole(given)
    return None if element is None else buffer * element if whole is None else min(buffer * element, whole)


@recursive
def element_bytes(dataset: Dataset) -> int | None:
    """The bytes of an element, of a full batch where the last one may be smaller; None where that is not known."""
    sizes = [bytes_in(leaf) for leaf in leaves(structure_of(dataset))]
    known = [size for size in sizes if size is not None]
    if len(known) == len(sizes):
        return sum(known)
    if not isinstance(dataset, Stage) or len(dataset.inputs) != 1:
        return None
    if dataset.operation.gives in _SAME:
        return element_bytes(dataset.inputs[0])
    if dataset.op == "batch" and (count := size_of(dataset.literal("batch_size"))):
        element = element_bytes(dataset.inputs[0])
        return None if element is None else count * element
    return None


@recursive
def _whole(dataset: Dataset) -> int | None:
    """The bytes of all elements."""
    if isinstance(dataset, Stage) and dataset.op == "batch" and dataset.literal("drop_remainder", False) is False:
        return _whole(dataset.inputs[0])
    count, element = length(dataset), element_bytes(dataset)
    return None if count is None or element is None else count * element
