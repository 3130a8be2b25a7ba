"""Compute mean and standard deviation of each band, then write them next to the data."""
import json

import numpy as np
import tensorflow as tf
from tensorflow.data import AUTOTUNE, TFRecordDataset

BANDS = 12
SPEC = {"pixels": tf.io.FixedLenFeature([64, 64, BANDS], tf.float32)}


def batches(pattern, batch_size=256):
    files = sorted(tf.io.gfile.glob(pattern))
    ds = TFRecordDataset(files, num_parallel_reads=AUTOTUNE)
    ds = ds.batch(batch_size)
    ds = ds.map(lambda rows: tf.io.parse_example(rows, SPEC)["pixels"], num_parallel_calls=AUTOTUNE)
    return ds.prefetch(AUTOTUNE).as_numpy_iterator()


def band_mean(arrays):
    total, count = np.zeros(BANDS), 0
    for pixels in arrays:
        total += pixels.sum(axis=(0, 1, 2), dtype=np.float64)
        count += pixels.shape[0] * 64 * 64
    return total / count, count


def band_std(arrays, mean, count):
    squares = np.zeros(BANDS)
    for pixels in arrays:
        squares += np.square(pixels - mean).sum(axis=(0, 1, 2))
    return np.sqrt(squares / count)


def main(root="/data/sentinel2"):
    arrays = batches(f"{root}/train-*.tfrecord")
    mean, count = band_mean(arrays)
    std = band_std(arrays, mean, count)
    with open(f"{root}/stats.json", "w") as handle:
        json.dump({"mean": mean.tolist(), "std": std.tolist(), "count": count}, handle)


if __name__ == "__main__":
    main()
