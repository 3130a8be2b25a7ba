import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("records", "/data/birds/train-*.tfrecord", "")
flags.DEFINE_integer("batch_size", 64, "")
flags.DEFINE_bool("cache", True, "keep the decoded images in memory")


class BirdInput:
    def __init__(self, pattern, batch_size, cache, size=192):
        self.pattern = pattern
        self.batch_size = batch_size
        self.cache = cache
        self.size = size

    def _decode(self, rec):
        f = tf.io.parse_single_example(rec, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "class": tf.io.FixedLenFeature([], tf.int64),
        })
        img = tf.io.decode_jpeg(f["image"], channels=3)
        img = tf.image.resize(img, [self.size, self.size], antialias=True)
        return tf.cast(img, tf.uint8), f["class"]

    def _augment(self, img, label):
        img = tf.image.random_flip_left_right(img)
        img = tf.image.random_crop(img, [self.size - 32, self.size - 32, 3])
        return img, label

    def __call__(self):
        ds = tf.data.TFRecordDataset(
            tf.io.gfile.glob(self.pattern), num_parallel_reads=tf.data.AUTOTUNE
        )
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        if self.cache:
            ds = ds.cache()
        ds = ds.shuffle(6000)
        ds = ds.map(self._augment, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def main(_):
    ds = BirdInput(FLAGS.records, FLAGS.batch_size, FLAGS.cache)()
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 127.5, offset=-1),
        tf.keras.applications.MobileNetV2(
            include_top=False, weights=None, pooling="avg", input_shape=(160, 160, 3)
        ),
        tf.keras.layers.Dense(200),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(ds, epochs=60)


if __name__ == "__main__":
    app.run(main)
