import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("records", "/data/flowers/train-*.tfrecord", "")
flags.DEFINE_integer("batch_size", 128, "")
flags.DEFINE_integer("epochs", 60, "")
flags.DEFINE_bool("cache", True, "keep the data set in memory")


class FlowerInput:
    def __init__(self, pattern, batch_size, cache, size=160):
        self.pattern = pattern
        self.batch_size = batch_size
        self.cache = cache
        self.size = size

    def _read(self):
        return tf.data.Dataset.list_files(self.pattern, shuffle=False).interleave(
            tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE
        )

    def _decode(self, rec):
        f = tf.io.parse_single_example(rec, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "class": tf.io.FixedLenFeature([], tf.int64),
        })
        img = tf.io.decode_jpeg(f["image"], channels=3)
        img = tf.image.resize(img, [self.size, self.size], antialias=True)
        return tf.cast(img, tf.uint8), f["class"]

    def __call__(self):
        ds = self._read()
        if self.cache:
            ds = ds.cache()
        ds = ds.shuffle(12_000)
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def main(_):
    ds = FlowerInput(FLAGS.records, FLAGS.batch_size, FLAGS.cache)()
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 127.5, offset=-1),
        tf.keras.layers.RandomFlip("horizontal"),
        tf.keras.applications.MobileNetV2(
            include_top=False, weights=None, pooling="avg", input_shape=(160, 160, 3)
        ),
        tf.keras.layers.Dense(104),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(ds, epochs=FLAGS.epochs)


if __name__ == "__main__":
    app.run(main)
