"""What is patched, for all of it to be put back."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from typing import Any

_ABSENT = object()
#: Module, class or nothing, names: what `verify.agent` patches.
_TENSORFLOW = (
    ("tensorflow.python.data.ops.dataset_ops", "DatasetV2", ("__init__", "_metadata", "__iter__", "reduce")),
    ("tensorflow.python.data.ops.iterator_ops", "OwnedIterator", ("__next__",)),
    ("tensorflow.python.distribute.input_lib", "DistributedDataset", ("__init__", "__iter__")),
    ("tensorflow.python.distribute.input_lib", "DistributedIteratorBase", ("__next__",)),
    ("tensorflow.python.autograph.pyct.loader", "", ("load_ast",)),
    ("tensorflow.python.ops.script_ops", "FuncRegistry", ("__call__", "get")),
    ("tensorflow.python.data.ops.dataset_ops", "DatasetV2._GeneratorState", ("get_iterator",)),
    ("tensorflow.python.profiler.profiler_v2", "", ("start", "stop")),
    ("tensorflow", "profiler.experimental", ("start", "stop")),
)
_KERAS = ("fit", "evaluate", "predict")


class Patches:
    """Attributes as they are now, and as they are once they are patched."""

    def __init__(self, keras: Iterable[Any] = ()) -> None:
        self._before = [(owner, name, vars(owner).get(name, _ABSENT)) for owner, name in _owners(keras)]
        self._after: list[Any] = []

    def made(self) -> None:
        """They are patched now."""
        self._after = [vars(owner).get(name, _ABSENT) for owner, name, _ in self._before]

    def undo(self) -> None:
        """Put back what was there, where it is still ours: what somebody else has put over it stays."""
        for (owner, name, before), after in zip(self._before, self._after, strict=False):
            now = vars(owner).get(name, _ABSENT)
            if now is before or now is not after:
                continue
            if before is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, before)
        self._after = []


def _owners(keras: Iterable[Any]) -> Iterator[tuple[Any, str]]:
    for module, path, names in _TENSORFLOW:
        owner = importlib.import_module(module)
        for part in filter(None, path.split(".")):
            owner = getattr(owner, part)
        yield from ((owner, name) for name in names)
    for one in keras:
        yield from ((one.Model, name) for name in _KERAS)
