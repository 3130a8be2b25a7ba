"""Another text in place of a file: what is measured before it is written, and the code of a notebook."""

from __future__ import annotations

import importlib.machinery
import linecache
import os
from collections.abc import Mapping
from typing import Any


class Overlay:
    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = {os.path.realpath(path): text for path, text in texts.items()}

    def read(self, path: str) -> bytes:
        text = self._texts.get(os.path.realpath(path))
        if text is not None:
            return text.encode()
        with open(path, "rb") as file:
            return file.read()

    def install(self) -> None:
        """Imports see the other text too, and never a compiled file of the one on disk.

        So does who asks for the source of a function, as AutoGraph does of each that is mapped.
        """
        if not self._texts:
            return
        loader: Any = importlib.machinery.SourceFileLoader
        get_data, get_code = loader.get_data, loader.get_code

        def data(this: Any, path: str) -> bytes:
            return self.read(path) if os.path.realpath(path) in self._texts else get_data(this, path)

        def code(this: Any, name: str) -> Any:
            path = this.get_filename(name)
            if os.path.realpath(path) not in self._texts:
                return get_code(this, name)
            return this.source_to_code(self.read(path), path)

        get_lines = linecache.getlines

        def lines(filename: str, module_globals: dict[str, Any] | None = None) -> list[str]:
            text = self._texts.get(os.path.realpath(filename))
            return get_lines(filename, module_globals) if text is None else text.splitlines(keepends=True)

        loader.get_data, loader.get_code = data, code
        linecache.getlines = lines
