"""`Observe`, a callback of Keras: what `tfdata_lint.observe()` says, of one call of `fit`, `evaluate` or `predict`."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

from tfdata_lint.observing.api import SECONDS, check
from tfdata_lint.observing.evidence import NAME


def Observe(*, seconds: float = SECONDS, save: str | os.PathLike[str] | None = NAME, show: bool = True) -> Any:
    """A callback that observes the pipeline of the call that it is given to, for about so many seconds.

    `model.fit(dataset, callbacks=[tfdata_lint.keras.Observe()])`. At the end of that call the answers are shown
    (`show`), saved as JSON (`save`: a path, or None), and to be had as its `observation`. Nothing is patched but what a
    trace needs, and that is put back. Raises ValueError if `seconds` is not positive.
    """
    check(seconds)
    from tfdata_lint.observing.callback import callback

    name = "tf_keras" if "tf_keras" in sys.modules and "keras" not in sys.modules else "keras"
    return callback(importlib.import_module(name), seconds, save, show)
