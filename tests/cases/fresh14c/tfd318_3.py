import tensorflow as tf

BLOCKED = tf.constant(["P-0021", "P-0108"])
SIDE = 224

FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "box": tf.io.FixedLenFeature([4], tf.float32),
    "weight": tf.io.FixedLenFeature([], tf.float32, default_value=1.0),
    "patient": tf.io.FixedLenFeature([], tf.string),
}


def parse(record):
    return tf.io.parse_single_example(record, FEATURES)


def allowed(example):
    return tf.reduce_all(example["patient"] != BLOCKED)


def decode(example):
    image = tf.io.decode_png(example["image"], channels=1)
    image = tf.image.resize(image, [SIDE, SIDE]) / 255.0
    return image, example["box"], example["weight"]


def dataset(pattern, batch_size, training):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(
        tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=tf.data.AUTOTUNE, deterministic=not training
    )
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.filter(allowed)
    if training:
        ds = ds.shuffle(2048)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def localiser():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            tf.keras.Input([SIDE, SIDE, 1]),
            layers.Conv2D(32, 3, strides=2, activation="relu"),
            layers.Conv2D(64, 3, strides=2, activation="relu"),
            layers.Conv2D(128, 3, strides=2, activation="relu"),
            layers.GlobalAveragePooling2D(),
            layers.Dense(4, activation="sigmoid"),
        ]
    )


if __name__ == "__main__":
    model = localiser()
    model.compile("adam", "huber")
    model.fit(
        dataset("xray/train-*.tfrecord", 32, True),
        validation_data=dataset("xray/valid-*.tfrecord", 32, False),
        epochs=25,
    )
