import argparse

import numpy as np
import tensorflow as tf
from scipy.stats import spearmanr

FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "score": tf.io.FixedLenFeature([], tf.float32),
}


def parse(record):
    ex = tf.io.parse_single_example(record, FEATURES)
    image = tf.io.decode_jpeg(ex["image"], channels=3)
    image = tf.image.resize(image, (240, 240))
    return tf.image.random_crop(image, (224, 224, 3)), ex["score"]


def dataset(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8,
                       num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(5000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def _rank_correlation(y_true, y_pred):
    return np.float32(spearmanr(y_true.ravel(), y_pred.ravel()).correlation)


class Spearman(tf.keras.metrics.Mean):
    """Rank correlation per batch, averaged; SciPy does the work."""

    def update_state(self, y_true, y_pred, sample_weight=None):
        rho = tf.numpy_function(_rank_correlation, [y_true, y_pred], tf.float32)
        return super().update_state(rho)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", default="/data/ava/train-*.tfrecord")
    parser.add_argument("--batch-size", type=int, default=64)
    args = parser.parse_args()

    backbone = tf.keras.applications.MobileNetV3Large(
        include_top=False, weights="imagenet", pooling="avg", input_shape=(224, 224, 3))
    output = tf.keras.layers.Dense(1)(tf.keras.layers.Dropout(0.5)(backbone.output))
    model = tf.keras.Model(backbone.input, output)
    model.compile(tf.keras.optimizers.Adam(1e-4), "mse", metrics=[Spearman(name="srcc")])
    model.fit(dataset(args.train, args.batch_size), epochs=12)
    model.save_weights("ava.weights.h5")


if __name__ == "__main__":
    main()
