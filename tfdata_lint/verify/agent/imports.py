"""Hearing of it when the code imports a module: it is the code that says when, and what it sets up before."""

from __future__ import annotations

import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any


class Listener:
    """A finder in front of all others that finds nothing itself. It is told before, and after, with the module.

    There is no module if the import has failed: Keras tries and fails while TensorFlow is not yet complete.
    """

    def __init__(
        self, before: Callable[[str], None], after: Callable[[str, ModuleType | None], None], names: Sequence[str]
    ) -> None:
        self._before = before
        self._after = after
        self._names = set(names)

    def install(self) -> None:
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if name not in self._names:
            return None
        found = (f.find_spec(name, path, target) for f in sys.meta_path if f is not self and hasattr(f, "find_spec"))
        spec = next((spec for spec in found if spec is not None), None)
        if spec is not None and spec.loader is not None:
            self._listen(name, spec.loader)
        return spec

    def _listen(self, name: str, loader: Any) -> None:
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            self._before(name)
            complete = None
            try:
                execute(module)
                complete = module
                self._names.discard(name)
            finally:
                self._after(name, complete)

        loader.exec_module = exec_module
