"""The callback of Keras: the steps of a `fit` as `verify.agent` takes them, and an observation around it."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from types import FrameType
from typing import Any

from tfdata_lint.observing.api import end
from tfdata_lint.observing.observation import Observation, now
from tfdata_lint.observing.session import Session
from tfdata_lint.verify.agent import places

#: Methods of a model → how Keras calls what goes on in them.
_KINDS = {"fit": "train", "evaluate": "test", "predict": "predict"}


def callback(keras: Any, seconds: float, save: str | os.PathLike[str] | None, show: bool) -> Any:
    """One for this Keras, which may be an older one than that of TensorFlow."""
    base: Any = keras.callbacks.Callback

    class Observe(base):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.observation = Observation("callback")
            self._session: Session | None = None
            self._watch: Any = None
            self._kind = ""
            self._begun: float | None = None
            self._batch = 0
            self._marker: Any = None
            self._when = now()

        # ── what Keras calls ────────────────────────────────────────────────────────────────────────────────────────

        def _begins(self, method: str) -> None:
            if self._session is not None:
                # A validation within the training.
                return
            self.observation = Observation("callback")
            self._when = now()
            self._session = session = Session(seconds)
            self._kind = _KINDS[method]
            session.begin(patching=False)
            if session.is_on:
                with suppress(Exception):
                    dataset = _dataset_of(sys._getframe(2), method)
                    self._watch = session.watch(dataset, method, places.user_frames()) if dataset is not None else None
                if self._watch is None and not session.problem:
                    session.problem = f"the argument of {method} is not a tf.data.Dataset"

        def _step(self, kind: str, batch: int) -> None:
            if kind != self._kind or self._watch is None or self._watch.done:
                self._end_marker()
                return
            self._end_marker()
            asked = time.perf_counter()
            if self._begun is not None and batch > self._batch:
                self._watch.step(asked - self._begun, batch - self._batch, begins=self._batch == 0)
                asked = time.perf_counter()
            self._begun, self._batch = asked, batch
            if self._watch.is_tracing and self._session:
                with suppress(Exception):
                    self._marker = self._session.step_marker(batch)

        def _pass_ends(self, kind: str) -> None:
            if kind == self._kind:
                self._end_marker()
                self._begun = None
                if self._watch is not None:
                    self._watch.pause()

        def _ends(self, kind: str) -> None:
            if kind != self._kind or self._session is None:
                return
            self._pass_ends(kind)
            session, self._session, self._watch = self._session, None, None
            end(self.observation, session, self._when, save, show)

        def _end_marker(self) -> None:
            if self._marker:
                self._marker.__exit__(None, None, None)
                self._marker = None

        def on_train_begin(self, logs: Any = None) -> None:
            self._begins("fit")

        def on_test_begin(self, logs: Any = None) -> None:
            # An epoch of training ends with its validation, before Keras says so.
            self._pass_ends("train")
            self._begins("evaluate")

        def on_predict_begin(self, logs: Any = None) -> None:
            self._begins("predict")

        def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
            self._step("train", batch)

        def on_test_batch_begin(self, batch: int, logs: Any = None) -> None:
            self._step("test", batch)

        def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None:
            self._step("predict", batch)

        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
            if self._watch is not None and self._kind == "train":
                self._watch.begins()

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            self._pass_ends("train")

        def on_train_end(self, logs: Any = None) -> None:
            self._ends("train")

        def on_test_end(self, logs: Any = None) -> None:
            self._ends("test")

        def on_predict_end(self, logs: Any = None) -> None:
            self._ends("predict")

    return Observe()


def _dataset_of(frame: FrameType | None, method: str) -> Any:
    """What the call of Keras was given that has begun: it is in the frame of that method."""
    while frame is not None:
        if frame.f_code.co_name == method and "x" in frame.f_locals and "self" in frame.f_locals:
            x = frame.f_locals["x"]
            return x if hasattr(x, "element_spec") and hasattr(x, "_variant_tensor") else None
        frame = frame.f_back
    return None
