"""iNaturalist subset, images of all sizes in TFRecords."""
import tensorflow as tf

SPEC = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(serialized, size):
    ex = tf.io.parse_single_example(serialized, SPEC)
    img = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
    h, w = tf.shape(img)[0], tf.shape(img)[1]
    side = tf.minimum(h, w)
    img = tf.image.crop_to_bounding_box(img, (h - side) // 2, (w - side) // 2, side, side)
    return tf.image.resize(img, [size, size]), ex["image/label"]


def scale(images, labels):
    return images / 127.5 - 1.0, labels


def read(pattern, batch, size=299):
    ds = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    return (
        ds.shuffle(10_000)
        .map(lambda r: parse(r, size), num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch, drop_remainder=True)
        .map(scale, num_parallel_calls=tf.data.AUTOTUNE)
        .prefetch(tf.data.AUTOTUNE)
    )


def main():
    model = tf.keras.applications.InceptionV3(weights=None, classes=1010)
    model.compile(tf.keras.optimizers.RMSprop(0.01), "sparse_categorical_crossentropy")
    model.fit(read("/data/inat/train-*.tfrecord", 128), epochs=30)


if __name__ == "__main__":
    main()
