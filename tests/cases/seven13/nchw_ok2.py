"""CIFAR binaries are stored plane by plane; the reader turns them into NHWC for the TPU."""
import argparse
import os

import tensorflow as tf

RECORD = 1 + 3 * 32 * 32
LAYOUTS = {"stored": "NCHW", "model": "NHWC"}


class CifarBinary:
    def __init__(self, root):
        self.root = root

    @staticmethod
    def _planes_to_pixels(records):
        raw = tf.io.decode_raw(records, tf.uint8)
        raw = tf.ensure_shape(raw, [None, RECORD])
        planes = tf.reshape(raw[:, 1:], [-1, 3, 32, 32])
        pixels = tf.transpose(planes, [0, 2, 3, 1])  # planes first on disk, channels last for the model
        return tf.cast(pixels, tf.bfloat16) / 255.0, tf.cast(raw[:, 0], tf.int32)

    def split(self, names, batch, training=False):
        files = [os.path.join(self.root, n) for n in names]
        ds = tf.data.FixedLengthRecordDataset(files, RECORD, num_parallel_reads=len(files)).cache()
        if training:
            ds = ds.shuffle(50_000).repeat()
        ds = ds.batch(batch, drop_remainder=True)
        return ds.map(self._planes_to_pixels, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def residual(x, f, stride):
    y = tf.keras.layers.Conv2D(f, 3, stride, "same", use_bias=False)(x)
    y = tf.keras.layers.ReLU()(tf.keras.layers.BatchNormalization()(y))
    y = tf.keras.layers.BatchNormalization()(tf.keras.layers.Conv2D(f, 3, 1, "same", use_bias=False)(y))
    if stride != 1 or x.shape[-1] != f:
        x = tf.keras.layers.Conv2D(f, 1, stride, use_bias=False)(x)
    return tf.keras.layers.ReLU()(tf.keras.layers.Add()([x, y]))


def build():
    inp = tf.keras.Input([32, 32, 3])
    x = residual(inp, 64, 1)
    for f in (128, 256, 512):
        x = residual(residual(x, f, 2), f, 1)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(10, dtype="float32")(x))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", default="gs://cifar/cifar-10-batches-bin")
    ap.add_argument("--tpu", default="local")
    a = ap.parse_args()
    strategy = tf.distribute.TPUStrategy(tf.distribute.cluster_resolver.TPUClusterResolver.connect(a.tpu))
    tf.keras.mixed_precision.set_global_policy("mixed_bfloat16")
    data = CifarBinary(a.root)
    with strategy.scope():
        net = build()
        net.compile(tf.keras.optimizers.SGD(0.2, momentum=0.9),
                    tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    net.fit(data.split([f"data_batch_{i}.bin" for i in range(1, 6)], 1024, True),
            validation_data=data.split(["test_batch.bin"], 1000), steps_per_epoch=48, epochs=150)
