"""What rows say of draws, and of what takes a drawn tensor, against the installed TensorFlow, NumPy and Python."""

from __future__ import annotations

import contextlib
import random
from operator import attrgetter
from typing import Any

import numpy
import pytest

from tfdata_lint.pipeline.knowledge.functions import ROWS, known

DRAWS = [name for name in ROWS if known(name).draws]
KEEPING = [name for name in ROWS if known(name).gives == "same" and not known(name).dtype]
#: Those of them that take more than an image, say.
FURTHER: dict[str, tuple[Any, ...]] = {
    "clip_by_norm": (1,), "clip_by_value": (0, 1), "debugging.check_numerics": ("",), "reverse": ([0],), "roll": (1, 0),
    "image.adjust_brightness": (0.1,), "image.adjust_contrast": (2.0,), "image.adjust_hue": (0.1,),
    "image.adjust_jpeg_quality": (50,), "image.adjust_saturation": (2.0,), "image.random_brightness": (0.1,),
    "image.random_contrast": (0.1, 0.5), "image.random_hue": (0.1,), "image.random_jpeg_quality": (50, 80),
    "image.random_saturation": (0.1, 0.5), "image.stateless_random_brightness": (0.1, (1, 2)),
    "image.stateless_random_contrast": (0.1, 0.5, (1, 2)), "image.stateless_random_flip_left_right": ((1, 2),),
    "image.stateless_random_flip_up_down": ((1, 2),), "image.stateless_random_hue": (0.1, (1, 2)),
    "image.stateless_random_jpeg_quality": (50, 80, (1, 2)), "image.stateless_random_saturation": (0.1, 0.5, (1, 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAWS)
def test_draws_have_their_counterparts(name: str, tf: Any) -> None:
    assert callable(getattr(tf.random, known(name).draws))
    module, *path = name.replace("*", "Random" if name.startswith("random.") else "RandomState").split(".")
    assert callable(attrgetter(".".join(path))({"random": random, "numpy": numpy}[module]))


@pytest.mark.parametrize("name", KEEPING)
def test_operations_keep_their_first_argument(name: str, tf: Any) -> None:
    path = name.removeprefix("tensorflow.")
    library = next(library for library in (tf, tf.math, tf.compat.v1) if _has(library, path))
    kept = []
    for dtype in ("bool", "uint8", "int32", "float32", "float64"):
        given = tf.cast(tf.ones([16, 16, 3]), dtype)
        with contextlib.suppress(AttributeError, TypeError, ValueError, tf.errors.OpError):
            result = attrgetter(path)(library)(given, *FURTHER.get(path, ()))
            kept.append((result.dtype, result.shape) == (given.dtype, given.shape))
    assert kept
    assert all(kept)


def _has(library: Any, path: str) -> bool:
    try:
        return callable(attrgetter(path)(library))
    except AttributeError:
        return False
