"""Tracing the runtime for a moment."""

from __future__ import annotations

import glob
import importlib
import os
import shutil
import tempfile
import time
from typing import Any

from . import xplane
from .processor import Usage, time_python


class Tracer:
    """The profiler of TensorFlow, which only we may use while the code runs."""

    def __init__(self, within: str) -> None:
        self._within = within
        self._profiler = importlib.import_module("tensorflow.python.profiler.profiler_v2")
        self._start, self._stop = self._profiler.start, self._profiler.stop
        self._folder = ""
        self._began = 0.0
        self._before = Usage.now()
        self.seconds = 0.0
        self.is_wanted = False
        self.usage: dict[str, Any] = {}
        """Of the processors while it was traced."""
        self._is_tracing = False
        time_python(lambda: self._is_tracing)
        self._keep_the_code_from_tracing()

    def start(self) -> None:
        self._folder = tempfile.mkdtemp(dir=self._within)
        self._start(self._folder, self._options())
        self._is_tracing = True
        self._before = Usage.now()
        self._began = time.perf_counter()

    def _options(self) -> Any:
        return self._profiler.ProfilerOptions(host_tracer_level=2, python_tracer_level=0, device_tracer_level=1)

    @property
    def running_s(self) -> float:
        return time.perf_counter() - self._began

    def stop(self) -> Any:
        """The trace."""
        self.seconds = self.running_s
        self.usage = Usage.now().since(self._before)
        self._is_tracing = False
        self._stop()
        try:
            (path,) = glob.glob(os.path.join(self._folder, "**", "*.xplane.pb"), recursive=True)
            return xplane.load(path)
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _keep_the_code_from_tracing(self) -> None:
        experimental = importlib.import_module("tensorflow").profiler.experimental
        for module in (self._profiler, experimental):
            for name, function in (("start", self._note), ("stop", lambda *_, **__: None)):
                setattr(module, name, function)

    def _note(self, *_: Any, **__: Any) -> None:
        """The code wants a profile."""
        self.is_wanted = True
