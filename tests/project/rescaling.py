"""The networks of Keras that rescale their input themselves, found out by what is done to it beforehand: nothing.

`python tests/project/rescaling.py` writes them to `tfdata_lint/rules/correctness/rescaled_twice/table.py`.
It needs the newest TensorFlow that is known.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

FILE = Path(__file__).parents[2] / "tfdata_lint" / "rules" / "correctness" / "rescaled_twice" / "table.py"


def networks() -> dict[str, Any]:
    """The classes and functions that make one, by their names."""
    found = vars(tf.keras.applications)
    return {name: made for name, made in found.items() if name[:1].isupper() and callable(made)}


def rescaling() -> list[str]:
    """Those beside whose definition stands a `preprocess_input` that gives back what it is given."""
    pixels = np.arange(256, dtype="float32").reshape(16, 16, 1).repeat(3, axis=2)
    beside = {name: sys.modules[made.__module__] for name, made in networks().items()}
    return sorted(name for name, home in beside.items() if np.array_equal(home.preprocess_input(pixels.copy()), pixels))


def document() -> str:
    rows = "\n".join(f'    "{name}",' for name in rescaling())
    return f'''"""Networks of Keras that rescale their input. `python tests/project/rescaling.py` makes this file."""

from __future__ import annotations

RESCALING = frozenset({{
{rows}
}})  # fmt: skip
"""They take pixels from 0 to 255, and divide by themselves."""
'''


if __name__ == "__main__":
    FILE.write_text(document(), encoding="utf-8")
