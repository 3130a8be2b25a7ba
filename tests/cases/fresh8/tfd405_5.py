import tensorflow as tf

WEIGHTS = {"positive": 0.5, "negative": 0.5}


def decode(record):
    ex = tf.io.parse_single_example(record, {
        "xray": tf.io.FixedLenFeature([], tf.string),
        "finding": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_png(ex["xray"], channels=1)
    return tf.image.resize(image, (320, 320)) / 255.0, ex["finding"]


def source(name):
    files = tf.data.Dataset.list_files(f"/data/chexpert/{name}-*.tfrecord")
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.shuffle(5000).repeat()


def balanced(batch_size):
    ds = tf.data.Dataset.sample_from_datasets(
        [source(name) for name in WEIGHTS], weights=list(WEIGHTS.values()))
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def build():
    inputs = tf.keras.Input((320, 320, 1))
    h = tf.keras.layers.Conv2D(3, 1)(inputs)
    h = tf.keras.applications.DenseNet121(include_top=False, pooling="avg")(h)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1, activation="sigmoid")(h))


if __name__ == "__main__":
    model = build()
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    schedule = tf.keras.callbacks.ReduceLROnPlateau("loss", patience=2)
    model.fit(balanced(32), epochs=12, callbacks=[schedule])
