"""What the pages say of Keras in pipelines: layers in mapped functions, losses and labels, models that rescale."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tensorflow as tf
from run import claim, raises

VERSION = tuple(int(part) for part in tf.__version__.split(".")[:2])
Dataset = tf.data.Dataset
layers = tf.keras.layers


# TFD210 variables-made-in-map


def in_map(function: Callable[[Any], Any], *shape: int) -> str:
    """What is raised where a dataset of zeros is mapped by it."""
    zeros = Dataset.from_tensor_slices(tf.zeros([2, *shape])).batch(2)
    return raises(lambda: list(zeros.map(function)))


IN_VECTORS: dict[str, Callable[[], Any]] = {
    "BatchNormalization": layers.BatchNormalization,
    "Dense": lambda: layers.Dense(2),
    "EinsumDense": lambda: layers.EinsumDense("ab,bc->ac", output_shape=3),
    "Embedding": lambda: layers.Embedding(3, 2),
    "LayerNormalization": layers.LayerNormalization,
    "PReLU": layers.PReLU,
}
IN_SERIES: dict[str, Callable[[], Any]] = {
    "Bidirectional": lambda: layers.Bidirectional(layers.LSTM(2)),
    "Conv1D": lambda: layers.Conv1D(2, 3),
    "Conv1DTranspose": lambda: layers.Conv1DTranspose(2, 3),
    "DepthwiseConv1D": lambda: layers.DepthwiseConv1D(3),
    "GRU": lambda: layers.GRU(2),
    "LSTM": lambda: layers.LSTM(2),
    "SeparableConv1D": lambda: layers.SeparableConv1D(2, 3),
    "SimpleRNN": lambda: layers.SimpleRNN(2),
}
IN_IMAGES: dict[str, Callable[[], Any]] = {
    "Conv2D": lambda: layers.Conv2D(2, 3),
    "Conv2DTranspose": lambda: layers.Conv2DTranspose(2, 3),
    "DepthwiseConv2D": lambda: layers.DepthwiseConv2D(3),
    "GroupNormalization": lambda: layers.GroupNormalization(1),
    "SeparableConv2D": lambda: layers.SeparableConv2D(2, 3),
    "RandomBrightness": lambda: layers.RandomBrightness(0.1),
    "RandomContrast": lambda: layers.RandomContrast(0.1),
    "RandomCrop": lambda: layers.RandomCrop(4, 4),
    "RandomFlip": layers.RandomFlip,
    "RandomRotation": lambda: layers.RandomRotation(0.1),
    "RandomTranslation": lambda: layers.RandomTranslation(0.1, 0.1),
    "RandomZoom": lambda: layers.RandomZoom(0.1),
}


@claim("TFD210", "tf.function only supports singleton tf.Variables created on the first call")
def layers_cannot_be_made_in_a_graph() -> None:
    expected = "" if VERSION < (2, 13) else "ValueError"
    for makers, shape in ((IN_VECTORS, (8,)), (IN_SERIES, (8, 3)), (IN_IMAGES, (8, 8, 3))):
        for name, make in makers.items():
            assert in_map(lambda x, make=make: make()(x), *shape) == expected, name
    assert in_map(lambda x: (tf.Variable(1.0), x)[1], 8) == expected
    assert in_map(lambda x: (tf.keras.optimizers.Adam(), x)[1], 8) == expected
    assert in_map(lambda x: (tf.keras.metrics.Mean(), x)[1], 8) == expected


@claim("TFD210", "Layers that drop values or add noise make a variable in Keras 3 alone, from TensorFlow 2.16 on")
def dropping_layers_in_a_graph() -> None:
    expected = "" if VERSION < (2, 16) else "ValueError"
    for make in (layers.AlphaDropout, layers.Dropout, layers.GaussianDropout, layers.GaussianNoise):
        assert in_map(lambda x, make=make: make(0.5)(x), 8) == expected, make


@claim("TFD210", "TensorFlow 2.12 lets all of them pass: a layer gets new weights each time that a function is traced")
def each_trace_has_weights_of_its_own() -> None:
    if VERSION < (2, 13):
        ones = Dataset.from_tensor_slices(tf.ones([1, 8])).batch(1)
        first, second = (next(iter(ones.map(lambda x: layers.Dense(2)(x)))) for _ in range(2))
        assert bool(tf.reduce_any(first != second))


# TFD430 convert-of-floats


@claim("TFD430", "Floats it takes for numbers from 0 to 1, and gives them back as they are")
def floats_are_not_scaled() -> None:
    pixels = tf.fill([2, 2, 3], tf.constant(200, tf.uint8))
    scaled = tf.image.convert_image_dtype(pixels, tf.float32)
    assert abs(float(tf.reduce_max(scaled)) - 200 / 255) < 1e-6
    for floats in (tf.cast(pixels, tf.float32), tf.image.resize(pixels, [4, 4])):
        assert float(tf.reduce_max(tf.image.convert_image_dtype(floats, tf.float32))) == 200


# TFD431 rescaled-twice


@claim("TFD431", "The first layer divides them, and `preprocess_input` of their modules gives back what it is given")
def networks_rescale() -> None:
    applications = tf.keras.applications
    pixels = tf.fill([1, 2, 2, 3], 200.0)
    for home in (applications.efficientnet, applications.efficientnet_v2, applications.mobilenet_v3):
        assert bool(tf.reduce_all(home.preprocess_input(pixels) == pixels)), home
    for make in (applications.EfficientNetB0, applications.EfficientNetV2B0, applications.MobileNetV3Small):
        network = make(weights=None, include_top=False, input_shape=(32, 32, 3))
        kinds = [type(layer).__name__ for layer in network.layers[:3]]
        assert "Rescaling" in kinds, (make, kinds)


# TFD433 labels-against-loss


def trained(loss: str, labels: Any, units: int) -> float | None:
    """The loss after an epoch of a small model; None where that fails."""
    model = tf.keras.Sequential([layers.Dense(units, activation="softmax" if units > 1 else "sigmoid")])
    model.compile(loss=loss)
    data = Dataset.from_tensor_slices((tf.zeros([10, 4]), labels)).batch(5)
    try:
        return float(model.fit(data, verbose=0).history["loss"][0])
    except (ValueError, tf.errors.OpError):
        return None


NUMBERS = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0]
COLUMN = [[float(number > 0)] for number in NUMBERS]


@claim("TFD433", "The worst is the loss that is 0: nothing fails, and the model learns nothing")
def labels_and_losses() -> None:
    one_hot = tf.one_hot(NUMBERS, 3)
    assert trained("categorical_crossentropy", NUMBERS, 3) is None
    assert trained("categorical_crossentropy", COLUMN, 2) is None
    assert trained("categorical_crossentropy", one_hot, 4) is None
    assert trained("sparse_categorical_crossentropy", one_hot, 3) is None
    assert trained("sparse_categorical_crossentropy", NUMBERS, 1) is None
    assert trained("binary_crossentropy", NUMBERS, 2) is None
    assert trained("binary_crossentropy", COLUMN, 2) is None
    assert trained("binary_crossentropy", one_hot, 1) is None
    for labels in (NUMBERS, COLUMN):
        assert abs(trained("categorical_crossentropy", labels, 1) or 0) < 1e-5


# TFD434 unshifted-targets


@claim("TFD434", "The target of a window is the row of `targets` at which the window *begins*")
def windows_begin_with_their_target() -> None:
    series = tf.range(30.0).numpy()
    windows = tf.keras.utils.timeseries_dataset_from_array(series, targets=series, sequence_length=5, batch_size=4)
    for window, target in windows:
        assert bool(tf.reduce_all(window[:, 0] == target))


# TFD435 unsorted-labels


@claim("TFD435", "Keras sorts the files by their paths, though its documentation speaks of `os.walk`")
def keras_sorts_files() -> None:
    for folder in ("z", "b", "a"):
        Path("images", folder).mkdir(parents=True)
        for name in ("9", "10", "x", "1"):
            picture = tf.io.encode_png(tf.zeros([2, 2, 3], tf.uint8))
            tf.io.write_file(f"images/{folder}/{name}.png", picture)
    walked = [os.path.join(folder, name) for folder, _, names in os.walk("images") for name in names]
    labels = list(range(len(walked)))
    images = tf.keras.utils.image_dataset_from_directory("images", labels=labels, shuffle=False, batch_size=1)
    assert images.file_paths == sorted(walked)
    assert [int(label[0]) for _, label in images] == labels
