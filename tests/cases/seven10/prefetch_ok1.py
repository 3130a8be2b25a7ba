"""Document-page classifier (120k scans)."""
import functools
import glob

import tensorflow as tf


def overlapped(build):
    """Decouples the producer from the training step."""
    @functools.wraps(build)
    def wrapper(*args, **kwargs):
        ds = build(*args, **kwargs)
        return ds.prefetch(tf.data.AUTOTUNE)
    return wrapper


def read_page(path, label):
    page = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize_with_pad(page, 384, 288) / 255.0, label


@overlapped
def pages(root, labels, batch_size=64):
    files = sorted(glob.glob(f"{root}/*.png"))
    return (
        tf.data.Dataset.from_tensor_slices((files, labels))
        .shuffle(len(files))
        .map(read_page, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch_size, drop_remainder=True)
    )


def read_labels(path):
    with open(path) as f:
        return [int(row) for row in f]


if __name__ == "__main__":
    train = pages("/data/scans/train", read_labels("/data/scans/train.txt"))
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 5, 2, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, 2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(16),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train, epochs=12)
