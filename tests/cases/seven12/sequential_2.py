import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def decode_record(raw):
    ex = tf.io.parse_single_example(raw, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    return tf.io.decode_jpeg(ex["image"], channels=3), ex["label"]


def random_crop(image, label):
    image = tf.image.resize(image, (256, 256))
    return tf.image.random_crop(image, (224, 224, 3)), label


def color(image, label):
    image = tf.image.random_saturation(image / 255.0, 0.6, 1.4)
    return tf.image.random_hue(image, 0.1), label


TRANSFORMS = [decode_record, random_crop, color]


def build(pattern, transforms, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=AUTO)
    ds = ds.shuffle(8192)
    for fn in transforms:
        ds = ds.map(fn)
    return ds.batch(batch_size, drop_remainder=True).prefetch(AUTO)


def main():
    strategy = tf.distribute.MirroredStrategy()
    ds = build("/data/inat/train-*.tfrecord", TRANSFORMS, 256)
    with strategy.scope():
        model = tf.keras.applications.ResNet50(weights=None, classes=8142)
        model.compile("sgd", "sparse_categorical_crossentropy")
    model.fit(ds, epochs=90)


if __name__ == "__main__":
    main()
