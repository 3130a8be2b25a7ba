import glob
import os

import tensorflow as tf

SIDE = 128
SOURCES = {"scanner": 0.5, "phone": 0.3, "synthetic": 0.2}


def parse(record):
    ex = tf.io.parse_single_example(
        record,
        {
            "page": tf.io.FixedLenFeature([], tf.string),
            "kind": tf.io.FixedLenFeature([], tf.int64),
        },
    )
    page = tf.io.decode_png(ex["page"], channels=1)
    page = tf.image.resize(page, (SIDE, SIDE))
    return page / 255.0, ex["kind"]


def source(name):
    files = glob.glob(os.path.join("/data/documents", name, "*.tfrecord"))
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.interleave(
        tf.data.TFRecordDataset,
        cycle_length=4,
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=False,
    )
    return ds.shuffle(5000).repeat()


def documents(batch_size=64):
    parts = [source(name) for name in SOURCES]
    ds = tf.data.experimental.sample_from_datasets(parts, list(SOURCES.values()))
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential(
        [
            tf.keras.layers.InputLayer((SIDE, SIDE, 1)),
            tf.keras.layers.Conv2D(32, 5, strides=2, activation="relu"),
            tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
            tf.keras.layers.Conv2D(128, 3, strides=2, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(12, activation="softmax"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(documents(), epochs=15, steps_per_epoch=1500)
    model.save("documents")


if __name__ == "__main__":
    main()
