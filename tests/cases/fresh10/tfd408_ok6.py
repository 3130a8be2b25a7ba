"""QM9-like molecule property regression; the whole set fits in memory."""
import argparse

import numpy as np
import tensorflow as tf

FEATS = {
    "fingerprint": tf.io.FixedLenFeature([2048], tf.int64),
    "gap": tf.io.FixedLenFeature([], tf.float32),
}


def parse(block):
    ex = tf.io.parse_example(block, FEATS)
    return tf.cast(ex["fingerprint"], tf.uint8), ex["gap"]


def read_arrays(pattern):
    """Reads the shards once, in order, into two numpy arrays."""
    files = sorted(tf.io.gfile.glob(pattern))
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=4)
    ds = ds.batch(4096).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    xs, ys = zip(*ds.prefetch(2).as_numpy_iterator())
    return np.concatenate(xs), np.concatenate(ys)


def make_model(width, depth):
    layers = [tf.keras.layers.Input((2048,)), tf.keras.layers.Rescaling(1.0)]
    for _ in range(depth):
        layers += [tf.keras.layers.Dense(width, activation="swish"),
                   tf.keras.layers.LayerNormalization()]
    return tf.keras.Sequential(layers + [tf.keras.layers.Dense(1)])


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--train", default="/data/qm9/train-*.tfrecord")
    p.add_argument("--valid", default="/data/qm9/valid-*.tfrecord")
    p.add_argument("--epochs", type=int, default=100)
    args = p.parse_args()

    x, y = read_arrays(args.train)
    xv, yv = read_arrays(args.valid)
    mu, sd = y.mean(), y.std()

    model = make_model(512, 3)
    model.compile(tf.keras.optimizers.Adam(1e-3), "mse", metrics=["mae"])
    model.fit(x, (y - mu) / sd, batch_size=256, epochs=args.epochs,
              validation_data=(xv, (yv - mu) / sd),
              callbacks=[tf.keras.callbacks.ReduceLROnPlateau(patience=5)])


if __name__ == "__main__":
    main()
