"""What a mapped function or a generator reads may be changed by others: then no fix that moves it is safe."""

from __future__ import annotations

from rows import each

from tfdata_lint import fix_source
from tfdata_lint.config.settings.model import Selection, Settings
from tfdata_lint.config.target import Target

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
    f"{_LAYER}vars(layer)['scale'] = scale",
    f"{_LAYER}layer.__init__(scale)",
    f"{_LAYER}layer.__setattr__('scale', scale)",
    f"{_LAYER}object.__setattr__(layer, 'scale', scale)",
    f"{_LAYER}list(map(setattr, [layer], ['scale'], [scale]))",
    f"{_LAYER}tf.nest.flatten([layer])[0].scale = scale",
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


READ = """\
import heapq
import random

import tensorflow as tf

held = tf.Variable(1.0)
{made}
ds = tf.data.Dataset.from_tensor_slices(tf.range(40.0)).map(lambda x: x * {read}).cache().take(3)
for epoch in range(3):
    print([float(x) for x in ds])
    held.assign_add(1.0)
"""

#: What is made, and what the function reads of it.
MOVED = [
    ("items = [2.0, held]\nitems.pop(0)", "items[0]"),
    ("items = [2.0, held]\nitems.reverse()", "items[0]"),
    ("items = [held, 2.0]\nitems.sort(key=str)", "items[0]"),
    ("items = [2.0, held]\nitems.remove(2.0)", "items[0]"),
    ("items = [2.0]\nitems.clear()\nitems.append(held)", "items[0]"),
    ("items = [2.0]\nitems += [held]\nitems.pop(0)", "items[0]"),
    ("items = [2.0, held]\ndel items[0]", "items[0]"),
    ("items = [2.0, held]\nrandom.shuffle(items)", "items[0]"),
    ("items = [2.0, held]\nheapq.heapify(items)", "items[0]"),
    ("items = {'of': [2.0, held]}\nitems['of'].reverse()", "items['of'][0]"),
    ("items = {'one': 2.0}\ndel items['one']\nitems.setdefault('one', held)", "items['one']"),
    ("one = 2.0\n[one := other for other in [held]]", "one"),
]
STILL = [
    ("items = [2.0, 3.0]\nitems.reverse()", "items[0]"),
    ("items = [2.0]\nitems.append(3.0)", "items[0]"),
    ("items = {'one': 2.0}\nitems['one'] = 3.0", "items['one']"),
    ("[one := other for other in [2.0, 3.0]]", "one"),
]

GENERATED = """\
import numpy as np
import tensorflow as tf

{made}


def generate():
    for i in range(12):
        {body}
        yield float(i) * {read}


ds = tf.data.Dataset.from_generator(generate, output_signature=tf.TensorSpec([])).batch(2)
seen = []
for x in ds:
    seen.append(x.numpy() * 2)
    {changed}
"""

#: What is made, done in the generator, read there, and done by the consumer: no proof is attempted that it is harmless.
SHARED = [
    ("", "print('making', i)", "1.0", "pass"),
    ("import logging", "logging.warning('making')", "1.0", "pass"),
    ("def box():\n    pass\n\n\nbox.one = 1.0", "pass", "box.one", "box.one += 1"),
    ("pair = ([1.0], 2)", "pass", "pair[0][0]", "pair[0][0] += 1"),
    ("", "pass", "1.0", "pass"),
]


def fixed(text: str, code: str, target: str = "") -> bool:
    """Is the fix of a rule safe?"""
    settings = Settings(
        command_line=Selection(select=(code,)), target_tensorflow=Target.parse(target, "test") if target else Target()
    )
    report = fix_source(text, settings=settings)
    found = [diagnostic for diagnostic in (*report.diagnostics, *report.fixed) if diagnostic.code == code]
    assert found, text
    return bool(report.fixed)


def is_safe(layer: str) -> bool:
    """Is the fix of TFD304 safe, which swaps `cache` and `take`?"""
    return fixed(PROGRAM.format(layer=layer), "TFD304")


@each("layer", CHANGED)
def test_layers_that_may_change(layer: str) -> None:
    assert not is_safe(layer)


@each("layer", KEPT)
def test_layers_that_stay(layer: str) -> None:
    assert is_safe(layer)


@each(("made", "read"), MOVED)
def test_what_is_held_elsewhere(made: str, read: str) -> None:
    assert not fixed(READ.format(made=made, read=read), "TFD304")


@each(("made", "read"), STILL)
def test_what_is_held_here(made: str, read: str) -> None:
    assert fixed(READ.format(made=made, read=read), "TFD304")


@each(("made", "body", "read", "changed"), SHARED)
def test_generators(made: str, body: str, read: str, changed: str) -> None:
    text = GENERATED.format(made=made, body=body, read=read, changed=changed)
    assert not fixed(text, "TFD101", "2.4")


GOES_ON = """\
import contextlib
import threading

import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices([1, 0, 2]).map(lambda x: 100 // x).cache().take(2)
it = iter(ds)
seen = []


def step():
    seen.append(int(next(it)))


for _ in range(4):
    {step}
"""


@each(
    "step",
    [
        "with contextlib.ExitStack() as stack:\n        stack.push(lambda *_: True)\n        step()",
        "threading.Thread(target=step).start()",
        "with (contextlib.suppress(Exception) if seen else contextlib.nullcontext()):\n        step()",
    ],
)
def test_who_goes_on_after_an_error(step: str) -> None:
    assert not fixed(GOES_ON.format(step=step), "TFD304")
