import glob

import numpy as np
import tensorflow as tf

POINTS = 2048


class NormalisedUnit(tf.keras.layers.Layer):
    def __init__(self, linear, momentum=0.9):
        super().__init__()
        self.linear = linear
        self.norm = tf.keras.layers.BatchNormalization(momentum=momentum)

    def call(self, x, training=False):
        x = self.linear(x)
        x = self.norm(x, training=training)
        return tf.nn.relu(x)


class ConvUnit(NormalisedUnit):
    def __init__(self, width):
        super().__init__(tf.keras.layers.Conv1D(width, 1, kernel_initializer="he_normal"))


class DenseUnit(NormalisedUnit):
    def __init__(self, width):
        super().__init__(tf.keras.layers.Dense(width, kernel_initializer="he_normal"))


class PointNet(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.local = [ConvUnit(width) for width in (64, 128, 1024)]
        self.pool = tf.keras.layers.GlobalMaxPooling1D()
        self.shared = [DenseUnit(width) for width in (512, 256)]
        self.logits = tf.keras.layers.Dense(classes)

    def call(self, x, training=False):
        for unit in self.local:
            x = unit(x, training=training)
        x = self.pool(x)
        for unit in self.shared:
            x = unit(x, training=training)
        return self.logits(x)


def read_shapes(pattern):
    clouds, labels = [], []
    for name in sorted(glob.glob(pattern)):
        with np.load(name) as shard:
            clouds.append(shard["xyz"].astype(np.float32))
            labels.append(shard["label"].astype(np.int64))
    return np.concatenate(clouds), np.concatenate(labels)


def jitter(clouds, labels):
    return clouds + tf.random.normal(tf.shape(clouds), stddev=0.01), labels


def batches(clouds, labels, training):
    ds = tf.data.Dataset.from_tensor_slices((clouds, labels))
    if training:
        ds = ds.shuffle(len(labels))
    ds = ds.batch(32, drop_remainder=training)
    if training:
        ds = ds.map(jitter, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    train = batches(*read_shapes("shapes/train_*.npz"), training=True)
    test = batches(*read_shapes("shapes/test_*.npz"), training=False)
    model = PointNet(classes=40)
    model.compile(
        tf.keras.optimizers.Adam(1e-3),
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(train, validation_data=test, epochs=60)
