"""Can an iterator over a dataset be saved with `tf.train.Checkpoint`? As measured on TensorFlow 2.21."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.pipeline.nouns.stages import Dataset, Join, Stage, tips, upstream
from tfdata_lint.pipeline.nouns.values import Constant

#: Effects of operations whose state is not saved. TensorFlow refuses to save an iterator that runs one of them.
_STATEFUL = frozenset({"py_function", "random", "generator", "variable_read", "variable_assign"})
#: Options with which TensorFlow may pass over such state.
_LENIENT = frozenset({"experimental_external_state_policy", "experimental_symbolic_checkpoint"})
#: What could be saved, and went on with the same elements.
_SAVED = frozenset(
    {"range", "from_tensors", "from_tensor_slices", "list_files", "TextLineDataset", "TFRecordDataset", "batch",
     "cache", "choose_from_datasets", "concatenate", "enumerate", "filter", "flat_map", "group_by_window",
     "interleave", "map", "padded_batch", "prefetch", "ragged_batch", "repeat", "sample_from_datasets", "scan",
     "shard", "shuffle", "skip", "take", "take_while", "unbatch", "unique", "window", "zip"}
)  # fmt: skip
#: Stages that may give their elements without asking those before them.
_KEEPING = frozenset({"cache", "snapshot", "load", "save"})


class Saving(NamedTuple):
    """Whether an iterator can be saved; where it cannot, the stage that prevents it, and why."""

    is_possible: bool
    stage: Stage | None = None
    reason: str = ""


def saving(dataset: Dataset) -> Saving | None:
    """What is proven about iterators over a dataset; None where nothing is."""
    options = _options(dataset)
    if options is None:
        return None
    blocked = _Blocks(has_policy=not options.isdisjoint(_LENIENT)).of(dataset)
    if blocked is not None:
        return blocked
    return Saving(True) if not options and all(map(_is_saved, _all(dataset, set()))) else None


def _options(dataset: Dataset) -> frozenset[str] | None:
    """The options that are set; None where they are not all known."""
    for stage in upstream(dataset):
        if stage.op == "with_options" and not stage.options:
            return None
    return frozenset(name for name, value in dataset.options.items() if not _is_default(value))


def _is_default(value: object) -> bool:
    return isinstance(value, Constant) and value.value is None


class _Blocks:
    """The stages that prevent it, whichever way the elements come. Each dataset is asked once."""

    deepest = 200
    """More joins, one within the other, are not followed."""

    def __init__(self, *, has_policy: bool) -> None:
        self._has_policy = has_policy
        self._known: dict[int, Saving | None] = {}

    def of(self, dataset: Dataset, depth: int = 0) -> Saving | None:
        if id(dataset) not in self._known:
            self._known[id(dataset)] = self._of(dataset, depth + 1) if depth < self.deepest else None
        return self._known[id(dataset)]

    def _of(self, dataset: Dataset, depth: int) -> Saving | None:
        if isinstance(dataset, Join):
            ways = [self.of(tip, depth) for tip in tips(dataset)]
            return ways[0] if all(ways) else None
        stage: Stage = dataset
        while True:
            if stage.op == "from_generator":
                return Saving(False, stage, "the position in a Python generator is not saved")
            if stage.is_opaque or stage.cls is not None or stage.op in _KEEPING:
                return None
            if not self._has_policy and (reason := _stateful(stage)):
                return Saving(False, stage, reason)
            if stage.nested is not None and (inside := self.of(stage.nested, depth)):
                return inside
            if len(stage.inputs) > 1 and stage.op != "concatenate":
                return next((found for part in stage.inputs if (found := self.of(part, depth))), None)
            if not stage.inputs:
                return None
            first = stage.inputs[0]
            if isinstance(first, Join):
                return self.of(first, depth)
            stage = first


def _stateful(stage: Stage) -> str:
    function = stage.function
    for effect in function.effects if function is not None else ():
        if effect.kind in _STATEFUL and not (effect.is_guess or effect.sometimes):
            return f"{effect.what} has state that is not saved"
    return ""


def _all(dataset: Dataset, seen: set[int]) -> Iterator[Stage]:
    """All stages before, and those of the pipelines in mapped functions, each once."""
    for stage in upstream(dataset):
        if id(stage) not in seen:
            seen.add(id(stage))
            yield stage
            if stage.nested is not None:
                yield from _all(stage.nested, seen)


def _is_saved(stage: Stage) -> bool:
    if stage.op == "parameter":
        return stage.nested_in is not None and not stage.inputs
    is_known = stage.op in _SAVED and stage.cls is None and not (stage.op == "cache" and stage.has("filename"))
    return is_known and (stage.function is None or stage.function.is_stateless)
