import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def mapped(fn):
    return lambda ds: ds.map(fn, num_parallel_calls=AUTO)


def decode(raw):
    ex = tf.io.parse_single_example(raw, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(ex["image"], channels=3)
    return tf.cast(tf.image.resize(image, (128, 128)), tf.uint8), ex["label"]


def augment(image, label):
    # random, so it has to run anew in each epoch
    image = tf.image.random_flip_left_right(tf.cast(image, tf.float32) / 255.0)
    return tf.image.random_brightness(image, 0.1), label


PIPELINE = [
    mapped(decode),
    lambda ds: ds.cache(),
    lambda ds: ds.shuffle(8192),
    mapped(augment),
    lambda ds: ds.batch(128),
    lambda ds: ds.prefetch(AUTO),
]


def main():
    ds = tf.data.Dataset.list_files("/data/birds/train-*.tfrecord")
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO)
    for stage in PIPELINE:
        ds = stage(ds)
    model = tf.keras.applications.MobileNetV2((128, 128, 3), weights=None, classes=200)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(ds, epochs=60)


if __name__ == "__main__":
    main()
