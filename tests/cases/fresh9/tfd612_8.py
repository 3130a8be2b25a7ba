import tensorflow as tf

EXPERIMENTS = {
    "unet_base": {
        "compile": {
            "optimizer": "adam",
            "loss": "sparse_categorical_crossentropy",
            "metrics": ["accuracy"],
            "run_eagerly": True,
        },
        "data": {"pattern": "/data/pets/train-*.tfrecord", "batch_size": 32},
        "fit": {"epochs": 100},
    },
}


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "mask": tf.io.FixedLenFeature([], tf.string),
    })
    image = tf.image.resize(tf.io.decode_jpeg(ex["image"], channels=3), [128, 128]) / 255.0
    mask = tf.image.resize(tf.io.decode_png(ex["mask"]), [128, 128], method="nearest")
    return image, tf.cast(mask, tf.int32) - 1


def make_data(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(4000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def make_model():
    x = inputs = tf.keras.Input((128, 128, 3))
    for filters in (64, 128, 128, 64):
        x = tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(3, 1, activation="softmax")(x))


def run(name):
    experiment = EXPERIMENTS[name]
    model = make_model()
    model.compile(**experiment["compile"])
    model.fit(make_data(**experiment["data"]), **experiment["fit"])
    model.save(f"{name}.keras")


if __name__ == "__main__":
    run("unet_base")
