import json
from pathlib import Path

import tensorflow as tf


def iter_annotations(root):
    for path in sorted(Path(root, "annotations").glob("*.json")):
        meta = json.loads(path.read_text())
        yield str(Path(root, "images", meta["file"])), meta["count"]


def from_annotations(generator):
    paths, counts = map(list, zip(*generator))
    return tf.data.Dataset.from_tensor_slices((paths, counts)), len(paths)


def load(path, count):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, (512, 512)), tf.cast(count, tf.float32)


def build(root, batch_size, training):
    ds, n = from_annotations(iter_annotations(root))
    if training:
        ds = ds.shuffle(n)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 255.0),
        tf.keras.layers.Conv2D(32, 5, strides=4, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mae")
    model.fit(
        build("/data/crowds/train", 16, True),
        validation_data=build("/data/crowds/valid", 16, False),
        epochs=40,
    )


if __name__ == "__main__":
    main()
