"""X-ray triage: transforms in a list, options in one dict."""
import tensorflow as tf

MAP_OPTIONS = dict(num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
SPEC = {
    "png": tf.io.FixedLenFeature([], tf.string),
    "finding": tf.io.FixedLenFeature([], tf.int64),
}


def decode(record):
    row = tf.io.parse_single_example(record, SPEC)
    scan = tf.io.decode_png(row["png"], channels=1, dtype=tf.uint16)
    scan = tf.image.resize(tf.cast(scan, tf.float32) / 65535.0, (320, 320))
    return scan, row["finding"]


def jitter(scan, finding):
    scan = tf.image.random_contrast(scan, 0.8, 1.2)
    return tf.image.random_flip_left_right(scan), finding


class Compose:
    def __init__(self, *transforms):
        self.transforms = transforms

    def __call__(self, ds):
        for transform in self.transforms:
            ds = ds.map(transform, **MAP_OPTIONS)
        return ds


def make_train(pattern, batch_size):
    shards = tf.data.Dataset.list_files(pattern, shuffle=True)
    records = shards.interleave(tf.data.TFRecordDataset, cycle_length=12, **MAP_OPTIONS)
    ds = Compose(decode, jitter)(records.shuffle(8_000))
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    model = tf.keras.applications.DenseNet121(
        weights=None, input_shape=(320, 320, 1), classes=14)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(make_train("/data/xray/train-*.tfrecord", 48), epochs=15)
