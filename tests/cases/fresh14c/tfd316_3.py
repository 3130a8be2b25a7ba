import pathlib

import tensorflow as tf

ROOT = pathlib.Path("/data/satellite")
CACHE = pathlib.Path("/scratch/satellite-cache")
SPLITS = {"train": "tiles_train", "valid": "tiles_valid", "test": "tiles_test"}
FEATURES = {
    "bands": tf.io.FixedLenFeature([], tf.string),
    "landuse": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    ex = tf.io.parse_single_example(record, FEATURES)
    bands = tf.reshape(tf.io.decode_raw(ex["bands"], tf.uint16), [64, 64, 13])
    return bands, ex["landuse"]


def scale(bands, labels):
    return tf.cast(bands, tf.float32) / 10000.0, labels


def load_split(split, batch_size=64):
    files = tf.io.gfile.glob(str(ROOT / SPLITS[split] / "*.tfrecord"))
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache(str(CACHE / f"{split}.cache"))
    if split == "train":
        ds = ds.shuffle(10_000)
    ds = ds.batch(batch_size)
    ds = ds.map(scale, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    CACHE.mkdir(parents=True, exist_ok=True)
    data = {split: load_split(split) for split in SPLITS}
    model = tf.keras.Sequential(
        [
            tf.keras.Input([64, 64, 13]),
            tf.keras.layers.Conv2D(32, 3, activation="relu"),
            tf.keras.layers.MaxPool2D(),
            tf.keras.layers.Conv2D(64, 3, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(10),
        ]
    )
    model.compile(
        "adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"]
    )
    model.fit(data["train"], validation_data=data["valid"], epochs=30)
    print(model.evaluate(data["test"], return_dict=True))


if __name__ == "__main__":
    main()
