import csv

import tensorflow as tf

SIDE, BATCH = 192, 64


def read_listing(path):
    with open(path) as fh:
        rows = [(r["jpg"], float(r["age"])) for r in csv.DictReader(fh)]
    return [r[0] for r in rows], [r[1] for r in rows]


def load(path, age):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (SIDE, SIDE)), age


def faces(listing, training):
    paths, ages = read_listing(listing)
    ds = tf.data.Dataset.from_tensor_slices((paths, ages))
    if training:
        ds = ds.shuffle(len(paths))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE, deterministic=not training)
    return ds.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def regressor():
    inp = tf.keras.Input((SIDE, SIDE, 3))
    x = tf.keras.layers.Rescaling(1.0 / 255)(inp)
    for width in (32, 64, 128, 256):
        x = tf.keras.layers.Conv2D(width, 3, padding="same", activation="relu")(x)
        x = tf.keras.layers.MaxPooling2D()(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    x = tf.keras.layers.Dense(64, activation="relu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(1)(x))


if __name__ == "__main__":
    train = faces("/data/faces/train.csv", True)
    val = faces("/data/faces/val.csv", False)
    model = regressor()
    model.compile("adam", "mae")
    model.fit(train, validation_data=val, epochs=15)
