"""Which losses of Keras refuse which form of labels, found out by training with each.

`python tests/project/losses.py` writes it to `tfdata_lint/rules/correctness/labels_against_loss/table.py`.
It needs the newest TensorFlow that is known.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

FILE = Path(__file__).parents[2] / "tfdata_lint" / "rules" / "correctness" / "labels_against_loss" / "table.py"

_CLASSES = 3
#: Outputs of the model. Where nothing can be wrong, as with one class alone, the loss is next to 0.
_UNITS = (1, 2, _CLASSES, 4)
_NOTHING = 1e-5
#: As many outputs would be compared with the labels of a batch, whatever is meant.
_BATCH = 5
_INDICES = np.arange(2 * _BATCH) % _CLASSES
_LABELS = {
    "indices": _INDICES,
    "column": (_INDICES[:, None] > 0).astype("float32"),
    "one_hot": np.eye(_CLASSES, dtype="float32")[_INDICES],
}


def refuses(loss: str, labels: np.ndarray[Any, Any]) -> bool:
    """Is there no number of outputs with which a model learns anything from these labels?"""
    return not any(_learns(loss, labels, units) for units in _UNITS)


def _learns(loss: str, labels: np.ndarray[Any, Any], units: int) -> bool:
    tf.keras.utils.set_random_seed(1)
    model = tf.keras.Sequential([tf.keras.layers.Dense(units, activation="softmax" if units > 1 else "sigmoid")])
    model.compile(loss=getattr(tf.keras.losses, loss)())
    data = tf.data.Dataset.from_tensor_slices((np.random.rand(2 * _BATCH, 4).astype("float32"), labels)).batch(_BATCH)
    try:
        history = model.fit(data, verbose=0)
    except (ValueError, TypeError, tf.errors.OpError):
        return False
    return bool(abs(history.history["loss"][0]) > _NOTHING)


def losses() -> dict[str, str]:
    """The names of the functions among the losses, each with that of its class."""
    names = vars(tf.keras.losses)
    functions = [name for name in names if name.islower() and "_" in name and callable(names[name])]
    classes = {name.lower(): name for name in names if name[:1].isupper()}
    known = {name: classes.get(name.replace("_", ""), "") for name in functions}
    return {name: kind for name, kind in sorted(known.items()) if kind}


def refused() -> dict[str, tuple[str, ...]]:
    found = {}
    for name, kind in losses().items():
        forms = tuple(form for form, labels in _LABELS.items() if refuses(kind, labels))
        if forms:
            found[name] = found[kind] = forms
    return found


def document() -> str:
    rows = "\n".join(
        f'    "{name}": ({", ".join(map(_quoted, forms))},),'
        if len(forms) == 1
        else f'    "{name}": ({", ".join(map(_quoted, forms))}),'
        for name, forms in sorted(refused().items())
    )
    return f'''"""Losses of Keras and the labels that they refuse. `python tests/project/losses.py` makes this file."""

from __future__ import annotations

REFUSED: dict[str, tuple[str, ...]] = {{
{rows}
}}
"""By the name of the function or class: forms of labels with which no model learns anything, whatever its outputs."""
'''


def _quoted(word: str) -> str:
    return f'"{word}"'


if __name__ == "__main__":
    FILE.write_text(document(), encoding="utf-8")
