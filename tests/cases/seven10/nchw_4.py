"""Layout is a setting shared by the input pipeline and the network."""
import json
from typing import NamedTuple

import tensorflow as tf

SETTINGS = json.loads('{"layout": "NCHW", "size": 224, "batch": 1024, "tpu": "v4-8"}')


class Layout(NamedTuple):
    keras: str
    axis: int
    perm: tuple | None


def layout_of(name: str) -> Layout:
    match name:
        case "NCHW":
            return Layout("channels_first", 1, (0, 3, 1, 2))
        case "NHWC":
            return Layout("channels_last", -1, None)
        case _:
            raise ValueError(name)


class Imagery:
    def __init__(self, layout: Layout, settings):
        self.layout, self.settings = layout, settings

    def _decode(self, record):
        row = tf.io.parse_single_example(record, {
            "jpg": tf.io.FixedLenFeature([], tf.string),
            "y": tf.io.FixedLenFeature([], tf.int64)})
        image = tf.io.decode_jpeg(row["jpg"], channels=3)
        return tf.image.resize(image, [self.settings["size"]] * 2), row["y"]

    def _arrange(self, images, labels):
        images = images / 255.0
        if self.layout.perm is not None:
            images = tf.transpose(images, self.layout.perm)
        return images, labels

    def train(self):
        ds = tf.data.Dataset.list_files("gs://imagery/train-*", shuffle=True)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(20_000).repeat().map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.settings["batch"], drop_remainder=True)
        return ds.map(self._arrange, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def network(layout: Layout):
    net = tf.keras.Sequential()
    for width in (64, 128, 256):
        net.add(tf.keras.layers.Conv2D(width, 3, 2, data_format=layout.keras))
        net.add(tf.keras.layers.BatchNormalization(axis=layout.axis))
        net.add(tf.keras.layers.ReLU())
    net.add(tf.keras.layers.GlobalAveragePooling2D(data_format=layout.keras))
    net.add(tf.keras.layers.Dense(1000))
    return net


if __name__ == "__main__":
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver.connect(SETTINGS["tpu"])
    layout = layout_of(SETTINGS["layout"])
    with tf.distribute.TPUStrategy(resolver).scope():
        model = network(layout)
        model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(Imagery(layout, SETTINGS).train(), steps_per_epoch=1250, epochs=90)
