import tensorflow as tf

SETTINGS = {"batch": 512, "prefetch": tf.data.AUTOTUNE, "size": 96}


def decode(raw):
    ex = tf.io.parse_single_example(raw, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(ex["image"], channels=3)
    return tf.image.resize(image, (SETTINGS["size"],) * 2) / 255.0, ex["label"]


def stages(training):
    if training:
        yield lambda d: d.shuffle(20000)
    yield lambda d: d.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    yield lambda d: d.batch(SETTINGS["batch"])
    yield lambda d: d.prefetch(SETTINGS["prefetch"])


def build(split):
    ds = tf.data.Dataset.list_files(f"/data/stl/{split}-*.tfrecord")
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    for stage in stages(split == "train"):
        ds = ds.apply(stage)
    return ds


def main():
    data = {split: build(split) for split in ("train", "valid")}
    model = tf.keras.applications.MobileNetV2((96, 96, 3), weights=None, classes=10)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(data["train"], validation_data=data["valid"], epochs=50)


if __name__ == "__main__":
    main()
