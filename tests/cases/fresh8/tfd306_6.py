import tensorflow as tf


class Flow:
    """A thin chain around tf.data."""

    def __init__(self, ds):
        self.ds = ds

    @classmethod
    def from_records(cls, pattern):
        files = tf.data.Dataset.list_files(pattern, shuffle=False)
        return cls(files.interleave(
            lambda f: tf.data.TFRecordDataset(f, compression_type="GZIP"),
            num_parallel_calls=tf.data.AUTOTUNE))

    def mapped(self, fn):
        return Flow(self.ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE))

    def batched(self, n):
        return Flow(self.ds.batch(n, drop_remainder=True))

    def shuffled(self, n):
        return Flow(self.ds.shuffle(n))

    def ready(self):
        return self.ds.prefetch(tf.data.AUTOTUNE)


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "pixels": tf.io.FixedLenFeature([], tf.string),
        "steer": tf.io.FixedLenFeature([], tf.float32),
    })
    image = tf.io.decode_jpeg(ex["pixels"], channels=3)
    return tf.image.resize(image, (66, 200)) / 255.0, ex["steer"]


train = (
    Flow.from_records("/data/driving/drive-*.tfrecord.gz")
    .mapped(parse)
    .batched(100)
    .shuffled(300)
    .ready()
)
model = tf.keras.Sequential([
    tf.keras.layers.Input((66, 200, 3)),
    tf.keras.layers.Conv2D(24, 5, strides=2, activation="elu"),
    tf.keras.layers.Conv2D(36, 5, strides=2, activation="elu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(train, epochs=30)
