import functools

import tensorflow as tf

CONFIG = {"files": "/data/roads/train-*.tfrecord", "crop": 384, "batch_size": 8, "seed": 17}


def parse(record):
    row = tf.io.parse_single_example(
        record,
        {"image": tf.io.FixedLenFeature([], tf.string), "mask": tf.io.FixedLenFeature([], tf.string)},
    )
    image = tf.io.decode_png(row["image"], channels=3)
    mask = tf.io.decode_png(row["mask"], channels=1)
    return tf.cast(image, tf.float32) / 255.0, mask


def random_window(index, pair, *, size, seed):
    image, mask = pair
    key = tf.stack([tf.cast(index, tf.int32), seed])
    both = tf.concat([image, tf.cast(mask, tf.float32)], axis=-1)
    both = tf.image.stateless_random_crop(both, [size, size, 4], seed=key)
    image, mask = both[..., :3], tf.cast(both[..., 3:], tf.uint8)
    image = tf.image.stateless_random_flip_left_right(image, seed=key)
    mask = tf.image.stateless_random_flip_left_right(mask, seed=key)
    return tf.image.random_brightness(image, 0.1), mask


def training_data(cfg):
    files = tf.data.Dataset.list_files(cfg["files"])
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(1_000).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).enumerate()
    crop = functools.partial(random_window, size=cfg["crop"], seed=cfg["seed"])
    ds = ds.map(crop, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(cfg["batch_size"], drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def build_model(size):
    inputs = tf.keras.Input((size, size, 3))
    x = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
    x = tf.keras.layers.Conv2D(32, 3, padding="same", dilation_rate=2, activation="relu")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(2, 1, activation="softmax")(x))


def main():
    model = build_model(CONFIG["crop"])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(training_data(CONFIG), steps_per_epoch=1_500, epochs=40)
    model.save("roads.keras")


if __name__ == "__main__":
    main()
