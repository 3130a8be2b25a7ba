"""Captioned figures: TF-only input, NumPy score at evaluation."""
import numpy as np
import tensorflow as tf
from scipy.stats import spearmanr

SPEC = {"png": tf.io.FixedLenFeature([], tf.string),
        "quality": tf.io.FixedLenFeature([], tf.float32)}


def decode(record):
    row = tf.io.parse_single_example(record, SPEC)
    image = tf.io.decode_png(row["png"], channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0, row["quality"]


def dataset(pattern, *, training, batch_size=64):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(10_000)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def rank_score(y_true, y_pred):
    return np.float32(spearmanr(y_true, y_pred).statistic)


@tf.function
def score(y_true, y_pred):
    return tf.numpy_function(rank_score, [y_true, y_pred], tf.float32)


def main():
    train = dataset("/data/figures/train-*.tfrecord", training=True)
    test = dataset("/data/figures/test-*.tfrecord", training=False)
    model = tf.keras.Sequential([
        tf.keras.applications.MobileNetV3Small(
            weights=None, include_top=False, pooling="avg", include_preprocessing=False),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mse")
    model.fit(train, epochs=12)
    truth, guess = [], []
    for x, y in test:
        truth.append(y)
        guess.append(model(x, training=False)[:, 0])
    print("spearman", float(score(tf.concat(truth, 0), tf.concat(guess, 0))))


if __name__ == "__main__":
    main()
