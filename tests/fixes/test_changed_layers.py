"""A Keras layer may be changed after it was made: then no fix that moves what calls it is safe."""

from __future__ import annotations

from rows import each

from tfdata_lint import fix_source
from tfdata_lint.config.settings.model import Selection, Settings

PROGRAM = """\
import sys

import tensorflow as tf


class Scales:
    def __init__(self):
        self.current = tf.Variable(1.0)


scale = vars(Scales())["current"]
more = [tf.keras.layers.Rescaling(scale)]
options = vars(Scales())
floats = tf.data.Dataset.range(100).map(lambda x: tf.cast(x, tf.float32))
{layer}
ds = floats.map(layer).cache().take(10)
for epoch in range(3):
    print(sum(float(x) for x in ds))
    scale.assign_add(1.0)
"""

_LAYER = "layer = tf.keras.layers.Rescaling(2.0)\n"
_MODEL = "layer = tf.keras.Sequential([tf.keras.layers.Rescaling(2.0)])\n"
_MAPPED = (
    "inner = tf.keras.layers.Rescaling(2.0)\ndef layer(x):\n    return inner(x)\n"
    "for x in floats.map(layer):\n    print(x)\n"
)

CHANGED = [
    "layer = tf.keras.layers.Rescaling(scale)",
    "layer = tf.keras.layers.Rescaling(**options)",
    "layer = tf.keras.layers.Rescaling(*options)",
    "class Own(tf.keras.layers.Rescaling):\n    pass\nlayer = Own(scale)",
    "class Own(tf.keras.layers.Rescaling):\n    pass\nlayer = Own(2.0)\nlayer.scale = scale",
    "class Own:\n    def __init__(self):\n        self.layer = tf.keras.layers.Rescaling(2.0)\n"
    "own = Own()\nown.layer.scale = scale\nlayer = own.layer",
    "layers = [tf.keras.layers.Rescaling(2.0)]\nlayers[0].scale = scale\nlayer = layers[0]",
    "import keras\nlayer = keras.layers.Rescaling(2.0)\nlayer.scale = scale",
    "layer = tf.compat.v1.keras.layers.Rescaling(2.0)\nlayer.scale = scale",
    f"{_LAYER}layer.scale = scale",
    f"{_LAYER}setattr(layer, 'scale', scale)",
    f"{_LAYER}layer.__dict__['scale'] = scale",
    f"{_LAYER}def change(one):\n    one.scale = scale\nchange(layer)",
    f"{_LAYER}from somewhere import configure\nconfigure(layer)",
    f"{_LAYER}def change(to):\n    layer.scale = to\nchange(scale)\nif sys.argv:\n    layer.scale = 2.0",
    f"{_LAYER}if sys.argv:\n    layer.scale = tf.Variable(2.0)\nelse:\n    layer.scale = 2.0",
    f"{_LAYER}other = layer if sys.argv else tf.keras.layers.Rescaling(2.0)\nother.scale = scale",
    f"{_MODEL}layer.add(layer=tf.keras.layers.Rescaling(scale))",
    f"{_MODEL}layer.add(*more)",
    f"{_MODEL}layer.layers[0].scale = scale",
    f"{_MODEL}for one in layer.layers:\n    one.scale = scale",
    f"{_MODEL}layer.get_layer('rescaling').scale = scale",
    f"{_MODEL}layer.call = lambda x: x * scale",
    "layer = tf.keras.Sequential(**options)\nlayer.add(tf.keras.layers.Rescaling(2.0))",
    f"{_MAPPED}inner.scale = scale",
    f"{_MAPPED}inner.scale = tf.Variable(2.0)",
]

KEPT = [
    _LAYER,
    _MODEL,
    f"{_LAYER}layer.trainable = False",
    f"{_MODEL}layer.trainable = False",
    f"{_LAYER}print(layer)",
    "layer = tf.keras.Sequential()\nlayer.add(tf.keras.layers.Rescaling(2.0))",
    "layer = tf.keras.layers.Rescaling(2.0, dtype=tf.keras.mixed_precision.Policy('float32'))",
    "layer = tf.keras.layers.Rescaling(2.0, name=f'{sys.argv}')",
    "layer = tf.keras.layers.Normalization(mean=2.0, variance=1.0)",
    "layer = tf.keras.layers.Activation('relu')",
    "def layer(x):\n    return tf.keras.layers.Rescaling(tf.constant(2.0))(x)",
    "import argparse\nargs = argparse.ArgumentParser().parse_args()\nlayer = tf.keras.layers.Rescaling(args.scale)",
]


def is_safe(layer: str) -> bool:
    """Is the fix of TFD304 safe, which swaps `cache` and `take`?"""
    text = PROGRAM.format(layer=layer)
    report = fix_source(text, settings=Settings(command_line=Selection(select=("TFD304",))))
    found = [diagnostic for diagnostic in (*report.diagnostics, *report.fixed) if diagnostic.code == "TFD304"]
    assert found, text
    return bool(report.fixed)


@each("layer", CHANGED)
def test_what_may_change_has_no_safe_fix(layer: str) -> None:
    assert not is_safe(layer)


@each("layer", KEPT)
def test_what_stays_keeps_its_fix(layer: str) -> None:
    assert is_safe(layer)
